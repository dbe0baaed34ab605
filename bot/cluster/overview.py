"""Who runs what, for whoever looks after the processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import msgspec

from bot.cluster.members import Member
from bot.store.leases import LeaseRow


class Overview(msgspec.Struct, frozen=True):
    """Who runs what, as far as one member knows."""

    member: str
    shards: int
    """How many there are."""
    held: tuple[int, ...]
    """Those of which this member holds the lease."""
    members: Mapping[str, str]
    """Who is alive, and which shards each may run."""
    nobodys: tuple[int, ...]
    """Shards that none of them may run."""
    free: tuple[int, ...]
    """Other shards whose lease nobody holds who is alive."""


def overview(
    name: str,
    count: int,
    held: Set[int],
    members: Sequence[Member],
    plan: Mapping[int, str],
    rows: Mapping[int, LeaseRow],
) -> Overview:
    """What one member knows: what it holds, and what it has last seen in the database."""
    alive = {member.name for member in members}
    return Overview(
        member=name,
        shards=count,
        held=tuple(sorted(held)),
        members={member.name: str(member.may) for member in members},
        nobodys=tuple(shard for shard in range(count) if shard not in plan),
        free=tuple(
            shard for shard in sorted(plan) if shard not in held and rows[shard].holder not in alive
        ),
    )
