"""The computer as a player: one for each level, with a seat like anybody else."""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from games.bots import LEVELS, has_bot
from games.journal.opening import open_match
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from lobby.models import Player
from lobby.seeks.matchmaking import must_be_free_to_play
from lobby.seeks.sides import Side, begins


def computer(level: int) -> Player:
    """The computer's player of that level, which is made when it is first needed."""
    found = Player.objects.filter(bot_level=level).first()
    if found is not None:
        return found
    for name in (f"Computer ({LEVELS[level]})", f"The computer ({LEVELS[level]})"):
        try:
            with transaction.atomic():
                # Nobody can log in as this player: no password matches.
                return Player.objects.create(
                    username=name, bot_level=level, password=make_password(None)
                )
        except IntegrityError:  # another server was quicker, or somebody has the name
            found = Player.objects.filter(bot_level=level).first()
            if found is not None:
                return found
    raise RuntimeError("no free name for the computer")


def play_computer(
    player_id: int, setup: Setup, level: int, client_network: str = "", side: Side = "lot"
) -> Match:
    """Open a match against the computer, in which who begins is as `side` says.

    Raises `Refused` for a player who is suspended, or has begun too many matches, and for one, or
    a network, with too many such matches open.
    """
    if not has_bot(setup.game) or level not in LEVELS:
        raise Refused("malformed")
    must_be_free_to_play(player_id)
    opponent = computer(level)
    seats = player_id, opponent.pk
    levels: tuple[int | None, int | None] = (None, level)
    if not begins(side):
        seats, levels = seats[::-1], levels[::-1]
    with transaction.atomic():
        return open_match(setup, *seats, levels=levels, client_network=client_network)
