"""Drafts: the settings with which a tournament is created, or edited before it starts."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import asdict

from games.match.setup import Setup, checked
from games.messages.refusal import Refused
from games.runtime.ids import derive_id, new_id
from games.store.suspensions import get_suspension
from lobby.groups.codes import create_code
from lobby.groups.membership import can_manage as runs_group
from lobby.models import Entry, Group, Player, Tournament
from lobby.models.seek import HIGHEST, LOWEST
from lobby.seeks.rated import build_rating_range
from lobby.tournaments.locking import locked_for_update, log_action, must_be_manager
from lobby.tournaments.names import clean_description, clean_title
from lobby.tournaments.pairing.standings import ALLOWED, DEFAULTS, TIE_BREAKS
from lobby.tournaments.rounds import remove_misplaced_players
from lobby.tournaments.states import Act, must_be_allowed

Kind, State = Tournament.Kind, Tournament.State
Registration, Pace = Tournament.Registration, Tournament.Pace

MOST_PLAYERS: Mapping[str, int] = {
    Kind.ROUND_ROBIN: 40,
    Kind.SWISS: 1000,
    Kind.KNOCKOUT: 256,
    Kind.ARENA: 1000,
}
"""The highest number of players for each kind of tournament."""

MOST_ROUNDS = 20
LONGEST_ARENA = 12 * 60  # minutes
LONGEST_ROUND = 7 * 24 * 60  # minutes
LONGEST_WAIT = 24 * 60  # minutes of check-in, or until an absent player forfeits
BEST_OF = (1, 3, 5, 7)
_AHEAD = timedelta(days=366)
_FORM_LIFETIME = timedelta(minutes=10)  # how long a repeated form creates no second tournament
_JUST_NOW = timedelta(minutes=2)  # a time that is at most this far in the past counts as now


class Draft(Struct, frozen=True):
    """The settings of a tournament, as the organiser enters them.

    If `tie_breaks` is None, the defaults of the kind apply; tie-breaks that the kind does not have
    are ignored. If `most` is None, the limit of the kind applies.
    """

    name: str
    kind: str
    setup: Setup
    starts_at: datetime
    about: str = ""
    rounds: int = 0
    is_double: bool = False
    minutes: int = 0
    best_of: int = 1
    third_place: bool = False
    tie_breaks: tuple[str, ...] | None = None
    registration: str = Registration.OPEN
    group_id: str | None = None
    guests: bool = False
    bots: bool = False
    lowest: int | None = None
    highest: int | None = None
    most: int | None = None
    opens_at: datetime | None = None
    check_in_minutes: int = 0
    pace: str = Pace.READY
    round_minutes: int = 0
    late_minutes: int = 5


class BadDraftError(Exception):
    """The draft is invalid. `faults` has a refusal for each invalid field."""

    def __init__(self, faults: Mapping[str, Refused]) -> None:
        super().__init__(", ".join(f"{field}: {why.code}" for field, why in faults.items()))
        self.faults = faults


def find_faults(draft: Draft, now: datetime) -> dict[str, Refused]:
    """Return a dictionary that maps the name of each invalid field of the draft to its refusal."""
    found: dict[str, Refused] = {}
    for field, check in _CHECKS.items():
        try:
            check(draft, now)
        except Refused as refusal:
            found[field] = refusal
    return found


def create_tournament(organiser: Player, draft: Draft, form: str = "") -> Tournament:
    """Create a tournament that is announced, or already open for registration.

    `form` identifies the submitted form. If it created a tournament in the last few minutes, that
    tournament is returned. Raise `BadDraftError` if a setting is invalid, and `Refused` if the
    player cannot organise it (see `must_be_able_to_run`) or has too many unfinished tournaments.
    """
    now = timezone.now()
    must_be_able_to_run(organiser, draft.group_id)
    if faults := find_faults(draft, now):
        raise BadDraftError(faults)
    with transaction.atomic():
        list(Player.objects.select_for_update(no_key=True).filter(pk=organiser.pk))
        pk = derive_id("tournament", str(organiser.pk), form) if form else new_id()
        known = Tournament.objects.filter(pk=pk).first()
        if known is not None and known.made_at > now - _FORM_LIFETIME:
            return known
        _must_have_room(organiser)
        tournament = Tournament(
            pk=pk if known is None else new_id(),
            organiser=organiser,
            made_at=now,
            due_at=now,
            state=State.ANNOUNCED,
            **_get_columns(draft),
        )
        if draft.registration == Registration.CODE:
            tournament.code = create_code()
        tournament.save(force_insert=True)
        log_action(tournament, organiser, "event.made")
        if not _opens_later(tournament.opens_at, now):
            _open_registration(tournament)
            tournament.save(update_fields=["state"])
    return tournament


def update_tournament(by: Player, tournament_id: str, draft: Draft) -> Tournament:
    """Change the settings of a tournament that has not started.

    Registered players stay registered, except those that `remove_misplaced_players` removes.
    Raise `BadDraftError` if a setting is invalid, and `Refused` if the change is not allowed.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.EDIT)
        if draft.group_id != tournament.group_id:
            must_be_able_to_run(by, draft.group_id)
        now = timezone.now()
        if faults := _find_faults_of_change(tournament, draft, now):
            raise BadDraftError(faults)
        moved = draft.starts_at != tournament.starts_at
        reopened = draft.opens_at != tournament.opens_at
        for name, value in _get_columns(draft).items():
            setattr(tournament, name, value)
        remove_misplaced_players(tournament)
        if draft.registration != Registration.CODE:
            tournament.code = None
        elif tournament.code is None:
            tournament.code = create_code()
        if moved:
            # Players who checked in for the old start must check in again.
            tournament.state = State.REGISTRATION
            tournament.entries.update(checked_in_at=None)
        if moved or reopened:
            _follow_opening_time(tournament, now)
        log_action(tournament, by, "event.edited")
    return tournament


def update_description(by: Player, tournament_id: str, name: str, text: str) -> Tournament:
    """Change the name and the description, unless the tournament was cancelled.

    Raise `Refused` if this is not allowed, or if a text is invalid.
    """
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        must_be_allowed(tournament, Act.DESCRIBE)
        tournament.name, tournament.about = clean_title(name), clean_description(text)
        log_action(tournament, by, "event.described")
    return tournament


def _get_columns(draft: Draft) -> dict[str, object]:
    """Return a dictionary that maps names of the tournament's columns to the values of a draft."""
    given = asdict(draft)
    defaults = DEFAULTS[draft.kind]  # type: ignore[index]  # _check_kind has checked the kind
    setup = given.pop("setup")
    allowed = ALLOWED[draft.kind]  # type: ignore[index]  # _check_kind has checked the kind
    ties = given.pop("tie_breaks")
    ties = defaults if ties is None else [each for each in ties if each in allowed]
    range_ = build_rating_range(given.pop("lowest"), given.pop("highest"))
    most = given.pop("most") or MOST_PLAYERS[draft.kind]
    return {
        **given,
        **asdict(setup),
        **asdict(range_),
        "name": clean_title(draft.name),
        "about": clean_description(draft.about),
        "tie_breaks": ",".join(ties),
        "most": most,
        "rounds": draft.rounds if draft.kind == Kind.SWISS else 0,
        "minutes": draft.minutes if draft.kind == Kind.ARENA else 0,
        "best_of": draft.best_of if draft.kind == Kind.KNOCKOUT else 1,
        "third_place": draft.third_place and draft.kind == Kind.KNOCKOUT,
        "is_double": draft.is_double and draft.kind == Kind.ROUND_ROBIN,
        "bots": draft.bots and draft.kind == Kind.ARENA,
    }


def _find_faults_of_change(
    tournament: Tournament, draft: Draft, now: datetime
) -> dict[str, Refused]:
    """Return the refusals of a changed draft, as `find_faults` does.

    An opening time in the past is valid if it was not changed. A new opening time cannot be in the
    future if players have already registered.
    """
    found = find_faults(draft, now)
    if draft.opens_at == tournament.opens_at:
        if "opens_at" in found and found["opens_at"].code == "in-the-past":
            del found["opens_at"]
    elif "opens_at" not in found and _opens_later(draft.opens_at, now) and _has_players(tournament):
        found["opens_at"] = Refused("opened-already")
    return found


def _follow_opening_time(tournament: Tournament, now: datetime) -> None:
    """Open the registration if the opening time has come.

    Close it if the opening time is now in the future and nobody has registered yet.
    """
    if _opens_later(tournament.opens_at, now):
        if not _has_players(tournament):
            tournament.state = State.ANNOUNCED
    elif tournament.state == State.ANNOUNCED:
        _open_registration(tournament)


def _open_registration(tournament: Tournament) -> None:
    tournament.state = State.REGISTRATION
    log_action(tournament, None, "event.registration")


def _opens_later(opens_at: datetime | None, now: datetime) -> bool:
    return opens_at is not None and opens_at > now


def _has_players(tournament: Tournament) -> bool:
    return tournament.entries.filter(state=Entry.State.IN).exists()


def must_be_able_to_run(organiser: Player, group_id: str | None) -> None:
    """Raise `Refused` if the player cannot organise a tournament, or does not run its group.

    Guests, suspended players, inactive accounts and the computer cannot organise tournaments.
    """
    if organiser.is_guest or not organiser.is_active or organiser.bot_level is not None:
        raise Refused("not-allowed")
    if get_suspension(organiser.pk) is not None:
        raise Refused("suspended-now")
    if group_id is not None:
        group = Group.objects.filter(pk=group_id).first()
        if group is None or not runs_group(organiser, group):
            raise Refused("not-allowed")


def _must_have_room(organiser: Player) -> None:
    mine = Tournament.objects.filter(organiser=organiser).exclude(
        state__in=[State.OVER, State.CALLED_OFF]
    )
    if mine.count() >= settings.UNFINISHED_TOURNAMENTS_PER_ORGANISER:
        raise Refused("many-tournaments", most=settings.UNFINISHED_TOURNAMENTS_PER_ORGANISER)


# -- checks of single fields


def _check_kind(draft: Draft, _: datetime) -> None:
    if draft.kind not in Kind.values:
        raise Refused("malformed")


def _check_setup(draft: Draft, _: datetime) -> None:
    setup = draft.setup
    try:
        checked(setup.game, setup.clock, setup.options, setup.rated)
    except ValueError:
        raise Refused("malformed") from None
    if draft.kind == Kind.ARENA and not setup.clock:
        raise Refused("arena-clock")


def _check_rounds(draft: Draft, _: datetime) -> None:
    if draft.kind == Kind.SWISS:
        _must_be_within(draft.rounds, 1, MOST_ROUNDS)
        if draft.most is not None and draft.rounds >= draft.most:
            raise Refused("rounds-players", rounds=draft.rounds, most=draft.most)


def _check_minutes(draft: Draft, _: datetime) -> None:
    if draft.kind == Kind.ARENA:
        _must_be_within(draft.minutes, 1, LONGEST_ARENA)


def _check_best_of(draft: Draft, _: datetime) -> None:
    if draft.best_of not in BEST_OF:
        raise Refused("malformed")


def _check_ties(draft: Draft, _: datetime) -> None:
    ties = draft.tie_breaks or ()
    if len(set(ties)) != len(ties) or not set(ties) <= set(TIE_BREAKS):
        raise Refused("malformed")


def _check_registration(draft: Draft, _: datetime) -> None:
    if draft.registration not in Registration.values:
        raise Refused("malformed")
    if (draft.registration == Registration.GROUP) != (draft.group_id is not None):
        raise Refused("event-group")


def _check_guests(draft: Draft, _: datetime) -> None:
    if draft.guests and draft.setup.rated:
        raise Refused("rated-account")


def _check_bots(draft: Draft, _: datetime) -> None:
    if not draft.bots or draft.kind != Kind.ARENA:
        return
    if draft.setup.rated:
        raise Refused("bots-rated")
    if draft.group_id and Group.objects.filter(pk=draft.group_id, for_minors=True).exists():
        raise Refused("bots-minors")


def _check_range(draft: Draft, _: datetime) -> None:
    try:
        build_rating_range(draft.lowest, draft.highest)
    except ValueError:
        raise Refused("nobody-fits", least=LOWEST, most=HIGHEST) from None


def _check_most(draft: Draft, _: datetime) -> None:
    if draft.most is not None:
        _must_be_within(draft.most, 2, MOST_PLAYERS.get(draft.kind, 2))


def _check_start(draft: Draft, now: datetime) -> None:
    if draft.starts_at < now - _JUST_NOW:
        raise Refused("in-the-past")
    if draft.starts_at > now + _AHEAD:
        raise Refused("too-far")


def _check_opening(draft: Draft, now: datetime) -> None:
    if draft.opens_at is None:
        return
    check_in = timedelta(minutes=min(draft.check_in_minutes, LONGEST_WAIT))
    if draft.opens_at >= draft.starts_at - check_in:
        raise Refused("opens-late")
    if draft.opens_at < now - _JUST_NOW:
        raise Refused("in-the-past")


def _check_check_in(draft: Draft, _: datetime) -> None:
    _must_be_within(draft.check_in_minutes, 0, LONGEST_WAIT)


def _check_pace(draft: Draft, _: datetime) -> None:
    if draft.pace not in Pace.values:
        raise Refused("malformed")
    if draft.pace == Pace.TIMED and not draft.round_minutes:
        raise Refused("round-minutes")
    _must_be_within(draft.round_minutes, 0, LONGEST_ROUND)


def _check_late(draft: Draft, _: datetime) -> None:
    _must_be_within(draft.late_minutes, 1, LONGEST_WAIT)


def _must_be_within(number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise Refused("number-between", least=least, most=most)


_CHECKS = {
    "name": lambda draft, _: clean_title(draft.name),
    "about": lambda draft, _: clean_description(draft.about),
    "kind": _check_kind,
    "setup": _check_setup,
    "rounds": _check_rounds,
    "minutes": _check_minutes,
    "best_of": _check_best_of,
    "tie_breaks": _check_ties,
    "registration": _check_registration,
    "guests": _check_guests,
    "bots": _check_bots,
    "lowest": _check_range,
    "most": _check_most,
    "starts_at": _check_start,
    "opens_at": _check_opening,
    "check_in_minutes": _check_check_in,
    "round_minutes": _check_pace,
    "late_minutes": _check_late,
}
"""The functions that check the fields of a draft. Each raises `Refused` for an invalid value."""
