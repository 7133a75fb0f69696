"""The folders of the server: of its code, of the documents and clients that come with it, and of its data."""

from pathlib import Path

from pyramid_server.env import SettingsError

CODE = Path(__file__).resolve().parents[1]
# A wheel has here what lies around the packages in a clone (`force-include` in pyproject.toml).
_IN_WHEEL = CODE / "pyramid_server" / "project"
IS_INSTALLED = _IN_WHEEL.is_dir()
PROJECT = _IN_WHEEL if IS_INSTALLED else CODE
# Not beside the code: there pip would replace it, or a system's package manager.
_DATA = Path("~/pyramid-server") if IS_INSTALLED else CODE


def of_data(given: Path | None) -> Path:
    """Return the folder whose `var/` has the data, and make that. Raises SettingsError if it cannot be made."""
    folder = (given or _DATA).expanduser()
    try:
        (folder / "var" / "static").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"The data cannot be kept in {folder} (see PYRAMID_FOLDER): {error.strerror}") from error
    return folder
