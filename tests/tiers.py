"""Which tests are fast: those that start no program.

Nobody marks a test. A test is slow if its code, or that of a fixture that it uses, leads to
something that starts a program: `subprocess`, `multiprocessing`, the tests' nursery, a browser, or
the parts of the site that start processes of their own.
`tests/run --fast` runs the others, and lets none of them start one all the same.
"""

import inspect
import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from types import CodeType, ModuleType
from typing import Any

import pytest

from games.engine.workers import Workers
from games.gdl.compiler import compile_sheet
from games.management.commands import add_game
from games.rule_sheets.preparing import prepare_new_sheet
from lobby.tournaments import lifecycle_loop
from lobby.tournaments.lifecycle_loop import compute_round
from tests.builders import nursery
from tests.builders.board_sheets import keep_catalogue

_STARTERS = {
    id(found)
    for found in (
        subprocess,
        multiprocessing,
        nursery,
        Workers,
        lifecycle_loop,
        compute_round,
        compile_sheet,
        prepare_new_sheet,
        keep_catalogue,  # only where the site stores sheets, which it compiles in another process
        add_game.Command,
    )
}
_STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}  # events of audits
_BROWSER = "playwright"
_DATABASE = "django_db_modify_db_settings"  # migrates one database, once for the whole run
_SERVERS = {"site", "postgres_url", "redis_url"}  # fixtures that a test may ask for by name
_is_guarded = False


def is_fast(item: pytest.Item) -> bool:
    """Return True if the test starts no program."""
    definitions = getattr(item, "_fixtureinfo", None)
    fixtures = definitions.name2fixturedefs.items() if definitions else ()
    functions = [getattr(item, "obj", None)]
    functions += [found[-1].func for name, found in fixtures if name != _DATABASE]
    return not any(_starts(function) for function in functions)


def guard_programs() -> None:
    """Make every start of a program fail while `set_guard(True)` holds."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if _is_guarded and event in _STARTS:
            raise AssertionError(f"a fast test starts a program: {event} {arguments}")

    sys.addaudithook(refuse)


def set_guard(is_guarded: bool) -> None:
    global _is_guarded  # noqa: PLW0603  # an audit hook cannot be removed
    _is_guarded = is_guarded


@cache
def _starts(function: Any) -> bool:
    """Return True if the function's code leads to something that starts a program."""
    seen: set[int] = set()
    left = [inspect.unwrap(function)] if function is not None else []
    while left:
        found = left.pop()
        if id(found) in _STARTERS:
            return True
        if id(found) in seen:
            continue
        seen.add(id(found))
        if (getattr(found, "__module__", None) or "").partition(".")[0] == _BROWSER:
            return True
        left.extend(_named_in(found))
    return False


def _named_in(found: Any) -> Iterator[Any]:
    """Yield the objects named by the code of a function or class, or held by a collection."""
    if isinstance(found, dict | list | tuple | set | frozenset):
        yield from found.values() if isinstance(found, dict) else found
        return
    if inspect.isclass(found):
        if _is_of_tests(found.__module__):
            yield from found.__mro__[1:]
            yield from vars(found).values()
        return
    found = getattr(found, "__func__", getattr(found, "fget", found))
    found = getattr(found, "__wrapped__", found)
    code = getattr(found, "__code__", None)
    if code is None or not _is_of_tests(found.__module__):
        return
    if "getfixturevalue" in _names(code) and not _SERVERS.isdisjoint(code.co_consts):
        yield subprocess
    for name in _names(code):
        if name in found.__globals__:
            value = found.__globals__[name]
            yield value
            if isinstance(value, ModuleType):
                yield from (vars(value)[each] for each in _names(code) if each in vars(value))


@cache
def _names(code: CodeType) -> frozenset[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(code.co_names).union(*map(_names, inner))


def _is_of_tests(module: str) -> bool:
    return module.partition(".")[0] == "tests"
