"""Texts of Kogge that no recorded game shows."""

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
from tests.text.game_texts import EN, GameTexts
from tests.text.people import called

KOGGE = GameTexts("kogge")
IT = words_for("it")
NAMES = called("Anna", "Bob", 3, "Do_ra")
TEXT: Any = KOGGE.text


def first_view(options: dict[str, str]) -> View[KoggeState]:
    """Return the view of seat 0 after its first action."""
    state: KoggeState = GAME.setup(2, options, RandomChance(Random(1)))
    GAME.apply(state, 0, ("found", "3"), RandomChance(Random(1)))
    return GAME.view(state, 0)


# Questions and choices


def test_only_its_owner_is_shown_a_sealed_choice() -> None:
    state = follow("asked=found ships=-1,-1 hands=43,43 | 0 found 3")
    assert CITY_NAMES[3] in KOGGE.question(state)
    assert not any(name in KOGGE.question(state, 1) for name in CITY_NAMES)


def test_an_empty_ship_only_confirms_its_tax() -> None:
    state = follow("taxing hidden hands=-,o | 0 advance 1")
    assert "Your ship is empty" in KOGGE.question(state)


def test_a_deal_through_an_office_names_the_office() -> None:
    """Ruling 63. With only one way to deal with a player, their name is enough."""
    state = at("offices seats=3 ships=0,4,1 hands=o5,f6,s8 offices=4:0ff")
    view, made = GAME.view(state, 0), KOGGE.buttons(state, "offer")
    assert [*made] == ["guest1"]
    assert made["guest1"].text.endswith(", through your office in Riga (4)")
    assert made["guest1"].description == "There: 2 fur"
    partners = GAME.legal(state, 0, ("offer",))
    KOGGE.check_reading(partners, "offer", {"Bob": "guest1"}, view)
    assert "at your office" in TEXT(EN, NAMES, view).action(("offer", "guest1"))


OPTIONS_SHOWN: list[tuple[dict[str, str], list[str]]] = [
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


def test_the_board_lists_the_variants() -> None:
    for options, parts in OPTIONS_SHOWN:
        view = first_view(options)
        for text in (TEXT(EN, NAMES, view).board(), TEXT(EN, NAMES, view).alt(())):
            (line,) = [line for line in text.splitlines() if "Options: " in line]
            assert [part for part in parts if part not in line] == [], options
        edition = view.known.rules.edition
        assert len(edition) == len(set(edition))


def test_hidden_routes_are_counted_and_a_new_route_names_the_old_one() -> None:
    """Rule 3B e. With Memory, a route may lead to its own city."""
    state = at("memory ships=4,1 hands=oof88 routes=4:4?/1?")
    assert "2 rotte coperte" in KOGGE.at(state, words=IT).board()
    for line in ("peek o", "stop"):
        play(state, 0, line)
    left, right = (KOGGE.at(state).action_label(("reroute", way, "8")).text for way in ROUTES)
    assert left == "Change left route: your 8 (Kopenhagen), hidden, replaces 4 (back here)"
    assert right.endswith("replaces 1 (Stockholm)")
    unseen = KOGGE.at(state, 1).action_label(("reroute", "left", "8")).text
    assert unseen.endswith("replaces a hidden one")
    play(state, 0, "reroute left 8")
    board = KOGGE.at(state, words=IT).board()
    assert "Kopenhagen (coperta) e Stockholm (coperta)" in board


def test_labels_of_offers_differ() -> None:
    """Ruling 63: the same terms are possible between ships and through an office."""
    state = follow("offices seats=3 ships=4,4,4 hands=oo,ff offices=4:1f | 0 offer 1 o f")
    assert KOGGE.labels(state, "accept", 1) == {"1": "With Anna: 1 fur → 1 ore"}
    play(state, 0, "offer office1 o f")
    several = KOGGE.labels(state, "accept", 1)
    assert len(set(several.values())) == len(several) > 1


# The rules


def test_the_rules_have_the_numbers_of_the_game() -> None:
    cities = TEXT(EN).rules("cities")
    for good in CONTENT.goods:
        assert f"{good.total} {good.key}" in cities
    for number, (name, count) in enumerate(zip(CITY_NAMES, CONTENT.markers, strict=True)):
        assert f"{number} {name}" in cities
        assert f"{count} of {number}" in cities.replace("number ", "")
    ending = TEXT(EN).rules("ending")
    values = CONTENT.victory_points
    for item, points in (
        ("office", values.office),
        ("chit", values.chit),
        ("Raid", values.raid),
    ):
        assert re.search(rf"{item}.*: {points}$", ending, re.MULTILINE)
    for good in CONTENT.goods:
        assert f"{good.key} {good.points}" in ending


def test_a_refusal_says_what_is_wrong_and_what_to_do() -> None:
    text = KOGGE.refusal("needs_goods", "office", pieces="as", city=4)
    assert "**Riga (4)**" in text
    assert "1 🔮 amber and 1 🧂 salt" in text
    assert text.endswith("Trade for it, or build elsewhere.")
    assert "at least 1." in KOGGE.refusal("too_few", count=1)
    assert "at least 2." in KOGGE.refusal("too_few", count=2)
    assert "free" in KOGGE.refusal("wrong_fee", "movement", count=0)
    examples: dict[str, Fact] = {"word": "?", "param": "marker", "examples": ("4", "5")}
    assert "`Riga (4)` or `Danzig (5)`" in KOGGE.refusal("unreadable", "auction", **examples)


# Custom emoji

SUFFIX = "_0123abcd:1234567890123456789>"
WITH_EMOJI = EN.signed({name: f"<:{name}{SUFFIX}" for name in TITLES["kogge"].pictures.signs})
GIVE = Bundle("give", PIECE_LETTERS, (9,) * len(PIECE_LETTERS), minimum=0, maximum=9)


def as_typed(text: str) -> str:
    """Return the text with emoji as Discord writes them."""
    return text.replace(">", SUFFIX).replace("<", "<:kogge_")


def test_pasted_emoji_can_be_read() -> None:
    for typed, word in {
        "2 <ore> ore and 1 <fur> fur": "oof",
        "<salt>": "s",
        "2 <salt>, <marker_5> <marker_3>": "ss53",
        "4×<marker_0> <amber>": "a0000",
    }.items():
        KOGGE.check_reading(GIVE, "offer", {as_typed(typed): GIVE.sort(word)})
    KOGGE.check_reading(OneOf("good", GOOD_KEYS), "offer", {as_typed("<salt>"): "salt"})
    KOGGE.check_reading(OneOf("marker", ("3", "5")), "offer", {as_typed("<marker_5>"): "5"})


def test_cities_can_be_read_by_their_italian_and_english_names() -> None:
    markers = Bundle("markers", MARKER_LETTERS, (9,) * CITIES, 1, 20)
    KOGGE.check_reading(markers, "bid", {"Danzica, Lubecca": "75", "copenaghen + gdansk": "85"})
    marker = OneOf("marker", tuple(map(str, range(CITIES))))
    named = {"Stoccolma": "1", "Turku": "2", "Stralsunda 6": "6", "Copenhagen": "8"}
    KOGGE.check_reading(marker, "found", named)
    state = at("asked=move ships=4,4 routes=4:1/8")
    routes, view = OneOf("route", ("left", "right")), GAME.view(state, 0)
    KOGGE.check_reading(routes, "sail", {"stoccolma": "left", "Copenaghen": "right"}, view)
    assert "Stoccolma" in TEXT(IT).rules("cities")


def test_a_hand_too_long_for_custom_emoji_has_plain_ones() -> None:
    view = first_view({"goods": "open"})
    view.known.offers = [Offer(n, 0, 1, "oofas", "8877665544332211") for n in range(2)]
    view.known.players[0].goods, view.known.players[0].markers = [9] * 4, [3] * 9
    hand = TEXT(WITH_EMOJI, NAMES, view).hand()
    assert "8️⃣ 8️⃣ 8️⃣" in hand
    assert "…" not in hand


def test_the_points_after_the_last_lap_are_those_of_the_result() -> None:
    for name in [each for each in names(GAME) if "-laps-" in each][::9]:
        *_, (_, last) = fold(GAME, read_record(GAME, name))
        outcome = GAME.outcome(last)
        assert outcome is not None
        assert TEXT(EN, (), GAME.view(last, SPECTATOR)).scores() == outcome.scores, name
