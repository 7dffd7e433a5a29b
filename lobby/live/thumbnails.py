"""Thumbnails of boards, sent as the marks that have changed."""

from msgspec import UNSET, Struct

from games.boards import BOARDS
from games.rules import GAMES
from lobby.live.protocol import BoardChanges


class Thumbnail(Struct, frozen=True):
    """The thumbnail of a position, drawn from its diagram. `badges` has the mark of each role."""

    diagram: str
    fresh: tuple[int, ...]
    line: tuple[int, ...]
    turn: str | None
    badges: dict[str, str]


def get_thumbnail(slug: str, notation: str, last: str) -> Thumbnail:
    """Return the thumbnail of a match.

    An exception of the game's rules is raised if the notation is damaged.
    """
    game, board = GAMES[slug], BOARDS[slug]
    position = game.read(notation)
    return Thumbnail(
        diagram=position.diagram,
        fresh=board.find_fresh(position, last) if last else (),
        line=position.line,
        turn=position.turn,
        badges={role: board.badge(position, role) for role in game.roles},
    )


def compare_thumbnails(
    match_id: str, game: str, before: Thumbnail | None, after: Thumbnail
) -> BoardChanges:
    """Return the changes to a board since `before`.

    If `before` is None, compare with the start of the game, and include the line, turn and badges.
    """
    old, new = before.diagram if before else GAMES[game].start.diagram, after.diagram
    return BoardChanges(
        match=match_id,
        marks={i: mark for i, mark in enumerate(new) if i >= len(old) or old[i] != mark},
        fresh=after.fresh,
        line=after.line if before is None or before.line != after.line else UNSET,
        turn=after.turn if before is None or before.turn != after.turn else UNSET,
        badges=after.badges if before is None or before.badges != after.badges else UNSET,
    )
