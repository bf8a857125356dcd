"""`refdesk serve` as a process of its own: a reindex by command told in one message, a private question, no more."""

from __future__ import annotations

from pathlib import Path

from tests.bots.test_serve import place, serving
from tests.slack_server import Message, SlackServer, User

__all__ = ["place"]


async def told(slack: SlackServer, user: User, text: str) -> Message:
    """What the command says to them in the end."""
    general = next(each for each in slack.world.channels.values() if each.name == "general")
    before = len(slack.shown_to(user))
    assert not (await slack.command("/refdesk", text, user, general)).lost

    def last() -> Message | None:
        return next((each for each in slack.shown_to(user)[before:] if each.words != "On it…"), None)

    return await slack.until(last, 60)  # type: ignore[no-any-return]


async def test_a_process_reindexes_on_command_and_answers_privately(place: Path) -> None:
    async with SlackServer() as slack, serving(place, slack):
        await slack.until(lambda: slack.sockets.connections, 90)
        general, root, ana = slack.channel("general"), slack.user("Root", admin=True), slack.user("Ana")
        assert "this channel" in (await told(slack, root, "reindex docs")).words
        (message,) = slack.bot_messages(general)
        await slack.until(lambda: "added" in message.words, 60)
        assert "90 days" in (await told(slack, ana, "ask How often does the VPN password change?")).words
        assert "permission" in (await told(slack, ana, "reindex docs")).words
        assert slack.bot_messages(general) == [message]
        assert not slack.refused()
