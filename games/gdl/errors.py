"""The refusal of a rule sheet."""

_LONGEST = 180  # characters of a reason, which may quote a long term


class SheetError(ValueError):
    """A sheet cannot become a game. The text is a sentence for the sheet's author."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        reason = reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]}…"
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.reason = reason
        self.line = line
