"""The explanation of a pairing or a bye for its page: the reasons, and facts about the players."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q
from msgspec import Struct

from games.messages import Message, build_message
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.field import get_field
from lobby.tournaments.labels import render_points
from lobby.tournaments.names import get_entry_name
from lobby.tournaments.pairing.history import Past, build_histories, explain_seats

Kind = Tournament.Kind
_MOST_MEETINGS = 20  # the maximum number of earlier meetings that are listed
_MOST_TURNS = 20  # the maximum number of a player's latest games whose turns are listed


class Meeting(Struct, frozen=True):
    """An earlier pairing of the same players."""

    round: int  # 0 in an arena
    match: str  # "" without a game


class Side(Struct, frozen=True):
    """A player of the pairing, as things stood before the game.

    `turns` has a value for each of the latest `_MOST_TURNS` earlier games, True if the player moved
    first. Forfeits are left out. `points` is "" in an arena and for a bye.
    """

    name: str
    entry: int
    seed: int
    points: str
    turns: tuple[bool, ...]


class Explanation(Struct, frozen=True):
    """The players of a pairing (first mover first), the reasons for it, and the latest meetings."""

    sides: tuple[Side, ...]
    reasons: tuple[Message, ...]
    meetings: tuple[Meeting, ...]


def explain_pairing(pairing: Pairing) -> Explanation:
    """Explain a pairing whose entries, players and tournament are loaded."""
    tournament = pairing.tournament
    if pairing.second is None:
        return Explanation(
            (_build_side(pairing, pairing.first, 0, ()),), (_explain_bye(pairing),), ()
        )
    meetings = _list_meetings(pairing)
    match tournament.kind:
        case Kind.SWISS:
            sides, reasons = _explain_swiss(pairing)
        case Kind.KNOCKOUT:
            sides, reasons = _explain_by_games(pairing), _explain_knockout(pairing)
        case Kind.ARENA:
            sides = _explain_by_games(pairing)
            reasons = [build_message("why.arena"), build_message("why.seats.arena")]
        case _:
            sides = _explain_by_games(pairing)
            reasons = [
                build_message("why.round-robin", round=pairing.round),
                build_message("why.seats.round-robin"),
            ]
    if tournament.kind != Kind.KNOCKOUT:  # in a knockout, two players never meet in two matches
        reasons.append(
            build_message("why.met", count=len(meetings))
            if meetings
            else build_message("why.not-met")
        )
    return Explanation(tuple(sides), tuple(reasons), tuple(meetings[-_MOST_MEETINGS:]))


def _explain_bye(pairing: Pairing) -> Message:
    kind = pairing.tournament.kind
    if kind == Kind.ROUND_ROBIN:
        return build_message("why.bye.round-robin")
    if kind == Kind.KNOCKOUT:
        return build_message("why.bye.knockout")
    if pairing.kind == Pairing.Kind.HALF_BYE:
        return build_message("why.bye.half")
    if pairing.kind == Pairing.Kind.ZERO_BYE:
        return build_message("why.bye.absent")
    return build_message("why.bye.swiss")


def _explain_swiss(pairing: Pairing) -> tuple[list[Side], list[Message]]:
    tournament, number = pairing.tournament, pairing.round
    assert pairing.second is not None
    field = get_field(tournament)
    past = build_histories(field.entrants, field.games, number)
    first, second = past[pairing.first_id], past[pairing.second.pk]
    sides = [
        _build_side(pairing, entry, own.points, [turn == "f" for turn in own.sides])
        for entry, own in ((pairing.first, first), (pairing.second, second))
    ]
    seats = build_message(f"why.seats.{explain_seats(first, second)}", name=sides[0].name)
    if number == 1:
        return sides, [build_message("why.first-round"), seats]
    if first.points == second.points:
        score = build_message("why.same-score", points=render_points(first.points), round=number)
        return sides, [score, seats]
    return sides, [_explain_float(pairing, sides, past), seats]


def _explain_float(pairing: Pairing, sides: Sequence[Side], past: dict[int, Past]) -> Message:
    """Explain why a player was paired with an opponent from a lower score group."""
    better, other = sorted(sides, key=lambda side: -past[side.entry].points)
    rows = Pairing.objects.filter(tournament=pairing.tournament_id, round=pairing.round)
    there = {pk for pair in rows.values_list("first", "second") for pk in pair if pk is not None}
    group = [pk for pk in there if pk in past and past[pk].points == past[better.entry].points]
    code = "why.float-odd" if len(group) % 2 else "why.float-even"
    return build_message(
        code, name=better.name, points=better.points, other=other.points, count=len(group)
    )


def _explain_knockout(pairing: Pairing) -> list[Message]:
    found = [
        build_message("why.knockout-first" if pairing.round == 1 else "why.knockout-later"),
    ]
    if pairing.leg > 1:
        found.append(build_message("why.knockout-game", number=pairing.leg))
    return found


def _explain_by_games(pairing: Pairing) -> list[Side]:
    """Return both players, with their earlier turns and the points of the games that had ended."""
    assert pairing.second is not None
    found = []
    for entry in (pairing.first, pairing.second):
        games = list(_list_earlier(pairing, Q(first=entry) | Q(second=entry)))
        points = sum(
            (each.first_points if each.first_id == entry.pk else each.second_points) or 0
            for each in games
            if _is_over_by(each, pairing.made_at)
        )
        turns = [each.first_id == entry.pk for each in games if each.kind == Pairing.Kind.PLAYED]
        # `_build_side` ignores the points in an arena, where they would depend on streaks.
        found.append(_build_side(pairing, entry, points, turns))
    return found


def _is_over_by(pairing: Pairing, at: datetime) -> bool:
    return pairing.ended_at is not None and pairing.ended_at <= at


def _list_meetings(pairing: Pairing) -> list[Meeting]:
    assert pairing.second is not None
    two = {pairing.first_id, pairing.second.pk}
    rows = _list_earlier(pairing, Q(first__in=two, second__in=two))
    if pairing.tournament.kind == Kind.KNOCKOUT:
        rows = [each for each in rows if each.round < pairing.round]
    return [Meeting(each.round, each.match_id or "") for each in rows]


def _list_earlier(pairing: Pairing, condition: Q) -> Sequence[Pairing]:
    rows = Pairing.objects.filter(condition, tournament=pairing.tournament_id)
    if pairing.tournament.is_arena:
        rows = rows.filter(board__lt=pairing.board)
    else:
        rows = rows.filter(Q(round__lt=pairing.round) | Q(round=pairing.round, leg__lt=pairing.leg))
    return list(rows.order_by("round", "leg", "board")[:1000])


def _build_side(pairing: Pairing, entry: Entry, points: int, turns: Sequence[bool]) -> Side:
    is_arena = pairing.tournament.is_arena
    return Side(
        name=get_entry_name(pairing.tournament, entry),
        entry=entry.pk,
        seed=entry.seed or 0,
        points="" if is_arena or pairing.second is None else render_points(points),
        turns=tuple(turns)[-_MOST_TURNS:],
    )
