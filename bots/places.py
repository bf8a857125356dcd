"""Where the settings of a run come from: refdesk.toml, folders named on the command line, or the bundled handbook."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from bots.discord_settings import discord_here
from bots.settings import Settings, cache_dir, is_configured, language_here, load, models_here, validated
from bots.slack_settings import slack_here
from core.answers import ROUTES
from core.errors import InputError
from core.wording import say

HANDBOOK = Path(__file__).parent / "handbook"
TITLES = {"policies": "Company policies", "runbooks": "Runbooks and reports", "product": "Product documentation"}


def chosen(docs: Sequence[Path] | None, config: Path | None) -> Settings:
    """The settings for ``--docs`` folders, else those of the configuration file.

    Who has only tried the demo goes on in it: a follow-up needs no configuration.
    """
    if docs:
        return folders(docs)
    if config is None and not is_configured():
        handbook = demo()
        if (handbook.data_dir / "refdesk.db").is_file():
            sys.stderr.write(say("console.demo_instead", language_here()) + "\n")
            return handbook
    return load(config)


def folders(docs: Sequence[Path]) -> Settings:
    """One collection a folder, its index kept in the user's cache, so that a second run finds it."""
    paths = list(dict.fromkeys(_folder(path) for path in docs))
    names = _names(paths)
    mark = hashlib.sha256("\n".join(map(str, paths)).encode()).hexdigest()[:12]
    collections: list[dict[str, object]] = [
        {"name": name, "source": f"folder:{path}"} for name, path in zip(names, paths, strict=True)
    ]
    return _cached(f"docs-{mark}", collections, "--docs")


def _folder(path: Path) -> Path:
    """The folder's full path; a mistake is told before anything heavy is loaded."""
    try:
        found = path.expanduser().resolve()
        is_folder = found.is_dir()
    except PermissionError as error:
        raise InputError("error.folder_permission", path=str(path)) from error
    except (OSError, RuntimeError, ValueError) as error:  # nobody's home, a loop of links, a NUL
        raise InputError("error.folder_missing", path=str(path)) from error
    if not is_folder:
        raise InputError("error.folder_missing", path=str(found))
    return found


def demo() -> Settings:
    """The bundled handbook: three collections of a fictional company's documents."""
    collections: list[dict[str, object]] = [
        {"name": name, "title": title, "source": f"folder:{HANDBOOK / name}", "exclude": ["**/__pycache__/**", "*.py"]}
        for name, title in TITLES.items()
    ]
    return _cached(f"demo-{version('refdesk')}", collections, "demo")


def _cached(name: str, collections: Sequence[dict[str, object]], where: str) -> Settings:
    return validated(
        {
            "data_dir": cache_dir() / name,
            "language": language_here(),
            "model_cache": cache_dir() / "models",
            "collections": list(collections),
            "models": models_here(),
            "slack": slack_here(os.environ),
            "discord": discord_here(os.environ),
        },
        where,
    )


def _names(paths: Sequence[Path]) -> list[str]:
    """A collection name for each folder: its own name, made distinct."""
    names: list[str] = []
    for path in paths:
        bare = re.sub(r"[^a-z0-9]+", "-", path.name.lower()).strip("-")[:32] or "docs"
        bare = f"{bare}-docs" if bare in ROUTES else bare
        name, number = bare, 2
        while name in names:
            name, number = f"{bare}-{number}", number + 1
        names.append(name)
    return names
