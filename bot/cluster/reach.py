"""Which shards are connected to Discord, and when a member that reaches it with none rests.

Its leases tell of its database alone: a process that reaches that, but not Discord's gateway, would
keep them, and their servers be heard by nobody. So it leaves them to others for a while.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from bot.cluster.holdings import now
from bot.cluster.members import NONE, Member, assignment
from bot.store.leases import LeaseRow

UNCONNECTED_S = 60.0
"""Seconds for which a member may be without any connection to Discord."""
TURN_S = 6.0
"""Seconds more for each shard that is not connected: they identify themselves one by one."""
REST_S = 300.0
"""Seconds for which it then runs nothing, before it tries again."""


class GatewayReach:
    """What this member, called `name`, was told of its shards' connections."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._since: dict[int, float] = {}
        """Since when each of ours is connected."""
        self._lacking: dict[int, float] = {}
        """Since when each of ours has no connection."""
        self._patience_s = 0.0
        self._until = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether it is to run nothing for now."""
        return now() < self._until

    def since(self, shard: int) -> float | None:
        """When a shard of ours was first connected; None where it has not been."""
        return self._since.get(shard)

    def lacking(self) -> Set[int]:
        """The shards of ours that are not connected, as far as we were told."""
        return self._lacking.keys()

    def connected(self, shard: int) -> None:
        """A shard of ours is connected."""
        self._since.setdefault(shard, now())
        self._lacking.pop(shard, None)

    def disconnected(self, shard: int) -> None:
        """A shard of ours has no connection, or none any more."""
        self._lacking.setdefault(shard, now())

    def forget(self, shards: Iterable[int]) -> None:
        """These are not ours."""
        for shard in shards:
            self._since.pop(shard, None)
            self._lacking.pop(shard, None)

    def look(
        self, count: int, held: Set[int], members: Sequence[Member], rows: Mapping[int, LeaseRow]
    ) -> None:
        """Begin to rest, or end it, by what the database says of the members and of all leases.

        It begins only where all that is held here goes to members that are connected, and ends
        where nobody else runs anything: while Discord is away from all, each keeps what it has.
        """
        others = [each for each in members if each.name != self._name and each.may != NONE]
        if self.is_resting:
            if not others:
                self._until = 0.0
            return
        if not held or not held <= self._lacking.keys():
            self._patience_s = 0.0
            return
        waiting = sum(row.holder is not None and not row.ready for row in rows.values())
        # It does not shrink while others have their turn.
        self._patience_s = max(self._patience_s, UNCONNECTED_S + TURN_S * waiting)
        since = min(self._lacking[shard] for shard in held)
        well = [each for each in others if _is_connected(each.name, rows)]
        if now() - since >= self._patience_s and held <= assignment(count, well).keys():
            self._until = now() + REST_S


def _is_connected(name: str, rows: Mapping[int, LeaseRow]) -> bool:
    ready = [row.ready for row in rows.values() if row.holder == name]
    return bool(ready) and all(ready)
