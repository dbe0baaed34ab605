"""The review of a finished game: requesting it, its progress, and its pages."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.cogs.dialogues import review as review_dialogue
from bot.cogs.ui.budgets import Budget, BudgetRates, Budgets, Rate
from bot.game.contract import Action
from bot.policy.contract import Judgement
from bot.policy.search import Considered
from bot.render.chart import SIZE
from bot.tables import Status, Table
from bot.thinking import SearchPool, SearchUnavailable, review
from bot.titles import TITLES
from tests.cogs.conftest import EXAMPLE, Club, ids, part, press, wording
from tests.cogs.test_export import import_file
from tests.cogs.test_history import move_guild_master
from tests.waiting import until
from tests.within import SOON_S

TOO_MANY = 3
"""One review more than a person may request in an hour."""


class FakePool(SearchPool):
    """Answers without searching, once `may_answer` is set. Rates another candidate higher, by a
    margin that depends on the seed."""

    club: Club

    def __init__(self) -> None:
        super().__init__(1)
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.forecasts = 0
        self.immediate = 0
        """Forecasts given without waiting for `may_answer`."""
        self.error: Exception | None = None

    async def forecast(
        self, judgement: Judgement[Any], state: bytes, *_: Any, **__: Any
    ) -> Sequence[float]:
        self.forecasts += 1
        if not self.may_answer.is_set() and self.forecasts > self.immediate:
            await self.may_answer.wait()
        if self.error is not None:
            raise self.error
        seats = len(judgement.value(judgement.game.decode(state)))
        return [1 / seats] * seats

    async def weigh(
        self, *args: Any, also: Sequence[Action] = (), **_: Any
    ) -> Sequence[Considered]:
        judgement, view, decision, seed = args
        legal = judgement.game.walk(judgement.game.determinize(view, Random(seed)), decision.seat)
        others = [each for each in judgement.candidates(view, decision, legal) if each not in also]
        better = [Considered(each, 0.5 + Random(seed).random() / 2, 9.0, 1) for each in others[:1]]
        return [*better, *(Considered(each, 0.25, 2.0, 1) for each in also)]


@pytest.fixture
def service_options() -> dict[str, Any]:
    """The bot can review games, twice an hour for each person."""
    rates = BudgetRates(Rate(TOO_MANY - 1, 3600.0), Rate(9, 3600.0))
    return {"search_pool": FakePool(), "budgets": Budgets({Budget.REVIEWS: rates})}


@pytest.fixture(autouse=True)
def search_pool(
    service_options: dict[str, Any], club: Club, monkeypatch: pytest.MonkeyPatch
) -> FakePool:
    monkeypatch.setattr(review, "PAUSE_S", 0.0)
    found: FakePool = service_options["search_pool"]
    found.club = club
    return found


async def finished(club: Club) -> Table:
    _, table = await import_file(club, club.people[0], EXAMPLE.read_bytes())
    assert table is not None
    return table


async def asked(club: Club, person: Any, table: Table) -> Any:
    return (await person.slash(club.place(table), "game review", table=table.id)).response


def _is_waiting(message: Any) -> bool:
    return "Preparing the review" in wording(message)


async def test_a_review_is_read_page_by_page_with_each_readers_settings(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (anna, bert, clara, _) = await finished(club), club.people
    answer = await asked(club, anna, table)

    assert "Chances of winning" in wording(answer)
    (picture,) = answer.attachments
    assert picture.description.startswith("Chart: chances of winning in percent")
    plain = club.bytes_of(picture)
    with Image.open(io.BytesIO(plain)) as opened:
        assert opened.size == SIZE
    select = part(answer, f"turning3:{table.id}")
    assert [each["value"] for each in select["options"]] == ["0", "1", "2", "3", "4", "5"]
    assert [part(answer, each)["disabled"] for each in ids(answer)[:2]] == [True, False]

    first = await press(anna, answer, "turning2:")
    assert first.id == answer.id
    text = wording(first)
    assert "turning point 1 of 5" in text
    assert "saw it then" in text
    assert "move: " in text
    assert "Better: **" in text
    assert "Chance of winning: 25% as played" in text
    # Kogge's judgement does not count in points.
    assert "more at the end" not in text
    (board,) = first.attachments
    assert board.description != picture.description

    last = (await anna.choose(first, ["5"], custom_id=f"turning3:{table.id}")).response
    assert "turning point 5 of 5" in wording(last)
    assert [part(last, each)["disabled"] for each in ids(last)[:2]] == [False, True]
    again = (await anna.choose(last, ["0"], custom_id=f"turning3:{table.id}")).response
    assert "Chances of winning" in wording(again)

    judgement = TITLES["kogge"].judgement
    assert judgement is not None
    monkeypatch.setitem(vars(TITLES["kogge"]), "judgement", replace(judgement, in_points=True))
    first = await press(anna, again, "turning2:")
    assert "About 7 more points at the end." in wording(first)

    await bert.slash(club.channel, "me set", language="it", palette="red_green")
    answer = await asked(club, bert, table)
    assert "Probabilità di vittoria" in wording(answer)
    assert club.bytes_of(answer.attachments[0]) != plain
    first = await press(bert, answer, "turning2:")
    assert "svolta 1 di 5" in wording(first)
    assert "Meglio: **" in wording(first)
    await clara.slash(club.channel, "me set", board="text")
    answer = await asked(club, clara, table)
    assert not answer.attachments
    assert "Anna: 50, 50" in wording(answer)
    first = await press(clara, answer, "turning2:")
    assert not first.attachments
    assert "Pairs for sale" in wording(first)


async def test_readers_see_the_progress_and_then_the_review(
    club: Club, search_pool: FakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (anna, bert, clara, _) = await finished(club), club.people
    monkeypatch.setattr(review_dialogue, "PROGRESS_S", 2 * SOON_S)
    search_pool.may_answer.clear()
    search_pool.immediate = 5
    place = club.place(table)
    answers = [
        (await person.slash(place, "game review", table=table.id)).response
        for person in (anna, bert)
    ]
    assert all(_is_waiting(each) for each in answers)
    # The progress updates without a press.
    await until(lambda: not any("review: 0%" in wording(each) for each in answers))
    assert all(_is_waiting(each) for each in answers)

    search_pool.may_answer.set()
    await club.settle()
    assert all("Chances of winning" in wording(each) for each in answers)
    forecasts = search_pool.forecasts

    shown = (await clara.slash(place, "game review", table=table.id)).response
    assert "Chances of winning" in wording(shown)
    await club.restart()
    assert "Chances of winning" in wording(await asked(club, anna, table))
    assert search_pool.forecasts == forecasts


async def test_an_abandoned_game_can_be_reviewed_but_no_running_one(
    club: Club, search_pool: FakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    await club.play_until(table.id, "advance")
    answer = (await club.people[0].slash(club.place(table), "game review")).response
    assert "isn't over yet" in wording(answer)
    assert search_pool.forecasts == 0
    await club.give_up(table)
    assert (await club.tables.reader.get(table.id)).status is Status.ABANDONED
    with monkeypatch.context() as without:
        without.setitem(vars(TITLES["kogge"]), "judgement", None)
        refused = (await club.people[0].slash(club.place(table), "game review")).response
        assert "can't review games of Kogge yet" in wording(refused)
    assert "Chances of winning" in wording(await asked(club, club.people[1], table))


async def test_a_failed_review_says_so_and_can_be_requested_again(
    club: Club, search_pool: FakePool
) -> None:
    # Different people, because of their budgets.
    table, (anna, bert, clara, dirk) = await finished(club), club.people
    # First the bot stops during a review.
    search_pool.may_answer.clear()
    await clara.slash(club.place(table), "game review", table=table.id)
    assert search_pool.forecasts
    search_pool = club.service_options["search_pool"] = FakePool()
    await club.restart()
    assert await club.tables.history.review(table.id) is None
    search_pool.error = SearchUnavailable()
    assert "the strong computer player is off" in wording(await asked(club, anna, table))
    search_pool.error = ValueError("odd")
    assert "couldn't be reviewed" in wording(await asked(club, bert, table))
    (fault,) = club.faults.seen
    assert "review failed" in fault
    club.faults.seen.clear()
    assert await club.tables.history.review(table.id) is None
    search_pool.error = None
    # A stored review in another version's format.
    await club.tables.history.save_review(table.id, b'{"moments": 1}')
    assert "Chances of winning" in wording(await asked(club, clara, table))
    other = await finished(club)
    await search_pool.close()
    assert "the strong computer player is off" in wording(await asked(club, dirk, other))


@pytest.mark.slow
async def test_only_new_reviews_count_against_the_budget(
    club: Club,
) -> None:
    tables = [await finished(club) for _ in range(TOO_MANY)]
    person = club.people[0]
    for _ in range(2):
        for table in tables[:-1]:
            assert "Chances of winning" in wording(await asked(club, person, table))
    refused = wording(await asked(club, person, tables[-1]))
    assert "asked for too many reviews" in refused
    watcher = await asked(club, club.people[3], tables[0])
    assert "Chances of winning" in wording(watcher)


@pytest.mark.slow
async def test_the_film_has_a_button_to_the_review(club: Club) -> None:
    table = await club.game()
    await club.finish(table.id)
    film = club.posts(table)[-1]
    pressed = f"review:{table.id}"
    assert pressed in ids(film)
    answer = (await club.people[2].click(film, custom_id=pressed)).response
    assert "turning point" in wording(await press(club.people[2], answer, "turning2:"))


@pytest.mark.slow
async def test_undone_moves_and_table_actions_are_no_decisions(club: Club) -> None:
    table, seat = await move_guild_master(club)
    person, other = club.person(table, seat), club.person(table, 1 - seat)
    undo = (await person.slash(club.place(table), "game undo")).response
    await press(person, undo, "undoit:")
    resign = (await person.slash(club.place(table), "game resign")).response
    await person.click(resign, custom_id=ids(resign)[0])
    await other.slash(club.place(table), "game abandon")
    assert (await club.tables.reader.get(table.id)).is_over

    game = await club.tables.history.finished(table.id)
    kinds = [entry.kind for entry in game.entries]
    assert {"advance", "@undo", "@resign"} <= set(kinds)
    undone = kinds.index("@undo")
    undone_moves = [seq for seq in range(undone) if seq > (game.entries[undone].back_to or 0)]
    assert undone_moves
    assert not {undone, *undone_moves} & set(game.in_effect())
