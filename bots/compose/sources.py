"""Which source a collection has: folder, repository, website, a file of lines, channels, or our own record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import ConfigError, SourceError
from core.web.reach import reach

if TYPE_CHECKING:
    from adapters.slack.budget import Budget
    from adapters.sql.database import Database
    from bots.settings import CollectionSettings, Settings
    from bots.source_settings import Kind
    from core.ports import DocumentSource


SLACK_SHARE = 2 / 3
"""Of what Slack lets us call; the rest is for those who ask us something meanwhile."""


def source_of(
    collection: CollectionSettings,
    settings: Settings,
    max_bytes: int,
    database: Database | None = None,
    budget: Budget | None = None,
) -> DocumentSource:
    """The collection's source; raises ConfigError for an address that can't be one. Nothing is asked for yet.

    `budget` is what the process that answers people keeps to in Slack.
    """
    makers: dict[Kind, Callable[[], DocumentSource]] = {
        "folder": lambda: _folder(collection, max_bytes),
        "git": lambda: _git(collection, settings, max_bytes),
        "website": lambda: _website(collection, settings, max_bytes),
        "jsonl": lambda: _lines(collection, max_bytes),
        "slack": lambda: _slack(collection, settings, budget),
        "discord": lambda: _discord(collection, settings, max_bytes),
        "corrections": lambda: _corrections(collection, settings, database),
    }
    return makers[collection.kind]()


def _folder(collection: CollectionSettings, max_bytes: int) -> DocumentSource:
    from adapters.sources.choosing import DEFAULT_EXCLUDE
    from adapters.sources.folder import FolderSource

    return FolderSource(Path(collection.path), collection.include, (*DEFAULT_EXCLUDE, *collection.exclude), max_bytes)


def _lines(collection: CollectionSettings, max_bytes: int) -> DocumentSource:
    from adapters.sources.jsonl import JsonLinesSource

    return JsonLinesSource(Path(collection.path), max_bytes)


def _corrections(collection: CollectionSettings, settings: Settings, database: Database | None) -> DocumentSource:
    from adapters.sources.corrections import CorrectionsSource
    from adapters.sql.feedback import SqlCorrections
    from core.access_corrections import taking

    assert database is not None  # they are in our own record
    rules = {each.name: each.visibility.rule(each.name) for each in settings.collections}
    return CorrectionsSource(SqlCorrections(database), taking(collection.name, rules))


def _git(collection: CollectionSettings, settings: Settings, max_bytes: int) -> DocumentSource:
    from adapters.sources.choosing import DEFAULT_EXCLUDE
    from adapters.sources.git import GitOptions, GitSource
    from adapters.sources.git_command import GitLimits
    from adapters.sources.git_remote import remote
    from bots.settings import git_environment

    git = collection.git
    try:
        origin = remote(collection.path, git.token.get_secret_value())
    except ValueError as error:
        raise ConfigError(where=f"collections.{collection.name}.source", what=str(error)) from error
    options = GitOptions(
        branch=git.branch,
        subfolder=git.subfolder,
        include=collection.include,
        exclude=(*DEFAULT_EXCLUDE, *collection.exclude),
        link=collection.link,
        max_bytes=max_bytes,
        limits=GitLimits(git.max_seconds, int(git.max_mb * 2**20), max(GitLimits().printed, max_bytes)),
    )
    folder = settings.data_dir / "sources" / f"{collection.name}.git"
    allowed = reach(collection.allow_private)
    return GitSource(origin, folder, options, allowed, environment=git_environment())


def _website(collection: CollectionSettings, settings: Settings, max_bytes: int) -> DocumentSource:
    from adapters.sources.bounds import Rules
    from adapters.sources.visiting import Manners
    from adapters.sources.website import WebsiteSource
    from core.web.addresses import address

    site, start = collection.website, address(collection.path)
    assert start is not None  # the settings looked at it
    rules = Rules(
        discover=site.discover,
        sitemap=site.sitemap,
        include=collection.include,
        exclude=collection.exclude,
        pages=site.max_pages,
        depth=site.max_depth,
        seconds=site.max_minutes * 60,
        bytes=int(site.max_mb * 2**20),
    )
    manners = Manners(site.requests_per_second, site.at_once, site.page_seconds, max_bytes)
    folder = settings.data_dir / "sources" / f"{collection.name}.site"
    return WebsiteSource(start, folder, rules, manners, reach(collection.allow_private))


def _slack(collection: CollectionSettings, settings: Settings, budget: Budget | None) -> DocumentSource:
    from adapters.clock import SystemClock
    from adapters.slack.budget import Budget
    from adapters.slack.source import SlackOptions, SlackSource
    from adapters.slack.web import SlackWeb
    from bots.slack_settings import THREADS

    slack = collection.slack
    options = SlackOptions(
        channels=THREADS.channels(collection.path),
        closed=frozenset(slack.allow_closed),
        max_days=slack.max_days,
        max_threads=slack.max_threads,
        recheck_days=slack.recheck_days,
    )

    async def token(_: str) -> str:
        if not slack.token.get_secret_value():
            raise SourceError("error.slack_token_missing", name=slack.token_env)
        return slack.token.get_secret_value()

    web = SlackWeb(token, settings.slack.base_url, 30.0, budget or Budget(), share=SLACK_SHARE, patience=120.0)
    return SlackSource(web, options, SystemClock())


def _discord(collection: CollectionSettings, settings: Settings, max_bytes: int) -> DocumentSource:
    from adapters.discord.source.channels import Wanted
    from adapters.discord.source.rest import Door
    from adapters.discord.source.threads import DiscordSource, Limits
    from bots.discord_settings import THREADS
    from core.indexing.threads import Again

    discord = collection.discord
    wanted = Wanted(THREADS.channels(collection.path), discord.allow_closed)
    door = Door(discord.token.get_secret_value(), settings.discord.base_url, discord.token_env)
    limits = Limits(discord.max_days, discord.max_threads, discord.max_minutes, max_bytes)
    folder = settings.data_dir / "sources" / f"{collection.name}.discord"
    return DiscordSource(wanted, door, folder, limits, again=Again(young=discord.recheck_days))
