"""Embeddings over the API: rows, batches, limits, faults."""

from __future__ import annotations

import numpy as np
import pytest

from adapters.openai.embedder import OpenAIEmbedder
from core.errors import UpstreamError, UpstreamRefused
from tests.openai.asking import models
from tests.openai_server.server import Manners, OpenAIServer


async def test_rows_have_length_one_and_depend_only_on_their_text() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder(models(server, embedding="bge")) as embedder:
        rows = await embedder.embed(["one", "둘", "one"], "passage")
        again = await embedder.embed(["one"], "query")
    assert rows.shape == (3, 64)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.array_equal(rows[0], rows[2])
    assert np.array_equal(rows[0], again[0])
    assert not np.allclose(rows[0], rows[1])


async def test_the_name_tells_model_and_dimension_so_that_neither_changes_unseen() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder(models(server, embedding="bge")) as found:
        await found.probe()
        assert found.name == "openai:bge@64"
        assert OpenAIEmbedder(models(server, embedding="bge", dimension=32)).name == "openai:bge-32"
        assert OpenAIEmbedder(models(server)).name == "openai:text-embedding-3-small"


@pytest.mark.parametrize(
    "name",
    [
        "openai:bge@64",
        "openai:bge-32",
        "openai:text-embedding-ada-002",
        "openai:text-embedding-3-large-256",
        "openai:org/nomic-v1.5:latest@768",
        "openai:model-512@64",
    ],
)
async def test_an_embedder_is_had_again_by_its_name(name: str) -> None:
    async with OpenAIServer() as server:
        assert OpenAIEmbedder.named(name, models(server, embedding="other", dimension=16)).name == name


async def test_a_model_that_gives_another_dimension_than_its_name_says_is_refused() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder.named("openai:bge@48", models(server)) as embedder:
        with pytest.raises(UpstreamRefused):
            await embedder.embed(["x"], "query")


async def test_the_dimension_is_found_by_asking_once_unless_it_is_known() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder(models(server, embedding="bge")) as embedder:
        assert (await embedder.probe(), await embedder.probe(), embedder.dimension) == (64, 64, 64)
        assert len(server.calls) == 1
        assert OpenAIEmbedder(models(server)).dimension == 1536


async def test_a_chosen_dimension_is_asked_for() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder(models(server, dimension=32)) as embedder:
        assert (await embedder.embed(["x"], "query")).shape == (1, 32)
    assert server.calls[0].body["dimensions"] == 32


async def test_another_dimension_than_the_index_has_is_refused() -> None:
    async with OpenAIServer(manners=Manners(dimension=48)) as server, OpenAIEmbedder(models(server)) as embedder:
        with pytest.raises(UpstreamRefused) as caught:
            await embedder.embed(["x"] * 200, "passage")
    assert "48" in caught.value.user_message("en")


async def test_nothing_costs_nothing() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder(models(server)) as embedder:
        assert (await embedder.embed([], "passage")).shape == (0, 1536)
    assert not server.calls


async def test_many_texts_go_in_batches_that_a_service_accepts_and_stay_in_order() -> None:
    texts = [f"text {i}" for i in range(200)]
    manners = Manners(max_inputs=64)
    async with OpenAIServer(manners=manners) as server, OpenAIEmbedder(models(server, embedding="bge")) as embedder:
        rows = await embedder.embed(texts, "passage")
        alone = await embedder.embed([texts[150]], "passage")
    assert np.allclose(rows[150], alone[0])
    assert max(len(call.body["input"]) for call in server.calls) == 64


async def test_texts_are_cut_to_the_model_s_limit_and_empty_ones_still_get_a_row() -> None:
    texts = ["word " * 5000, "한국어 " * 5000, "", "\n "]
    async with OpenAIServer() as server, _reading_512_tokens(server) as embedder:
        rows = await embedder.embed(texts, "passage")
    long, korean, *empty = server.calls[-1].body["input"]
    assert 1000 < len(long) <= 512 * 3
    assert 200 < len(korean) <= 512
    assert all(each.strip() for each in empty)
    assert rows.shape == (4, 64)


async def test_texts_go_as_texts_and_never_as_tokens() -> None:
    async with OpenAIServer() as server, OpenAIEmbedder(models(server)) as embedder:
        with pytest.raises(UpstreamRefused):  # the server's rows have another length
            await embedder.embed(["plain words"], "query")
    assert server.calls[0].body["input"] == ["plain words"]


async def test_faults_are_told_as_those_of_the_models_are() -> None:
    async with OpenAIServer(manners=Manners(key="another")) as server, OpenAIEmbedder(models(server)) as embedder:
        with pytest.raises(UpstreamRefused, match=r"error\.model_key"):
            await embedder.embed(["x"], "query")
    async with OpenAIServer() as gone:
        pass
    async with OpenAIEmbedder(models(gone, max_retries=0)) as embedder:
        with pytest.raises(UpstreamError, match=r"error\.model_unreachable"):
            await embedder.embed(["x"] * 100, "passage")


def _reading_512_tokens(server: OpenAIServer) -> OpenAIEmbedder:
    return OpenAIEmbedder(models(server, embedding="bge", embedding_tokens=512))
