"""The roster: the live members and their shards, as one member last saw them."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from math import inf
from typing import Any

from bot.cluster.members import NONE, Member, assignment, given_name, parse_shard_ids
from bot.store.postgres import READY, SHARD
from bot.store.server_lock import KEY

log = logging.getLogger(__name__)

SILENT_S = 12.0
"""Seconds after which the server ends a silent session."""
BACK_S = 3.0
"""Seconds that a member with a lost session has to return before others take its shards."""

CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that also runs while the machine sleeps, if the system has one."""
MEMBER = KEY >> 32
"""The first half of the key of the lock that all members share."""
ADVISORY = """
    locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
"""A condition on pg_locks: advisory locks held in this database."""
MEMBERS_QUERY = f"""
    SELECT name, shards, may, classid::bigint, objid::bigint FROM members JOIN pg_locks USING (pid)
    WHERE {ADVISORY} AND classid IN ({MEMBER}, {SHARD}, {READY}) ORDER BY name
"""


def now() -> float:
    return time.clock_gettime(CLOCK)


class Roster:
    """The members and shards as the member `name` knows them."""

    def __init__(self, name: str) -> None:
        self.members: dict[str, Member] = {}
        """Live members, and those absent for less than `BACK_S`."""
        self.holders: dict[int, str] = {}
        """The holder of each held shard."""
        self.before: dict[int, str] = {}
        """The current or last holder of each shard."""
        self.ready: dict[int, str] = {}
        """The holder of each shard that is connected to Discord."""
        self.plan: dict[int, str] = {}
        """The member that should run each shard; shards that no member may run are missing."""
        self._name = name
        self._absent: dict[str, float] = {}
        """Members whose session is lost, and since when."""
        self._namesakes: dict[str, float] = {}
        """Others with the same PROCESS_NAME, and when first seen; infinite once logged."""

    def update(self, rows: Iterable[Any], me: Member) -> None:
        """Update from the rows of `MEMBERS_QUERY` and this member itself."""
        seen: dict[str, Member] = {}
        self.holders, self.ready = {}, {}
        for name, shards, shard_ids, kind, number in rows:
            if kind == MEMBER:
                seen[name] = Member(name, shards, parse_shard_ids(shard_ids))
            else:
                (self.holders if kind == SHARD else self.ready)[number] = name
        self.before |= self.holders
        # A member that was running shards may return soon.
        absent = {
            n: each for n, each in self.members.items() if n not in seen and each.shard_ids != NONE
        }
        self._absent = {name: self._absent.get(name, now()) for name in absent}
        seen |= {n: each for n, each in absent.items() if now() - self._absent[n] < BACK_S}
        seen[self._name] = me
        if seen != self.members:
            self.members = seen
            names = (f"{n} ({each.shard_ids.text or 'standby'})" for n, each in seen.items())
            log.info("processes changed alive=%s", ", ".join(names))
        self.plan = assignment(me.shards, seen.values())
        self._warn_of_namesakes()

    def _warn_of_namesakes(self) -> None:
        names = {n for n in self.members if given_name(n) == given_name(self._name) != ""}
        self._namesakes = {n: self._namesakes.get(n, now()) for n in names - {self._name}}
        for name, since in self._namesakes.items():
            # A process that was killed and restarted appears twice for no longer than that.
            if now() - since > SILENT_S + BACK_S:
                log.warning(
                    "duplicate PROCESS_NAME, rename one process own=%s other=%s", self._name, name
                )
                self._namesakes[name] = inf
