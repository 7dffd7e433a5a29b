"""The HTTP API: what programs may ask, shaped as lichess' where the thing is the same."""
