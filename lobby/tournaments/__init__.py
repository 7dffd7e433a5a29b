"""Tournaments: from the announcement to the table at the end.

`states` says what may be done when. `making`, `entering` and `organising` are what people do, each
function one transaction that holds the tournament's row. `stepping` is what the site does by itself
when a time comes or a result is in: `loop` calls it, on any number of servers. `results` hears how
matches end. `reading` is for pages. Who plays whom, and who is first in the end, is computed in
`pairing`, which knows no database.
"""
