"""Collecting, bundling and naming the static files.

The sources are plain modules and style sheets, which a browser loads directly with `DEBUG=on`. When
they are collected, the script of each page is bundled with the modules that it imports, and each
style sheet with those that it imports, so that a page needs few requests.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The only forms of imports and exports that the modules may use.
_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"(\.[^"]+)";.*\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:const|class|function\*?|async function\*?) (\w+))", re.MULTILINE
)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_AWAIT = re.compile(r"^(?:const .*= )?await ", re.MULTILINE)  # an `await` outside of functions
# Comments are removed, because they are a third of a script.
_COMMENT = re.compile(r"^ *(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)\n", re.MULTILINE)
_CSS_IMPORT = re.compile(r'^@import "([\w-]+\.css)";\n', re.MULTILINE)

# The modification time of this file. It is part of the digest of the sources, because a new version
# may bundle differently.
_BUNDLER = Path(__file__).stat().st_mtime_ns

Read = Callable[[str], str]
"""A function that returns the text of a source file by its name, such as "js/match/match.js"."""


class CannotBundleError(Exception):
    """A module imports itself, perhaps indirectly, or has an unknown form of import or export."""


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the base class is untyped
    """A storage with bundles, and with a digest in each file name."""

    def post_process(
        self, paths: dict[str, tuple[Any, str]], dry_run: bool = False, **options: Any
    ) -> Iterator[Any]:
        if not dry_run:
            paths = self._bundle(paths)
        yield from super().post_process(paths, dry_run=dry_run, **options)

    def _bundle(self, paths: dict[str, tuple[Any, str]]) -> dict[str, tuple[Any, str]]:
        """Write the bundles, and return the files without the modules that are only imported."""

        def read(name: str) -> str:
            storage, path = paths[name]
            return Path(storage.path(path)).read_text()

        kept = dict(paths)
        for name in paths:
            if name.startswith("js/") and name.endswith(".js"):
                if _EXPORT.search(read(name)):
                    del kept[name]
                if _EXPORT.search(read(name)) or not _IMPORT.search(read(name)):
                    continue
                text = bundle_script(name, read)
            elif name.startswith("css/") and name.endswith(".css"):
                text = bundle_styles(name, read)
            else:
                continue
            Path(self.path(name)).write_text(text)
            kept[name] = (self, name)
        return kept


def collect_if_changed() -> None:
    """Collect the static files, unless none of them has changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    stamp = root.with_name(f"{root.name}.stamp")
    now = _state_of_sources()
    if root.is_dir() and stamp.is_file() and stamp.read_text() == now:
        return
    # Remove the stamp first, because the process may be killed while it is collecting.
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now)


def _state_of_sources() -> str:
    """Return a digest of the names, sizes and times of all sources.

    It also depends on the version of Django, the storage and this module.
    """
    made_by = f"{django.__version__} {settings.STORAGES['staticfiles']['BACKEND']} {_BUNDLER}"
    rows = [made_by]
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            rows.append(f"{name} {found.st_size} {found.st_mtime_ns}")
    return blake2b("\n".join(sorted(rows)).encode()).hexdigest()


def bundle_script(name: str, read: Read) -> str:
    """Return a page's script with all modules that it imports, each in its own function.

    A module runs once, after the modules that it imports. Raise `CannotBundleError` if a module
    imports itself, directly or through others, or uses an unknown form of import or export.
    """
    order: list[str] = []
    open_modules: list[str] = []

    def visit(module: str) -> None:
        if module in order:
            return
        if module in open_modules:
            raise CannotBundleError(f"{module} imports itself, by {open_modules[-1]}")
        open_modules.append(module)
        for _, path in _IMPORT.findall(read(module)):
            visit(_resolve(module, path))
        open_modules.pop()
        order.append(module)

    visit(name)
    numbers = {module: f"$m{number}" for number, module in enumerate(order)}
    return "".join(_wrap(module, read(module), numbers) for module in order)


def bundle_styles(name: str, read: Read) -> str:
    """Return a style sheet with its imports inlined. They must be in the same folder."""
    folder = posixpath.dirname(name)

    def inline(found: re.Match[str]) -> str:
        return bundle_styles(f"{folder}/{found[1]}", read)

    return _CSS_IMPORT.sub(inline, read(name))


def _wrap(module: str, text: str, numbers: dict[str, str]) -> str:
    """Return a module as a function that is called immediately and returns the module's exports."""

    def bind(found: re.Match[str]) -> str:
        names = (found[1] or "").replace(" as ", ": ")
        return f"const {{{names}}} = {numbers[_resolve(module, found[2])]};\n" if names else ""

    exports = [found[1] for found in _EXPORT.finditer(text)]
    body = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub(bind, text)))
    unknown = _OTHER.search(body)
    if unknown:
        raise CannotBundleError(f"{module}: {unknown[0]}")
    waits, is_async = ("await ", "async ") if _AWAIT.search(body) else ("", "")
    return (
        f"const {numbers[module]} = {waits}({is_async}() => {{\n{body}\n"
        f"return {{ {', '.join(exports)} }};\n}})();\n"
    )


def _resolve(module: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), path))
