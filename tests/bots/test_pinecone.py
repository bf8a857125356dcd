"""`refdesk` with its vectors at Pinecone: the first question indexes, a removed page is gone, the key is asked for."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from tests.pinecone_server.server import PineconeServer, serving

CONFIG = """
[[collections]]
name = "docs"
source = "folder:docs"
[index]
vectors = "pinecone"
name = "desk"
host = "{url}"
"""


async def refdesk(*arguments: str, cwd: Path, key: str) -> subprocess.CompletedProcess[str]:
    """One run in its own process; the server lives in this one."""
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "bots", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "PINECONE_API_KEY": key, "REFDESK_DATA_DIR": str(cwd / "data")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )


async def test_documents_are_indexed_found_by_meaning_and_forgotten(tmp_path: Path) -> None:
    async with serving(delay=0.1) as server:
        docs = _written(tmp_path, server)
        found = await refdesk("ask", "How often does the VPN password change?", cwd=tmp_path, key=server.key)
        (index,) = server.indexes.values()
        assert index.about["name"] == "desk-512"
        ((name, namespace),) = index.namespaces.items()
        assert name.startswith("docs.")
        assert len(namespace.records) == 2
        (docs / "vpn.md").unlink()
        synced = await refdesk("sync", cwd=tmp_path, key=server.key)
        gone = await refdesk("ask", "How often does the VPN password change?", cwd=tmp_path, key=server.key)
    assert "90 days" in found.stdout, found
    assert synced.returncode == 0, synced
    assert "90 days" not in gone.stdout
    log = (tmp_path / "data" / "refdesk.log").read_text("utf-8")
    assert server.key not in found.stdout + found.stderr + gone.stdout + log


async def test_without_a_key_the_remedy_is_told(tmp_path: Path) -> None:
    async with serving() as server:
        _written(tmp_path, server)
        refused = await refdesk("ask", "VPN?", cwd=tmp_path, key="")
    assert refused.returncode == 2
    assert "PINECONE_API_KEY" in refused.stdout + refused.stderr
    assert "Traceback" not in refused.stderr


def _written(root: Path, server: PineconeServer) -> Path:
    docs = root / "docs"
    docs.mkdir()
    (docs / "vpn.md").write_text("# VPN\n\nThe VPN password changes every 90 days.\n", encoding="utf-8")
    (docs / "lunch.md").write_text("# Lunch\n\nLunch is served at noon in the canteen.\n", encoding="utf-8")
    (root / "refdesk.toml").write_text(CONFIG.format(url=server.url), encoding="utf-8")
    return docs
