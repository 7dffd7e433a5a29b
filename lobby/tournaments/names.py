"""What players are called in a tournament.

In a tournament of a group for minors, which only its members see, everybody goes by their name. In
any other tournament a protected player is a number, "Player 7", for everybody: also one who took
part before they were protected. The number is the player's seed, which stays the same.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from games.store.visibility import HIDDEN_NAME
from games.words import Words, say, words
from lobby.models import Entry, FormerName, LogLine, Player, Series, Tournament

_ABOUT_PLAYERS = ("first", "second", "name")
"""The parameters of log lines that are names of players."""

_OTHER_NAMES = {"event.series"}
"""The log lines whose `name` is not a player's."""


def names_everybody(tournament: Tournament | Series) -> bool:
    """Whether protected players are named in it."""
    return tournament.group is not None and tournament.group.for_minors


def numbered(number: int) -> str:
    """What a protected player is called."""
    return say(words("tournament.numbered-player", number=number))


def name_in(tournament: Tournament, entry: Entry) -> str:
    """What the player of an entry is called in the tournament."""
    if is_hidden_in(tournament, entry):
        return numbered(entry.seed or entry.pk)
    return entry.player.name


def is_hidden_in(tournament: Tournament, entry: Entry | None) -> bool:
    """Whether the player of an entry is not named in the tournament."""
    if entry is None or not entry.player.is_protected:
        return False
    return not names_everybody(tournament)


def organiser_of(tournament: Tournament | Series) -> str:
    """The name of the organiser; "" where there is none, or none that is shown."""
    organiser = tournament.organiser
    if organiser is None or (organiser.is_protected and not names_everybody(tournament)):
        return ""
    return organiser.name


def hidden_entries(tournament: Tournament) -> dict[int, str]:
    """What the players who are not named in the tournament are called, by entry. One query."""
    if names_everybody(tournament):
        return {}
    rows = Entry.objects.filter(tournament=tournament, player__is_protected=True)
    return {pk: numbered(seed or pk) for pk, seed in rows.values_list("pk", "seed")}


def mark_of(tournament: Tournament) -> str:
    """A text that changes with who is named: part of the ETag of files that name players."""
    return " ".join(str(pk) for pk in sorted(hidden_entries(tournament)))


# -- the log, whose lines have names as they were


def log_words(tournament: Tournament, lines: Sequence[LogLine]) -> list[tuple[Words, str]]:
    """What each line of the log says, and who did that, without the names of players who are not
    named in the tournament."""
    people = {each.by for each in lines if each.by is not None}
    hidden = _hidden_names(tournament, people)
    shown = None if hidden is None else _shown_names(tournament, people)
    found = []
    for line in lines:
        by = "" if line.by is None else line.by.name
        said = line.said
        if hidden is not None and shown is not None:
            by = _checked(by, hidden, shown) if by else ""
            said = _without(said, hidden, shown)
        found.append((said, by))
    return found


def _hidden_names(tournament: Tournament, others: Iterable[Player]) -> dict[str, str] | None:
    """What is read instead of each name of the players who are not named; None where there are no
    such players."""
    if names_everybody(tournament):
        return None
    called = hidden_entries(tournament)
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


def _shown_names(tournament: Tournament, others: Iterable[Player]) -> set[str]:
    rows = Entry.objects.filter(tournament=tournament, player__is_protected=False)
    people = [each.player for each in rows.select_related("player")]
    return {each.name for each in (*people, *others) if not each.is_protected}


def _without(said: dict[str, Any], hidden: dict[str, str], shown: Collection[str]) -> Words:
    if said.get("code") in _OTHER_NAMES:
        return said
    return {
        key: _checked(value, hidden, shown)
        if key in _ABOUT_PLAYERS and isinstance(value, str)
        else value
        for key, value in said.items()
    }


def _checked(name: str, hidden: dict[str, str], shown: Collection[str]) -> str:
    """Any name that nobody who is named has now may be an old one of somebody who is not."""
    if name in hidden:
        return hidden[name]
    return name if name in shown else HIDDEN_NAME
