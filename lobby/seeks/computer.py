"""The computer as an opponent. Each level of the computer is a player with an ordinary seat."""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from games.bots import LEVELS, has_bot
from games.journal.opening import open_match
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from lobby.models import Player
from lobby.seeks.matchmaking import must_be_free_to_play
from lobby.seeks.setup_choices import Side, takes_first_seat

FIRST_LEVELS = frozenset({1, 2})
"""The levels that are proposed to newcomers. If no options are chosen, games against them have the
game's `first_options`."""


def get_computer(level: int) -> Player:
    """Return the computer's player for a level, which is created when it is first needed.

    Raise `RuntimeError` if there is no free name for it.
    """
    found = Player.objects.filter(bot_level=level).first()
    if found is not None:
        return found
    for name in (f"Computer ({LEVELS[level]})", f"The computer ({LEVELS[level]})"):
        try:
            with transaction.atomic():
                # The player has no usable password, so nobody can log in.
                return Player.objects.create(
                    username=name, bot_level=level, password=make_password(None)
                )
        except IntegrityError:  # another server was faster, or another player has the name
            found = Player.objects.filter(bot_level=level).first()
            if found is not None:
                return found
    raise RuntimeError("no free name for the computer")


def play_computer(
    player_id: int, setup: Setup, level: int, client_network: str = "", side: Side = "lot"
) -> Match:
    """Open a match against the computer. `side` decides who gets the first seat.

    Raise `Refused` if the game or the level does not exist, if the player may not start a match or
    has begun too many, or if the player or the network has too many live matches against the
    computer.
    """
    if not has_bot(setup.game) or level not in LEVELS:
        raise Refused("malformed")
    must_be_free_to_play(player_id)
    opponent = get_computer(level)
    seats = player_id, opponent.pk
    levels: tuple[int | None, int | None] = (None, level)
    if not takes_first_seat(side):
        seats, levels = seats[::-1], levels[::-1]
    with transaction.atomic():
        return open_match(setup, *seats, levels=levels, client_network=client_network)
