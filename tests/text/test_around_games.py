"""Texts for all games: lobby, lists of tables, terms, hints, points, markup and errors."""

from __future__ import annotations

import re
from datetime import date

import pytest

from bot.game.choices import Amount, OneOf
from bot.game.contract import Action, Fact, Outcome, Refusal
from bot.game.sides import own_looks
from bot.resources import CHECKOUT
from bot.tables.core.errors import Rejected
from bot.tables.core.seating import TERMS
from bot.text import general, hints, terms
from bot.text.contract import Label, Unreadable
from bot.text.errors import ERRORS, error
from bot.text.flandern.words import FlandernWords
from bot.text.general import LobbySeat
from bot.text.markup import bold, clip, code_block, escape, newest, whole_sentences
from bot.text.matching import amount
from bot.text.personal_settings import read_day
from bot.text.user_text import Mention, Written
from bot.text.words import words_for
from bot.titles import TITLES
from tests.text.people import called

EN, IT = words_for("en"), words_for("it")


def lobby(*seated: LobbySeat) -> str:
    return general.lobby(EN, tagline="Trade.", seated=seated, seats=(2, 3, 4), options="English")


def test_the_lobby_shows_who_is_seated_and_how_many_are_missing() -> None:
    anna = LobbySeat(Written("Anna"), host=True)
    assert "1. **Anna** (host)" in lobby(anna)
    assert "You need 1 more player to start." in lobby(anna)
    bob = LobbySeat(Written("Bob"), reachable=False)
    text = lobby(bob, LobbySeat(Written("Computer 1"), "normal"))
    assert "**Bob** (direct messages off)" in text
    assert "(computer player)" in text
    assert "2 more players can join." in text
    assert "The table is full." in lobby(*[LobbySeat(Written(name)) for name in "ABCD"])
    assert "No one has joined yet." in lobby()


def test_a_list_of_tables_shows_who_is_to_act() -> None:
    line = general.table_line(
        EN, table=7, game="Kogge", status="playing", place="<#5>", to_act=["Anna to bid"]
    )
    assert line == "**Table 7** · Kogge, being played · <#5>\nWaiting for Anna to bid."


# Markup


def test_markdown_in_a_name_is_escaped() -> None:
    assert bold("a_b*c") == r"**a\_b\*c**"
    assert escape("<@42>") == "\\<@\u200b42\\>"
    assert bold(Mention(42, Written("Anna"))) == "**<@42>**"
    assert code_block("a```b").count("```") == 2


def test_a_long_text_is_cut_with_an_ellipsis_but_not_within_an_emoji() -> None:
    assert clip("abcdef", 4) == "abc…"
    assert clip("abcd", 4) == "abcd"
    for limit in range(10, 30):
        cut = clip("2 of <:salt_01:123> salt, and more", limit)
        assert len(cut) <= limit
        assert cut.count("<") == cut.count(">"), cut


def test_long_texts_keep_the_last_lines_or_the_first_whole_sentences() -> None:
    newest_lines = {13: "one\ntwo\nthree", 12: "…\ntwo\nthree", 11: "…\ntwo\nthree", 10: "…\nthree"}
    for limit, lines in {**newest_lines, 4: "thr…"}.items():
        assert newest(["one", "two", "three"], limit) == lines
    text = "One. Two 2.5 of 3? Four."
    for limit, sentences in {
        24: text,
        23: "One. Two 2.5 of 3? …",
        19: "One. …",
        5: "One.…",
    }.items():
        assert whole_sentences(text, limit) == sentences


# Points


def test_tables_of_points_name_seats_by_the_letters_of_all_their_sides() -> None:
    text = FlandernWords(EN, called("Anna", "Bert"))
    outcome = Outcome("full", (0,), (12, 9), (("gent", (12, 9)),))
    for looks, letters in ((own_looks(2), ["A", "B"]), (((0, 2), (1, 3)), ["A+C", "B+D"])):
        _, _, key, _, heads, *_ = text.outcome(outcome, looks).split("\n")
        assert key == f"{letters[0]} **Anna** · {letters[1]} **Bert**"
        assert heads.split() == letters


def test_tables_of_points_are_ordered_by_rank() -> None:
    text = FlandernWords(EN, called("Anna", "Bert", "Clara"))
    outcome = Outcome("full", (2,), (7, 9, 9), (("gent", (7, 9, 9)),))
    _, _, key, _, heads, ranks, *_, total, _ = text.outcome(outcome, own_looks(3)).split("\n")
    assert key == "C **Clara** · B **Bert** · A **Anna**"
    assert (heads.split(), ranks.split()) == (["C", "B", "A"], ["Rank", "1", "2", "3"])
    assert total.split() == ["Total", "9", "9", "7"]


# Terms of a table


def test_every_term_and_value_has_words_and_no_name_is_also_a_game_option() -> None:
    assert {each.name: each.values for each in TERMS} == {
        name: tuple(values) for name, values in terms.VALUES.items()
    }
    assert set(terms.NAMES) == set(terms.VALUES)
    for game in TITLES.games.values():
        assert not {each.name for each in game.options} & set(terms.NAMES)


def test_terms_show_the_end_of_time_only_with_a_clock_and_hints_only_if_known() -> None:
    assert terms.summary(EN, {"weekend": "frozen"}) == "No time limit."
    text = terms.summary(EN, {"clock": "d1", "at_zero": "vote"})
    assert "1 day a turn" in text
    assert "vote" in text
    assert terms.summary(EN, {"hints": "off"}) == "No time limit. 💡 Hints: off."
    with_clock = terms.summary(EN, {"clock": "d1", "hints": "own"})
    assert with_clock.startswith("⏳ 1 day a turn")
    assert with_clock.endswith(" 💡 Hints: only with /game hint.")


def test_dates_are_read_in_the_formats_people_type() -> None:
    christmas = dict.fromkeys(("2030-12-24", "24.12.2030", "24.12."), date(2030, 12, 24))
    nothing = dict.fromkeys(("31.2.", "29.2.", "soon", ""))
    for typed, day in {**christmas, "3/1": date(2031, 1, 3), **nothing}.items():
        assert read_day(typed, date(2030, 5, 1)) == day, typed


# Hints

MOVE = Label("Ship from depot 1 → *d5*", "🚢")


def test_the_worth_of_a_move_is_a_chance_and_a_lead_if_that_is_in_points() -> None:
    for lead, text in {
        3.6: "62% to win · likely to finish 4 points ahead",
        1.2: "62% to win · likely to finish 1 point ahead",
        0.3: "62% to win · likely to finish level",
        -0.4: "62% to win · likely to finish level",
        -1.0: "62% to win · likely to finish 1 point behind",
        -7.7: "62% to win · likely to finish 8 points behind",
        None: "62% to win",
    }.items():
        assert hints.worth(EN, 0.618, lead) == text
    assert hints.worth(IT, 0.62, 4) == "62% di vittoria · finiresti con circa 4 punti di vantaggio"
    # Nothing is certain before it happens.
    for chance, percent in {0.0: 1, 0.004: 1, 0.5: 50, 0.999: 99, 1.0: 99}.items():
        assert hints.percent(chance) == percent
    # Small differences are not shown.
    assert hints.ahead_of_next(EN, 0.62, 0.57) == "5 points better than the next move"
    assert hints.ahead_of_next(EN, 0.62, 0.61) == ""
    assert hints.near_best(EN, 0.61, 0.62) == "nearly as good"
    assert hints.near_best(EN, 0.6, 0.62) == ""
    # The second move may even have the higher chance.
    assert hints.near_best(EN, 0.63, 0.62) == "nearly as good"


def test_a_move_is_shown_with_its_number_its_chances_and_its_effects() -> None:
    changes = ["points: 3 → 6", "workers: 1 → 2", "goods: 0 → 1", "storage: 1 → 0"]
    assert hints.move(EN, 2, MOVE, ["62% to win", ""], changes) == [
        r"**2.** 🚢 Ship from depot 1 → \*d5\*",
        "-# 62% to win",
        "> points: 3 → 6 · workers: 1 → 2 · goods: 0 → 1",
    ]
    assert hints.move(EN, 1, Label("End turn"), [], []) == ["**1.** End turn"]
    assert hints.play(EN, 2) == Label("Play 2")


def test_a_plan_is_shown_with_its_chances_and_the_best_move() -> None:
    assert hints.plan(EN, 0.5, 2) == "⚖️ Your plan: 50% to win · likely to finish 2 points ahead."
    assert hints.best_besides_plan(EN, 0.5, (0.62, None), MOVE) == (
        r"The strong player's best move: Ship from depot 1 → \*d5\* (62% to win)"
    )
    alike = hints.best_besides_plan(EN, 0.615, (0.62, 3), MOVE)
    assert alike.startswith("Nearly as good as the strong player's best move: Ship")
    assert "%" not in alike


# Typed numbers, and names of groups

CUBES = Amount("cubes", 1, 60)


def test_a_number_is_read_with_other_words_around_it_even_if_it_is_illegal() -> None:
    numbers = {"12": "12", " 007 ": "7", "12 cubes": "12", "\N{MINUS SIGN}3": "-3", "99": "99"}
    for typed, word in numbers.items():
        assert amount(CUBES, typed, "stock") == word
    for typed in ("", "many", "1 or 2", "9" * 50):
        with pytest.raises(Unreadable) as caught:
            amount(CUBES, typed, "stock")
        assert caught.value.refusal.code == "unreadable"
        assert caught.value.refusal.facts["examples"] == ("1", "60")


class Divided(FlandernWords):
    """Flandern's words with a group that it does not have."""

    def group_coast(self, prefix: Action, word: str) -> Label:
        return Label(f"The {word} coast".upper() * 9)


def test_a_game_may_have_groups_and_amounts() -> None:
    coasts = OneOf("coast", ("east", "west"))
    label = Divided(EN).label(("build",), coasts, "east")
    assert label.text.startswith("THE EAST COAST")
    assert len(label.text) <= 80
    assert Divided(EN).read(CUBES, "12 cubes", ("build",)) == "12"
    facts: dict[str, Fact] = {"kind": "build", "param": "place", "word": "99"}
    refusal = Refusal("out_of_range", "setup", {**facts, "least": 1, "most": 60})
    text = Divided(EN).refusal(refusal)
    assert text.startswith("“99” isn't possible here.")
    assert "from 1 to 60" in text


# Errors

FACTS: dict[str, Fact] = {
    "version": 1,
    "now": 2,
    "needed": 2,
    "seats": 1,
    "most": 200,
    "table": 3,
    "seq": 4,
    "usual": 3,
    "least": 80,
    "finished": 75,
    "open": 4,
    "game": "kogge",
    "name": "Greedy 1",
    "zone": "Rom",
    "typed": "25:00",
    "hours": "48",
    "tables": (3, 4),
    "cups": ("Spring cup", "Harbour cup"),
    "names": ("Anna", "Bert"),
    "channels": (7, 8),
    "when": "in a minute",
    "last": 9,
}


def test_every_code_that_tables_and_cogs_raise_has_a_message() -> None:
    kinds: list[type[Rejected]] = [Rejected, *_below(Rejected)]
    named = "|".join(kind.__name__ for kind in kinds)
    raised = re.compile(rf'\b(?:{named})\(\s*"(\w+)"')
    sources = [
        path for part in ("cogs", "tables") for path in (CHECKOUT / "bot" / part).rglob("*.py")
    ]
    found = {match for path in sources for match in raised.findall(path.read_text("utf-8"))}
    assert {"which_table", "table_full", "conflict"} <= found <= set(ERRORS)


def _below(kind: type[Rejected]) -> list[type[Rejected]]:
    return [each for sub in kind.__subclasses__() for each in (sub, *_below(sub))]


def test_every_message_can_be_filled() -> None:
    for code in ERRORS:
        text = error(EN, code, FACTS)
        assert text.endswith(".")
        assert "{" not in text
    assert "3 and 4" in error(EN, "which_table", FACTS)
    assert "strange_code" in error(EN, "strange_code", {})
