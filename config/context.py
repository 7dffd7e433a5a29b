"""What every page's template is given."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.review.notices import notices


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, and the staff's notices for the viewer (read only if they are shown)."""
    return {
        "site_name": settings.SITE_NAME,
        "notices": SimpleLazyObject(lambda: _notices(request)),
    }


def _notices(request: HttpRequest) -> list[dict[str, object]]:
    user = getattr(request, "user", None)
    return notices(user.pk) if user is not None and user.is_authenticated else []
