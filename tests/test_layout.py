"""Tests import builders from tests/builders, and fixtures from nowhere."""

import ast
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
    assert any(map(is_private, list_imported_modules(source, "tests.games")))


def test_no_module_imports_from_a_test_module_or_a_conftest() -> None:
    found = []
    paths = [path for path in TESTS.rglob("*.py") if "node_modules" not in path.parts]
    for path in sorted(paths):
        package = ".".join(path.relative_to(TESTS.parent).parent.parts)
        source = path.read_text()
        wrong = set(filter(is_private, list_imported_modules(source, package)))
        found += [f"{path.relative_to(TESTS)} imports {module}" for module in sorted(wrong)]
    assert found == [], "move what both need to tests/builders"
