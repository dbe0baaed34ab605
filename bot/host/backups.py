"""Nightly backups: when they are due, their names, and how many are kept.

A wrong clock may have dated a backup in the future. Such a backup is reported, not counted, and
never deleted.
"""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.config import CannotRun, Settings
from bot.store import (
    BackupFailed,
    StoreError,
    back_up,
    is_blank,
    restore,
    sqlite_file,
    was_used,
)
from bot.store.backup import UNFINISHED, is_sqlite
from bot.tables import Clock
from bot.workers import in_thread

log = logging.getLogger(__name__)

STAMP = "%Y%m%dT%H%M%SZ"
CHECK_EVERY_S = 60.0
"""Seconds between checks of the clock, as the machine may have slept."""
RETRY = timedelta(hours=1)
"""Time until a failed backup is tried again."""
_NAME = re.compile(r"(?P<database>.+)-(?P<stamp>\d{8}T\d{6}Z)\.sqlite")


class Backups:
    """The backups of one SQLite database in one folder.

    One is due each day at `BACKUP_HOUR`, or immediately if the last one is missing. Keeps the
    newest `BACKUP_KEEP` files with its own names, and touches no others.
    """

    def __init__(self, database: Path, settings: Settings, clock: Clock) -> None:
        self.database = database
        self._folder = settings.backup_folder
        self._hour, self._keep = settings.backup_hour, settings.backup_keep
        self._clock = clock
        self._failed: datetime | None = None
        self._reported: frozenset[Path] = frozenset()

    def make(self, target: Path | None = None) -> Path:
        """Copy the database, by default to a new file in the folder, and return that file.

        Raise BackupFailed.
        """
        try:
            target = target or self._free_name()
        except OSError as error:
            raise BackupFailed(f"Cannot write a backup to {self._folder}: {error}") from error
        back_up(self.database, target)
        return target

    def restore(self, backup: Path) -> Path | None:
        """Replace the database by a backup; return the path of the old one, if there was one.

        Raise InUse, NewerDatabase or BackupFailed.
        """
        now = self._clock.now().astimezone(UTC)
        aside = self.database.with_name(f"{self.database.name}.replaced-{now:{STAMP}}")
        restore(backup, self.database, aside)
        return aside if aside.exists() else None

    def must_have_database(self) -> None:
        """Raise CannotRun if the database is missing although it once existed."""
        if is_blank(self.database):
            newest = max(self._found(), default=None)
            back = "Put it back (there is no backup)"
            if newest is not None:
                back = f"Put it back, or run `python -m bot restore {newest}`"
            elif not was_used(self.database):
                return
            raise CannotRun(
                f"{self.database} is missing or empty, but it held games. {back}."
                " To start without them, run `python -m bot init`."
            )

    def state(self) -> tuple[datetime | None, frozenset[Path]]:
        """Return the time of the newest backup (None without one), and those dated in the future.

        Reads the files, so do not call it in the event loop.
        """
        now, found = self._clock.now(), self._found()
        last = max((stamp for stamp in found.values() if stamp <= now), default=None)
        return last, frozenset(path for path, stamp in found.items() if stamp > now)

    async def make_when_due(self) -> None:
        """Make each backup when it is due, until cancelled."""
        while True:
            # A thread cannot be cancelled: a stop waits for the copy in progress.
            await in_thread(self._check)
            await asyncio.sleep(CHECK_EVERY_S)

    def _check(self) -> None:
        try:
            last, future_dated = self.state()
            for path in sorted(future_dated - self._reported):
                log.warning("backup dated in the future, check the clock file=%s", path)
            self._reported = future_dated
            if self._is_due(last):
                self._make_due()
        except (StoreError, OSError) as error:
            self._failed = self._clock.now()
            log.error("backup failed, retrying retry_in=%s error=%s", RETRY, error)

    def _is_due(self, last: datetime | None) -> bool:
        now = self._clock.now()
        # If it failed in the future, the clock was set back since.
        if self._failed is not None and self._failed <= now < self._failed + RETRY:
            return False
        due = now.astimezone(UTC).replace(hour=self._hour, minute=0, second=0, microsecond=0)
        if due > now:
            due -= timedelta(days=1)
        return last is None or last < due

    def _make_due(self) -> None:
        for killed in self._folder.glob(f"*{UNFINISHED}"):
            if self._stamp(killed.name.removesuffix(UNFINISHED)) is not None:
                killed.unlink()
        backup = self.make()
        self._failed = None
        log.info("backup made file=%s bytes=%s", backup, backup.stat().st_size)
        now = self._clock.now()
        counted = [path for path, stamp in self._found().items() if stamp <= now]
        for old in sorted(counted, reverse=True)[self._keep :]:
            try:
                old.unlink()
            except OSError as error:
                log.warning("old backup not removed error=%s", error)

    def _free_name(self) -> Path:
        # The name may exist, within the same second or after the clock was set back.
        stamp = self._clock.now().astimezone(UTC)
        while (name := self._folder / f"{self.database.stem}-{stamp:{STAMP}}.sqlite").exists():
            stamp += timedelta(seconds=1)
        return name

    def _found(self) -> dict[Path, datetime]:
        stamped = ((path, self._stamp(path.name)) for path in self._folder.glob("*.sqlite"))
        return {path: stamp for path, stamp in stamped if stamp is not None and is_sqlite(path)}

    def _stamp(self, name: str) -> datetime | None:
        """Return the time in the name of a backup; None for other files."""
        match = _NAME.fullmatch(name)
        if match is None or match["database"] != self.database.stem:
            return None
        try:
            return datetime.strptime(match["stamp"], STAMP).replace(tzinfo=UTC)
        except ValueError:
            return None  # Not a date, such as February 30.


def backups_of(settings: Settings, clock: Clock) -> Backups | None:
    """Return the backups of the database; None if it is not a SQLite file."""
    database = sqlite_file(settings.database_url)
    return None if database is None else Backups(database, settings, clock)
