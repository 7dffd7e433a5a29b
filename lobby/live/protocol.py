"""The messages of the lobby socket.

By default, a client gets the whole `lobby` frame when it connects and after changes. A client that
connects with `?shows=changes` gets this frame only once, followed by `changes` frames (see
`lobby.live.listing`). A client with `?shows=own` never gets it. Clients of both kinds also get
`own` frames (see `lobby.live.player_state`). With `?shows=wall`, a client gets `wall` frames (see
`lobby.live.tv`). With `?shows=group&group=<id>`, a member of the group gets `group` (see
`lobby.live.groups`) and `own` frames. With `?shows=tournament&tournament=<id>`, a client gets
`tournament`, `place` (see `lobby.live.tournaments`) and `own` frames.

Clients with any of these values of `shows` answer a `there` frame with its `mark` in an `echo`.
"""

from typing import Annotated, Literal
from urllib.parse import parse_qs

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.live.frames import Echo, Ping
from games.match.outcome import Outcome
from games.runtime.ids import PATTERN
from lobby.tournaments.arena import ArenaPresence
from lobby.tournaments.views import StandingsRow

Shows = Literal["lobby", "changes", "own", "wall", "group", "tournament"]

Id = Annotated[str, Meta(pattern=PATTERN)]


class SeekMessage(Struct, frozen=True, tag="seek"):
    """A request to pair the player with somebody who seeks the same setup, or to list the seek.

    A rated seek waits for the next wave of its pool. With a `group`, the seek is listed in the
    group's lobby, which has no waves.
    """

    game: Annotated[str, Meta(max_length=40)]
    clock: Annotated[str, Meta(max_length=7)] | None = None
    options: Annotated[str, Meta(max_length=64)] = ""
    rated: bool = False
    # The range of ratings of an opponent in a rated match. None stands for no bound.
    lowest: int | None = None
    highest: int | None = None
    group: Id | None = None


class JoinSeek(Struct, frozen=True, tag="join"):
    """A request to join the seek of another player."""

    seek: Id


class CancelSeek(Struct, frozen=True, tag="cancel"):
    """A request to cancel one of the player's own seeks, or all listed ones."""

    seek: Id | None = None


class ResumeSeek(Struct, frozen=True, tag="resume"):
    """A request to wait for one of the player's seeks again, for example after a reload."""

    seek: Id


Message = SeekMessage | JoinSeek | CancelSeek | ResumeSeek | Ping | Echo
decoder = msgspec.json.Decoder(Message)


def parse_shows(query: bytes) -> Shows:
    """Return which frames the address of the socket requests."""
    match _get_last_value(query, "shows"):
        case "changes":
            return "changes"
        case "own":
            return "own"
        case "wall":
            return "wall"
        case "group":
            return "group"
        case "tournament":
            return "tournament"
    return "lobby"


def parse_match_id(query: bytes) -> str:
    """Return the id of the match that the socket's page itself shows, or ""."""
    return _get_last_value(query, "match")


def parse_group_id(query: bytes) -> str:
    """Return the id of the group whose lobby the socket's page shows, or ""."""
    return _get_last_value(query, "group")


def parse_tournament_id(query: bytes) -> str:
    """Return the id of the tournament that the socket's page shows, or ""."""
    return _get_last_value(query, "tournament")


def _get_last_value(query: bytes, name: str) -> str:
    return parse_qs(query.decode("latin1")).get(name, [""])[-1]


# -- messages to the client


class ListedSeek(Struct, frozen=True):
    """An open seek.

    `since` is in seconds since 1970. `clock` is None for an untimed match. A rated seek may limit
    the opponent's rating (None: no bound).
    """

    seek: str
    game: str
    clock: str | None
    player: str
    since: int
    rated: bool = False
    lowest: int | None = None
    highest: int | None = None
    rating: str | UnsetType = UNSET  # the rating of the player, if the match is rated


class Named(Struct, frozen=True):
    """The player in a seat, with the displayed rating ("1512?") in a rated match."""

    name: str
    rating: str | UnsetType = UNSET


class ListedMatch(Struct, frozen=True):
    """A live match, with `seats` by role."""

    match: str
    game: str
    clock: str | None
    seats: dict[str, Named]


class BoardChanges(Struct, frozen=True):
    """The changes to a board. `marks` has the new marks by the index of the element.

    Fields that are not set have not changed.
    """

    match: str
    marks: dict[int, str]
    fresh: tuple[int, ...]
    line: tuple[int, ...] | UnsetType = UNSET
    turn: str | UnsetType | None = UNSET
    badges: dict[str, str] | UnsetType = UNSET


class LobbyFrame(Struct, frozen=True, tag="lobby"):
    """The whole lobby, without the viewer's own part (see `ViewerPart`)."""

    seeks: list[ListedSeek]
    matches: list[ListedMatch]
    playing: int
    seeking: int


class ViewerPart(Struct, frozen=True):
    """The viewer's part of the lobby. `boards` is for clients that asked for changes.

    `you` is the viewer's name. `online` is the number of players online, including the viewer, who
    may have arrived after the rest of the frame was read.
    """

    you: str | None
    online: int
    boards: list[BoardChanges] | UnsetType = UNSET


class ChangesFrame(Struct, frozen=True, tag="changes", omit_defaults=True):
    """The changes to the lobby since the last frame."""

    seeks: tuple[ListedSeek, ...] = ()
    gone: tuple[str, ...] = ()
    matches: tuple[ListedMatch, ...] = ()
    over: tuple[str, ...] = ()
    boards: tuple[BoardChanges, ...] = ()
    online: int | UnsetType = UNSET
    playing: int | UnsetType = UNSET
    seeking: int | UnsetType = UNSET


class OwnSeek(Struct, frozen=True):
    """An open seek or invitation of the viewer.

    `computer` tells whether the computer plays the game.
    """

    seek: str
    game: str
    clock: str | None
    since: int
    invitation: bool
    rated: bool = False
    computer: bool = False


class OfferedSeek(Struct, frozen=True):
    """A seek of another player that the viewer could join instead of waiting with the seek `mine`.

    The offered seek is for the same game with another setup. `rating` is the rating of its player,
    if the match is rated.
    """

    seek: str
    mine: str
    game: str
    clock: str | None
    options: str
    rated: bool
    player: str
    rating: str | UnsetType = UNSET


class Begun(Struct, frozen=True):
    """A new match, from a seek, a challenge or a tournament, in which the viewer has not acted yet.

    `seek` is the id of the seek or challenge. `invitation` is true if another player accepted the
    viewer's invitation or challenge. For a match of a tournament, `tournament` and `event` are the
    id and the name of the tournament, and `seek` is empty.
    """

    seek: str
    match: str
    url: str
    game: str
    opponent: str
    invitation: bool
    tournament: str | UnsetType = UNSET
    event: str | UnsetType = UNSET


class OwnChallenge(Struct, frozen=True):
    """An open challenge to the viewer, or by the viewer (`mine`). `player` is the other player.

    `side` is the challenger's seat: "first", "second" or "" (random). `until` is in seconds since
    1970.
    """

    challenge: str
    url: str
    game: str
    clock: str | None
    options: str
    rated: bool
    side: str
    player: str
    mine: bool
    until: int


class Declined(Struct, frozen=True):
    """A challenge by the viewer that was declined, with the reason."""

    challenge: str
    game: str
    player: str
    word: str


class OwnGame(Struct, frozen=True):
    """A live match of the viewer.

    `waits` is true if it is the viewer's turn. `since` is when the current turn began, and `until`
    is when the time of the player in control runs out, or None if no clock is running. Both are in
    seconds since 1970.
    """

    match: str
    url: str
    game: str
    clock: str | None
    opponent: str
    waits: bool
    since: int
    until: int | None = None


class OwnFrame(Struct, frozen=True, tag="own"):
    """The viewer's open seeks, new matches and challenges, oldest first, and the live matches.

    Matches in which it is the viewer's turn come first. The match that the page itself shows is
    left out. `boards` has the changes to the boards of these matches, for the lobby page.

    While the viewer has open seeks, `offers` holds seeks to join instead (`lobby.seeks.offers`),
    and `others` is the number of other players online, once it is known.
    """

    seeks: tuple[OwnSeek, ...] = ()
    begun: tuple[Begun, ...] = ()
    games: tuple[OwnGame, ...] = ()
    challenges: tuple[OwnChallenge, ...] = ()
    declined: tuple[Declined, ...] = ()
    offers: tuple[OfferedSeek, ...] = ()
    others: int | UnsetType = UNSET
    boards: tuple[BoardChanges, ...] | UnsetType = UNSET

    @property
    def listed(self) -> tuple[OwnSeek, ...]:
        """The viewer's open seeks, except invitations."""
        return tuple(seek for seek in self.seeks if not seek.invitation)


class WallMatch(Struct, frozen=True):
    """A match on the wall. `verdict` describes its end, or is None while the match is live."""

    match: str
    game: str
    clock: str | None
    seats: dict[str, Named]
    watchers: int
    verdict: Outcome | None


class WallClock(Struct, frozen=True):
    """The clocks of a match on the wall: the seconds that each role had left after the last move.

    `until` is when the clock of the role in `running` runs out, in seconds since 1970. Both are
    None if no clock is running.
    """

    left: dict[str, int]
    running: str | None = None
    until: int | None = None


class WallFrame(Struct, frozen=True, tag="wall"):
    """The changes to the wall. If the matches have changed, all are listed, in display order.

    `clocks` has the clocks that have changed, by match; `now` is then the server's time.
    """

    matches: tuple[WallMatch, ...] | UnsetType = UNSET
    boards: tuple[BoardChanges, ...] = ()
    clocks: dict[str, WallClock] | UnsetType = UNSET
    now: float | UnsetType = UNSET


class GroupLobby(Struct, frozen=True, tag="group"):
    """The lobby of a group: its open seeks, and the live matches between its members."""

    seeks: tuple[ListedSeek, ...] = ()
    matches: tuple[ListedMatch, ...] = ()


class TournamentFrame(Struct, frozen=True, tag="tournament"):
    """A tournament, in full when a tab opens, and then without the parts that have not changed.

    `stage`, `now`, `players`, `next_at` and `arena` are always sent. `stage` changes whenever the
    page must be reloaded. `top` has the first places. `results` has a letter for each board of the
    round (`lobby.tournaments.views.RESULTS`). `matches` has the matches whose boards are drawn, and
    `boards` the changes to these boards. `arena` counts the players of an arena until it is over.
    Times are in seconds since 1970; `next_at` is the time of the next event.
    """

    stage: str
    now: float
    players: int
    next_at: float | None
    top: tuple[StandingsRow, ...] | UnsetType = UNSET
    arena: ArenaPresence | None = None
    results: str | UnsetType = UNSET
    matches: tuple[WallMatch, ...] | UnsetType = UNSET
    boards: tuple[BoardChanges, ...] = ()


class PlaceFrame(Struct, frozen=True, tag="place"):
    """The places around the viewer's own place. `entry` is the viewer's entry, or None."""

    entry: int | None
    rows: tuple[StandingsRow, ...]


class Seeking(Struct, frozen=True, tag="seeking"):
    """The confirmation that this tab is waiting for a seek."""

    seek: str
    game: str
    clock: str | None
    rated: bool = False


class Cancelled(Struct, frozen=True, tag="cancelled"):
    """The message that a seek for which this tab was waiting is gone."""

    seek: str


class Paired(Struct, frozen=True, tag="paired"):
    """The match that this tab should open."""

    match: str
    role: str
    url: str


class There(Struct, frozen=True, tag="there"):
    """A presence check. The client answers with the `mark` in an `echo`."""

    mark: str = "there"
