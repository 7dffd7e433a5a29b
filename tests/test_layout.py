"""Tests import builders from tests/builders, and fixtures from nowhere. Class names are unique."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent


def list_imported_modules(source: str, package: str = "tests") -> Iterator[str]:
    """Yield the modules that a file of the package imports, and what it imports from them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            above = parts[: len(parts) + 1 - node.level] if node.level else []
            module = ".".join([*above, node.module or ""]).strip(".")
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def names_private(source: str) -> bool:
    """Return whether a file names what may be a private module. Most need not be parsed."""
    return re.search(r"(?<!def )\b(test_|conftest\b)", source) is not None


def is_private(module: str) -> bool:
    """Return True for a test module or a conftest.py of the tests."""
    top, *parts = module.split(".")
    return top == "tests" and any(p.startswith("test_") or p == "conftest" for p in parts)


@pytest.mark.parametrize(
    "source",
    [
        "from tests.games.test_a import play",
        "from tests.games import test_a",
        "import tests.games.test_a",
        "from tests.games.conftest import alice",
        "from .test_a import play",
        "from ..conftest import alice",
        "from . import test_a",
        "def f():\n    from tests.games.test_a import play",
    ],
)
def test_each_kind_of_import_is_found(source: str) -> None:
    assert names_private(source)
    assert any(map(is_private, list_imported_modules(source, "tests.games")))


def test_no_module_imports_from_a_test_module_or_a_conftest() -> None:
    found = []
    paths = [path for path in TESTS.rglob("*.py") if "node_modules" not in path.parts]
    for path in sorted(paths):
        package = ".".join(path.relative_to(TESTS.parent).parent.parts)
        source = path.read_text()
        if not names_private(source):
            continue
        wrong = set(filter(is_private, list_imported_modules(source, package)))
        found += [f"{path.relative_to(TESTS)} imports {module}" for module in sorted(wrong)]
    assert found == [], "move what both need to tests/builders"


def list_classes(tree: ast.AST, outer: str = "") -> Iterator[str]:
    """Yield the names of the classes in a module. A nested class has its outer class's name too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield f"{outer}{node.name}"
            yield from list_classes(node, f"{outer}{node.name}.")
        else:
            yield from list_classes(node, outer)


def test_classes_are_found_in_classes_and_functions() -> None:
    source = "class A:\n class Meta: pass\ndef f():\n if x:\n  class B: pass"
    assert list(list_classes(ast.parse(source))) == ["A", "A.Meta", "B"]


def test_no_two_classes_of_the_site_share_a_name() -> None:
    """Django finds a migration or a command by its module, so each is called like all others."""
    found = defaultdict(list)
    for top in ("config", "lobby", "games"):
        for path in sorted((TESTS.parent / top).rglob("*.py")):
            source = path.read_text()
            for name in list_classes(ast.parse(source)) if "class " in source else ():
                if name not in {"Migration", "Command"}:
                    found[name].append(str(path.relative_to(TESTS.parent)))
    assert len(found) > 300
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
