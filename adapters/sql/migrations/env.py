"""How Alembic runs our migrations: on the connection it is given. Does something only when Alembic loads it."""

from __future__ import annotations

from alembic import context

from adapters.sql.schema import metadata


def run() -> None:
    """Run what was asked for (upgrade, check) on the open connection, in one transaction."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=metadata,
        compare_type=True,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic loads this file; a plain import does nothing
    run()
