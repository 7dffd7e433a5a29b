"""Mistakes that the tests must catch: a list of one-line faults, and a program that tries them.

`python -m tests.bench.faults` runs the tests named by the faults once as they should pass. Then it
applies each fault, runs its tests, and expects them to fail. It works on copies of the checkout,
uncommitted changes included, so it never changes the checkout itself.
"""

import argparse
import ast
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
_FAILED = 1  # the exit status of pytest, and of Node, if tests failed
_TIMEOUT = 240  # seconds for a test of a faulty site, which may wait for something forever
_PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
_COLLECT = "--collect-only"
_NODE = ["node", "--test", "--import", "./page.js"]  # as in tests/static/package.json


class Fault(NamedTuple):
    """A mistake: `old`, which occurs once in the file, is replaced with `new`.

    Then at least one of `tests` fails. Each of them is a test function,
    "tests/….py::test_…", or a file of the scripts' tests, "tests/static/….test.js".
    """

    name: str
    path: str
    old: str
    new: str
    tests: tuple[str, ...]


FAULTS = (
    Fault(
        "six-needs-one-free-end",
        "games/rules/six_in_a_row.py",
        "return sixes & ~(taken << step) & ~(taken >> LENGTH * step)",
        "return sixes & ~(taken << step)",
        (
            "tests/games/rules/test_six_in_a_row.py::test_a_line_wins_if_it_is_exactly_six_and_free_at_both_ends",
        ),
    ),
    Fault(
        "dots-box-ends-the-turn",
        "games/rules/dots_and_boxes.py",
        "self.o_boxes | won, False)",
        "self.o_boxes | won, True)",
        (
            "tests/games/rules/test_goals_and_lines.py::test_a_box_is_owned_by_the_one_who_closed_it",
            "tests/games/rules/test_against_openspiel.py::test_dots_and_boxes_is_openspiels",
        ),
    ),
    Fault(
        "board-swaps-column-and-row",
        "games/boards/parallel_tic_tac_toe.py",
        'f"{x + 1} {y + 1}"',
        'f"{y + 1} {x + 1}"',
        (
            "tests/games/boards/test_boards.py::test_the_touched_elements_hold_all_that_an_action_changes",
        ),
    ),
    Fault(
        "clock-forgets-the-increment",
        "games/match/clock.py",
        "left_ms - charge_ms + increment_ms",
        "left_ms - charge_ms",
        (
            "tests/games/match/test_clock.py::test_the_increment_is_added_once_and_what_is_too_late_is_none",
        ),
    ),
    Fault(
        "flag-falls-before-the-lag",
        "games/match/ends.py",
        " + timedelta(milliseconds=context.limits.lag_ms)",
        "",
        (
            "tests/games/match/test_ends.py::test_the_others_time_is_claimed_once_no_delay_can_excuse_it",
        ),
    ),
    Fault(
        "resigning-wins",
        "games/match/ends.py",
        '"resignation", _won_by(1 - seat)',
        '"resignation", _won_by(seat)',
        ("tests/games/match/test_ends.py::test_who_resigns_loses_and_it_is_known_who_ended_it",),
    ),
    Fault(
        "action-for-a-later-ply",
        "games/match/play.py",
        "if command.ply != state.ply:",
        "if command.ply < state.ply:",
        ("tests/games/match/test_play.py::test_what_cannot_be_played_is_refused_by_its_reason",),
    ),
    Fault(
        "journal-misses-a-conflict",
        "games/journal/transaction.py",
        "if cursor.rowcount != len(parameters):",
        "if cursor.rowcount > len(parameters):",
        (
            "tests/games/journal/test_transaction.py::test_an_accepted_command_without_a_move_is_stored_too",
        ),
    ),
    Fault(
        "journal-misses-a-conflict-on-postgresql",
        "games/journal/postgres_writes.py",
        "return locked.rowcount == len(read)",
        "return locked.rowcount <= len(read)",
        (
            "tests/games/journal/test_postgres_writes.py::test_one_conflict_rolls_back_the_whole_batch",
        ),
    ),
    Fault(
        "journal-locks-in-any-order",
        "games/journal/postgres_writes.py",
        '" ORDER BY id FOR NO KEY UPDATE OF games_match"',
        '" ORDER BY id DESC FOR NO KEY UPDATE OF games_match"',
        (
            "tests/games/journal/test_postgres_writes.py::test_matches_are_locked_in_the_order_of_their_ids",
        ),
    ),
    Fault(
        "referee-sweeps-while-down",
        "games/journal/transaction.py",
        " and heartbeat.seems_down()",
        " and not heartbeat.seems_down()",
        (
            "tests/games/journal/test_transaction.py::test_nobody_loses_on_time_while_the_site_is_down",
        ),
    ),
    Fault(
        "suspended-players-act",
        "games/journal/transaction.py",
        "select_suspended_rows(cursor, _players(requests), times[now])",
        "set()",
        (
            "tests/games/review/test_decisions.py::test_a_suspended_player_neither_seeks_nor_acts_until_it_is_over_or_lifted",
        ),
    ),
    Fault(
        "blocked-player-gets-a-rematch",
        "games/journal/transaction.py",
        "if are_apart(people):",
        "if are_apart(people[:1]):",
        ("tests/lobby/players/test_blocks.py::test_a_rematch_is_not_even_asked_for",),
    ),
    Fault(
        "events-out-of-order",
        "games/journal/events.py",
        "earlier.version < due.version",
        "earlier.version > due.version",
        (
            "tests/games/journal/test_events.py::test_events_are_delivered_once_and_in_order_per_match",
        ),
    ),
    Fault(
        "one-match-more-in-a-minute",
        "games/journal/opening.py",
        'found["minute"] >= settings',
        'found["minute"] > settings',
        ("tests/lobby/test_one_screen.py::test_suspended_or_busy_players_begin_no_match",),
    ),
    Fault(
        "digest-leaves-out-a-goal",
        "games/store/digests.py",
        "|{state.first_goal}|{state.second_goal}",
        "|{state.first_goal}|{state.first_goal}",
        ("tests/games/store/test_digests.py::test_the_digest_depends_on_all_of_the_result",),
    ),
    Fault(
        "room-takes-an-older-state",
        "games/live/room.py",
        "if state.version <= self.state.version:",
        "if state.version == self.state.version:",
        ("tests/games/live/test_room.py::test_an_older_state_never_replaces_a_newer_one",),
    ),
    Fault(
        "claim-by-who-left",
        "games/live/protocol.py",
        "if around.abandoned[other]:",
        "if around.abandoned[seats[0]]:",
        (
            "tests/games/live/test_state_frame.py::test_who_was_left_alone_may_claim_the_match_and_the_other_may_not",
        ),
    ),
    Fault(
        "closed-account-keeps-its-sockets",
        "games/live/sessions.py",
        "pk__in=players - anew, is_active=True",
        "pk__in=players - anew",
        (
            "tests/games/live/test_sessions.py::test_a_socket_ends_with_its_session_and_its_account_and_others_are_left_alone",
        ),
    ),
    Fault(
        "sockets-of-any-origin",
        "config/asgi.py",
        "URLRouter(websocket_urlpatterns), settings.ALLOWED_ORIGINS",
        'URLRouter(websocket_urlpatterns), ["*"]',
        ("tests/games/live/test_match_socket.py::test_a_socket_of_another_origin_is_not_opened",),
    ),
    Fault(
        "range-of-one-side-alone",
        "lobby/seeks/pool.py",
        "and other.lowest <= one.rating <= other.highest",
        "",
        ("tests/lobby/seeks/test_waves.py::test_blocks_and_rating_ranges_prevent_a_pair",),
    ),
    Fault(
        "anybody-accepts-a-challenge",
        "lobby/seeks/challenges.py",
        "filter(pk=challenge_id, challenged=player_id).first()",
        "filter(pk=challenge_id).first()",
        (
            "tests/lobby/seeks/test_challenges.py::test_only_the_challenged_answers_and_only_the_challenger_withdraws",
        ),
    ),
    Fault(
        "advantage-for-both",
        "lobby/ratings/glicko.py",
        "1 - score, -advantage",
        "1 - score, advantage",
        ("tests/lobby/ratings/test_glicko.py::test_it_is_the_same_from_the_other_side",),
    ),
    Fault(
        "refund-of-what-was-won",
        "lobby/ratings/refunds.py",
        "side.before.rating - side.after.rating",
        "side.after.rating - side.before.rating",
        ("tests/lobby/ratings/test_refunds.py::test_opponents_get_back_what_they_lost_lately",),
    ),
    Fault(
        "minors-on-leaderboards",
        "lobby/ratings/leaderboards.py",
        'build_public_condition("player"), game=game, listed_until__gt=now',
        "game=game, listed_until__gt=now",
        (
            "tests/lobby/ratings/test_leaderboards.py::test_minors_are_on_no_leaderboard_and_see_their_own_place",
        ),
    ),
    Fault(
        "return-games-with-the-same-sides",
        "lobby/tournaments/pairing/berger.py",
        "tuple((second, first) for first, second in each)",
        "tuple((first, second) for first, second in each)",
        ("tests/lobby/tournaments/pairing/test_berger.py::test_two_meet_once_or_with_each_side",),
    ),
    Fault(
        "cut-the-highest-score",
        "lobby/tournaments/pairing/tie_breaks.py",
        "lowest = min(willing",
        "lowest = max(willing",
        ("tests/lobby/tournaments/pairing/test_tie_breaks.py::test_a_swiss",),
    ),
    Fault(
        "tournament-takes-one-too-many",
        "lobby/tournaments/registration.py",
        "if others.count() >= tournament.most:",
        "if others.count() > tournament.most:",
        (
            "tests/lobby/tournaments/test_entering.py::test_a_tournament_takes_no_more_than_it_has_room_for",
        ),
    ),
    Fault(
        "every-casual-arena-admits-bots",
        "lobby/models/tournament.py",
        "return self.bots and self.is_arena",
        "return self.is_arena",
        ("tests/lobby/tournaments/test_arena_bots.py::test_bots_join_only_arenas_that_admit_them",),
    ),
    Fault(
        "bots-in-groups-for-minors",
        "lobby/models/tournament.py",
        "not self.rated and not self.is_for_minors",
        "not self.rated",
        (
            "tests/lobby/tournaments/test_arena_bots.py::test_no_tournament_of_a_group_for_minors_admits_bots",
        ),
    ),
    Fault(
        "any-scope-will-do",
        "lobby/api/caller.py",
        "caller.scopes.isdisjoint(needs)",
        "not caller.scopes",
        ("tests/lobby/api/test_paths.py::test_each_scope_opens_what_names_it_and_nothing_else",),
    ),
    Fault(
        "guests-make-tokens",
        "lobby/accounts/tokens.py",
        "owner is None or owner.is_guest or",
        "owner is None or",
        ("tests/lobby/api/test_tokens.py::test_bounds",),
    ),
    Fault(
        "clubs-open-minors",
        "lobby/privacy/visibility.py",
        "Q(group__for_minors=True), player__in=players",
        "player__in=players",
        (
            "tests/lobby/privacy/test_protection.py::test_a_club_of_adults_does_not_list_its_protected_members",
        ),
    ),
    Fault(
        "conditions-forget-the-friend",
        "lobby/privacy/visibility.py",
        '("", "alias_of", "beside", "beside__alias_of")',
        '("", "alias_of", "beside__alias_of")',
        ("tests/lobby/privacy/test_visibility.py::test_conditions_say_the_same_as_the_policy",),
    ),
    Fault(
        "one-of-two-organisers-lifts",
        "lobby/privacy/protection.py",
        "organisers == {by.pk} and",
        "by.pk in organisers and",
        (
            "tests/lobby/privacy/test_protection.py::test_protection_is_lifted_by_their_only_organiser_or_by_staff",
        ),
    ),
    Fault(
        "opponent-reads-the-hidden-name",
        "games/store/visibility.py",
        "HIDDEN_NAME if masks[1] and names[1] != DELETED_NAME else names[1]",
        "names[1]",
        (
            "tests/lobby/privacy/test_visibility.py::test_the_opponent_reads_another_name_whichever_seat_is_hers",
        ),
    ),
    Fault(
        "decides-on-the-own-match",
        "games/review/decisions.py",
        "Match.objects.filter(match_players_filter(get_aliases(by.pk)), pk=match_id)",
        "Match.objects.filter(match_players_filter(get_aliases(by.pk)), pk=None)",
        (
            "tests/games/review/test_decisions.py::test_nobody_decides_on_their_own_match_or_on_staff",
        ),
    ),
    Fault(
        "late-reports-are-closed-too",
        "games/review/handling.py",
        "cases = cases.exclude(reports__pk__gt=seen.report)",
        "cases = cases.exclude(reports__pk__gt=seen.report + 99)",
        ("tests/games/review/test_handling.py::test_what_comes_in_meanwhile_stays_open",),
    ),
    Fault(
        "one-report-more-a-day",
        "games/review/reports.py",
        "today.count() >= settings",
        "today.count() > settings",
        ("tests/games/review/test_reports.py::test_nobody_reports_more_than_five_times_a_day",),
    ),
    Fault(
        "visitors-are-offered-to-block",
        "templates/lobby/player.html",
        "{% if may.block %}",
        "{% if not is_self %}",
        (
            "tests/lobby/views/test_players_pages.py::test_a_profile_tells_what_was_played_and_how_it_went",
        ),
    ),
    Fault(
        "match-page-lacks-the-role",
        "templates/games/match.html",
        'data-role="{{ role }}"',
        'data-role="{{ state.turn }}"',
        ("tests/lobby/test_pages.py::test_playing_with_a_friend",),
    ),
    Fault(
        "script-swaps-won-and-lost",
        "static/js/shared/messages.js",
        '"won" : "lost"',
        '"lost" : "won"',
        ("tests/static/js/shared/messages.test.js",),
    ),
    Fault(
        "clock-counts-the-wrong-way",
        "static/js/match/seats.js",
        "now - clock.since",
        "clock.since - now",
        ("tests/static/js/match/seats.test.js",),
    ),
    Fault(
        "replay-goes-back-two",
        "static/js/board/replay.js",
        "show(shown - 1)",
        "show(shown - 2)",
        (
            "tests/browser/test_pages.py::test_a_finished_match_is_stepped_through_with_buttons_keys_slider_and_list",
        ),
    ),
    Fault(
        "bucket-overflows",
        "games/runtime/budget.py",
        "return min(self._burst, self._tokens + (now - self._at) * self._per_second)",
        "return self._tokens + (now - self._at) * self._per_second",
        ("tests/games/runtime/test_fair_queue.py::test_a_bucket_holds_a_burst_and_fills_evenly",),
    ),
    Fault(
        "batch-serves-the-last-served-first",
        "games/runtime/fair_queue.py",
        "client_network = min(client_networks, key=self._when)",
        "client_network = max(client_networks, key=self._when)",
        ("tests/games/runtime/test_fair_queue.py::test_the_requester_served_longest_ago_is_next",),
    ),
    Fault(
        "reader-of-nothing-is-waited-for",
        "config/server/connections.py",
        "if known.unread < before and",
        "if known.unread <= before and",
        (
            "tests/config/server/test_connections.py::test_a_slow_reader_is_waited_for_and_one_that_reads_nothing_is_closed",
        ),
    ),
    Fault(
        "inline-scripts-run",
        "config/settings.py",
        '"script-src": [SELF]',
        '"script-src": [SELF, "\'unsafe-inline\'"]',
        ("tests/lobby/test_pages.py::test_pages_carry_a_strict_policy_and_no_inline_script",),
    ),
    Fault(
        "tries-count-for-the-address-alone",
        "lobby/accounts/limits.py",
        '"login", account, minutes',
        '"login", where, minutes',
        ("tests/lobby/accounts/test_login.py::test_an_account_is_tried_a_few_times_from_wherever",),
    ),
    Fault(
        "logout-leaves-sockets-open",
        "games/live/sessions.py",
        "async_to_sync(end_everywhere)([key])",
        "async_to_sync(end_everywhere)([])",
        (
            "tests/games/live/test_session_checks.py::test_logging_out_closes_the_sockets_of_the_session_at_once",
        ),
    ),
    Fault(
        "frames-have-no-limit",
        "games/live/sockets.py",
        "return self._frames.try_take(1, time.monotonic())",
        "return self._frames.try_take(0, time.monotonic())",
        (
            "tests/games/live/test_match_socket.py::test_frames_that_come_too_fast_are_refused_and_a_flood_is_closed",
        ),
    ),
    Fault(
        "rematch-keeps-the-roles",
        "games/journal/transaction.py",
        "get_rematch_players(state.second_id, state.first_id)",
        "now_played_by(state.first_id, state.second_id)",
        (
            "tests/games/live/test_player_commands.py::test_a_rematch_swaps_the_roles_once_and_tells_the_watchers",
        ),
    ),
    Fault(
        "seeks-of-other-clocks-meet",
        "lobby/seeks/matchmaking.py",
        ".filter(**asdict(own.setup), group=own.group_id,",
        ".filter(game=own.game, group=own.group_id,",
        (
            "tests/lobby/seeks/test_matchmaking.py::test_only_seeks_for_the_same_game_and_clock_are_candidates",
        ),
    ),
    Fault(
        "frontier-swaps-its-nodes",
        "games/transparency_log/merkle_tree.py",
        "self._peaks.append(node_hash(left, right))",
        "self._peaks.append(node_hash(right, left))",
        (
            "tests/games/transparency_log/test_log.py::test_the_frontier_grows_as_the_tree_over_all_entries",
        ),
    ),
    Fault(
        "sgf-swaps-the-winner",
        "games/formats/sgf.py",
        "{'B' if own > other else 'W'}",
        "{'W' if own > other else 'B'}",
        ("tests/games/formats/test_formats.py::test_six_in_a_row_comes_back_from_sgf",),
    ),
)


def find_problems(faults: Sequence[Fault], root: Path = ROOT) -> list[str]:
    """Return why faults no longer fit the code, one line each. Run no test."""
    names = [fault.name for fault in faults]
    found = [f"{name}: used twice" for name in sorted({n for n in names if names.count(n) > 1})]
    for fault in faults:
        found += (f"{fault.name}: {problem}" for problem in _problems_of(fault, root))
    return found


def _problems_of(fault: Fault, root: Path) -> Iterator[str]:
    source = root / fault.path
    if not source.is_file():
        yield f"{fault.path} does not exist"
    else:
        text = source.read_text()
        if (count := text.count(fault.old)) != 1:
            yield f"{fault.path} contains the old text {count} times, not once: {fault.old!r}"
        elif fault.old == fault.new:
            yield "the new text is the old text"
        elif source.suffix == ".py" and not _is_python(text.replace(fault.old, fault.new)):
            yield "the new text is a syntax error"
    if not fault.tests:
        yield "no test is named"
    for test in fault.tests:
        path, _, function = test.partition("::")
        if not (root / path).is_file():
            yield f"{path} does not exist"
        elif not path.endswith(".js") and function not in _functions(root / path):
            yield f"{path} has no function {function!r}"


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _functions(path: Path) -> set[str]:
    nodes = ast.parse(path.read_text()).body
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


class Copy:
    """A copy of the checkout in which faults are applied and tests are run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "site"
        self._scratch = folder / "tmp"
        self._scratch.mkdir(parents=True)
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (ROOT / name).is_file():  # else it was deleted, and that is not committed yet
                target = self.root / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, target)

    @contextmanager
    def broken_by(self, fault: Fault) -> Iterator[None]:
        """Apply the fault, and restore the file at the end."""
        file = self.root / fault.path
        text, stat = file.read_text(), file.stat()
        file.write_text(text.replace(fault.old, fault.new))
        try:
            yield
        finally:
            file.write_text(text)
            # With the old time, bytecode of the faulty file is not taken for that of this one.
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def run_tests(self, tests: Iterable[str], *options: str) -> tuple[int, str]:
        """Run tests with pytest, given these options, and those of scripts with Node. Return the
        exit status and what was printed."""
        functions = [test for test in tests if not test.endswith(".js")]
        scripts = [str(self.root / test) for test in tests if test.endswith(".js")]
        runs = []
        if functions:
            base = f"--basetemp={self._scratch / 't'}"
            runs.append(self._run([*_PYTEST, base, *options, *functions], self.root))
        if scripts and _COLLECT not in options:
            runs.append(self._run([*_NODE, *scripts], self.root / "tests/static"))
        failed = (status for status, _ in runs if status)
        return next(failed, 0), "\n".join(output for _, output in runs)

    def _run(self, command: list[str], folder: Path) -> tuple[int, str]:
        env = {**os.environ, "TMPDIR": str(self._scratch), "DATA_DIR": str(self._scratch / "data")}
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        with _running(process):
            output, _ = process.communicate()
        return process.returncode, output


_processes: set[subprocess.Popen[str]] = set()
_is_stopping = threading.Event()


@contextmanager
def _running(process: subprocess.Popen[str]) -> Iterator[None]:
    """Keep the process where `_stop` finds it, and leave nothing that it has started."""
    _processes.add(process)
    try:
        if _is_stopping.is_set():
            _kill(process)
        yield
    finally:
        _kill(process)
        _processes.discard(process)


def _kill(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # all of them have ended


def _stop() -> None:
    _is_stopping.set()
    for process in list(_processes):
        _kill(process)


def _fast_only(faults: Sequence[Fault], copy: Copy) -> list[Fault]:
    """Return the faults whose tests all start no program (`tests.tiers`)."""
    tests = _tests_of(faults)
    _, all_of_them = copy.run_tests(tests, "-n", "0", _COLLECT)
    _, fast = copy.run_tests(tests, "-n", "0", _COLLECT, "--fast")
    slow = {_function_of(line) for line in set(all_of_them.split("\n")) - set(fast.split("\n"))}
    return [fault for fault in faults if slow.isdisjoint(fault.tests)]


def _tests_of(faults: Iterable[Fault]) -> list[str]:
    return sorted({test for fault in faults for test in fault.tests})


def _function_of(node: str) -> str:
    """The test function of a line of `--collect-only`: without its parameters."""
    return node.partition("[")[0]


def _try_fault(fault: Fault, copies: "queue.Queue[Copy]") -> bool:
    """Apply a fault, run its tests and print the outcome. Return True if they caught it."""
    copy = copies.get()
    try:
        start = time.monotonic()
        with copy.broken_by(fault):
            status, output = copy.run_tests(
                fault.tests, "-n", "0", "-x", f"--timeout={_TIMEOUT}", "--tb=line"
            )
        seconds = time.monotonic() - start
    finally:
        copies.put(copy)
    if _is_stopping.is_set():
        return False
    known = {0: "NOT CAUGHT", _FAILED: "caught"}
    print(f"{known.get(status, f'pytest ended with {status}'):12}{seconds:6.1f} s  {fault.name}")
    if status not in known:
        print(output[-2000:])
    sys.stdout.flush()
    return status == _FAILED


def _chosen(only: str | None) -> list[Fault]:
    if only is None:
        return list(FAULTS)
    wanted = set(only.split(","))
    if unknown := wanted - {fault.name for fault in FAULTS}:
        sys.exit(f"There are no such faults: {', '.join(sorted(unknown))}")
    return [fault for fault in FAULTS if fault.name in wanted]


def _run(faults: list[Fault], is_fast: bool, jobs: int, place: Path) -> int:
    """Try the faults, some at a time. Return how many were not caught."""
    copies: queue.Queue[Copy] = queue.Queue()
    for number in range(jobs):
        copies.put(Copy(place / str(number)))
    first = copies.queue[0]
    if is_fast:
        faults = _fast_only(faults, first)
    if not faults:
        sys.exit("None of these faults has fast tests alone.")
    tests = _tests_of(faults)
    print(f"{len(tests)} tests without a fault, which must pass …", flush=True)
    status, output = first.run_tests(tests, "-n", str(jobs), "--maxfail=5", "--tb=short")
    if status:
        print(output[-6000:])
        sys.exit("Tests fail without a fault, so nothing can be said.")
    with ThreadPoolExecutor(jobs) as pool:
        tries = [pool.submit(_try_fault, fault, copies) for fault in faults]
        try:
            missed = [done for done in as_completed(tries) if not done.result()]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            _stop()
            raise
    print(f"{len(faults) - len(missed)} of {len(faults)} faults caught")
    return len(missed)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.faults", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the faults and run nothing")
    parser.add_argument("--check", action="store_true", help="only check that the list fits")
    parser.add_argument("--only", metavar="NAME,…", help="try these faults alone")
    parser.add_argument("--fast", action="store_true", help="only faults whose tests are all fast")
    parser.add_argument("-n", type=int, default=2, metavar="JOBS", help="faults tried at a time")
    options = parser.parse_args()
    chosen = _chosen(options.only)
    if options.list:
        for fault in chosen:
            print(f"{fault.name}\n    {fault.path}: {fault.old!r} -> {fault.new!r}")
            print("".join(f"    {test}\n" for test in fault.tests), end="")
        return
    if problems := find_problems(chosen):
        sys.exit("\n".join(["The list of faults needs mending:", *problems]))
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as place:
        if options.check:
            copy = Copy(Path(place))
            status, output = copy.run_tests(_tests_of(chosen), "-n", "0", _COLLECT)
            if status:
                sys.exit(output[-6000:])
            print(f"{len(chosen)} faults fit the code, and their tests are there")
        elif _run(chosen, options.fast, max(1, options.n), Path(place)):
            sys.exit(1)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
