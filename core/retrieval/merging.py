"""One dense list from the lists of several embeddings, whose scores have no common scale. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.ports import Hit, Hits, Moments


def merged(parts: Sequence[Hits], limit: int) -> Hits:
    """The `limit` best hits, each score brought to where it would stand among those of the largest part.

    Per document language, as the fusion standardises: a score keeps its distance from the mean in deviations.
    """
    scale: dict[str, Moments] = {}
    for part in parts:
        for language, own in part.moments.items():
            if language not in scale or _weight(own) > _weight(scale[language]):
                scale[language] = own
    hits = [
        _rescaled(hit, part.moments.get(hit.language), scale.get(hit.language)) for part in parts for hit in part.hits
    ]
    return Hits(tuple(sorted(hits, key=lambda hit: -hit.score)[:limit]), scale)


def _weight(moments: Moments) -> tuple[bool, int]:
    """Where all scores are equal there is no scale."""
    return moments.deviation > 0, moments.count


def _rescaled(hit: Hit, own: Moments | None, scale: Moments | None) -> Hit:
    if own is None or scale is None or own is scale:
        return hit
    distance = (hit.score - own.mean) / own.deviation if own.deviation > 0 else 0.0
    return replace(hit, score=scale.mean + distance * scale.deviation)
