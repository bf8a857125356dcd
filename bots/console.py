"""The terminal's commands: a conversation, and a single question. Only translates between lines and the desk."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bots import failures
from bots.app import App
from bots.compose import opened
from bots.failures import exit_code
from core.answers import Citation
from core.desk.explain import explain, reasons
from core.desk.hear import question_of
from core.desk.speaking import question_language
from core.errors import InputError, RefdeskError
from core.messages import Language, Turn
from core.presenting import address
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import Settings

THREAD_LIMIT = 64
_THREAD = re.compile(rf"[\w.-]{{1,{THREAD_LIMIT}}}")
DEMO_QUESTION = "What went wrong in the AKS upgrade?"


@dataclass(frozen=True, slots=True)
class Asking:
    """How one question is asked: in which thread, printed how; `refresh` looks for changed documents first."""

    thread: str | None = None
    as_json: bool = False
    explain: bool = False
    refresh: bool = False


async def ask(settings: Settings, text: str, how: Asking) -> int:
    """Ask once and print; 0 when there is an answer (or an honest no), 1 when it failed."""
    question = question_of(text)
    if how.thread:
        thread_name(how.thread)
    async with opened(settings, quiet=how.as_json) as app:
        unsynced = await app.prepare(refresh=how.refresh)
        thread = how.thread or app.terminal.thread()
        if how.thread and await app.desk.last(app.terminal.key(thread)) is None:
            app.terminal.remark(say("console.thread_begins", settings.language, thread=thread))
        turn = await app.desk.ask(app.terminal.message(question, thread))
        await app.terminal.settle(turn)
        language = question_language(question)
        failure = app.terminal.failure
        if how.as_json:
            told = as_plain(turn, thread, failure)
            told["unsynced"] = failures.unsynced_as_plain(unsynced, language)
            if how.explain:
                told["explanation"] = reasons(turn, app.readable, language)
            app.terminal.say(json.dumps(told, ensure_ascii=False, indent=2, default=str))
        elif turn.answer is not None:
            _closing(app, turn, thread, language)
        if how.explain and not how.as_json:
            app.terminal.say("\n" + explain(turn, app.readable, language))
        app.terminal.check_written()
        return 0 if turn.status == "answered" else exit_code(failure or RefdeskError())


def thread_name(text: str) -> str:
    """A thread's name as it may be typed; raises InputError."""
    if not _THREAD.fullmatch(text):
        raise InputError("error.thread", limit=THREAD_LIMIT)
    return text


def _closing(app: App, turn: Turn, thread: str, language: Language) -> None:
    if app.quotes and turn.answer is not None and turn.answer.standing not in ("direct", "clarify", "not_found"):
        app.terminal.say(say("answer.limits", language))
    app.terminal.say(say("console.thread", language, thread=thread))


def as_plain(turn: Turn, thread: str, failure: RefdeskError | None = None) -> dict[str, Any]:
    """A turn as one JSON object for scripts."""
    answer = turn.answer
    if answer is None:
        told = failures.as_plain(failure or RefdeskError(), question_language(turn.question))
        return {"thread": thread, "turn": turn.id, "status": turn.status, "error": told}
    return {
        "thread": thread,
        "turn": turn.id,
        "status": turn.status,
        "standing": answer.standing,
        "answer": answer.text,
        "question": answer.plan.question if answer.plan else turn.question,
        "route": answer.plan.route if answer.plan else None,
        "verdict": answer.verdict,
        "citations": [_plain_citation(each) for each in answer.citations],
        "nearest": [_plain_citation(each) for each in answer.nearest],
        "notes": list(answer.notes),
        "searched": list(answer.searched),
        "trace": [asdict(event) for event in answer.trace],
    }


def _plain_citation(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "title": citation.title,
        "collection": citation.collection,
        "document": citation.document_id,
        "section": list(citation.heading_path),
        "page": citation.page,
        "date": citation.date.isoformat() if citation.date else None,
        "address": address(citation),
        "quote": citation.quote,
        "origin": citation.origin,
    }


async def chat(settings: Settings, thread: str | None) -> int:
    """A conversation: questions and commands, line by line, until the end of input."""
    if thread:
        thread_name(thread)
    async with opened(settings) as app:
        await app.prepare(refresh=True)
        conversation = Conversation(app, thread or app.terminal.thread(), settings.language)
        app.terminal.say(say("console.welcome", settings.language, collections=", ".join(app.names)))
        if app.quotes:
            app.terminal.say(say("answer.limits", settings.language))
        async with app.upkeep.running(app.readable):
            await _converse(app, conversation)
    return 0


async def _converse(app: App, conversation: Conversation) -> None:
    """Take line after line until somebody has had enough."""
    while True:
        try:
            line = await app.terminal.line()
        except (EOFError, KeyboardInterrupt):
            return
        if line.strip() in ("/quit", "/exit"):
            return
        await conversation.take(line)


class Conversation:
    """One person's terminal session: a thread, and the commands that work on it."""

    def __init__(self, app: App, thread: str, language: Language) -> None:
        self._app = app
        self._thread = thread
        self._language = language
        self._commands = {
            "/new": self._new,
            "/why": self._why,
            "/collections": self._collections,
            "/forget": self._forget,
            "/help": self._help,
        }

    async def take(self, line: str) -> None:
        """Carry out a command, or ask a question; a mistake is told and changes nothing."""
        text = line.strip()
        if not text:
            return
        try:
            if text.startswith("/"):
                await self._command(*text.split())
            else:
                self._language = question_language(text)
                turn = await self._app.desk.ask(self._app.terminal.message(text, self._thread))
                await self._app.terminal.settle(turn)
        except RefdeskError as error:
            self._app.terminal.say(error.user_message(self._language))

    async def _command(self, word: str, *names: str) -> None:
        if word.lower() == "/reindex":
            await self._app.index(names or self._app.names)
        else:
            await self._commands.get(word.lower(), self._help)()

    async def _new(self) -> None:
        self._thread = self._app.terminal.thread()
        self._tell("console.new_thread", thread=self._thread)

    async def _why(self) -> None:
        turn = await self._app.desk.last(self._app.terminal.key(self._thread))
        self._app.terminal.say(explain(turn, self._app.readable, self._language))

    async def _collections(self) -> None:
        for card in await self._app.cards():
            self._tell(
                "console.collection",
                name=card.collection,
                title=card.title,
                documents=card.documents,
                passages=card.passages,
                terms=", ".join(card.terms[:6]),
            )

    async def _forget(self) -> None:
        count = await self._app.desk.forget(self._app.terminal.key(self._thread))
        self._tell("console.forgotten", count=count)

    async def _help(self) -> None:
        self._tell("console.help")

    def _tell(self, key: str, **fields: object) -> None:
        self._app.terminal.say(say(key, self._language, **fields))
