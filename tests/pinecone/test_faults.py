"""Whatever the service does ends in an answer or in one clear sentence, and the key is never told."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from adapters.pinecone.index import PineconeVectors
from core.errors import ConfigError, RefdeskError, UpstreamError, UpstreamRefused, UpstreamTimeout
from core.ports import IndexEntry
from tests.index.values import EMBEDDER, passage, scope
from tests.pinecone.conftest import entries, over, question
from tests.pinecone_server.server import Fault, PineconeServer

ONE = passage("words")
PUBLISHED = scope({"a.md": "1"})


@pytest.mark.parametrize(
    "fault",
    [
        Fault(429, "search", {"Retry-After": "0"}),
        Fault(500, "search"),
        Fault(503, "search"),
        Fault(0, "search", hang_up=True),
    ],
)
async def test_what_passes_is_tried_again(server: PineconeServer, vectors: PineconeVectors, fault: Fault) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    server.faults.append(fault)
    (found,) = await vectors.search(PUBLISHED, await question("words"), 5)
    assert [hit.passage_id for hit in found.hits] == [ONE.id]
    assert not server.faults


async def test_an_upsert_that_is_throttled_arrives_once_and_whole(
    server: PineconeServer, vectors: PineconeVectors
) -> None:
    server.faults += [Fault(429, "upsert", {"Retry-After": "0"}), Fault(503, "upsert", {"Retry-After": "0"})]
    passages = [passage(f"words {n}", f"{n}.md") for n in range(250)]
    await vectors.upsert("docs", EMBEDDER.name, await entries(*passages))
    (found,) = await vectors.search(scope({p.document_id: "1" for p in passages}), await question("words"), 999)
    assert {hit.passage_id for hit in found.hits} == {p.id for p in passages}


REFUSALS: dict[int, tuple[type[RefdeskError], str]] = {
    401: (UpstreamRefused, "error.index_key_refused"),
    402: (UpstreamRefused, "error.index_quota"),
    403: (UpstreamRefused, "error.index_key_refused"),
    404: (UpstreamError, "error.index_gone"),
    400: (UpstreamError, "error.index_answer"),
    413: (UpstreamError, "error.index_answer"),
    429: (UpstreamRefused, "error.index_busy"),
    500: (UpstreamError, "error.index_down"),
}


@pytest.mark.parametrize("status", REFUSALS)
async def test_what_stays_is_told_in_one_sentence_without_the_services_words(
    server: PineconeServer, vectors: PineconeVectors, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    kind, reason = REFUSALS[status]
    await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    server.faults += [Fault(status, "search", {"Retry-After": "0"}, says=f"the key {server.key} is no good")] * 8
    with caplog.at_level(logging.DEBUG), pytest.raises(kind) as caught:
        await vectors.search(PUBLISHED, await question("words"), 5)
    assert caught.value.reason == reason
    assert caught.value.user_message("en") != caught.value.user_message("ko")
    assert server.key not in f"{caught.value}{caught.value.user_message('en')}{caught.value.__cause__}{caplog.text}"


async def test_a_service_that_is_slow_ends_in_time(server: PineconeServer) -> None:
    async with over(server, timeout=0.2) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
        server.faults += [Fault(path="search", delay=30)] * 4
        with pytest.raises(UpstreamTimeout) as caught:
            await vectors.search(PUBLISHED, await question("words"), 5)
        assert "0.2" in caught.value.user_message("en")
        server.faults.clear()
        (found,) = await vectors.search(PUBLISHED, await question("words"), 5)
        assert len(found.hits) == 1


async def test_a_service_that_is_not_there_is_told_at_the_start(server: PineconeServer) -> None:
    await server.stop()
    with pytest.raises(UpstreamError) as caught:
        async with over(server, patience=1):  # the client's pauses are random
            pass
    assert caught.value.reason in {"error.index_down", "error.index_timeout"}


async def test_a_wrong_key_is_told_at_the_start(server: PineconeServer) -> None:
    with pytest.raises(UpstreamRefused) as caught:
        async with over(server, key="pc-wrong-key"):
            pass
    assert "PINECONE_API_KEY" in caught.value.user_message("en")
    assert "pc-wrong-key" not in str(caught.value)


def test_no_key_is_a_mistake_in_the_configuration() -> None:
    with pytest.raises(ConfigError) as caught:
        PineconeVectors("  ", 64)
    assert "PINECONE_API_KEY" in caught.value.user_message("en")


@pytest.mark.parametrize(("dimension", "metric"), [(96, "cosine"), (64, "euclidean")])
async def test_an_index_of_another_kind_is_refused_at_the_start(
    server: PineconeServer, dimension: int, metric: str
) -> None:
    await server.made("tests-64", dimension, metric)
    with pytest.raises(ConfigError) as caught:
        async with over(server):
            pass
    message = caught.value.user_message("en")
    assert "tests-64" in message
    assert f"{dimension}, {metric}" in message
    assert "64 dimensions" in message


async def test_indexes_of_others_are_left_alone(server: PineconeServer) -> None:
    await server.made("prod-64", 7, "euclidean")
    await server.made("tests-other", 7)
    async with over(server) as vectors:
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    assert set(server.indexes) == {"prod-64", "tests-other", "tests-64"}
    assert not server.indexes["prod-64"].namespaces


async def test_a_missing_index_is_made_with_the_first_write_and_waited_for(server: PineconeServer) -> None:
    server.ready_after = 0.3
    async with over(server) as vectors:
        assert await vectors.search(PUBLISHED, await question("words"), 5)
        assert not server.indexes
        await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    (created,) = [asked for asked in server.asked if (asked.method, asked.path) == ("POST", "/indexes")]
    assert created.body["deployment"] == {"deployment_type": "managed", "cloud": "aws", "region": "us-east-1"}
    assert created.body["schema"]["fields"]["embedding"] == {
        "type": "dense_vector",
        "dimension": 64,
        "metric": "cosine",
    }


async def test_two_processes_that_make_the_same_index_share_it(server: PineconeServer) -> None:
    async with over(server) as one, over(server) as two:
        await one.upsert("docs", EMBEDDER.name, await entries(ONE))
        await two.upsert("docs", EMBEDDER.name, await entries(passage("more words", "b.md")))
        (found,) = await one.search(scope({"a.md": "1", "b.md": "1"}), await question("words"), 5)
    assert len(found.hits) == 2
    assert list(server.indexes) == ["tests-64"]


async def test_a_deleted_index_is_noticed_and_built_anew(server: PineconeServer, vectors: PineconeVectors) -> None:
    await vectors.upsert("docs", EMBEDDER.name, await entries(ONE))
    assert await vectors.holds("docs")
    server.indexes.clear()
    with pytest.raises(UpstreamError) as caught:
        await vectors.search(PUBLISHED, await question("words"), 5)
    assert "refdesk sync" in caught.value.user_message("en")
    async with over(server) as again:
        assert not await again.holds("docs")
        await again.upsert("docs", EMBEDDER.name, await entries(ONE))
        (found,) = await again.search(PUBLISHED, await question("words"), 5)
        assert len(found.hits) == 1


async def test_a_vector_without_direction_is_neither_stored_nor_searched(vectors: PineconeVectors) -> None:
    empty = IndexEntry(passage("…", "b.md"), np.zeros(64, np.float32))
    await vectors.upsert("docs", EMBEDDER.name, [*await entries(ONE), empty])
    both = scope({"a.md": "1", "b.md": "1"})
    nothing, something = await vectors.search(
        both, np.stack([np.zeros(64, np.float32), (await question("words"))[0]]), 5
    )
    assert nothing.hits == ()
    assert [hit.passage_id for hit in something.hits] == [ONE.id]
