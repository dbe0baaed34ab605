"""Flandern 1302 in words: events, questions, the board, and what actions would change."""

from __future__ import annotations

from random import Random

from bot.game.chance import RandomChance
from bot.game.choices import OneOf
from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from bot.game.flandern.building import QuarterBuilt
from bot.game.flandern.data import ACTION_CARDS, CARDS, GOLDEN
from bot.game.flandern.plan import CITIES
from bot.game.flandern.scoring import GuildScored, PlotsCovered
from bot.game.sides import looks_of
from bot.text.flandern.speech import FlandernSpeech
from bot.text.words import all_words, words_for
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
from tests.text.moments import moments_of
from tests.text.told import EN, Told

FLANDERN = Told("flandern")
TEXT, NAMES, question, labels = (
    *(FLANDERN.text, FLANDERN.names),
    *(FLANDERN.question, FLANDERN.labels),
)
heard, said = FLANDERN.heard, FLANDERN.refusal
GENT = CARDS.index("gent")
CROWDED = "t1 yellow, t2 blue, p1 church, p2 grey"
"""In Gent, whose centre is red, as seat 0 is: worth 6."""


# What happened


def test_a_choice_is_told_to_its_owner_alone() -> None:
    events = play(table(), 0, "choose gent 2")
    assert heard(events, 0) == [
        "You lay out Gent with 2 influence cards. Nobody else knows it yet."
    ]
    assert heard(events, 1) == []


def test_the_golden_card_is_named_to_the_first_player_and_to_the_others_by_its_deck() -> None:
    events = golden_turn(table(golden_left="gent take"), drawn=[GENT])
    assert heard(events, 1)[-1] == ("Your golden card, which nobody else knows yet: Gent.")
    assert heard(events, 0)[-1] == "**Bob**: draws a golden card of deck A, face down."


def test_a_card_that_can_do_nothing_is_said_to_do_nothing() -> None:
    state = table(
        cities={"luik": FILLED.replace("r1 red", "r1 green").replace("r4 green", "r4 red")}
    )
    assert "**Anna**: nothing possible with Luik." in heard(one_plays(state, "luik"))


def test_quarter_d_is_told_with_its_bar() -> None:
    built = QuarterBuilt(seat=0, place="gent-p1", tile="church-d-r4")
    assert heard([built]) == ["**Anna**: ⛪ Church D with R4 → **Gent P1**."]


def test_what_five_guilds_score_fits_a_short_line() -> None:
    ranking = [
        GuildScored(guild=guild, city="utrecht", rank=rank, quarters=2, leaders=2, points=points)
        for rank, (guild, points) in enumerate(
            [("yellow", 14), ("green", 7), ("blue", 4), ("grey", 2), ("red", 0)], 1
        )
    ]
    (line,) = TEXT.brief(EN, ranking, NAMES)
    assert line.text == (
        "🏅 Utrecht: 🟡 Yellow 14 points (2 quarters, 2 leaders); 🟢 Green 7 (2 quarters, 2 "
        "leaders); 🔵 Blue 4; ⚪ Grey 2; 🔴 Red 0."
    )


def test_covered_plots_are_listed() -> None:
    told = heard([PlotsCovered(places=("gent-t1", "luik-r2"))])
    assert told == ["🚫 Covered, as nothing can be built there: **Gent T1** and **Luik R2**."]


# What is asked, and the table in words


def test_what_was_chosen_is_said_back_while_others_choose() -> None:
    state = table()
    play(state, 0, "choose gent 1")
    assert question(state) == (
        "You lay out **Gent** with 1 influence card. You may change it until the last has chosen."
    )
    play(state, 0, "choose take 0")
    assert question(state).startswith("You lay out **Take** without influence cards.")


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


def test_there_is_no_other_part() -> None:
    for part in ("4", "x", "gent-t1", ""):
        assert TEXT.close_up(EN, GAME.view(table(), 1), part, NAMES) is None


def test_a_city_that_is_missing_says_so() -> None:
    close = TEXT.close_up(EN, GAME.view(table(seats=3), 1), "leuven", NAMES)
    assert close is not None
    assert close.text == "This city is not in play."


def test_the_result_calls_seats_by_the_letters_of_their_guilds() -> None:
    state = table(seats=2, guilds="yellow red green blue", scored=" ".join(CITIES[:5]))
    *_, last = moments_of(GAME, 2, 3)
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    sides = TITLES.of("flandern", GAME.version).sides(GAME.view(state, SPECTATOR), 2)
    told = TEXT.outcome(EN, outcome, NAMES, looks_of(sides, 2))
    assert "D+B **Anna** · A+C **Bob**" in told


def test_variants_are_said_on_the_board() -> None:
    board = TEXT.board(EN, GAME.view(table(golden_cities=2, any_bonus=True), 0), NAMES)
    assert board.endswith(
        "\nGolden city cards: two for each city · Bonus for influence cards: goes to all if nobody "
        "has any"
    )
    assert "Golden city cards" not in TEXT.board(EN, GAME.view(table(), 0), NAMES)


def test_the_rules_count_the_golden_cards_by_option_and_players() -> None:
    for cities, chosen in ((1, "once"), (2, "twice")):
        decks = GOLDEN[cities]
        counts = {card: sum(deck[CARDS.index(card)] for deck in decks) for card in CARDS}
        cards, less = sum(counts.values()), sum(counts.values()) - cities
        rules = TEXT.rules(EN, "golden")
        (line,) = (each for each in rules.splitlines() if each.startswith(f"- *{chosen}:*"))
        assert f"Both together have {cards} cards" in rules
        assert f"{counts['influence']} influence" in line
        assert f"{less} cards with three" in line or f"{less} with three" in line


# What can be chosen


def test_a_city_where_nothing_can_be_done_now_says_so() -> None:
    state = table(cities={"luik": FILLED})
    assert labels(state, "choose")["luik"].startswith("Luik: full, nothing possible · worth 14: ")


def test_a_card_is_weighed_for_the_own_guild() -> None:
    state = table(cities={"luik": without(FILLED, "t1")})
    assert labels(state, "choose", 0)["luik"].startswith("Luik: 1 plot · ")
    assert labels(state, "choose", 3)["luik"].startswith("Luik: nothing possible · ")


def test_without_site_pieces_the_card_for_a_site_says_so() -> None:
    four = "t1 {0} site, t2 {1} site, t3 {0} site, t4 {1} site"
    cities = {"brugge": four.format("red", "green"), "luik": four.format("yellow", "blue")}
    state = table(cities={**cities, "gent": "t1 grey site, t2 yellow site"})
    assert labels(state, "choose")["site"] == "Site: no site piece is left now"


def test_a_button_that_leaves_no_choice_says_what_it_does() -> None:
    state = table(cities={"gent": f"{CROWDED}, t3 grey site"})
    one_plays(state, "gent")
    assert labels(state)["complete"] == ("Complete T3 · grey site · worth 7: Grey 7, Red 4")
    last = table(lying=("brugge gent ieper leuven utrecht luik site",))
    assert labels(last) == {"choose": "Lay out Take with influence cards"}
    two = table(seats=2, lying=("brugge gent ieper leuven utrecht luik",))
    assert labels(two)["play"] == "Play Site: 24 plots in 6 cities · 10 site pieces left"


def test_quarter_d_names_the_bar_that_it_takes_in_and_others_the_plots_that_they_add() -> None:
    state = table(cities={"ieper": "t1 yellow"})
    one_plays(state, "ieper")
    said = labels(state, "build ieper-p1")
    assert said["church-d-r4"] == "Church D with R4 · worth 4: Green 4"
    assert said["church-a"] == "Church A · +1 plot · worth 4: Green 4"
    assert {"church-d-r1", "church-d-r4"} <= set(said)


def test_a_drawn_card_builds_for_its_guild_and_not_for_the_own_one() -> None:
    state = table(seats=2, cities={"gent": CROWDED})
    draw(state, "yellow gent")
    assert labels(state, "build")["gent-r1"].startswith("R1 · bar · for Yellow · ")


def test_on_the_picture_plots_are_called_with_their_cities_unless_the_card_names_one() -> None:
    state = table(golden="leader", cities={"gent": CROWDED})
    golden_turn(state)
    names = [label.name for label in FLANDERN.made(state, "leader").values()]
    assert names == ["Gent centre", "Gent P2", "Utrecht centre"]
    state = table(cities={"gent": CROWDED})
    one_plays(state, "gent")
    names = [label.name for label in FLANDERN.made(state, "build").values()]
    assert names == ["T3", "T4", "P3", "R1", "R2", "R4"]


# What is refused


def test_a_refusal_says_what_is_wrong_and_what_can_be_done() -> None:
    gent = "t1 yellow, t2 covered, p1 red, r2 covered, r1 grey site, t4 blue site"
    state = table(cities={"gent": gent})
    one_plays(state, "gent")
    for line, told in {
        "build luik-t1": "Your card is for Gent, and **Luik T1** lies elsewhere.",
        "build gent-t1": "A quarter stands at **Gent T1** already.",
        "build gent-t2": "**Gent T2** is covered, as nothing could ever be built there.",
        "build gent-r5": "There is no plot **Gent R5**, as the church has not made one there.",
        "build gent-r3": "The long side of **Gent R3** touches nothing built yet",
        "build gent-t3 green": "You may not build a green quarter with this card.",
        "build gent-t3 red": "A red quarter already stands beside **Gent T3**",
        "build gent-t3 church-a": "A church quarter A does not have the shape of **Gent T3**.",
        "build gent-p2 church-d-r2": "Quarter D also needs that bar beside **Gent P2**",
        "complete gent-p1": "There is no site at **Gent P1**.",
        "complete gent-t4": "At **Gent T4** stands a blue site",
        "cathedral luik-c": "You cannot put a cathedral just now, for a city card is being",
    }.items():
        assert FLANDERN.refused(state, line).startswith(told)


def test_what_golden_cards_may_not_is_told_with_a_way_out() -> None:
    state = table(golden="leader", cities={"gent": "t1 yellow"})
    golden_turn(state)
    for place, told in {
        "gent-t2": "Nothing is built at **Gent T2**. Choose a quarter.",
        "gent-t1": "At **Gent T1** stands a yellow quarter, and your leader may go to your own",
    }.items():
        assert FLANDERN.refused(state, f"leader {place}").startswith(told)


def test_cards_that_cannot_be_laid_out_are_told_why() -> None:
    assert said("card_lies_open", card="gent").startswith("Your card Gent lies open before you")
    assert said("city_scored", city="luik").startswith("Luik has been scored, and nothing is done")
    assert said("missing_city", city="leuven").startswith("Leuven is not in play")
    assert said("guild_taken", guild="red") == "🔴 Red is taken already. Choose another guild."


# What people type


PLACE = OneOf("place", ("gent-t1", "gent-p1", "gent-r2", "gent-r5"))
PLACES = OneOf("place", ("gent-t1", "gent-t2", "luik-t1", "luik-c"))
TILE = OneOf("tile", ("red", "red-leader", "grey", "church", "church-a", "church-d-r1"))
GUILD = OneOf("guild", ("red", "blue"))


def test_what_is_typed_is_understood() -> None:
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


def test_what_is_not_clear_is_refused_with_examples() -> None:
    FLANDERN.check_unclear(PLACE, "zeppelin", "unreadable")
    FLANDERN.check_unclear(PLACES, "t1", "ambiguous")
    FLANDERN.check_unclear(TILE, "leader or not", "unreadable")


def test_a_plot_can_be_typed_by_its_shape_where_there_is_one_of_it() -> None:
    state = table(cities={"gent": "t1 yellow, t2 blue, p1 church, p2 grey, r1 red, r2 red"})
    one_plays(state, "gent")
    choices, view = GAME.legal(state, 0, ("build",)), GAME.view(state, 0)
    words = {"trapezoid": "gent-p3", "bar": "gent-r4", "t3": "gent-t3"}
    FLANDERN.check_reading(choices, "build", words, view)


def test_quarters_can_be_typed_in_each_language() -> None:
    for words in all_words():
        for tile in TILE.values:
            for said in (FlandernSpeech(words).kind(tile), FlandernSpeech(words).tile(tile)):
                assert TEXT.read(TILE, said, ("build", "gent-p1")) == tile
    assert FlandernSpeech(words_for("it")).kind("red") != FlandernSpeech(EN).kind("red")


# What actions would change


def planned(card: str, action: str, observer: int = 0) -> list[str]:
    """What is told after seat 0 has carried a card out so."""
    state = table(cities={"gent": CROWDED})
    one_plays(state, card)
    return FLANDERN.changed(state, action, observer=observer)


def test_influence_cards_that_come_or_go_are_said() -> None:
    state = table(influence=2)
    before = GAME.view(state, 0)
    lay(state, "gent 1", "take", "take", "take")
    assert "Influence cards: 2 → 1" in TEXT.what_if(EN, before, GAME.view(state, 0), NAMES)


def test_spectators_are_told_nothing() -> None:
    assert planned("gent", "build gent-r2 red", SPECTATOR) == []
