"""Reads one request from standard input and writes the answer, both as `process` says. Ends with 2
for what is no request."""

import os
import sys
from contextlib import suppress

from lobby.tournaments.pairing.process import answer


def main() -> int:
    with suppress(OSError):
        os.nice(5)
    try:
        found = answer(sys.stdin.buffer.read())
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.buffer.write(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
