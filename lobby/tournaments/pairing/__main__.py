"""Pair a Swiss round: read a request from standard input, and write the answer (see `process`).

The exit status is 2 for an invalid request.
"""

import os
import sys
from contextlib import suppress

from lobby.tournaments.pairing.process import answer_request


def main() -> int:
    with suppress(OSError):
        os.nice(5)
    try:
        found = answer_request(sys.stdin.buffer.read())
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.buffer.write(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
