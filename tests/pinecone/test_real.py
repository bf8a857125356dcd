"""The same promises at the real Pinecone: `PINECONE_API_KEY=… pytest -m pinecone`. Makes an index and deletes it."""

from __future__ import annotations

import os
import uuid
from dataclasses import replace

import pytest

from adapters.pinecone.index import PineconeVectors
from adapters.pinecone.options import PineconeOptions
from core.ports import IndexEntry
from tests.index.values import EMBEDDER, passage, scope
from tests.pinecone.conftest import entries, question

KEY = os.environ.get("PINECONE_API_KEY", "")  # read before the fixtures clean the environment

pytestmark = [
    pytest.mark.pinecone,
    pytest.mark.usefixtures("real_service"),
    pytest.mark.skipif(not KEY, reason="PINECONE_API_KEY is not set"),
]


async def test_versions_stand_side_by_side_are_found_and_forgotten() -> None:
    from pinecone import AsyncPinecone

    name = f"refdesk-test-{uuid.uuid4().hex[:8]}"
    one = passage("Upgrade the AKS cluster node pool by node pool.")
    two = passage("Lunch is served at noon in the canteen.", "b.md")
    options = PineconeOptions(name, timeout=30, visible=180)
    try:
        async with PineconeVectors(KEY, EMBEDDER.dimension, options) as vectors:
            await vectors.upsert("docs", EMBEDDER.name, await entries(one, two))
            await vectors.settle("docs")
            published = scope({"a.md": "1", "b.md": "1"})
            (hits,) = await vectors.search(published, await question("AKS cluster upgrade"), 5)
            assert [hit.passage_id for hit in hits.hits] == [one.id, two.id]
            assert hits.moments["en"].count == 2
            rows = await EMBEDDER.embed([one.headed_text, two.headed_text], "passage")
            cosines = rows @ (await question("AKS cluster upgrade"))[0]
            assert [hit.score for hit in hits.hits] == pytest.approx(cosines.tolist(), abs=2e-3)
            await vectors.upsert("docs", EMBEDDER.name, [IndexEntry(replace(one, document_hash="2"), None)])
            await vectors.settle("docs")
            (hits,) = await vectors.search(scope({"a.md": "2"}), await question("AKS cluster upgrade"), 5)
            assert [(hit.passage_id, hit.document_hash) for hit in hits.hits] == [(one.id, "2")]
            assert await vectors.known("docs", [one.id, two.id], EMBEDDER.name) == {one.id, two.id}
            await vectors.remove("docs", [("a.md", "1"), ("b.md", "1")])
            await vectors.settle("docs")
            (hits,) = await vectors.search(published, await question("AKS cluster upgrade"), 5)
            assert hits.hits == ()
    finally:
        async with AsyncPinecone(api_key=KEY) as client:
            await client.indexes.delete(f"{name}-{EMBEDDER.dimension}", timeout=-1)
