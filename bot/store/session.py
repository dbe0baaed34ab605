"""A session of its own on a server, for what lasts as long as its connection does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.pool import NullPool

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

KEEPALIVE = {
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""So that the server soon ends the session of a machine that has vanished without a word."""


def session_engine(url: str, answer_s: float, **server_settings: str) -> AsyncEngine:
    """An engine whose every connection is a session; the server has so many seconds to answer."""
    # Only here: it brings all of SQLAlchemy's ORM along.
    from sqlalchemy.ext.asyncio import create_async_engine

    return create_async_engine(
        url,
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args={
            "timeout": answer_s,
            "command_timeout": answer_s,
            "server_settings": KEEPALIVE | server_settings,
        },
    )


async def end_session(connection: AsyncConnection) -> None:
    """Closes its connection, also one that does not answer."""
    await connection.invalidate()
    await connection.close()
