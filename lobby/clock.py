"""How a time limit is written: "3+2", minutes and seconds of increment."""

import re

LONGEST = 180  # minutes, and seconds of increment
_TEXT = re.compile(r"(0|[1-9]\d{0,2})\+(0|[1-9]\d{0,2})", re.ASCII)


def is_clock(text: str) -> bool:
    """Whether the text is a time limit that can be played: some time, and neither part too long."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return False
    minutes, increment = map(int, found.groups())
    return minutes <= LONGEST and increment <= LONGEST and minutes + increment > 0
