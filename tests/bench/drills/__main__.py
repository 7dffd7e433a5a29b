"""Fault drills against the production profile under load: all of them, or those named.

    python -m tests.bench.drills [--short] [killed redis-killed …]

After each, every accepted action must be stored once, plies without a gap, each client's last state
equal to the database, and the moves replay to the stored result.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.bench.bad_network import show
from tests.bench.drills.registry import SHORT, Scale, all_drills

# Where there is one: a disk that many share has pauses of its own, which would be in each figure.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def main() -> None:
    drills = all_drills()
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else ""
    )
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(drills))
    parser.add_argument("--short", action="store_true", help="as in the test suite")
    parser.add_argument("--minutes", type=float, default=10, help="of the long load")
    asked = parser.parse_args()
    unknown = set(asked.names) - set(drills)
    if unknown:
        parser.error(
            f"there is no drill {', '.join(sorted(unknown))}; there are {', '.join(drills)}"
        )
    scale = SHORT if asked.short else Scale(minutes=asked.minutes)
    failed = []
    for name in asked.names or drills:
        drill = drills[name]
        print(f"\n{name}: {drill.__doc__}", flush=True)
        folder = Path(tempfile.mkdtemp(prefix=f"drill-{name}-", dir=MEMORY))
        try:
            figures = drill(folder, scale)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        show(figures)
        failed += [name] * bool(figures.wrong)
    print(f"\nfailed: {', '.join(failed)}" if failed else "\nall sound")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
