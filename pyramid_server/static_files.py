"""The files of the pages as browsers load them: few, compressed, and under hashed names."""

import fcntl
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage  # type: ignore[import-untyped]

from games.doors import scripts
from games.doors.release import hash_of_folders

OWN_FOLDERS = ("games", "games/client", "desk", "docs")
OF_PACKAGES = ["admin", "drf_spectacular_sidecar", "rest_framework"]
STAMP = "collected.stamp"


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under hashed names, compressed, with the imports between modules rewritten.

    The script of a page has everything that it imports in its own file. What was not collected keeps its plain name,
    under which it is served from its folder.
    """

    support_js_module_import_aggregation = True

    def stored_name(self, name: str) -> str:
        return str(self.hashed_files.get(self.hash_key(self.clean_name(name)), name))

    def post_process(self, paths: dict[str, Any], **options: Any) -> Iterator[Any]:
        rewritten = [name for name in paths if name.startswith("games/") and name.endswith(".js")]
        for name in rewritten:
            self._rewrite(name)
        yield from super().post_process(paths | {name: (self, name) for name in rewritten}, **options)

    def _rewrite(self, name: str) -> None:
        is_page = name.startswith(scripts.PAGES)
        text = scripts.bundle_of(name) if is_page else scripts.condensed(scripts.source_of(name))
        self.delete(name)
        self._save(name, ContentFile(text.encode()))


def collect_own_files() -> None:
    """Collect our own files if they have changed; those of packages are large, and served as they are."""
    with (Path(settings.STATIC_ROOT) / STAMP).open("a+") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)  # another server of this folder may be doing the same
        stamp.seek(0)
        sources = _hash_of_sources()
        if stamp.read() != sources:
            call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=OF_PACKAGES)
            stamp.truncate(0)
            stamp.write(sources)


def _hash_of_sources() -> str:
    """Return a hash of the files to collect and of the code that collects them."""
    code = "".join(Path(file).read_text(encoding="utf-8") for file in (scripts.__file__, __file__))
    return hash_of_folders(*OWN_FOLDERS) + sha256(code.encode()).hexdigest()
