"""Questions, labels, boards and results through whole games, in English and in another language."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.data import TILE_KEYS, kind_of
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.turn import ASKED
from bot.game.choices import Choices, OneOf
from bot.game.contract import SPECTATOR, Decision
from bot.text.burgundy import tiles
from bot.text.burgundy.game_text import BurgundyText
from bot.text.game_data import explanations, topics
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES
from tests.game.burgundy.positions import play, table
from tests.text.burgundy.tables import moments
from tests.text.moments import NAMES, Moment, all_said, labels_of
from tests.text.people import called

TEXT, EN = TITLES.texts["burgundy"], words_for("en")
OPTIONS = [
    {},
    {"boards": "random", "sold_goods": "hidden"},
    {"boards": "choose", "ties": "emptiest"},
]
NOTATION = re.compile(r"\b(?:[a-g][1-7]|[A-E][1-5]?|[A-D])\b")
"""Spaces, phases and rounds are the same in every language."""


def everything(words: Words, moment: Moment) -> list[str]:
    """All that is said at a moment."""
    return all_said(GAME, TEXT, ("1",), words, moment)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_everything_can_be_said_at_every_moment(options: dict[str, str]) -> None:
    kinds = set()
    for moment in moments(3, 5, options):
        kinds.add(moment.decision.kind)
        for text in everything(EN, moment):
            assert "{" not in text
            assert "None" not in text
    assert {"turn", "extra", "load", "market"} <= kinds


@pytest.mark.parametrize("words", all_words()[1:], ids=repr)
def test_every_language_fits_as_well(words: Words) -> None:
    for moment in moments(3, 5, OPTIONS[1]):
        assert all("{" not in text for text in everything(words, moment))


def test_nothing_is_said_outside_the_catalogue(pseudo: Words) -> None:
    latin = re.compile("[A-Za-z]")
    for moment in moments(2, 6, OPTIONS[2]):
        for text in everything(pseudo, moment):
            assert latin.search(NOTATION.sub("", text)) is None, text


def test_the_board_and_each_estate_fit_a_message_to_the_end() -> None:
    names = called("A long name indeed") * 4
    for moment in moments(4, 2, OPTIONS[1]):
        if moment.action[0] != "end":
            continue
        view = GAME.view(moment.state, 0)
        close = TEXT.close_up(EN, view, "0", names)
        assert close is not None
        for text in (TEXT.board(EN, view, names), close.text):
            assert len(text) <= 1900
            assert not text.endswith("…")


def test_an_estate_can_be_seen_before_its_board_is_chosen() -> None:
    moment = next(moments(3, 5, {"boards": "choose"}))
    view = GAME.view(moment.state, 0)
    (unchosen, *_) = [str(seat) for seat, each in enumerate(view.seats) if not each.board]
    close = TEXT.close_up(EN, view, unchosen, NAMES)
    assert close is not None
    assert close.text.startswith("**Dice:** -")


def test_the_board_is_read_aloud_line_by_line() -> None:
    state = table(
        stored="k12 cow4", depots={"3": "bank ship", "black": "k7"}, goods_at={"3": "115"}
    )
    view = GAME.view(state, SPECTATOR)
    lines = TEXT.board(EN, view, called("Anna", 2)).splitlines()
    assert "**Depot 3**: Bank, Ship; goods 2 of type 1 and 1 of type 5" in lines
    assert "**The black depot**: Knowledge 7" in lines
    (anna,) = [line for line in lines if line.startswith("**Anna**: 0 points; ")]
    assert "stored Knowledge 12, 4 cows; " in anna
    assert any(line.startswith("**<@2>**: ") for line in lines)
    close = TEXT.close_up(EN, view, "0", NAMES)
    assert close is not None
    (row,) = [line for line in close.text.splitlines() if line.startswith("d1 ")]
    assert row.split(", ")[2:4] == ["d3 for ships by 2", "d4 **Castle**"]


def test_the_question_says_the_dice_and_the_means_which_no_menu_does() -> None:
    state = table(
        stored="cow3 ship",
        workers=1,
        silverlings=2,
        dice=(3, 4),
        goods_of=("44",),
        depots={"3": "bank", "4": "mine", "black": "k7 market"},
    )
    assert asked(state) == [
        "Round A1. Your dice: ⚂3 ⚃4",
        "You have 1 worker and 2 silverlings; storage: 🐄 3 cows, ⛵ Ship; goods: 2 of type 4.",
    ]
    assert asked(table(dice=(5, 2), left=(2,))) == [
        "Round A1. Your die: ⚁2",
        "You have 0 workers and 0 silverlings.",
    ]


def test_after_both_dice_a_purchase_is_named_while_one_is_possible() -> None:
    for silverlings, what in ((1, "end your turn, or take something back."), (2, "buy a tile, ")):
        state = table(dice=(5, 2), left=(), silverlings=silverlings, depots={"black": "k7"})
        assert f"Both dice are used: {what}" in asked(state)[0]


def asked(state: BurgundyState) -> list[str]:
    """The lines of the question that seat 0 is asked."""
    (decision,) = GAME.pending(state)
    return TEXT.question(EN, decision, GAME.view(state, 0), NAMES).splitlines()


def said(state: object, *prefix: str) -> list[str]:
    """The labels of seat 0's choices after a prefix."""
    choices: Choices = GAME.legal(state, 0, prefix)  # type: ignore[arg-type]
    assert isinstance(choices, OneOf)
    view = GAME.view(state, 0)  # type: ignore[arg-type]
    return [TEXT.label(EN, prefix, choices, word, view, NAMES).text for word in choices.values]


def test_labels_tell_what_a_choice_costs_and_brings() -> None:
    estate = {"d4": "castle", "d5": "ship", "d6": "ship", "c4": "k20"}
    state = table(
        estates=(estate,),
        stored="ship k12",
        workers=2,
        dice=(2, 4),
        goods_of=("44",),
        depots={"2": "castle cow3", "3": "market"},
    )
    assert said(state, "take") == [
        "Die 2: 2 tiles (1 with workers)",
        "Die 4: 3 tiles with workers",
    ]
    assert said(state, "take", "2") == [
        "Depot 2: Castle, 3 cows",
        "Depot 3 · costs 1 worker: Market",
    ]
    assert said(state, "take", "2", "2") == ["Castle: one more action, with any die", "3 cows"]
    assert said(state, "place", "2", "ship") == [
        "d3 · die 2 · then 2 left in the river",
        "d7 · die 1 · costs 1 worker · completes the river: 6 + 10 points",
    ]
    assert said(state, "sell", "4") == ["Sell 2 of type 4: 4 points, 1 silverling"]


def test_a_ship_is_told_what_fits() -> None:
    state = table(
        stored="ship",
        dice=(2, 4),
        goods_of=("12",),
        goods_at={"1": "113", "2": "36", "3": "2"},
    )
    play(state, 0, "place 2 ship d3")
    assert said(state, "load") == [
        "Depot 1: 2 of type 1 and 1 of type 3",
        "Depot 2: 1 of type 3 and 1 of type 6 · not all fit",
        "Depot 3: 1 of type 2",
        *(f"Depot {number}: nothing" for number in (4, 5, 6)),
    ]


def test_a_sealed_castle_is_said_back_to_its_owner_alone() -> None:
    state = next(iter(moments(4, 8, {"boards": "random"}))).state
    chosen = next(d for d in GAME.pending(state) if d.optional)
    view = GAME.view(state, chosen.seat)
    assert f"**{view.chosen}**" in TEXT.question(EN, chosen, view, NAMES)
    other = next(d for d in GAME.pending(state) if not d.optional)
    assert "Nobody sees it" in TEXT.question(EN, other, GAME.view(state, other.seat), NAMES)


def test_every_tile_has_a_name_and_every_one_but_animals_a_sentence() -> None:
    names = [tiles.name(EN, key) for key in TILE_KEYS]
    assert len(set(names)) == len(names)
    for key in TILE_KEYS:
        assert len(tiles.described(EN, key)) <= 80
        assert bool(tiles.effect(EN, key)) == (kind_of(key).colour != "animal")
    assert tiles.described(EN, "k20") == "Knowledge 20: at the end 4 points for each Market"


def test_the_legend_lists_every_building_and_knowledge_tile() -> None:
    text = "".join(TEXT.rules(EN, t) for t in ("buildings", "knowledge", "knowledge_points"))
    for key in (*tiles.BUILDINGS, *tiles.KNOWLEDGE):
        assert f"- **{tiles.name(EN, key)}:** {tiles.effect(EN, key)}" in text


def test_a_first_turn_is_explained_whatever_is_asked() -> None:
    quiet = {"decline", "end"}
    known = {kind for kind in (*ASKED, *GAME.moves) if kind != "over"} - quiet
    assert set(explanations("burgundy")) == known
    for kind in known:
        hint = BurgundyText().hint(EN, kind)
        assert hint is not None
        assert hint.topic in topics("burgundy")
        assert len(hint.text) <= 400
    assert BurgundyText().hint(EN, "end") is None


def test_options_are_summed_up() -> None:
    assert "Equal points: the emptier estate wins" in TEXT.options_summary(
        EN, {"boards": "random", "ties": "emptiest"}
    )


def test_decisions_of_every_kind_are_awaited_by_name() -> None:
    for kind in ASKED:
        if kind != "over":
            assert "**Anna**" in TEXT.awaited(EN, Decision("1", 0, kind), called("Anna"))


def test_boards_are_told_apart_by_their_regions() -> None:
    moment = next(iter(moments(2, 1, {"boards": "choose"})))
    said_ = labels_of(TEXT, EN, replace(moment, steps=moment.steps[1:]))
    assert "Board 2: cities 8+2+2, pastures 4+2" in said_


def test_the_second_load_names_only_what_can_be_chosen() -> None:
    """Depot 3 is no neighbour, and what lies on 5 does not fit."""
    state = table(
        stored="ship",
        dice=(5, 1),
        goods_of=("13",),
        goods_at={"6": "22", "1": "3", "5": "4", "3": "6"},
        estates=({"d4": "castle", "c4": "k5"},),
    )
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 6 2")
    (decision,) = GAME.pending(state)
    assert "You may decline." in TEXT.question(EN, decision, GAME.view(state, 0), NAMES)
    assert said(state, "load") == ["Depot 1: 1 of type 3"]
    made = TEXT.label(
        EN, (), OneOf("kind", ("load", "decline")), "decline", GAME.view(state, 0), NAMES
    )
    assert made.text == "Load no more"
    events = play(state, 0, "decline")
    assert "loads from one depot only" in " ".join(TEXT.story(EN, events, NAMES))


def test_where_nothing_was_to_be_loaded_nothing_is_said_of_it() -> None:
    """After the first depot of knowledge tile 5, no neighbour has goods."""
    state = table(
        stored="ship",
        dice=(5, 1),
        goods_at={"6": "22", "3": "6"},
        estates=({"d4": "castle", "c4": "k5"},),
    )
    play(state, 0, "place 5 ship d5")
    told = " ".join(TEXT.story(EN, play(state, 0, "load 6 2"), NAMES))
    assert "loads" in told
    assert "nothing" not in told
    assert "no goods" not in told


@pytest.mark.parametrize("board", range(1, 10))
def test_one_board_for_all_is_named(board: int) -> None:
    for words, said in ((EN, f"board {board} for all"), (words_for("it"), f"plancia {board} per")):
        assert said in TEXT.option_value(words, "boards", str(board))
        assert said in TEXT.options_summary(words, {"boards": str(board)})
