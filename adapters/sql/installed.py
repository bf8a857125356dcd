"""The tables of slack_sdk's installation and state stores, so that our migrations make them. We never touch a row.

They are slack_sdk's own, column by column (a test compares), but for the tokens and scopes: those are longer here,
since tokens are stored encrypted.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, Index, Integer, MetaData, String, Table, Text

SHORT, LONG = String(32), String(200)


def add_to(metadata: MetaData) -> None:
    """Add them to the tables of the record."""
    app = ("client_id", "enterprise_id", "team_id")
    Table("slack_bots", metadata, *_bot(), Index("slack_bots_idx", *app, "installed_at"))
    person = Index("slack_installations_idx", *app, "user_id", "installed_at")
    Table("slack_installations", metadata, *_bot(), *_installation(), person)
    Table(
        "slack_oauth_states",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("state", LONG, nullable=False),
        Column("expire_at", DateTime, nullable=False),
    )


def _bot() -> list[Column[object]]:
    return [
        Column("id", Integer, primary_key=True),
        Column("client_id", SHORT, nullable=False),
        Column("app_id", SHORT, nullable=False),
        Column("enterprise_id", SHORT),
        Column("enterprise_name", LONG),
        Column("team_id", SHORT),
        Column("team_name", LONG),
        Column("bot_token", Text),
        Column("bot_id", SHORT),
        Column("bot_user_id", SHORT),
        Column("bot_scopes", Text),
        Column("bot_refresh_token", Text),
        Column("bot_token_expires_at", DateTime),
        Column("is_enterprise_install", Boolean, nullable=False),
        Column("installed_at", DateTime, nullable=False),
    ]


def _installation() -> list[Column[object]]:
    return [
        Column("enterprise_url", LONG),
        Column("user_id", SHORT, nullable=False),
        Column("user_token", Text),
        Column("user_scopes", Text),
        Column("user_refresh_token", Text),
        Column("user_token_expires_at", DateTime),
        Column("incoming_webhook_url", LONG),
        Column("incoming_webhook_channel", LONG),
        Column("incoming_webhook_channel_id", LONG),
        Column("incoming_webhook_configuration_url", LONG),
        Column("token_type", SHORT),
    ]
