"""Which process runs which shard: a pure function of who is alive and what each may run."""

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
    """What a member may run is not understood; the message says why, in one line."""


class May(msgspec.Struct, frozen=True):
    """What a member may run by its `text`: `only` some shards, or part `number` of `parts`.

    Parts are counted from 1; shard `s` is of part `s % parts + 1`.
    """

    text: str = ALL
    only: frozenset[int] | None = None
    number: int = 1
    parts: int = 1

    def by_right(self, shard: int) -> bool:
        """Whether it is one of its own."""
        if self.only is not None:
            return shard in self.only
        return shard % self.parts == self.number - 1

    def stands_in(self) -> bool:
        """Whether it also runs a shard for which nobody is alive who may run it by right."""
        return self.only is None


NONE = May(NOTHING, frozenset())
"""What a member may run that only stands by: it is about to begin, or to leave."""


class Member(msgspec.Struct, frozen=True):
    """A process that shares the database, how many shards it counts, and which it may run."""

    name: str
    shards: int
    may: May = May()


def parse_may(text: str) -> May:
    """`all`, some shards such as `0-3,7`, or a part such as `2/4`. Raises BadShardIds."""
    text = "".join(text.split())
    if text == ALL:
        return May()
    if text == NOTHING:
        return NONE
    if part := PART.fullmatch(text):
        number, parts = map(int, part.groups())
        if not 1 <= number <= parts:
            raise BadShardIds(f"part {number}/{parts} does not exist: parts are numbered from 1")
        return May(text, number=number, parts=parts)
    return May(text, frozenset(shard for word in text.split(",") for shard in _range(word)))


def _range(word: str) -> range:
    found = RANGE.fullmatch(word)
    if found is None:
        raise BadShardIds(f"'{word}' must be all, shards such as 0-3,7 or a part such as 2/4")
    first = int(found[1])
    last = first if found[2] is None else int(found[2])
    if last < first:
        raise BadShardIds(f"the range {word} is backwards")
    return range(first, last + 1)


def unique_name(name: str | None = None) -> str:
    """A name for this process that no other one has had, which begins with the one it is given."""
    return f"{name or f'{socket.gethostname()}-{os.getpid()}'}-{secrets.token_hex(3)}"


def given_name(name: str) -> str:
    """The name that a unique one was made of."""
    return name.rpartition("-")[0]


def agreed_count(count: int, may: May, others: Mapping[str, int], *, follows: bool) -> int:
    """How many shards there are: as many as the `others` count, which are running.

    Who `follows` takes theirs for its own. Raises CannotRun.
    """
    if follows and others:
        count = next(iter(others.values()))
    for other, counted in others.items():
        if counted != count:
            raise CannotRun(
                f"SHARDS is {count} here, but {counted} in the running process {other}:"
                " stop all processes before you change it"
            )
    beyond = [shard for shard in may.only or () if shard >= count]
    if beyond:
        raise CannotRun(
            f"SHARD_IDS names shard {min(beyond)}, but the {count} shards are numbered from 0"
        )
    return count


def assignment(count: int, members: Iterable[Member]) -> dict[int, str]:
    """For each shard that anybody may run, the name of the member that is to run it.

    As it depends on nothing else, all members agree. A shard goes to the first in an order of its
    own of those who have least so far, so that few shards move when a member comes or goes; what
    few may run goes first.
    """
    may = {member.name: member.may for member in members}
    candidates = {shard: _candidates(shard, may) for shard in range(count)}
    share = count // max(1, sum(each != NONE for each in may.values()))
    loads = Counter[str]()
    assigned: dict[int, str] = {}
    for shard in sorted(candidates, key=lambda shard: (len(candidates[shard]), shard)):
        names = candidates[shard]
        if names:
            # Up to an equal share it does not matter who has how many.
            assigned[shard] = min(names, key=lambda name: max(share - 1, loads[name]))
            loads[assigned[shard]] += 1
    return assigned


def _candidates(shard: int, may: Mapping[str, May]) -> list[str]:
    """Who may run a shard now, in an order of its own, which hardly changes with the members."""
    named = [name for name, each in may.items() if each.by_right(shard)] or [
        name for name, each in may.items() if each.stands_in()
    ]
    return sorted(named, key=lambda name: blake2b(f"{shard} {name}".encode()).digest())
