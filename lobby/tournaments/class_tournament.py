"""Tournaments that start immediately, for members of a group whom the organiser selects.

This module lists the possible players, estimates how long rounds take, and starts the tournament.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from msgspec import Struct

from games.match.clock import parse_control
from games.match.setup import Setup
from games.messages.refusal import Refused
from lobby.groups.care import find_paused_players
from lobby.groups.membership import list_visible_members
from lobby.models import Entry, Group, Player, Tournament
from lobby.tournaments.draft import MOST_PLAYERS, Draft, create_tournament
from lobby.tournaments.locking import log_action

Kind = Tournament.Kind
KINDS = (Kind.SWISS, Kind.ROUND_ROBIN)
"""The kinds that have rounds and in which players continue after a loss."""

ROUNDS = 3  # the number proposed for a Swiss, which fits into a lesson with the proposed clock
CLOCK = "5+3"

_TURNS = 20  # the assumed number of turns of each player, each of which adds an increment
_UNTIMED = timedelta(minutes=10)  # the assumed duration of a round without clocks
_BETWEEN = timedelta(minutes=1)  # the assumed time between two rounds


class PossiblePlayer(Struct, frozen=True):
    """A member who can take part, unless `is_paused` is true."""

    player: int
    name: str
    is_organiser: bool
    is_paused: bool


def list_possible_players(group: Group) -> list[PossiblePlayer]:
    """Return the members who can take part or are paused, sorted by name, the organiser last."""
    members = [
        each
        for each in list_visible_members(group, group.organiser_id)
        if each.player.is_active
        and not each.player.is_bot
        and not each.is_hidden
        and (group.for_minors or not each.player.is_protected)
    ]
    paused = find_paused_players([each.player_id for each in members])
    found = [
        PossiblePlayer(
            each.player_id,
            each.player.name,
            is_organiser=each.player_id == group.organiser_id,
            is_paused=each.player_id in paused,
        )
        for each in members
    ]
    return sorted(found, key=lambda each: (each.is_organiser, each.name.casefold()))


def count_rounds(kind: str, rounds: int, players: int) -> int:
    """Return the number of rounds of a single round robin or a Swiss for `players` players.

    `rounds` is the number wanted in a Swiss. `lifecycle.count_rounds` computes the same number at
    the start.
    """
    most = max(0, players - 1 + players % 2)
    return most if kind == Kind.ROUND_ROBIN else min(rounds, most)


def estimate_round(clock: str, round_minutes: int = 0) -> timedelta:
    """Return the time limit of a round, or an estimate if there is none.

    The estimate includes the time until the next round. With clocks, it assumes that both of them
    run out.
    """
    if round_minutes:
        return timedelta(minutes=round_minutes)
    if not clock:
        return _UNTIMED + _BETWEEN
    control = parse_control(clock)
    own = timedelta(milliseconds=control.initial_ms + _TURNS * control.increment_ms)
    return 2 * own + _BETWEEN


def estimate_end(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when a tournament ended, or is expected to end, or None if this is unknown."""
    if tournament.is_arena or tournament.started_at is None or tournament.ended_at is not None:
        return tournament.expected_end
    left = max(0, tournament.rounds - tournament.round) + 1
    games = tournament.best_of if tournament.kind == Kind.KNOCKOUT else 1
    return now + left * games * estimate_round(tournament.clock, tournament.round_minutes)


def start_class_tournament(
    organiser: Player,
    group: Group,
    name: str,
    kind: str,
    setup: Setup,
    rounds: int,
    player_ids: Collection[int],
    form: str = "",
) -> Tournament:
    """Create a tournament of these members that starts immediately.

    Players who are no longer members, or cannot take part, are left out. `form` identifies the
    submitted form. Raise `Refused` if the kind is not in `KINDS` or the number of players is too
    low or too high. As in `create_tournament`, a repeated form returns the same tournament, and
    `Refused` and `BadDraftError` are raised if the organiser or another setting is not accepted.
    """
    there = _choose_players(group, player_ids)
    if kind not in KINDS:
        raise Refused("malformed")
    if len(there) < 2:
        raise Refused("few-entries")
    if len(there) > MOST_PLAYERS[kind]:
        raise Refused("many-entries", most=MOST_PLAYERS[kind])
    now = timezone.now()
    draft = Draft(
        name=name,
        kind=kind,
        setup=setup,
        starts_at=now,
        rounds=count_rounds(kind, rounds, len(there)) if kind == Kind.SWISS else 0,
        registration=Tournament.Registration.GROUP,
        group_id=group.pk,
    )
    with transaction.atomic():
        tournament = create_tournament(organiser, draft, form)
        if tournament.entries.exists():
            return tournament  # the form was submitted twice
        Entry.objects.bulk_create(
            Entry(tournament=tournament, player_id=pk, entered_at=now) for pk in there
        )
        log_action(tournament, organiser, "event.of-those-present", count=len(there))
    return tournament


def _choose_players(group: Group, player_ids: Collection[int]) -> Sequence[int]:
    wanted = set(player_ids)
    return [
        each.player
        for each in list_possible_players(group)
        if each.player in wanted and not each.is_paused
    ]
