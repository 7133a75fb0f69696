from __future__ import annotations

import re

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

OURS = "games/"
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under hashed names, compressed, with the imports between modules rewritten.

    Our scripts lose their comment lines, a third of what a browser would load. Without `collectstatic` the files
    are served from the source folders, under their plain names.
    """

    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        return str(super().stored_name(name)) if self.hashed_files else name

    def _save(self, name: str, content: File[bytes]) -> str:
        if name.startswith(OURS) and name.endswith(".js"):
            content.seek(0)
            content = ContentFile(without_comments(content.read().decode()).encode())
        return str(super()._save(name, content))


def without_comments(script: str) -> str:
    return _COMMENT.sub("", script)
