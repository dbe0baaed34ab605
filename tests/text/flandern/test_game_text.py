"""Questions, boards and results through whole games, in English and in another language."""

from __future__ import annotations

import re
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Decision
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, GOLDEN
from bot.game.flandern.plan import CITIES
from bot.game.flandern.turn import ASKED
from bot.game.sides import looks_of
from bot.policy.flandern.orders import ORDERS
from bot.text.game_data import explanations, topics
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES
from tests.game.flandern.positions import (
    FILLED,
    draw,
    golden_turn,
    lay,
    one_plays,
    play,
    table,
    without,
)
from tests.text.flandern.tables import EN, NAMES, TEXT, moments, question
from tests.text.moments import Moment, all_said
from tests.text.people import called

OPTIONS = [{}, {"golden_cities": "2", "bonus": "any", "guilds": "drawn"}]
NOTATION = re.compile(r"\b(?:[TPR][0-9]*|[A-D])\b")
"""Plots, their shapes, and the church's special quarters are the same in every language."""


def everything(words: Words, moment: Moment) -> list[str]:
    """All that is said at a moment."""
    return all_said(GAME, TEXT, (*CITIES, *map(str, range(len(moment.view.seats)))), words, moment)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_everything_can_be_said_at_every_moment(options: dict[str, str]) -> None:
    asked = set()
    for seats in (2, 3) if options else (2, 4):
        for moment in moments(seats, 5, options):
            asked.add(moment.decision.kind)
            for text in everything(EN, moment):
                assert "{" not in text
                assert "None" not in text
    assert asked >= {"choose", "turn", "city", "site", "cathedral", "leader"}
    assert options or asked == {"look", *ASKED} - {"over"}


@pytest.mark.parametrize("words", all_words()[1:], ids=repr)
def test_every_language_fits_as_well(words: Words) -> None:
    for moment in moments(4, 6, OPTIONS[1]):
        assert all("{" not in text for text in everything(words, moment))


@pytest.mark.parametrize("seats", [2, 3])
def test_nothing_is_said_outside_the_catalogue(pseudo: Words, seats: int) -> None:
    latin = re.compile("[A-Za-z]")
    for moment in moments(seats, 6):
        for text in everything(pseudo, moment):
            assert latin.search(NOTATION.sub("", text)) is None, text


# What is asked


def test_a_choice_of_cards_tells_the_round_the_golden_card_and_the_means() -> None:
    state = table(golden="cathedral", influence=2)
    assert question(state).splitlines() == [
        "Round 3: everybody lays out a card in secret. Whoever adds most influence cards acts "
        "first. In a tie you go first.",
        "Your golden card, which comes last: **Cathedral**.",
        "You play for 🔴 Red and hold 2 influence cards. Free in all cities: 72 plots.",
    ]
    other = question(state, 1)
    assert "In a tie **Anna** goes first" in other
    assert "golden" not in other


def test_what_was_chosen_is_said_back_while_others_choose() -> None:
    state = table()
    play(state, 0, "choose gent 1")
    assert question(state) == (
        "You lay out **Gent** with 1 influence card. You may change it until the last has chosen."
    )
    play(state, 0, "choose take 0")
    assert question(state).startswith("You lay out **Take** without influence cards.")


def test_a_card_being_carried_out_tells_for_whom_it_builds() -> None:
    own = table(cities={"gent": "t1 yellow"})
    one_plays(own, "gent")
    assert question(own).splitlines() == [
        "Your card is **Gent**, for a quarter of 🔴 Red, ⚪ Grey or ⛪ Church.",
        "Gent is worth 2: 🔴 Red 2, 🟡 Yellow 1. Free: 11 plots.",
    ]
    golden = table(golden="site")
    golden_turn(golden)
    assert question(golden).splitlines() == [
        "Your golden card is **Site**, for a quarter of ⚪ Grey or ⛪ Church.",
        "A site is worth nothing until it is completed. Left: 10 site pieces.",
    ]
    drawn = table(seats=2)
    draw(drawn, "yellow luik")
    told = question(drawn).splitlines()[0]
    assert told == "You have drawn **Luik**, for a quarter of 🟡 Yellow, ⚪ Grey or ⛪ Church."


def test_two_players_are_told_what_is_left_of_their_turn() -> None:
    state = table(seats=2, lying=("gent",), still=3)
    assert question(state).splitlines() == [
        "Play one of your cards and draw one, in either order.",
        "Your own cards build for 🔴 Red. The points of 🔵 Blue are yours too.",
        "Nothing was built or completed in the last 3 turns.",
    ]
    play(state, 0, "take")
    assert question(state).startswith("You have played your own card. Now draw one.")


def test_actions_are_said_back() -> None:
    view = GAME.view(table(), 0)
    for line, said in {
        "choose gent 2": "Lay out Gent with 2 influence cards",
        "choose gent 0": "Lay out Gent without influence cards",
        "build gent-t1 red-leader": "Build a red quarter with a leader at Gent T1",
        "site luik-p1 church-d-r1": "Put up a church quarter D over R1 as a site at Luik P1",
        "guild red": "Play for Red",
    }.items():
        assert TEXT.action(EN, tuple(line.split()), view, NAMES) == said


# The table in words


def test_the_board_is_read_aloud_line_by_line() -> None:
    state = table(
        cities={"gent": "t1 yellow, t3 grey site, p1 red"},
        lying=("gent site",),
        scored="luik",
        first=1,
    )
    play(state, 2, "choose take 0")
    lines = TEXT.board(EN, GAME.view(state, SPECTATOR), NAMES).splitlines()
    assert lines[0] == r"Round 3 · order Bob, Cleo, Do\_ra, Anna"
    assert lines[1].startswith("**Golden cards**: ")
    assert lines[1].endswith("; that of this round lies face down")
    assert lines[2] == "**Bob**: Green; 0 points; 10 cards in hand"
    assert lines[3] == "**Cleo**: Blue; 0 points; 10 cards in hand; has chosen"
    assert lines[5] == "**Anna**: Red; 0 points; 8 cards in hand; open: Gent, Site"
    assert (
        "**Gent**: worth 3: Red 3, Yellow 2; free T2 T4 P2 P3 P4 R1 R2 R3 R4; sites Grey T3"
        in lines
    )
    assert lines[11].startswith("**Luik**: scored at 2; covered T1 T2 ")
    assert lines[-2].startswith(
        "Left: 9 site pieces, 4 cathedrals, 4 leaders, 0 cover tiles; Grey "
    )
    assert lines[-1] == "Grey has 0 points"


def test_a_full_city_is_said_to_be_about_to_be_scored() -> None:
    state = table(cities={"luik": without(FILLED, "t1")})
    lay(state, "luik", "gent", "take", "take")
    play(state, 0, "build luik-t1 red")
    board = TEXT.board(EN, GAME.view(state, 0), NAMES)
    assert "**Luik**: full, about to be scored: 14: Red 7, Green 7" in board


def test_the_hand_is_told_to_its_owner_alone() -> None:
    state = table(golden="leader", lying=("gent",), influence=2)
    play(state, 0, "choose site 1")
    hand = TEXT.hand(EN, GAME.view(state, 0), NAMES).splitlines()
    assert hand[:4] == [
        "**Face down:** laid out Site with 1 influence card",
        "**Your golden card:** Leader",
        "**Hand:** Brugge, Ieper, Leuven, Utrecht, Luik, Site, Take",
        "**Influence cards:** 2",
    ]
    other = TEXT.board(EN, GAME.view(state, 1), NAMES) + TEXT.hand(EN, GAME.view(state, 1), NAMES)
    assert "Leader" not in other
    assert "laid out" not in other


def test_before_the_first_round_nobody_holds_a_card() -> None:
    state = GAME.setup(3, {}, RandomChance(Random(1)))
    assert TEXT.hand(EN, GAME.view(state, 0), NAMES) == (
        "No cards yet: guilds are still being chosen."
    )
    assert TEXT.board(EN, GAME.view(state, 0), NAMES).startswith("Set-up\n**")


def test_nobody_else_is_told_what_lies_face_down() -> None:
    """What is said to the others is the same whatever was chosen and drawn."""
    told = []
    for golden, chosen in (("leader", "gent 2"), ("cathedral", "take 0")):
        state = table(golden=golden)
        play(state, 0, f"choose {chosen}")
        view, pending = GAME.view(state, SPECTATOR), GAME.pending(state)
        told.append(
            [TEXT.awaited(EN, each, NAMES) for each in pending]
            + [TEXT.board(EN, view, NAMES), TEXT.alt(EN, view, (), NAMES)]
        )
    assert told[0] == told[1]


def test_a_city_is_told_plot_by_plot() -> None:
    gent = "t1 yellow-leader leader, p1 church-d-r1 cathedral, t3 grey site, t2 covered"
    close = TEXT.close_up(EN, GAME.view(table(cities={"gent": gent}), 1), "gent", NAMES)
    assert close is not None
    assert close.title == "Gent"
    assert close.alt.splitlines() == [
        "Gent: worth 5: Red 3, Yellow 3",
        "- 2nd Red, 1 quarter, 2 leaders: 3 points",
        "- 2nd Yellow, 1 quarter, 2 leaders: 3 points",
        "centre red quarter; T1 yellow quarter with a leader, 1 leader; T3 grey quarter, site; "
        "P1 church quarter D over R1, cathedral",
        "free T4 P2 P3 P4 R2 R3 R4",
        "sites Grey T3",
        "covered T2",
    ]


def test_a_player_is_told_with_all_that_is_open_and_what_cards_do() -> None:
    state = table(seats=2, lying=("gent site",), cities={"gent": "t1 blue"}, points={"red": 7})
    close = TEXT.close_up(EN, GAME.view(state, 1), "0", NAMES)
    assert close is not None
    assert close.title == "Anna"
    assert close.alt.splitlines() == [
        "Guild: Red, Blue",
        "Cards held: 6",
        "Open cards: Gent, Site",
        "Points: 7; Brugge 7",
        "Quarters left: Red T×5 P×5 R×5, with a leader T P R; "
        "Blue T×4 P×5 R×5, with a leader T P R",
    ]
    assert close.legend["gent"] == "builds a quarter there, or completes a site"
    assert max(map(len, close.legend.values())) <= 90


@pytest.mark.parametrize("part", ["4", "x", "gent-t1", ""])
def test_there_is_no_other_part(part: str) -> None:
    assert TEXT.close_up(EN, GAME.view(table(), 1), part, NAMES) is None


def test_a_city_that_is_missing_says_so() -> None:
    close = TEXT.close_up(EN, GAME.view(table(seats=3), 1), "leuven", NAMES)
    assert close is not None
    assert close.text == "This city is not in play."


def test_the_result_calls_seats_by_the_letters_of_their_guilds() -> None:
    state = table(seats=2, guilds="yellow red green blue", scored=" ".join(CITIES[:5]))
    *_, last = moments(2, 3)
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    sides = TITLES.of("flandern", GAME.version).sides(GAME.view(state, SPECTATOR), 2)
    told = TEXT.outcome(EN, outcome, NAMES, looks_of(sides, 2))
    assert "D+B **Anna** · A+C **Bob**" in told


# What stands in data


def test_a_first_turn_is_explained_whatever_is_asked() -> None:
    known = {*ASKED} - {"over"}
    assert known <= set(explanations("flandern")) <= known | {*GAME.moves}
    for kind in known:
        hint = TEXT.hint(EN, kind)
        assert hint is not None
        assert hint.topic in topics("flandern")
        assert len(hint.text) <= 400


def test_options_are_summed_up_and_variants_are_said_on_the_board() -> None:
    assert TEXT.options_summary(EN, {"golden_cities": "2"}) == (
        "Guilds: chosen by the players · First player: drawn by lot · Golden city cards: two for "
        "each city · Bonus for influence cards: needs at least one"
    )
    board = TEXT.board(EN, GAME.view(table(golden_cities=2, any_bonus=True), 0), NAMES)
    assert board.endswith(
        "\nGolden city cards: two for each city · Bonus for influence cards: goes to all if nobody "
        "has any"
    )
    assert "Golden city cards" not in TEXT.board(EN, GAME.view(table(), 0), NAMES)


def test_decisions_of_every_kind_are_awaited_by_name() -> None:
    for kind in ASKED:
        if kind != "over":
            assert "**Anna**" in TEXT.awaited(EN, Decision("1", 0, kind), called("Anna"))


def test_every_way_to_end_has_a_sentence() -> None:
    for ending in ("full", "deck", "controlled", "standstill"):
        assert TEXT.ending(EN, ending).endswith("Most points win.")
        assert TEXT.ending(words_for("it"), ending)


def test_standing_orders_have_words() -> None:
    for name, order in ORDERS.items():
        for words in all_words():
            assert all(TEXT.order(words, name, value) for value in order.values)
    assert TEXT.order(EN, "bid", "2") is None


@pytest.mark.parametrize(("cities", "chosen"), [(1, "once"), (2, "twice")])
def test_the_rules_count_the_golden_cards_by_option_and_players(cities: int, chosen: str) -> None:
    decks = GOLDEN[cities]
    counts = {card: sum(deck[CARDS.index(card)] for deck in decks) for card in CARDS}
    cards, less = sum(counts.values()), sum(counts.values()) - cities
    rules = TEXT.rules(EN, "golden")
    (line,) = (each for each in rules.splitlines() if each.startswith(f"- *{chosen}:*"))

    assert f"Both together have {cards} cards" in rules
    assert f"{counts['influence']} influence" in line
    assert f"{less} cards with three" in line or f"{less} with three" in line
