"""The share of best moves in positions with a proved best move, and a sign that uses it."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.bots import get_bot
from games.engine import analysis
from games.messages import render
from games.models import Analysis, Match, Sign
from games.review import sign_search
from games.store.proof import replay_moves
from games.store.records import get_record, read_states
from lobby.models import Accuracy, Player
from lobby.ratings import accuracy, signs
from tests.builders.matches import create_rated_win, deliver_events
from tests.builders.players import create_player
from tests.builders.query_plans import get_query_plan

pytestmark = pytest.mark.django_db

GAME = "parallel-tic-tac-toe"


def analysed(match: Match) -> list[dict[str, Any]]:
    """Analyse a match with the game's own bot. Return the result."""
    state = read_states([match.pk])[match.pk]
    if analysis.get_analysis(state) is None:
        analysis.request_analysis(state, None)
    wanted = analysis.lease_analysis()
    assert wanted is not None and wanted.match_id == match.pk
    bot, looks = get_bot(match.game), []
    for position, (_, action) in zip(
        replay_moves(state, get_record(match.pk).moves).positions, wanted.steps, strict=False
    ):
        look = bot.look(position, action, 0.05)
        looks.append({name: getattr(look, name) for name in look.__dataclass_fields__})
    analysis.store_analysis(wanted, looks)
    return looks


def note(who: Any, band: int, moves: int, kept: int, ago: int = 0, game: str = GAME) -> None:
    """Create the row of an analysed game, with an arbitrary match."""
    other = Player.objects.exclude(pk=who.pk).first() or create_player("nobody")
    match = Match.objects.create(
        pk=f"m{Match.objects.count()}",
        game=game,
        first=who,
        second=other,
        notation="-",
        created_at=timezone.now(),
        acted_at=timezone.now(),
    )
    Accuracy.objects.create(
        match=match, player=who, game=game, band=band, moves=moves, kept=kept,
        at=timezone.now() - timedelta(hours=ago),
    )  # fmt: skip


@pytest.fixture
def others() -> list[Any]:
    """Create twenty players with a rating near 1500, who keep 30 of 40 moves in two games."""
    people = [create_player(f"other {i}") for i in range(accuracy.LEAST_OTHERS)]
    for each in people:
        note(each, 7, 20, 14)
        note(each, 7, 20, 16)
    return people


def test_an_analysis_of_a_rated_game_is_noted_for_both(alice: Any, bob: Any) -> None:
    match = create_rated_win(alice, bob, game=GAME, plies=4)
    deliver_events()
    looks = analysed(match)
    rows = {row.player_id: row for row in Accuracy.objects.filter(match=match)}
    assert set(rows) == {alice.pk, bob.pk}
    assert {row.band for row in rows.values()} == {1500 // accuracy.BAND}
    # Computed independently: moves with a proved value, an alternative, and something to lose.
    moves = get_record(match.pk).moves
    positions = replay_moves(read_states([match.pk])[match.pk], moves).positions
    for seat, role in enumerate(match.rules.roles):
        own = [
            look
            for look, move, position in zip(looks, moves, positions, strict=False)
            if move.role == role and look["proved"] and len(position.legal()) > 1
            and (look["value"] > 0 or (look["margin"] or 0) > -100)
        ]  # fmt: skip
        best = [x for x in own if (x["value"], x["margin"]) == (x["after"], x["margin_after"])]
        row = rows[match.first_id if seat == 0 else match.second_id]
        assert (row.moves, row.kept) == (len(own), len(best))
    assert sum(row.moves for row in rows.values()) > 0


def test_analysed_again_it_is_noted_once_and_what_is_not_rated_never(alice: Any, bob: Any) -> None:
    match = create_rated_win(alice, bob, game=GAME, plies=4)
    unrated = create_rated_win(alice, bob, game=GAME, plies=4, rated=False)
    deliver_events()
    analysed(match)
    found = Analysis.objects.get(match=match)
    for _ in range(2):
        accuracy.store_accuracy(found)
    assert Accuracy.objects.count() == 2
    analysed(unrated)
    assert Accuracy.objects.count() == 2


def test_a_listener_that_fails_does_not_lose_the_analysis(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(found: Analysis) -> None:
        Accuracy.objects.all().delete()
        raise ArithmeticError

    match = create_rated_win(alice, bob, game=GAME, plies=4)
    deliver_events()
    monkeypatch.setattr(analysis, "handlers", [accuracy.store_accuracy, broken])
    analysed(match)
    assert Analysis.objects.get(match=match).due_at is None
    assert Accuracy.objects.count() == 2, "nothing that the broken one did"


def test_far_higher_accuracy_than_others_is_a_sign(alice: Any, others: list[Any]) -> None:
    for i in range(4):
        note(alice, 7, 20, 20, ago=i)
    said = accuracy.find_unusual_accuracy(alice.pk, GAME)
    text = render(said).replace("\u2068", "").replace("\u2069", "")
    assert "the last 4 analysed games, 80 of 80 moves" in text and "75 %" in text


@pytest.mark.parametrize(
    "case", ["few moves", "not so many more", "another band", "few others", "uneven", "long ago"]
)
def test_ordinary_games_give_no_sign(case: str, alice: Any, others: list[Any]) -> None:
    kept, games, band = 20, 4, 7
    if case == "few moves":
        games = 1
    if case == "not so many more":
        kept = 17
    if case == "another band":
        band = 9  # a band without comparison data
    if case == "few others":
        Accuracy.objects.filter(player=others[0]).delete()
    if case == "uneven":  # games in which every move is easy, or every move is hard
        Accuracy.objects.filter(kept=14).update(kept=10)
        Accuracy.objects.filter(kept=16).update(kept=20)
    for i in range(games):
        note(alice, band, 20, kept, ago=i + (100 if case == "long ago" else 0))
    if case == "long ago":
        for _ in range(accuracy.AMONG):
            note(alice, 7, 20, 15)
    if case == "uneven":
        assert accuracy.FROM * (80 * 0.75 * 0.25) ** 0.5 < 80 - 60, "a sign, were all alike"
        assert accuracy.find_unusual_accuracy(alice.pk, GAME) is None
        return
    assert accuracy.find_unusual_accuracy(alice.pk, GAME) is None


def test_the_sign_comes_once_a_month(alice: Any, bob: Any, others: list[Any]) -> None:
    for i in range(4):
        note(alice, 7, 20, 20, ago=i + 1)
    for _ in range(2):
        match = create_rated_win(alice, bob, game=GAME, plies=4)
        deliver_events()
        analysed(match)
    (sign,) = Sign.objects.all()
    assert (sign.kind, sign.player_id) == ("sudden", alice.pk)


def test_the_site_asks_for_a_few_analyses_itself(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accuracy, "OFTEN", 1)
    monkeypatch.setattr(accuracy, "MOST_WAITING", 3)
    for _ in range(5):
        create_rated_win(alice, bob)
    deliver_events()
    sign_search.search_all(timezone.now() - timedelta(days=1))
    assert Analysis.objects.filter(asked_by=None).count() == 3


def test_the_site_analyses_players_with_far_better_results(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accuracy, "OFTEN", 10**9)
    monkeypatch.setattr(
        accuracy, "SUSPECT_FROM", 0.2
    )  # the rating soon catches up with that many wins
    for _ in range(signs.SUDDEN_AMONG):
        create_rated_win(alice, bob)
    deliver_events()
    sign_search.search_all(timezone.now() - timedelta(days=1))
    newest = Match.objects.order_by("-ended_at").values_list("pk", flat=True)
    asked = set(Analysis.objects.values_list("pk", flat=True))
    assert asked == set(newest[: accuracy.SUSPECT_GAMES])


def test_its_questions_have_their_indexes(alice: Any, others: list[Any]) -> None:
    for i in range(4):
        note(alice, 7, 20, 20, ago=i)
    with CaptureQueriesContext(connection) as captured:
        accuracy.find_unusual_accuracy(alice.pk, GAME)
    asked = [query["sql"] for query in captured.captured_queries]
    assert len(asked) == 2
    for sql, index in zip(asked, ("accuracy_of_player", "accuracy_near_a_rating"), strict=True):
        assert index in get_query_plan(sql) and "TEMP B-TREE" not in get_query_plan(sql)
    assert Player.objects.count() > accuracy.LEAST_OTHERS
