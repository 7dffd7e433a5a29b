"""Making a game of a rule sheet, with its board and its lesson."""

import fcntl
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep

from django.conf import settings

from games.boards import Board
from games.boards.sheets import make_board
from games.boards.soundness import faults as find_board_faults
from games.gdl.checks import read_sheet
from games.gdl.compiler import compile_sheet, compute_digest
from games.gdl.errors import SheetError
from games.gdl.layout import infer_layout
from games.gdl.network import Network
from games.gdl.overlay import EMPTY_OVERLAY, Overlay, parse_overlay
from games.gdl.sheet_position import LoadedSheet
from games.lessons import Lesson
from games.lessons.sheets import make_lesson
from games.rules import Game, Position
from games.rules.soundness import faults as find_rules_faults

LONGEST_SLUG = LONGEST_NAME = 40  # characters
_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PATIENCE = 20.0  # seconds to wait while another sheet is compiled on this machine


@dataclass(frozen=True)
class PreparedSheet:
    """A sheet that can be played, and the texts that it comes from."""

    text: bytes
    overlay: bytes
    loaded: LoadedSheet
    board: Board
    lesson: Lesson | None


def build_slug(text: str) -> str:
    """Return a slug for a title or the name of a file: "Connect Four" becomes "connect-four"."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def prepare_new_sheet(text: bytes, overlay: bytes, slug: str) -> PreparedSheet:
    """Check a sheet that is not stored yet, and compile it. This can take 15 seconds.

    Raise `SheetError` if the sheet, its overlay or the slug cannot be used.
    """
    if not _SLUG.fullmatch(slug) or len(slug) > LONGEST_SLUG:
        raise SheetError(
            f"the game's address must have 1 to {LONGEST_SLUG} letters, digits and hyphens, and"
            " begin with a letter"
        )
    if b"\0" in text or not _is_utf8(text):
        raise SheetError("the sheet is not a text in UTF-8")
    with _one_at_a_time():
        network = compile_sheet(text)
    prepared = prepare_sheet(slug, text, overlay, network)
    game = prepared.loaded.game
    if len(game.name) > LONGEST_NAME:
        raise SheetError(f"the game's title may have {LONGEST_NAME} characters")
    faults = [*find_rules_faults(game), *find_board_faults(game, prepared.board)]
    if faults:
        raise SheetError(faults[0])
    return prepared


def prepare_sheet(slug: str, text: bytes, overlay: bytes, network: Network) -> PreparedSheet:
    """Make a game of a sheet that was checked before, and of its network."""
    told = _parse(overlay)
    layout = infer_layout(read_sheet(text), network, told)
    name = told.title or slug.replace("-", " ").capitalize()
    loaded = LoadedSheet(slug, name, compute_digest(text), network, layout)
    return PreparedSheet(text, overlay, loaded, make_board(loaded), make_lesson(loaded))


def play_at_random(game: Game) -> list[Position]:
    """Return the positions of a game of random actions, which is always the same one."""
    chance = random.Random(1)  # noqa: S311  # nosec B311  # the same game each time
    positions = [game.start]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(chance.choice(positions[-1].actions())))
    return positions


def pick_positions(game: Game) -> list[Position]:
    """Return the start, the middle and the end of `play_at_random`."""
    positions = play_at_random(game)
    return [positions[0], positions[len(positions) // 2], positions[-1]]


def _parse(overlay: bytes) -> Overlay:
    return parse_overlay(overlay) if overlay.strip() else EMPTY_OVERLAY


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let one process of this machine compile, because compiling takes up to 512 MB.

    Raise `SheetError` if another one compiles for too long.
    """
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.DATA_DIR / "compiling.lock").open("w") as file:
        began = monotonic()
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if monotonic() - began > _PATIENCE:
                    raise SheetError("other sheets are being checked; try again later") from None
                sleep(0.1)
        yield  # closing the file ends the lock
