"""Lessons that explain how to play the games.

Each module of this package with a `LESSON` defines a lesson. A game does not need to have one.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from games.lessons.lesson import Lesson

__all__ = ["LESSONS", "Lesson"]


def _found() -> Mapping[str, Lesson]:
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    lessons = [found for m in modules if isinstance(found := getattr(m, "LESSON", None), Lesson)]
    return MappingProxyType({lesson.slug: lesson for lesson in lessons})


LESSONS: Mapping[str, Lesson] = _found()
"""A mapping from the slug of each game that has a lesson to that lesson."""
