"""Plays a few matches on a release and stores its database as SQL: see `tests.games.migrations`."""

import argparse
import json
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from tests.builders.databases import Postgres
from tests.builders.sites import Person, Site, pair, until
from tests.builders.sockets import open_sockets, play_actions

FOLDER = Path(__file__).parent
KEY = "the secret of all releases kept here "
LATER = "2100-01-01 00:00:00+00:00"  # sessions stay valid, however late the test runs
FORGET = f"UPDATE django_session SET expire_date = '{LATER}'"

OPENING = {
    "tic-tac-toe": ("mark 2 2", "mark 1 1", "mark 1 2", "mark 3 2", "mark 2 1", "mark 2 3"),
    "parallel-tic-tac-toe": ("mark 1 1 2 2", "mark 2 2 1 1"),
    "dots-and-boxes": ("draw 1 1 1 2", "draw 1 1 2 1", "draw 2 1 2 2", "draw 1 2 2 2"),
    "six-in-a-row": ("place 8 8", "place 8 9", "place 9 9", "pick black"),
}
WON = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def play_match(site: Site, game: str, actions: tuple[str, ...], clock: str | None = None) -> Any:
    """Play a new match with these actions; gives what is known of it."""
    match_id, people = pair(Person(site).be_guest(), Person(site).be_guest(), game, clock)
    sockets = open_sockets(people, match_id)
    state = play_actions(sockets, *actions)
    if not clock and game == "dots-and-boxes":
        sockets["xplayer"].send("resign")
        state = sockets["oplayer"].next("state", lambda state: state["status"] == "over")
    for socket in sockets.values():
        socket.close()
    keys = {
        role: next(cookie.value for cookie in person.cookies if cookie.name == "sessionid")
        for role, person in people.items()
    }
    return {
        "match": match_id,
        "game": game,
        "moves": list(actions),
        "status": state["status"],
        "goals": state["goals"],
        "clock": state["clock"] and state["clock"]["remaining_ms"],
        "sessions": keys,
    }


def play_matches(site: Site) -> list[Any]:
    found = [play_match(site, "tic-tac-toe", WON)]
    found += [play_match(site, game, actions[:4]) for game, actions in OPENING.items()]
    try:
        found.append(play_match(site, "tic-tac-toe", OPENING["tic-tac-toe"][:2], "3+2"))
    except AssertionError as error:
        print(f"no clocks yet: {error}")
    return found


def note_signed_records(site: Site, matches: list[Any]) -> None:
    """Add the signed record of each finished match, with its proof, once the log has it."""

    def logged(address: str) -> str | None:
        text = Person(site).get(address)[1]
        return text if json.loads(text)["log"] else None

    for match in matches:
        address = f"/match/{match['match']}/signed.json"
        if match["status"] == "over" and Person(site).get(address)[0] == 200:
            match["signed"] = until(partial(logged, address), "the record in the log")


def sqlite_text(database: Path) -> str:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(FORGET)
        return "\n".join(connection.iterdump())


def postgres_text(url: str) -> str:
    with psycopg.connect(url) as connection:
        connection.execute(FORGET.encode())
    done = subprocess.run(
        ["pg_dump", "--inserts", "--no-owner", "--no-privileges", f"--dbname={url}"],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    return "\n".join(line for line in lines if line and not line.startswith(("--", "\\")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="the release's files")
    parser.add_argument("name", help="how it is called here, such as 08-next")
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    env, server = {"SECRET_KEY": KEY}, None
    if asked.postgres:
        (folder / "pg").mkdir()
        server = Postgres(folder / "pg")
        env["DATABASE_URL"] = server.url
    try:
        site = Site(folder, env, root=asked.checkout.resolve())
        try:
            noted = play_matches(site.wait())
            note_signed_records(site, noted)
        finally:
            site.stop()
        text = postgres_text(server.url) if server else sqlite_text(folder / "site.sqlite3")
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder)
    kind = "postgres" if server else "sqlite"
    file = FOLDER / f"{asked.name}.{kind}.sql"
    file.write_text(f"-- {json.dumps(noted)}\n{text}\n")
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB, {len(noted)} matches")


if __name__ == "__main__":
    main()
