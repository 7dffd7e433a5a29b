"""Static files are collected only when they have changed."""

from pathlib import Path
from typing import Any

import pytest

from config.static_files import collect_if_changed

HASHED = {"staticfiles": {"BACKEND": "config.static_files.HashedStaticFiles"}}


@pytest.fixture
def sources(tmp_path: Path, settings: Any) -> Path:
    made = tmp_path / "sources"
    made.mkdir()
    (made / "page.css").write_text("body { color: red }")
    settings.STATICFILES_DIRS = [made]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = settings.STORAGES | HASHED
    return made


def collected(sources: Path) -> tuple[set[str], int]:
    """Return the names of the hashed style sheets, and the time of the manifest."""
    collect_if_changed()
    root = sources.parent / "static"
    written = (root / "staticfiles.json").stat().st_mtime_ns
    return {path.name for path in root.glob("page.*.css")}, written


def test_they_are_collected_once_until_one_changes(sources: Path) -> None:
    first = collected(sources)
    assert len(first[0]) == 1
    assert collected(sources) == first
    (sources / "page.css").write_text("body { color: blue }")
    second = collected(sources)
    assert len(second[0]) == 2  # open pages request the previous one
    assert second[1] > first[1]
    (sources / "other.css").write_text("")
    assert collected(sources)[1] > second[1]
    assert (sources.parent / "static" / "other.css").exists()


def test_who_is_killed_while_they_are_collected_leaves_no_stamp(sources: Path) -> None:
    first = collected(sources)
    (sources / "page.css").write_text("a { background: url(nowhere.png) }")
    with pytest.raises(Exception, match="nowhere"):
        collect_if_changed()
    (sources / "page.css").write_text("body { color: red }")
    names, written = collected(sources)
    assert names == first[0]
    assert written >= first[1]
    assert (sources.parent / "static.stamp").exists()


def test_a_folder_that_is_gone_is_made_again(sources: Path) -> None:
    names, _ = collected(sources)
    for path in sorted((sources.parent / "static").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (sources.parent / "static").rmdir()
    assert collected(sources)[0] == names
