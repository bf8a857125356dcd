"""A Slack channel as a collection: `refdesk sync` reads its threads, answers cite them by permalink, what is deleted
there is answered from no more. And what refdesk.toml may say of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bots.app import App
from bots.compose import opened
from bots.compose.sources import source_of
from bots.console import as_plain
from bots.settings import Settings, load
from core.errors import ConfigError, SourceError
from tests.slack_server import AppConfig, Channel, Message, SlackServer, User

CONFIG = """
[slack]
base_url = "{url}"

[[collections]]
name = "help"
title = "Help channel"
source = "slack:{channels}"
"""
CERTIFICATE = "How do we rotate the gateway certificate before it expires?"
PARKING = "Where can visitors park their car at the office in Busan?"


def settings(folder: Path, text: str, env: dict[str, str] | None = None) -> Settings:
    (folder / "refdesk.toml").write_text(text, encoding="utf-8")
    return load(folder / "refdesk.toml", {"REFDESK_DATA_DIR": str(folder / "data"), **(env or {})})


async def cited(app: App, question: str) -> tuple[str, list[str]]:
    """The answer and the addresses it cites, asked in a thread of its own."""
    thread = app.terminal.thread()
    turn = await app.desk.ask(app.terminal.message(question, thread))
    await app.terminal.settle(turn)
    answer = as_plain(turn, thread)
    return str(answer["answer"]), [citation["address"] for citation in answer["citations"]]


def talk(slack: SlackServer, channel: Channel, *said: tuple[User, str]) -> Message:
    at = datetime.now(UTC) - timedelta(days=20)
    root = slack.say(channel, *said[0], at=at)
    for user, text in said[1:]:
        slack.say(channel, user, text, thread_ts=root, at=at)
    return root


async def test_threads_are_answered_from_cited_by_permalink_and_gone_when_deleted(tmp_path: Path) -> None:
    async with SlackServer(app=AppConfig(events=set())) as slack:
        help_, ana, ben = slack.channel("help"), slack.user("Ana"), slack.user("Ben")
        rotate = "The platform team rotates the gateway certificate with `rotate-cert` every 47 days."
        parking = "Visitors park on level three of the garage, and the barrier opens with the code of the day."
        root = talk(slack, help_, (ana, CERTIFICATE), (ben, rotate), (slack.bot_of(), "Every 5 days [1]"))
        parked = talk(slack, help_, (ben, PARKING), (ana, parking))
        config = CONFIG.format(url=slack.base_url, channels=help_.id)
        chosen = settings(tmp_path, config, {"SLACK_BOT_TOKEN": slack.bot_token})
        async with opened(chosen, quiet=True) as app:
            (report,) = await app.sync(app.names)
            assert (report.added, report.problems, report.complete) == (2, (), True)
            answer, addresses = await cited(app, CERTIFICATE)
            assert "47 days" in answer
            assert "5 days [" not in answer
            link = f"https://acme.slack.com/archives/{help_.id}/p{root.ts.replace('.', '')}"
            assert link in addresses

            slack.delete(parked)
            del help_.messages[root.ts]
            slack.calls.clear()
            (report,) = await app.sync(app.names)
            assert (report.removed, report.unchanged) == (2, 0)
            answer, addresses = await cited(app, PARKING)
            assert "level three" not in answer
            assert addresses == []
        kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
        assert not any(slack.bot_token.encode() in path.read_bytes() for path in kept)


async def test_without_a_token_the_sync_says_which_variable_to_set(tmp_path: Path) -> None:
    chosen = settings(tmp_path, CONFIG.format(url="https://slack.com/api", channels="C01"))
    found = source_of(chosen.collections[0], chosen, 1000)
    with pytest.raises(SourceError) as caught:
        await found.list()
    assert "SLACK_BOT_TOKEN" in caught.value.user_message("en")


CLOSED = '[collections.slack]\nallow_closed = ["{id}"]\n'


@pytest.mark.parametrize(
    ("channels", "more", "told"),
    [
        ("general", "", "slack:C0123"),
        ("#general", "", "slack:C0123"),
        ("C0123,D0456", "", "slack:C0123"),
        ("C0123", '[collections.slack]\ntoken = "xoxb-1"', "token_env"),
        ("C0123", "[collections.slack]\nmax_days = 0", "max_days"),
        ("C0123", CLOSED.format(id="C0999"), "which the source does not"),
        ("C0123", CLOSED.format(id="C0123"), "collections.visibility"),
        ("C0123", CLOSED.format(id="C0123") + '[collections.visibility]\nworkspaces = ["slack/T01"]', "visibility"),
        ("C0123", '[collections.git]\nbranch = "main"', "collections.git"),
    ],
)
def test_a_channel_that_cannot_be_is_refused_with_the_remedy(
    tmp_path: Path, channels: str, more: str, told: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        settings(tmp_path, CONFIG.format(url="https://slack.com/api", channels=channels) + more)
    assert told in caught.value.user_message("en")


def test_a_closed_channel_is_read_where_few_may_read_the_collection(tmp_path: Path) -> None:
    visible = '[collections.visibility]\nchannels = ["slack/T01/C0123"]\n'
    text = CONFIG.format(url="https://slack.com/api", channels="C0123, C0456") + CLOSED.format(id="C0123") + visible
    chosen = settings(tmp_path, text).collections[0]
    assert (chosen.kind, chosen.slack.allow_closed) == ("slack", ("C0123",))
