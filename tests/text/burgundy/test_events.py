"""Events in words."""

from __future__ import annotations

import pytest

from bot.game.burgundy.events import EVENTS
from bot.game.contract import Fact, UntypedEvent
from bot.text.burgundy.events import TEMPLATES
from bot.text.burgundy.game_text import BurgundyText
from bot.text.registry import TEXTS
from bot.text.words import Forms, placeholders, words_for
from tests.text.people import called

TEXT, EN = TEXTS["burgundy"], words_for("en")
NAMES = called("Anna", "Bob", 3, "Do_ra")


def told(kind: str, **facts: Fact) -> str | None:
    return TEXT.event(EN, UntypedEvent(kind, facts), NAMES)


def test_every_kind_of_event_has_a_template() -> None:
    assert set(TEMPLATES) == set(EVENTS)


@pytest.mark.parametrize("kind", EVENTS)
def test_templates_ask_only_for_facts_of_the_event(kind: str) -> None:
    known = {*EVENTS[kind], *(("region",) if "colour" in EVENTS[kind] else ())}
    for line in TEMPLATES[kind].lines:
        texts = line.text if isinstance(line.text, Forms) else (line.text,)
        for text in texts:
            assert placeholders(text) <= known
        assert line.fact is None or line.fact in EVENTS[kind]


@pytest.mark.parametrize("kind", EVENTS)
def test_the_last_line_of_a_template_always_suits(kind: str) -> None:
    assert TEMPLATES[kind].lines[-1].fact is None


def test_a_die_is_named_and_workers_only_where_they_are_paid() -> None:
    facts: dict[str, Fact] = {"seat": 3, "tile": "cow3", "depot": "4"}
    assert told("taken", **facts, die="4", spent=0) == (
        r"**Do\_ra** takes 🐄 3 cows from depot 4 (⚃ 4)."
    )
    assert "(⚄ 5, 1 worker)" in (told("taken", **facts, die="5", spent=1) or "")
    assert told("taken", **facts, die="any", spent=0) == (
        r"**Do\_ra** takes 🐄 3 cows from depot 4."
    )


def test_a_whole_turn_with_its_effects_is_one_line() -> None:
    events = [
        UntypedEvent(
            "placed", {"seat": 2, "tile": "market", "space": "c3", "die": "2", "spent": 1}
        ),
        UntypedEvent(
            "region_completed",
            {"seat": 2, "colour": "building", "count": 3, "points": 6, "bonus": 8},
        ),
        UntypedEvent("taken", {"seat": 2, "tile": "ship", "depot": "1", "die": "any", "spent": 0}),
        UntypedEvent("workers_taken", {"seat": 2, "die": "4", "workers": 2, "silverlings": 0}),
        UntypedEvent("turn_ended", {"seat": 2}),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "**<@3>** places 🏠 Market on **c3** (⚁ 2, 1 worker), completes a 🏠 city of 3 spaces: "
        "6 points, and 8 points for the phase, takes ⛵ Ship from depot 1, takes 2 workers (⚃ 4)."
    ]


def test_a_new_phase_and_round_take_two_lines() -> None:
    events = [
        UntypedEvent("phase_began", {"phase": "B", "goods": ("1", "1", "4", "2", "6")}),
        *(UntypedEvent("depot_filled", {"depot": d, "tiles": ("ship",)}) for d in ("1", "black")),
        UntypedEvent("round_began", {"phase": "B", "round": 1, "seats": (1, 0)}),
        UntypedEvent("rolled", {"seat": 1, "dice": (4, 2)}),
        UntypedEvent("rolled", {"seat": 0, "dice": (6, 6)}),
        UntypedEvent("goods_placed", {"depot": "5", "good": "1"}),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "📦 Phase B begins, and the depots are filled. Goods to come: 1, 1, 4, 2, 6.",
        "🎲 Round B1 · **Bob** ⚃4 ⚁2 · **Anna** ⚅6 ⚅6 · goods of type 1 to depot 5.",
    ]


def test_large_regions_and_whole_colours_are_remembered_best() -> None:
    facts: dict[str, Fact] = {"seat": 0, "colour": "building", "count": 3}
    small = UntypedEvent("region_completed", {**facts, "points": 1, "bonus": 2})
    large = UntypedEvent("region_completed", {**facts, "points": 36, "bonus": 10})
    colour = UntypedEvent("colour_completed", {"seat": 0, "colour": "ship", "rank": 1, "points": 7})
    turn = UntypedEvent("turn_ended", {"seat": 0})
    text = BurgundyText()
    assert [text.weight(each) for each in (turn, small, colour, large)] == [0, 1, 7, 9]


def test_the_last_points_of_a_player_share_a_line_and_zeros_go_without_saying() -> None:
    events = [
        UntypedEvent("scored", {"seat": 0, "item": "left_goods", "points": 2}),
        UntypedEvent("scored", {"seat": 0, "item": "silverlings", "points": 0}),
        UntypedEvent("scored", {"seat": 0, "item": "knowledge", "points": 12}),
        UntypedEvent("game_ended", {"ending": "points"}),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "At the end **Anna** scores 2 points (Goods left), 12 points (Knowledge).",
        "🏆 The game has ended. Most points win.",
    ]
