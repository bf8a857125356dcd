"""The workspaces that installed the app, in slack_sdk's own tables: their tokens sealed, found by workspace, forgotten.

Writing goes through `alone`, the turn-taking of whoever owns the database; nothing else of it is known here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from slack_bolt.authorization import AuthorizeResult
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.sqlalchemy import AsyncSQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.sqlalchemy import AsyncSQLAlchemyOAuthStateStore
from sqlalchemy import Table, delete, desc, select
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.slack.sealing import Seal
from adapters.slack.web import SlackRefused

Alone = Callable[[], AbstractAsyncContextManager[Any]]
T = TypeVar("T", Bot, Installation)

KEPT_FOR = 60.0
"""Seconds for which a token is kept: another process may be the one that is told of an uninstall."""

_SECRETS = ("bot_token", "bot_refresh_token", "user_token", "user_refresh_token")


class SealedStore(AsyncSQLAlchemyInstallationStore):
    """slack_sdk's store of installations; what a database dump shows of a token is of no use."""

    def __init__(self, client_id: str, engine: AsyncEngine, seal: Seal, alone: Alone) -> None:
        super().__init__(client_id=client_id, engine=engine)
        self._seal, self._alone = seal, alone

    async def async_save(self, installation: Installation) -> None:
        """Keep an installation (slack_sdk keeps its bot with it, by the same sealed token)."""
        async with self._alone():
            await super().async_save(_changed(installation, self._seal.close))

    async def async_find_bot(self, **where: Any) -> Bot | None:
        """As slack_sdk finds it, opened."""
        found = await super().async_find_bot(**where)
        return _changed(found, self._seal.open) if found else None

    async def async_find_installation(self, **where: Any) -> Installation | None:
        """As slack_sdk finds it, opened."""
        found = await super().async_find_installation(**where)
        return _changed(found, self._seal.open) if found else None

    async def of_team(self, team: str) -> Bot | None:
        """The latest bot of a workspace, whichever organisation that belongs to."""
        c = self.bots.c
        query = select(c.enterprise_id).where(c.client_id == self.client_id, c.team_id == team)
        async with self.engine.connect() as connection:
            found = (await connection.execute(query.order_by(desc(c.installed_at)).limit(1))).first()
        return await self.async_find_bot(enterprise_id=found[0], team_id=team) if found else None

    async def forget(self, team: str) -> None:
        """Delete everything of a workspace."""
        async with self._alone(), self.engine.begin() as connection:
            for table in (self.bots, self.installations):
                mine = (table.c.client_id == self.client_id, table.c.team_id == team)
                await connection.execute(delete(table).where(*mine))


class States(AsyncSQLAlchemyOAuthStateStore):
    """slack_sdk's store of installations that were begun; what was never finished is swept out with the next."""

    def __init__(self, engine: AsyncEngine, alone: Alone, expiration_seconds: int = 600) -> None:
        super().__init__(expiration_seconds=expiration_seconds, engine=engine)
        self._alone = alone

    async def async_issue(self, *args: Any, **kwargs: Any) -> str:
        """A new state."""
        async with self._alone():
            async with self.engine.begin() as connection:
                await connection.execute(_expired(self.oauth_states))
            return await super().async_issue(*args, **kwargs)

    async def async_consume(self, state: str) -> bool:
        """Whether it was issued lately; it works once."""
        async with self._alone():
            return await super().async_consume(state)


@dataclass
class Installations:
    """The workspaces that installed us, among those that may (`allowed`; ``*`` are all)."""

    store: SealedStore
    allowed: Collection[str]
    now: Callable[[], float] = time.monotonic
    _kept: dict[str, tuple[float, Bot | None]] = field(default_factory=dict)

    def allows(self, team: str) -> bool:
        """Whether a workspace may have us."""
        return team in self.allowed or "*" in self.allowed

    async def token(self, team: str) -> str:
        """The bot token there. Raises SlackRefused when we are not installed."""
        bot = await self._bot(team)
        if bot is None or not bot.bot_token:
            raise SlackRefused("not_installed", team)
        return bot.bot_token

    async def us(self, enterprise: str | None, team: str | None) -> AuthorizeResult | None:
        """Who we are there; None when we are not installed. Raises SlackRefused."""
        bot = await self._bot(team or "")
        if bot is None:
            return None
        who = {"bot_id": bot.bot_id, "bot_user_id": bot.bot_user_id, "bot_token": bot.bot_token}
        return AuthorizeResult(enterprise_id=enterprise, team_id=team, bot_scopes=bot.bot_scopes, **who)

    async def gone(self, team: str) -> None:
        """We were thrown out: no token of theirs is kept."""
        self.renewed(team)
        await self.store.forget(team)
        self.renewed(team)

    def renewed(self, team: str) -> None:
        """Look again."""
        self._kept.pop(team, None)

    async def _bot(self, team: str) -> Bot | None:
        until, bot = self._kept.get(team, (0.0, None))
        if until <= self.now():
            try:
                bot = await self.store.of_team(team) if self.allows(team) else None
            except ValueError as error:
                raise SlackRefused("key_changed", team) from error
            self._kept = {name: kept for name, kept in self._kept.items() if kept[0] > self.now()}
            self._kept[team] = (self.now() + KEPT_FOR, bot)
        return bot


def _changed(thing: T, change: Callable[[str], str]) -> T:
    made = copy(thing)
    for name in _SECRETS:
        if getattr(made, name, None):
            setattr(made, name, change(getattr(made, name)))
    return made


def _expired(states: Table) -> Any:
    return delete(states).where(states.c.expire_at < datetime.now(UTC).replace(tzinfo=None))
