"""A worker process: reads jobs from standard input, one JSON object a line, and answers each.

A job names a `game`. There are three kinds of jobs:

- `game` alone: load the bot of that game. The answer is `{}`.
- with `notation`, `budget` (seconds), `level` and `seed`: choose an action. The answer is
  `{"action": …}`.
- with `notation`, `budget` and `action`: analyse the action. The answer has the fields of a `Look`.
  If the job has `review`, the id of a match, the process keeps what it finds for the next job with
  the same id. Such jobs go from the last position of the match to the first.

A job that fails is answered with `{"error": …}`. The process ends when its input ends, so it never
outlives the process that started it.
"""

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import cache, lru_cache
from typing import Any

from games.bots import Review, bot_of
from games.rules import GAMES


def done(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to a job. Raises KeyError or ValueError for an object that is no job."""
    bot = bot_of(job["game"])
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
    """The review of that match. The first job of a match begins it."""
    return bot_of(game).review(budget)


@cache
def give_way() -> None:
    """Run only while no other process wants the core, so that servers go before searches.

    Without privileges a process cannot undo this. So it is not done for the quick bots.
    """
    with suppress(AttributeError, OSError):  # only Linux has it
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    with suppress(OSError):
        os.nice(5)
    for line in sys.stdin:
        try:
            answer = done(json.loads(line))
        except Exception as error:  # whatever it is, the caller gets an answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        with suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
