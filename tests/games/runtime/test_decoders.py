"""Several threads decode a type for the first time simultaneously."""

import subprocess
import sys

from tests.builders.sites import ROOT

_FIRST = """
import sys, threading
from typing import Annotated, Literal, Optional
import msgspec
from games.runtime.decoders import get_decoder

sys.setswitchinterval(1e-6)
field = Annotated[Optional[Literal["a", "b"]], msgspec.Meta(description="of a type")]
for _ in range(100):
    kind = msgspec.defstruct("Kind", [(f"f{i}", field, None) for i in range(20)])
    begin = threading.Barrier(4)

    def read():
        begin.wait()
        found = WAY
        assert found.f19 == "b"

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def status(way: str) -> int:
    script = _FIRST.replace("WAY", way)
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode


def test_concurrent_first_decoding_does_not_crash() -> None:
    assert status("""get_decoder(kind).decode(b'{"f19":"b"}')""") == 0
    assert status("""(get_decoder(kind), msgspec.convert({"f19": "b"}, kind))[1]""") == 0
