"""Why something of the review cannot be done, in the words that the person is told."""


class Refusal(Exception):  # noqa: N818  # an answer of the domain, not a fault
    """`str()` of it is a sentence for people; `code` is for machines."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


NO_REASON = Refusal("no-reason", "A decision needs a reason: write why, the players will read it.")
NO_RIGHT = Refusal("no-right", "You do not have the right to do that.")
NO_SUCH = Refusal("no-such", "There is no such thing to decide on.")
OWN_MATCH = Refusal("own-match", "You played in this match: another reviewer must see to it.")
OVERTAKEN = Refusal(
    "overtaken", "Somebody else decided on this meanwhile. Look at it again; nothing was changed."
)
