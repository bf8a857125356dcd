"""Which messages were deleted before they came."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward."""
    op.create_table(
        "taken_back",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform", "workspace", "identity", name=op.f("pk_taken_back")),
    )
    op.create_index(op.f("ix_taken_back_at"), "taken_back", ["at"])


def downgrade() -> None:
    """Go back."""
    op.drop_index(op.f("ix_taken_back_at"), table_name="taken_back")
    op.drop_table("taken_back")
