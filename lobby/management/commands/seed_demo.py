"""Fill an empty site with players, simulated matches, ratings, reports, decisions and reviewers.

The ends of the matches are reported by events, as for all matches, so the site's own handlers rate
and count them.
"""

import random
import secrets
from argparse import ArgumentParser
from datetime import timedelta
from typing import IO, Any, cast

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.management import BaseCommand, CommandError, call_command
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace
from rich.console import Console
from rich.progress import Progress

from games.journal import events
from games.match.setup import Setup, why_unrated
from games.messages.guest_names import choose_guest_name
from games.messages.names import compute_name_key
from games.models import Case, Connection, Match, Move, Report
from games.review import decisions, sign_search
from games.review.demo import habits, play
from games.review.reports import store_report
from games.rules import GAMES
from games.store.audit import hash_address
from games.store.records import MatchRecord
from lobby.ratings import recount

_CLOCKS = ("", "1+0", "3+2", "5+3", "10+5")
# The names of the staff members, each with their group.
_STAFF = {"reviewer": "reviewer", "senior": "senior reviewer"}
_WORDS = {
    Report.Reason.CHEATING: "answered every move in the same time",
    Report.Reason.LOSING: "gave up with the win on the board",
    Report.Reason.STALLING: "just left",
    Report.Reason.NAME: "not a nice name",
    Report.Reason.OTHER: "please have a look at this one",
}
_SHORT_NAMES = 5000  # players whose names have two words; there are few such names
_CHUNK = 250  # matches to store, or events to handle, in one transaction
_SEARCHED = timedelta(days=60)  # matches that ended within this time are searched for signs
# the number of regular players, and the share of games between two of them
_REGULARS, _OFTEN = 8, 0.6
_RATED = 0.9  # the share of rated matches among those that can be rated


class Command(BaseCommand):
    help = "Fill the site with demo data: players, legal matches, reports and reviewers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, default=40, help="number of players (40)")
        parser.add_argument("--matches", type=int, default=1500, help="number of matches (1500)")
        parser.add_argument("--reports", type=int, default=40, help="number of reports (40)")
        parser.add_argument("--seed", type=int, default=1, help="seed of the random numbers (1)")
        parser.add_argument("--password", help="password of the reviewers (default: random)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["players"] < 2 or options["matches"] < 1:
            raise CommandError("A demo needs two players and a match.")
        call_command("migrate", interactive=False, verbosity=0)
        people = get_user_model()._default_manager
        if people.filter(username__in=_STAFF).exists():
            raise CommandError("There is a reviewer already: a demo belongs on an empty site.")
        chance = random.Random(options["seed"])  # nosec B311  # noqa: S311  # not used for secrets
        password = options["password"] or secrets.token_urlsafe(9)
        with transaction.atomic():
            staff = [_member(name, group, password) for name, group in _STAFF.items()]
            players = _players(options["players"], chance)
        console = Console(file=cast(IO[str], self.stdout), soft_wrap=True)
        with Progress(console=console, transient=True) as progress:
            task = progress.add_task("Playing", total=options["matches"])
            moves = 0
            left = options["matches"]
            matches = _matches(players, left, chance)
            while left:
                batch = [next(matches) for _ in range(min(_CHUNK, left))]
                _store(batch, chance)
                moves += sum(len(record.moves) for record in batch)
                left -= len(batch)
                progress.advance(task, len(batch))
            task = progress.add_task("Rating", total=None)
            _rate()
        reported = _reports(options["reports"], chance)
        sign_search.search_all(timezone.now() - _SEARCHED)
        _decide(staff[0], staff[1])
        _rate()
        self.stdout.write(
            f"{len(players)} players, {options['matches']} matches with {moves} moves,"
            f" {reported} reports.\n"
            f"Log in at /admin/ as “reviewer”, or as “senior”, who can also reverse decisions;"
            f" the password of both is {password}. The first log-in sets up two-step login."
        )


def _member(name: str, group: str, password: str) -> Any:
    member = get_user_model()._default_manager.create_user(
        username=name, password=password, is_staff=True
    )
    member.groups.add(Group.objects.get(name=group))
    return member


def _players(number: int, chance: random.Random) -> list[int]:
    """Create players with distinct names, and return their ids."""
    model = get_user_model()
    names: dict[str, str] = {}  # chosen names by their keys
    taken = set(model._default_manager.values_list("name_key", flat=True))
    while len(names) < number:
        name = choose_guest_name(chance, 2 if len(names) < _SHORT_NAMES else 3)
        key = compute_name_key(name)
        if key not in taken:
            names.setdefault(key, name)
    made = []
    for key, name in sorted(names.items()):
        player = model(username=name, name_key=key, last_login=timezone.now())
        player.set_unusable_password()
        made.append(player)
    model._default_manager.bulk_create(made)
    return list(
        model._default_manager.filter(name_key__in=names)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def _matches(players: list[int], number: int, chance: random.Random) -> Any:
    """Yield `number` finished matches that began within the last 60 days, oldest first."""
    manner = {player: habits(chance) for player in players}
    now = timezone.now()
    ages = sorted((chance.uniform(0.1, 60) for _ in range(number)), reverse=True)
    friends = players[:2]  # two players who play each other repeatedly
    regulars = players[:_REGULARS]
    for index, days in enumerate(ages):
        among = regulars if chance.random() < _OFTEN else players
        seats = list(friends) if index % 60 == 0 else chance.sample(among, 2)
        chance.shuffle(seats)
        first, second = seats
        game = chance.choice(list(GAMES))
        at = now - timedelta(days=days)
        both = (manner[first], manner[second])
        clock = chance.choice(_CLOCKS)
        rated = why_unrated(Setup(game, clock, rated=True)) is None and chance.random() < _RATED
        yield play(Setup(game, clock, rated=rated), (first, second), both, at, chance)


@transaction.atomic
def _store(records: list[MatchRecord], chance: random.Random) -> None:
    Match.objects.bulk_create(
        Match(**{name: getattr(r.state, name) for name in r.state.__struct_fields__})
        for r in records
    )
    Move.objects.bulk_create(
        (
            Move(
                match_id=move.match_id,
                ply=move.ply,
                role=move.role,
                action=move.action,
                at=move.at,
                spent_ms=move.spent_ms,
            )
            for record in records
            for move in record.moves
        ),
        batch_size=2000,
    )
    Connection.objects.bulk_create(
        connection for record in records for connection in _connections(record, chance)
    )
    for record in records:
        over = record.state
        assert over.ended_at is not None
        live = replace(over, status="live", ended="", first_goal=None, second_goal=None)
        events.store_events([(live, over)], over.ended_at)


def _rate() -> None:
    """Handle all events in the order in which the matches ended, and complete the ledger."""
    while events.deliver_events(_CHUNK):
        pass
    recount.replay_all()


def _connections(record: MatchRecord, chance: random.Random) -> Any:
    """Yield the connections of both players. Some are lost and restored."""
    state = record.state
    end = state.ended_at or state.created_at
    together = chance.random() < 0.01
    for seat, player in enumerate((state.first_id, state.second_id)):
        address = hash_address("together" if together else str(player))
        since = state.created_at
        while True:
            lost = chance.random() < 0.15
            until = since + (end - since) * chance.random() if lost else end
            yield Connection(
                match_id=state.id,
                seat=seat,
                server="demo",
                address=address,
                opened_at=since,
                seen_at=until,
                closed_at=until,
            )
            if not lost:
                break
            since = min(end, until + timedelta(seconds=chance.uniform(1, 8)))


def _reports(number: int, chance: random.Random) -> int:
    """Create reports about players who resigned, aborted or ran out of time, by their opponents.

    Return the number of reports created, at most `number`.
    """
    odd = list(
        Match.objects.filter(ended__in=["resignation", "aborted", "time"])
        .order_by("-created_at")
        .values_list("pk", "first", "second", "ended_by")[: number * 3]
    )
    made = 0
    for match_id, first, second, ended_by in odd:
        if made == number:
            break
        whom, by = (first, second) if ended_by == 0 else (second, first)
        reason = chance.choice(list(_WORDS))
        if Report.objects.filter(by=by).count() < 5:
            store_report(by, match_id, whom, reason, _WORDS[reason])
            made += 1
    return made


def _decide(reviewer: Any, senior: Any) -> None:
    """Make up to three decisions, of which one is reversed, as examples for the log."""
    cases = list(Case.objects.exclude(match=None).select_related("match")[:3])
    for case, how in zip(cases, ("void", "warn", "correct"), strict=False):
        assert case.match is not None
        if how == "void":
            made = decisions.void_match(reviewer, case.match.pk, "Both left at once.", 0)
            decisions.reverse_decision(
                senior, made.pk, "The connections show that only one of them left."
            )
        elif how == "warn":
            decisions.warn_player(
                reviewer, case.player_id, "Please do not leave matches.", 0, case.match_id
            )
        elif case.match.status == Match.Status.OVER:
            decisions.correct_result(
                reviewer, case.match.pk, "Resigned by accident in a drawn position.", 0, (50, 50)
            )
