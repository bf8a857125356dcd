"""refdesk.toml and the environment: what is accepted, and the one sentence for each mistake."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel, SecretStr

from bots.places import folders
from bots.settings import Settings, language_here, load
from core.errors import ConfigError

ONE = '[[collections]]\nname = "handbook"\nsource = "folder:docs"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "refdesk.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load(written(folder, text), {})
    assert caught.value.user_message("ko")
    return caught.value.user_message("en")


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    settings = load(written(tmp_path, ONE), {})
    assert settings.collections[0].path == str(tmp_path / "docs")
    assert settings.data_dir == tmp_path / ".refdesk"


def test_the_example_of_the_readme_is_accepted(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    example = readme.split("```toml\n", 1)[1].split("```", 1)[0]
    settings = load(written(tmp_path, example), {})
    assert settings.policy.policy().k == 6
    assert settings.collections[0].link.startswith("https://wiki.example/")


def toml_of_the_readme() -> str:
    """Every block of settings in the README, the first of which is whole."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    return "\n".join(part.split("```", 1)[0] for part in readme.split("```toml\n")[1:])


def fields(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, str]]:
    """Section and name of every setting that may stand in the file."""
    for name, field in model.model_fields.items():
        inner = [each for each in (field.annotation, *get_args(field.annotation)) if isinstance(each, type)]
        sections = [each for each in inner if issubclass(each, BaseModel)]
        if sections:
            yield from fields(sections[0], f"{path}.{name}".strip("."))
        elif SecretStr not in inner:
            yield path, name


OF_THE_ENVIRONMENT = {("", "now"), ("", "database_url"), ("slack", "client_id"), ("discord", "gateway_url")}


def test_the_readme_names_every_setting_in_its_section() -> None:
    named: set[tuple[str, str]] = set()
    section = ""
    for line in toml_of_the_readme().splitlines():
        if header := re.match(r"(?:# )?\[\[?([\w.-]+)\]\]?", line):
            section = header[1]
        if setting := re.match(r"(?:# )?([a-z_]+) = ", line):
            named.add((section, setting[1]))
    assert set(fields(Settings)) - OF_THE_ENVIRONMENT - named == set()


def test_the_example_of_the_readme_shows_the_defaults(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = tomllib.loads(readme.split("```toml\n", 1)[1].split("```", 1)[0])
    for section in ("models", "ingest", "index", "web", "slack", "discord", "telemetry", "health"):
        default = Settings().model_dump(mode="json")[section]
        different = {name for name, value in shown[section].items() if default[name] != value and name != "steps"}
        assert different == set(), section


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('[[collections]]\nname = "Big Docs"\nsource = "folder:x"', "collection Big Docs: name may have a-z"),
        ('[[collections]]\nsource = "folder:x"', "collection number 2: name is missing"),
        ('[[collections]]\nname = "b"\nsource = "folder:x"\nhint = 3', "collection b: hint must be text in quotes"),
        ('[[collections]]\nname = "b"\nsource = "folder:x"\ninclude = [3]', "collection b: include (entry 1) must be"),
        ("[ingest]\nmax_file_mb = 0", "ingest.max_file_mb must be more than 0"),
        ("[ingest]\nmax_memory_mb = 3", "ingest.max_memory_mb must be 256"),
        ("[index]\nvectors = 'x'", "index.vectors must be one of 'embedded' or 'pinecone'"),
        ("[models.steps]\ngrade = 'x'", "models.steps.grade must be one of"),
        ("[web]\nallow_any = 'x'", "web.allow_any must be true or false"),
    ],
)
def test_a_mistake_is_told_in_our_own_words_and_names_the_collection(tmp_path: Path, line: str, told: str) -> None:
    sentence = refused(tmp_path, f"{ONE}{line}\n")
    assert told in sentence
    assert not any(word in sentence for word in ("Input should", "String should", "collections.0", "pattern"))


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    assert "colour" in refused(tmp_path, 'colour = "red"\n' + ONE)


def test_an_unknown_key_of_a_section_is_named(tmp_path: Path) -> None:
    assert "models.embeder" in refused(tmp_path, ONE + '[models]\nembeder = "use"\n')


def test_an_unknown_field_of_the_policy_is_named(tmp_path: Path) -> None:
    assert "policy.kk" in refused(tmp_path, ONE + "[policy]\nkk = 3\n")


@pytest.mark.parametrize("line", ['k = "six"', "k = 6.5", "k = true", 'deadline = "soon"', 'preset = "best"'])
def test_a_wrong_type_is_named(tmp_path: Path, line: str) -> None:
    assert "policy" in refused(tmp_path, ONE + f"[policy]\n{line}\n")


@pytest.mark.parametrize("line", ["k = 0", "deadline = -1.0", "correct_above = 7.0", "max_rewrites = -1"])
def test_a_value_out_of_range_is_named(tmp_path: Path, line: str) -> None:
    assert line.split(" ", maxsplit=1)[0] in refused(tmp_path, ONE + f"[policy]\n{line}\n")


def test_a_collection_name_twice_is_refused(tmp_path: Path) -> None:
    assert "handbook" in refused(tmp_path, ONE + ONE)


@pytest.mark.parametrize("name", ["web", "direct", "clarify", "collections"])
def test_a_collection_that_is_called_as_a_route_is_refused_with_another_name(tmp_path: Path, name: str) -> None:
    assert f"{name}-docs" in refused(tmp_path, f'[[collections]]\nname = "{name}"\nsource = "folder:docs"\n')


def test_a_folder_that_is_called_as_a_route_is_a_collection_of_another_name(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    assert [each.name for each in folders([tmp_path / "web"]).collections] == ["web-docs"]


@pytest.mark.parametrize("name", ["Hand Book", "", "가이드", "a" * 60, "../up"])
def test_a_name_that_cannot_be_a_slug_is_refused(tmp_path: Path, name: str) -> None:
    assert "name" in refused(tmp_path, f'[[collections]]\nname = "{name}"\nsource = "folder:docs"\n')


@pytest.mark.parametrize("source", ["docs", "folder:", "s3:bucket"])
def test_a_source_of_an_unknown_kind_is_refused_with_the_right_form(tmp_path: Path, source: str) -> None:
    assert "folder:PATH" in refused(tmp_path, f'[[collections]]\nname = "a"\nsource = "{source}"\n')


@pytest.mark.parametrize("line", ["deadline = nan", "deadline = inf"])
def test_a_limit_that_is_no_number_is_refused(tmp_path: Path, line: str) -> None:
    assert "deadline" in refused(tmp_path, ONE + f"[policy]\n{line}\n")
    assert "max_seconds" in refused(tmp_path, ONE + f"[ingest]\nmax_seconds = {line.rpartition(' ')[2]}\n")


@pytest.mark.parametrize(
    "line",
    [
        'include = "*.md"',
        "include = []",
        'include = ["[z-a]"]',
        'exclude = ["[z-a]"]',
        'link = "https://w/{page}"',
        'link = "https://w/{path"',
    ],
)
def test_a_setting_of_a_collection_that_could_not_work_is_named(tmp_path: Path, line: str) -> None:
    assert line.split(" ", maxsplit=1)[0] in refused(tmp_path, ONE + line + "\n")


def test_types_are_told_in_the_words_of_toml(tmp_path: Path) -> None:
    assert "list" in refused(tmp_path, 'collections = "docs"\n')
    assert "source is missing" in refused(tmp_path, '[[collections]]\nname = "docs"\n')


@pytest.mark.parametrize("path", ["~nobody-of-this-name/docs", "a\\u0000b"])
def test_a_path_that_can_be_none_is_refused(tmp_path: Path, path: str) -> None:
    assert "path" in refused(tmp_path, f'[[collections]]\nname = "a"\nsource = "folder:{path}"\n')


@pytest.mark.parametrize("url", ["nonsense", "oracle://u:secret@host/db"])
def test_a_database_of_an_unknown_kind_is_refused_without_its_password(tmp_path: Path, url: str) -> None:
    sentence = refused(tmp_path, f'database_url = "{url}"\n' + ONE)
    assert "database_url" in sentence
    assert "secret" not in sentence


def test_a_data_folder_that_an_address_cannot_name_is_refused(tmp_path: Path) -> None:
    settings = load(written(tmp_path, ONE), {"REFDESK_DATA_DIR": str(tmp_path / "a?b#c%20d")})
    with pytest.raises(ConfigError) as caught:
        _ = settings.record_url
    assert "question mark" in caught.value.user_message("en")


def test_a_folder_named_twice_is_one_collection(tmp_path: Path) -> None:
    assert len(folders([tmp_path, tmp_path / "."]).collections) == 1


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {})
    assert "refdesk.toml" in caught.value.user_message("en")


def test_text_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    assert "TOML" in refused(tmp_path, "collections = [")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "refdesk.toml"
    path.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ConfigError):
        load(path, {})


def test_a_missing_file_names_the_way_on(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path / "refdesk.toml", {})
    assert "refdesk demo" in caught.value.user_message("en")


def test_the_environment_overrules_the_file(tmp_path: Path) -> None:
    place = written(tmp_path, ONE)
    env = {"REFDESK_DATA_DIR": str(tmp_path / "data"), "REFDESK_DATABASE_URL": "postgresql+asyncpg://h/db"}
    settings = load(place, env)
    assert settings.data_dir == tmp_path / "data"
    assert settings.record_url == "postgresql+asyncpg://h/db"


def test_the_configuration_file_can_be_named_in_the_environment(tmp_path: Path) -> None:
    place = written(tmp_path, ONE)
    assert load(None, {"REFDESK_CONFIG": str(place)}).collections[0].name == "handbook"


@pytest.mark.parametrize(("locale", "language"), [("ko_KR.UTF-8", "ko"), ("C.UTF-8", "en"), ("", "en")])
def test_the_locale_chooses_the_language_where_no_question_does(locale: str, language: str) -> None:
    assert language_here({"LANG": locale}) == language


ELSEWHERE = ("http://chat.example/api/", "http://10.0.0.7/api", "ftp://127.0.0.1/api", "https://a:b@chat.example/")


@pytest.mark.parametrize("platform", ["slack", "discord"])
@pytest.mark.parametrize("url", ELSEWHERE)
def test_a_token_is_sent_over_https_or_to_this_machine_alone(tmp_path: Path, platform: str, url: str) -> None:
    sentence = refused(tmp_path, f'{ONE}[{platform}]\nbase_url = "{url}"\n')
    assert "base_url" in sentence
    assert "https" in sentence


@pytest.mark.parametrize("platform", ["slack", "discord"])
def test_a_platform_may_be_played_on_this_machine(tmp_path: Path, platform: str) -> None:
    settings = load(written(tmp_path, f'{ONE}[{platform}]\nbase_url = "http://127.0.0.1:8123/api"\n'), {})
    assert getattr(settings, platform).base_url.rstrip("/") == "http://127.0.0.1:8123/api"
