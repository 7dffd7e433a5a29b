"""Compiling a sheet in a process of its own, because grounding can need any time and memory."""

import hashlib
import json
import os
import signal
import subprocess  # nosec B404  # our own module, without a shell
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from games.gdl.errors import SheetError
from games.gdl.network import VERSION, Network, decode_network
from games.gdl.reader import LONGEST_TEXT

MEMORY_MB = 512
CPU_SECONDS = 10
WALL_SECONDS = 15.0
_ROOT = Path(__file__).resolve().parents[2]
_TOO_LONG = f"it takes more than {CPU_SECONDS} seconds to compile the sheet"


def compute_digest(text: bytes) -> str:
    """Return the SHA-256 of a sheet's text, which is its version."""
    return hashlib.sha256(text).hexdigest()


def compile_sheet(text: bytes, folder: Path | None = None) -> Network:
    """Check, ground and try out a sheet in a child process, and return its network.

    With a `folder`, a network that was compiled before is read from it, and a new one is stored.
    Raise `SheetError` if the sheet cannot become a game, or not within the limits of the process,
    and `RuntimeError` if the compiler itself fails.
    """
    if len(text) > LONGEST_TEXT:
        raise SheetError(f"the sheet has {len(text):,} bytes, and {LONGEST_TEXT:,} are allowed")
    path = folder and folder / f"{compute_digest(text)}-{VERSION}.npz"
    if path:
        with suppress(OSError, ValueError):
            return decode_network(path.read_bytes())
    data = _run_child(text)
    network = decode_network(data)
    if path:
        _store(path, data)
    return network


def _run_child(text: bytes) -> bytes:
    child = subprocess.Popen(  # nosec B603  # our own module; the sheet goes to its input
        [sys.executable, "-m", "games.gdl"],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": os.environ.get("PATH", ""), "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        output, errors = child.communicate(text, timeout=WALL_SECONDS)
    except subprocess.TimeoutExpired:
        raise SheetError(_TOO_LONG) from None
    finally:
        child.kill()
        child.communicate()
    if child.returncode == 0:
        return output
    refusal = None
    with suppress(ValueError):
        refusal = json.loads(errors)
    if isinstance(refusal, dict):
        raise SheetError(refusal["reason"], refusal["line"])
    if child.returncode == -signal.SIGXCPU:
        raise SheetError(_TOO_LONG)
    if child.returncode < 0 or b"MemoryError" in errors or b"bad_alloc" in errors:
        raise SheetError(f"it takes more than {MEMORY_MB} MB of memory to compile the sheet")
    raise RuntimeError(f"the compiler of sheets failed: {errors.decode(errors='replace')[-2000:]}")


def _store(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
