"""Events in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.game.burgundy import GAME
from bot.game.burgundy.dice import WorkersTaken
from bot.game.burgundy.ending import Scored
from bot.game.burgundy.placing import ColourCompleted, Placed, RegionCompleted
from bot.game.burgundy.rounds import DepotFilled, GoodsPlaced, PhaseBegan, Rolled, RoundBegan
from bot.game.burgundy.storing import Taken
from bot.game.burgundy.turn import Lapsed
from bot.game.contract import Event
from bot.game.events import GameEnded, TurnEnded
from bot.text.burgundy.game_text import BurgundyText
from bot.text.words import Forms, placeholders, words_for
from bot.titles import TITLES
from tests.text.people import called

TEXT, EN = TITLES.texts["burgundy"], words_for("en")
NAMES = called("Anna", "Bob", 3, "Do_ra")


def told(event: Event) -> str | None:
    return TEXT.event(EN, event, NAMES)


@pytest.mark.parametrize("kind", GAME.events)
def test_templates_ask_only_for_fields_of_the_event(kind: str) -> None:
    fields = set(GAME.events[kind].__struct_fields__)
    known = fields | ({"region"} if "colour" in fields else set())
    for line in BurgundyText().templates[kind].lines:
        texts = line.text if isinstance(line.text, Forms) else (line.text,)
        for text in texts:
            assert placeholders(text) <= known


def test_a_die_is_named_only_where_workers_change_it() -> None:
    taken = Taken(seat=3, tile="cow3", depot="4", die="4", spent=0)
    assert told(taken) == r"**Do\_ra** takes 🐄 3 cows from depot 4."
    assert "(⚄ 5, 1 worker)" in (told(replace(taken, die="5", spent=1)) or "")


def test_a_whole_turn_with_its_effects_is_one_line() -> None:
    events: list[Event] = [
        Placed(seat=2, tile="market", space="c3", die="2", spent=1),
        RegionCompleted(seat=2, colour="building", count=3, points=6, bonus=8),
        Taken(seat=2, tile="ship", depot="1", die="any", spent=0),
        WorkersTaken(seat=2, die="4", workers=2, silverlings=0),
        TurnEnded(seat=2),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "**<@3>** places 🏠 Market on **c3** (⚁ 2, 1 worker), completes the 3-space 🏠 city: "
        "6 points, +8 for the phase, takes ⛵ Ship from depot 1, takes 2 workers."
    ]


def test_in_short_what_is_placed_goes_before_what_is_taken() -> None:
    events: list[Event] = [
        Taken(seat=0, tile="boarding_house", depot="6", die="5", spent=1),
        Placed(seat=0, tile="boarding_house", space="c3", die="4", spent=1),
        RegionCompleted(seat=0, colour="building", count=1, points=1, bonus=10),
        Lapsed(seat=0, tile="city_hall"),
    ]
    (line,) = TEXT.brief(EN, events, NAMES)
    assert line.untold == 2
    assert "places 🏠 Boarding House on **c3**" in line.text
    assert "completes" in line.text


def test_a_new_phase_and_round_take_two_lines() -> None:
    events: list[Event] = [
        PhaseBegan(phase="B", goods=("1", "1", "4", "2", "6")),
        *(DepotFilled(depot=d, tiles=("ship",)) for d in ("1", "black")),
        RoundBegan(phase="B", round=1, seats=(1, 0)),
        Rolled(seat=1, dice=(4, 2)),
        Rolled(seat=0, dice=(6, 6)),
        GoodsPlaced(depot="5", good="1"),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "📦 Phase B: depots refilled. Goods to come: 1, 1, 4, 2, 6.",
        "🎲 Round B1 · **Bob** ⚃4 ⚁2 · **Anna** ⚅6 ⚅6 · goods of type 1 to depot 5.",
    ]


def test_large_regions_and_whole_colours_are_remembered_best() -> None:
    small = RegionCompleted(seat=0, colour="building", count=3, points=1, bonus=2)
    large = RegionCompleted(seat=0, colour="building", count=3, points=36, bonus=10)
    colour = ColourCompleted(seat=0, colour="ship", rank=1, points=7)
    turn = TurnEnded(seat=0)
    text = BurgundyText()
    assert [text.weight(each) for each in (turn, small, colour, large)] == [0, 1, 7, 9]


def test_the_last_points_of_a_player_share_a_line_and_zeros_go_without_saying() -> None:
    events: list[Event] = [
        Scored(seat=0, item="left_goods", points=2),
        Scored(seat=0, item="silverlings", points=0),
        Scored(seat=0, item="knowledge", points=12),
        GameEnded(ending="points"),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "**Anna** at the end: 2 points (Goods left), 12 points (Knowledge).",
        "🏆 Game over. Most points win.",
    ]
