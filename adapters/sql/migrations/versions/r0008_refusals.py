"""By which fingerprint a document that was refused for good is known again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward."""
    op.add_column("problems", sa.Column("fingerprint", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Go back."""
    op.drop_column("problems", "fingerprint")
