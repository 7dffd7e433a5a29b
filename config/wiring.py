"""The connections between packages, made at start-up, and the background tasks of each process.

`games` does not know `lobby`, and most packages do not know each other. A package that has to call
others therefore keeps a list of functions, and this module fills all of those lists. The functions
in each list are called in the order in which they are listed.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import structlog
from allauth.account import signals as account_signals
from django.apps import apps
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core import checks
from django.db.models.signals import post_migrate

import games.checks
import games.messages.sentences
import games.review.sentences
import games.transparency_log.log
import lobby.groups.class_closing
import lobby.groups.games
import lobby.groups.membership
import lobby.ratings.rating
import lobby.ratings.refunds
import lobby.ratings.signs
import lobby.ratings.standing
import lobby.sentences
import lobby.tournaments.lifecycle_loop
import lobby.tournaments.results
import lobby.tournaments.sentences
import lobby.webhooks.deliveries
import lobby.webhooks.outbox
from config import monitoring, retention
from games import messages
from games.boards import BOARDS
from games.engine import analysis
from games.engine.schedule import Thinker
from games.engine.workers import Workers
from games.gdl.machine import Machine, load_kernel
from games.journal import events, opening
from games.journal.events import EventDelivery
from games.live import referee, rooms, sessions
from games.live.heartbeat import heart
from games.live.referee import Referee
from games.review import decisions, handling, moderators, player_search, sign_search, signs
from games.rule_sheets import storage
from games.rules import GAMES
from games.runtime.db import Unavailable, in_db_for_chores, in_db_for_reading
from games.runtime.metrics import REFEREE, ROUND
from games.runtime.tasks import Repeated
from games.store import ratings, seats, visibility
from games.store.sessions import key_changed, key_sources
from lobby.accounts import appeals, audit_events, erasure, merging, names, signup, tokens
from lobby.accounts import sessions as account_sessions
from lobby.groups import care
from lobby.players import blocks, history, staff_search
from lobby.privacy import account_deletion, export, personal_data, protection
from lobby.privacy.visibility import find_hidden_glances
from lobby.ratings import accuracy, advantage, leaderboards, levels, recount
from lobby.seeks import matchmaking, one_screen
from lobby.webhooks import registration

MATCH_EVENT_HANDLERS: tuple[events.Handler, ...] = (
    lobby.webhooks.outbox.notify_of_games,
    lobby.groups.games.note_games,
    history.note_results,
    levels.note_games,
    lobby.ratings.rating.note_results,
    lobby.tournaments.results.note_results,
    sign_search.note_results,
    games.transparency_log.log.note_results,
)
"""Functions that are called when a match starts or ends, or when its result changes."""

EXPORTED_DATA: dict[str, export.Query] = {
    "guest_names": personal_data.guest_names,
    "former_names": personal_data.former_names,
    "addresses": personal_data.email_addresses,
    "factors": personal_data.factors,
    "sessions": personal_data.sessions,
    "sign_ins_by_new_devices": personal_data.sign_ins,
    "devices": personal_data.devices,
    "seeks": personal_data.seeks,
    "client_network": personal_data.client_networks,
    "notices": personal_data.notices,
    "reports_by_me": personal_data.reports,
    "decisions_about_me": personal_data.decisions,
    "appeals": personal_data.appeals,
    "tokens": personal_data.tokens,
    "groups": personal_data.groups,
    "moves_to_other_groups": personal_data.transfers,
    "protection": personal_data.protection_changes,
    "groups_that_i_run": personal_data.organised_groups,
    "webhooks": personal_data.webhooks,
    "preferences": personal_data.preferences,
    "blocks": personal_data.blocks,
    "challenges": personal_data.challenges,
    "ratings": personal_data.ratings,
    "tournaments": personal_data.tournament_entries,
    "tournaments_that_i_run": personal_data.organised_tournaments,
}
"""The queries for the parts of the data export, with their keys in the file. The account and its
matches are always included."""

ACCOUNT_DELETION = (
    personal_data.delete_account_data,
    tokens.revoke_all_tokens,
    personal_data.delete_group_data,
    registration.remove_all_webhooks,
    personal_data.delete_profile_data,
    personal_data.leave_tournaments,
)
"""Functions that are called to delete the data of an account."""

GUEST_TRANSFER = (
    personal_data.transfer_challenges,
    lambda guest, account: history.backfill_guest(guest.pk, account.pk),
    personal_data.transfer_tournament_entries,
)
"""Functions that are called with a guest and an account when the guest logs in to the account."""

OPPONENT_CHECKS = (protection.are_strangers, blocks.have_blocked)
"""Functions that return True for two players who must not play each other."""

PLAYER_CHECKS = (care.must_not_be_paused_to_open,)
"""Functions that are called with the players of a match before it is opened. They raise `Refused`
for players who must not start a match now."""

SPEAKER_CHECKS = (care.must_not_be_muted,)
"""Functions that are called with the player who sends a phrase. They raise `Refused` if the player
may not send it."""

PROTECTION_HANDLERS = (tokens.revoke_all_tokens, registration.remove_all_webhooks)
"""Functions that are called with each player who becomes protected, in the same transaction."""

SEAT_HOLDERS = (merging.get_accounts, one_screen.get_hosts)
"""Functions that map the ids of players to the ids of other players who may act for them."""

PLAYER_SEARCHES = (
    staff_search.find_by_former_name,
    staff_search.find_by_group,
    staff_search.find_by_browser,
)
"""Functions with which moderators find players by properties other than names and networks."""

SIGNAL_RECEIVERS = (
    (user_logged_in, account_deletion.cancel_after_login),
    (user_logged_in, audit_events.limit_and_log_session),
    (user_login_failed, audit_events.log_failed_login),
    (user_logged_out, sessions.close_after_logout),
    (user_logged_out, audit_events.log_logout),
    (key_changed, sessions.follow_key_change),
    (signup.signed_up, audit_events.log_sign_up),
    (signup.guest_signed_in, audit_events.log_guest_login),
    (signup.guest_signed_in, merging.merge_after_login),
    (account_signals.user_logged_in, audit_events.end_surplus_sessions),
    (account_signals.email_confirmed, audit_events.log_confirmed_address),
    *((signal, audit_events.log_change) for signal in audit_events.CHANGES),
    *((signal, audit_events.log_failure) for signal in audit_events.FAILURES),
    (account_signals.password_changed, tokens.revoke_after_password_change),
    (account_signals.password_reset, tokens.revoke_after_password_change),
    (account_signals.password_set, tokens.revoke_after_password_change),
)

CHORES: tuple[Callable[[], object], ...] = (
    matchmaking.expire_seeks,
    names.release_alias_names,
    erasure.erase_due_accounts,
    lobby.groups.class_closing.finish_due_classes,
    account_deletion.delete_due_accounts,
    advantage.refit_advantages,
    levels.rate_levels,
    leaderboards.update_distributions,
    leaderboards.unlist_inactive_players,
)
"""The referee's tasks that run every half minute, before old rows are deleted
(`config.retention`)."""


def referee_tasks() -> tuple[Repeated, ...]:
    """Return the referee's tasks, each with its interval.

    Tasks with a check begin a round within half a second of new work, and otherwise every few
    seconds. Most tasks run on the thread for chores, so that neither commits nor deadlines wait for
    them.
    """
    log = games.transparency_log.log
    tournaments, webhooks = lobby.tournaments.lifecycle_loop, lobby.webhooks.deliveries
    checked = (
        (Repeated("referee", end_overdue_matches(), referee.EVERY), referee.is_any_overdue),
        (EventDelivery().loop, events.is_any_due),
        (
            Repeated("tournaments", tournaments.Stepping(), tournaments.EVERY),
            tournaments.is_any_due,
        ),
        (Repeated("webhooks", webhooks.Sending(), webhooks.EVERY), webhooks.is_any_due),
        (Repeated("ratings", in_pieces(recount.replay_page), 5.0), recount.is_any_scheduled),
        (Repeated("log", in_pieces(log.append_requested), 5.0), log.is_any_requested),
    )
    return (
        *(task for task, _ in checked),
        Repeated("due", call_due(checked), 0.5),
        Repeated("chores", chores(CHORES), 30.0),
        Repeated("signs", in_pieces(sign_search.Search().go_on), 30.0),
        Repeated("histories", in_pieces(history.Backfill().go_on), 5.0),
        # A server of an older release may still append to the former log.
        Repeated("former log", in_pieces(log.append_former_entries), 30.0),
    )


def follow_sheets() -> Callable[[], Awaitable[None]]:
    """Return the function that adds rule sheets which another process has stored.

    It also loads the compiled code, which takes 55 MB, once somebody plays by a rule sheet.
    """
    steps_to_load = Machine.steps

    async def work() -> None:
        await in_db_for_chores(storage.load_sheets)
        if Machine.steps > steps_to_load:
            await asyncio.to_thread(load_kernel)

    return work


async def _start_sheets(bot_processes: int) -> None:
    Repeated("rule sheets", follow_sheets(), storage.EVERY).start()


async def _start_heartbeat(bot_processes: int) -> None:
    await heart().beats()


async def _start_referee(bot_processes: int) -> None:
    for task in referee_tasks():
        task.start()


async def _start_bots(bot_processes: int) -> None:
    if bot_processes:
        Thinker(Workers(bot_processes)).start()


BACKGROUND_TASKS = {
    "serve": (_start_sheets, _start_heartbeat, _start_referee, _start_bots),
    "listen": (_start_sheets, _start_heartbeat),
    "referee": (_start_sheets, _start_referee),
    "bots": (_start_sheets, _start_bots),
}
"""The background tasks of a process besides its status report, by the command that starts it."""


async def start_background_tasks(command: str, bot_processes: int = 0) -> None:
    """Start the background tasks of this process on the running event loop."""
    Repeated("status", monitoring.report(command, bot_processes), monitoring.EVERY).start()
    for start in BACKGROUND_TASKS[command]:
        await start(bot_processes)


def connect() -> None:
    """Connect the parts of the site. This is called once, after all models are loaded."""
    events.handlers[:] = MATCH_EVENT_HANDLERS
    analysis.handlers[:] = [accuracy.store_accuracy]
    signs.sources[:] = [lobby.ratings.signs.find_signs]
    decisions.refund_handlers[:] = [lobby.ratings.refunds.refund_opponents]
    handling.appeal_sources[:] = [appeals.list_open_appeals]
    moderators.activity_sources[:] = [account_sessions.was_any_used]
    player_search.sources[:] = PLAYER_SEARCHES
    player_search.key_sources[:] = [staff_search.list_browser_keys]
    ratings.sources[:] = [lobby.ratings.standing.get_seat_ratings]
    opening.opponent_checks[:] = OPPONENT_CHECKS
    opening.player_checks[:] = PLAYER_CHECKS
    rooms.speaker_checks[:] = SPEAKER_CHECKS
    protection.handlers[:] = PROTECTION_HANDLERS
    seats.sources[:] = SEAT_HOLDERS
    key_sources[:] = [tokens.get_players_by_key]
    visibility.set_policy(find_hidden_glances)
    export.queries.update(EXPORTED_DATA)
    account_deletion.handlers[:] = ACCOUNT_DELETION
    merging.transfers[:] = GUEST_TRANSFER
    for signal, receiver in SIGNAL_RECEIVERS:
        signal.connect(receiver)
    post_migrate.connect(moderators.give_rights, sender=apps.get_app_config("games"))
    post_migrate.connect(lobby.groups.membership.give_rights, sender=apps.get_app_config("lobby"))
    checks.register(games.checks.boards_fit, "games")
    checks.register(games.checks.rules_are_sound, "rules")
    _add_sentences()


def _add_sentences() -> None:
    messages.add_sentences(games.messages.sentences.SENTENCES)
    messages.add_sentences(games.review.sentences.SENTENCES)
    messages.add_sentences(lobby.sentences.SENTENCES)
    messages.add_sentences(lobby.tournaments.sentences.SENTENCES)
    for slug, board in BOARDS.items():
        messages.add_sentences({"name": GAMES[slug].name, **board.sentences}, within=slug)


log = structlog.get_logger(__name__)

Work = Callable[[], Awaitable[float | None]]

_LEAST_PAUSE = 0.05  # the minimum number of seconds between two pieces of work


def end_overdue_matches() -> Work:
    """Return the task that ends overdue matches, and matches that a player has left."""
    referee = Referee()

    async def work() -> float:
        with ROUND.time():
            REFEREE.inc(await referee.sweep())
        return referee.pause

    return work


def call_due(checked: Sequence[tuple[Repeated, Callable[[], bool]]]) -> Work:
    """Return the task that begins rounds of other tasks when their checks find work to do.

    All checks run on one thread, one after the other. If each task queried the database on its own,
    an idle server would spend most of its time on passing the interpreter's lock between threads.
    """

    def list_due() -> list[Repeated]:
        return [task for task, is_due in checked if is_due()]

    async def work() -> None:
        for task in await in_db_for_reading(list_due):
            task.call()

    return work


def chores(functions: Sequence[Callable[[], object]]) -> Work:
    """Return the task that calls the functions one after the other, and then deletes old rows.

    If one of them fails, the others are still called.
    """

    async def work() -> None:
        for chore in (*functions, *(rule.delete_batch for rule in retention.rules())):
            try:
                await in_db_for_chores(chore)
            except Unavailable:
                pass  # the failure was counted and logged where it was raised
            except Exception:
                log.exception("chore failed", part="referee", chore=chore.__qualname__)

    return work


def in_pieces(do_piece: Callable[[], bool]) -> Work:
    """Return the task that calls a function until its work is done, with pauses in between.

    The function returns whether there is more to do. Each pause is as long as the call before it,
    because after a restart there may be days of work, and other tasks need the database too.
    """

    async def work() -> float | None:
        began = time.monotonic()
        has_more = await in_db_for_chores(do_piece)
        return max(_LEAST_PAUSE, time.monotonic() - began) if has_more else None

    return work
