"""How a process is doing: its stores, asked now, and its connections, as their pulses have it. Names no collection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import RefdeskError
from core.messages import Language
from core.pulse import Pulse

log = logging.getLogger(__name__)

Probe = Callable[[], Awaitable[object]]
"""Asks a store something small; what it raises is what is wrong with it."""

PATIENCE = 3.0
"""Seconds for an answer of a store."""

GRACE = 60.0
"""Seconds without a connection that are no reason to call a process unhealthy: connections are replaced all day."""


@dataclass(frozen=True, slots=True)
class Health:
    """Stores by name with what is wrong with them (nothing: an empty text), and platforms as plain values."""

    stores: Mapping[str, str] = field(default_factory=dict)
    platforms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether everything works."""
        return not any(self.stores.values()) and all(each["ok"] for each in self.platforms.values())

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        stores = {name: {"ok": not wrong, "error": wrong or None} for name, wrong in self.stores.items()}
        return {"status": "ok" if self.ok else "failing", **stores, "platforms": dict(self.platforms)}


async def examined(
    probes: Mapping[str, Probe], pulses: Mapping[str, Pulse], language: Language, patience: float = PATIENCE
) -> Health:
    """Ask the stores side by side, and read the pulses."""
    found = await asyncio.gather(*(_wrong(name, probe, language, patience) for name, probe in probes.items()))
    return Health(
        dict(zip(probes, found, strict=True)), {name: _told(pulse, language) for name, pulse in pulses.items()}
    )


async def _wrong(name: str, probe: Probe, language: Language, patience: float) -> str:
    try:
        async with asyncio.timeout(patience):
            await probe()
    except RefdeskError as error:
        return error.user_message(language)
    except TimeoutError:
        return f"no answer within {patience:.0f} s"
    except Exception as error:  # whatever a vendor raises: its text may say too much
        log.exception("%s could not be asked how it is", name)
        return type(error).__name__
    return ""


def _told(pulse: Pulse, language: Language) -> dict[str, Any]:
    trouble = pulse.trouble
    return {
        "ok": pulse.refusal is None and pulse.down_for < GRACE,
        "connected": pulse.connected,
        "last_inbound_seconds": None if pulse.heard_at is None else round(pulse.silence, 1),
        "reconnections": pulse.rebuilt,
        "error": trouble.user_message(language) if trouble else None,
    }
