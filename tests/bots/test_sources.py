"""A repository and a website as collections: `refdesk sync` brings them in, answers cite their addresses, what is
deleted there is answered from no more. And what refdesk.toml may say of a source."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from bots.app import App
from bots.compose import opened
from bots.compose.sources import source_of
from bots.console import as_plain
from bots.settings import load
from core.errors import ConfigError
from core.indexing.report import SyncReport
from tests.sources.repositories import git_host, repository
from tests.sources.site import Site, website

README = Path(__file__).parents[2] / "README.md"
TOKEN = "glpat-0123456789abcdefSECRET"

CONFIG = """
[[collections]]
name = "handbook"
title = "Engineering handbook"
source = "git:{host}/team/handbook.git/.git"
link = "https://git.example.com/{{repository}}/blob/{{commit}}/{{path}}#{{anchor}}"
allow_private = ["127.0.0.1"]
[collections.git]
subfolder = "docs"
token_env = "HANDBOOK_TOKEN"

[[collections]]
name = "help"
title = "Help centre"
source = "website:{site}/help"
allow_private = ["127.0.0.1"]
[collections.website]
requests_per_second = 500
"""
ROTATE = "# Certificates\n\n## Rotation\n\nThe gateway certificate is rotated every 47 days by the platform team.\n"
REFUND = "A refund is paid out within nine working days after the parcel has come back to the warehouse."
REFUNDED = "How long does it take until a refund is paid out?"
PARKING = "Visitors park their cars on level three of the garage, and the barrier opens with the code of the day."


async def asked(app: App, question: str) -> dict[str, Any]:
    """The answer as scripts get it, in a thread of its own."""
    thread = app.terminal.thread()
    turn = await app.desk.ask(app.terminal.message(question, thread))
    await app.terminal.settle(turn)
    return as_plain(turn, thread)


def addresses(answer: dict[str, Any]) -> list[str]:
    return [citation["address"] for citation in answer["citations"]]


def counts(report: SyncReport) -> tuple[int, int, int, int]:
    return report.added, report.changed, report.removed, report.unchanged


def pages(site: Site) -> None:
    site.page("/help", "/help/refunds", "/help/parking", text="Welcome to the help centre of the shop.")
    site.page("/help/refunds", "/help", text=REFUND)
    site.page("/help/parking", "/help", text=PARKING)


async def test_a_repository_and_a_website_are_answered_from_and_cited_by_link(tmp_path: Path) -> None:
    docs = repository(tmp_path / "www" / "team" / "handbook.git", {"docs/certificates.md": ROTATE, "src/x.md": "# No"})
    commit = docs.commit({"docs/coffee.md": "# Coffee\n\nThe machine is descaled on the first Monday of a month.\n"})
    async with git_host(tmp_path / "www") as host, website() as site:
        host.authorization = "Basic " + base64.b64encode(f"oauth2:{TOKEN}".encode()).decode()
        pages(site)
        (tmp_path / "refdesk.toml").write_text(CONFIG.format(host=host.url, site=site.url), encoding="utf-8")
        env = {"REFDESK_DATA_DIR": str(tmp_path / "data"), "HANDBOOK_TOKEN": TOKEN}
        async with opened(load(tmp_path / "refdesk.toml", env), quiet=True) as app:
            handbook, help_centre = await app.sync(app.names)
            assert (counts(handbook), counts(help_centre)) == ((2, 0, 0, 0), (3, 0, 0, 0))
            rotated = await asked(app, "How often is the gateway certificate rotated?")
            assert "47 days" in rotated["answer"]
            link = f"https://git.example.com/team/handbook.git/blob/{commit}/docs/certificates.md#rotation"
            assert link in addresses(rotated)
            refunded = await asked(app, REFUNDED)
            assert "nine working days" in refunded["answer"]
            assert f"{site.url}/help/refunds" in {each.partition("#")[0] for each in addresses(refunded)}

            del site.replies["/help/refunds"]
            site.page("/help", "/help/parking", text="Welcome to the help centre of the shop.")
            docs.commit({"docs/certificates.md": None})
            site.asked.clear()
            handbook, help_centre = await app.sync(app.names)
            assert (counts(handbook), counts(help_centre)) == ((0, 0, 1, 1), (0, 1, 1, 1))
            assert site.count("/help/parking") == {304: 1}
            again = await asked(app, REFUNDED)
            assert "nine working days" not in again["answer"]
            assert not any("refunds" in each for each in addresses(again))
    kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert not any(TOKEN.encode() in path.read_bytes() for path in kept)


def written(folder: Path, collection: str, env: dict[str, str] | None = None) -> Any:
    path = folder / "refdesk.toml"
    path.write_text(f'[[collections]]\nname = "docs"\n{collection}\n', encoding="utf-8")
    settings = load(path, env or {})
    return source_of(settings.collections[0], settings, 1000)


def refused(folder: Path, collection: str, env: dict[str, str] | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        written(folder, collection, env)
    assert TOKEN not in str(caught.value)
    return caught.value.user_message("en")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('source = "git:"', "git:ADDRESS"),
        ('source = "gitt:https://x.example/y"', "git:ADDRESS"),
        ('source = "git:ext::sh -c id"', "git:https://"),
        ('source = "git:git://x.example/y"', "https, http and ssh"),
        ('source = "git:--upload-pack=touch /tmp/x"', "git:https://"),
        ('source = "git:/srv/docs.git"', "allow_local"),
        ('source = "git:file:///srv/docs.git"', "allow_local"),
        (f'source = "git:https://user:{TOKEN}@x.example:port/y"', "port"),
        ('source = "git:https://x.example/y"\n[collections.git]\nbranch = "--force"', "branch"),
        ('source = "git:https://x.example/y"\n[collections.git]\nsubfolder = "../up"', "subfolder"),
        ('source = "git:https://x.example/y"\n[collections.git]\ntoken = "x"', "token_env"),
        ('source = "git:https://x.example/y"\n[collections.git]\ntoken_env = "NOT_SET"', "NOT_SET"),
        ('source = "folder:docs"\n[collections.git]\nbranch = "main"', "collections.git"),
        ('source = "folder:docs"\nlink = "https://x/{commit}/{path}"', "commit"),
        ('source = "website:docs.example.com"', "website:https://"),
        ('source = "website:file:///etc/"', "website:https://"),
        ('source = "website:https://user:pw@x.example/"', "website:https://"),
        ('source = "website:https://x.example/"\nallow_private = ["10.0.0.0/8"]', "no host"),
        ('source = "website:https://x.example/"\n[collections.website]\nmax_pages = 0', "max_pages"),
    ],
)
def test_a_source_that_cannot_be_is_refused_with_the_remedy(tmp_path: Path, line: str, told: str) -> None:
    assert told in refused(tmp_path, line)


def test_the_examples_of_the_readme_are_accepted(tmp_path: Path) -> None:
    section = README.read_text("utf-8").split("## Sources\n", 1)[1].split("\n## ", 1)[0]
    examples = "\n".join(part.split("```", 1)[0] for part in section.split("```toml\n")[1:])
    (tmp_path / "refdesk.toml").write_text(examples, encoding="utf-8")
    settings = load(tmp_path / "refdesk.toml", {})
    sources: dict[str, Any] = {each.name: source_of(each, settings, 1000) for each in settings.collections}
    assert sources["handbook"].origin.repository == "acme/handbook"
    assert sources["help"].start.host == "help.acme.example"
    line = section.split("```json\n", 1)[1].split("```", 1)[0]
    (tmp_path / "faq.jsonl").write_text(line, encoding="utf-8")
    listed = asyncio.run(written(tmp_path, 'source = "jsonl:faq.jsonl"').list())
    assert [entry.id for entry in listed.entries] == ["faq-17"]


def test_each_kind_becomes_its_source(tmp_path: Path) -> None:
    git = written(tmp_path, 'source = "git:git@github.com:org/docs.git"\n[collections.git]\nbranch = "v2"')
    assert (git.origin.repository, git.options.branch) == ("org/docs", "v2")
    assert git.folder == tmp_path / ".refdesk" / "sources" / "docs.git"
    token = written(
        tmp_path, 'source = "git:https://github.com/org/docs"\n[collections.git]\ntoken_env = "T"', {"T": TOKEN}
    )
    assert token.origin.secret == TOKEN
    assert TOKEN not in repr(token)
    local = written(tmp_path, 'source = "git:./repo"\n[collections.git]\nallow_local = true')
    assert local.origin.url == str(tmp_path / "repo")
    site = written(tmp_path, 'source = "website:https://docs.example.com/guide"\nexclude = ["old/"]')
    assert (site.start.host, site.rules.exclude) == ("docs.example.com", ("old/",))
    lines = written(tmp_path, 'source = "jsonl:faq.jsonl"')
    assert lines.path == tmp_path / "faq.jsonl"
