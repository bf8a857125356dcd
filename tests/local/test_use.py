"""The bundled encoder: texts that travel together come back as if each had travelled alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from adapters.local.use import USEEmbedder

TEXTS = ["", "hotel", "숙소", "A passage. " * 120, "rotation", "", "x" * 5000]


async def test_empty_short_and_long_texts_keep_their_rows_and_order(tmp_path: Path) -> None:
    async with USEEmbedder(tmp_path) as embedder:
        await embedder.warm()
        together = await embedder.embed(TEXTS, "passage")
        alone = np.concatenate([await embedder.embed([text], "query") for text in TEXTS])
    assert together.shape == (len(TEXTS), 512)
    assert np.allclose(together, alone, atol=1e-4)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-3)


async def test_the_kept_encoder_gives_the_rows_of_the_packed_one(tmp_path: Path) -> None:
    rows = []
    for _ in range(2):  # the second time from the folder
        async with USEEmbedder(tmp_path) as embedder:
            rows.append(await embedder.embed(["hotel", "숙소"], "query"))
    assert any(tmp_path.iterdir())
    assert np.array_equal(rows[0], rows[1])


async def test_a_kept_encoder_that_is_broken_is_loaded_from_its_package(tmp_path: Path) -> None:
    async with USEEmbedder(tmp_path) as embedder:
        before = await embedder.embed(["hotel"], "query")
    for file in next(tmp_path.iterdir()).iterdir():
        file.write_bytes(b"broken")
    async with USEEmbedder(tmp_path) as embedder:
        assert np.allclose(await embedder.embed(["hotel"], "query"), before)
