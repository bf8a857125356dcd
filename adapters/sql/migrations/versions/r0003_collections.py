"""What keeps collections true."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go forward."""
    op.add_column("sessions", sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("turns", sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("turns", sa.Column("stopping", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("digests", sa.Column("questions", sa.Text(), nullable=True))
    _jobs()
    _settings()
    _self_tests()


def downgrade() -> None:
    """Go back."""
    op.drop_table("self_tests")
    op.drop_table("previous_cards")
    op.drop_column("digests", "questions")
    op.drop_table("channel_settings")
    op.drop_table("job_slots")
    op.drop_table("jobs")
    op.drop_column("turns", "stopping")
    op.drop_column("turns", "quiet")
    op.drop_column("sessions", "quiet")


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("sequence", NUMBER, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("askers", sa.Text(), nullable=False),
        sa.Column("slot", sa.DateTime(timezone=True), nullable=True),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("report", sa.Text(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("cancelling", sa.Boolean(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_jobs")),
        sa.UniqueConstraint("id", name=op.f("uq_jobs_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_jobs_collection_sequence"), "jobs", ["collection", "sequence"])
    op.create_index(op.f("ix_jobs_status_sequence"), "jobs", ["status", "sequence"])
    waiting = sa.text("status = 'waiting'")
    op.create_index(
        "uq_jobs_waiting", "jobs", ["collection"], unique=True, sqlite_where=waiting, postgresql_where=waiting
    )
    op.create_table(
        "job_slots",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("slot", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("collection", name=op.f("pk_job_slots")),
    )


def _settings() -> None:
    op.create_table(
        "channel_settings",
        sa.Column("sequence", NUMBER, autoincrement=True, nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_channel_settings")),
        sqlite_autoincrement=True,
    )


def _self_tests() -> None:
    op.create_table(
        "previous_cards",
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("card", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("collection", name=op.f("pk_previous_cards")),
    )
    op.create_table(
        "self_tests",
        sa.Column("sequence", NUMBER, autoincrement=True, nullable=False),
        sa.Column("collection", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("test", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_self_tests")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_self_tests_collection_sequence"), "self_tests", ["collection", "sequence"])
