"""The commands of whoever runs Refdesk: status, check. Only translates between the desk and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bots.app import App
from bots.compose import opened
from bots.discord_check import discord_lines
from bots.forgetting import tell_strays
from bots.index_settings import MANY_PASSAGES
from bots.job_commands import tell_standings
from bots.model_settings import STEPS
from bots.presence import missing_packages, missing_source
from bots.router import tell_alarms
from bots.slack_check import slack_lines
from core.activity import told, told_corrections
from core.documents import Card, Scope
from core.indexing.report import told_all
from core.messages import Language
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import Settings


EAGER = 4
"""Passages from which correcting as soon as any is rejected means correcting nearly always."""


async def status(settings: Settings) -> int:
    """Say what came of the questions of the last days."""
    async with opened(settings) as app:
        for line in told(await app.activity(), settings.language, web=settings.web.on):
            app.terminal.say(line)
        await tell_standings(app)
        await tell_alarms(app)
    return 0


def _tell_models(app: App, settings: Settings) -> None:
    models, language = settings.models, settings.language
    kinds = {"embedder": models.embedder, "analyzer": models.analyzer}
    if not models.written_by_model:
        app.terminal.say(say("check.models", language, **kinds))
        return
    told = {
        **kinds,
        "large": models.large,
        "small": models.small or models.large,
        "where": urlsplit(models.base_url).netloc or "api.openai.com",
        "steps": ", ".join(f"{step} {models.family(step)}" for step in STEPS),
    }
    app.terminal.say(say("check.models_asked", language, **told))


def _tell_web(app: App, settings: Settings) -> None:
    web, language = settings.web, settings.language
    if web.provider == "off":
        app.terminal.say(say("check.web", language))
        return
    if not web.on:
        app.terminal.say(say("check.web_closed", language))
        return
    if web.allow_any:
        app.terminal.say(say("check.web_any", language, provider=web.provider))
    else:
        app.terminal.say(say("check.web_on", language, provider=web.provider, domains=_listed(web.domains.allow)))
    if web.domains.deny:
        app.terminal.say(say("check.web_denied", language, domains=_listed(web.domains.deny)))


def _listed(domains: frozenset[str]) -> str:
    return ", ".join(sorted(domains))


async def check(settings: Settings) -> int:
    """Say what is configured and what is missing; 1 when something is."""
    async with opened(settings) as app:
        missing = await _checked(app, settings)
    return 1 if missing else 0


async def _tell_changes(app: App, scope: Scope, language: Language) -> bool:
    """What a change of embedder or analyzer has left to do; whether there is any."""
    if app.changes is None:
        return False
    lines = [*await app.changes.of_embedding(scope, language), *await app.changes.of_analyzer(language)]
    for line in lines:
        app.terminal.say(line)
    return bool(lines)


def _tell_absent(app: App, settings: Settings) -> bool:
    """Packages and local sources that are not there, before a sync fails for them; whether there are any."""
    language = settings.language
    lines = [error.user_message(language) for error in missing_packages(settings.models)]
    for each in settings.collections:
        error = missing_source(each)
        if error is not None:
            lines.append(say("check.source_missing", language, name=each.name, reason=error.user_message(language)))
    for line in lines:
        app.terminal.say(line)
    return bool(lines)


def nobody_to_ask(settings: Settings) -> bool:
    """Whether an answer of a platform can come without anybody whom its asker could turn to."""
    if settings.admins.named.is_anybody or not (settings.slack.on or settings.discord.on):
        return False
    return not all(each.owners.named.is_anybody for each in settings.collections)


async def _tell_collections(app: App, settings: Settings, scope: Scope) -> bool:
    """What is in each of them, and whether that is much for a file; whether any was never synced."""
    language = settings.language
    cards = {card.collection: card for card in await app.cards()}
    published = {each.collection: each.published_at for each in scope.generations}
    for name in app.names:
        if name not in published:
            app.terminal.say(say("check.never_synced", language, name=name))
            continue
        card = cards.get(name, Card(name, "", name))
        fields = {
            "documents": card.documents,
            "passages": card.passages,
            "when": app.upkeep.lines.moment(published[name]),
        }
        app.terminal.say(say("check.collection", language, name=name, **fields))
        for line in told_all(await app.problems(name), language):
            app.terminal.say(line)
    held = sum(card.passages for name, card in cards.items() if name in published)
    if settings.index.outgrown(held):
        app.terminal.say(say("check.many_passages", language, held=f"{held:,}", many=f"{MANY_PASSAGES:,}"))
    return any(name not in published for name in app.names)


async def _checked(app: App, settings: Settings) -> bool:
    def tell(key: str, **fields: object) -> None:
        app.terminal.say(say(key, settings.language, **fields))

    tell("check.config", data_dir=settings.data_dir, policy=settings.policy.preset)
    if settings.now:
        tell("check.day", today=settings.now)
    _tell_models(app, settings)
    absent = _tell_absent(app, settings)
    _tell_web(app, settings)
    lines, slack_missing = await slack_lines(settings.slack, settings.language)
    discord_told, discord_missing = await discord_lines(settings)
    for line in (*lines, *discord_told):
        app.terminal.say(line)
    rules = settings.rules
    if rules.trigger == "any" and rules.k > EAGER:
        tell("check.eager", k=rules.k)
    if nobody_to_ask(settings):
        tell("check.nobody_named")
    scope = await app.scope()
    unsynced = await _tell_collections(app, settings, scope)
    await tell_strays(app)
    failing = await tell_standings(app)
    alarming = await tell_alarms(app)
    if settings.web.on:
        for line in told_corrections(await app.activity(), settings.language):
            app.terminal.say(line)
    stale = await _tell_changes(app, scope, settings.language)
    missing = absent or stale or slack_missing or discord_missing or unsynced or failing
    if not missing and not alarming:
        tell("check.fine")
    return missing
