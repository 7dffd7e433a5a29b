"""Static files are collected only when they have changed, and bundled for each page."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from config.static_files import CannotBundleError, bundle_script, collect_if_changed
from tests.builders.sites import PATIENCE

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
    root = sources.parent / "static"
    assert len(list(root.glob("other.*.css"))) == 1
    assert not (root / "other.css").exists()  # no page names it


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


SCRIPTS = {
    "js/page.js": """/* A page. */

import "./shared/start.js"; // for its effect
import { double as twice, seen } from "./shared/numbers.js";

seen.push(twice(4));
globalThis.result = seen;
""",
    "js/shared/start.js": 'import { seen } from "./numbers.js";\n\nseen.push("start");\n',
    "js/shared/numbers.js": """/**
 * @param {number} n
 */
export function double(n) {
  return 2 * n;
}

export const seen = await Promise.resolve(["numbers"]);
""",
}


def run_script(text: str) -> str:
    """Run a bundle with Node and return what it leaves in `globalThis.result`."""
    show = "console.log(JSON.stringify(globalThis.result));"
    node = ["node", "--input-type=module", "--eval", text + show]
    return subprocess.run(node, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


def test_a_bundle_runs_each_module_once_and_after_its_imports() -> None:
    bundle = bundle_script("js/page.js", SCRIPTS.__getitem__)
    assert "import" not in bundle
    assert "@param" not in bundle
    assert run_script(bundle) == '["numbers","start",8]\n'


@pytest.mark.parametrize(
    ("module", "text", "complaint"),
    [
        ("js/shared/numbers.js", 'import { seen } from "./start.js";\n', "imports itself"),
        ("js/shared/start.js", "export default 1;\n", "export default"),
        ("js/shared/start.js", 'import * as numbers from "./numbers.js";\n', "import \\*"),
    ],
)
def test_imports_in_a_circle_and_unknown_forms_are_refused(
    module: str, text: str, complaint: str
) -> None:
    changed = SCRIPTS | {module: text + SCRIPTS[module]}
    with pytest.raises(CannotBundleError, match=complaint):
        bundle_script("js/page.js", changed.__getitem__)


def test_a_page_requests_one_script_and_its_name_changes_with_each_module(sources: Path) -> None:
    for name, text in SCRIPTS.items():
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text(text)
    (sources / "css").mkdir()
    (sources / "css/page.css").write_text('@import "colours.css";\nb { color: red }\n')
    (sources / "css/colours.css").write_text("a { color: blue }\n")

    def collected_page() -> tuple[set[str], str, str]:
        collect_if_changed()
        root = sources.parent / "static"
        names: dict[str, str] = json.loads((root / "staticfiles.json").read_text())["paths"]
        (script,) = [
            name for name in names if name.startswith("js/") and name != "js/shared/start.js"
        ]
        style = (root / names["css/page.css"]).read_text()
        return set(names), names[script], style

    names, script, style = collected_page()
    assert "js/shared/numbers.js" not in names  # only in bundles
    assert style == "a { color: blue }\nb { color: red }\n"
    numbers = sources / "js/shared/numbers.js"
    numbers.write_text(numbers.read_text().replace("2 * n", "3 * n"))
    (sources / "css/colours.css").write_text("a { color: green }\n")
    _, changed, style = collected_page()
    assert changed != script
    assert "3 * n" in (sources.parent / "static" / changed).read_text()
    assert style.startswith("a { color: green }")


def test_every_page_script_can_be_bundled() -> None:
    static = settings.BASE_DIR / "static"
    pages = [
        name
        for path in static.glob("js/**/*.js")
        if not re.search("^export ", path.read_text(), re.MULTILINE)
        for name in [str(path.relative_to(static))]
    ]
    assert len(pages) > 10
    for name in pages:
        assert bundle_script(name, lambda source: (static / source).read_text())
