"""Creation of a tournament from an API request, in the same way as from the site's form."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone
from msgspec.structs import fields

from games.match.setup import Setup
from games.messages import build_message, render_english
from games.messages.refusal import Refused
from games.rules import DEFAULT_GAME
from lobby.api.schemas.tournaments import NewEvent
from lobby.models import Player, Tournament
from lobby.models.tournament import LONGEST_TITLE
from lobby.tournaments import series
from lobby.tournaments.draft import BadDraftError, Draft, create_tournament

Registration = Tournament.Registration

_SOON = 5  # the default number of minutes until the start
_WEEK = 7  # days
_ASKED = {"about": "description", "kind": "system", "setup": "variant", "starts_at": "start_date"}
"""The fields of a draft whose names in `NewEvent` are different."""
_SHOWN = {each.name: each.encode_name for each in fields(NewEvent)}


def made_of(player: Player, asked: NewEvent) -> Tournament:
    """Create a tournament, with its series if it is weekly.

    Raise `Refused` if a field is invalid. The refusal's `where` has the names of the invalid
    fields.
    """
    try:
        made = create_tournament(player, _draft(player, asked))
    except BadDraftError as error:
        why = next(iter(error.faults.values()))
        where = " ".join(_SHOWN[_ASKED.get(name, name)] for name in error.faults)
        raise Refused(why.code, **{**why.params, "where": where}) from None
    if asked.weekly:
        series.create_series(player, made.pk, made.name, _WEEK, min(asked.best, series.MOST))
        made.refresh_from_db()
    return made


def _draft(player: Player, asked: NewEvent) -> Draft:
    name = (
        asked.name
        or render_english(build_message("tournament.of", name=player.name))[:LONGEST_TITLE]
    )
    group = asked.group or None
    ties = [each.strip() for each in (asked.tie_breaks or "").split(",") if each.strip()]
    return Draft(
        name=name,
        kind=asked.system,
        setup=Setup(
            asked.variant or DEFAULT_GAME.slug, _clock(asked), asked.options, bool(asked.rated)
        ),
        starts_at=_start(asked),
        about=asked.description or "",
        rounds=asked.rounds or 0,
        is_double=asked.is_double,
        minutes=asked.minutes or 0,
        best_of=asked.best_of,
        third_place=asked.third_place,
        tie_breaks=tuple(ties) or None,
        registration=asked.registration or (Registration.GROUP if group else Registration.OPEN),
        group_id=group,
        guests=asked.guests,
        bots=asked.bots,
        lowest=asked.lowest,
        highest=asked.highest,
        most=asked.most,
        opens_at=None if asked.opens_at is None else _moment(asked.opens_at),
        check_in_minutes=asked.check_in_minutes,
        pace=asked.pace,
        round_minutes=asked.round_minutes,
        late_minutes=asked.late_minutes,
    )


def _clock(asked: NewEvent) -> str:
    if not asked.clock_time and not asked.clock_increment:
        return ""
    return f"{asked.clock_time or 0}+{asked.clock_increment or 0}"


def _start(asked: NewEvent) -> datetime:
    if asked.start_date is not None:
        return _moment(asked.start_date)
    wait = _SOON if asked.wait_minutes is None else asked.wait_minutes
    return timezone.now() + timedelta(minutes=wait)


def _moment(millis: int) -> datetime:
    return datetime.fromtimestamp(millis / 1000, UTC)
