"""A worker process that reads jobs from standard input, one JSON object per line, and answers them.

Every job has a `game`. The other fields select one of four kinds of jobs:

- `sheet`: add a game from a rule sheet, from what `games.bots.pack_sheet` returned. The answer is
  `{}`.
- No other fields: load the bot of the game. The answer is `{}`.
- `notation`, `budget` (seconds), `level` and `seed`: choose an action. The answer is
  `{"action": …}`.
- `notation`, `budget` and `action`: analyse the action. The answer has the fields of a `Look`. If
  the job has `review`, the id of a match, the process keeps its findings for the next job with the
  same id. The caller sends these jobs from the last position of the match to the first.

The answer to a job that fails is `{"error": …}`. The process ends when its input ends and its last
job is done, so it does not stay behind when the process that started it ends.
"""

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

from games.bots import Review, get_bot, unpack_sheet
from games.rules import GAMES


def done(job: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a job. Raise `KeyError` or `ValueError` if the job is invalid."""
    if "sheet" in job:
        unpack_sheet(job["game"], job["sheet"])
        return {}
    bot = get_bot(job["game"])
    if "notation" not in job:
        bot.warm()
        return {}
    if bot.is_heavy:
        give_way()
    position = GAMES[job["game"]].read(job["notation"])
    if "level" in job:
        return {"action": bot.choose(position, job["level"], job["budget"], job["seed"])}
    if "review" in job:
        review = reviewing(job["review"], job["game"], job["budget"])
        return asdict(review.look(position, job["action"]))
    return asdict(bot.look(position, job["action"], job["budget"]))


@lru_cache(maxsize=1)
def reviewing(match_id: str, game: str, budget: float) -> Review[Any]:
    """Return the review of the match. Start a new one unless the last review was of this match."""
    return get_bot(game).review(budget)


@cache
def give_way() -> None:
    """Run only while no other process needs the core, so that servers take precedence.

    An unprivileged process cannot undo this, so it is done only for bots that are heavy.
    """
    # This policy exists on Linux only, and the system may not allow it.
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    with suppress(OSError):
        os.nice(5)
    for line in sys.stdin:
        try:
            answer = done(json.loads(line))
        except Exception as error:  # the caller must get an answer, even if the bot fails
            answer = {"error": f"{type(error).__name__}: {error}"}
        with suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
