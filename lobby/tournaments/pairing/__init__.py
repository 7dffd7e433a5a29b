"""The computation of pairings and standings from the values in `field`, without a database.

`berger` pairs round robins, `swiss` the Dutch system, `knockout` brackets, and `arena` waves.
`standings` and `tie_breaks` compute the table. `crosstable`, `export`, `trf` and `season` present
it. `python -m lobby.tournaments.pairing` pairs one round in a separate process.
"""
