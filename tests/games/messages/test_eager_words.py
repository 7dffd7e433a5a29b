"""No module fixes the language of a text when it is imported."""

import ast

from tests.builders.sites import ROOT

EAGER = {"gettext", "ngettext", "pgettext", "npgettext", "render", "get_game_name", "translate"}
"""Functions that return a text in the active language."""
MODULES = {"django.utils.translation", "games.messages", "games.messages.table"}


def list_eager_calls(source: str) -> list[str]:
    """Return the calls outside of functions that depend on the active language."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in MODULES
        for alias in node.names
        # In `games.messages`, these functions only mark a sentence.
        if alias.name in EAGER and not (alias.name.endswith("gettext") and "games" in node.module)
    }
    found: list[str] = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for default in (*node.args.defaults, *node.args.kw_defaults, *node.decorator_list):
                if default is not None:
                    visit(default)
            return
        if isinstance(node, ast.Call):
            called = node.func
            is_named = isinstance(called, ast.Name) and called.id in names
            is_attribute = isinstance(called, ast.Attribute) and called.attr in EAGER - {"render"}
            if is_named or is_attribute:
                found.append(ast.unparse(node))
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found


def test_no_text_is_translated_at_import() -> None:
    paths = [p for part in ("config", "games", "lobby") for p in (ROOT / part).rglob("*.py")]
    assert len(paths) > 300
    found = {str(path.relative_to(ROOT)): list_eager_calls(path.read_text()) for path in paths}
    assert {path: calls for path, calls in found.items() if calls} == {}


def test_such_a_call_is_found() -> None:
    head = "from django.utils.translation import gettext as _, gettext_lazy\n"
    assert list_eager_calls(head + "LATE = gettext_lazy('a')\ndef f():\n    return _('b')\n") == []
    for eager in ("A = _('a')", "class B:\n    a = _('a')", "def f(a=_('a')):\n    pass"):
        assert list_eager_calls(head + eager) == ["_('a')"]
    assert list_eager_calls("from games.messages import render\nA = [render(b)]") == ["render(b)"]
