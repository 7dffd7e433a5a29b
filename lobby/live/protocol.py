"""The messages of the lobby socket.

Any client gets the whole `lobby` frame on connect and after a change. A client that connects with
`?shows=changes` gets it once, then `changes` (see `lobby.live.listing`); with `?shows=own` it never
gets it. Both also get `own` (see `lobby.live.player_state`), and answer `there` with its `mark` in
an `echo`. With `?shows=wall` a client gets only `wall` (see `lobby.live.tv`). With
`?shows=group&group=<id>` a member of the group gets `group` (`lobby.live.groups`) and `own`. With
`?shows=tournament&tournament=<id>` it gets `tournament` and `place` (`lobby.live.tournaments`) and
`own`.
"""

from typing import Annotated, Literal
from urllib.parse import parse_qs

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.live.frames import Echo, Ping
from games.match.outcome import Outcome
from games.runtime.ids import PATTERN
from lobby.tournaments.views import StandingsRow

Shows = Literal["lobby", "changes", "own", "wall", "group", "tournament"]

Id = Annotated[str, Meta(pattern=PATTERN)]


class SeekMessage(Struct, frozen=True, tag="seek"):
    """A request to pair me with a player who seeks the same setup, or else to list my seek.

    A rated seek waits for the next wave of its pool. With a group, the seek is listed in the
    group's lobby, which has no waves.
    """

    game: Annotated[str, Meta(max_length=40)]
    clock: Annotated[str, Meta(max_length=7)] | None = None
    options: Annotated[str, Meta(max_length=64)] = ""
    rated: bool = False
    # The ratings that an opponent may have in a rated match; None for an open bound.
    lowest: int | None = None
    highest: int | None = None
    group: Id | None = None


class JoinSeek(Struct, frozen=True, tag="join"):
    """A request to join this seek."""

    seek: Id


class CancelSeek(Struct, frozen=True, tag="cancel"):
    """A request to cancel this seek of mine, or all my listed seeks."""

    seek: Id | None = None


class ResumeSeek(Struct, frozen=True, tag="resume"):
    """A request to wait for this seek of mine again, after a reload or a lost connection."""

    seek: Id


Message = SeekMessage | JoinSeek | CancelSeek | ResumeSeek | Ping | Echo
decoder = msgspec.json.Decoder(Message)


def parse_shows(query: bytes) -> Shows:
    """Return the frames that the socket's address asks for."""
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
    """Return the match that the socket's page itself shows, or ""."""
    return _get_last_value(query, "match")


def parse_group_id(query: bytes) -> str:
    """Return the group whose lobby the socket's page shows, or ""."""
    return _get_last_value(query, "group")


def parse_tournament_id(query: bytes) -> str:
    """Return the tournament that the socket's page shows, or ""."""
    return _get_last_value(query, "tournament")


def _get_last_value(query: bytes, name: str) -> str:
    return parse_qs(query.decode("latin1")).get(name, [""])[-1]


# -- messages to the client


class ListedSeek(Struct, frozen=True):
    """An open seek.

    `since` is in seconds since 1970. `clock` is None for an untimed match. A rated seek may bound
    the opponent's rating (None: open).
    """

    seek: str
    game: str
    clock: str | None
    player: str
    since: int
    rated: bool = False
    lowest: int | None = None
    highest: int | None = None
    rating: str | UnsetType = UNSET  # the player's, if the match is rated


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
    """The changes of a board. `marks` holds the new marks by element index."""

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
    """The viewer's part of the lobby: their name, and boards for clients that asked for changes.

    `online` includes the viewer, who may be newer than the rest of the frame.
    """

    you: str | None
    online: int
    boards: list[BoardChanges] | UnsetType = UNSET


class ChangesFrame(Struct, frozen=True, tag="changes", omit_defaults=True):
    """The changes since the last frame."""

    seeks: tuple[ListedSeek, ...] = ()
    gone: tuple[str, ...] = ()
    matches: tuple[ListedMatch, ...] = ()
    over: tuple[str, ...] = ()
    boards: tuple[BoardChanges, ...] = ()
    online: int | UnsetType = UNSET
    playing: int | UnsetType = UNSET
    seeking: int | UnsetType = UNSET


class OwnSeek(Struct, frozen=True):
    """An open seek or invitation of the viewer. `computer`: whether the computer plays the game."""

    seek: str
    game: str
    clock: str | None
    since: int
    invitation: bool
    rated: bool = False
    computer: bool = False


class OfferedSeek(Struct, frozen=True):
    """A seek of another player that the viewer could join instead of waiting with the seek `mine`.

    It is for the same game with another setup. `rating` is the player's if the match is rated.
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
    """A match that began from a seek or challenge and in which the viewer has not acted yet.

    `seek` is the ID of the seek or challenge; `invitation` is true if another player accepted the
    viewer's offer. For a match of a tournament, `tournament` holds its ID and name, and `seek` is
    empty.
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
    """A challenge of the viewer that was declined, with the reason."""

    challenge: str
    game: str
    player: str
    word: str


class OwnGame(Struct, frozen=True):
    """A live match of the viewer.

    `waits` is true if it is the viewer's turn. `since` is when the player in control got the turn,
    and `until` when that player's time is up, in seconds since 1970; None while no clock runs.
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
    """The viewer's open seeks, new matches and challenges, oldest first, and their live matches.

    Matches in which it is the viewer's turn come first. The match that the page itself shows is
    left out. `boards` holds the changes of these matches' boards, for the lobby's page.

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
        """The viewer's open seeks without invitations."""
        return tuple(seek for seek in self.seeks if not seek.invitation)


class WallMatch(Struct, frozen=True):
    """A match on the wall. `verdict` is how it ended, or None while it is live."""

    match: str
    game: str
    clock: str | None
    seats: dict[str, Named]
    watchers: int
    verdict: Outcome | None


class WallClock(Struct, frozen=True):
    """The clocks of a match on the wall: the seconds that each role had left after the last move.

    `until` is the time at which those of `running` are used up, in seconds since 1970; None while
    no clock runs.
    """

    left: dict[str, int]
    running: str | None = None
    until: int | None = None


class WallFrame(Struct, frozen=True, tag="wall"):
    """The matches of the wall, most watched first, if they have changed, and board changes.

    `clocks` are those that have changed, by match, and `now` is then the server's time.
    """

    matches: tuple[WallMatch, ...] | UnsetType = UNSET
    boards: tuple[BoardChanges, ...] = ()
    clocks: dict[str, WallClock] | UnsetType = UNSET
    now: float | UnsetType = UNSET


class GroupLobby(Struct, frozen=True, tag="group"):
    """The lobby of a group: its open seeks, and the live matches of its members."""

    seeks: tuple[ListedSeek, ...] = ()
    matches: tuple[ListedMatch, ...] = ()


class TournamentFrame(Struct, frozen=True, tag="tournament"):
    """A tournament: in full when a tab opens, then only what has changed.

    `stage` changes when the page changes in ways that this frame does not cover. `top` holds the
    first places; `results` a letter for each board of the round
    (`lobby.tournaments.views.RESULTS`); `matches` the matches that are drawn, and `boards` their
    changes. Times are in seconds since 1970; `next_at` is the time of the next event.
    """

    stage: str
    now: float
    players: int
    next_at: float | None
    top: tuple[StandingsRow, ...] | UnsetType = UNSET
    results: str | UnsetType = UNSET
    matches: tuple[WallMatch, ...] | UnsetType = UNSET
    boards: tuple[BoardChanges, ...] = ()


class PlaceFrame(Struct, frozen=True, tag="place"):
    """The places around the viewer's own. `entry` is the viewer's."""

    entry: int | None
    rows: tuple[StandingsRow, ...]


class Seeking(Struct, frozen=True, tag="seeking"):
    """Confirms that this tab waits for a seek."""

    seek: str
    game: str
    clock: str | None
    rated: bool = False


class Cancelled(Struct, frozen=True, tag="cancelled"):
    """A seek that this tab waited for is gone."""

    seek: str


class Paired(Struct, frozen=True, tag="paired"):
    """The match that this tab should open."""

    match: str
    role: str
    url: str


class There(Struct, frozen=True, tag="there"):
    """A presence check. The client answers with the `mark` in an `echo`."""

    mark: str = "there"
