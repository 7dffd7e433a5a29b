"""What a match's state is called in words, for pages, frames and the admin alike."""

from collections.abc import Mapping

from games.match.state import Row
from games.runtime.names import isolated

PHRASES = {
    "hello": "Hello!",
    "good-luck": "Good luck!",
    "good-game": "Good game!",
    "well-played": "Well played!",
    "thanks": "Thanks!",
    "oops": "Oops …",
    "sorry": "Sorry!",
}
"""What players may say to each other."""

_FOR_NOBODY = {
    "aborted": "The match was aborted. It counts for nobody.",
    "voided": "The staff voided this match. It counts for nobody.",
}
_ENDED = {
    "rules": "",
    "resignation": " by resignation",
    "time": " on time",
    "agreement": " by agreement",
    "abandoned": ", because the other player left",
    "adjudicated": ", as decided by the staff",
}


def verdict(row: Row, names: Mapping[str, str]) -> str:
    """How the match ended; "" while it is live. `names` gives the player's name of each role."""
    if row.is_live:
        return ""
    if row.ended == "aborted" and row.acted == 0 and row.clock:
        return "The match was aborted: nobody began. It counts for nobody."
    if row.ended in _FOR_NOBODY:
        return _FOR_NOBODY[row.ended]
    goals = row.goals
    if goals is None or row.ended not in _ENDED:
        return "The match is over. What is stored of its result is damaged."
    one, other = row.rules.roles
    how = _ENDED[row.ended]
    if row.ended == "abandoned" and not row.clock:
        how = ", because the other player did not play on"  # had left, or kept it waiting
    if goals[one] == goals[other]:
        return f"A draw{how}: {goals[one]} points each."
    winner = one if goals[one] > goals[other] else other
    loser = other if winner == one else one
    return f"{isolated(names[winner])} won{how}, {goals[winner]} to {goals[loser]}."
