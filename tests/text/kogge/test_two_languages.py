"""What whole games say in English and in Italian, and the Italian names of cities."""

from __future__ import annotations

import re

import pytest

from bot.game.choices import Bundle, OneOf
from bot.game.contract import in_turn
from bot.game.kogge.data import CITIES, MARKER_LETTERS
from bot.game.trial import views_before
from bot.text.words import Words, words_for
from bot.titles import TITLES
from tests.game.kogge.places import RIGA, STOCKHOLM
from tests.game.kogge.positions import play, table
from tests.policy.menus import offered
from tests.text.moments import moments_of
from tests.text.people import called
from tests.text.told import Told

TITLE, KOGGE = TITLES["kogge"], Told("kogge")
GAME, TEXT = TITLE.game, TITLE.text
EN, IT = words_for("en"), words_for("it")
NAMES = called("Anna", "Elena", "Åbo", "Bert")
TABLES: tuple[tuple[int, dict[str, str]], ...] = (
    (4, {}),
    (3, {"goods": "open", "taxes": "on"}),
    (3, dict.fromkeys(("taxes", "offices", "conflicts", "memory"), "on")),
)
OBJECT = re.compile(
    r"\b(?:prende|pretende|ottiene|dà|offre|riceve|paga|trova|punta|carica|vende|segnalini|"
    r"merci|pagare|Prendi|Pretendi|Ricevi|Offri|Paga|Dai|Dare|Hai) niente\b"
)
ONE_AS_MANY = re.compile(r"(\S+) (?:🪨 |🦊 |🔮 |🧂 )?(?:minerali|pellicce|ambre|sali)\b")
MAY_BE_MANY = ("senza", "ha", "più", "Produce", "di")


def faults(words: Words, said: str) -> list[str]:
    """What is wrong with a text."""
    wrong = [said] if re.search(r": ?[.,;)]|\(\)|  |: $", said) else []
    if words is IT:
        wrong += OBJECT.findall(said)
        wrong += [
            found[0]
            for found in ONE_AS_MANY.finditer(said)
            if found[1] == "1" or not (found[1][-1].isdigit() or found[1] in MAY_BE_MANY)
        ]
    return wrong


@pytest.mark.parametrize("words", [EN, IT], ids=["en", "it"])
def test_nothing_is_given_or_one_good_called_several_and_no_list_is_empty(words: Words) -> None:
    for seats, options in TABLES:
        for moment in moments_of(GAME, seats, 3, options):
            heard = [each for each in moment.events if each.heard_by(moment.decision.seat)]
            view = GAME.view(moment.state, moment.decision.seat)
            for said in (
                *TEXT(words, NAMES).story(heard),
                TEXT(words, NAMES, view).board(),
                TEXT(words, NAMES, view).hand(),
                TEXT(words, NAMES, view).alt(heard),
                TEXT(words, NAMES, moment.view).action(moment.action),
            ):
                assert faults(words, said) == [], said


@pytest.mark.parametrize("words", [EN, IT], ids=["en", "it"])
def test_no_entry_of_a_menu_is_cut(words: Words) -> None:
    for each in offered(TITLE, 41):
        for action in each.menu:
            views = views_before(GAME, each.view, in_turn(action))
            label = TEXT(words, NAMES).whole(action, views)
            for text in (label.text, label.description or ""):
                assert not re.search(r"\w ?…", text), text
                assert faults(words, text) == []


def test_cities_are_read_by_their_italian_and_english_names() -> None:
    markers = Bundle("markers", MARKER_LETTERS, (9,) * CITIES, 1, 20)
    KOGGE.check_reading(markers, "bid", {"Danzica, Lubecca": "75", "copenaghen + gdansk": "85"})
    marker = OneOf("marker", tuple(map(str, range(CITIES))))
    named = {"Stoccolma": "1", "Turku": "2", "Stralsunda 6": "6", "Copenhagen": "8"}
    KOGGE.check_reading(marker, "found", named)
    state = table(ships=(RIGA, RIGA), asked="move", routes={RIGA: ("1", "8")})
    routes, view = OneOf("route", ("left", "right")), GAME.view(state, 0)
    KOGGE.check_reading(routes, "sail", {"stoccolma": "left", "Copenaghen": "right"}, view)
    assert "Stoccolma" in TEXT(IT).rules("cities")


def test_hidden_routes_are_counted_and_a_change_says_side_price_and_old_route() -> None:
    """Rule 3B e; with Memory a route may lead to its own city."""
    ways = dict.fromkeys(range(2, CITIES), ("0?", "1?")) | {0: ("1?", "2?"), 1: ("0?", "2?")}
    ways |= {RIGA: ("4?", "1?")}
    state = table(
        ships=(RIGA, STOCKHOLM),
        hands=("oof88",),
        asked="move",
        routes=ways,
        options={"memory": "on"},
    )
    assert "2 rotte coperte" in TEXT(IT, NAMES, GAME.view(state, 0)).board()
    for line in ("peek o", "stop"):
        play(state, 0, line)

    def entry(route: str) -> str:
        return TEXT(EN, NAMES).whole(("reroute", route, "8"), [GAME.view(state, 0)]).text

    assert entry("left") == "Change left route: your 8 (Kopenhagen), hidden, replaces 4 (back here)"
    assert entry("right").endswith("replaces 1 (Stockholm)")
    unseen = TEXT(EN, NAMES).whole(("reroute", "left", "8"), [GAME.view(state, 1)]).text
    assert unseen.endswith("replaces a hidden one")
    play(state, 0, "reroute left 8")
    board = TEXT(IT, NAMES, GAME.view(state, 0)).board()
    assert "Kopenhagen (coperta) e Stockholm (coperta)" in board


def test_offers_are_told_apart() -> None:
    """Ruling 63: the same may be offered ship to ship and through an office."""
    state = table(
        seats=3,
        ships=(RIGA,) * 3,
        hands=("oo", "ff", ""),
        offices={RIGA: [(1, "f")]},
        options={"offices": "on"},
    )
    play(state, 0, "offer 1 o f")
    assert KOGGE.labels(state, "accept", 1) == {"1": "With Anna: 1 fur → 1 ore"}
    play(state, 0, "offer office1 o f")
    several = KOGGE.labels(state, "accept", 1)
    assert len(set(several.values())) == len(several) > 1
