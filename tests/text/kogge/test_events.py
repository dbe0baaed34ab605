"""Events in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.game.contract import Event
from bot.game.events import TurnEnded
from bot.game.kogge import GAME
from bot.game.kogge.auction import Bid, NoBid, Supplied, SupplyShort
from bot.game.kogge.guild_master import GuildMasterBrought, GuildMasterMoved, LapCompleted
from bot.game.kogge.movement import GoodsLoaded, Sailed, Stopped
from bot.game.kogge.offers import OfferDeclined
from bot.game.kogge.trade import PairBought
from bot.text.kogge.game_text import KoggeText
from bot.text.words import Forms, placeholders, words_for
from tests.text.kogge.tables import moments
from tests.text.people import called

TEXT, EN = KoggeText(), words_for("en")
NAMES = called("Anna", "Bob", 3, "Do_ra")


def told(event: Event) -> str | None:
    return TEXT.event(EN, event, NAMES)


@pytest.mark.parametrize("kind", GAME.events)
def test_templates_ask_only_for_facts_of_the_event(kind: str) -> None:
    for line in TEXT.templates[kind].lines:
        texts = line.text if isinstance(line.text, Forms) else (line.text,)
        for text in texts:
            assert placeholders(text) <= set(GAME.events[kind].__struct_fields__)


def test_a_free_step_and_a_paid_one_are_told_apart() -> None:
    free = Sailed(seat=0, city=4, to=3, route="left", fee="")
    assert told(free) == "**Anna** sails to **Reval (3)**."
    paid = told(replace(free, fee="o"))
    assert paid == "**Anna** pays 1 🪨 ore and sails on to **Reval (3)**."
    secret = told(replace(free, route="secret", fee="5"))
    assert secret == "**Anna** takes the secret route to **Reval (3)**, paying 5️⃣."


def test_mentions_pass_and_other_names_are_escaped() -> None:
    declined = OfferDeclined(seat=2, other=3)
    assert told(declined) == r"**<@3>** declines **Do\_ra**'s offer."


def test_what_says_nothing_new_is_worth_no_line() -> None:
    assert told(TurnEnded(seat=0)) is None
    assert told(Supplied(city=2, good="ore", count=0, seats=())) is None


def test_the_doings_of_a_turn_share_a_line() -> None:
    events = [
        Sailed(seat=0, city=4, to=3, route="left", fee=""),
        GoodsLoaded(seat=0, city=3, pieces="ff"),
        Stopped(seat=0, city=3),
        PairBought(seat=0, pieces="53", good="ore"),
        TurnEnded(seat=0),
        Sailed(seat=1, city=4, to=3, route="left", fee=""),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "**Anna** sails to **Reval (3)**, loads 2 🦊 fur, buys the pair 5️⃣ 3️⃣ for 🪨 ore.",
        "**Bob** sails to **Reval (3)**.",
    ]


def test_bids_share_a_line_and_so_do_new_goods() -> None:
    events = [
        Bid(seat=0, pieces="5"),
        NoBid(seat=1),
        Supplied(city=4, good="fur", count=2, seats=(0,)),
        Supplied(city=2, good="ore", count=0, seats=()),
        SupplyShort(city=2, good="ore", count=2),
    ]
    assert TEXT.story(EN, events, NAMES) == [
        "**Anna** bids 5️⃣, **Bob** makes no bid.",
        "New goods: 2 🦊 fur to **Riga (4)** (offices first: **Anna**), "
        "no 🪨 ore left for **Åbo (2)**.",
    ]


def test_the_guild_masters_move_and_what_it_brings_are_one_short_line_of_who_moves_him() -> None:
    events = [
        GuildMasterMoved(seat=0, city=4, count=2),
        GuildMasterBrought(city=4, good="fur", count=2),
        LapCompleted(count=1),
        Sailed(seat=0, city=3, to=4, route="left", fee=""),
    ]
    assert [line.text for line in TEXT.brief(EN, events, NAMES)] == [
        "**Anna** moves the guild master to **Riga (4)**. The city gets 2 🦊 fur. "
        "🏁 Lap 1 is complete.",
        "**Anna** sails to **Riga (4)**.",
    ]


def test_many_equal_markers_are_counted() -> None:
    assert told(Bid(seat=0, pieces="77773")) == "**Anna** bids 4×7️⃣ 3️⃣."


@pytest.mark.parametrize("goods", ["open", "hidden"])
def test_every_event_of_a_game_can_be_told(goods: str) -> None:
    seen = set()
    for seed in range(3):
        for moment in moments(4, seed, {"goods": goods}):
            for event in moment.events:
                seen.add(event.kind)
                assert type(event) is GAME.events[event.kind]
                line = TEXT.event(EN, event, NAMES)
                assert line is None or "{" not in line
    assert {"sailed", "looted" if goods == "open" else "looted_secretly", "game_ended"} <= seen
