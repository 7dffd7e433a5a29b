"""The totals of a player, and the score between the player and the viewer."""

from django.db.models import Count
from msgspec import Struct

from games.messages import get_game_name
from games.rules import GAMES
from lobby.models import Played, Tally


class Total(Struct, frozen=True):
    """The results of a player in one game."""

    game: str
    name: str
    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


class HeadToHead(Struct, frozen=True):
    """The results between two people, as seen by the viewer."""

    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


def get_totals(player_id: int) -> tuple[list[Total], list[Total]]:
    """Return the player's totals per game, against people and against the computer.

    Games without a result are not counted.
    """
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


def get_head_to_head(viewer_id: int, player_id: int) -> HeadToHead:
    """Return the viewer's score against the player."""
    rows = Played.objects.filter(player=viewer_id, opponent=player_id)
    counted = dict(
        rows.values_list("result").annotate(Count("pk")).values_list("result", "pk__count")
    )
    return HeadToHead(*(counted.get(result, 0) for result in ("won", "drawn", "lost")))
