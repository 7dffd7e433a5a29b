"""The page to which a form leads back."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def get_next_page(request: HttpRequest) -> str:
    """The path that the form or the address gives as `next`; "" where that is not a path of this
    site."""
    path = request.POST.get("next") or request.GET.get("next", "")
    is_ours = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_ours else ""
