"""Creating a class: all accounts or none, only once, with valid passwords and clear errors."""

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.models import F
from django.test import Client, override_settings
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.groups import class_accounts, membership
from lobby.groups.class_accounts import BadListError, build_numbered_names, parse_names
from lobby.groups.member_passwords import compute_password, create_token
from lobby.models import FormerName, Group, Making, Member, Player
from tests.builders.groups import create_group, post_accounts
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player, is_logged_in, log_in

pytestmark = pytest.mark.django_db

NAMES = "Anna 7b\r\nBen 7b\r\n\r\n  Clara 7b  \r\n"
SLIP = re.compile(r'class="slip-name"><bdi>([^<]+)</bdi></dd>.*?slip-password"[^>]*>([^<]+)</dd>')


@pytest.fixture
def group() -> Group:
    return create_group(create_organiser())


def sheet(page: str) -> list[tuple[str, str]]:
    return SLIP.findall(page)


def test_a_list_of_names_becomes_accounts_whose_passwords_work(group: Group) -> None:
    answer = post_accounts(client_for(group.organiser), group, how="list", names=NAMES)
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    page = get_text(answer)
    assert "Other devices cannot open" not in page
    found = sheet(page)
    assert [name for name, _ in found] == ["Anna 7b", "Ben 7b", "Clara 7b"]
    assert len({password for _, password in found}) == 3
    for name, password in found:
        assert re.fullmatch(r"[a-z]+-[a-z]+-\d{3}", password)
        made = Player.objects.get(username=name)
        assert made.password.startswith("argon2") and not made.is_guest and not made.is_staff
        assert made.email == "" and made.name_key
        assert membership.get_group(made.pk, group.pk) == group
        assert is_logged_in(log_in(name, password))
    assert not is_logged_in(log_in("Anna 7b", found[1][1]))


def test_slips_with_an_address_that_no_pupil_can_open_are_not_for_printing(group: Group) -> None:
    client = client_for(group.organiser)
    client.defaults["HTTP_HOST"] = "127.0.0.1:8000"
    shown = get_text(post_accounts(client, group, how="list", names=NAMES))
    assert "Other devices cannot open 127.0.0.1:8000" in shown


def test_forty_are_made_by_number_and_no_more(group: Group) -> None:
    client = client_for(group.organiser)
    answer = post_accounts(client, group, how="numbers", beginning="7b", many="40")
    found = sheet(get_text(answer))
    assert [name for name, _ in found] == [f"7b-{number:02}" for number in range(1, 41)]
    for many in ("41", "0", "-1", "x", "", "9" * 50, "\N{FULLWIDTH DIGIT FOUR}"):
        answer = post_accounts(client, group, how="numbers", beginning="7c", many=many)
        assert answer.status_code == 400
        assert "From 1 to 40" in get_text(answer)
    assert Member.objects.filter(group=group).count() == 41


def test_the_page_comes_in_pieces_so_that_no_thread_is_held_for_all_hashes(group: Group) -> None:
    """One hash in each piece, so that the thread can render other pages in between."""
    answer = post_accounts(client_for(group.organiser), group, how="list", names=NAMES)
    pieces = iter(answer)
    assert b"Creating passwords" in next(pieces)
    assert [next(pieces) for _ in range(3)] == [b"\n"] * 3
    assert not Player.objects.filter(username="Anna 7b").exists()
    assert b"slip-password" in next(pieces)
    assert b"</html>" in next(pieces)
    assert next(pieces, None) is None


def test_whoever_goes_away_in_between_has_made_nothing_and_may_send_it_again(group: Group) -> None:
    client, token = client_for(group.organiser), create_token()
    pieces = iter(post_accounts(client, group, how="list", names=NAMES, token=token))
    next(pieces), next(pieces)
    del pieces
    assert not Making.objects.exists() and Member.objects.count() == 1
    assert (
        len(sheet(get_text(post_accounts(client, group, how="list", names=NAMES, token=token))))
        == 3
    )


def test_a_form_that_is_sent_twice_makes_them_once_and_shows_the_same_sheet(group: Group) -> None:
    client, token = client_for(group.organiser), create_token()
    first = sheet(get_text(post_accounts(client, group, how="list", names=NAMES, token=token)))
    again = sheet(get_text(post_accounts(client, group, how="list", names=NAMES, token=token)))
    assert first == again
    assert Member.objects.count() == 4 and Making.objects.count() == 1
    anna = Player.objects.get(username="Anna 7b")
    anna.set_password("chosen by Anna herself")
    anna.save()
    page = get_text(post_accounts(client, group, how="list", names=NAMES, token=token))
    assert sheet(page) == [("Anna 7b", "\N{EM DASH}"), *first[1:]] and first[0][1] not in page
    Making.objects.update(shown_until=F("shown_until") - timedelta(minutes=10))
    late = post_accounts(client, group, how="list", names=NAMES, token=token)
    page = get_text(late)
    assert late.status_code == 400 and "already been created" in page and "Anna 7b" in page
    assert first[0][1] not in page


def test_a_form_that_comes_back_with_other_names_is_another_one(group: Group) -> None:
    """The browser's back button can do this. Errors list the names that have accounts."""
    client, token = client_for(group.organiser), create_token()
    post_accounts(client, group, how="list", names=NAMES, token=token).getvalue()
    both = post_accounts(client, group, how="list", names=f"{NAMES}Dora 7b", token=token)
    assert both.status_code == 400 and get_text(both).count("is already taken") == 3
    found = sheet(get_text(post_accounts(client, group, how="list", names="Dora 7b", token=token)))
    assert [name for name, _ in found] == ["Dora 7b"]


def test_the_token_of_another_group_shows_nothing(group: Group) -> None:
    token = create_token()
    post_accounts(
        client_for(group.organiser), group, how="list", names=NAMES, token=token
    ).getvalue()
    other = create_group(create_organiser("Otto Brook"))
    answer = post_accounts(client_for(other.organiser), other, how="list", names=NAMES, token=token)
    assert answer.status_code == 400 and "slip-password" not in get_text(answer)


@pytest.mark.parametrize("token", ["", "x", "a" * 31, "a" * 33, "ä" * 32, " " * 32])
def test_a_form_without_its_token_is_refused(group: Group, token: str) -> None:
    assert (
        post_accounts(client_for(group.organiser), group, names=NAMES, token=token).status_code
        == 400
    )
    assert not Making.objects.exists()


BAD = {
    "twice": ("Anna 7b\nBen 7b\nanna 7B", 3, "already in line 1"),
    "alike": ("Ben 7b\nlvan 7b\nIvan 7b", 3, "too similar to the name in line 2"),
    "taken": ("Ben 7b\nAlice", 2, "or a similar one, is already taken"),
    "looks like one": ("Ben 7b\nA1ice", 2, "or a similar one, is already taken"),
    "former": ("Ben 7b\nOld Name", 2, "or a similar one, is already taken"),
    "control": ("Ben 7b\nAn\x07na 7b", 2, "invisible character"),
    "line separator": ("Ben 7b\nAn\u2028na 7b", 2, "invisible character"),
    "override": ("Ben 7b\nAn\u202ena 7b", 2, "invisible character"),
    "long": ("Ben 7b\n" + "x" * 10_000, 2, "20"),
    "short": ("Ben 7b\nx", 2, "2"),
    "emoji": ("Ben 7b\nAnna \N{FOX FACE}", 2, "letters"),
    "reserved": ("Ben 7b\nModerator", 2, ""),
    "html": ("Ben 7b\n<script>alert(1)</script>", 2, ""),
}


@pytest.mark.parametrize("case", BAD)
def test_of_a_bad_list_nothing_is_made_each_bad_line_is_told_and_the_text_is_kept(
    group: Group, case: str
) -> None:
    text, line, why = BAD[case]
    alice = create_player("Alice") if case in {"taken", "looks like one"} else group.organiser
    FormerName.objects.create(
        player=alice, name="Old Name", name_key="oldname",
        until=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    answer = post_accounts(client_for(group.organiser), group, how="list", names=text)
    assert answer.status_code == 400
    raw = answer.content.decode()
    assert Member.objects.count() == 1 and not Making.objects.exists()
    (shown,) = re.findall(r'<span class="line-number">\s*Line (\d+)\s*</span>', raw)
    assert int(shown) == line
    assert why in " ".join(raw.split()), raw
    (kept,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", raw, re.DOTALL)
    for part in ("Ben 7b", text[-40:].split("\n")[-1][-10:]):
        assert part.replace("<", "&lt;").replace(">", "&gt;") in kept
    assert "<script>alert" not in raw


def test_several_faults_are_told_at_once_in_their_order(group: Group) -> None:
    with pytest.raises(BadListError) as caught:
        parse_names("Anna 7b\nx\n\nAnna 7b\n\x00\nModerator\nBen 7b")
    assert [fault.line for fault in caught.value.faults] == [2, 4, 5, 6]


@pytest.mark.parametrize("text", ["", " \n\r\n \n"])
def test_an_empty_list_is_told(group: Group, text: str) -> None:
    answer = post_accounts(client_for(group.organiser), group, how="list", names=text)
    assert answer.status_code == 400 and "Enter one name per line" in get_text(answer)


def test_forty_one_names_are_told(group: Group) -> None:
    names = "\n".join(f"Pupil {number:02} x" for number in range(41))
    answer = post_accounts(client_for(group.organiser), group, how="list", names=names)
    page = get_text(answer)
    assert answer.status_code == 400 and "These are 41 names" in page and "Pupil 40 x" in page


def test_numbered_names_follow_the_rules_of_names() -> None:
    assert build_numbered_names("class-7b", 2) == ["class-7b-01", "class-7b-02"]
    for beginning in ("x" * 20, "", "admin", "\x07"):
        with pytest.raises(BadListError):
            build_numbered_names(beginning, 3)


def test_who_is_faster_to_take_a_name_has_it_and_no_account_is_made(group: Group) -> None:
    client = client_for(group.organiser)
    pieces = iter(post_accounts(client, group, how="list", names=NAMES))
    next(pieces), next(pieces)
    create_player("Ben 7b")
    page = b"".join(pieces).decode()
    assert "No accounts were created" in page and "Line 2" in page and "Clara 7b" in page
    assert Member.objects.count() == 1
    assert not Player.objects.filter(username="Anna 7b").exists()


def test_a_name_that_is_given_up_meanwhile_is_kept_too(group: Group) -> None:
    pieces = iter(post_accounts(client_for(group.organiser), group, how="list", names=NAMES))
    next(pieces), next(pieces)
    FormerName.objects.create(
        player=group.organiser, name="Ben 7b", name_key="ben7b",
        until=timezone.now() + timedelta(days=1),
    )  # fmt: skip
    assert "No accounts were created" in b"".join(pieces).decode()
    assert not Player.objects.filter(username__endswith="7b").exists()


def test_a_full_group_takes_no_more(group: Group, settings: Any) -> None:
    settings.MEMBERS_PER_GROUP = 3
    answer = post_accounts(client_for(group.organiser), group, how="list", names=NAMES)
    assert answer.status_code == 400 and "room for 2 more" in get_text(answer)
    assert Member.objects.count() == 1


def test_only_so_many_classes_are_made_in_an_hour(group: Group, settings: Any) -> None:
    settings.CLASSES_PER_HOUR = 1
    client = client_for(group.organiser)
    with override_settings(RATE_LIMITS=True):
        assert post_accounts(client, group, how="list", names=NAMES).status_code == 200
        answer = post_accounts(client, group, how="list", names="Dora 7b")
    page = get_text(answer)
    assert answer.status_code == 429 and "Dora 7b" in page and "1 lists per hour" in page


def test_passwords_follow_from_the_form_the_name_and_the_secret() -> None:
    token = create_token()
    assert compute_password(token, "Anna 7b") == compute_password(token, "Anna 7b")
    assert compute_password(token, "Anna 7b") != compute_password(token, "Ben 7b")
    assert compute_password(create_token(), "Anna 7b") != compute_password(token, "Anna 7b")
    before = compute_password(token, "Anna 7b")
    with override_settings(SECRET_KEY="another" * 8):
        assert compute_password(token, "Anna 7b") != before


def test_passwords_are_never_like_the_name() -> None:
    """UserAttributeSimilarityValidator would refuse them when the site runs it."""
    for number in range(200):
        password = compute_password(f"{number:032}", "amber-otter-472")
        assert not password.startswith("amber-otter")


@pytest.mark.django_db(transaction=True)
def test_of_the_same_form_sent_many_times_at_once_one_makes_the_accounts() -> None:
    """The test writes directly to the database, as several servers would."""
    group = create_group(create_organiser())
    run_by = group.organiser
    assert run_by is not None
    hashes = [(name, "!") for name in ("Anna 7b", "Ben 7b")]
    found: list[bool] = []

    def make() -> None:
        try:
            found.append(class_accounts.create_accounts(group, run_by, "key", hashes))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [False] * 5 + [True]
    assert Member.objects.filter(group=group).count() == 3


def test_who_is_no_organiser_any_more_makes_nobody(group: Group) -> None:
    run_by = group.organiser
    assert run_by is not None
    run_by.groups.clear()
    without = Player.objects.get(pk=run_by.pk)
    with pytest.raises(Refused, match="not-allowed"):
        class_accounts.create_accounts(group, without, "key", [("Anna 7b", "!")])
    assert post_accounts(client_for(without), group, how="list", names=NAMES).status_code == 403


# -- a new password


def give(client: Client, group: Group, who: Player, token: str = "") -> Any:
    return client.post(
        f"/groups/{group.pk}/members/{who.pk}/password/", {"token": token or create_token()}
    )


def test_the_organiser_gives_a_member_a_new_password_and_their_sessions_end(group: Group) -> None:
    client = client_for(group.organiser)
    ((name, old),) = sheet(get_text(post_accounts(client, group, how="list", names="Anna 7b")))
    anna, theirs = Player.objects.get(username=name), log_in(name, old)
    assert is_logged_in(theirs)
    answer = give(client, group, anna)
    ((told, new),) = sheet(get_text(answer))
    assert told == name and new != old and "no-store" in answer.headers["Cache-Control"]
    assert not is_logged_in(theirs)
    assert not is_logged_in(log_in(name, old)) and is_logged_in(log_in(name, new))


def test_a_new_password_asked_for_twice_by_one_form_is_the_same(group: Group) -> None:
    client, token, made = client_for(group.organiser), create_token(), create_token()
    post_accounts(client, group, how="list", names="Anna 7b", token=made).getvalue()
    anna = Player.objects.get(username="Anna 7b")
    first, second = (sheet(get_text(give(client, group, anna, token))) for _ in range(2))
    assert first == second and is_logged_in(log_in(*first[0]))
    again = post_accounts(client, group, how="list", names="Anna 7b", token=made)
    assert again.status_code == 400 and "slip-password" not in get_text(again), "it holds no more"


def test_nobody_else_gets_a_password_from_an_organiser(group: Group) -> None:
    """Organisers give passwords only to pupils whose accounts were created for this group."""
    client = client_for(group.organiser)
    joined, outside = create_player("Carla Lane"), create_player("Dan Moor")
    membership.join_group(joined, group.code or "")
    post_accounts(client, group, how="list", names="Anna 7b\nBen 7b\nEva 7b\nFinn 7b").getvalue()
    staff, colleague, gone, left = (
        Player.objects.get(username=f"{name} 7b") for name in ("Anna", "Ben", "Eva", "Finn")
    )
    Player.objects.filter(pk=staff.pk).update(is_staff=True)
    colleague.groups.set(group.organiser.groups.all())  # type: ignore[union-attr]
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    membership.remove_member(group.pk, left.pk)
    for who in (joined, outside, staff, colleague, gone, left, group.organiser):
        before = Player.objects.get(pk=who.pk).password
        answer = give(client, group, who)
        assert answer.status_code == 302, who
        assert Player.objects.get(pk=who.pk).password == before


def test_a_lost_sheet_is_replaced_for_all_whose_accounts_were_made_here(group: Group) -> None:
    client, joined = client_for(group.organiser), create_player("Carla Lane")
    membership.join_group(joined, group.code or "")
    old = sheet(get_text(post_accounts(client, group, how="list", names=NAMES)))
    theirs = log_in(*old[0])
    path, form = f"/groups/{group.pk}/passwords/", {"token": create_token()}
    pieces = iter(client.post(path, form))  # type: ignore[call-overload]
    next(pieces), next(pieces)
    del pieces
    assert is_logged_in(theirs), "nothing is changed before all of it is"
    new = sheet(get_text(client.post(path, form)))
    assert [name for name, _ in new] == [name for name, _ in old]
    assert not set(new) & set(old)
    assert (
        not is_logged_in(theirs)
        and not is_logged_in(log_in(*old[1]))
        and is_logged_in(log_in(*new[1]))
    )
    assert sheet(get_text(client.post(path, form))) == new, "pressed twice"
    assert Player.objects.get(pk=joined.pk).password == joined.password


def test_who_is_removed_meanwhile_keeps_their_password(group: Group) -> None:
    client = client_for(group.organiser)
    post_accounts(client, group, how="list", names=NAMES).getvalue()
    before = dict(Player.objects.values_list("pk", "password"))
    answer = client.post(f"/groups/{group.pk}/passwords/", {"token": create_token()})
    pieces = iter(answer)  # type: ignore[call-overload]
    next(pieces), next(pieces)
    membership.remove_member(group.pk, Player.objects.get(username="Ben 7b").pk)
    assert b"slip-password" not in b"".join(pieces)
    assert dict(Player.objects.values_list("pk", "password")) == before
