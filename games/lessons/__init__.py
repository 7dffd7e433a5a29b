"""Lessons that explain how to play the games.

Each module of this package with a `LESSON` defines a lesson. A game does not need to have one.
"""

from importlib import import_module
from pkgutil import iter_modules

from games.lessons.lesson import Lesson
from games.rules import Catalogue

__all__ = ["LESSONS", "Lesson"]


def _found() -> Catalogue[Lesson]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    lessons = [found for m in modules if isinstance(found := getattr(m, "LESSON", None), Lesson)]
    return Catalogue({lesson.slug: lesson for lesson in lessons})


LESSONS: Catalogue[Lesson] = _found()
"""A mapping from the slug of each game that has a lesson to that lesson."""
