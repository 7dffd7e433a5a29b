"""The games of a tournament as template context: rows of a round, a crosstable or a bracket."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from msgspec import Struct

from games.messages import build_message, render
from lobby.models import Entry, Pairing, Tournament
from lobby.tournaments.field import get_field
from lobby.tournaments.labels import get_bye_label, render_points, render_score
from lobby.tournaments.names import get_entry_name, get_hidden_entries, is_hidden_in
from lobby.tournaments.pairing.crosstable import Cell, build_crosstable
from lobby.tournaments.pairing.knockout import Slot, build_bracket
from lobby.tournaments.queries import compute_table

Kind = Tournament.Kind

BOARDS = 60  # games of a round on a page
MOST_CROSSED = 100  # players in a displayed crosstable; larger ones are only exported
_BYES = (Pairing.Kind.BYE, Pairing.Kind.HALF_BYE, Pairing.Kind.ZERO_BYE)


def build_round(
    tournament: Tournament, number: int, first: int, entry: Entry | None
) -> dict[str, Any]:
    """Return a page of the games of a round, starting with the board `first`."""
    rows = Pairing.objects.filter(tournament=tournament, round=number, board__gte=first)
    named = rows.select_related("first__player", "second__player").order_by("board", "leg")
    found = list(named[: BOARDS + 1])
    following = found[BOARDS].board if len(found) > BOARDS else None
    # Keep the games of a match on one page.
    here = [each for each in found if each.board != following]
    is_now = number == tournament.round
    return {
        "title": render(
            build_message("tournament.round", number=number, rounds=tournament.rounds or number)
        ),
        "round": number,
        "rounds": list(range(1, tournament.round + 1)),
        "rows": [build_game_row(tournament, each, entry) for each in here],
        "follows": is_now and tournament.state == Tournament.State.RUNNING,
        "next": following,
        "is_further": first > 1,
    }


def build_last_games(tournament: Tournament, entry: Entry | None, most: int = 12) -> dict[str, Any]:
    """Return the latest games of an arena, at most `most`.

    While the arena is running, they are only shown in browsers without JavaScript, because others
    show live boards.
    """
    rows = Pairing.objects.filter(tournament=tournament, round=0)
    named = rows.select_related("first__player", "second__player").order_by("-board")
    title = render(build_message("tournament.last-games"))
    return {
        "title": title,
        "rows": [build_game_row(tournament, each, entry) for each in named[:most]],
        "is_unscripted": tournament.state == Tournament.State.RUNNING,
    }


def build_game_row(
    tournament: Tournament, pairing: Pairing, entry: Entry | None = None
) -> dict[str, Any]:
    """Return the template context of a game or a bye in a list."""
    first = get_entry_name(tournament, pairing.first)
    second = get_entry_name(tournament, pairing.second) if pairing.second else ""
    is_mine = entry is not None and entry.pk in (pairing.first_id, pairing.second_id)
    is_hidden = any(is_hidden_in(tournament, each) for each in (pairing.first, pairing.second))
    is_bye = pairing.kind in _BYES
    points = pairing.first_points, pairing.second_points
    return {
        "board": pairing.board,
        "first": first,
        "second": second,
        "bye": get_bye_label(tournament, pairing) if is_bye else "",
        "why": f"{tournament.get_absolute_url()}pairing/{pairing.pk}/",
        "score": _render_score(pairing, is_bye),
        "first_won": not is_bye and (points[0] or 0) > (points[1] or 0),
        "second_won": not is_bye and (points[1] or 0) > (points[0] or 0),
        "match": "" if is_hidden and not is_mine else pairing.match_id or "",
        "label": _render_label(first, second, _render_score(pairing, is_bye)),
        "is_mine": is_mine,
    }


def _render_score(pairing: Pairing, is_bye: bool) -> str:
    if pairing.ended_at is None:
        return render(build_message("tournament.live"))
    if is_bye:
        return render_points(pairing.first_points) if pairing.first_points else ""
    score = render_score(pairing.first_points, pairing.second_points)
    return (
        render(build_message("tournament.forfeit", score=score))
        if pairing.kind == "forfeit"
        else score
    )


def _render_label(first: str, second: str, score: str) -> str:
    return f"{render(build_message('match.against', one=first, other=second))}: {score}"


# -- crosstable


def build_crosstable_context(tournament: Tournament) -> dict[str, Any] | None:
    """Return the crosstable of a round robin or a Swiss.

    Return None for other kinds, or if the table would be empty or too large.
    """
    if tournament.kind not in (Kind.ROUND_ROBIN, Kind.SWISS) or not tournament.round:
        return None
    field = get_field(tournament)
    if not 2 <= len(field.entrants) <= MOST_CROSSED:
        return None
    lines = build_crosstable(field.entrants, field.games, compute_table(tournament))
    names = {each.entry: each.name for each in field.entrants}
    matches = _get_matches(tournament)
    by_rank = tournament.kind == Kind.ROUND_ROBIN
    heads = [str(at) for at in range(1, len(lines) + 1)]
    if not by_rank:
        heads = [str(number) for number in range(1, tournament.round + 1)]
    return {
        "heads": heads,
        "rows": [
            {
                "rank": line.row.rank,
                "entry": line.row.entry,
                "name": line.name,
                "points": render_points(line.row.points),
                "cells": [
                    {
                        "is_self": by_rank and at == place,
                        "games": [
                            _build_cross_cell(cell, line.row.entry, names, matches, not by_rank)
                            for cell in cells
                        ],
                    }
                    for at, cells in enumerate(
                        line.against if by_rank else _fill_rounds(line.rounds, len(heads))
                    )
                ],
            }
            for place, line in enumerate(lines)
        ],
    }


def _fill_rounds(rounds: tuple[tuple[Cell, ...], ...], many: int) -> list[tuple[Cell, ...]]:
    """Return the cells of each round, with empty ones for the last rounds up to `many`."""
    return [*rounds, *[()] * (many - len(rounds))]


def _build_cross_cell(
    cell: Cell,
    entry: int,
    names: Mapping[int, str],
    matches: Mapping[tuple[int, int], str],
    has_rank: bool,
) -> dict[str, str]:
    score = render_points(cell.points)
    other = names.get(cell.opponent, "") if cell.opponent is not None else ""
    is_bye = cell.opponent is None
    if is_bye:
        score = render(build_message("tournament.bye-points", points=score))
    return {
        "text": score if is_bye or cell.kind == "played" else f"{score}*",
        "against": str(cell.rank) if has_rank and cell.rank else "",
        "match": matches.get((cell.round, entry), "") if cell.opponent is not None else "",
        "label": _render_label(names.get(entry, ""), other, score),
    }


def _get_matches(tournament: Tournament) -> dict[tuple[int, int], str]:
    """Return a dictionary that maps a round and an entry to the id of the match.

    Matches of protected players are left out.
    """
    rows = Pairing.objects.filter(tournament=tournament, match__isnull=False)
    hidden = get_hidden_entries(tournament)
    if hidden:  # games of protected players have no link
        rows = rows.exclude(Q(first__in=hidden) | Q(second__in=hidden))
    found: dict[tuple[int, int], str] = {}
    for number, first, second, match_id in rows.values_list("round", "first", "second", "match"):
        found[number, first] = found[number, second] = match_id
    return found


# -- bracket


class Bracket(Struct, frozen=True):
    """The bracket of a knockout, and the name and seed of each entry."""

    slots: tuple[Slot, ...] = ()
    people: dict[int, tuple[str, int]] = {}


def get_bracket(tournament: Tournament) -> Bracket:
    """Return the bracket of a knockout.

    The bracket is empty before the knockout is paired, and for other kinds of tournament.
    """
    if tournament.kind != Kind.KNOCKOUT or not tournament.round:
        return Bracket()
    field = get_field(tournament)
    slots = build_bracket(
        field.entrants,
        field.games,
        tournament.best_of,
        tournament.third_place,
        field.gone,
    )
    return Bracket(slots, {each.entry: (each.name, each.seed) for each in field.entrants})


def build_stages(tournament: Tournament, found: Bracket) -> list[dict[str, Any]]:
    """Return the rounds of a knockout with their matches."""
    games = _get_tie_games(tournament) if found.slots else {}
    stages: defaultdict[tuple[int, bool], list[Slot]] = defaultdict(list)
    for slot in found.slots:
        stages[slot.round, slot.place == 3].append(slot)  # the match for third place stands alone
    last = max((slot.round for slot in found.slots), default=0)
    return [
        {
            "title": _get_stage_name(number, last, is_third),
            "ties": [
                _build_tie(slot, found.people, games.get(_get_two(slot), ())) for slot in some
            ],
        }
        for (number, is_third), some in sorted(stages.items())
    ]


STAGES = {0: "final", 1: "semi", 2: "quarter", -1: "third"}
"""The names of rounds by the number of rounds that follow, and of the match for third place."""


def _get_stage_name(number: int, last: int, is_third: bool) -> str:
    if is_third:
        return render(build_message(f"tournament-stage.{STAGES[-1]}"))
    if last - number in STAGES:
        return render(build_message(f"tournament-stage.{STAGES[last - number]}"))
    return render(build_message("tournament.round", number=number, rounds=last))


def _build_tie(
    slot: Slot,
    people: Mapping[int, tuple[str, int]],
    games: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    sides = []
    for entry in (slot.first, slot.second):
        name, seed = people.get(entry, ("", 0)) if entry is not None else ("", 0)
        won = entry is not None and slot.winner == entry
        points = sum(game.points_of(entry) for game in slot.games) if entry is not None else 0
        sides.append(
            {
                "name": name,
                "seed": seed,
                "won": won,
                "out": slot.is_over and not won,
                "points": render_points(points) if slot.games and entry is not None else "",
                "empty": render(
                    build_message("tournament-bye.free" if slot.is_bye else "tournament.open-slot")
                ),
            }
        )
    return {"sides": sides, "games": [game for game in games if game["match"]]}


_Two = tuple[int, frozenset[int | None]]
"""The key of a match in a knockout: its round and its two entries."""


def _get_two(slot: Slot) -> _Two:
    return slot.round, frozenset({slot.first, slot.second})


def _get_tie_games(tournament: Tournament) -> dict[_Two, list[dict[str, Any]]]:
    """Return a dictionary that maps each match of a knockout to its games and byes, in order."""
    rows = Pairing.objects.filter(tournament=tournament)
    found: defaultdict[_Two, list[dict[str, Any]]] = defaultdict(list)
    for each in rows.select_related("first__player", "second__player").order_by("round", "leg"):
        two = each.round, frozenset({each.first_id, each.second_id})
        found[two].append(build_game_row(tournament, each))
    return found
