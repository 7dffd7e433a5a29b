"""The process that compiles a sheet: it reads the text and writes the network, or a refusal.

A refusal goes to the standard error as JSON with a `reason` and a `line`, with exit status 1.
"""

import json
import resource
import sys

from games.gdl.compiler import CPU_SECONDS, MEMORY_MB


def main() -> int:
    # Numpy and clingo reserve no more address space than they use, except for threads.
    limit = MEMORY_MB * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))

    from games.gdl.admission import admit
    from games.gdl.checks import read_sheet
    from games.gdl.errors import SheetError
    from games.gdl.grounding import build_network

    try:
        network = admit(build_network(read_sheet(sys.stdin.buffer.read())))
    except SheetError as error:
        json.dump({"reason": error.reason, "line": error.line}, sys.stderr)
        return 1
    sys.stdout.buffer.write(network.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
