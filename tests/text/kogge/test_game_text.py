"""Questions, labels, boards and results through whole games, in English and in another language."""

from __future__ import annotations

import re

import pytest

from bot.game.choices import OneOf
from bot.game.contract import SPECTATOR, Decision
from bot.game.frames import tag_of
from bot.game.kogge.data import CITY_NAMES, CONTENT
from bot.game.kogge.game import GAME
from bot.game.kogge.state import KoggeOver
from bot.game.kogge.turn import ASKED
from bot.game.sides import own_looks
from bot.text.game_data import explanations, topics
from bot.text.speech import keycap
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES
from tests.game.kogge.places import RIGA, STOCKHOLM, TONSBERG
from tests.game.kogge.positions import play, table
from tests.game.kogge.random_games import ADVANCED
from tests.text.kogge.tables import moments, words_of
from tests.text.moments import NAMES, Moment
from tests.text.people import called

TEXT, EN = TITLES.texts["kogge"], words_for("en")
OPTIONS = [
    {},
    {"goods": "open"},
    {"goods": "hidden"},
    {"edition": "italian"},
    {"goods": "hidden", "office_price": "either"},
    dict.fromkeys(ADVANCED, "on"),
    {"goods": "hidden", **dict.fromkeys(ADVANCED, "on")},
]


def everything(words: Words, moment: Moment) -> list[str]:
    """All that is said at a moment."""
    decision, view = moment.decision, moment.view
    texts = [TEXT.question(words, decision, view, NAMES), TEXT.awaited(words, decision, NAMES)]
    prefixes = [prefix for prefix, _, _ in moment.steps[1:]]
    for prefix, choices, word in moment.steps:
        texts.append(TEXT.prompt(words, prefix, choices, view, NAMES))
        for each in words_of(choices, word):
            label = TEXT.label(words, prefix, choices, each, view, NAMES)
            assert 1 <= len(label.text) <= 80
            assert label.description is None or 1 <= len(label.description) <= 100
            texts += [label.text, label.description or ""]
    texts += [TEXT.action(words, action, view, NAMES) for action in (*prefixes, moment.action)]
    heard = [event for event in moment.events if event.heard_by(decision.seat)]
    texts += TEXT.story(words, heard, NAMES)
    after = GAME.view(moment.state, decision.seat)
    alt = TEXT.alt(words, after, heard, NAMES)
    hand = TEXT.hand(words, after, NAMES)
    board = TEXT.board(words, after, NAMES)
    assert len(alt) <= 1000
    assert max(len(hand), len(board)) <= 1900
    return [*texts, alt, hand, board]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_everything_can_be_said_at_every_moment(options: dict[str, str]) -> None:
    for moment in moments(4, 5, options):
        for text in everything(EN, moment):
            assert "{" not in text
            assert "None" not in text


@pytest.mark.parametrize("words", all_words()[1:], ids=repr)
def test_every_language_fits_as_well(words: Words) -> None:
    for moment in moments(4, 5, OPTIONS[-1]):
        assert all("{" not in text for text in everything(words, moment))


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "default")
def test_nothing_is_said_outside_the_catalogue(options: dict[str, str], pseudo: Words) -> None:
    names = re.compile("|".join(map(re.escape, CITY_NAMES)))
    latin = re.compile("[A-Za-z]")
    for moment in moments(4, 6, options):
        for text in everything(pseudo, moment):
            left = latin.search(names.sub("", text))
            assert left is None, text


def test_the_board_fits_a_message_to_the_end_of_the_longest_games() -> None:
    for seed in range(4):
        for moment in moments(4, seed):
            board = TEXT.board(
                EN, GAME.view(moment.state, SPECTATOR), called("A long name indeed") * 4
            )
            assert len(board) <= 1900
            assert not board.endswith("…")


def test_the_board_is_read_aloud_line_by_line() -> None:
    state = table(routes={STOCKHOLM: ("7?", "5")}, ships=(STOCKHOLM, RIGA))
    board = TEXT.board(EN, GAME.view(state, SPECTATOR), called("Anna*", 2))
    heads = re.findall(r"^\*\*(.+?)\*\*: ", board, re.MULTILINE)
    cities = [f"{number} {name}" for number, name in enumerate(CITY_NAMES)]
    assert heads == ["Anna\\*", "<@2>", *cities]
    (stockholm,) = [line for line in board.splitlines() if "1 Stockholm" in line]
    assert "routes to hidden and 5" in stockholm
    assert "ships: Anna" in stockholm
    # Neither signs in place of words nor columns.
    assert not re.search(r"```| {2}|[@!|>]\w", board.replace("<@2>", ""))


def test_hidden_goods_are_not_told_on_the_board_of_others() -> None:
    first = next(iter(moments(2, 3, {"goods": "hidden"})))
    board = TEXT.board(EN, GAME.view(first.state, SPECTATOR), called("Anna", "Bob"))
    assert board.count("goods hidden; markers hidden") == 2


def test_a_spectator_has_no_hand() -> None:
    first = next(iter(moments(2, 3)))
    with pytest.raises(IndexError):
        TEXT.hand(EN, GAME.view(first.state, SPECTATOR), NAMES)


def test_the_sail_button_tells_what_the_step_costs() -> None:
    notes = set()
    for moment in moments(4, 1):
        if moment.decision.kind == "move":
            choices = OneOf("kind", ("sail",))
            made = TEXT.label(EN, (), choices, "sail", moment.view, NAMES)
            notes.add(made.description)
            assert moment.view.fees is not None
            assert (made.description == "This step is free") == (moment.view.fees[0] == 0)
            assert ("costs" in made.text) == (moment.view.fees[0] > 0)
    assert len(notes) == 2


def test_options_are_summed_up() -> None:
    summary = TEXT.options_summary(EN, {"edition": "italian", "office_price": "both"})
    assert "Italian rules" in summary
    assert "Price of an office: goods and markers" in summary
    assert "English rules" in TEXT.options_summary(EN, {})


def test_an_offer_is_put_to_its_receiver() -> None:
    for moment in moments(4, 1):
        for decision in GAME.pending(moment.state):
            if decision.kind == "answer":
                view = GAME.view(moment.state, decision.seat)
                assert "offers you" in TEXT.question(EN, decision, view, NAMES)
                return
    pytest.fail("no offer was made")


def test_a_sealed_choice_is_said_back_to_its_owner_alone() -> None:
    state = next(iter(moments(4, 8))).state
    chosen = next(d for d in GAME.pending(state) if d.optional)
    view = GAME.view(state, chosen.seat)
    assert view.chosen is not None
    assert CITY_NAMES[view.chosen] in TEXT.question(EN, chosen, view, NAMES)
    other = next(d for d in GAME.pending(state) if not d.optional)
    said = TEXT.question(EN, other, GAME.view(state, other.seat), NAMES)
    assert not any(name in said for name in CITY_NAMES)


def test_decisions_of_every_kind_are_awaited_by_name() -> None:
    kinds = [tag_of(frame) for frame in ASKED if frame is not KoggeOver]
    for kind in (*kinds, "answer"):
        assert isinstance(kind, str)
        assert "**Anna**" in TEXT.awaited(EN, Decision("1", 0, kind), called("Anna"))


def test_every_question_of_a_first_turn_is_explained_and_leads_to_its_rule() -> None:
    kinds = {tag_of(frame) for frame in ASKED if frame is not KoggeOver} | {"answer"}
    # What has no words to choose is done at once; an answer stands below its offer.
    said = {"accept", "decline", "withdraw"}
    kinds |= {kind for kind, move in GAME.moves.items() if move.params} - said
    for kind in kinds:
        hint = TEXT.hint(EN, kind)
        assert hint is not None, kind
        assert 50 <= len(hint.text) <= 400
        assert hint.topic in topics("kogge")
    assert set(explanations("kogge")) <= {*kinds, *GAME.moves}


def test_the_rules_say_the_numbers_that_are_played_by() -> None:
    said = TEXT.rules(EN, "cities")
    for good in CONTENT.goods:
        assert f"{good.total} {good.key}" in said
    for number, (name, count) in enumerate(zip(CITY_NAMES, CONTENT.markers, strict=True)):
        assert f"{number} {name}" in said
        assert f"{count} of {number}" in said.replace("number ", "")
    ending = TEXT.rules(EN, "ending")
    worth = CONTENT.victory_points
    for item, points in (("office", worth.office), ("chit", worth.chit), ("Raid", worth.raid)):
        assert re.search(rf"{item}.*: {points}$", ending, re.MULTILINE)
    for good in CONTENT.goods:
        assert f"{good.key} {good.points}" in ending


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, ["English rules", "goods open, but the numbers of markers are secret"]),
        ({"goods": "open"}, ["English rules", "goods open to all"]),
        ({"edition": "italian"}, ["Italian rules"]),
        ({"edition": "italian", "memory": "on"}, ["Italian rules", "Memory"]),
        ({"office_price": "either"}, ["English rules", "Price of an office: goods or markers"]),
        (
            {"edition": "italian", "office_price": "both"},
            ["English rules", "Hidden route that fails: costs only the fee"],
        ),
        (
            {"memory": "on", "memory_fur": "three", "conflicts": "on"},
            ["English rules", "goods hidden", "Fur at the start, with Memory: three fur"],
        ),
    ],
)
def test_the_board_says_what_is_played_by(options: dict[str, str], said: list[str]) -> None:
    view = next(iter(moments(2, 1, options))).view
    for text in (TEXT.board(EN, view, NAMES), TEXT.alt(EN, view, (), NAMES)):
        (line,) = [line for line in text.splitlines() if "Rules: " in line]
        for part in said:
            assert part in line
    assert len(view.edition) == len(set(view.edition))


def test_the_table_of_points_fits_a_phone_whatever_the_names() -> None:
    computers = ("Computer 1", "Computer 2")
    names = called("Maximiliane von und zu Lübeck", *computers, 123456789012345678)
    for seed in (1, 2):
        outcome = GAME.outcome(list(moments(4, seed))[-1].state)
        assert outcome is not None
        said = TEXT.outcome(EN, outcome, names, own_looks(4))
        table = said.split("```")[1].strip("\n").split("\n")
        assert max(len(line) for line in table) <= 32
        assert table[0].split() == ["A", "B", "C", "D"]
        assert "C Computer 2" in said.replace("*", "")


def test_a_bid_in_a_conflict_is_not_told_to_be_for_the_order_of_play() -> None:
    kinds = OneOf("kind", ("bid", "end"))
    options = {"conflicts": "on"}
    said = {
        (moment.decision.kind, moment.action[0]): TEXT.label(
            EN, (), kinds, moment.action[0], moment.view, NAMES
        ).description
        for moment in moments(4, 5, options)
    }
    assert "order of play" in (said["bid", "bid"] or "")
    assert said["conflict", "bid"] == (
        "Sealed bids of markers; the winner demands up to three goods"
    )
    # A conflict may still follow.
    assert said["act", "end"] is None


def test_a_hidden_route_that_is_taken_up_is_not_told_to_be_sailed() -> None:
    """With Memory it is exchanged unseen, and its new owner sees it at once."""
    choices = OneOf("route", ("left", "right"))
    state = table(routes={STOCKHOLM: ("7?", "5?")}, ships=(STOCKHOLM, RIGA))
    view = GAME.view(state, 0)
    sail = TEXT.label(EN, ("sail",), choices, "left", view, NAMES)
    assert sail.description == "You learn where it leads by sailing it"
    taken = TEXT.label(EN, ("reroute",), choices, "left", view, NAMES)
    assert (taken.text, taken.description) == ("Replace the hidden route (left)", None)


def test_an_empty_ship_is_not_promised_that_nobody_learns_of_it() -> None:
    """Where it lies alone, what came in altogether tells all."""
    state = table(
        ships=(STOCKHOLM, RIGA),
        asked="advance",
        guild=TONSBERG,
        options={"taxes": "on", "goods": "hidden"},
    )
    play(state, 0, "advance 1")
    said = TEXT.question(EN, GAME.pending(state)[0], GAME.view(state, 0), NAMES)
    assert "Your ship is empty" in said
    assert "nobody knows" not in said


def test_the_rules_of_deals_tell_when_deals_rest() -> None:
    assert "a raid, taxes or a conflict" in topics("kogge")["deals"].text


def test_of_a_deal_the_others_read_how_many_markers_and_not_which() -> None:
    state = table(seats=3, ships=(RIGA,) * 3, hands=("oo577", "f6", "s8"))
    events = play(state, 0, "offer 1 o75 f6")
    events += play(state, 1, "accept 1")
    for words, several, one in (
        (EN, "2 markers", "1 marker"),
        (words_for("it"), "2 segn", "1 segn"),
    ):
        lines = TEXT.story(words, [e for e in events if e.heard_by(2)], NAMES)
        assert several in lines[0]
        assert one in lines[0]
        assert not any(keycap(number) in line for number in (5, 6, 7) for line in lines)
        told = " ".join(TEXT.story(words, [e for e in events if e.heard_by(1)], NAMES))
        assert all(keycap(number) in told for number in (5, 6, 7))
    assert "2 markers" in TEXT.board(EN, GAME.view(state, 2), NAMES)
    assert "markers hidden" not in TEXT.board(EN, GAME.view(state, 2), NAMES)


def test_the_owner_of_an_office_is_told_by_which_one_they_would_deal() -> None:
    """Ruling 63; where the ship is met in one way only, the name alone means it."""
    state = table(
        seats=3,
        ships=(TONSBERG, RIGA, STOCKHOLM),
        hands=("o5", "f6", "s8"),
        offices={RIGA: [(0, "ff")]},
        options={"offices": "on"},
    )
    partners = GAME.legal(state, 0, ("offer",))
    assert isinstance(partners, OneOf)
    assert partners.values == ("guest1",)
    view = GAME.view(state, 0)
    label = TEXT.label(EN, ("offer",), partners, "guest1", view, NAMES)
    assert label.text.endswith(", through your office in Riga (4)")
    assert label.description == "There: 2 fur"
    assert TEXT.read(partners, str(NAMES[1]), ("offer",), view, NAMES) == "guest1"
    assert "at your office" in TEXT.action(EN, ("offer", "guest1"), view, NAMES)


def test_the_rules_tell_what_binds_players_and_where_the_bot_rules() -> None:
    """Both rulebooks, section 3f, ruling 39; section 3e, ruling 25; ruling 19."""
    assert "you must keep a promise whenever you can" in TEXT.rules(EN, "deals")
    assert "cannot enforce them" in TEXT.rules(EN, "deals")
    assert "the other players agree on the route" in TEXT.rules(EN, "raid")
    lines = TEXT.rules(EN, "hidden_routes").splitlines()
    assert [line.split(":")[0] for line in lines if line.startswith("- ")] == [
        "- English rules",
        "- Italian rules",
    ]
    assert any("Our ruling: you may stop where you are." in line for line in lines)
