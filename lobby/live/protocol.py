"""The lobby socket's messages: what a client may send, may ask for, and is sent.

Any client gets the whole `lobby` frame, on connect and after a change. One that connects with
`?shows=changes` gets it once, then `changes` (see `lobby.live.listing`), and with `?shows=own` none
at all. Both also get `own` (see `lobby.live.player_state`), and answer `there` with its `mark` in
an `echo`.
With `?shows=wall` it gets `wall` (see `lobby.live.tv`) and nothing else. With
`?shows=group&group=<id>` a member of the group gets `group` (`lobby.live.groups`) and `own`. With
`?shows=tournament&tournament=<id>` it gets `tournament` and `place` (`lobby.live.tournaments`) too.
"""

from typing import Annotated, Literal
from urllib.parse import parse_qs

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from games.live.frames import Echo, Ping
from games.match.outcome import Outcome
from games.runtime.ids import PATTERN
from lobby.tournaments.views import Line

Shows = Literal["lobby", "changes", "own", "wall", "group", "tournament"]

Id = Annotated[str, Meta(pattern=PATTERN)]


class Seek(Struct, frozen=True, tag="seek"):
    """Pair me with a player who seeks the same; if there is none, list my seek. A rated one waits
    for the next wave of its pool. With a group: in its own lobby, where no seek waits for waves."""

    game: Annotated[str, Meta(max_length=40)]
    clock: Annotated[str, Meta(max_length=7)] | None = None
    options: Annotated[str, Meta(max_length=64)] = ""
    rated: bool = False
    # The ratings that an opponent may have in a rated match; None for an open bound.
    lowest: int | None = None
    highest: int | None = None
    group: Id | None = None


class Join(Struct, frozen=True, tag="join"):
    """Join this seek."""

    seek: Id


class Cancel(Struct, frozen=True, tag="cancel"):
    """Withdraw this seek of mine, or all that are listed."""

    seek: Id | None = None


class Resume(Struct, frozen=True, tag="resume"):
    """This tab waits for this seek of mine again, after a reload or a lost connection."""

    seek: Id


Message = Seek | Join | Cancel | Resume | Ping | Echo
decoder = msgspec.json.Decoder(Message)


def shows(query: bytes) -> Shows:
    """The frames that the socket's address asks for."""
    match _last(query, "shows"):
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


def here(query: bytes) -> str:
    """The match that the page with this socket shows itself; "" for any other page."""
    return _last(query, "match")


def group(query: bytes) -> str:
    """The group whose lobby the socket's page shows; "" for any other page."""
    return _last(query, "group")


def tournament(query: bytes) -> str:
    """The tournament that the socket's page shows; "" for any other page."""
    return _last(query, "tournament")


def _last(query: bytes, name: str) -> str:
    return parse_qs(query.decode("latin1")).get(name, [""])[-1]


# -- what it is sent


class ListedSeek(Struct, frozen=True):
    """An open seek. `since` in seconds since 1970; `clock` is None for an untimed match. A rated
    one may bound the rating of who joins it (None: open)."""

    seek: str
    game: str
    clock: str | None
    player: str
    since: int
    rated: bool = False
    lowest: int | None = None
    highest: int | None = None
    rating: str | UnsetType = UNSET  # the player's, where the match is to be rated


class Named(Struct, frozen=True):
    """The player in a seat; in a rated match with the rating, as people read it ("1512?")."""

    name: str
    rating: str | UnsetType = UNSET


class ListedMatch(Struct, frozen=True):
    """A live match; `seats` by role."""

    match: str
    game: str
    clock: str | None
    seats: dict[str, Named]


class Drawing(Struct, frozen=True):
    """The changes of a board: `marks` has the new marks by the indices of their elements."""

    match: str
    marks: dict[int, str]
    fresh: tuple[int, ...]
    line: tuple[int, ...] | UnsetType = UNSET
    turn: str | UnsetType | None = UNSET
    badges: dict[str, str] | UnsetType = UNSET


class Lobby(Struct, frozen=True, tag="lobby"):
    """The whole lobby, without the viewer's own part (see `Viewer`)."""

    seeks: list[ListedSeek]
    matches: list[ListedMatch]
    online: int
    playing: int
    seeking: int


class Viewer(Struct, frozen=True):
    """The viewer's part of the lobby: their name, and the boards where they asked for changes."""

    you: str | None
    boards: list[Drawing] | UnsetType = UNSET


class Changes(Struct, frozen=True, tag="changes", omit_defaults=True):
    """What has changed since the last frame."""

    seeks: tuple[ListedSeek, ...] = ()
    gone: tuple[str, ...] = ()
    matches: tuple[ListedMatch, ...] = ()
    over: tuple[str, ...] = ()
    boards: tuple[Drawing, ...] = ()
    online: int | UnsetType = UNSET
    playing: int | UnsetType = UNSET
    seeking: int | UnsetType = UNSET


class OwnSeek(Struct, frozen=True):
    """An open search or invitation of the viewer's."""

    seek: str
    game: str
    clock: str | None
    since: int
    invitation: bool
    rated: bool = False


class Begun(Struct, frozen=True):
    """A match that began from a seek or a challenge and in which the viewer has not acted yet.

    `seek` is the id of either; `invitation`: somebody has accepted what the viewer offered. Or from
    a `tournament`, of which it has the id and the name: then `seek` is empty.
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
    """An open challenge to the viewer, or by them (`mine`); `player` is the other one.

    `side` is the seat that the challenger takes: "first", "second" or "" (chance decides); `until`
    in seconds since 1970.
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
    """A challenge of the viewer's that was declined with a word."""

    challenge: str
    game: str
    player: str
    word: str


class OwnGame(Struct, frozen=True):
    """A live match of the viewer's. `waits`: it is their turn; `since`: since when the player in
    control is to act, in seconds since 1970."""

    match: str
    url: str
    game: str
    clock: str | None
    opponent: str
    waits: bool
    since: int


class Own(Struct, frozen=True, tag="own"):
    """The viewer's own open seeks, new matches and challenges, the oldest first; and all their live
    matches, but for the one that their page shows itself, first those in which it is their turn.

    `boards` has what is new on the boards of these matches, for the lobby's page.
    """

    seeks: tuple[OwnSeek, ...] = ()
    begun: tuple[Begun, ...] = ()
    games: tuple[OwnGame, ...] = ()
    challenges: tuple[OwnChallenge, ...] = ()
    declined: tuple[Declined, ...] = ()
    boards: tuple[Drawing, ...] | UnsetType = UNSET


class WallMatch(Struct, frozen=True):
    """A match on the wall; `verdict` is how it ended, None while it is live."""

    match: str
    game: str
    clock: str | None
    seats: dict[str, Named]
    watchers: int
    verdict: Outcome | None


class Wall(Struct, frozen=True, tag="wall"):
    """The wall: its matches, the most watched first, where they are not the same as before, and
    what is new on their boards."""

    matches: tuple[WallMatch, ...] | UnsetType = UNSET
    boards: tuple[Drawing, ...] = ()


class GroupLobby(Struct, frozen=True, tag="group"):
    """The lobby of a group: its open searches, and the live games of its members."""

    seeks: tuple[ListedSeek, ...] = ()
    matches: tuple[ListedMatch, ...] = ()


class TournamentFrame(Struct, frozen=True, tag="tournament"):
    """A tournament: whole when a tab comes, then what is not as before. `stage` changes when more
    of its page changes than is told here. `top` has the first places; `results` a letter for each
    board of the round (`lobby.tournaments.views.RESULTS`); `matches` the games that are drawn, and
    `boards` what is new on them. Times in seconds since 1970; `next_at` when something happens."""

    stage: str
    now: float
    players: int
    next_at: float | None
    top: tuple[Line, ...] | UnsetType = UNSET
    results: str | UnsetType = UNSET
    matches: tuple[WallMatch, ...] | UnsetType = UNSET
    boards: tuple[Drawing, ...] = ()


class Place(Struct, frozen=True, tag="place"):
    """The places around the viewer's own; `entry` is theirs."""

    entry: int | None
    rows: tuple[Line, ...]


class Seeking(Struct, frozen=True, tag="seeking"):
    """This tab waits for a seek."""

    seek: str
    game: str
    clock: str | None
    rated: bool = False


class Cancelled(Struct, frozen=True, tag="cancelled"):
    """A seek that this tab waited for is gone."""

    seek: str


class Paired(Struct, frozen=True, tag="paired"):
    """The match that this tab is to go to."""

    match: str
    role: str
    url: str


class There(Struct, frozen=True, tag="there"):
    """Is anybody there? The client answers with the `mark` in an `echo`."""

    mark: str = "there"
