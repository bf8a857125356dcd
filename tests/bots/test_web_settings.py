"""The [web] section: off until somebody writes what may be searched, its key from the environment alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.settings import Settings, load
from core.errors import ConfigError

ONE = '[[collections]]\nname = "docs"\nsource = "folder:docs"\n'
ON = 'provider = "tavily"\nallow_domains = ["docs.example.com"]\n'


def loaded(folder: Path, web: str, env: dict[str, str] | None = None) -> Settings:
    path = folder / "refdesk.toml"
    path.write_text(f"{ONE}[web]\n{web}", encoding="utf-8")
    return load(path, env or {})


def refused(folder: Path, web: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(folder, web)
    return caught.value.user_message("en")


@pytest.mark.parametrize("web", ["", 'provider = "tavily"\n', 'allow_domains = ["a.com"]\n', "allow_any = true\n"])
def test_the_web_is_off_until_both_service_and_domains_are_written(tmp_path: Path, web: str) -> None:
    assert not loaded(tmp_path, web).web.on


@pytest.mark.parametrize("web", [ON, 'provider = "tavily"\nallow_any = true\n'])
def test_the_web_is_on_with_a_list_or_with_any_domain(tmp_path: Path, web: str) -> None:
    assert loaded(tmp_path, web).web.on


def test_a_list_is_what_is_admitted(tmp_path: Path) -> None:
    which = loaded(tmp_path, ON + 'deny_domains = ["old.docs.example.com"]\n').web.domains
    assert which.admits("https://docs.example.com/a")
    assert not which.admits("https://old.docs.example.com/a")
    assert not which.admits("https://example.com/a")


def test_the_key_comes_from_the_environment_and_is_never_shown(tmp_path: Path) -> None:
    settings = loaded(tmp_path, ON, {"TAVILY_API_KEY": "tvly-secret"})
    assert settings.web.key.get_secret_value() == "tvly-secret"
    assert "tvly-secret" not in repr(settings) + str(settings.model_dump())
    assert loaded(tmp_path, ON).web.key.get_secret_value() == ""


def test_a_key_in_the_file_is_refused_without_repeating_it(tmp_path: Path) -> None:
    sentence = refused(tmp_path, ON + 'key = "tvly-secret"\n')
    assert "TAVILY_API_KEY" in sentence
    assert "tvly-secret" not in sentence


@pytest.mark.parametrize(
    ("web", "named"),
    [
        ('provider = "google"\n', "web.provider"),
        ('allow_domains = "docs.example.com"\n', "web.allow_domains"),
        ('allow_domains = ["https://docs.example.com/"]\n', "without https://"),
        ('allow_domains = ["com"]\n', "allow_any"),
        ('deny_domains = ["a b"]\n', "web.deny_domains"),
        ("max_results = 0\n", "web.max_results"),
        ("max_results = 100\n", "web.max_results"),
        ("max_characters = 1\n", "web.max_characters"),
        ("timeout = inf\n", "web.timeout"),
        ("timeout = 0\n", "web.timeout"),
        ('base_url = "ftp://a.com"\n', "web.base_url"),
        ('base_url = "https://user:pass@a.com"\n', "web.base_url"),
        ("alow_any = true\n", "web.alow_any"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, web: str, named: str) -> None:
    sentence = refused(tmp_path, web)
    assert named in sentence
    assert "pass@" not in sentence


def refdesk(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """One run in its own process."""
    return subprocess.run(
        [sys.executable, "-m", "bots", *arguments],
        cwd=cwd,
        env={**os.environ, "REFDESK_DATA_DIR": str(cwd / "data"), "PYTHONUTF8": "1", **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder whose configuration searches the web."""
    web = f'{ON}deny_domains = ["old.docs.example.com"]\n[policy]\npreset = "crag-any"\n'
    (tmp_path / "refdesk.toml").write_text(f"{ONE}[web]\n{web}", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    return tmp_path


def test_check_says_which_domains_are_searched_and_warns_of_an_eager_trigger(place: Path) -> None:
    done = refdesk("check", cwd=place, TAVILY_API_KEY="tvly-secret")
    assert "tavily, on docs.example.com" in done.stdout
    assert "never on old.docs.example.com" in done.stdout
    assert "any" in done.stdout
    assert "k = 6" in done.stdout
    assert "tvly-secret" not in done.stdout + done.stderr


def test_a_web_without_a_key_is_one_sentence_with_the_remedy(place: Path) -> None:
    done = refdesk("check", cwd=place)
    assert done.returncode == 2
    (sentence,) = [line for line in done.stderr.splitlines() if line.strip()]
    assert "TAVILY_API_KEY" in sentence


def test_status_of_a_desk_that_nobody_asked(place: Path) -> None:
    done = refdesk("status", cwd=place, TAVILY_API_KEY="tvly-secret")
    assert done.returncode == 0
    assert "7 days" in done.stdout
