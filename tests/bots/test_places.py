"""Where the settings come from when nothing says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots import places
from core.errors import ConfigError


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Path]:
    """An empty working folder whose cache is below it; the environment is put back by `clean_environment`."""
    os.environ["REFDESK_DATA_DIR"] = str(tmp_path / "cache")
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


def test_who_has_only_tried_the_demo_goes_on_in_it(elsewhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried = places.demo().data_dir
    tried.mkdir(parents=True)
    (tried / "refdesk.db").touch()
    assert places.chosen(None, None).data_dir == tried
    assert "handbook" in capsys.readouterr().err


def test_without_the_demo_a_missing_configuration_is_told(elsewhere: Path) -> None:
    with pytest.raises(ConfigError):
        places.chosen(None, None)


def test_a_configuration_here_comes_before_the_demo(elsewhere: Path) -> None:
    tried = places.demo().data_dir
    tried.mkdir(parents=True)
    (tried / "refdesk.db").touch()
    (elsewhere / "refdesk.toml").write_text('[[collections]]\nname = "own"\nsource = "folder:docs"\n', encoding="utf-8")
    assert [each.name for each in places.chosen(None, None).collections] == ["own"]


def test_folders_of_one_name_get_names_of_their_own(elsewhere: Path) -> None:
    for parent in ("a", "b"):
        (elsewhere / parent / "docs").mkdir(parents=True)
    found = places.folders([Path("a/docs"), Path("b/docs")])
    assert [each.name for each in found.collections] == ["docs", "docs-2"]
