"""The section "Your first bot in five minutes" of the API's README, followed to the letter."""

import random
import re
import shlex
import sys
from collections.abc import Iterator

import pytest

from games.rules import GAMES
from tests.builders import nursery
from tests.builders.api import create_client, create_token
from tests.builders.sites import ROOT, Program, Site, until

IS_ALONE = True  # alice has no games or events from other modules


def commands() -> list[str]:
    """Return the commands of that section in order."""
    text = (ROOT / "lobby/api/README.md").read_text()
    part = text.split("## Your first bot in five minutes")[1].split("\n## ")[0]
    return re.findall(r"^    (\S.*)$", part, re.MULTILINE)


@pytest.fixture(scope="module")
def bot(site: Site) -> Iterator[Program]:
    make, start, *_ = commands()
    words = shlex.split(make)
    assert words[0] == ".venv/bin/python"
    made = nursery.run(words[1:], site.env)
    assert made.returncode == 0, made.stderr
    setting, _, *rest = shlex.split(start)
    assert setting == "TOKEN=prl_…"
    assert rest[-1] == "http://localhost:8000"
    command = [sys.executable, *rest[:-1], site.url]
    running = Program(command, site.folder / "bot.log", env={"TOKEN": made.stdout.strip()})
    yield running
    running.stop()


@pytest.mark.parametrize("slug", GAMES)
def test_it_plays_every_game(site: Site, bot: Program, slug: str) -> None:
    person = create_client(site, create_token(site, "alice"))
    until(lambda: person.users.get_public_data("First Bot").get("title") == "BOT", "the bot")
    made = person.challenges.create("First Bot", rated=False, variant=slug)
    until(person.games.get_ongoing, "the game")
    (game,) = person.games.get_ongoing()
    chance, acted = random.Random(slug), 0
    for line in person.board.stream_game_state(game["gameId"]):
        if line["type"] == "gameFull":
            mine = line["white" if line["white"]["id"] == "alice" else "black"]["role"]
        state = line.get("state", line)
        if state.get("turn") == mine:
            if slug == "six-in-a-row" and state["ply"] >= 20:  # random moves make no row
                person.board.resign_game(game["gameId"])
                continue
            actions = GAMES[slug].read(state["notation"]).legal()
            person.board.make_move(game["gameId"], chance.choice(actions))
            acted += 1
    found = person.games.export(game["gameId"], clocks=True)
    assert found["status"] != "started"
    # The bot plays at random. No game ends before both have acted twice.
    assert acted == sum(each["role"] == mine for each in found["times"]) >= 2
    assert made["destUser"]["title"] == "BOT"
    bot.must_run()
    assert "error" not in bot.output(), bot.output()


def test_the_example_is_short_and_needs_nothing() -> None:
    text = (ROOT / "lobby/api/example_bot.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) < 60
    imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported <= sys.stdlib_module_names
