"""How static files are named and served."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped base
    """File names with a digest of the content; the imports inside scripts use those names too."""

    support_js_module_import_aggregation = True
