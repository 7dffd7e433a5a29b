"""The `verify_*` commands detect changed values and deleted rows.

The columns come from the models, so the tests fail for a new column without a decision here. A
changed value must be detected unless `UNCOVERED` gives a reason. A deleted row must be detected
unless `MAY_GO` gives one.
"""

import inspect
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError, models, transaction
from django.test import override_settings
from django.utils import timezone

from games.models import LogEntry, LogHead, Match, Move, match, record_log
from games.review import decisions
from games.review.forms import decide
from games.store.records import find_unsound_matches
from games.transparency_log import log
from lobby.accounts.guests import new_guest
from lobby.models import (
    Entry,
    Pairing,
    RatedGame,
    Rating,
    RoleAdvantage,
    Round,
    Tournament,
    UncountedMatch,
    rating,
    tournament,
)
from lobby.ratings import recount
from lobby.ratings.verification import verify_ratings
from lobby.tournaments.verification import verify_tournaments
from tests.builders.matches import create_finished_match, create_rated_win, deliver_events
from tests.builders.players import create_player
from tests.builders.prepared import Snapshot
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    play_tournament,
    start_tournament,
)

pytestmark = pytest.mark.django_db

COVERED: dict[str, tuple[type[models.Model], ...]] = {
    "verify_matches": (Match, Move),
    "verify_ratings": (RatedGame, Rating, RoleAdvantage, UncountedMatch),
    "verify_tournaments": (Tournament, Round, Entry, Pairing),
    "verify_log": (LogEntry, LogHead),
}
MODULES = (match, rating, tournament, record_log)
"""All models of these modules have a decision: in `COVERED` or in `NOT_VERIFIED`."""

NOT_VERIFIED = {
    "Recount": "work that is left; verify_ratings does it first",
    "RatingSpread": "a cache of counts, made anew every quarter of an hour",
    "ComputerGame": "the newest games of a level; older ones are deleted",
    "LevelRating": "an estimate from them, made anew",
    "Accuracy": "what an analysis found",
    "Series": "what an organiser typed",
    "LogLine": "what an organiser did, in words",
    "LogWish": "work that is left",
    "Event": "messages to handlers, deleted after their delivery",
    "LogNode": "first written after 256 entries: see tests/games/transparency_log/test_log.py",
    **dict.fromkeys(
        ("FormerLogHead", "FormerLogEntry", "FormerLogNode"),
        "no site has one from the start: see tests/games/transparency_log/test_former_log.py",
    ),
    "SigningKey": "public keys; the notes that they sign are verified outside",
}

PASSING = "of the moment: nothing follows from it once the match is over"
TYPED = "what an organiser chose; no other value says so"
ID = "a row's number, which nothing else follows from"
UNCOVERED: dict[type[models.Model], dict[str, str]] = {
    Match: {"bot_at": PASSING},
    Move: {"id": ID},
    RatedGame: {"id": ID},
    Rating: {"id": ID},
    RoleAdvantage: {
        "id": ID,
        "games": "how many games it was fitted from: shown to nobody, used by nothing",
        "at": "found only where a rated game lies between the two moments",
    },
    UncountedMatch: {},
    Tournament: {
        "id": "its entries and pairings refer to it: the database refuses",
        **dict.fromkeys(
            (
                *("name", "about", "clock", "options", "rated", "rounds", "is_double", "minutes"),
                *("best_of", "third_place", "tie_breaks", "registration", "code", "group"),
                *("guests", "bots", "lowest", "highest", "most", "opens_at", "check_in_minutes"),
                *("starts_at", "pace", "round_minutes", "late_minutes", "organiser", "series"),
                *("number", "game", "kind"),
            ),
            TYPED,
        ),
        **dict.fromkeys(("paused_at", "version", "due_at", "pairings", "round"), PASSING),
        **dict.fromkeys(("made_at", "started_at", "ends_at", "ended_at"), "when it was done"),
    },
    Round: dict.fromkeys(
        ("id", "tournament", "number", "began_at", "ends_at", "is_over"),
        "the course of a tournament; its results stand in the pairings",
    ),
    Entry: {
        "id": ID,
        **dict.fromkeys(("state", "checked_in_at", "byes", "since_round", "entered_at"), TYPED),
        **dict.fromkeys(("seed", "rating"), "as of the start: ratings have changed since"),
        **dict.fromkeys(("free_since", "seen_at"), PASSING),
        **dict.fromkeys(("sides", "began", "opponent"), "for the next pairing of an arena only"),
    },
    Pairing: {
        "id": ID,
        "made_at": "when it was paired",
        "late_at": PASSING,
        "board": "the order of the boards, as it was drawn",
        "leg": "which of the games between two it is, as it was drawn",
    },
    LogEntry: {},
    LogHead: {"id": ID},
}
MAY_GO: dict[type[models.Model], str] = {
    Match: "its moves, ratings and pairings refer to it: the database refuses",
    RoleAdvantage: "one that was never in force for a game is missed by nobody",
    Tournament: "goes with all that is stored of it",
    Round: "see `UNCOVERED`",
    Entry: "who was never paired may go",
    LogHead: "the log is empty without it: only a checkpoint kept elsewhere says that it was not",
}


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A site with rated games, voids, refunds, a tournament of five, and their log records."""
    with django_db_blocker.unblock(), override_settings(RATE_LIMITS=False):
        empty = Snapshot()
        try:
            _play_everything()
            yield
        finally:
            empty.restore()


def _play_everything() -> None:
    rita, sara = create_player("rita", "reviewer"), create_player("sara", "senior reviewer")
    alice, bob, charlie = (create_player(name) for name in ("alice", "bob", "charlie"))
    now = timezone.now()
    RoleAdvantage.objects.create(
        game="six-in-a-row", advantage=12.5, games=900, at=now - timedelta(days=1)
    )
    games = [create_rated_win(*pair) for pair in ((alice, bob), (bob, charlie), (charlie, alice))]
    games += [
        create_rated_win(alice, bob),
        create_rated_win(alice, charlie),
        create_rated_win(bob, charlie),
    ]
    create_rated_win(alice, new_guest())  # counts for neither player
    create_finished_match("dots-and-boxes", alice, charlie)
    deliver_events()
    decisions.void_match(rita, games[4].pk, "A test.", 0)
    undone = decisions.void_match(rita, games[1].pk, "A test.", 0)
    deliver_events()
    decisions.reverse_decision(sara, undone.pk, "It was none.")
    deliver_events()
    form = {"kind": "warn", "reason": "Outside help.", "refund-warn": "on", f"seen-{alice.pk}": "0"}
    assert "refunded" in decide(rita, form, player_id=alice.pk)
    create_rated_win(bob, charlie)
    deliver_events()
    for number in (1, 2):
        called = create_tournament(rita, rounds=3, name=f"Evening {number}")
        join_players(called, [create_player(f"{number} of {each}") for each in range(5)])
        start_tournament(called)
        play_tournament(called)
    deliver_events()
    recount.replay_all()
    for _ in log.request_missing():
        pass
    while log.append_requested():
        pass


def _columns(model: type[models.Model]) -> list[Any]:
    return list(model._meta.concrete_fields)


def _find_first_fault(command: str) -> bool:
    """Verify all rows as the command does, but stop at the first fault."""
    if command == "verify_matches":
        return bool(find_unsound_matches(list(Match.objects.values_list("pk", flat=True))))
    if command == "verify_ratings":
        recount.replay_all()
        return bool(verify_ratings(most_faults=0).faults)
    if command == "verify_tournaments":
        return bool(verify_tournaments(most_faults=0).faults)
    return _fails(command)


def _fails(command: str) -> bool:
    try:
        call_command(command, stdout=StringIO())
    except CommandError:
        return True
    return False


def _others(field: Any, row: Any) -> Iterator[Any]:
    """Yield other values that are valid for the column."""
    value = field.value_from_object(row)
    if field.remote_field is not None:
        keys = field.remote_field.model._base_manager.exclude(pk=value)
        yield from keys.order_by("pk").values_list("pk", flat=True)[:1]
    elif field.choices:
        yield from (choice for choice, _ in field.choices if choice != value)
    elif isinstance(field, models.BooleanField):
        yield not value
    elif isinstance(field, models.DateTimeField):
        yield (value or timezone.now()) + timedelta(hours=1)
    elif isinstance(field, models.FloatField):
        yield (value or 0.0) + 7.5
    elif isinstance(field, models.IntegerField):
        yield 1 if value is None else value + 1
    else:
        assert isinstance(field, models.CharField | models.TextField), field
        yield f"x{value}"[: field.max_length] if value != "x" else "y"
    if field.null and value is not None:
        yield None


def _rows(model: type[models.Model]) -> list[Any]:
    """Return the first, the last, and a middle row."""
    found = list(model._base_manager.order_by("pk"))
    return [found[index] for index in sorted({0, len(found) // 2, len(found) - 1})]


def _unseen_changes(command: str, model: type[models.Model]) -> Iterator[str]:
    is_first = True  # the whole command is run for one change to each table
    for field in _columns(model):
        if field.name in UNCOVERED[model]:
            continue
        for row in _rows(model):
            for value in _others(field, row):
                with transaction.atomic():
                    try:
                        with transaction.atomic():
                            model._base_manager.filter(pk=row.pk).update(**{field.attname: value})
                    except IntegrityError:
                        continue  # the database itself rejects it
                    find, is_first = _fails if is_first else _find_first_fault, False
                    if not find(command):
                        yield f"{model.__name__}.{field.name} of {row.pk}: {value!r}"
                    transaction.set_rollback(True)


@pytest.mark.parametrize("command", COVERED)
def test_a_changed_value_is_found(site: None, command: str) -> None:
    assert not _fails(command) and not _find_first_fault(command)
    unseen = [each for model in COVERED[command] for each in _unseen_changes(command, model)]
    assert not unseen, "\n".join(unseen)


@pytest.mark.parametrize("command", COVERED)
def test_a_deleted_row_is_found(site: None, command: str) -> None:
    unseen = []
    for model in COVERED[command]:
        for row in _rows(model) if model not in MAY_GO else ():
            with transaction.atomic():
                model._base_manager.filter(pk=row.pk)._raw_delete("default")  # type: ignore[attr-defined]
                if not _fails(command):
                    unseen.append(f"{model.__name__} {row.pk}")
                transaction.set_rollback(True)
    assert unseen == []


def test_every_table_and_column_has_a_decision() -> None:
    verified = {model for each in COVERED.values() for model in each}
    for module in MODULES:
        for model in apps.get_models():
            if inspect.getmodule(model) is module and model not in verified:
                assert NOT_VERIFIED[model.__name__]
    for model in verified:
        names = {field.name for field in _columns(model)}
        assert UNCOVERED[model].keys() <= names, model
