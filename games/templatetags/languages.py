"""The languages of the site in templates."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def list_languages() -> list[tuple[str, str]]:
    """Return the code and the own name of each language.

    Django's tag `get_available_languages` would translate some of the names.
    """
    return list(settings.LANGUAGES)
