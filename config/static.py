"""How static files are named and served."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped base
    """Names that carry a digest of the content, inside the modules' own imports too."""

    support_js_module_import_aggregation = True
