"""Collecting and naming the static files."""

from hashlib import blake2b
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped base
    """Storage with a digest in each file name, also in the imports inside scripts."""

    support_js_module_import_aggregation = True


def collect_if_changed() -> None:
    """Collect the static files, unless none has changed since the last time."""
    root = Path(settings.STATIC_ROOT)
    stamp = root.with_name(f"{root.name}.stamp")
    now = _state_of_sources()
    if root.is_dir() and stamp.is_file() and stamp.read_text() == now:
        return
    stamp.unlink(missing_ok=True)  # a process killed during the collection leaves no stamp
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(now)


def _state_of_sources() -> str:
    """Return a digest of the names, sizes and times of all sources, and of Django's version."""
    made_by = f"{django.__version__} {settings.STORAGES['staticfiles']['BACKEND']}"
    rows = [made_by]
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            rows.append(f"{name} {found.st_size} {found.st_mtime_ns}")
    return blake2b("\n".join(sorted(rows)).encode()).hexdigest()
