"""Token buckets, by a clock that is set."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cogs.ui import buckets
from bot.cogs.ui.buckets import Buckets, Rate
from bot.cogs.ui.budgets import Budget, Budgets, Empty, budget_rates
from tests.cogs.conftest import SetTime

ANNA, BERT, SERVER = 1, 2, 10


def test_a_bucket_gives_all_at_one_stroke_and_then_bit_by_bit() -> None:
    now = SetTime()
    limited = Buckets(Rate(3, 60), now)
    for _ in range(3):
        assert limited.wait(ANNA) == 0
        limited.take(ANNA)
    assert limited.wait(ANNA) == 20
    assert limited.wait(BERT) == 0
    now.at += 19
    assert round(limited.wait(ANNA), 6) == 1
    now.at += 1
    assert limited.wait(ANNA) == 0
    limited.take(ANNA)
    assert round(limited.wait(ANNA), 6) == 20


@settings(max_examples=25)
@given(st.integers(1, 50), st.integers(1, 5000), st.lists(st.floats(0, 300), max_size=200))
def test_never_more_than_twice_an_allowance_in_its_time_and_always_what_was_promised(
    count: int, per_s: int, pauses: list[float]
) -> None:
    now = SetTime()
    limited = Buckets(Rate(count, per_s), now)
    taken: list[float] = []
    for pause in pauses:
        now.at += pause
        wait = limited.wait(ANNA)
        if wait:
            now.at += wait
            assert limited.wait(ANNA) == 0
        limited.take(ANNA)
        taken.append(now.at)
        lately = [at for at in taken if at > now.at - per_s]
        assert len(lately) <= 2 * count + 1


def test_who_is_idle_is_forgotten() -> None:
    now = SetTime()
    limited = Buckets(Rate(2, 60), now)
    for user in range(5 * buckets.REMEMBERED):
        limited.take(user)
        now.at += 1
    assert len(limited) <= buckets.REMEMBERED + 1


def test_of_a_budget_only_what_is_granted_counts_and_a_server_has_one_too() -> None:
    now = SetTime()
    most = budget_rates("2/3/60")
    assert most is not None
    budgets = Budgets({Budget.EXPORTS: most}, now)

    def spend(user: int, guild: int | None = SERVER) -> Empty | None:
        return budgets.spend(Budget.EXPORTS, user, guild)

    assert [spend(ANNA), spend(ANNA)] == [None, None]
    # What Anna is refused costs neither her nor the server anything.
    assert [spend(ANNA) for _ in range(5)] == [Empty(False, 30.0)] * 5
    assert [spend(BERT), spend(BERT)] == [None, Empty(True, 20.0)]
    # Elsewhere and in direct messages there is room, as far as it is Bert's.
    assert [spend(BERT, 11), spend(BERT, None)] == [None, Empty(False, 30.0)]
    assert budgets.spend(Budget.REPORTS, ANNA, SERVER) is None
    assert budget_rates("off") is None
