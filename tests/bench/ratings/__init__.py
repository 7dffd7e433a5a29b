"""Whether ratings find out how strong people are: simulated players, whose strength is known."""
