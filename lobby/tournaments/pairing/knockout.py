"""Knockouts: who loses a match is out. Seeds 1 and 2 can meet in the last match only.

A match has `best_of` games. Its players begin in turn, the better seed first. It ends early when
the other cannot catch up. If it is drawn, up to two more games are played, the players still
beginning in turn; the first that is won decides. If they are drawn too, the better seed goes on. A
match of which no game was played and nobody won one has no winner: the opponent of the next round
goes on without a game.
"""

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lobby.tournaments.pairing.field import WIN, CannotPair, Entrant, Game, Pair, ranked

MOST = 1024  # players
MORE_GAMES = 2  # after a drawn match


class Slot(Struct, frozen=True):
    """A match of the bracket. `first` and `second` are entries, None where not known yet or nobody;
    `games` have been played for it. `is_over` with no winner: nobody goes on. `is_bye`: there was
    never anybody on one side. `place` is 1 for the final, 3 for the match for third place, else 0.
    """

    round: int
    number: int  # of the match in its round, from 1, top to bottom
    first: int | None
    second: int | None
    games: tuple[Game, ...] = ()
    winner: int | None = None
    loser: int | None = None
    is_over: bool = False
    is_bye: bool = False
    place: int = 0


def stages(n: int) -> int:
    """How many rounds a bracket of so many players has."""
    return max(n - 1, 0).bit_length()


def bracket(
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    best_of: int = 1,
    third_place: bool = False,
    gone: Collection[int] = (),
) -> tuple[Slot, ...]:
    """Every match, round by round, top to bottom; the match for third place after the final.

    `entrants` are those who took part when the bracket was made: who leaves later stays in it, and
    in `gone`. Whoever meets them goes on without a game, for as long as they are in `gone`: for
    good if the games that they owe are recorded as forfeits.
    Raises CannotPair: `too-few-players`, `too-many-players`.
    """
    order = ranked(entrants)
    if len(order) < 2:
        raise CannotPair("too-few-players", players=len(order))
    if len(order) > MOST:
        raise CannotPair("too-many-players", players=len(order), most=MOST)
    seeds = {one.entry: seed for seed, one in enumerate(order, 1)}
    played: dict[tuple[int, frozenset[int]], list[Game]] = {}
    for game in games:
        if game.second is not None:
            key = (game.round, frozenset((game.first, game.second)))
            played.setdefault(key, []).append(game)
    table = _Table(seeds, played, best_of, gone)
    drawn = [order[seed - 1].entry if seed <= len(order) else None for seed in lines(len(order))]
    slots: list[Slot] = []
    before: list[Slot] = []
    last = stages(len(order))
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


def next_pairs(
    entrants: Sequence[Entrant],
    games: Sequence[Game],
    best_of: int = 1,
    third_place: bool = False,
    gone: Collection[int] = (),
) -> tuple[Pair, ...]:
    """The games that are to be played now: one for each match of the earliest round that is not
    over. `round`, the two players and `game` (its number in the match) name a game, so asking again
    while it is played gives the same pair. Empty: the tournament is over.

    Byes of the first round are among them, as pairs without a second, until they are among the
    games or the round is over. Raises CannotPair as `bracket` does.
    """
    slots = bracket(entrants, games, best_of, third_place, gone)
    open_stages = [slot.round for slot in slots if not slot.is_over]
    if not open_stages:
        return ()
    stage = min(open_stages)
    seeds = {one.entry: seed for seed, one in enumerate(ranked(entrants), 1)}
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


def plays_on(slots: Sequence[Slot], entry: int) -> bool:
    """Whether that entry has a match of the bracket yet to play, or to end."""
    return any(not slot.is_over and entry in (slot.first, slot.second) for slot in slots)


def lines(n: int) -> tuple[int, ...]:
    """The seeds from the top of the bracket to its bottom, filled up to a power of two."""
    seeds = [1]
    for _ in range(stages(n)):
        size = 2 * len(seeds)
        seeds = [one for seed in seeds for one in (seed, size + 1 - seed)]
    return tuple(seeds)


def _is_ready(before: Sequence[Slot], number: int) -> bool:
    """Whether the two matches that lead to this one are over."""
    return all(slot.is_over for slot in before[2 * number - 2 : 2 * number])


class _Table(Struct, frozen=True):
    """What settles matches."""

    seeds: dict[int, int]
    played: dict[tuple[int, frozenset[int]], list[Game]]
    best_of: int
    gone: Collection[int]

    def settled(self, slot: Slot, is_ready: bool) -> Slot:
        """The match with its games and what came of it."""
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

    def _outcome(self, games: Sequence[Game], better: int, other: int) -> tuple[bool, int | None]:
        """Whether the match is over, and who won it."""
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
