"""Computing pairings and standings from the values in `field`, without a database.

`berger` pairs round robins, `swiss` Swiss rounds, `knockout` brackets, and `arena` waves. The other
modules for Swiss rounds are described in `swiss`. `standings` and `tie_breaks` compute the table of
a tournament, and `season` that of a series. `crosstable`, `export` and `trf` present results.
`python -m lobby.tournaments.pairing` pairs a Swiss round in a separate process.
"""
