"""Shards that were given up, whose connection to Discord is kept until somebody else has one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from bot.cluster.holdings import now
from bot.store.leases import LeaseRow

LINGER_S = 1.0
"""Seconds for which a connection is kept after somebody else has one: what Discord sent just before
is still on its way here, and to nobody else."""
LEAVE_S = 20.0
"""Seconds for which a member that ends keeps a connection after another one has taken the shard, or
has last connected another one: Discord lets it do so one by one."""


class Handover:
    """The shards that this member, called `name`, is leaving."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pending: dict[int, float | None] = {}
        """Each with the time since when we wait for somebody else who has it."""
        self._ready: dict[int, float] = {}
        """Those that somebody else is connected to, and since when that is known."""

    def pending(self) -> Set[int]:
        """Those that nobody is known to be connected to but us."""
        return self._pending.keys()

    def give_up(self, shards: Iterable[int]) -> None:
        """These are not ours any more."""
        self._pending.update(dict.fromkeys(shards))

    def take_back(self, shards: Iterable[int]) -> None:
        """These are ours again."""
        for shard in shards:
            self._pending.pop(shard, None)
            self._ready.pop(shard, None)

    def left(
        self, rows: Mapping[int, LeaseRow], alive: Set[str], *, is_ending: bool
    ) -> frozenset[int]:
        """Those that others can do without us, who are alive, by what the database says of the
        leases; they are not pending any more.

        Whoever ends does not wait for ever; any other member keeps a connection as long as it takes
        the successor to have one, which it may never get.
        """
        moment = now()
        others = {
            shard: rows[shard]
            for shard in self._pending
            if rows[shard].holder != self._name and rows[shard].holder in alive
        }
        ready = {shard for shard, row in others.items() if row.ready}
        self._ready = {shard: self._ready.get(shard, moment) for shard in ready}
        for shard, since in self._pending.items():
            if shard not in others:
                self._pending[shard] = None
            elif since is None or ready or not is_ending:
                self._pending[shard] = moment
        late = {
            shard
            for shard, since in self._pending.items()
            if is_ending and since is not None and moment - since >= LEAVE_S
        }
        over = {shard for shard, since in self._ready.items() if moment - since >= LINGER_S}
        self.take_back(over | late)
        return frozenset(over | late)
