"""Expensive requests are refused politely where somebody makes too many of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.cogs.ui import budgets
from bot.cogs.ui.budgets import (
    COMMANDS,
    VERBS,
    Buckets,
    Budget,
    BudgetRates,
    Budgets,
    Empty,
    Rate,
    budget_rates,
)
from bot.cogs.ui.services import Services
from bot.tables import MetricsSink
from bot.text.commands import COMMANDS as TEXTS
from bot.text.errors import ERRORS
from tests.cogs.conftest import EXAMPLE, Club, SetTime, emit, wording

HOUR = 3600.0
ANNA, BERT, SERVER = 1, 2, 10


class Counting(MetricsSink):
    """Remembers what was refused."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def refused(self, code: str) -> None:
        self.codes.append(code)


@pytest.fixture
def now() -> SetTime:
    return SetTime()


@pytest.fixture
def metrics() -> Counting:
    return Counting()


@pytest.fixture
def given(now: SetTime, metrics: Counting) -> dict[str, Any]:
    """Each person may ask for one of everything an hour, and all for two."""
    limited = {each: BudgetRates(Rate(1, HOUR), Rate(2, HOUR)) for each in Budget}
    return {"metrics": metrics, "budgets": Budgets(limited, now)}


def test_what_costs_is_named_as_it_is_called_and_has_its_words() -> None:
    assert set(COMMANDS) <= set(TEXTS)
    # What is worked out is counted where it is begun.
    at_the_edge = set(Budget) - {Budget.AUTOCOMPLETE, Budget.REVIEWS}
    assert {*COMMANDS.values(), *VERBS.values()} == at_the_edge
    for budget in {*COMMANDS.values(), Budget.REVIEWS}:
        assert f"many_{budget.value}" in ERRORS
        assert f"many_{budget.value}_here" in ERRORS


async def test_each_kind_is_refused_kindly_when_it_is_spent_and_granted_again_later(
    club: Club, now: SetTime, metrics: Counting
) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    place = club.place(table)
    file = ("game.json", EXAMPLE.read_bytes())
    asks: dict[str, Any] = {
        "pictures": lambda who: who.slash(place, "game board"),
        "exports": lambda who: who.slash(place, "game export"),
        "reports": lambda who: who.slash(place, "game report"),
        "searches": lambda who: who.slash(place, "rules", topic="raid", game="kogge"),
        "imports": lambda who: who.slash(club.channel, "table import", file=file),
        "tables": lambda who: who.slash(club.channel, "game new", game="kogge"),
    }
    # Of tables she has opened one.
    now.at += HOUR
    for kind, ask in asks.items():
        before = len(metrics.codes)
        granted = await ask(anna)
        assert metrics.codes[before:] == [], kind
        refused = await ask(anna)
        assert refused.is_private
        assert re.search(r"(?i)too many .* <t:\d+:R>", wording(refused.response))
        assert metrics.codes[before:] == [f"many_{kind}"]
        assert wording(granted.response) != wording(refused.response)
        # The other one is not concerned, until both together are too much.
        await ask(bert)
        await ask(club.people[2])
        assert metrics.codes[before:] == [f"many_{kind}", f"many_{kind}_here"]
        now.at += HOUR
        await ask(anna)
        assert len(metrics.codes) == before + 2, kind
        now.at += HOUR


async def test_a_refused_file_or_picture_is_neither_fetched_nor_drawn(
    club: Club, now: SetTime, metrics: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = club.people[0]
    table = await club.game()
    now.at += HOUR
    await anna.slash(club.place(table), "game board")
    await anna.slash(club.channel, "table import", file=("game.json", b"{}"))
    await anna.slash(club.place(table), "game hint")
    monkeypatch.setattr(Services, "table_view", lambda *_: pytest.fail("it was looked"))
    monkeypatch.setattr("discord.Attachment.read", lambda *_: pytest.fail("it was fetched"))
    await anna.slash(club.place(table), "game board")
    await anna.slash(club.channel, "table import", file=("game.json", b"{}"))
    # Presses count like commands.
    pressed = (("board", "pictures"), ("hint", "hints"), ("planjudge", "hints"))
    for verb, _ in pressed:
        emit(club, anna, await club.panel(table.id), f"{verb}:{table.id}")
        await club.settle()
    refused = ("pictures", "imports", *(kind for _, kind in pressed))
    assert metrics.codes[-len(refused) :] == [f"many_{kind}" for kind in refused]


async def test_turns_cost_nothing_and_whoever_types_too_fast_is_offered_nothing_for_a_while(
    club: Club, now: SetTime, metrics: Counting
) -> None:
    anna, bert = club.people[:2]

    async def offered() -> int:
        return len(await anna.offered(club.channel, "game new", "game", "k"))

    assert [await offered(), await offered()] == [1, 0]
    assert metrics.codes == ["many_autocomplete"]
    now.at += HOUR
    assert await offered() == 1
    table = await club.game()
    for _ in range(5):
        opened = await bert.click(await club.panel(table.id), custom_id=f"play:{table.id}")
        assert "too many" not in wording(opened.response)


# Token buckets, by a clock that is set


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
    # However long nothing is asked, no more than all is granted.
    now.at += 1000
    for _ in range(3):
        assert limited.wait(ANNA) == 0
        limited.take(ANNA)
    assert round(limited.wait(ANNA), 6) == 20


def test_who_is_idle_is_forgotten() -> None:
    now = SetTime()
    limited = Buckets(Rate(2, 60), now)
    for user in range(5 * budgets.REMEMBERED):
        limited.take(user)
        now.at += 1
    assert len(limited) <= budgets.REMEMBERED + 1


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
