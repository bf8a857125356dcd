"""A Slack on the loopback: the real slack-bolt AsyncApp and AsyncWebClient work against it, by base URL alone.

    async with SlackServer() as slack:                      # Socket Mode; SlackServer(request_url=…) posts events
        client = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url)
        handler = AsyncSocketModeHandler(AsyncApp(client=client), app_token=slack.app.app_token)
        await handler.connect_async()
        await slack.sockets.connected()

        general, ana = slack.channel("general"), slack.user("Ana")
        question = slack.say(general, ana, f"{slack.bot_of()} how long is parental leave?")
        answer = await slack.answer_in(question)            # the bot's last message there, once it stands still
        await slack.click(answer, "feedback", ana, value="negative")
        assert slack.first_sign(question) < 0.3             # seconds to the first status, message or stream
        assert len(slack.called("chat.postMessage")) == 1   # every call is recorded, with its time
        assert not slack.refused()                          # nothing that Slack would not have taken

Who does what: `people.py` (say, edit, delete, react, join, share, uninstall), `interacting.py` (command, click,
submit, shortcut, open_home, open_assistant, stop_stream, response URLs), `watching.py` (until, answer_in,
bot_messages, shown_to, status_in, home_of, modal_of, first_sign, called, refused), `sockets.py`
(`slack.sockets.disconnect("refresh_requested")`, `.drop()`, `.greetings`, `connection.deaf = True`), `webhooks.py`
(signed requests), `delivering.py` (`slack.deliveries`: sent, acked, lost; `slack.courier.settled()`), `faults.py`
(`slack.faults.add("chat.postMessage", ReplyLost())`), `rules.py` (times and rate limits), `api/` (the methods;
`api/table.py` has them all), `limits.py` (what a message may be).

Everything is as Slack documents it, and strict: limits, scopes, membership, triggers and response URLs are enforced
with Slack's own codes. Codes that are guesses say so where they stand.
"""

from tests.slack_server.faults import DoneBut, Refused, ReplyLost, Reset, Slow, Status, TooMany
from tests.slack_server.rules import AppConfig, Rules
from tests.slack_server.server import SlackServer
from tests.slack_server.values import Channel, Message, User, View, Workspace

__all__ = [
    "AppConfig", "Channel", "DoneBut", "Message", "Refused", "ReplyLost", "Reset", "Rules", "SlackServer", "Slow",
    "Status", "TooMany", "User", "View", "Workspace",
]  # fmt: skip
