"""The ids of Slack's buttons and forms, for whoever registers them and for the manifest."""

from __future__ import annotations

from adapters.slack.ids import ANY_OPEN, id_of

__all__ = ["ANY_OPEN", "id_of"]
