"""Which warnings admins were told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward."""
    op.create_table(
        "warnings_told",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("sign", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("person", "sign", name=op.f("pk_warnings_told")),
    )


def downgrade() -> None:
    """Go back."""
    op.drop_table("warnings_told")
