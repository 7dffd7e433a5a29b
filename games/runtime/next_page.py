"""The page that is shown after a form has been submitted."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def get_next_page(request: HttpRequest) -> str:
    """Return the `next` path of the form or the URL, or "" if it is not a path of this site."""
    path = request.POST.get("next") or request.GET.get("next", "")
    is_ours = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_ours else ""
