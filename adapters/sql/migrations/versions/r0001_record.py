"""The record: conversations with their turns, and collections with what is published of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go forward."""
    _conversations()
    _collections()
    _published()


def downgrade() -> None:
    """Go back."""
    for table in ("citations", "turns", "sessions", "problems", "digests", "documents", "generations", "cards"):
        op.drop_table(table)
    op.drop_table("sync_locks")
    op.drop_table("collections")


def _conversations() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", NUMBER, autoincrement=True, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint(
            "platform", "workspace", "channel", "thread", name=op.f("uq_sessions_platform_workspace_channel_thread")
        ),
    )
    op.create_table(
        "turns",
        sa.Column("sequence", NUMBER, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", NUMBER, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("trace", sa.Text(), nullable=True),
        sa.Column("error_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_turns_session_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_turns")),
        sa.UniqueConstraint("id", name=op.f("uq_turns_id")),
        sa.UniqueConstraint("platform", "workspace", "identity", name=op.f("uq_turns_platform_workspace_identity")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_turns_session_id_sequence"), "turns", ["session_id", "sequence"])
    op.create_index(op.f("ix_turns_status_sequence"), "turns", ["status", "sequence"])
    op.create_table(
        "citations",
        sa.Column("turn", NUMBER, autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Text(), nullable=False),
        sa.Column("passage_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("heading_path", sa.Text(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("date", sa.Text(), nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("origin", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["turn"], ["turns.sequence"], name=op.f("fk_citations_turn"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn", "position", name=op.f("pk_citations")),
    )
    op.create_index(op.f("ix_citations_collection_document_id"), "citations", ["collection", "document_id"])


def _collections() -> None:
    op.create_table(
        "collections",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_collections")),
    )
    op.create_table(
        "generations",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("embedding", sa.Text(), nullable=False),
        sa.Column("card_version", sa.Text(), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection"], ["collections.name"], name=op.f("fk_generations_collection"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("collection", "number", name=op.f("pk_generations")),
    )
    op.create_table(
        "sync_locks",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("collection", name=op.f("pk_sync_locks")),
    )


def _published() -> None:
    op.create_table(
        "documents",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("passages", sa.Integer(), nullable=False),
        sa.Column("date", sa.Text(), nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        sa.Column("headings", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection"], ["collections.name"], name=op.f("fk_documents_collection"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("collection", "id", name=op.f("pk_documents")),
    )
    op.create_table(
        "cards",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.Column("vectors", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("collection", name=op.f("pk_cards")),
    )
    op.create_table(
        "digests",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection"], ["collections.name"], name=op.f("fk_digests_collection"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("collection", name=op.f("pk_digests")),
    )
    op.create_table(
        "problems",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection"], ["collections.name"], name=op.f("fk_problems_collection"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("collection", "position", name=op.f("pk_problems")),
    )
