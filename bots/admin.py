"""The commands of whoever runs Refdesk: router, status, check. Only translates between the desk and lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from bots.app import App
from bots.compose import opened
from bots.job_commands import tell_standings
from bots.model_settings import STEPS
from core.activity import told, told_corrections
from core.catalog.card_text import card_text
from core.catalog.prompt import prompt_hash, router_prompt
from core.documents import Card, Scope
from core.indexing.report import told_all
from core.messages import Language
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import Settings


EAGER = 4
"""Passages from which correcting as soon as any is rejected means correcting nearly always."""


async def router(settings: Settings, *, as_json: bool) -> int:
    """Print Cards and router prompt as they are published."""
    async with opened(settings) as app:
        await app.prepare(refresh=False)
        cards = await app.cards()
        prompt = router_prompt(cards, budget=settings.rules.router_tokens)
        if as_json:
            shown = {"cards": [_plain(card) for card in cards], "prompt": prompt, "prompt_hash": prompt_hash(prompt)}
            app.terminal.say(json.dumps(shown, ensure_ascii=False, indent=2))
        else:
            _print_router(app, cards, prompt, settings.language)
    return 0


def _print_router(app: App, cards: Sequence[Card], prompt: str, language: Language) -> None:
    app.terminal.say(say("router.cards", language))
    for card in cards:
        app.terminal.say(f"\n{card_text(card)}\nversion {card.version}")
    app.terminal.say("\n" + say("router.prompt", language, hash=prompt_hash(prompt)) + "\n")
    app.terminal.say(prompt)


def _plain(card: Card) -> dict[str, Any]:
    """A Card for scripts: without its vectors, with as many terms as people look at."""
    plain = asdict(card)
    del plain["vectors"], plain["examples"]
    plain["name"] = plain.pop("collection")
    plain["terms"] = list(card.terms[:40])
    dates = card.dates
    plain["dates"] = [dates.start.isoformat(), dates.end.isoformat()] if dates else None
    return plain


async def status(settings: Settings) -> int:
    """Say what came of the questions of the last days."""
    async with opened(settings) as app:
        for line in told(await app.activity(), settings.language):
            app.terminal.say(line)
        await tell_standings(app)
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


async def _checked(app: App, settings: Settings) -> bool:
    def tell(key: str, **fields: object) -> None:
        app.terminal.say(say(key, settings.language, **fields))

    policy = settings.policy.preset
    tell("check.config", data_dir=settings.data_dir, policy=policy, today=settings.now or "–")
    _tell_models(app, settings)
    _tell_web(app, settings)
    rules = settings.rules
    if rules.trigger == "any" and rules.k > EAGER:
        tell("check.eager", k=rules.k)
    cards = {card.collection: card for card in await app.cards()}
    scope = await app.scope()
    published = {each.collection: each for each in scope.generations}
    for name in app.names:
        if name not in published:
            tell("check.never_synced", name=name)
            continue
        card = cards.get(name, Card(name, "", name))
        when = published[name].published_at.isoformat(timespec="minutes")
        tell("check.collection", name=name, documents=card.documents, passages=card.passages, when=when)
        for line in told_all(await app.problems(name), settings.language):
            app.terminal.say(line)
    await tell_standings(app)
    for line in told_corrections(await app.activity(), settings.language):
        app.terminal.say(line)
    stale = await _tell_changes(app, scope, settings.language)
    missing = stale or any(name not in published for name in app.names)
    if not missing:
        tell("check.fine")
    return missing
