"""Two players who want the same game with different setups are offered each other's seeks."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from msgspec import UNSET, Struct

from games.match.setup import Setup
from games.review import decisions
from lobby.accounts.guests import new_guest
from lobby.groups import membership
from lobby.live.player_state import read_own, read_player_state
from lobby.live.protocol import OwnFrame
from lobby.models import Player, Seek
from lobby.players import blocks
from lobby.seeks import matchmaking, offers, pool
from lobby.seeks.offers import OFFERS_PER_PLAYER, OFFERS_PER_SEEK
from lobby.seeks.pool import pair_seekers
from lobby.seeks.rated import ANYBODY, Between
from tests.builders.groups import create_group
from tests.builders.players import create_organiser, create_player
from tests.builders.refusals import must_be_refused

pytestmark = pytest.mark.django_db

GAME = "six-in-a-row"
RATING = 1500  # of everybody who has not played yet
CLOCKS = ("", "3+2", "10+5", "30+20", "7+4")  # none, those with a button, and a custom one


class Wish(Struct, frozen=True):
    """What a player asks for."""

    clock: str = ""
    is_guest: bool = False
    rated: bool = False
    wanted: Between = ANYBODY

    def __str__(self) -> str:
        who = "guest" if self.is_guest else "account"
        wanted = "" if self.wanted == ANYBODY else f" {self.wanted.lowest}-{self.wanted.highest}"
        return f"{who} {'rated ' if self.rated else ''}{self.clock or 'untimed'}{wanted}"

    @property
    def excludes(self) -> bool:
        """Return whether the wish excludes an opponent with the initial rating."""
        return not self.wanted.lowest <= RATING <= self.wanted.highest

    def seek(self) -> Seek:
        player = new_guest() if self.is_guest else _account()
        setup = Setup(GAME, self.clock, rated=self.rated)
        return matchmaking.create_seek(player.pk, setup, wanted=self.wanted)


def _account() -> Player:
    return create_player(f"Account {Player.objects.count()}")


WIDE, FAR = Between(1400, 1600), Between(1800, 2000)
WISHES = [
    *(Wish(clock, is_guest=guest) for clock in CLOCKS for guest in (True, False)),
    # Rated matches need an account and a clock.
    *(Wish(clock, rated=True, wanted=b) for clock in CLOCKS[1:] for b in (ANYBODY, WIDE, FAR)),
]


def offered(seek: Seek) -> list[str]:
    """Return the seeks that the player of this one is offered instead of it."""
    return offered_each(seek)[0]


def offered_each(*seeks: Seek) -> list[list[str]]:
    """Return the seeks that the player of each of these is offered instead of it."""
    own = read_own([seek.player_id for seek in seeks])
    for seek in seeks:
        assert {offer.mine for offer in own[seek.player_id].offers} <= {seek.pk}
    return [[offer.seek for offer in own[seek.player_id].offers] for seek in seeks]


def may_join(one: Wish, other: Wish) -> bool:
    """Return whether the first player may join the second one's seek."""
    if not other.rated:
        return True
    if one.is_guest:
        return False  # exception: a guest cannot join a rated seek
    return not other.excludes and not (one.rated and one.excludes)  # exception: the ratings


@pytest.mark.parametrize("one", WISHES, ids=str)
def test_two_who_want_the_same_game_are_paired_or_offered_each_other(one: Wish) -> None:
    """They never wait side by side, unless a rating range or a guest's status forbids the match."""
    first = one.seek()
    for other in WISHES[WISHES.index(one) :]:
        with transaction.atomic():
            must_not_wait_side_by_side(one, first, other, other.seek())
            transaction.set_rollback(True)


def must_not_wait_side_by_side(one: Wish, first: Seek, other: Wish, second: Seek) -> None:
    to_first, to_second = offered_each(first, second)
    if first.setup == second.setup:
        assert to_first == to_second == []  # the site pairs them without asking
        waiting, apart = pool.list_seekers(first.setup)
        are_paired = bool(
            pair_seekers(waiting, apart) if one.rated else matchmaking.list_candidates(first)
        )
        assert are_paired == (not one.excludes and not other.excludes)
        return
    assert to_first == [second.pk] * may_join(one, other)
    assert to_second == [first.pk] * may_join(other, one)
    if not (one.rated and other.rated and (one.excludes or other.excludes)):
        assert to_first or to_second  # then at least one of them can act
    # What is offered can be joined.
    if to_first:
        matchmaking.get_joinable_seek(first.player_id, second.pk)
    if to_second:
        matchmaking.get_joinable_seek(second.player_id, first.pk)


def test_joining_an_offer_ends_both_searches_and_the_other_way_round_is_taken() -> None:
    first, second = Wish("3+2").seek(), Wish("10+5").seek()
    third = Wish("30+20").seek()
    assert offered(third) == [first.pk, second.pk]
    pairing = matchmaking.join_seek(first.player_id, second.pk)
    assert pairing.seeks == {second.pk: second.player_id}
    assert pairing.ended == {first.pk: first.player_id}
    must_be_refused("taken", matchmaking.join_seek, second.player_id, first.pk)
    must_be_refused("taken", matchmaking.join_seek, third.player_id, second.pk)
    assert offered(third) == []


def test_an_offer_says_what_the_page_needs() -> None:
    mine, casual = Wish("10+5").seek(), Wish("3+2", is_guest=True).seek()
    rated = Wish("3+2", rated=True, wanted=WIDE).seek()
    first, second = read_own([mine.player_id])[mine.player_id].offers
    assert (first.seek, first.mine, first.game, first.clock) == (casual.pk, mine.pk, GAME, "3+2")
    assert (first.player, first.rated, first.rating) == (casual.player.name, False, UNSET)
    assert (second.seek, second.rated, second.rating) == (rated.pk, True, "1500?")


def test_offers_are_few_oldest_first_and_stay_where_they_are() -> None:
    mine = Wish("10+5").seek()
    others = [Wish("3+2", is_guest=True).seek() for _ in range(OFFERS_PER_SEEK + 2)]
    expected = [seek.pk for seek in others]
    assert offered(mine) == expected[:OFFERS_PER_SEEK]
    Wish("30+20").seek()
    assert offered(mine) == expected[:OFFERS_PER_SEEK]
    matchmaking.cancel_seeks(others[1].player_id, others[1].pk)
    del expected[1]
    assert offered(mine) == expected[:OFFERS_PER_SEEK]


def test_one_player_with_many_seeks_gets_one_place_and_all_games_together_five() -> None:
    me, busy = new_guest(), new_guest()
    games = (GAME, "dots-and-boxes", "tic-tac-toe")
    mine = [matchmaking.create_seek(me.pk, Setup(game, "10+5")) for game in games]
    theirs = [matchmaking.create_seek(busy.pk, Setup(GAME, clock)) for clock in ("3+2", "1+0", "")]
    assert offered_to(me) == [theirs[0].pk]
    for game in games:
        for _ in range(OFFERS_PER_SEEK):
            matchmaking.create_seek(new_guest().pk, Setup(game, "3+2"))
    own = read_own([me.pk])[me.pk]
    assert len(own.offers) == OFFERS_PER_PLAYER
    assert own.offers[0].seek == theirs[0].pk
    assert [offer.mine for offer in own.offers].count(mine[0].pk) == OFFERS_PER_SEEK


def test_two_seeks_for_one_game_do_not_offer_the_same_seek_twice() -> None:
    me, other = new_guest(), new_guest()
    for clock in ("10+5", "30+20"):
        matchmaking.create_seek(me.pk, Setup(GAME, clock))
    theirs = matchmaking.create_seek(other.pk, Setup(GAME, "3+2"))
    assert offered_to(me) == [theirs.pk]
    assert len(offered_to(other)) == 1


def offered_to(player: Player) -> list[str]:
    return [offer.seek for offer in read_own([player.pk])[player.pk].offers]


# -- what is never offered


def test_other_games_invitations_and_absent_players_are_not_offered() -> None:
    mine = Wish("10+5").seek()
    matchmaking.create_seek(new_guest().pk, Setup("dots-and-boxes", "3+2"))
    matchmaking.create_seek(new_guest().pk, Setup(GAME, "3+2"), by_address=True)
    gone = Wish("3+2").seek()
    ago = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS + 1)
    Seek.objects.filter(pk=gone.pk).update(seen_at=ago)
    assert offered(mine) == []
    assert offered_to(gone.player) == []


def test_without_an_open_search_nothing_is_offered_or_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, me = Wish("3+2").seek(), new_guest()
    matchmaking.create_seek(me.pk, Setup(GAME, "10+5"), by_address=True)
    monkeypatch.setattr(offers, "get_listed_seeks", lambda: pytest.fail("seeks were read"))
    assert offered_to(me) == []
    with pytest.raises(pytest.fail.Exception):  # the check itself works
        offered(other)


def _block(one: Player, other: Player) -> None:
    blocks.block_player(one.pk, other.pk)


def _be_blocked(one: Player, other: Player) -> None:
    blocks.block_player(other.pk, one.pk)


def _rename(one: Player, other: Player) -> None:
    Player.objects.filter(pk=other.pk).update(must_rename=True)


def _deactivate(one: Player, other: Player) -> None:
    Player.objects.filter(pk=other.pk).update(is_active=False)


def _become_a_bot(one: Player, other: Player) -> None:
    Player.objects.filter(pk=other.pk).update(is_bot=True)


def _merge(one: Player, other: Player) -> None:
    """The account seeks for itself."""
    Player.objects.filter(pk=other.pk).update(alias_of=_account(), is_active=False)


def _protect(one: Player, other: Player) -> None:
    Player.objects.filter(pk=other.pk).update(is_protected=True)


@pytest.mark.parametrize(
    "change",
    [_block, _be_blocked, _rename, _deactivate, _become_a_bot, _merge, _protect],
)
def test_who_must_not_meet_is_not_named(change: Callable[[Player, Player], None]) -> None:
    first, second = Wish("3+2").seek(), Wish("10+5").seek()
    assert offered(first) and offered(second)
    change(first.player, second.player)
    assert offered_to(first.player) == []
    assert offered_to(second.player) == []


def test_suspended_players_are_not_offered_and_get_no_offers(rita: Player) -> None:
    first, second = Wish("3+2").seek(), Wish("10+5").seek()
    decisions.suspend_player(rita, second.player_id, "A test.", 0, days=1)
    assert offered(first) == offered(second) == []


def test_a_groups_seeks_are_offered_in_the_group_only() -> None:
    organiser, member, stranger = create_organiser(), _account(), _account()
    group = create_group(organiser, member)
    inside = matchmaking.create_seek(organiser.pk, Setup(GAME, "3+2"), group_id=group.pk)
    also = matchmaking.create_seek(member.pk, Setup(GAME, "10+5"), group_id=group.pk)
    outside = matchmaking.create_seek(stranger.pk, Setup(GAME, "30+20"))
    assert offered(inside) == [also.pk]
    assert offered(also) == [inside.pk]
    assert offered(outside) == []


def test_minors_are_offered_their_class_and_nobody_else() -> None:
    """In a club that is not for minors, a protected member has nobody to meet but classmates."""
    teacher, pupil, mate, adult = create_organiser(), _account(), _account(), _account()
    create_group(teacher, pupil, mate, for_minors=True)
    club = membership.create_group(create_organiser("Carl Club"), "Chess club", for_minors=False)
    for player in (pupil, mate, adult):
        membership.join_group(player, club.code or "")
    seeks = {
        player: matchmaking.create_seek(player.pk, Setup(GAME, clock), group_id=club.pk)
        for player, clock in ((adult, "3+2"), (pupil, "10+5"), (mate, "30+20"))
    }
    assert offered(seeks[adult]) == []
    assert offered(seeks[pupil]) == [seeks[mate].pk]
    assert offered(seeks[mate]) == [seeks[pupil].pk]


# -- the work


def open_many(count: int, clocks: tuple[str, ...] = CLOCKS) -> list[Player]:
    """List as many seeks for one game, each of another guest."""
    players = Player.objects.bulk_create(
        Player(username=f"Many {number}", is_guest=True) for number in range(count)
    )
    now = timezone.now()
    Seek.objects.bulk_create(
        Seek(
            player=player,
            game=GAME,
            clock=clocks[number % len(clocks)],
            created_at=now + timedelta(milliseconds=number),
            seen_at=now,
        )
        for number, player in enumerate(players)
    )
    return list(players)


def test_the_number_of_queries_does_not_depend_on_the_number_of_seeks() -> None:
    few = open_many(4)

    def count(players: list[Player]) -> int:
        with CaptureQueriesContext(connection) as queries:
            found = read_player_state([player.pk for player in players])
        assert all(len(mine.own.offers) for mine in found.values())
        return len(queries)

    before = count(few)
    Player.objects.exclude(pk__in=[player.pk for player in few]).delete()
    Seek.objects.all().delete()
    Player.objects.all().delete()
    assert count(open_many(300)) == before


def test_many_seeks_that_a_guest_cannot_join_hide_no_other_guest() -> None:
    now = timezone.now()
    for number in range(2):
        crowd = Player.objects.bulk_create(
            Player(username=f"Crowd {number} {each}") for each in range(200)
        )
        Seek.objects.bulk_create(
            Seek(player=player, game=GAME, clock=f"{1 + number}+1", rated=True, lowest=3000,
                 created_at=now, seen_at=now)
            for player in crowd
        )  # fmt: skip
    first, second = Wish("3+2", is_guest=True).seek(), Wish("10+5", is_guest=True).seek()
    assert offered(first) == [second.pk]
    assert offered(second) == [first.pk]


def test_only_players_whom_a_change_concerns_are_read_again() -> None:
    """The 300th seek of a game concerns hardly anybody: the others have as many as they can."""
    players = open_many(300)
    states = read_player_state([player.pk for player in players])
    assert sum(mine.could_be_offered(GAME) for mine in states.values()) == 0
    assert sum(mine.could_be_offered("tic-tac-toe") for mine in states.values()) == 0
    newest = Seek.objects.order_by("-created_at").values_list("pk", flat=True)[0]
    assert sum(mine.is_offered([newest]) for mine in states.values()) == 0
    oldest = Seek.objects.order_by("created_at").values_list("pk", flat=True)[0]
    assert sum(mine.is_offered([oldest]) for mine in states.values()) == 240  # another clock


def test_a_player_with_room_for_offers_is_concerned() -> None:
    mine = Wish("3+2").seek()
    state = read_player_state([mine.player_id])[mine.player_id]
    assert state.could_be_offered(GAME)
    assert not state.could_be_offered("tic-tac-toe")
    assert state.own == OwnFrame(seeks=state.own.seeks)
