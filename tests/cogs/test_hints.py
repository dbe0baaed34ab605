"""Hints: the strong player's best moves, shown only to the player who asks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cogs.panel.hints import distinct
from bot.cogs.ui.custom_id import parse
from bot.cogs.ui.table_view import QUESTION
from bot.game.contract import Action, Decision, canonical, in_turn, parse_action
from bot.policy import search
from bot.tables import Table
from bot.thinking import Considered, Judgement, SearchPool, SearchUnavailable
from bot.titles import TITLES
from tests.cogs import test_deals as deals
from tests.cogs.conftest import Club, emit, id_with, ids, part, press, verbs, wording
from tests.cogs.test_plans import choose

NODES = 300
"""Few: the search itself is tested elsewhere."""
CHANCE = re.compile(r"^-# \d\d?% to win", re.M)


class LocalPool(SearchPool):
    """A pool that searches briefly in this process, once `may_answer` is set."""

    def __init__(self, workers: int = 1) -> None:
        super().__init__(workers)
        self.asked: list[tuple[Any, Decision, str, Sequence[Action]]] = []
        self.is_asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.fault: Exception | None = None
        self.found: Sequence[Considered] = ()
        """Returned instead of searching, if not empty."""

    async def weigh(
        self,
        judgement: Judgement[Any],
        view: Any,
        decision: Decision,
        seed: str,
        *,
        share: float = 1.0,
        nodes: int | None = None,
        also: Sequence[Action] = (),
    ) -> Sequence[Considered]:
        self.asked.append((view, decision, seed, also))
        self.is_asked.set()
        await self.may_answer.wait()
        if self.fault is not None:
            raise self.fault
        return self.found or search.weigh(judgement, view, decision, Random(seed), NODES, also)


@pytest.fixture
def service_options() -> dict[str, Any]:
    """The bot has a search pool."""
    return {"search_pool": LocalPool()}


@pytest.fixture
def search_pool(service_options: dict[str, Any]) -> LocalPool:
    found: LocalPool = service_options["search_pool"]
    return found


async def alone(club: Club) -> tuple[Table, Any]:
    """Start a game of one person, who is on turn, against an easy computer player."""
    anna = club.people[0]
    table = await club.start_game("burgundy", seats=1, computers=1, level="easy")
    assert table.seat_of(anna.id) in await club.asked(1)
    return table, anna


async def allowed(club: Club, hints: str) -> tuple[Table, Any]:
    """Start a game of two with that option for hints. Returns the player on turn too."""
    table, seat = await club.burgundy(("hints", hints))
    return table, club.person(table, seat)


async def opened(club: Club, table: Table, person: Any) -> Any:
    seat = table.seat_of(person.id)
    assert seat is not None
    return await club.open_panel(table, seat)


def plays(message: Any) -> list[Action]:
    """Return the moves that a message's buttons play."""
    return [parse(each).words for each in ids(message) if each.startswith("act:")]


def public(club: Club, table: Table) -> list[tuple[int, str, Any]]:
    """Return the table's public posts and when each was last edited."""
    return [(each.id, wording(each), each.edited_at) for each in club.posts(table)]


async def test_a_hint_rates_the_best_moves_and_plays_one_at_a_press(
    club: Club, search_pool: LocalPool
) -> None:
    table, anna = await alone(club)
    panel = await opened(club, table, anna)
    before = wording(panel)
    shown = await press(anna, panel, "hint:")
    text, found = wording(shown), plays(shown)
    assert "What the strong player would do" in text
    assert len(CHANCE.findall(text)) == len(found) == 3
    assert re.search(r"likely to finish (level|\d+ points? (ahead|behind))", text)
    assert re.search(r"^> ", text, re.M)
    assert shown.is_ephemeral
    assert wording(await press(anna, shown, "start:")) == before

    typed = await anna.slash(club.place(table), "game hint")
    assert typed.is_private
    assert (wording(typed.response), plays(typed.response)) == (text, found)
    assert len(search_pool.asked) == 1
    await club.tables.people.change(anna.id, language="it")
    typed = await anna.slash(club.place(table), "game hint")
    assert "Che cosa farebbe il computer forte" in wording(typed.response)
    assert re.search(r"\d\d?% di vittoria", wording(typed.response))

    earlier = await club.done()
    after = await press(anna, typed.response, "act:")
    played = [canonical(each) for each in in_turn(found[0])]
    assert (await club.done())[len(earlier) :][: len(played)] == played
    assert "Che cosa farebbe" not in wording(after)


async def test_a_hint_uses_only_the_seats_own_view_and_no_one_else_can_notice_it(
    club: Club, search_pool: LocalPool
) -> None:
    table, asking = await allowed(club, "on")
    (other,) = (each for each in club.people[:2] if each.id != asking.id)
    panel = await opened(club, table, other)
    before, own, log = public(club, table), wording(panel), await club.actions(1)

    await press(asking, await opened(club, table, asking), "hint:")
    await asking.slash(club.place(table), "game hint")

    assert public(club, table) == before
    assert wording(club.private(table, other)[-1]) == own
    assert all("strong player" not in wording(each) for each in club.dms(other))
    assert await club.actions(1) == log
    waiting = await other.slash(club.place(table), "game hint")
    assert "It's not your turn" in wording(waiting.response)
    seat = table.seat_of(asking.id)
    assert seat is not None
    ((view, decision, seed, _also),) = search_pool.asked
    assert view == (await club.tables.reader.seen(1, seat)).view
    assert (decision.seat, seed) == (seat, f"{table.key_hash}.{seat}")
    # The table's agreement on hints is no option of the game and not in its log.
    assert table.terms == {"hints": "on"}
    assert "hints" not in table.options
    assert all("hints" not in line for line in log)


async def test_the_lobby_shows_the_chosen_setting_for_hints_or_the_default(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "game new", game="burgundy")
    assert "💡 Hints: a button in everyone's panel." in wording(await club.lobby_message(1))
    await bert.click(await club.lobby_message(1), custom_id="join:1")
    assert "💡 Hints: off, because" in wording(await club.lobby_message(1))
    shown = (await anna.click(await club.lobby_message(1), custom_id="options:1")).response
    (chosen,) = (each for each in part(shown, "set:1::hints")["options"] if each.get("default"))
    assert chosen["value"] == "off"
    await anna.choose(shown, custom_id="set:1::hints", values=["own"])
    assert "💡 Hints: only with /game hint." in wording(await club.lobby_message(1))
    asked = await anna.slash(club.channel, "table options", table=1)
    assert "💡 Hints: only with /game hint." in wording(asked.response)

    await anna.click(await club.lobby_message(1), custom_id="begin:1")
    table = await club.tables.reader.get(1)
    person = club.person(table, (await club.asked(1))[0])
    assert "hint" not in verbs(await opened(club, table, person))
    typed = await person.slash(club.place(table), "game hint")
    assert CHANCE.search(wording(typed.response))


async def test_without_a_search_pool_hints_are_no_option_and_refused_kindly(
    tmp_path: Path,
) -> None:
    async with Club(tmp_path, search_pool=LocalPool(0)) as club:
        table, anna = await alone(club)
        assert "hint" not in verbs(await opened(club, table, anna))
        refused = await anna.slash(club.place(table), "game hint")
        assert "I can't give you a hint right now" in wording(refused.response)
        asked = await anna.slash(club.channel, "table options", table=1)
        assert "Hints" not in wording(asked.response)
        offered = await anna.suggestions(club.channel, "game option", "option", "hint")
        assert offered == []


async def test_a_failed_search_can_be_retried_and_a_title_without_a_strong_player_has_no_hints(
    club: Club, search_pool: LocalPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, anna = await alone(club)
    for fault in (SearchUnavailable("gone"), RuntimeError("in a search")):
        search_pool.fault = fault
        refused = await anna.slash(club.place(table), "game hint")
        assert "I can't give you a hint right now" in wording(refused.response)
        # Only an unexpected error is logged.
        assert len(club.faults.seen) == isinstance(fault, RuntimeError)
        club.faults.seen.clear()
    search_pool.fault = None
    typed = await anna.slash(club.place(table), "game hint")
    assert CHANCE.search(wording(typed.response))
    monkeypatch.setitem(vars(TITLES["burgundy"]), "judgement", None)
    assert "hint" not in verbs(await opened(club, table, anna))
    refused = await anna.slash(club.place(table), "game hint")
    assert "There are no hints for The Castles of Burgundy" in wording(refused.response)


async def test_a_hint_is_refused_with_hints_off_for_spectators_and_after_the_end(
    club: Club, search_pool: LocalPool
) -> None:
    table, seat = await club.burgundy()
    person, other = club.person(table, seat), club.person(table, 1 - seat)
    for each in (other, person):
        panel = await opened(club, table, each)
        assert "hint" not in verbs(panel)
    die = (await club.words(1, seat, "workers"))[0]
    plan = await choose(person, await press(person, panel, "plan:"), "workers", die)
    assert "planjudge" not in verbs(plan)
    for each, refusal in (
        (person, "Hints are off at this table"),
        (club.people[2], "You aren't playing at this table"),
    ):
        refused = await each.slash(club.place(table), "game hint")
        assert refused.is_private
        assert refusal in wording(refused.response)
    await club.give_up(table)
    over = await person.slash(club.place(table), "game hint")
    assert "This game is over" in wording(over.response)
    assert search_pool.asked == []


async def press_until_searching(
    club: Club, search_pool: LocalPool, person: Any, message: Any, verb: str
) -> None:
    """Press a button and return as soon as its search has started."""
    emit(club, person, message, id_with(message, f"{verb}:"))
    await search_pool.is_asked.wait()


async def test_a_position_is_searched_once_and_its_moves_expire(
    club: Club, search_pool: LocalPool
) -> None:
    table, anna = await alone(club)
    panel = await opened(club, table, anna)
    search_pool.may_answer.clear()
    await press_until_searching(club, search_pool, anna, panel, "hint")
    emit(club, anna, panel, id_with(panel, "hint:"))
    for _ in range(100):
        await asyncio.sleep(0)
    search_pool.may_answer.set()
    await club.settle()
    assert len(search_pool.asked) == 1
    shown = club.private(table, anna)[-1]
    assert CHANCE.search(wording(shown))

    old = id_with(shown, "act:")
    await club.act(1, Random(3))
    await club.settle()
    before = await club.actions(1)
    emit(club, anna, shown, old)
    await club.settle()
    assert await club.actions(1) == before
    assert "That button is out of date" in wording(club.private(table, anna)[-1])


@pytest.mark.parametrize("verb", ["hint", "planjudge"])
async def test_a_hint_that_comes_too_late_says_so(
    club: Club, search_pool: LocalPool, verb: str
) -> None:
    table, person = await allowed(club, "on")
    shown = await opened(club, table, person)
    if verb == "planjudge":
        die = (await club.words(1, table.seat_of(person.id) or 0, "workers"))[0]
        shown = await choose(person, await press(person, shown, "plan:"), "workers", die)
    search_pool.may_answer.clear()
    await press_until_searching(club, search_pool, person, shown, verb)
    await club.act(1, Random(3))
    search_pool.may_answer.set()
    await club.settle()
    text = wording(club.private(table, person)[-1])
    assert "The game has moved on, so that hint is out of date." in text
    assert not CHANCE.search(text)
    assert "⚖️" not in text


async def test_a_hint_rates_an_offer_and_answers_it(club: Club) -> None:
    table = await deals.start_moored(club, hints="on")
    await deals.offer(club, table)
    panel = await club.open_panel(table, 1)
    shown = await press(club.person(table, 1), panel, "hint:1:o1.")
    assert "What it thinks of the offer:" in wording(shown)
    assert {words[0] for words in plays(shown)} == {"accept", "decline"}
    # Kogge isn't won by points.
    assert "likely to finish" not in wording(shown)
    answer = plays(shown)[0]
    await press(club.person(table, 1), shown, "act:")
    assert (await club.actions(1))[-1] == canonical(answer)


async def test_a_hint_orders_moves_by_their_chance_and_marks_them_on_the_picture(
    club: Club, search_pool: LocalPool
) -> None:
    table = await club.start_game("guatemala", ("hints", "on"))
    (placer,) = await club.asked(1)
    # At t1 the buyer faces no sack.
    await club.play((placer, "place t1"))
    person = club.person(table, 1 - placer)
    search_pool.found = [
        considered("move 1 + take", 0.33),
        considered("move 1", 0.28),
        considered("move 4", 0.24),
        considered("move 2 + take", 0.31),
        considered("move 2 + buy 23 a1", 0.31),
        considered("move 3", 0.5, worlds=3),
    ]

    shown = await press(person, await opened(club, table, person), "hint:")

    assert [canonical(each) for each in plays(shown)] == [
        "move 1 + take",
        "move 2 + take",
        "move 4",
    ]
    text = wording(shown)
    assert "**1.** 💰 Move 1 → top 2, then take the beige sack (+8)\\: no one scores" in text
    assert "33% to win · likely to finish level · 2 points better than the next move" in text
    (picture,) = shown.attachments
    assert picture.filename == QUESTION
    assert picture.description.startswith("Marked choices: 1, 2 and 4.")


def considered(line: str, chance: float, worlds: int = 40) -> Considered:
    return Considered(parse_action(line), chance, 0.2, worlds)


def test_a_hint_leaves_out_variants_and_lists_falling_chances() -> None:
    found = [
        considered("buy 14 a1 + buy 24 a2 + end", 0.42),
        considered("buy 14 a1", 0.45),
        considered("buy 24 a2", 0.42),
        considered("buy 34 a3", 0.2),
        considered("end", 0.44),
    ]
    shown = [(canonical(each.action), each.chance) for each in distinct(found)]
    assert shown == [
        ("buy 14 a1 + buy 24 a2 + end", 0.42),
        ("end", 0.42),
        ("buy 34 a3", 0.2),
    ]


async def test_a_plan_is_compared_with_the_strong_players_best_move(
    club: Club, search_pool: LocalPool
) -> None:
    table, person = await allowed(club, "own")
    seat = table.seat_of(person.id)
    assert seat is not None
    plan = await press(person, await opened(club, table, person), "plan:")
    assert "planjudge" not in verbs(plan)
    die = (await club.words(1, seat, "workers"))[0]
    plan = await choose(person, plan, "workers", die)

    judged = await press(person, plan, "planjudge:")

    text = wording(judged)
    assert re.search(r"⚖️ Your plan: \d\d?% to win · likely to finish .+\.", text)
    assert re.search("[Tt]he strong player('s best move| found nothing better)", text)
    assert "Your plan" in text
    assert "\n1. " in text
    ((_view, _decision, _seed, also),) = search_pool.asked
    assert list(also) == [("workers", die)]
    assert await club.done() == []
