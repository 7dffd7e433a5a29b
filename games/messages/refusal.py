"""The exception for refused requests, with a code and parameters."""


class Refused(Exception):  # noqa: N818  # an expected outcome, not an error
    """The request is not allowed.

    Nothing was changed, except that a player whose action came too late lost on time. `code` is for
    programs. People read the sentence with the code `refused.<code>` in the table of sentences
    (`games.messages`).
    """

    def __init__(self, code: str, /, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    @property
    def words(self) -> dict[str, str | int]:
        """The message that explains the refusal, for `games.messages.render`."""
        return {"code": f"refused.{self.code}", **self.params}
