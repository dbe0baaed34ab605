"""The button that saves the replay of a finished game as one HTML file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.cogs.dialogues import films
from bot.cogs.ui import Services
from bot.cogs.ui.budgets import Budget, BudgetRates, Budgets, Rate
from bot.cogs.ui.pictures import Pictures
from bot.render.picture import GamePictures
from bot.tables import PastTurn, Table
from bot.titles import replay_page
from bot.titles.replay_page import MAX_BYTES
from tests.cogs.conftest import EXAMPLE, Club, forge_id, ids, press, wording
from tests.cogs.test_export import import_file
from tests.titles.pages import content_of

SAVING = "Saving the replay"
MOST = 4
"""Pages that a person may save in an hour."""


@pytest.fixture
def service_options() -> dict[str, Any]:
    rates = BudgetRates(Rate(MOST, 3600.0), Rate(9, 3600.0))
    return {"budgets": Budgets({Budget.PAGES: rates})}


async def finished(club: Club) -> Table:
    _, table = await import_file(club, club.people[0], EXAMPLE.read_bytes())
    assert table is not None
    return table


async def replay(club: Club, person: Any, table: Table) -> Any:
    return (await person.slash(club.place(table), "game replay", table=table.id)).response


def page_in(club: Club, message: Any, table: Table) -> Any:
    (file,) = message.attachments
    assert file.filename == f"kogge-table-{table.id}.html"
    data: bytes = club.bytes_of(file)
    assert len(data) <= MAX_BYTES
    for person in club.people:
        assert str(person.id).encode() not in data
    return content_of(data)


@pytest.mark.slow
async def test_anyone_who_sees_a_finished_game_can_save_its_replay(club: Club) -> None:
    table, stranger = await finished(club), club.people[3]
    shown = await replay(club, stranger, table)
    saved = await press(stranger, shown, "savereplay:")
    assert saved.is_ephemeral
    assert "whole game as everyone saw it" in wording(saved)
    content = page_in(club, saved, table)
    assert content["languages"]["en"]["names"] == [*table.names]
    turns = await club.tables.history.turns(table.id, -1)
    assert len(content["seats"]) == sum(turn.in_effect for turn in turns)

    # With the reader's colours, also after a restart.
    await stranger.slash(club.channel, "me set", palette="red_green", language="it")
    await club.restart()
    again = await press(stranger, shown, "savereplay:")
    other = page_in(club, again, table)
    assert other["languages"]["it"]["boards"] == content["languages"]["it"]["boards"]
    assert other["sides"] != content["sides"]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save the first turns only."""
    public_turns = films.public_turns

    async def first_turns(services: Services, table: Table) -> list[PastTurn]:
        return (await public_turns(services, table))[:3]

    monkeypatch.setattr(films, "public_turns", first_turns)


@pytest.mark.usefixtures("short")
async def test_replays_are_saved_one_at_a_time_as_often_as_the_budget_allows(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (anna, bert, *_) = await finished(club), club.people
    draw, may_draw, drawing = Pictures.draw, asyncio.Event(), 0

    async def draw_later(pictures: Pictures, work: Callable[[], Any]) -> Any:
        nonlocal drawing
        drawing += 1
        assert drawing == 1
        await may_draw.wait()
        try:
            return await draw(pictures, work)
        finally:
            drawing -= 1

    views = [await replay(club, person, table) for person in (anna, bert)]
    monkeypatch.setattr(Pictures, "draw", draw_later)
    waiting = [
        await press(person, view, "savereplay:")
        for person, view in zip((anna, anna, bert), (views[0], *views), strict=True)
    ]
    assert all(SAVING in wording(each) for each in waiting)
    may_draw.set()
    await club.settle()
    saved = [club.bytes_of(each.attachments[0]) for each in waiting]
    assert saved[0] == saved[1] == saved[2]
    for _ in range(MOST - 2):
        await press(anna, views[0], "savereplay:")
    assert "saved too many replays" in wording(await press(anna, views[0], "savereplay:"))


@pytest.mark.usefixtures("short")
async def test_a_page_that_is_too_large_or_fails_says_so(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, anna = await finished(club), club.people[0]
    shown = await replay(club, anna, table)
    with monkeypatch.context() as small:
        small.setattr(replay_page, "MAX_BYTES", 1000)
        answer = await press(anna, shown, "savereplay:")
        assert "too long for one file" in wording(answer)
    with monkeypatch.context() as broken:
        broken.setattr(GamePictures, "draw", None)
        answer = await press(anna, shown, "savereplay:")
        assert "couldn't make this" in wording(answer)
    assert len(club.faults.seen) == 1
    club.faults.seen.clear()


async def test_a_running_game_cannot_be_saved(club: Club) -> None:
    over, running, anna = await finished(club), await club.game(), club.people[0]
    assert not [each for each in ids(await replay(club, anna, running)) if "savereplay" in each]
    shown = await press(anna, await replay(club, anna, over), "step4:")
    forge_id(club, shown, f"savereplay:{running.id}")
    answer = await press(anna, shown, "savereplay:")
    assert "no longer works" in wording(answer)
    assert not answer.attachments
