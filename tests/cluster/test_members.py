"""Assignment of shards: all members agree, loads are even, and few shards move."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cluster.members import (
    NONE,
    BadShardIds,
    Member,
    ShardIds,
    assignment,
    parse_shard_ids,
    unique_name,
)

SHARDS = st.integers(0, 24)
LISTS = st.lists(SHARDS, min_size=1, max_size=9).map(lambda shards: ",".join(map(str, shards)))
PARTS = st.integers(1, 4).flatmap(
    lambda parts: st.integers(1, parts).map(lambda number: f"{number}/{parts}")
)
SHARD_IDS = st.one_of(st.sampled_from(["all", ""]), LISTS, PARTS).map(parse_shard_ids)
CLUSTERS = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), SHARD_IDS, max_size=6).map(
    lambda members: [Member(name, 24, shard_ids) for name, shard_ids in members.items()]
)


def everything(names: list[str]) -> list[Member]:
    return [Member(name, 16) for name in names]


def test_shard_ids_are_parsed_and_errors_quote_them() -> None:
    for text, shard_ids in (
        ("all", ShardIds()),
        ("", NONE),
        ("0-3,7", ShardIds("0-3,7", frozenset({0, 1, 2, 3, 7}))),
        (" 5 , 2 - 3 ", ShardIds("5,2-3", frozenset({2, 3, 5}))),
        ("2/4", ShardIds("2/4", number=2, parts=4)),
    ):
        assert parse_shard_ids(text) == shard_ids, text
    for text, message in (
        ("some", "'some' must be all, shards"),
        ("1,,2", "'' must be"),
        ("-1", "'-1' must be"),
        ("5-3", "the range 5-3 is backwards"),
        ("0/4", "part 0/4 does not exist"),
        ("5/4", "part 5/4 does not exist"),
        ("1/0", "part 1/0 does not exist"),
        ("²", "'²' must be"),
    ):
        with pytest.raises(BadShardIds, match=message) as error:
            parse_shard_ids(text)
        assert "\n" not in str(error.value)


@settings(max_examples=40)
@given(SHARDS, CLUSTERS, st.randoms(use_true_random=False))
def test_each_shard_goes_to_its_own_member_or_else_to_a_substitute(
    count: int, members: list[Member], random: Random
) -> None:
    shard_ids = {member.name: member.shard_ids for member in members}
    assigned = assignment(count, members)
    assert assigned.keys() <= set(range(count))
    for shard in range(count):
        own = {name for name in shard_ids if shard_ids[name].prefers(shard)}
        substitutes = {name for name in shard_ids if shard_ids[name].only is None}
        if shard in assigned:
            assert assigned[shard] in (own or substitutes)
        else:
            assert not own | substitutes
    # Among members with the same shard ids, loads differ by at most one.
    loads = Counter(assigned.values())
    for one, other in combinations(shard_ids, 2):
        assert shard_ids[one] != shard_ids[other] or abs(loads[one] - loads[other]) <= 1
    # The order in which members are listed changes nothing.
    shuffled = list(members)
    random.shuffle(shuffled)
    assert assignment(count, shuffled) == assigned


def test_few_shards_move_when_a_member_leaves_or_returns() -> None:
    for count, size in ((8, 2), (16, 4), (40, 4)):
        moved, loads = [], []
        for sample in range(30):
            members = everything([f"{sample}-{n}" for n in range(size)])
            before, after = assignment(count, members), assignment(count, members[1:])
            moved.append(sum(before[shard] != after[shard] for shard in range(count)))
            loads.append(Counter(before.values())[members[0].name])
        # Its own shards must move; with a naive assignment nearly all would.
        assert mean(moved) <= 1.5 * mean(loads), (count, size)


def test_a_member_runs_another_part_only_while_that_has_no_live_member() -> None:
    first, second, spare = (
        Member(name, 4, parse_shard_ids(text))
        for name, text in [("a", "1/2"), ("b", "2/2"), ("c", "2/2")]
    )
    assert assignment(4, [first, second]) == {0: "a", 1: "b", 2: "a", 3: "b"}
    assert assignment(4, [first]) == dict.fromkeys(range(4), "a")
    assert set(assignment(4, [first, second, spare]).values()) == {"a", "b", "c"}

    # A member limited to some shards never takes others.
    some = Member("a", 4, parse_shard_ids("0-1"))
    assert assignment(4, [some]) == {0: "a", 1: "a"}
    assert assignment(4, [some, Member("b", 4, NONE)]) == {0: "a", 1: "a"}


def test_a_process_that_comes_back_under_its_name_is_another_member() -> None:
    # With 16 million suffixes, a collision of two is very unlikely.
    names = {unique_name("harbour") for _ in range(2)}
    assert len(names) == 2
    assert all(name.startswith("harbour-") for name in names)
