"""Texts of Flandern 1302 that no recorded game has."""

from __future__ import annotations

from random import Random

from bot.game.chance import RandomChance
from bot.game.choices import OneOf
from bot.game.flandern import GAME
from bot.game.flandern.data import ACTION_CARDS, CARDS, GOLDEN
from bot.text.flandern.words import FlandernWords
from bot.text.words import words_for
from tests.game.flandern.positions import draw, play, play_alone, reveal_golden, table
from tests.text.game_texts import GameTexts

FLANDERN = GameTexts("flandern")
TEXT, labels = FLANDERN.words, FLANDERN.labels


# Questions and texts of the table


def test_a_chosen_card_is_shown_in_the_question_and_face_down_in_the_hand() -> None:
    state = table(golden="leader", opened=("gent",), influence=2)
    play(state, 0, "choose site 1")
    assert FLANDERN.question(state) == (
        "You play **Site** with 1 influence card. You can change it until everyone has chosen."
    )
    hand = FLANDERN.at(state).hand().splitlines()
    assert hand[:4] == [
        "**Face down:** Site with 1 influence card",
        "**Your golden card:** Leader",
        "**Hand:** Brugge, Ieper, Leuven, Utrecht, Luik, Site and Take",
        "**Influence cards:** 2",
    ]


def test_a_hand_has_no_cards_before_the_first_round() -> None:
    state = GAME.setup(3, {}, RandomChance(Random(1)))
    assert FLANDERN.at(state).hand() == ("No cards yet: everyone is still choosing a guild.")
    assert FLANDERN.at(state).board().startswith("Set-up\n**")


def test_the_rules_have_the_numbers_of_golden_cards_by_option_and_players() -> None:
    for cities, chosen in ((1, "once"), (2, "twice")):
        decks = GOLDEN[cities]
        counts = {card: sum(deck[CARDS.index(card)] for deck in decks) for card in CARDS}
        cards, less = sum(counts.values()), sum(counts.values()) - cities
        rules = TEXT.rules("golden")
        (line,) = (each for each in rules.splitlines() if each.startswith(f"- *{chosen}:*"))
        assert f"Both together have {cards} cards" in rules
        assert f"{counts['influence']} influence" in line
        assert f"{less} cards with three" in line or f"{less} with three" in line


# Labels


def test_labels_name_the_remaining_pieces_and_the_end_of_a_two_player_turn() -> None:
    four = "t1 {0} site, t2 {1} site, t3 {0} site, t4 {1} site"
    cities = {"brugge": four.format("red", "green"), "luik": four.format("yellow", "blue")}
    state = table(cities={**cities, "gent": "t1 grey site, t2 yellow site"})
    assert labels(state, "choose")["site"] == "Site: no site pieces left now"
    last = table(opened=("brugge gent ieper leuven utrecht luik site",))
    assert labels(last) == {"choose": "Play Take with influence cards"}
    two = table(seats=2, opened=("brugge gent ieper leuven utrecht luik",))
    assert labels(two)["play"] == "Play Site: 24 plots in 6 cities · 10 site pieces left"
    state = table(seats=2)
    assert not any("end turn" in label for label in labels(state).values())
    play(state, 0, "take")
    draw(state, "blue gent")
    built = FLANDERN.at(state).action_label(("build", "gent-t1", "grey"))
    assert built.text == "Grey → T1 · worth 2 (Red 2), then end turn"


# Refusals


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    gent = "t1 yellow, t2 covered, p1 red, r2 covered, r1 grey site, t4 blue site"
    state = table(cities={"gent": gent})
    play_alone(state, "gent")
    for line, expected in {
        "build luik-t1": "Your card is for Gent, not for **Luik T1**.",
        "build gent-t1": "There's already a quarter at **Gent T1**.",
        "build gent-t2": "**Gent T2** is covered: nothing can be built there.",
        "build gent-r5": "There's no plot **Gent R5**: no church quarter has added it.",
        "build gent-r3": "Nothing has been built along the long side of **Gent R3** yet.",
        "build gent-t3 green": "You can't build a green quarter with this card.",
        "build gent-t3 red": "There's already a red quarter next to **Gent T3**",
        "build gent-t3 church-a": "A church quarter A doesn't have the shape of **Gent T3**.",
        "build gent-p2 church-d-r2": "Quarter D also covers that bar next to **Gent P2**",
        "complete gent-p1": "There's no site at **Gent P1**.",
        "complete gent-t4": "There's a blue site at **Gent T4**",
        "cathedral luik-c": "You can't place a cathedral now: a city card is being played.",
    }.items():
        assert FLANDERN.refused(state, line).startswith(expected)
    golden = table(golden="leader", cities={"gent": "t1 yellow"})
    reveal_golden(golden)
    no_leader = "There's a yellow quarter at **Gent T1**, but your leader can only go"
    assert FLANDERN.refused(golden, "leader gent-t1").startswith(no_leader)
    expected = "You've already played Gent; Take brings it back."
    assert FLANDERN.refusal("card_lies_open", card="gent").startswith(expected)
    taken = "🔴 Red is already taken. Choose another guild."
    assert FLANDERN.refusal("guild_taken", guild="red") == taken


# Typed words


PLACE = OneOf("place", ("gent-t1", "gent-p1", "gent-r2", "gent-r5"))
PLACES = OneOf("place", ("gent-t1", "gent-t2", "luik-t1", "luik-c"))
TILE = OneOf("tile", ("red", "red-leader", "grey", "church", "church-a", "church-d-r1"))
GUILD = OneOf("guild", ("red", "blue"))


def test_typed_words_are_understood() -> None:
    gent = {"gent-t1": "gent-t1", "Gent T1": "gent-t1", "P1": "gent-p1", "r 2": "gent-r2"}
    luik = {"luik t1": "luik-t1", "Luik centre": "luik-c", "centre": "luik-c"}
    leader = dict.fromkeys(("red with leader", "red leader", "leader"), "red-leader")
    church = {"church": "church", "church a": "church-a", "A": "church-a"}
    quarter_d = dict.fromkeys(("d r1", "D with r1", "church d r1"), "church-d-r1")
    for choices, words in (
        (PLACE, {**gent, "luik t1": "luik-t1"}),
        (PLACES, {**luik, "t2": "gent-t2"}),
        (TILE, {"Red": "red", "blue": "blue", **leader, **church, **quarter_d}),
        (OneOf("card", ACTION_CARDS), {"gent": "gent", "site": "site", "Take": "take"}),
        (OneOf("card", ("gent", "take")), {"luik": "luik"}),
        (OneOf("influence", ("0", "1", "2")), {"2": "2"}),
        (GUILD, {"Blue": "blue", "yellow": "yellow"}),
    ):
        FLANDERN.check_reading(choices, "build gent-p1", words)


def test_unclear_words_are_refused_with_examples() -> None:
    FLANDERN.check_unclear(PLACE, "zeppelin", "unreadable")
    FLANDERN.check_unclear(PLACES, "t1", "ambiguous")
    FLANDERN.check_unclear(TILE, "leader or not", "unreadable")


def test_a_plot_can_be_typed_by_its_shape_if_only_one_has_it() -> None:
    state = table(cities={"gent": "t1 yellow, t2 blue, p1 church, p2 grey, r1 red, r2 red"})
    play_alone(state, "gent")
    choices, view = GAME.legal(state, 0, ("build",)), GAME.view(state, 0)
    words = {"trapezoid": "gent-p3", "bar": "gent-r4", "t3": "gent-t3"}
    FLANDERN.check_reading(choices, "build", words, view)


def test_cities_can_be_typed_by_their_names_in_other_languages() -> None:
    words = {"Bruges": "brugge", "gand": "gent", "Lovanio": "leuven", "Liegi": "luik"}
    FLANDERN.check_reading(OneOf("card", ACTION_CARDS), "choose", words)
    FLANDERN.check_reading(PLACES, "site", {"Liegi t1": "luik-t1", "gand t2": "gent-t2"})
    rules = FlandernWords(words_for("it")).rules("overview")
    assert all(name in rules for name in ("Bruges", "Gand", "Ypres", "Lovanio", "Liegi"))
