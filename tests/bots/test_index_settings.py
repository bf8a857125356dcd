"""The [index] section: embedded unless it says otherwise, its key only from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots.index_settings import MANY_PASSAGES, IndexSettings
from bots.settings import load
from core.errors import ConfigError

COLLECTION = """
[[collections]]
name = "docs"
source = "folder:docs"
"""


def written(folder: Path, section: str) -> Path:
    path = folder / "refdesk.toml"
    path.write_text(COLLECTION + section, encoding="utf-8")
    return path


def test_vectors_are_embedded_by_default(tmp_path: Path) -> None:
    index = load(written(tmp_path, ""), {"PINECONE_API_KEY": "pc-secret"}).index
    assert (index.vectors, index.recipe) == ("embedded", "")
    assert "pc-secret" not in repr(index)


def test_pinecone_takes_name_place_and_host_from_the_file_and_its_key_from_the_environment(tmp_path: Path) -> None:
    section = """
[index]
vectors = "pinecone"
name = "desk"
cloud = "gcp"
region = "europe-west4"
host = "https://api.pinecone.example/"
"""
    index = load(written(tmp_path, section), {"PINECONE_API_KEY": "pc-secret"}).index
    assert (index.name, index.cloud, index.region) == ("desk", "gcp", "europe-west4")
    assert index.host == "https://api.pinecone.example"
    assert index.key.get_secret_value() == "pc-secret"
    assert "pc-secret" not in repr(index)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('key = "pc-secret"', "PINECONE_API_KEY"),
        ('vectors = "faiss"', "index.vectors"),
        ('name = "Not A Name"', "index.name"),
        ('host = "api.pinecone.example"', "https://"),
        ("dimension = 3", "index.dimension"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(written(tmp_path, f"[index]\n{line}\n"), {})
    assert told in caught.value.user_message("en")
    assert "pc-secret" not in caught.value.user_message("en")


def test_another_store_makes_every_document_be_read_again(tmp_path: Path) -> None:
    one = load(written(tmp_path, '[index]\nvectors = "pinecone"\n'), {}).index
    other = load(written(tmp_path, '[index]\nvectors = "pinecone"\nname = "other"\n'), {}).index
    assert len({"", one.recipe, other.recipe}) == 3


def test_pinecone_is_advised_for_what_a_file_holds_badly_and_only_there() -> None:
    assert not IndexSettings().outgrown(MANY_PASSAGES - 1)
    assert IndexSettings().outgrown(MANY_PASSAGES)
    assert not IndexSettings(vectors="pinecone").outgrown(10 * MANY_PASSAGES)
