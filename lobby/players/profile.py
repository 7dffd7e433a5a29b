"""What a profile tells of a player beside the history: totals, and the score with who looks."""

from django.db.models import Count
from msgspec import Struct

from games.messages import get_game_name
from games.rules import GAMES
from lobby.models import Played, Tally


class Total(Struct, frozen=True):
    """How often a game was played, and how it went."""

    game: str
    name: str
    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


class Score(Struct, frozen=True):
    """What two people have played with each other, as the one who looks sees it."""

    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def totals(player_id: int) -> tuple[list[Total], list[Total]]:
    """The player's totals of each game, against people and against the computer, in the games'
    order. Games without a result are left out."""
    found = {(row.game, row.computer): row for row in Tally.objects.filter(player=player_id)}
    people, computer = (
        [
            Total(slug, get_game_name(slug), row.won, row.drawn, row.lost)
            for slug in GAMES
            if (row := found.get((slug, with_it))) is not None and row.won + row.drawn + row.lost
        ]
        for with_it in (False, True)
    )
    return people, computer


def score(viewer_id: int, player_id: int) -> Score:
    """The viewer's score with the player."""
    rows = Played.objects.filter(player=viewer_id, opponent=player_id)
    counted = dict(
        rows.values_list("result").annotate(Count("pk")).values_list("result", "pk__count")
    )
    return Score(*(counted.get(result, 0) for result in ("won", "drawn", "lost")))
