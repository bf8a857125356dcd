"""The vectors at Pinecone: nothing of a collection that may not be read is even asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from adapters.embedded.index import EmbeddedIndex
from adapters.pinecone.index import PineconePassages
from bots.compose.index import Indexes
from tests.access.house import EMBEDDER, House, Plot, built, question
from tests.access.readers import AUDIENCES, COLLECTIONS, hidden_words, readable_words
from tests.access.test_matrix import leaked
from tests.pinecone.conftest import over
from tests.pinecone_server.server import PineconeServer, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[House, PineconeServer]]:
    """A house whose vectors are at the server."""
    async with serving() as server, over(server, EMBEDDER.dimension) as vectors:

        def indexes(file: EmbeddedIndex) -> Indexes:
            return Indexes(
                vectors, file.lexical, PineconePassages(file.passages, vectors), file.read_by, vectors.settle
            )

        async with built(tmp_path_factory.mktemp("far"), Plot(indexes=indexes)) as house:
            yield house, server


@pytest.mark.parametrize("name", AUDIENCES)
async def test_only_readable_collections_are_asked_for_and_come_back(
    world: tuple[House, PineconeServer], name: str
) -> None:
    house, server = world
    scope = await house.catalog.pin(await house.access.readable(AUDIENCES[name][0]))
    before = len(server.asked)
    secret = sorted(hidden_words(name))[:3]
    found = [await house.retriever.retrieve(scope, [question(word)], 6) for word in secret]
    found.append(await house.retriever.retrieve(scope, ["What is the rule?"], 99))
    assert leaked(found, COLLECTIONS) == readable_words(name)
    asked = server.asked[before:]
    assert asked
    assert not leaked([(each.path, each.body) for each in asked], hidden_words(name))


async def test_an_answer_holds_nothing_of_what_is_hidden(world: tuple[House, PineconeServer]) -> None:
    house, _ = world
    name = "shared with another organisation"
    for word in COLLECTIONS:
        turn = await house.ask(question(word), AUDIENCES[name][0])
        assert turn.answer is not None
        assert not leaked(house.told(turn), hidden_words(name))
        assert (word in turn.answer.text) == (word in readable_words(name))
