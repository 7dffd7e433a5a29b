"""Why something is not done: a code with parameters, wherever it is refused."""


class Refused(Exception):  # noqa: N818  # a refusal is an answer of the domain, not a fault
    """What was asked is not allowed, and nothing was changed by it.

    `code` is for machines; the sentence that people read is `refused.<code>` in the table of
    sentences (`games.messages`), which `words` asks for with the parameters.
    """

    def __init__(self, code: str, /, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def words(self) -> dict[str, str | int]:
        """What is to be said of it, for `games.messages.render`."""
        return {"code": f"refused.{self.code}", **self.params}
