"""The refusal of a rule sheet."""


class SheetError(ValueError):
    """A sheet cannot become a game. The text is a sentence for the sheet's author."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.reason = reason
        self.line = line
