"""Tournaments, from the announcement to the final table. See `README.md`.

`draft`, `registration`, `organiser_actions` and `series` contain the users' actions. Each action on
an existing tournament is one transaction that locks the tournament's row. `lifecycle` has the steps
that the site takes when a time comes or a result arrives, and `lifecycle_loop` runs them on any
number of servers. `results` handles the events of matches. `queries` and `views` read data for
pages. `pairing` computes pairs and standings without a database.
"""
