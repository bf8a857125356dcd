"""The `refdesk` command: options in, exit codes out. What each command does stands in the other files of `bots`.

Imports are inside the commands, so that ``--help`` and a wrong option cost nothing.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections.abc import Callable, Coroutine
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bots.discord_setup import discord
from bots.process import tune
from bots.slack_setup import slack
from core.errors import InputError, RefdeskError

if TYPE_CHECKING:
    from bots.settings import Settings

app = typer.Typer(
    name="refdesk",
    help="A reference desk for your team: answers from your own documents, with footnotes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(slack, name="slack")
app.add_typer(discord, name="discord")

# What can't be read is told in our own words: typer's check would come first and speak of something else.
Config = Annotated[Path | None, typer.Option("--config", readable=False, help="Path of refdesk.toml (default: here).")]
Docs = Annotated[
    list[Path] | None,
    typer.Option("--docs", readable=False, help="A folder to answer from, instead of refdesk.toml."),
]
Now = Annotated[str | None, typer.Option("--now", help="The day of this run, YYYY-MM-DD (default: today).")]
Thread = Annotated[str | None, typer.Option("--thread", help="Go on in this thread.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.command()
def demo(
    ask: Annotated[str | None, typer.Option("--ask", help="Ask once and print, instead of a conversation.")] = None,
    thread: Thread = None,
    now: Now = None,
) -> None:
    """Ask the bundled handbook of a fictional company: no key, no network."""
    from bots import console, places

    settings = _settled(places.demo, now)
    question = ask if ask is not None else (None if sys.stdin.isatty() else console.DEMO_QUESTION)
    if question is None:
        _run(console.chat(settings, thread))
    else:
        _run(console.ask(settings, question, console.Asking(thread)))


@app.command()
def chat(docs: Docs = None, thread: Thread = None, config: Config = None, now: Now = None) -> None:
    """Open a thread in the terminal."""
    from bots import console, places

    _run(console.chat(_settled(lambda: places.chosen(docs, config), now), thread))


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What you would like to know.")],
    docs: Docs = None,
    thread: Thread = None,
    as_json: AsJson = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why this answer.")] = False,
    config: Config = None,
    now: Now = None,
) -> None:
    """Ask once and print the answer; `--thread` asks a follow-up."""
    from bots import console, places

    settings = _settled(lambda: places.chosen(docs, config), now, as_json=as_json)
    how = console.Asking(thread, as_json, explain, refresh=bool(docs))
    _run(console.ask(settings, question, how), as_json=as_json)


@app.command()
def sync(
    collections: Annotated[list[str] | None, typer.Argument(help="Only these collections.")] = None,
    docs: Docs = None,
    config: Config = None,
) -> None:
    """Bring the index up to date with the documents."""
    from bots import job_commands, places

    _run(job_commands.index(_settled(lambda: places.chosen(docs, config), None), tuple(collections or ())))


@app.command()
def index(
    collections: Annotated[list[str] | None, typer.Argument(help="Only these collections.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All collections (as without a name).")] = False,
    cancel: Annotated[str | None, typer.Option("--cancel", help="Stop the job of this id instead.")] = None,
    forget: Annotated[
        str | None, typer.Option("--forget", help="Delete this collection, which refdesk.toml names no more.")
    ] = None,
    docs: Docs = None,
    config: Config = None,
) -> None:
    """Ask for a sync, run it here unless another process does, and follow it to its end."""
    from bots import job_commands, places

    settings = _settled(lambda: places.chosen(docs, config), None)
    if forget is not None:
        from bots import forgetting

        _run(forgetting.forget(settings, forget))
    names = () if every else tuple(collections or ())
    _run(job_commands.index(settings, names) if cancel is None else job_commands.cancel(settings, cancel))


@app.command()
def jobs(docs: Docs = None, as_json: AsJson = False, config: Config = None) -> None:
    """List the latest syncs: who asked, how far they are, what came of them."""
    from bots import job_commands, places

    settings = _settled(lambda: places.chosen(docs, config), None, as_json=as_json)
    _run(job_commands.jobs(settings, as_json=as_json), as_json=as_json)


@app.command()
def router(
    docs: Docs = None,
    as_json: AsJson = False,
    diff: Annotated[bool, typer.Option("--diff", help="What the last sync of each collection changed.")] = False,
    config: Config = None,
) -> None:
    """Print the Cards of the collections, the router prompt made from them, and how its self-test went."""
    from bots import places
    from bots import router as command

    settings = _settled(lambda: places.chosen(docs, config), None, as_json=as_json)
    work = command.diff if diff else command.router
    _run(work(settings, as_json=as_json), as_json=as_json)


@app.command()
def serve(
    handbook: Annotated[bool, typer.Option("--demo", help="Serve the bundled handbook.")] = False,
    docs: Docs = None,
    config: Config = None,
) -> None:
    """Stay connected to Slack and Discord: answer there, and keep the collections up to date."""
    from bots import places
    from bots import serve as command

    _run(command.serve(_settled(places.demo if handbook else lambda: places.chosen(docs, config), None)))


@app.command()
def channel(
    place: Annotated[str | None, typer.Argument(help="The channel's id: slack/T01/C42 (default: all).")] = None,
    mode: Annotated[str | None, typer.Option(help="When to speak up: mention, thread, auto, unset.")] = None,
    default: Annotated[list[str] | None, typer.Option(help="Searched there unless the router is sure.")] = None,
    show: Annotated[list[str] | None, typer.Option(help="Let the channel read this collection.")] = None,
    hide: Annotated[list[str] | None, typer.Option(help="Keep this collection out of the channel.")] = None,
    unset: Annotated[list[str] | None, typer.Option(help="Neither shown nor hidden: as configured.")] = None,
    hint: Annotated[list[str] | None, typer.Option(help="NAME=TEXT: a sentence for the router.")] = None,
    docs: Docs = None,
    config: Config = None,
) -> None:
    """Print what admins set for channels, and set it: what is searched, shown and hidden there."""
    from bots import channels, places

    lists = (tuple(each or ()) for each in (default, show, hide, unset, hint))
    settings = _settled(lambda: places.chosen(docs, config), None)
    _run(channels.channel(settings, place, channels.Wishes(mode, *lists)))


@app.command()
def graph() -> None:
    """Print the graph that every question goes through, as Mermaid."""
    from core.rag.graph import Runs

    sys.stdout.write(Runs().mermaid())


@app.command()
def status(docs: Docs = None, config: Config = None) -> None:
    """Say what came of the questions of the last seven days, and how often the web had to help."""
    from bots import admin, places

    _run(admin.status(_settled(lambda: places.chosen(docs, config), None)))


@app.command()
def check(docs: Docs = None, config: Config = None) -> None:
    """Say what is configured and what is missing."""
    from bots import admin, places

    _run(admin.check(_settled(lambda: places.chosen(docs, config), None)))


def _settled(load: Callable[[], Settings], now: str | None, *, as_json: bool = False) -> Settings:
    """The settings, with the day of the run; a mistake ends the command here."""
    try:
        settings = load()
        return settings.model_copy(update={"now": _day(now)}) if now else settings
    except RefdeskError as error:
        _fail(error, as_json=as_json)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise InputError("error.now", text=text) from error


def _run(work: Coroutine[Any, Any, int], *, as_json: bool = False) -> NoReturn:
    try:
        code = asyncio.run(work)
    except RefdeskError as error:
        _fail(error, as_json=as_json)
    except KeyboardInterrupt:
        code = 130
    raise typer.Exit(code)


def _fail(error: RefdeskError, *, as_json: bool) -> NoReturn:
    """The one sentence, for scripts also as JSON where they look for it."""
    from bots.failures import as_plain, exit_code
    from bots.settings import language_here

    language = language_here()
    if as_json:
        failed = {"status": "failed", "error": as_plain(error, language)}
        sys.stdout.write(json.dumps(failed, ensure_ascii=False, indent=2) + "\n")
    sys.stderr.write(error.user_message(language) + "\n")
    raise typer.Exit(exit_code(error))


def _make_streams_usable() -> None:
    """A stream that was closed becomes an empty one; signs that a terminal can't show don't end the answer."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for the whole run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def main() -> None:
    """The entry point of the console script."""
    tune()
    _make_streams_usable()
    app()


if __name__ == "__main__":
    main()
