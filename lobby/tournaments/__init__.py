"""Tournaments, from the announcement to the final table. See `README.md`.

`draft`, `registration` and `organiser_actions` hold what people do: each public function is one
transaction that locks the tournament's row. `lifecycle` holds what the site does when a time comes
or a result arrives, and `lifecycle_loop` runs it on any number of servers. `results` handles the
events of matches. `queries` and `views` read for pages. `pairing` computes pairs and standings
without a database.
"""
