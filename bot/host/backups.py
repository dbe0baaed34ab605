"""The nightly backup: when one is due, what it is called, how many are kept."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.store import StoreError, back_up, restore
from bot.store.backup import UNFINISHED
from bot.tables import Clock

log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%SZ"
LOOK_S = 60.0
"""Seconds between two looks at the clock: a machine may have slept."""
RETRY = timedelta(hours=1)
"""After which a backup that failed is tried again."""
_NAME = re.compile(r"(?P<database>.+)-(?P<stamp>\d{8}T\d{6}Z)\.sqlite")


class Backups:
    """The backups of one SQLite database in one folder.

    One is due each day at `hour` (UTC), and at once where that of the last day is missing. Of
    those called as it calls them it keeps the newest `keep`; it touches no other file.
    """

    def __init__(self, database: Path, folder: Path, hour: int, keep: int, clock: Clock) -> None:
        self._database = database
        self._folder = folder
        self._hour = hour
        self._keep = keep
        self._clock = clock
        self._failed: datetime | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_working(self) -> bool:
        """Whether somebody looks at the clock."""
        return self._task is not None and not self._task.done()

    def make(self, target: Path | None = None) -> Path:
        """Copy the database now, to a file of its own in the folder if none is named; which.

        Raises BackupFailed.
        """
        target = target or self._folder / f"{self._database.stem}-{self._now()}.sqlite"
        back_up(self._database, target)
        return target

    def restore(self, backup: Path) -> Path | None:
        """Put a backup in the place of the database; where that is kept, if there was one.

        Raises InUse, NewerDatabase or BackupFailed.
        """
        aside = self._database.with_name(f"{self._database.name}.replaced-{self._now()}")
        restore(backup, self._database, aside)
        return aside if aside.exists() else None

    def last(self) -> datetime | None:
        """When the newest backup was made; None where there is none."""
        return max(self._made().values(), default=None)

    @asynccontextmanager
    async def each_night(self) -> AsyncIterator[None]:
        """Within the block a backup is made whenever one is due."""
        self._task = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _watch(self) -> None:
        while True:
            if self._is_due():
                # A stop cannot end a thread: it waits for the copy that is under way.
                await asyncio.to_thread(self._make_due)
            await asyncio.sleep(LOOK_S)

    def _is_due(self) -> bool:
        now = self._clock.now()
        if self._failed is not None and now < self._failed + RETRY:
            return False
        due = now.astimezone(UTC).replace(hour=self._hour, minute=0, second=0, microsecond=0)
        if due > now:
            due -= timedelta(days=1)
        last = self.last()
        return last is None or last < due

    def _make_due(self) -> None:
        try:
            for killed in self._folder.glob(f"*{UNFINISHED}"):
                if self._stamp(killed.name.removesuffix(UNFINISHED)) is not None:
                    killed.unlink()
            made = self.make()
            for old in sorted(self._made(), reverse=True)[self._keep :]:
                old.unlink()
        except (StoreError, OSError) as error:
            self._failed = self._clock.now()
            log.error("no backup, again in %s: %s", RETRY, error)
            return
        self._failed = None
        log.info("backup made file=%s bytes=%s", made, made.stat().st_size)

    def _now(self) -> str:
        return self._clock.now().astimezone(UTC).strftime(STAMP)

    def _made(self) -> dict[Path, datetime]:
        found = ((path, self._stamp(path.name)) for path in self._folder.glob("*.sqlite"))
        return {path: stamp for path, stamp in found if stamp is not None}

    def _stamp(self, name: str) -> datetime | None:
        """When the backup of that name was made; None for a file that is not ours."""
        match = _NAME.fullmatch(name)
        if match is None or match["database"] != self._database.stem:
            return None
        return datetime.strptime(match["stamp"], STAMP).replace(tzinfo=UTC)
