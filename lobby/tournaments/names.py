"""Names of tournaments and of the players in them.

In a tournament of a group for minors, all names are shown to everybody who can see the tournament.
In any other tournament, a protected player is shown to everybody as a number, "Player 7", even if
the player entered before being protected. The number is the player's seed, or the entry's id if the
player has none. The name of a protected organiser is left out; in the log, it is replaced.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from games.messages import Message, build_message, render
from games.messages.refusal import Refused
from games.store.visibility import HIDDEN_NAME
from lobby.models import Entry, FormerName, LogLine, Player, Series, Tournament
from lobby.models.tournament import LONGEST_ABOUT, LONGEST_TITLE

_ABOUT_PLAYERS = ("first", "second", "name")
"""The parameters of log lines that contain names of players."""

_OTHER_NAMES = {"event.series"}
"""The codes of log lines whose `name` is not the name of a player."""


def shows_all_names(tournament: Tournament | Series) -> bool:
    """Return whether protected players are shown by name."""
    return tournament.group is not None and tournament.group.for_minors


def get_numbered_name(number: int) -> str:
    """Return the displayed name of a protected player."""
    return render(build_message("tournament.numbered-player", number=number))


def get_entry_name(tournament: Tournament, entry: Entry) -> str:
    """Return the displayed name of an entry's player."""
    if is_hidden_in(tournament, entry):
        return get_numbered_name(entry.seed or entry.pk)
    return entry.player.name


def is_hidden_in(tournament: Tournament, entry: Entry | None) -> bool:
    """Return whether an entry's player is shown as a number."""
    if entry is None or not entry.player.is_protected:
        return False
    return not shows_all_names(tournament)


def get_organiser_name(tournament: Tournament | Series) -> str:
    """Return the name of the organiser, or "" if there is no organiser or the name is hidden."""
    organiser = tournament.organiser
    if organiser is None or (organiser.is_protected and not shows_all_names(tournament)):
        return ""
    return organiser.name


def get_hidden_entries(tournament: Tournament) -> dict[int, str]:
    """Return a dictionary that maps the entries of protected players to the displayed names.

    It is empty if the tournament shows all names. There is at most one query if the tournament's
    group is loaded.
    """
    if shows_all_names(tournament):
        return {}
    rows = Entry.objects.filter(tournament=tournament, player__is_protected=True)
    return {pk: get_numbered_name(seed or pk) for pk, seed in rows.values_list("pk", "seed")}


# -- the log, whose lines contain the names that players had at that time


def render_log(tournament: Tournament, lines: Sequence[LogLine]) -> list[tuple[Message, str]]:
    """Return the message and the author of each line, with the names of hidden players replaced.

    If anybody is hidden, names that belong to no visible player are replaced, too.
    """
    people = {each.by for each in lines if each.by is not None}
    hidden = _get_hidden_names(tournament, people)
    shown = None if hidden is None else _get_shown_names(tournament, people)
    found = []
    for line in lines:
        by = "" if line.by is None else line.by.name
        said = line.said
        if hidden is not None and shown is not None:
            by = _get_visible_name(by, hidden, shown) if by else ""
            said = _hide_names(said, hidden, shown)
        found.append((said, by))
    return found


def _get_hidden_names(tournament: Tournament, others: Iterable[Player]) -> dict[str, str] | None:
    """Return the replacement for each name of a hidden player, or None if nobody is hidden.

    `others` are players who did not necessarily enter, such as the organiser.
    """
    if shows_all_names(tournament):
        return None
    called = get_hidden_entries(tournament)
    rows = Entry.objects.filter(pk__in=called).values_list("player", "pk")
    of_player = {player: called[pk] for player, pk in rows}
    for each in others:
        if each.is_protected:
            of_player.setdefault(each.pk, HIDDEN_NAME)
    if not of_player:
        return None
    people = Player.objects.filter(pk__in=of_player)
    known = [(each.pk, name) for each in people for name in (each.username, each.name)]
    known += FormerName.objects.filter(player__in=of_player).values_list("player", "name")
    return {name: of_player[player] for player, name in known}


def _get_shown_names(tournament: Tournament, others: Iterable[Player]) -> set[str]:
    rows = Entry.objects.filter(tournament=tournament, player__is_protected=False)
    people = [each.player for each in rows.select_related("player")]
    return {each.name for each in (*people, *others) if not each.is_protected}


def _hide_names(said: dict[str, Any], hidden: dict[str, str], shown: Collection[str]) -> Message:
    if said.get("code") in _OTHER_NAMES:
        return said
    return {
        key: _get_visible_name(value, hidden, shown)
        if key in _ABOUT_PLAYERS and isinstance(value, str)
        else value
        for key, value in said.items()
    }


def _get_visible_name(name: str, hidden: dict[str, str], shown: Collection[str]) -> str:
    """Return the displayed form of a name. An unknown name may belong to a hidden player."""
    if name in hidden:
        return hidden[name]
    return name if name in shown else HIDDEN_NAME


def clean_title(text: str) -> str:
    """Return the name with single spaces.

    Raise `Refused` if it is empty, unprintable or too long.
    """
    text = " ".join(text.split())
    if not text or not text.isprintable():
        raise Refused("event-name")
    if len(text) > LONGEST_TITLE:
        raise Refused("event-name-long", most=LONGEST_TITLE)
    return text


def clean_description(text: str) -> str:
    """Return the description with single spaces within lines. Raise `Refused` if it is too long."""
    text = "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()
    if len(text) > LONGEST_ABOUT:
        raise Refused("event-about-long", most=LONGEST_ABOUT)
    return text
