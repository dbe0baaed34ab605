"""The review of a finished game through the bot: asked for, waited for, and read page by page."""

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
from tests.cogs.test_export import brought
from tests.cogs.test_history import guild_master_moved
from tests.waiting import until
from tests.within import SOON_S

TOO_MANY = 3
"""Reviews in an hour that one person may not have any more."""


class Prompt(SearchPool):
    """Answers at once, or when it may: some action that is a candidate was better, by as much as
    the seed says."""

    club: Club

    def __init__(self) -> None:
        super().__init__(1)
        self.may = asyncio.Event()
        self.may.set()
        self.forecasts = 0
        self.some = 0
        """Forecasts that it gives though it may not."""
        self.error: Exception | None = None

    async def forecast(
        self, judgement: Judgement[Any], state: bytes, *_: Any, **__: Any
    ) -> Sequence[float]:
        self.forecasts += 1
        if not self.may.is_set() and self.forecasts > self.some:
            await self.may.wait()
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
    """The bot thinks ahead, for each person twice an hour."""
    rates = BudgetRates(Rate(TOO_MANY - 1, 3600.0), Rate(9, 3600.0))
    return {"search_pool": Prompt(), "budgets": Budgets({Budget.REVIEWS: rates})}


@pytest.fixture(autouse=True)
def search_pool(
    service_options: dict[str, Any], club: Club, monkeypatch: pytest.MonkeyPatch
) -> Prompt:
    monkeypatch.setattr(review, "PAUSE_S", 0.0)
    found: Prompt = service_options["search_pool"]
    found.club = club
    return found


async def finished(club: Club) -> Table:
    _, table = await brought(club, club.people[0], EXAMPLE.read_bytes())
    assert table is not None
    return table


async def asked(club: Club, person: Any, table: Table) -> Any:
    return (await person.slash(club.place(table), "game review", table=table.id)).response


def _is_waiting(message: Any) -> bool:
    return "Preparing the review" in wording(message)


async def test_a_finished_game_is_looked_back_on_page_by_page_as_each_reader_wants_it(
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
    said = wording(first)
    assert "turning point 1 of 5" in said
    assert "saw it then" in said
    assert "move: " in said
    assert "Better: **" in said
    assert "Chance of winning: 25% as played" in said
    # What Kogge's judgement counts are no points of the game.
    assert "more at the end" not in said
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


async def test_who_asks_meanwhile_sees_how_far_it_is_and_the_review_at_the_end(
    club: Club, search_pool: Prompt, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (anna, bert, clara, _) = await finished(club), club.people
    monkeypatch.setattr(review_dialogue, "PROGRESS_S", 2 * SOON_S)
    search_pool.may.clear()
    search_pool.some = 5
    place = club.place(table)
    answers = [
        (await person.slash(place, "game review", table=table.id)).response
        for person in (anna, bert)
    ]
    assert all(_is_waiting(each) for each in answers)
    # It goes on by itself.
    await until(lambda: not any("review: 0%" in wording(each) for each in answers))
    assert all(_is_waiting(each) for each in answers)

    search_pool.may.set()
    await club.settle()
    assert all("Chances of winning" in wording(each) for each in answers)
    worked = search_pool.forecasts

    shown = (await clara.slash(place, "game review", table=table.id)).response
    assert "Chances of winning" in wording(shown)
    await club.restart()
    assert "Chances of winning" in wording(await asked(club, anna, table))
    assert search_pool.forecasts == worked


async def test_a_game_that_was_given_up_is_looked_back_on_and_none_that_goes_on(
    club: Club, search_pool: Prompt, monkeypatch: pytest.MonkeyPatch
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


async def test_one_that_cannot_be_worked_out_says_so_and_is_begun_anew_when_asked_again(
    club: Club, search_pool: Prompt
) -> None:
    # Each person may ask only so often.
    table, (anna, bert, clara, dirk) = await finished(club), club.people
    # By a bot that stops.
    search_pool.may.clear()
    await clara.slash(club.place(table), "game review", table=table.id)
    assert search_pool.forecasts
    search_pool = club.service_options["search_pool"] = Prompt()
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
    # As another version may have kept it.
    await club.tables.history.save_review(table.id, b'{"moments": 1}')
    assert "Chances of winning" in wording(await asked(club, clara, table))
    other = await finished(club)
    await search_pool.close()
    assert "the strong computer player is off" in wording(await asked(club, dirk, other))


@pytest.mark.slow
async def test_reviews_that_are_worked_out_are_counted_and_those_that_are_read_are_not(
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
async def test_after_the_end_a_button_beside_the_replay_leads_to_it(club: Club) -> None:
    table = await club.game()
    await club.finish(table.id)
    film = club.posts(table)[-1]
    pressed = f"review:{table.id}"
    assert pressed in ids(film)
    answer = (await club.people[2].click(film, custom_id=pressed)).response
    assert "turning point" in wording(await press(club.people[2], answer, "turning2:"))


@pytest.mark.slow
async def test_what_was_taken_back_and_what_is_of_the_table_is_no_decision(club: Club) -> None:
    table, seat = await guild_master_moved(club)
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
    taken_back = [seq for seq in range(undone) if seq > (game.entries[undone].back_to or 0)]
    assert taken_back
    assert not {undone, *taken_back} & set(game.in_effect())
