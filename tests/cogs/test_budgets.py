"""Limits on how many expensive requests a person and a server may make."""

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


class RefusalCodes(MetricsSink):
    """Records the codes of refusals."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def refused(self, code: str) -> None:
        self.codes.append(code)


@pytest.fixture
def now() -> SetTime:
    return SetTime()


@pytest.fixture
def metrics() -> RefusalCodes:
    return RefusalCodes()


@pytest.fixture
def service_options(now: SetTime, metrics: RefusalCodes) -> dict[str, Any]:
    """One request of each kind an hour for a person, two for the server."""
    limited = {each: BudgetRates(Rate(1, HOUR), Rate(2, HOUR)) for each in Budget}
    return {"metrics": metrics, "budgets": Budgets(limited, now)}


def test_every_budget_belongs_to_a_command_and_has_error_texts() -> None:
    assert set(COMMANDS) <= set(TEXTS)
    # Reviews are counted when they start.
    at_commands = set(Budget) - {Budget.AUTOCOMPLETE, Budget.REVIEWS}
    assert {*COMMANDS.values(), *VERBS.values()} == at_commands
    for budget in {*COMMANDS.values(), Budget.REVIEWS}:
        assert f"many_{budget.value}" in ERRORS
        assert f"many_{budget.value}_here" in ERRORS


async def test_each_budget_refuses_when_it_is_spent_and_grants_again_later(
    club: Club, now: SetTime, metrics: RefusalCodes
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
    # Anna has opened a table.
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
        # Others are still granted until the server's budget is spent.
        await ask(bert)
        await ask(club.people[2])
        assert metrics.codes[before:] == [f"many_{kind}", f"many_{kind}_here"]
        now.at += HOUR
        await ask(anna)
        assert len(metrics.codes) == before + 2, kind
        now.at += HOUR


async def test_a_refused_file_or_picture_is_neither_fetched_nor_drawn(
    club: Club, now: SetTime, metrics: RefusalCodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = club.people[0]
    table = await club.game()
    now.at += HOUR
    await anna.slash(club.place(table), "game board")
    await anna.slash(club.channel, "table import", file=("game.json", b"{}"))
    await anna.slash(club.place(table), "game hint")
    monkeypatch.setattr(Services, "table_view", lambda *_: pytest.fail("a view was read"))
    monkeypatch.setattr("discord.Attachment.read", lambda *_: pytest.fail("a file was fetched"))
    await anna.slash(club.place(table), "game board")
    await anna.slash(club.channel, "table import", file=("game.json", b"{}"))
    # Presses count like commands.
    pressed = (("board", "pictures"), ("hint", "hints"), ("planjudge", "hints"))
    for verb, _ in pressed:
        emit(club, anna, await club.panel(table.id), f"{verb}:{table.id}")
        await club.settle()
    refused = ("pictures", "imports", *(kind for _, kind in pressed))
    assert metrics.codes[-len(refused) :] == [f"many_{kind}" for kind in refused]


async def test_turns_are_free_and_typing_too_fast_suspends_suggestions(
    club: Club, now: SetTime, metrics: RefusalCodes
) -> None:
    anna, bert = club.people[:2]

    async def offered() -> int:
        return len(await anna.suggestions(club.channel, "game new", "game", "k"))

    assert [await offered(), await offered()] == [1, 0]
    assert metrics.codes == ["many_autocomplete"]
    now.at += HOUR
    assert await offered() == 1
    table = await club.game()
    for _ in range(5):
        opened = await bert.click(await club.panel(table.id), custom_id=f"play:{table.id}")
        assert "too many" not in wording(opened.response)


# Token buckets, with a set clock


def test_a_bucket_grants_a_burst_and_then_refills_slowly() -> None:
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
    # A long pause grants no more than a full bucket.
    now.at += 1000
    for _ in range(3):
        assert limited.wait(ANNA) == 0
        limited.take(ANNA)
    assert round(limited.wait(ANNA), 6) == 20


def test_idle_users_are_evicted() -> None:
    now = SetTime()
    limited = Buckets(Rate(2, 60), now)
    for user in range(5 * budgets.MAX_KEYS):
        limited.take(user)
        now.at += 1
    assert len(limited) <= budgets.MAX_KEYS + 1


def test_refused_requests_cost_nothing_and_servers_have_a_budget_too() -> None:
    now = SetTime()
    rates = budget_rates("2/3/60")
    assert rates is not None
    budgets = Budgets({Budget.EXPORTS: rates}, now)

    def spend(user: int, guild: int | None = SERVER) -> Empty | None:
        return budgets.spend(Budget.EXPORTS, user, guild)

    assert [spend(ANNA), spend(ANNA)] == [None, None]
    # Anna's refused requests cost neither her nor the server anything.
    assert [spend(ANNA) for _ in range(5)] == [Empty(False, 30.0)] * 5
    assert [spend(BERT), spend(BERT)] == [None, Empty(True, 20.0)]
    # On another server and in direct messages only Bert's own budget counts.
    assert [spend(BERT, 11), spend(BERT, None)] == [None, Empty(False, 30.0)]
    assert budgets.spend(Budget.REPORTS, ANNA, SERVER) is None
    assert budget_rates("off") is None
