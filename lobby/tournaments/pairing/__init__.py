"""The computation of pairings and standings from the values in `field`, without a database.

`berger` pairs round robins, `swiss` Swiss rounds, `knockout` brackets, and `arena` waves.
`standings` and `tie_breaks` compute the table. `crosstable`, `export`, `trf` and `season` present
results. `python -m lobby.tournaments.pairing` pairs one round in a separate process.
"""
