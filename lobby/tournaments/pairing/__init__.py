"""Who plays whom in a tournament, and how they stand: pure computation on the values of `field`.

`berger` round robins, `swiss` the Dutch system, `knockout` brackets, `arena` pairing at once and
its points; `standings` the table, `tie_breaks` what parts equal points, `crosstable`, `export`,
`trf` and `season`. `python -m lobby.tournaments.pairing` pairs a round in a process of its own.
"""
