"""What people think of answers, and what they know better."""

from __future__ import annotations

import json

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
    op.add_column("turns", sa.Column("author_id", sa.Text(), nullable=False, server_default=""))
    op.add_column("turns", sa.Column("called", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(op.f("ix_turns_author_id_sequence"), "turns", ["author_id", "sequence"])
    _name_authors()


def _name_authors() -> None:
    """Whose turn each is stood only inside a value until now."""
    turns = sa.table("turns", sa.column("sequence"), sa.column("author"), sa.column("author_id"))
    known: dict[str, str] = {}
    connection = op.get_bind()
    for author in connection.execute(sa.select(turns.c.author).distinct()).scalars().all():
        known[author] = str(json.loads(author).get("id", ""))
    for author, author_id in known.items():
        connection.execute(sa.update(turns).where(turns.c.author == author).values(author_id=author_id))


def downgrade() -> None:
    """Go back."""
    op.drop_index(op.f("ix_turns_author_id_sequence"), "turns")
    op.drop_column("turns", "called")
    op.drop_column("turns", "author_id")
    op.drop_table("corrections")
    op.drop_table("feedback")
