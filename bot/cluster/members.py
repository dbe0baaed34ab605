"""Assignment of shards to members: a pure function of the live members and their shard ids."""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b

import msgspec

from bot.config import CannotRun

PART = re.compile(r"(\d{1,4})/(\d{1,4})")
RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")
ALL, NOTHING = "all", ""


class BadShardIds(ValueError):
    """Shard ids are invalid. The message says why, in one line."""


class ShardIds(msgspec.Struct, frozen=True):
    """The shards that a member may run: `only` some, or part `number` of `parts`.

    Parts are counted from 1; shard `s` is in part `s % parts + 1`. A member of a part also runs
    shards whose own members are all down.
    """

    text: str = ALL
    only: frozenset[int] | None = None
    number: int = 1
    parts: int = 1

    def prefers(self, shard: int) -> bool:
        """Return whether the shard is one of its own."""
        if self.only is not None:
            return shard in self.only
        return shard % self.parts == self.number - 1


NONE = ShardIds(NOTHING, frozenset())
"""The shard ids of a member on standby, which is about to start or to leave."""


class Member(msgspec.Struct, frozen=True):
    """A process that shares the database, its count of shards, and its shard ids."""

    name: str
    shards: int
    shard_ids: ShardIds = ShardIds()


def parse_shard_ids(text: str) -> ShardIds:
    """Parse `all`, some shards such as `0-3,7`, or a part such as `2/4`. Raise BadShardIds."""
    text = "".join(text.split())
    if text == ALL:
        return ShardIds()
    if text == NOTHING:
        return NONE
    if part := PART.fullmatch(text):
        number, parts = map(int, part.groups())
        if not 1 <= number <= parts:
            raise BadShardIds(f"part {number}/{parts} does not exist: parts are numbered from 1")
        return ShardIds(text, number=number, parts=parts)
    return ShardIds(text, frozenset(shard for word in text.split(",") for shard in _range(word)))


def _range(word: str) -> range:
    match = RANGE.fullmatch(word)
    if match is None:
        raise BadShardIds(f"'{word}' must be all, shards such as 0-3,7 or a part such as 2/4")
    first = int(match[1])
    last = first if match[2] is None else int(match[2])
    if last < first:
        raise BadShardIds(f"the range {word} is backwards")
    return range(first, last + 1)


def unique_name(name: str | None = None) -> str:
    """Return a unique name for this process that starts with the given one."""
    return f"{name or f'{socket.gethostname()}-{os.getpid()}'}-{secrets.token_hex(3)}"


def given_name(name: str) -> str:
    """Return the name from which a unique one was made."""
    return name.rpartition("-")[0]


def agreed_count(
    count: int, shard_ids: ShardIds, others: Mapping[str, int], *, follows: bool
) -> int:
    """Return the number of shards, which must match the count of the running `others`.

    A member that `follows` adopts their count. Raise CannotRun.
    """
    if follows and others:
        count = next(iter(others.values()))
    for other, counted in others.items():
        if counted != count:
            raise CannotRun(
                f"SHARDS is {count} here, but {counted} in the running process {other}:"
                " stop all processes before you change it"
            )
    beyond = [shard for shard in shard_ids.only or () if shard >= count]
    if beyond:
        raise CannotRun(
            f"SHARD_IDS names shard {min(beyond)}, but the {count} shards are numbered from 0"
        )
    return count


def assignment(count: int, members: Iterable[Member]) -> dict[int, str]:
    """Return the member's name for each shard that a member may run.

    The result depends only on the arguments, so all members agree. Shards with the fewest
    candidates are assigned first. A shard goes to a member with the least load so far, the first
    in an order that differs by shard; so few shards move when a member joins or leaves.
    """
    shard_ids = {member.name: member.shard_ids for member in members}
    candidates = {shard: _candidates(shard, shard_ids) for shard in range(count)}
    share = count // max(1, sum(each != NONE for each in shard_ids.values()))
    loads = Counter[str]()
    assigned: dict[int, str] = {}
    for shard in sorted(candidates, key=lambda shard: (len(candidates[shard]), shard)):
        names = candidates[shard]
        if names:
            # Loads below an equal share count as equal.
            assigned[shard] = min(names, key=lambda name: max(share - 1, loads[name]))
            loads[assigned[shard]] += 1
    return assigned


def _candidates(shard: int, shard_ids: Mapping[str, ShardIds]) -> list[str]:
    """Return the candidates for a shard, in an order that is stable when members change."""
    named = [name for name, each in shard_ids.items() if each.prefers(shard)] or [
        name for name, each in shard_ids.items() if each.only is None
    ]
    return sorted(named, key=lambda name: blake2b(f"{shard} {name}".encode()).digest())
