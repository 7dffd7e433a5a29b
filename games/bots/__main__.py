"""One process that thinks: reads jobs from standard input, a JSON object a line, and answers each.

A job has `game` and `notation`, the `budget` in seconds, and either `level` and `seed`, answered
with `{"action": …}`, or `action`, answered with the parts of a `Look`; with `game` alone it is to
be ready for that game, answered with `{}`. What goes wrong is answered with `{"error": …}`.
The looks at one match, from its last position to its first, have its id as `review`: what is found
of a position helps with those before it, until another match comes.
It ends with its input, so it never outlives whoever started it.
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
    """The answer to a job. Raises KeyError or ValueError for what is none."""
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
    """The review of that match, begun with its first job."""
    return bot_of(game).review(budget)


@cache
def give_way() -> None:
    """Run only while nobody else wants the core: whoever thinks yields to whoever serves people.

    There is no way back without privileges, so what is quick is not slowed down from the start.
    """
    with suppress(AttributeError, OSError):  # Linux alone has it
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main() -> None:
    with suppress(OSError):
        os.nice(5)
    for line in sys.stdin:
        try:
            answer = done(json.loads(line))
        except Exception as error:  # whatever it is, whoever asked is told
            answer = {"error": f"{type(error).__name__}: {error}"}
        with suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
