"""The box: quarters, cards and wooden pieces are those that the sheet counts (sections 1 and 2)."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from bot.game.content import read
from bot.game.flandern import data
from bot.game.flandern.data import (
    ACTION_CARDS,
    CARDS,
    CHURCH,
    CONTENT,
    EMBLEM_KEYS,
    EMBLEM_OF_CITY,
    GOLDEN,
    GREY,
    GUILDS,
    HOME,
    PLAYER_GUILDS,
    SHAPE_OF_TILE,
    TILES,
    FlandernContent,
    GoldenDecks,
    stock_of,
)
from bot.game.flandern.plan import CITIES, FOLDER, SHAPES


def golden(cities: int) -> list[Counter[str]]:
    """Deck A and deck B."""
    return [Counter(dict(zip(CARDS, deck, strict=True))) for deck in GOLDEN[cities]]


# Section 1


def test_there_are_four_guilds_of_players_the_grey_one_and_the_church() -> None:
    assert EMBLEM_KEYS == ("red", "green", "blue", "yellow", "grey", "church")
    assert (PLAYER_GUILDS, GUILDS) == (4, 5)
    assert (EMBLEM_KEYS[GREY], EMBLEM_KEYS[CHURCH]) == ("grey", "church")


@pytest.mark.parametrize(
    ("emblem", "city"),
    [
        ("blue", "brugge"),
        ("red", "gent"),
        ("green", "ieper"),
        ("yellow", "leuven"),
        ("grey", "utrecht"),
        ("church", "luik"),
    ],
)
def test_each_emblem_has_its_home(emblem: str, city: str) -> None:
    """Section 2.6."""
    number = EMBLEM_KEYS.index(emblem)
    assert CITIES[HOME[number]] == city
    assert EMBLEM_OF_CITY[CITIES.index(city)] == number


@pytest.mark.parametrize("emblem", range(GUILDS))
def test_a_guild_has_fifteen_quarters_five_of_each_shape(emblem: int) -> None:
    by_shape = Counter[str]()
    for tile, count in enumerate(stock_of(emblem)):
        by_shape[SHAPES[SHAPE_OF_TILE[tile]]] += count
    assert by_shape == {"t": 5, "p": 5, "r": 5}


def test_one_quarter_of_each_shape_of_a_players_guild_shows_a_leader_and_none_else() -> None:
    """Section 2.3."""
    for emblem in range(GUILDS + 1):
        printed = [stock_of(emblem)[TILES.index(f"{shape}-leader")] for shape in SHAPES]
        assert printed == [int(emblem < PLAYER_GUILDS)] * 3


@pytest.mark.parametrize("emblem", EMBLEM_KEYS)
def test_the_centre_of_a_guild_shows_two_leaders_that_of_the_church_none(emblem: str) -> None:
    about = CONTENT.emblems[EMBLEM_KEYS.index(emblem)]
    assert about.centre_leaders == (0 if emblem == "church" else 2)


def test_the_church_has_three_quarters_of_each_shape_and_four_special_ones() -> None:
    stock = dict(zip(TILES, stock_of(CHURCH), strict=True))
    assert [stock[shape] for shape in SHAPES] == [3, 3, 3]
    assert [stock[special] for special in "abcd"] == [1, 1, 1, 1]
    assert sum(stock.values()) == 13
    for emblem in range(GUILDS):
        assert stock_of(emblem)[TILES.index("a") :] == [0] * 4


@pytest.mark.parametrize(("tile", "shape"), [("a", "p"), ("b", "r"), ("c", "r"), ("d", "p")])
def test_special_quarters_go_on_plots_of_their_shape(tile: str, shape: str) -> None:
    """Section 2.4."""
    assert SHAPES[SHAPE_OF_TILE[TILES.index(tile)]] == shape


def test_the_box_has_94_quarters_72_cards_24_wooden_pieces_and_nine_covers() -> None:
    """Paragraph 1.8, the centres of the cities among the quarters."""
    quarters = [sum(stock_of(emblem)) for emblem in range(GUILDS + 1)]
    assert quarters == [15] * 5 + [13]
    assert sum(quarters) + len(CITIES) == 64 + 15 + 13 + 2 == 94
    silver = PLAYER_GUILDS * (len(ACTION_CARDS) + CONTENT.influence)
    assert silver == 44
    assert sum(sum(deck.values()) for deck in golden(1)) + silver == 72
    assert CONTENT.site_pieces + CONTENT.cathedrals + len(CITIES) + CONTENT.leaders == 24
    assert (CONTENT.site_pieces, CONTENT.cathedrals, CONTENT.leaders) == (10, 4, 4)
    assert CONTENT.covers == 9


def test_a_player_has_six_cities_site_take_and_three_influence_cards() -> None:
    assert (*CITIES, "site", "take") == ACTION_CARDS
    assert (*ACTION_CARDS, "influence", "cathedral", "leader") == CARDS
    assert CONTENT.influence == 3


def test_a_quarter_is_worth_one_that_of_the_church_two_with_a_cathedral_three() -> None:
    """Paragraphs 7.1, 7.4 and 8.3, ruling 50."""
    values = (CONTENT.quarter_value, CONTENT.church_value, CONTENT.cathedral_value)
    assert values == (1, 2, 3)
    assert CONTENT.lower_places == (4, 2, 0)
    assert (CONTENT.bonus, CONTENT.turns_without_building) == (3, 16)


# Section 2.5: golden cards


def test_the_golden_decks_have_fourteen_cards_each_and_each_city_once() -> None:
    a, b = golden(1)
    others = {"influence": 3, "site": 2, "take": 2, "cathedral": 2, "leader": 2}
    assert +a == Counter({**others, "brugge": 1, "gent": 1, "ieper": 1})
    assert +b == Counter({**others, "leuven": 1, "utrecht": 1, "luik": 1})
    assert [deck.total() for deck in (a, b)] == [14, 14]


def test_with_two_cards_a_city_each_deck_has_all_cities() -> None:
    """The option of section 12."""
    others = {"influence": 2, "site": 1, "take": 1, "cathedral": 2, "leader": 2}
    for deck in golden(2):
        assert +deck == Counter({**others, **dict.fromkeys(CITIES, 1)})
        assert deck.total() == 14


def test_one_golden_card_a_city_is_the_usual_way() -> None:
    assert list(GOLDEN) == [1, 2]


# What is read is checked


def changed(monkeypatch: pytest.MonkeyPatch, **fields: object) -> None:
    content = msgspec.structs.replace(CONTENT, **fields)
    monkeypatch.setattr(data, "CONTENT", content)


def test_every_city_must_be_the_home_of_an_emblem(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = msgspec.structs.replace(CONTENT.emblems[0], city="ieper")
    changed(monkeypatch, emblems=(moved, *CONTENT.emblems[1:]))
    with pytest.raises(ValueError, match="the centres of the emblems"):
        data._check()


@pytest.mark.parametrize("deck", ["a", "b"])
def test_golden_cards_must_be_of_a_kind_that_there_is(
    monkeypatch: pytest.MonkeyPatch, deck: str
) -> None:
    usual = CONTENT.golden[0]
    unknown = msgspec.structs.replace(usual, **{deck: {"market": 1}})
    changed(monkeypatch, golden=(unknown,))
    with pytest.raises(ValueError, match="market"):
        data._check()


def test_golden_decks_must_have_equally_many_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "GOLDEN", {1: ((14,), (14,)), 2: ((14,), (13,))})
    with pytest.raises(ValueError, match=r"27, 28"):
        data._check()


def test_an_unknown_key_in_the_file_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = msgspec.to_builtins(CONTENT)
    assert msgspec.convert(usual, FlandernContent) == read(FOLDER / "game.toml", FlandernContent)
    with pytest.raises(msgspec.ValidationError, match="markets"):
        msgspec.convert({**usual, "markets": 1}, FlandernContent)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"cities": -1, "a": {}, "b": {}}, GoldenDecks)
