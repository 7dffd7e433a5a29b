"""The languages of the site in templates."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def list_languages() -> list[tuple[str, str]]:
    """Return each language's code, and its name in that language.

    Django's tag `get_available_languages` would translate some of the names.
    """
    return list(settings.LANGUAGES)
