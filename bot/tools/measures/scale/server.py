"""What a PostgreSQL server has done: its processor time, where it is on this machine, and rows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from bot.tools.measures.scale.databases import connection

LOCAL = ("localhost", "127.0.0.1", "::1", None)


async def server_cpu_s(url: str) -> float | None:
    """The seconds of all its processes, those that have ended included.

    None of a SQLite file, of a server elsewhere, and on a system without /proc.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite" or parsed.host not in LOCAL:
        return None
    async with connection(url) as connected:
        backend = await connected.scalar(sa.text("SELECT pg_backend_pid()"))
        try:
            head = _Times(int(backend or 0)).parent
            # What has ended is counted by the one that waited for it.
            children = [each for each in _all() if each.parent == head]
            return _Times(head).with_ended + sum(each.own for each in children)
        except OSError:
            return None


async def rows_written(url: str) -> int | None:
    """How many rows of a database have been inserted, changed or deleted; None of a SQLite file."""
    if sa.make_url(url).get_backend_name() == "sqlite":
        return None
    async with connection(url) as connected:
        return int(await connected.scalar(_WRITTEN) or 0)


_WRITTEN = sa.text(
    "SELECT tup_inserted + tup_updated + tup_deleted FROM pg_stat_database"
    " WHERE datname = current_database()"
)


class _Times:
    """Of a process, in seconds."""

    def __init__(self, pid: int) -> None:
        # The name, in brackets, may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        user, system, ended_user, ended_system = (int(each) for each in fields[11:15])
        second = os.sysconf("SC_CLK_TCK")
        self.parent = int(fields[1])
        self.own = (user + system) / second
        self.with_ended = self.own + (ended_user + ended_system) / second


def _all() -> Iterator[_Times]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield _Times(int(folder.name))
            except OSError:
                # It has ended since.
                continue
