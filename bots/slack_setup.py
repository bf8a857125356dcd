"""`refdesk slack …`: what is needed once, to set Slack up. Options in, text out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import RefdeskError

slack = typer.Typer(help="Set Slack up.", no_args_is_help=True, add_completion=False)


@slack.callback()
def _group() -> None:
    """A group even while it has one command."""


@slack.command()
def manifest(
    http: Annotated[str, typer.Option("--http", metavar="URL", help="Events over HTTP, at this address.")] = "",
    name: Annotated[str, typer.Option("--name", help="What the app is called in Slack.")] = "Refdesk",
    as_yaml: Annotated[bool, typer.Option("--yaml/--json", help="YAML instead of JSON.")] = False,
    assistant: Annotated[bool, typer.Option("--assistant", help="For an app with the older Assistant view.")] = False,
    config: Annotated[Path | None, typer.Option("--config", readable=False, help="Path of refdesk.toml.")] = None,
) -> None:
    """Print the app manifest to paste at https://api.slack.com/apps: “Create New App”, “From a manifest”."""
    from bots import settings as places
    from bots.failures import exit_code
    from bots.slack_manifest import Wished
    from bots.slack_manifest import manifest as made

    language = places.language_here()
    try:
        settings = places.load(config) if config or places.is_configured() else places.Settings(language=language)
        url = http or (settings.slack.public_url if settings.slack.mode == "http" else "")
        document = made(settings.slack, Wished(name, url, assistant, settings.language))
    except RefdeskError as error:
        sys.stderr.write(error.user_message(language) + "\n")
        raise typer.Exit(exit_code(error)) from error
    sys.stdout.write(_yaml(document) if as_yaml else json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def _yaml(document: dict[str, Any]) -> str:
    import yaml

    return str(yaml.safe_dump(document, allow_unicode=True, sort_keys=False, width=120))
