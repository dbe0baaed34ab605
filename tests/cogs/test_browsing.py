"""Large domains in parts: every word is found at one place, and no part is larger than a page."""

from __future__ import annotations

import pytest

from bot.cogs.panel.browsing import (
    PER_PAGE,
    Group,
    NoSuchPart,
    Place,
    format_place,
    is_large,
    level,
    parse_place,
    piece_values,
    usual,
)
from bot.cogs.ui.autocomplete import matching
from bot.cogs.ui.custom_id import Forged
from bot.game.choices import Amount, Bundle, Grouping, OneOf
from tests.games.archipelago import BY_PATH, BY_PLACE, EDGES, SPACES


def words_at(choices: OneOf, place: Place = ()) -> list[str]:
    """All words that pages and groups lead to."""
    here, found = level(choices, place), []
    for page in range(here.pages):
        shown = here.page(page)
        assert 0 < len(shown) <= PER_PAGE
        for entry in shown:
            inside = words_at(choices, entry.place) if isinstance(entry, Group) else [entry]
            if isinstance(entry, Group):
                assert inside == list(entry.members)
                assert parse_place(format_place(entry.place)) == entry.place
            found += inside
    return found


def test_every_word_is_found_once() -> None:
    for choices in (
        OneOf("space", SPACES, BY_PLACE),
        OneOf("edge", EDGES, BY_PATH),
        OneOf("edge", EDGES),
        OneOf("edge", EDGES, (Grouping("number", lambda edge: edge.partition("-")[2]),)),
        OneOf("edge", EDGES[:76], BY_PATH),
    ):
        assert is_large(choices)
        assert sorted(words_at(choices)) == sorted(choices.values)


def test_few_words_are_not_divided() -> None:
    few = OneOf("space", SPACES[:25], BY_PLACE)
    assert not is_large(few)
    assert level(few, ()).entries == few.values
    assert not is_large(OneOf("space", SPACES[:75]))
    # An amount is large where no select holds it.
    assert not is_large(Amount("cubes", 1, 25))
    assert is_large(Amount("cubes", 0, 25))


def test_a_grouping_that_divides_nothing_is_passed_over() -> None:
    """All spaces of one zone: its rows are shown at once."""
    entries = level(OneOf("space", SPACES[:40], BY_PLACE), ()).entries
    assert [each.word for each in entries if isinstance(each, Group)] == ["1", "2", "3", "4", "5"]


def test_a_word_alone_or_of_no_group_stands_between_the_groups() -> None:
    """A press on a group must not turn out to be an action."""
    words = ("pass", *EDGES[:30], EDGES[100], "rest")
    by = Grouping("path", lambda word: word.partition("-")[0] if "-" in word else "")
    entries = level(OneOf("edge", words, (by,)), ()).entries
    assert entries[0] == "pass"
    assert isinstance(entries[1], Group)
    assert entries[2:] == (EDGES[100], "rest")


def test_a_place_is_read_as_strictly_as_it_is_written_and_may_be_gone() -> None:
    choices = OneOf("space", SPACES, BY_PLACE)
    for place in ((5,), (0, 5), (0, 0, 0)):
        with pytest.raises(NoSuchPart):
            level(choices, place)
    for word in ("x", "-1", "01", "1.", ".", "1,2", "-0", "1" * 40):
        with pytest.raises(Forged):
            parse_place(word)


# What is offered while a command is being typed, and of a stock of many pieces


def test_a_word_that_discord_would_not_take_is_not_offered() -> None:
    """One choice of more than 100 characters would take all the others with it."""
    offered = matching([("o", "1 ore"), ("o" * 101, "101 ore"), ("o" * 100, "100 ore")], "ore")
    assert [choice.name for choice in offered] == ["1 ore", "100 ore"]


def test_an_exact_value_or_name_comes_first_then_beginnings_then_parts() -> None:
    values = [
        ("off", "none"),
        ("on", "collected"),
        ("maybe", "only once"),
        ("first", "Città", "City"),
    ]
    for typed, found in (
        ("on", ["on", "maybe", "off"]),
        ("None", ["off"]),
        ("citta", ["first"]),
        ("CITY", ["first"]),
        ("", ["off", "on", "maybe", "first"]),
    ):
        assert [choice.value for choice in matching(values, typed)] == found


def test_the_usual_words_of_a_stock_are_nothing_one_piece_and_several_of_a_kind() -> None:
    goods = Bundle("give", "ofas", (3, 2, 0, 1), 0, 6)
    assert usual(goods, 25) == ["", "o", "f", "s", "ooo", "oo", "ff", "of", "os", "fs"]
    # As many sizes as have room, and none that is not allowed.
    hidden = Bundle("take", "ofas", (12, 12, 12, 12), 1, 48)
    assert usual(hidden, 9) == ["o", "f", "a", "s", "oo", "ff", "aa", "ss"]
    pairs = Bundle("fee", "ofas", (2, 2, 1, 0), 2, 2, lambda word: word != "ff")
    assert usual(pairs, 25) == ["oo", "of", "oa", "fa"]


def test_a_stock_larger_than_a_select_is_offered_with_fewer_of_each_kind_or_not_at_all() -> None:
    hidden = Bundle("take", "ofas", (12, 12, 1, 0), 1, 25)
    dozen = [f"{kind}{number}" for kind in "of" for number in range(1, 13)]
    assert piece_values(hidden, 6) == ["o1", "o2", "f1", "f2", "a1"]
    assert piece_values(hidden, 25) == [*dozen, "a1"]
    assert piece_values(Bundle("take", "ofas", (1, 1, 1, 1), 1, 4), 3) == []
