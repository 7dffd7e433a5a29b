"""Forms return only to pages of this site."""

import pytest
from django.test import RequestFactory

from games.runtime.next_page import get_next_page


@pytest.mark.parametrize("path", ["/", "/match/abc/?ply=3", "/rules/tic-tac-toe/"])
def test_a_path_of_this_site_is_accepted(path: str) -> None:
    assert get_next_page(RequestFactory().post("/", {"next": path})) == path


@pytest.mark.parametrize(
    "path",
    ["", "match/abc/", "//elsewhere.example/", "///elsewhere.example/", "/\\elsewhere.example/",
     "https://elsewhere.example/", "javascript:alert(1)", "/\t/elsewhere.example/"],
)  # fmt: skip
def test_other_addresses_are_ignored(path: str) -> None:
    assert get_next_page(RequestFactory().post("/", {"next": path})) == ""
    assert get_next_page(RequestFactory().get("/", {"next": path})) == ""


def test_the_address_may_say_it_and_the_form_says_it_first() -> None:
    assert get_next_page(RequestFactory().post("/")) == ""
    assert get_next_page(RequestFactory().get("/?next=/rules/")) == "/rules/"
    assert get_next_page(RequestFactory().post("/?next=/rules/", {"next": "/"})) == "/"
