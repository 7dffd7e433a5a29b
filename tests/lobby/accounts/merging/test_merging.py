"""A guest who logs in to an account becomes its alias: no seat changes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from games.engine import analysis
from games.journal.opening import has_begun_many
from games.journal.requests import Answer, Request
from games.journal.transaction import commit_requests
from games.match.commands import Play, PlayerCommand, Rematch
from games.match.outcome import get_outcome
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Event, Match, Notice
from games.review import decisions, handling, reports
from games.store.aliases import MAX_ALIASES, are_one_person, get_aliases, get_kin, get_person
from games.store.records import find_unsound_matches, read_states, read_with_names
from games.store.suspensions import get_suspension
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.live.player_state import read_own
from lobby.models import Player, Seek
from lobby.seeks import matchmaking
from tests.builders.matches import create_finished_match, create_match
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db


def asks(match: Match, who: Player, command: PlayerCommand) -> Answer:
    """Commit a command as a socket that reconnected after the merge does."""
    (answer,), _ = commit_requests(
        [Request(match.pk, who.pk, command, acts_for=get_aliases(who.pk))]
    )
    return answer


def test_the_guest_points_to_the_account_and_no_seat_changes(guest: Player, anna: Any) -> None:
    match = create_finished_match("tic-tac-toe", guest, new_guest())
    before = Match.objects.values().get(pk=match.pk)
    assert merge_guest(guest.pk, anna.pk) == {"code": "merged.done", "name": guest.username}
    assert Match.objects.values().get(pk=match.pk) == before
    assert find_unsound_matches([match.pk]) == {}
    assert get_aliases(anna.pk) == {anna.pk, guest.pk}
    assert get_aliases(guest.pk) == {guest.pk}, "an alias never acts as the account"
    assert get_kin([guest.pk])[guest.pk] == {anna.pk, guest.pk}
    assert are_one_person(anna.pk, guest.pk)
    assert get_person(guest.pk) == anna.pk


def test_a_repeat_and_another_account_change_nothing(guest: Player, anna: Any, bob: Any) -> None:
    assert merge_guest(guest.pk, anna.pk)
    before = Player.objects.values().get(pk=guest.pk)
    assert merge_guest(guest.pk, anna.pk) is None
    assert merge_guest(guest.pk, bob.pk) is None
    assert Player.objects.values().get(pk=guest.pk) == before


def test_only_a_guest_becomes_an_alias_and_only_of_an_account(anna: Any, bob: Any) -> None:
    closed = create_player("Cecil", is_active=False)
    alias = new_guest()
    merge_guest(alias.pk, anna.pk)
    for one, other in ((bob, anna), (new_guest(), new_guest()), (new_guest(), alias),
                       (new_guest(), closed), (alias, bob)):  # fmt: skip
        assert merge_guest(one.pk, other.pk) is None
    assert merge_guest(0, anna.pk) is None
    assert Player.objects.exclude(alias_of=None).count() == 1
    assert not Player.objects.filter(alias_of__alias_of__isnull=False).exists()


def test_a_row_that_points_to_the_guest_points_to_the_account_then(
    guest: Player, anna: Any
) -> None:
    """A chain of aliases never has more than one link."""
    other_side = Player.objects.create(
        username="~other", is_guest=True, is_active=False, alias_of=guest
    )
    match = create_finished_match("tic-tac-toe", guest, other_side)
    merge_guest(guest.pk, anna.pk)
    other_side.refresh_from_db()
    assert other_side.alias_of_id == anna.pk
    match.refresh_from_db()
    assert match.ended == "rules", "the two were one person when they played"


def test_an_account_has_so_many_aliases_at_the_most(guest: Player, anna: Any) -> None:
    Player.objects.bulk_create(
        Player(username=f"~{n}x", is_guest=True, is_active=False, alias_of=anna)
        for n in range(MAX_ALIASES)
    )
    told = merge_guest(guest.pk, anna.pk)
    assert told is not None
    assert told["code"] == "merged.too-many"
    guest.refresh_from_db()
    assert (guest.alias_of_id, guest.is_active) == (None, True)


def test_the_database_keeps_an_alias_from_logging_in(guest: Player, anna: Any) -> None:
    merge_guest(guest.pk, anna.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=guest.pk).update(is_active=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=anna.pk).update(alias_of=anna, is_active=False)


# -- their games continue


def test_the_account_plays_the_guests_live_match_on(guest: Player, anna: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", guest, bob)
    assert asks(match, anna, Play(0, "mark 1 1")).refused == "not-a-player"
    merge_guest(guest.pk, anna.pk)
    assert asks(match, anna, Play(0, "mark 1 1")).refused is None
    assert asks(match, bob, Play(1, "mark 2 2")).refused is None
    # An action that the guest has already sent counts as the account's.
    assert asks(match, guest, Play(2, "mark 3 3")).refused is None
    assert asks(match, new_guest(), Play(3, "mark 3 1")).refused == "not-a-player"
    assert find_unsound_matches([match.pk]) == {}


def test_people_read_the_accounts_name(guest: Player, anna: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", guest, bob)
    merge_guest(guest.pk, anna.pk)
    assert read_with_names([match.pk], None)[match.pk][1] == ("Anna Berg", "Bob Cole")
    page = Client().get(f"/match/{match.pk}/").content.decode()
    assert "Anna Berg" in page
    assert guest.username not in page
    anna.username = "Anna Dahl"
    anna.save()
    assert read_with_names([match.pk], None)[match.pk][1] == ("Anna Dahl", "Bob Cole")


def test_a_rematch_is_the_accounts_own(guest: Player, anna: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", guest, bob)
    merge_guest(guest.pk, anna.pk)
    assert asks(match, anna, Rematch()).refused is None
    assert asks(match, bob, Rematch()).refused is None
    match.refresh_from_db()
    assert match.rematch is not None
    assert (match.rematch.first_id, match.rematch.second_id) == (bob.pk, anna.pk)


def test_pages_know_the_person(guest: Player, anna: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", guest, bob)
    merge_guest(guest.pk, anna.pk)
    client = Client()
    client.force_login(anna)
    page = client.get(f"/match/{match.pk}/").content.decode()
    assert 'data-role="xplayer"' in page
    assert f"/match/{match.pk}/" in client.get("/").content.decode(), "among one's own games"


def test_searches_end_and_invitations_go_on(guest: Player, anna: Any) -> None:
    matchmaking.create_seek(guest.pk, Setup("tic-tac-toe"))
    invitation = matchmaking.create_seek(guest.pk, Setup("dots-and-boxes"), by_address=True)
    merge_guest(guest.pk, anna.pk)
    assert [seek.pk for seek in Seek.objects.all()] == [invitation.pk]
    assert [own.seek for own in read_own([anna.pk])[anna.pk].seeks] == [invitation.pk]
    for refused in (
        lambda: matchmaking.create_seek(guest.pk, Setup("tic-tac-toe")),
        lambda: matchmaking.join_seek(anna.pk, invitation.pk),
        lambda: matchmaking.join_seek(guest.pk, invitation.pk),
    ):
        with pytest.raises(Refused):
            refused()
    assert not Match.objects.exists()


def test_a_match_that_began_from_the_guests_search_is_shown(
    guest: Player, anna: Any, bob: Any
) -> None:
    seek = matchmaking.create_seek(guest.pk, Setup("tic-tac-toe"))
    assert matchmaking.join_seek(bob.pk, seek.pk)
    merge_guest(guest.pk, anna.pk)
    (begun,) = read_own([anna.pk])[anna.pk].begun
    assert begun.opponent == "Bob Cole"


# -- games against oneself


def test_a_match_against_oneself_counts_no_more(guest: Player, anna: Any, bob: Any) -> None:
    ended = create_finished_match("tic-tac-toe", anna, guest)
    going = create_match("tic-tac-toe", guest, anna, 2)
    begun = create_match("tic-tac-toe", guest, anna)
    other = create_finished_match("tic-tac-toe", guest, bob)
    ended_at = ended.ended_at
    assert merge_guest(guest.pk, anna.pk)
    for match in (ended, going, begun):
        match.refresh_from_db()
        assert (match.status, match.ended) == ("over", "voided")
        assert (match.first_goal, match.second_goal) == (0, 0)
        assert Event.objects.filter(match=match).order_by("-version")[0].kind == "voided"
        told = get_outcome(read_states([match.pk])[match.pk])
        assert told is not None
        assert told.code == "end.one-person"
    assert ended.ended_at == ended_at
    other.refresh_from_db()
    assert other.ended == "rules"
    assert find_unsound_matches([ended.pk, going.pk, begun.pk, other.pk]) == {}
    (notice,) = Notice.objects.filter(player=anna)
    assert "3 games against yourself" in notice.sentence
    assert guest.username in notice.sentence
    page = Client().get(f"/match/{ended.pk}/").content.decode()
    assert "were the same person" in page


def test_more_of_them_than_are_voided_in_one_go(
    guest: Player, anna: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.journal import voiding

    monkeypatch.setattr(voiding, "_SOME", 2)
    for n in range(5):
        create_match("tic-tac-toe", *((guest, anna) if n % 2 else (anna, guest)))
    merge_guest(guest.pk, anna.pk)
    assert set(Match.objects.values_list("ended", flat=True)) == {"voided"}


def test_no_rematch_against_oneself(guest: Player, anna: Any) -> None:
    match = create_finished_match("tic-tac-toe", anna, guest)
    assert asks(match, guest, Rematch()).refused is None
    merge_guest(guest.pk, anna.pk)
    assert asks(match, anna, Rematch()).refused in {None, "not-allowed"}
    match.refresh_from_db()
    assert match.rematch is None


def test_two_guests_who_become_one_account(guest: Player, anna: Any) -> None:
    other = new_guest()
    match = create_match("tic-tac-toe", guest, other)
    merge_guest(guest.pk, anna.pk)
    match.refresh_from_db()
    assert match.status == "live"
    merge_guest(other.pk, anna.pk)
    match.refresh_from_db()
    assert match.ended == "voided"


def test_all_or_nothing(guest: Player, anna: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = create_match("tic-tac-toe", guest, anna)

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lobby.accounts.merging.notify_player", dies)
    with pytest.raises(KeyboardInterrupt):
        merge_guest(guest.pk, anna.pk)
    match.refresh_from_db()
    guest.refresh_from_db()
    assert (match.status, guest.alias_of_id, guest.is_active) == ("live", None, True)


# -- limits, suspensions, reports


def test_what_holds_for_one_row_holds_for_the_person(
    guest: Player, anna: Any, bob: Any, settings: Any
) -> None:
    settings.RATE_LIMITS = True
    settings.MATCHES_PER_MINUTE = 2
    match = create_finished_match("tic-tac-toe", guest, bob)
    create_match("tic-tac-toe", anna, new_guest())
    assert not has_begun_many(anna.pk)
    merge_guest(guest.pk, anna.pk)
    assert has_begun_many(anna.pk)
    analysis.request_analysis(read_states([match.pk])[match.pk], guest.pk)
    settings.QUEUED_ANALYSES_PER_PLAYER = 1
    settings.MATCHES_PER_MINUTE = 20
    another = create_finished_match("tic-tac-toe", anna, bob)
    with pytest.raises(Refused, match="too-fast"):
        analysis.request_analysis(read_states([another.pk])[another.pk], anna.pk)


@pytest.mark.parametrize("row", ["guest", "account"])
@pytest.mark.parametrize("first", ["merged", "suspended"])
def test_a_suspension_is_the_persons(
    guest: Player, anna: Any, bob: Any, admin_user: Any, row: str, first: str
) -> None:
    match = create_match("tic-tac-toe", guest, bob)
    whom = guest if row == "guest" else anna
    steps: list[Callable[[], object]] = [
        lambda: merge_guest(guest.pk, anna.pk),
        lambda: decisions.suspend_player(admin_user, whom.pk, "Unfair.", 0, None),
    ]
    for step in steps if first == "merged" else steps[::-1]:
        step()
    assert get_suspension(anna.pk)
    assert get_suspension(guest.pk)
    assert asks(match, anna, Play(0, "mark 1 1")).refused == "suspended"
    with pytest.raises(Refused, match="suspended"):
        matchmaking.create_seek(anna.pk, Setup("tic-tac-toe"))
    assert get_suspension(bob.pk) is None


def test_nobody_reports_or_judges_themselves(guest: Player, anna: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", guest, bob)
    reports.store_report(guest.pk, match.pk, bob.pk, "losing", "")
    merge_guest(guest.pk, anna.pk)
    for whom, code in ((guest, "report-yourself"), (bob, "reported-already")):
        with pytest.raises(Refused, match=code):
            reports.store_report(anna.pk, match.pk, whom.pk, "losing", "")
    rita = create_player("rita", "reviewer")
    own = new_guest()
    played = create_finished_match("tic-tac-toe", own, bob)
    reports.store_report(bob.pk, played.pk, own.pk, "losing", "")
    assert merge_guest(own.pk, rita.pk)
    with pytest.raises(Refused, match="own-match"):
        handling.take_player(own.pk, rita)
    with pytest.raises(Refused, match="own-match"):
        decisions.void_match(rita, played.pk, "Why not.", 0)
    with pytest.raises(Refused, match="decide-on-yourself"):
        decisions.warn_player(rita, own.pk, "Me.", 0)
