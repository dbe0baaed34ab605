"""Kogge in words, where no recorded game says them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.choices import Bundle, OneOf
from bot.game.contract import SPECTATOR, Fact
from bot.game.hidden import View
from bot.game.kogge import GAME
from bot.game.kogge.data import (
    CITIES,
    CITY_NAMES,
    CONTENT,
    GOOD_KEYS,
    MARKER_LETTERS,
    PIECE_LETTERS,
)
from bot.game.kogge.routes import ROUTES
from bot.game.kogge.state import KoggeState, Offer
from bot.tables.core.record import fold
from bot.text.words import words_for
from bot.titles import TITLES
from tests.game.kogge.positions import at, follow, play
from tests.recorded.results import names, read_record
from tests.text.people import called
from tests.text.told import EN, Told

KOGGE = Told("kogge")
IT = words_for("it")
NAMES = called("Anna", "Bob", 3, "Do_ra")
TEXT: Any = KOGGE.text


def begun(options: dict[str, str]) -> View[KoggeState]:
    """What the first seat sees after its first action."""
    state: KoggeState = GAME.setup(2, options, RandomChance(Random(1)))
    GAME.apply(state, 0, ("found", "3"), RandomChance(Random(1)))
    return GAME.view(state, 0)


# What is asked


def test_a_sealed_choice_is_said_back_to_its_owner_alone() -> None:
    state = follow("asked=found ships=-1,-1 hands=43,43 | 0 found 3")
    assert CITY_NAMES[3] in KOGGE.question(state)
    assert not any(name in KOGGE.question(state, 1) for name in CITY_NAMES)


def test_an_empty_ship_is_not_promised_that_nobody_learns_of_it() -> None:
    """Where it lies alone, what came in altogether tells all."""
    state = follow("taxing hidden hands=-,o | 0 advance 1")
    assert "Your ship is empty" in KOGGE.question(state)
    assert "nobody knows" not in KOGGE.question(state)


def test_the_owner_of_an_office_is_told_by_which_one_they_would_deal() -> None:
    """Ruling 63; where the ship is met in one way only, the name alone means it."""
    state = at("offices seats=3 ships=0,4,1 hands=o5,f6,s8 offices=4:0ff")
    view, made = GAME.view(state, 0), KOGGE.made(state, "offer")
    assert [*made] == ["guest1"]
    assert made["guest1"].text.endswith(", through your office in Riga (4)")
    assert made["guest1"].description == "There: 2 fur"
    partners = GAME.legal(state, 0, ("offer",))
    KOGGE.check_reading(partners, "offer", {"Bob": "guest1"}, view)
    assert "at your office" in TEXT(EN, NAMES, view).action(("offer", "guest1"))


PLAYED_BY: list[tuple[dict[str, str], list[str]]] = [
    ({}, ["English rules", "secret marker numbers"]),
    ({"goods": "open"}, ["English rules", "open hands"]),
    ({"edition": "italian", "memory": "on"}, ["Italian rules", "Memory"]),
    (
        {"edition": "italian", "office_price": "both"},
        ["English rules", "Failed route: no step lost"],
    ),
    (
        {"memory": "on", "memory_fur": "three", "conflicts": "on"},
        ["English rules", "hidden hands", "Start with Memory: three fur"],
    ),
]


def test_the_board_says_what_is_played_by() -> None:
    for options, said in PLAYED_BY:
        view = begun(options)
        for text in (TEXT(EN, NAMES, view).board(), TEXT(EN, NAMES, view).alt(())):
            (line,) = [line for line in text.splitlines() if "Options: " in line]
            assert [part for part in said if part not in line] == [], options
        edition = view.known.rules.edition
        assert len(edition) == len(set(edition))


def test_hidden_routes_are_counted_and_a_change_says_side_price_and_old_route() -> None:
    """Rule 3B e; with Memory a route may lead to its own city."""
    state = at("memory ships=4,1 hands=oof88 routes=4:4?/1?")
    assert "2 rotte coperte" in KOGGE.at(state, words=IT).board()
    for line in ("peek o", "stop"):
        play(state, 0, line)
    left, right = (KOGGE.at(state).whole(("reroute", way, "8")).text for way in ROUTES)
    assert left == "Change left route: your 8 (Kopenhagen), hidden, replaces 4 (back here)"
    assert right.endswith("replaces 1 (Stockholm)")
    unseen = KOGGE.at(state, 1).whole(("reroute", "left", "8")).text
    assert unseen.endswith("replaces a hidden one")
    play(state, 0, "reroute left 8")
    board = KOGGE.at(state, words=IT).board()
    assert "Kopenhagen (coperta) e Stockholm (coperta)" in board


def test_offers_are_told_apart() -> None:
    """Ruling 63: the same may be offered ship to ship and through an office."""
    state = follow("offices seats=3 ships=4,4,4 hands=oo,ff offices=4:1f | 0 offer 1 o f")
    assert KOGGE.labels(state, "accept", 1) == {"1": "With Anna: 1 fur → 1 ore"}
    play(state, 0, "offer office1 o f")
    several = KOGGE.labels(state, "accept", 1)
    assert len(set(several.values())) == len(several) > 1


# The rules


def test_the_rules_say_the_numbers_that_are_played_by() -> None:
    said = TEXT(EN).rules("cities")
    for good in CONTENT.goods:
        assert f"{good.total} {good.key}" in said
    for number, (name, count) in enumerate(zip(CITY_NAMES, CONTENT.markers, strict=True)):
        assert f"{number} {name}" in said
        assert f"{count} of {number}" in said.replace("number ", "")
    ending = TEXT(EN).rules("ending")
    worth = CONTENT.victory_points
    for item, points in (("office", worth.office), ("chit", worth.chit), ("Raid", worth.raid)):
        assert re.search(rf"{item}.*: {points}$", ending, re.MULTILINE)
    for good in CONTENT.goods:
        assert f"{good.key} {good.points}" in ending


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    text = KOGGE.refusal("needs_goods", "office", pieces="as", city=4)
    assert "**Riga (4)**" in text
    assert "1 🔮 amber and 1 🧂 salt" in text
    assert text.endswith("Trade for it, or build elsewhere.")
    assert "at least 1." in KOGGE.refusal("too_few", count=1)
    assert "at least 2." in KOGGE.refusal("too_few", count=2)
    assert "free" in KOGGE.refusal("wrong_fee", "movement", count=0)
    examples: dict[str, Fact] = {"word": "?", "param": "marker", "examples": ("4", "5")}
    assert "`Riga (4)` or `Danzig (5)`" in KOGGE.refusal("unreadable", "auction", **examples)


# The pieces' own signs

ADDED = "_0123abcd:1234567890123456789>"
SIGNED = EN.signed({name: f"<:{name}{ADDED}" for name in TITLES["kogge"].pictures.signs})
GIVEN = Bundle("give", PIECE_LETTERS, (9,) * len(PIECE_LETTERS), minimum=0, maximum=9)


def long(text: str) -> str:
    """The same text as Discord writes its signs."""
    return text.replace(">", ADDED).replace("<", "<:kogge_")


def test_pasted_signs_are_understood() -> None:
    for typed, word in {
        "2 <ore> ore and 1 <fur> fur": "oof",
        "<salt>": "s",
        "2 <salt>, <marker_5> <marker_3>": "ss53",
        "4×<marker_0> <amber>": "a0000",
    }.items():
        KOGGE.check_reading(GIVEN, "offer", {long(typed): GIVEN.sort(word)})
    KOGGE.check_reading(OneOf("good", GOOD_KEYS), "offer", {long("<salt>"): "salt"})
    KOGGE.check_reading(OneOf("marker", ("3", "5")), "offer", {long("<marker_5>"): "5"})


def test_cities_are_read_by_their_italian_and_english_names() -> None:
    markers = Bundle("markers", MARKER_LETTERS, (9,) * CITIES, 1, 20)
    KOGGE.check_reading(markers, "bid", {"Danzica, Lubecca": "75", "copenaghen + gdansk": "85"})
    marker = OneOf("marker", tuple(map(str, range(CITIES))))
    named = {"Stoccolma": "1", "Turku": "2", "Stralsunda 6": "6", "Copenhagen": "8"}
    KOGGE.check_reading(marker, "found", named)
    state = at("asked=move ships=4,4 routes=4:1/8")
    routes, view = OneOf("route", ("left", "right")), GAME.view(state, 0)
    KOGGE.check_reading(routes, "sail", {"stoccolma": "left", "Copenaghen": "right"}, view)
    assert "Stoccolma" in TEXT(IT).rules("cities")


def test_a_hand_that_is_too_long_with_its_own_signs_is_told_with_plain_ones() -> None:
    view = begun({"goods": "open"})
    view.known.offers = [Offer(n, 0, 1, "oofas", "8877665544332211") for n in range(2)]
    view.known.players[0].goods, view.known.players[0].markers = [9] * 4, [3] * 9
    hand = TEXT(SIGNED, NAMES, view).hand()
    assert "8️⃣ 8️⃣ 8️⃣" in hand
    assert "…" not in hand


def test_at_the_end_by_laps_the_points_are_those_of_the_result() -> None:
    for name in [each for each in names(GAME) if "-laps-" in each][::9]:
        *_, (_, last) = fold(GAME, read_record(GAME, name))
        outcome = GAME.outcome(last)
        assert outcome is not None
        assert TEXT(EN, (), GAME.view(last, SPECTATOR)).scores() == outcome.scores, name
