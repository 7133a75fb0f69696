from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under names with a hash, compressed; also where modules import each other.

    Before `collectstatic` there are none: a plain start serves files from where they lie, under their own names.
    """

    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name
