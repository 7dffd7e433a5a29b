"""Dependencies: the locked versions match pyproject.toml and the installed versions."""

import tomllib
from collections import defaultdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.builders.sites import ROOT

SITE, TESTS = ROOT / "requirements.lock", ROOT / "tests" / "requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WANTED = [Requirement(line) for line in PROJECT["dependencies"]]
WANTED_BY_TESTS = [Requirement(line) for line in PROJECT["optional-dependencies"]["test"]]


def locked(path: Path) -> list[Requirement]:
    """Return the versions in a lock file, each with its environment marker."""
    lines = path.read_text().splitlines()
    return [Requirement(line.rstrip(" \\")) for line in lines if not line.startswith(" ")]


def by_name(found: list[Requirement]) -> dict[str, list[Requirement]]:
    names = defaultdict(list)
    for requirement in found:
        names[canonicalize_name(requirement.name)].append(requirement)
    return names


def pinned(requirement: Requirement) -> str:
    (exact,) = requirement.specifier
    assert exact.operator == "==", requirement
    return exact.version


def applies(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate()


@pytest.mark.parametrize("path", [SITE, TESTS], ids=["site", "tests"])
def test_each_version_is_locked_with_its_hashes_and_no_place_to_fetch_it_from(path: Path) -> None:
    text = path.read_text()
    assert "://" not in text
    assert "index" not in text
    blocks = text.replace("\\\n    --hash", "--hash").strip().splitlines()
    assert len(blocks) == len(locked(path)) > 40
    for block in blocks:
        assert "--hash=sha256:" in block, block
    for requirement in locked(path):
        assert pinned(requirement)


@pytest.mark.parametrize(
    ("path", "wanted"),
    [(SITE, WANTED), (TESTS, [*WANTED, *WANTED_BY_TESTS])],
    ids=["site", "tests"],
)
def test_what_is_locked_lies_within_the_ranges(path: Path, wanted: list[Requirement]) -> None:
    held = by_name(locked(path))
    for requirement in wanted:
        found = held[canonicalize_name(requirement.name)]
        assert found, f"{requirement.name} is not locked in {path.name}"
        for each in found:
            assert pinned(each) in requirement.specifier, f"{each} is not {requirement.specifier}"


def test_the_tests_run_with_the_versions_that_the_site_has() -> None:
    under_test = by_name(locked(TESTS))
    for name, found in by_name(locked(SITE)).items():
        there = {(pinned(each), str(each.marker)) for each in under_test[name]}
        for each in found:  # a tool may need on every platform what the site needs on only one
            assert {(pinned(each), str(each.marker)), (pinned(each), "None")} & there, name


def test_what_is_installed_here_is_what_is_locked() -> None:
    others = {}
    for requirement in filter(applies, locked(TESTS)):
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            installed = "missing"
        if installed != pinned(requirement):
            others[requirement.name] = (installed, pinned(requirement))
    assert not others, "installed and locked differ: tests/run installs what is locked"


@pytest.mark.parametrize(
    ("name", "faulty", "untried"),
    [
        ("django", "5.2.17", "5.3"),
        ("daphne", "4.2.2", "4.3"),
        ("autobahn", "26.7.1", "26.11.1"),
        ("twisted", "25.5.0", "26.11.0"),
        ("channels", "4.3.1", "4.4"),
    ],
)
def test_neither_a_version_with_a_known_fault_nor_an_untried_one_is_allowed(
    name: str, faulty: str, untried: str
) -> None:
    (wanted,) = [each for each in WANTED if canonicalize_name(each.name) == name]
    assert faulty not in wanted.specifier
    assert untried not in wanted.specifier
