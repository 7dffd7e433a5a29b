"""The lessons of the games that come from rule sheets, made from their overlays."""

from django.utils.translation import gettext_lazy

from games.gdl.errors import SheetError
from games.gdl.layout import Layout
from games.gdl.sheet_position import LoadedSheet
from games.lessons.lesson import Lesson, LessonPart, Picture
from games.rules import IllegalAction


def make_lesson(sheet: LoadedSheet) -> Lesson | None:
    """Return the lesson in the overlay of a sheet, or None if there is none.

    Raise `SheetError` if an action of the lesson is not legal.
    """
    assert isinstance(sheet.layout, Layout)
    told = sheet.layout.overlay
    if not told.lesson:
        return None
    for number, each in enumerate(told.lesson, 1):
        position = sheet.game.start
        for action in each.after:
            try:
                position = position.play(action)
            except IllegalAction:
                raise SheetError(
                    f"picture {number} of the lesson: {action!r} is not legal there"
                ) from None
    pictures = tuple(Picture(each.after, gettext_lazy(each.text)) for each in told.lesson)
    goal = gettext_lazy(told.goal or told.summary or told.lesson[-1].text)
    return Lesson(sheet.slug, goal, (LessonPart("", pictures),), shows=len(pictures) - 1)
