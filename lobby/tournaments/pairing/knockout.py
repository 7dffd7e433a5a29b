"""Knockouts, in which the loser of a match is eliminated.

Seeds 1 and 2 cannot meet before the last round. A match has `best_of` games. The players alternate
in moving first, starting with the better seed. The match ends early when one of them cannot catch
up. If it is drawn, up to two more games are played, and the first win decides. If these are drawn
too, the better seed advances. A match in which no game was played or won by forfeit has no winner:
the opponent in the next round advances without a game.
"""

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lobby.tournaments.pairing.field import WIN, CannotPair, Entrant, Pair, RoundGame, rank_entrants

MOST = 1024  # the maximum number of players
MORE_GAMES = 2  # the maximum number of extra games after a drawn match


class Slot(Struct, frozen=True):
    """A match of the bracket.

    `first` and `second` are entries, None if unknown or empty. `games` are those that are over,
    including forfeits. If `is_over` is True without a `winner`, nobody advances. `is_bye` is True
    if a side was empty from the start. `place` is 1 for the final, 3 for the match for third place,
    and otherwise 0.
    """

    round: int
    number: int  # the number of the match in its round, from 1, top to bottom
    first: int | None
    second: int | None
    games: tuple[RoundGame, ...] = ()
    winner: int | None = None
    loser: int | None = None
    is_over: bool = False
    is_bye: bool = False
    place: int = 0


def count_rounds(n: int) -> int:
    """Return the number of rounds for `n` players."""
    return max(n - 1, 0).bit_length()


def build_bracket(
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    best_of: int = 1,
    third_place: bool = False,
    gone: Collection[int] = (),
) -> tuple[Slot, ...]:
    """Return all matches by round, top to bottom. A match for third place follows the final.

    `entrants` are the players when the bracket was created. Players who leave later stay in it and
    are listed in `gone`. Their opponents advance without a game as long as they are listed, or
    permanently once the remaining games are recorded as forfeits. Raise `CannotPair` with
    `too-few-players` or `too-many-players`.
    """
    order = rank_entrants(entrants)
    if len(order) < 2:
        raise CannotPair("too-few-players", players=len(order))
    if len(order) > MOST:
        raise CannotPair("too-many-players", players=len(order), most=MOST)
    seeds = {one.entry: seed for seed, one in enumerate(order, 1)}
    played: dict[tuple[int, frozenset[int]], list[RoundGame]] = {}
    for game in games:
        if game.second is not None:
            key = (game.round, frozenset((game.first, game.second)))
            played.setdefault(key, []).append(game)
    table = _Table(seeds, played, best_of, gone)
    drawn = [
        order[seed - 1].entry if seed <= len(order) else None
        for seed in list_bracket_seeds(len(order))
    ]
    slots: list[Slot] = []
    before: list[Slot] = []
    last = count_rounds(len(order))
    for stage in range(1, last + 1):
        if stage == 1:
            sides = list(zip(drawn[::2], drawn[1::2], strict=True))
        else:
            winners = [slot.winner for slot in before]
            sides = list(zip(winners[::2], winners[1::2], strict=True))
        known = all(slot.is_over for slot in before)
        after = [
            table.settled(
                Slot(stage, number, first, second, place=int(stage == last)),
                stage == 1 or _is_ready(before, number),
            )
            for number, (first, second) in enumerate(sides, 1)
        ]
        slots += after
        if stage == last and third_place and len(before) == 2:
            losers = [slot.loser for slot in before]
            slots.append(table.settled(Slot(stage, 2, losers[0], losers[1], place=3), known))
        before = after
    return tuple(slots)


def pair_next_games(
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    best_of: int = 1,
    third_place: bool = False,
    gone: Collection[int] = (),
) -> tuple[Pair, ...]:
    """Return the games to be played now, one for each match of the earliest incomplete round.

    `round`, `game` and the players identify a game, so a call while it is being played returns the
    same pair. An empty result means that the tournament is over. Byes of the first round are
    included, as pairs without a second player, until they are among the games or the round is over.
    Raise `CannotPair` as `build_bracket` does.
    """
    slots = build_bracket(entrants, games, best_of, third_place, gone)
    open_stages = [slot.round for slot in slots if not slot.is_over]
    if not open_stages:
        return ()
    stage = min(open_stages)
    seeds = {one.entry: seed for seed, one in enumerate(rank_entrants(entrants), 1)}
    known = {game.first for game in games if game.second is None and game.round == stage}
    pairs: list[Pair] = []
    for slot in slots:
        if slot.round != stage:
            continue
        if slot.is_bye and slot.winner is not None and slot.winner not in known:
            pairs.append(Pair(slot.winner, None, stage))
        elif not slot.is_over and slot.first is not None and slot.second is not None:
            better, other = sorted((slot.first, slot.second), key=seeds.__getitem__)
            number = len(slot.games) + 1
            two = (better, other) if number % 2 else (other, better)
            pairs.append(Pair(*two, stage, number))
    return tuple(pairs)


def is_still_playing(slots: Sequence[Slot], entry: int) -> bool:
    """Return whether the entry is in a match that is not over."""
    return any(not slot.is_over and entry in (slot.first, slot.second) for slot in slots)


def list_bracket_seeds(n: int) -> tuple[int, ...]:
    """Return the seeds from top to bottom of the bracket, filled up to a power of two."""
    seeds = [1]
    for _ in range(count_rounds(n)):
        size = 2 * len(seeds)
        seeds = [one for seed in seeds for one in (seed, size + 1 - seed)]
    return tuple(seeds)


def _is_ready(before: Sequence[Slot], number: int) -> bool:
    """Return whether the two matches that lead to this one are over."""
    return all(slot.is_over for slot in before[2 * number - 2 : 2 * number])


class _Table(Struct, frozen=True):
    """The data that decides the matches of a bracket."""

    seeds: dict[int, int]
    played: dict[tuple[int, frozenset[int]], list[RoundGame]]
    best_of: int
    gone: Collection[int]

    def settled(self, slot: Slot, is_ready: bool) -> Slot:
        """Return the match with its games and outcome, or unchanged if it is not ready to begin."""
        if not is_ready:
            return slot
        there = [entry for entry in (slot.first, slot.second) if entry is not None]
        if len(there) < 2:
            winner = there[0] if there else None
            return replace(slot, winner=winner, is_over=True, is_bye=slot.round == 1)
        games = tuple(self.played.get((slot.round, frozenset(there)), ()))
        better, other = sorted(there, key=self.seeds.__getitem__)
        over, winner = self._outcome(games, better, other)
        if not over and (better in self.gone or other in self.gone):
            left = [entry for entry in (better, other) if entry not in self.gone]
            over, winner = True, left[0] if left else None
        loser = None if winner is None else other if winner == better else better
        return replace(slot, games=games, winner=winner, loser=loser, is_over=over)

    def _outcome(
        self, games: Sequence[RoundGame], better: int, other: int
    ) -> tuple[bool, int | None]:
        """Return whether the match is over, and the winner's entry or None."""
        lead = sum(game.points_of(better) - game.points_of(other) for game in games)
        left = max(self.best_of - len(games), 0)
        if abs(lead) > left * WIN:
            return True, better if lead > 0 else other
        if left:
            return False, None
        if not any(game.is_played or game.first_points or game.second_points for game in games):
            return True, None
        if len(games) >= self.best_of + MORE_GAMES:
            return True, better
        return False, None
