"""Add a game from a rule sheet, and show what the site makes of it."""

import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from games.boards import Board
from games.gdl.errors import SheetError
from games.gdl.layout import Layout
from games.gdl.sheet_position import LoadedSheet
from games.previews.pictures import draw_picture, rasterize
from games.rule_sheets.preparing import (
    build_slug,
    pick_positions,
    play_at_random,
    prepare_new_sheet,
)
from games.rule_sheets.storage import store_sheet, store_shipped_sheets
from games.rules import Access, Game

_SHOWN = 8  # facts that are listed


class Command(BaseCommand):
    help = (
        "Check a rule sheet in GDL, play it, print what its board and its actions are, and add its "
        "game to the site. With --pictures, draw the start, the middle and the end of a random "
        "game."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sheet", type=Path, nargs="?", help="a file with rules in GDL (KIF)")
        parser.add_argument("--overlay", type=Path, help="a JSON file that says how to draw them")
        parser.add_argument(
            "--slug", default="", help="the name in addresses; the default is the file's name"
        )
        parser.add_argument(
            "--access",
            choices=[each.value for each in Access],
            default=Access.EVERYBODY.value,
            help="who may start matches: everybody, invited players only, or nobody",
        )
        parser.add_argument(
            "--pictures", type=Path, metavar="FOLDER", help="where to draw PNG files"
        )
        parser.add_argument("--only-check", action="store_true", help="store nothing")
        parser.add_argument(
            "--shipped", action="store_true", help="add the games that come with the site"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["shipped"]:
            store_shipped_sheets()
            return
        path: Path | None = options["sheet"]
        if path is None:
            raise CommandError("Name the file of a rule sheet.")
        overlay = _read(options["overlay"]) if options["overlay"] else b""
        begun = time.monotonic()
        try:
            prepared = prepare_new_sheet(
                _read(path), overlay, options["slug"] or build_slug(path.stem)
            )
            sheet = prepared.loaded
            seconds = time.monotonic() - begun
            moves = len(play_at_random(sheet.game)) - 1
            for line in (*_describe(sheet), f"A random game took {moves} moves."):
                self.stdout.write(line)
            self.stdout.write(f"Checked in {seconds:.1f} seconds. SHA-256: {sheet.digest}")
            if options["pictures"]:
                for picture in _draw(options["pictures"], prepared.board, sheet.game):
                    self.stdout.write(f"Drew {picture}")
            if not options["only_check"]:
                store_sheet(prepared, Access(options["access"]))
                self.stdout.write(f"Added {sheet.name} as {sheet.slug}.")
        except SheetError as error:
            raise CommandError(f"{path.name}: {error}.") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from None


def _describe(sheet: LoadedSheet) -> list[str]:
    """Return lines about the roles, the board and the actions of a sheet."""
    network, layout = sheet.network, sheet.layout
    assert isinstance(layout, Layout)
    drawn = {_get_relation(network.fluents[index]) for index in layout.drawn}
    undrawn = [fluent for fluent in network.fluents if _get_relation(fluent) not in drawn]
    clicks = Counter(len(act.path) for act in layout.acts.values())
    ways = [f"{count:,} with {_count_clicks(steps)}" for steps, count in sorted(clicks.items())]
    more = f" and {len(undrawn) - _SHOWN} more" if len(undrawn) > _SHOWN else ""
    kind = layout.cells if layout.is_grid else "place"
    return [
        f"{sheet.name}: {network.roles[0]} and {network.roles[1]}.",
        f"The board has {len(layout.spots)} places ({kind}), "
        f"with {', '.join(layout.named) or 'no symbols'}.",
        f"Not drawn: {' '.join(undrawn[:_SHOWN])}{more}." if undrawn else "All facts are drawn.",
        f"Actions: {', '.join(ways)}.",
        f"A state has {len(network.fluents):,} facts; the network has {network.gates:,} gates.",
    ]


def _get_relation(fluent: str) -> str:
    """Return the name of a fluent: "cell" of "(cell 1 1 b)"."""
    return fluent.strip("()").split(" ")[0]


def _count_clicks(steps: int) -> str:
    if steps == 0:
        return "a button"
    return "one click" if steps == 1 else f"{steps} clicks"


def _draw(folder: Path, board: Board, game: Game) -> list[Path]:
    found = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, position in zip(("start", "middle", "end"), pick_positions(game), strict=True):
        path = folder / f"{board.slug}-{name}.png"
        path.write_bytes(rasterize(draw_picture(board, position)))
        found.append(path)
    return found
