"""What people think of answers, and what they know better."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go forward."""
    op.create_table(
        "feedback",
        sa.Column("turn", NUMBER, autoincrement=False, nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("thumb", sa.String(length=8), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["turn"], ["turns.sequence"], name=op.f("fk_feedback_turn_turns"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn", "by", name=op.f("pk_feedback")),
    )
    op.create_index(op.f("ix_feedback_at"), "feedback", ["at"])
    op.create_table(
        "corrections",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_corrections")),
    )


def downgrade() -> None:
    """Go back."""
    op.drop_table("corrections")
    op.drop_table("feedback")
