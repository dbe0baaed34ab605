"""Large choices in groups: every word is in one place, and no group is larger than a page."""

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
    """Return all words that pages and groups lead to."""
    current, found = level(choices, place), []
    for page in range(current.pages):
        shown = current.page(page)
        assert 0 < len(shown) <= PER_PAGE
        for entry in shown:
            inside = words_at(choices, entry.place) if isinstance(entry, Group) else [entry]
            if isinstance(entry, Group):
                assert inside == list(entry.members)
                assert parse_place(format_place(entry.place)) == entry.place
            found += inside
    return found


def test_every_word_is_listed_once() -> None:
    for choices in (
        OneOf("space", SPACES, BY_PLACE),
        OneOf("edge", EDGES, BY_PATH),
        OneOf("edge", EDGES),
        OneOf("edge", EDGES, (Grouping("number", lambda edge: edge.partition("-")[2]),)),
        OneOf("edge", EDGES[:76], BY_PATH),
    ):
        assert is_large(choices)
        assert sorted(words_at(choices)) == sorted(choices.values)


def test_few_words_are_not_grouped() -> None:
    few = OneOf("space", SPACES[:25], BY_PLACE)
    assert not is_large(few)
    assert level(few, ()).entries == few.values
    assert not is_large(OneOf("space", SPACES[:75]))
    # An amount is large if it does not fit into a select.
    assert not is_large(Amount("cubes", 1, 25))
    assert is_large(Amount("cubes", 0, 25))


def test_a_grouping_with_a_single_group_is_skipped() -> None:
    """All spaces are in one zone: its rows are shown immediately."""
    entries = level(OneOf("space", SPACES[:40], BY_PLACE), ()).entries
    assert [each.word for each in entries if isinstance(each, Group)] == ["1", "2", "3", "4", "5"]


def test_a_word_without_a_group_is_listed_between_the_groups() -> None:
    """A group of one would turn its press into an action."""
    words = ("pass", *EDGES[:30], EDGES[100], "rest")
    by = Grouping("path", lambda word: word.partition("-")[0] if "-" in word else "")
    entries = level(OneOf("edge", words, (by,)), ()).entries
    assert entries[0] == "pass"
    assert isinstance(entries[1], Group)
    assert entries[2:] == (EDGES[100], "rest")


def test_a_place_is_parsed_strictly_and_may_be_missing() -> None:
    choices = OneOf("space", SPACES, BY_PLACE)
    for place in ((5,), (0, 5), (0, 0, 0)):
        with pytest.raises(NoSuchPart):
            level(choices, place)
    for word in ("x", "-1", "01", "1.", ".", "1,2", "-0", "1" * 40):
        with pytest.raises(Forged):
            parse_place(word)


# Suggestions for commands, and selects for many pieces


def test_a_word_too_long_for_discord_is_not_suggested() -> None:
    """Discord would reject the whole list for one choice of more than 100 characters."""
    offered = matching([("o", "1 ore"), ("o" * 101, "101 ore"), ("o" * 100, "100 ore")], "ore")
    assert [choice.name for choice in offered] == ["1 ore", "100 ore"]


def test_exact_matches_come_first_then_prefixes_then_substrings() -> None:
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


def test_the_usual_bundles_are_nothing_one_piece_and_several_of_a_kind() -> None:
    goods = Bundle("give", "ofas", (3, 2, 0, 1), 0, 6)
    assert usual(goods, 25) == ["", "o", "f", "s", "ooo", "oo", "ff", "of", "os", "fs"]
    # Larger sizes follow while there is room, if they are allowed.
    hidden = Bundle("take", "ofas", (12, 12, 12, 12), 1, 48)
    assert usual(hidden, 9) == ["o", "f", "a", "s", "oo", "ff", "aa", "ss"]
    pairs = Bundle("fee", "ofas", (2, 2, 1, 0), 2, 2, lambda word: word != "ff")
    assert usual(pairs, 25) == ["oo", "of", "oa", "fa"]


def test_a_select_for_many_pieces_offers_fewer_of_each_kind_or_none() -> None:
    hidden = Bundle("take", "ofas", (12, 12, 1, 0), 1, 25)
    dozen = [f"{kind}{number}" for kind in "of" for number in range(1, 13)]
    assert piece_values(hidden, 6) == ["o1", "o2", "f1", "f2", "a1"]
    assert piece_values(hidden, 25) == [*dozen, "a1"]
    assert piece_values(Bundle("take", "ofas", (1, 1, 1, 1), 1, 4), 3) == []
