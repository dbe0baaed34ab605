"""How long a connection to Discord is kept after its shard has been given up."""

from __future__ import annotations

import pytest

from bot.cluster import handover
from bot.cluster.handover import LEAVE_S, LINGER_S, Handover
from bot.cluster.leases import SETTLE_S
from bot.store.leases import LeaseRow

ALIVE = {"a", "b"}


class Clock:
    """Stands still."""

    at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(handover, "now", clock)
    return clock


def held_by_b(*, ready: bool) -> dict[int, LeaseRow]:
    """The lease of shard 2."""
    return {2: LeaseRow("shard:2", "b", 2, "a", ready)}


def test_it_is_kept_for_a_moment_once_the_successor_has_one(clock: Clock) -> None:
    leaving = Handover("a")
    leaving.give_up([2])
    assert leaving.left(held_by_b(ready=False), ALIVE, is_ending=True) == frozenset()
    assert leaving.left(held_by_b(ready=True), ALIVE, is_ending=True) == frozenset()
    assert leaving.pending() == {2}
    clock.at += LINGER_S
    assert leaving.left(held_by_b(ready=True), ALIVE, is_ending=True) == {2}
    assert leaving.pending() == set()


def test_a_successor_who_loses_theirs_again_is_waited_for_anew(clock: Clock) -> None:
    leaving = Handover("a")
    leaving.give_up([2])
    leaving.left(held_by_b(ready=True), ALIVE, is_ending=False)
    leaving.left(held_by_b(ready=False), ALIVE, is_ending=False)
    clock.at += LINGER_S
    assert leaving.left(held_by_b(ready=True), ALIVE, is_ending=False) == frozenset()


def test_who_takes_a_shard_claims_what_they_hear_for_longer_than_another_keeps_it() -> None:
    assert LEAVE_S + LINGER_S < SETTLE_S
