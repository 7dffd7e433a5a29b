"""Avatars: the same pattern from the server and from the scripts, and none for hidden players."""

import json

import pytest
from django.template import Context, Template

from games.store.visibility import HIDDEN_NAME
from games.templatetags.avatars import HUES, compute_avatar
from tests.builders.sites import ROOT

AVATARS = json.loads((ROOT / "tests/static/avatars.json").read_text())


@pytest.mark.parametrize(("name", "hue", "path"), AVATARS)
def test_avatars_do_not_change(name: str, hue: str, path: str) -> None:
    assert compute_avatar(name) == (hue, path)


def test_similar_names_have_different_avatars() -> None:
    names = [f"Player {number}" for number in range(500)]
    assert len({compute_avatar(name) for name in names}) > 490
    assert {compute_avatar(name)[0] for name in names} == {str(hue) for hue in range(HUES)}


def test_hidden_players_share_a_neutral_avatar() -> None:
    assert compute_avatar(HIDDEN_NAME)[0] == ""


def test_an_avatar_is_decorative_and_does_not_contain_the_name() -> None:
    template = Template("{% load avatars %}{% avatar name %}")
    drawn = template.render(Context({"name": '"><script>'}))
    assert 'aria-hidden="true"' in drawn
    assert "script" not in drawn
