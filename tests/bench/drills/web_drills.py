"""Drills of attacks by one visitor: pages, cookies, connections and password guesses."""

import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.bench.drills.beside import Beside, Felt, p99, ratios
from tests.bench.drills.registry import Scale, drill, expect, without_traceback
from tests.bench.drills.strangers import (
    Target,
    bad_beside_honest,
    everything,
    guesses,
    openings,
    pages,
    pause,
    stranger,
    target,
)
from tests.bench.scripted import Figures
from tests.builders.databases import postgres
from tests.builders.production import Production
from tests.builders.sites import Person, Place, Site

_CALM = 2.0  # seconds of a calm run in short; long ones take ten times as many
_NO_SPEED_LIMIT = {  # for the two who play
    "DJANGO_SETTINGS_MODULE": "tests.settings",
    "FRAMES_PER_SECOND": "5000",
    "FRAMES_BURST": "5000",
}


@drill
def missing_pages(folder: Path, scale: Scale) -> Figures:
    """A guest requests 400 missing pages, 40 at a time: others play on with PostgreSQL."""
    figures = Figures()
    with postgres(folder) as url:
        site = Site(folder, {"DATABASE_URL": url, "SECRET_KEY": "k" * 50}, command="serve").wait()
        try:
            guest = Person(site).be_guest()
            with guest.lobby() as lobby:
                lobby.next("lobby")
                there = target(site, "127.0.0.2")
                found = _felt_by_others(
                    figures, scale, site, pages, there, guest.cookie_header(), "/nowhere/", 400, 40
                )
            expect(figures, set(found) == {"404"}, f"missing pages were {dict(found)}")
            for path in ("/", "/nowhere/", "/readyz"):
                wanted = 404 if path == "/nowhere/" else 200
                status, _ = guest.get(path)
                expect(figures, status == wanted, f"{path} is {status} afterwards")
            without_traceback(figures, site.output())
        finally:
            site.stop()
    return figures


@drill
def bad_cookies(folder: Path, scale: Scale) -> Figures:
    """Sockets with invalid cookies, eight at a time, beside 60 valid ones at a time."""
    figures = Figures()
    bad = 'sessionid="aaaaaaaa\\000"'
    with postgres(folder) as url:
        site = Site(folder, {"DATABASE_URL": url, "SECRET_KEY": "k" * 50}).wait()
        try:
            honest = Person(site).be_guest().cookie_header()
            status = Person(site)
            status.headers["Cookie"] = bad
            expect(figures, status.raw("/")[0] == 200, f"a page with it: {status.raw('/')[0]}")
            there, rounds = target(site, "127.0.0.2"), 60 if scale.timed else 5
            found = _felt_by_others(
                figures, scale, site, bad_beside_honest, target(site), honest, there, bad,
                rounds, usual=(openings, target(site), honest, rounds),
            )  # fmt: skip
            wanted = {"honest: admitted", "bad: admitted"}
            expect(figures, set(found) == wanted, f"they were told {dict(found)}")
            without_traceback(figures, site.output())
        finally:
            site.stop()
    return figures


@drill
def one_address(folder: Path, scale: Scale) -> Figures:
    """One address takes every connection it can get from nginx: another still gets in."""
    figures = Figures()
    with Production(folder, **_NO_SPEED_LIMIT, GUESTS_PER_MINUTE="1000") as site:
        each, least = 1500 if scale.timed else 300, 100
        there = Target(site.url, site.port, "127.0.0.2")
        seconds = 40.0 if scale.timed else 6.0
        found = _felt_by_others(figures, scale, site, everything, there, seconds, each, least)
        got = found["sockets at once"]
        expect(figures, least <= got <= 600, f"one address got {got} sockets at once")
        without_traceback(figures, site.logs())
    return figures


@drill
def login_guesses(folder: Path, scale: Scale) -> Figures:
    """Guess staff passwords, 20 at a time: few guesses get through, and pages load."""
    figures = Figures()
    with postgres(folder) as url:
        env = {**_NO_SPEED_LIMIT, "RATE_LIMITS": "on"}
        site = Site(folder, {"DATABASE_URL": url, "SECRET_KEY": "k" * 50, **env}).wait()
        try:
            guesser = Person(site)
            token = re.findall(
                r'name="csrfmiddlewaretoken" value="(\w+)"', guesser.get("/accounts/login/")[1]
            )[0]
            there, cookie = target(site, "127.0.0.2"), guesser.cookie_header()
            found = _felt_by_others(
                figures, scale, site, guesses, there, cookie, token, "staff", 200, 20,
                most=0.2,  # any 20 simultaneous pages delay others briefly
            )  # fmt: skip
            # Some may have gone before they were answered.
            expect(figures, set(found) <= {"200", "429", "none"}, f"guesses were {dict(found)}")
            expect(figures, found["200"] <= 20, f"{found['200']} passwords were tried")
            without_traceback(figures, site.output())
        finally:
            site.stop()
    return figures


def _felt_by_others(
    figures: Figures,
    scale: Scale,
    site: Place,
    work: Any,
    *arguments: Any,
    usual: tuple[Any, ...] = (pause, 0.0),
    most: float = 0.0,
) -> Counter[str]:
    """What the stranger was told. The others' share is printed as a ratio to a calm run, in which
    only what is `usual` happens: a work and its arguments. Each p99 may be twice the calm one, or
    `most` seconds."""
    began = time.monotonic()
    beside = Beside(site)
    try:
        with stranger(*usual) as somebody:
            somebody.begin()
            calm = beside.feel(_CALM * (10 if scale.timed else 1), lambda: somebody.is_over)
        with stranger(work, *arguments) as somebody:
            somebody.begin()
            hard = beside.feel(_CALM, lambda: somebody.is_over)
            told = somebody.result()
        afterwards = beside.feel(1.0)
    finally:
        beside.close()
    print(f"{'':8}calm: {calm}\n{'':8}hard: {hard}\n{'':8}{ratios(calm, hard)}", flush=True)
    print(f"{'':8}the stranger was told {dict(told)}", flush=True)
    for felt in (calm, hard, afterwards):
        figures.wrong += felt.wrong[:5]
        figures.actions += len(felt.moves)
    figures.seconds = time.monotonic() - began
    if scale.timed:
        _hardly_slower(figures, calm, hard, most)
    return told


def _hardly_slower(figures: Figures, calm: Felt, hard: Felt, most: float) -> None:
    for what in ("moves", "pages", "openings"):
        before, after = p99(getattr(calm, what)), p99(getattr(hard, what))
        slower = after / before
        expect(
            figures,
            slower <= 2 or after <= most,
            f"p99 of {what} was {slower:.1f} times the calm one",
        )
