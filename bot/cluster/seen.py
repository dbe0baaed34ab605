"""Who is alive and who holds what, as one member saw it last."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from math import inf
from typing import Any

from bot.cluster.members import NONE, Member, assignment, given_name, parse_may
from bot.store.postgres import READY, SHARD
from bot.store.server_lock import KEY

log = logging.getLogger(__name__)

SILENT_S = 12.0
"""Seconds after which the server ends a session that it hears nothing of."""
BACK_S = 3.0
"""Seconds that a member whose session was lost has to come back before others have its shards."""

CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""One that also counts while the machine sleeps, where there is such a one."""
MEMBER = KEY >> 32
"""The first half of the lock that all members share."""
ADVISORY = """
    locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
"""Of pg_locks: the advisory locks that are held in this database."""
LOOK = f"""
    SELECT name, shards, may, classid::bigint, objid::bigint FROM members JOIN pg_locks USING (pid)
    WHERE {ADVISORY} AND classid IN ({MEMBER}, {SHARD}, {READY}) ORDER BY name
"""


def now() -> float:
    """Seconds since some time in the past."""
    return time.clock_gettime(CLOCK)


class Roster:
    """What is known to the member of that name."""

    def __init__(self, name: str) -> None:
        self.members: dict[str, Member] = {}
        """Who is alive, or was so a moment ago."""
        self.holders: dict[int, str] = {}
        """Who holds each shard."""
        self.before: dict[int, str] = {}
        """The same, or who held it last."""
        self.ready: dict[int, str] = {}
        """Who holds a shard and is connected to Discord for it."""
        self.plan: dict[int, str] = {}
        """Who is to run each shard that anybody may run."""
        self._name = name
        self._absent: dict[str, float] = {}
        """Members whose session is gone, and since when."""
        self._namesakes: dict[str, float] = {}
        """Others with the same PROCESS_NAME, and since when they are seen; infinite once logged."""

    def look(self, rows: Iterable[Any], me: Member) -> None:
        """See what LOOK has found, and who this member is."""
        seen: dict[str, Member] = {}
        self.holders, self.ready = {}, {}
        for name, shards, may, kind, number in rows:
            if kind == MEMBER:
                seen[name] = Member(name, shards, parse_may(may))
            else:
                (self.holders if kind == SHARD else self.ready)[number] = name
        self.before |= self.holders
        # Who did not stand by may be back in a moment.
        gone = {n: each for n, each in self.members.items() if n not in seen and each.may != NONE}
        self._absent = {name: self._absent.get(name, now()) for name in gone}
        seen |= {n: each for n, each in gone.items() if now() - self._absent[n] < BACK_S}
        seen[self._name] = me
        if seen != self.members:
            self.members = seen
            said = (f"{n} ({each.may.text or 'standby'})" for n, each in seen.items())
            log.info("processes changed alive=%s", ", ".join(said))
        self.plan = assignment(me.shards, seen.values())
        self._warn_of_namesakes()

    def _warn_of_namesakes(self) -> None:
        names = {n for n in self.members if given_name(n) == given_name(self._name) != ""}
        self._namesakes = {n: self._namesakes.get(n, now()) for n in names - {self._name}}
        for name, since in self._namesakes.items():
            # One that was killed and started again is seen twice for no longer than that.
            if now() - since > SILENT_S + BACK_S:
                log.warning(
                    "duplicate PROCESS_NAME, rename one process own=%s other=%s", self._name, name
                )
                self._namesakes[name] = inf
