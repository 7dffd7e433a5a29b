"""A program that uses Gomocup's protocol on a pipe plays Six in a Row here."""

import random
import stat
import sys
from pathlib import Path

from games.bots.gomocup import stones_of
from games.rules import GAMES
from tests.builders.api import create_client, create_token
from tests.builders.sites import ROOT, Program, Site, until

IS_ALONE = True  # alice has no games or events from other modules

# It plays on the first free cell, row by row, and also prints a message.
BRAIN = """#!{python}
import sys
for line in sys.stdin:
    word = line.strip()
    if word.startswith("START"):
        print("OK" if word == "START 15" else "ERROR", flush=True)
    elif word == "BOARD":
        taken = set()
        for row in sys.stdin:
            if row.strip() == "DONE":
                break
            x, y, whose = map(int, row.split(","))
            assert whose in (1, 2)
            taken.add((x, y))
        free = next((x, y) for y in range(15) for x in range(15) if (x, y) not in taken)
        print("MESSAGE thinking", flush=True)
        print("%d,%d" % free, flush=True)
"""


def test_a_brain_plays(site: Site, tmp_path: Path) -> None:
    brain = tmp_path / "pbrain"
    brain.write_text(BRAIN.format(python=sys.executable))
    brain.chmod(brain.stat().st_mode | stat.S_IXUSR)
    person = create_client(site, create_token(site, "alice"))
    command = [sys.executable, str(ROOT / "games/bots/gomocup.py"), site.url, str(brain)]
    bot = Program(command, tmp_path / "log", env={"TOKEN": create_token(site, "tinker", "bot")})
    try:
        until(lambda: person.users.get_public_data("tinker").get("title") == "BOT", "the bot")
        other = person.challenges.create("tinker", rated=False, variant="tic-tac-toe")
        until(lambda: not person.challenges.get_mine()["out"], f"that {other['id']} is declined")
        person.challenges.create("tinker", rated=False, variant="six-in-a-row")
        until(person.games.get_ongoing, "the game")
        (game,) = person.games.get_ongoing()
        chance, by_brain = random.Random(1), 0
        for line in person.board.stream_game_state(game["gameId"]):
            if line["type"] == "gameFull":
                mine = line["white" if line["white"]["id"] == "alice" else "black"]["role"]
            state = line.get("state", line)
            if state.get("status") != "started":
                continue
            if state["turn"] == mine:
                if by_brain >= 5:
                    person.board.resign_game(game["gameId"])
                    continue
                position = GAMES["six-in-a-row"].read(state["notation"])
                person.board.make_move(game["gameId"], chance.choice(position.legal()))
            else:
                before = GAMES["six-in-a-row"].read(state["notation"])
                if before.notation.endswith("-"):
                    continue  # the brain does not choose the opening
                free = before.diagram.index(".")
                wanted = f"place {free % 15 + 1} {free // 15 + 1}"
                until(lambda s=state: person.games.export(game["gameId"])["plies"] > s["ply"], "it")
                moves = person.games.export(game["gameId"])["moves"].split(", ")
                assert moves[state["ply"]] == wanted
                by_brain += 1
        assert by_brain >= 5
        bot.must_run()
    finally:
        bot.stop()


def test_stones_are_told_as_the_protocol_wants_them() -> None:
    position = GAMES["six-in-a-row"].start
    for action in ("place 1 1", "place 15 15", "place 2 1", "pick black"):
        position = position.play(action)
    seat = "white" if position.notation.endswith("1") else "black"
    found = set(stones_of(position.notation, seat) or ())
    assert found == {(0, 0, 1), (1, 0, 1), (14, 14, 2)}
    other = "black" if seat == "white" else "white"
    assert set(stones_of(position.notation, other) or ()) == {(0, 0, 2), (1, 0, 2), (14, 14, 1)}
    assert stones_of(GAMES["six-in-a-row"].start.notation, "white") is None
