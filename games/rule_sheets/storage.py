"""Storing rule sheets, and adding the stored ones to the games that this process knows.

Every process reads the stored sheets when it starts and every `EVERY` seconds. A new game is
offered `SETTLING` seconds after it was stored, so that no server meets a match of a game that it
does not know yet.
"""

from datetime import timedelta
from pathlib import Path
from threading import Lock

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import gdl, messages
from games.boards import BOARDS
from games.gdl.compiler import compile_sheet
from games.gdl.errors import SheetError
from games.gdl.network import Network, decode_network
from games.lessons import LESSONS
from games.messages import script
from games.models import StoredSheet
from games.rule_sheets.preparing import PreparedSheet, prepare_sheet
from games.rules import ACCESS, GAMES, Access
from games.runtime.prepared_query import FixedQuery

EVERY = 2.0  # seconds between two looks at the stored sheets
SETTLING = timedelta(seconds=6)
MOST_SHEETS = 200
RESERVED = frozenset({"best"})  # names of other things at places where slugs stand, too
SHIPPED = Path(gdl.__file__).parent / "sheets"
"""The sheets that come with the site: `<slug>.kif`, `.json` (the overlay) and `.npz` (the
network)."""

log = structlog.get_logger(__name__)
_lock = Lock()  # several threads may load sheets
_broken: set[str] = set()  # stored sheets that this process could not load


def store_sheet(
    prepared: PreparedSheet, access: Access = Access.EVERYBODY, is_settled: bool = False
) -> StoredSheet:
    """Store a sheet that was checked, and add its game to this process.

    With `is_settled`, it is offered at once, which is safe as long as no other server runs. Raise
    `SheetError` if the site has a game with this slug, or too many sheets.
    """
    loaded, now = prepared.loaded, timezone.now()
    must_have_room(loaded.slug)
    try:
        with transaction.atomic():
            stored = StoredSheet.objects.create(
                slug=loaded.slug,
                sheet=prepared.text.decode(),
                overlay=prepared.overlay.decode(),
                digest=loaded.digest,
                network=loaded.network.encode(),
                access=access,
                added_at=now - SETTLING if is_settled else now,
            )
    except IntegrityError:
        raise _build_refusal(loaded.slug) from None
    with _lock:
        if loaded.slug not in GAMES:
            _add_game(prepared)
    load_sheets()
    return stored


def must_have_room(slug: str) -> None:
    """Raise `SheetError` if the site has a game with this slug, or too many sheets."""
    # A slug also begins the codes of the game's sentences, and these must not be in use.
    if slug in RESERVED or messages.has_sentences(slug):
        raise _build_refusal(slug)
    if StoredSheet.objects.count() >= MOST_SHEETS:
        raise SheetError(f"the site has {MOST_SHEETS} rule sheets, and no room for more")


def _build_refusal(slug: str) -> SheetError:
    return SheetError(f"there is already a game with the address {slug!r}")


def change_access(slug: str, access: Access) -> None:
    """Store who may start matches of the game. Other processes follow within a few seconds."""
    StoredSheet.objects.filter(slug=slug).update(access=access)
    load_sheets()


def load_sheets() -> None:
    """Add the stored sheets to the games of this process, and take over who may play them."""
    settled_until = timezone.now() - SETTLING
    with _lock:
        for slug, access, added_at in _stored_sheets():
            if slug not in GAMES and slug not in _broken:
                _load(slug)
            if slug in GAMES and GAMES[slug].sheet:
                ACCESS.set(slug, Access(access) if added_at <= settled_until else Access.NOBODY)


_stored_sheets = FixedQuery(
    lambda: StoredSheet.objects.order_by("added_at", "slug").values_list(
        "slug", "access", "added_at"
    )[:MOST_SHEETS]
)


def store_shipped_sheets(is_settled: bool = False) -> None:
    """Store the sheets that come with the site and are not stored yet.

    A sheet that was changed by an update stays as it was stored. One that cannot be stored, for
    example because there are too many, is logged, and does not keep the site from starting.
    """
    known = {*GAMES, *StoredSheet.objects.values_list("slug", flat=True)}
    for path in sorted(SHIPPED.glob("*.kif")):
        if path.stem not in known:
            try:
                store_sheet(prepare_shipped_sheet(path.stem), is_settled=is_settled)
            except SheetError as error:
                log.warning("shipped rule sheet not stored", slug=path.stem, why=str(error))


def prepare_shipped_sheet(slug: str) -> PreparedSheet:
    """Make a game of a sheet that comes with the site."""
    text = (SHIPPED / f"{slug}.kif").read_bytes()
    overlay = (SHIPPED / f"{slug}.json").read_bytes()
    network = decode_network((SHIPPED / f"{slug}.npz").read_bytes())
    return prepare_sheet(slug, text, overlay, network)


def _load(slug: str) -> None:
    row = StoredSheet.objects.get(pk=slug)
    text, overlay = row.sheet.encode(), row.overlay.encode()
    try:
        prepared = prepare_sheet(slug, text, overlay, _get_network(row, text))
    except (ValueError, RuntimeError):
        _broken.add(slug)  # its matches are shown as those of an unknown game
        log.exception("rule sheet not loaded", slug=slug)
        return
    _add_game(prepared)


def _get_network(row: StoredSheet, text: bytes) -> Network:
    """Return the stored network, or compile it again if the compiler has changed since then."""
    try:
        return decode_network(bytes(row.network))
    except ValueError:
        network = compile_sheet(text)
        StoredSheet.objects.filter(pk=row.pk).update(network=network.encode())
        return network


def _add_game(prepared: PreparedSheet) -> None:
    game, board = prepared.loaded.game, prepared.board
    # Whoever finds the game finds its sentences and its board, too.
    messages.add_sentences({"name": game.name, **board.sentences}, within=game.slug)
    script.forget_catalogs()
    BOARDS.add(game.slug, board)
    if prepared.lesson:
        LESSONS.add(game.slug, prepared.lesson)
    GAMES.add(game.slug, game)
