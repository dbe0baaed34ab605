"""The pictures of Flandern 1302 as a whole."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import msgspec
import pytest

from bot.game.contract import Event, Fact
from bot.game.events import event_of
from bot.game.flandern import GAME
from bot.game.flandern.view import FlandernView
from bot.render.asked import WHOLE, AskedWords
from bot.render.flandern import draw, draw_part
from bot.render.flandern.close_up import part_asked, parts
from bot.render.flandern.legend import SIGNS
from bot.render.legend import LEGEND
from bot.text.flandern.game_text import FlandernText
from bot.text.words import words_for
from tests.render.compare import TOLERATED, assert_golden, different, read
from tests.render.flandern.samples import (
    SAMPLES,
    Sample,
    beginning,
    choosing,
    extreme,
    golden,
    middle_game,
    scored,
    two_players,
)
from tests.render.sameness import draws_twins_alike, printed_elsewhere

_KILOBYTES = 220


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"extreme"}))
def test_the_picture_is_the_golden_one(name: str) -> None:
    assert_golden(f"flandern_{name}", draw(*SAMPLES[name]()))


@pytest.mark.parametrize(
    ("sample", "part"), [(middle_game, "utrecht"), (two_players, "leuven"), (middle_game, "0")]
)
def test_a_large_part_is_the_golden_one(sample: Callable[[], Sample], part: str) -> None:
    assert_golden(f"flandern_{part}", draw_part(*sample(), part, {}))


def test_under_a_hand_stands_what_its_cards_do() -> None:
    words = {"ieper": "Build in Ieper, or complete a site there.", "take": "All cards come back."}
    assert_golden("flandern_hand", draw_part(*choosing(), "1", words))


ASKED: dict[str, tuple[Callable[[], Sample], str, AskedWords]] = {
    "guilds": (
        beginning,
        "",
        AskedWords(("guild",), "guild", ("red", "green", "blue"), ("Red", "Green", "Blue")),
    ),
    "cards": (
        choosing,
        "1",
        AskedWords(("choose",), "card", ("ieper", "leuven", "take"), ("Ieper", "Leuven", "Take")),
    ),
    "influence": (
        choosing,
        "1",
        AskedWords(("choose", "ieper"), "influence", ("0", "1", "2", "3"), ("None", "1", "2", "3")),
    ),
    "plots": (
        middle_game,
        "leuven",
        AskedWords(
            ("build",), "place", ("leuven-t1", "leuven-t2", "leuven-p3"), ("t1", "t2", "p3")
        ),
    ),
    "tiles": (
        middle_game,
        "leuven",
        AskedWords(
            ("build", "leuven-t1"),
            "tile",
            ("red", "red-leader", "grey", "church"),
            ("Red", "Red with leader", "Grey", "Church"),
        ),
    ),
    "churches": (
        golden,
        "",
        AskedWords(("cathedral",), "place", ("luik-c", "luik-p1", "utrecht-p3")),
    ),
    "cities": (
        two_players,
        "",
        AskedWords(
            ("site",),
            "place",
            ("gent-t1", "gent-t2", "luik-p2", "brugge-t2"),
            ("Gent", "Gent", "Luik", "Brugge"),
        ),
    ),
    "menu": (
        middle_game,
        "leuven",
        AskedWords(
            (),
            WHOLE,
            ("build leuven-t1 red", "build leuven-t1 church", "build leuven-p3 grey"),
            ("T1", "T1", "P3"),
        ),
    ),
}
"""Questions: the view they are asked of, the part of the table in which they lie, and the words."""


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_is_lit_where_it_lies(name: str) -> None:
    sample, part, asked = ASKED[name]
    view, names, events = sample()
    assert part_asked(view, asked) == part
    if part:
        lit = draw_part(view, names, events, part, {}, asked)
        unlit = draw_part(view, names, events, part, {})
    else:
        lit = draw(view, names, events, asked)
        unlit = draw(view, names, events)
    assert lit != unlit
    assert_golden(f"flandern_asked_{name}", lit)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("choose gent 0", "choose gent 1", "choose take 0"), "1"),
        (("draw", "play gent + build gent-t1 red", "take"), "1"),
        (("build gent-t1 red", "complete gent-t2"), "gent"),
        (("site gent-t1 red", "site gent-t2 red"), "gent"),
        (("site gent-t1 red", "site luik-t2 red"), ""),
        (("cathedral luik-c", "cathedral gent-p1"), ""),
        (("guild red", "guild blue"), ""),
        (("draw",), None),
    ],
)
def test_whole_actions_lie_where_they_take_effect(words: tuple[str, ...], part: str | None) -> None:
    view = msgspec.structs.replace(choosing()[0], observer=1)
    assert part_asked(view, AskedWords((), WHOLE, words)) == part


def test_beside_the_card_of_a_city_stands_what_it_is_worth() -> None:
    view, names, events = choosing()
    worth = _in_city(view, 2, value=17)
    assert draw_part(view, names, events, "1", {}) != draw_part(worth, names, events, "1", {})
    others = msgspec.structs.replace(worth, observer=0)
    unknown = msgspec.structs.replace(view, observer=0)
    seats = [_changed(each, 1, hand=None) for each in (others, unknown)]
    assert draw_part(seats[0], names, events, "1", {}) == draw_part(
        seats[1], names, events, "1", {}
    )


def test_the_legend_explains_every_sign_and_is_the_golden_one() -> None:
    close = FlandernText().close_up(words_for("en"), middle_game()[0], LEGEND, ())
    assert close is not None
    assert tuple(close.legend) == tuple(SIGNS)
    assert_golden("flandern_legend", draw_part(*middle_game(), LEGEND, close.legend))


def test_golden_cards_say_how_many_have_come_out() -> None:
    close = FlandernText().close_up(words_for("en"), golden()[0], "golden", ())
    assert close is not None
    assert_golden("flandern_golden_cards", draw_part(*golden(), "golden", close.legend))


def test_nothing_is_lit_in_another_part_than_that_of_the_question() -> None:
    _, part, asked = ASKED["plots"]
    assert part == "leuven"
    lit, unlit = (draw_part(*middle_game(), "gent", {}, each) for each in (asked, None))
    assert lit == unlit


def test_each_city_in_the_game_is_a_part_and_the_cards_of_each_seat() -> None:
    cities = ("brugge", "gent", "ieper", "utrecht", "luik")
    assert parts(scored()[0]) == (*cities, "0", "1", "2", "golden", LEGEND)
    assert parts(two_players()[0])[-3:] == ("0", "1", LEGEND)
    with pytest.raises(ValueError, match="no part 'leuven'"):
        draw_part(*scored(), "leuven", {})


def _changed(view: FlandernView, seat: int, **fields: object) -> FlandernView:
    seats = list(view.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], **fields)
    return msgspec.structs.replace(view, seats=tuple(seats))


def _in_city(view: FlandernView, number: int, **fields: object) -> FlandernView:
    cities = list(view.cities)
    cities[number] = msgspec.structs.replace(cities[number], **fields)
    return msgspec.structs.replace(view, cities=tuple(cities))


def _another_quarter(view: FlandernView, **fields: object) -> FlandernView:
    """Another first quarter, of those that are not the centre, in Gent."""
    centre, first, *others = view.cities[1].quarters
    other = msgspec.structs.replace(first, **fields)
    return _in_city(view, 1, quarters=(centre, other, *others))


def test_another_piece_or_another_number_is_more_than_the_tolerance() -> None:
    view, names, events = middle_game()
    here = read(draw(view, names, events))
    gent = view.cities[1]
    second = msgspec.structs.replace(gent.standings[0], points=19)
    guilds = (msgspec.structs.replace(view.guilds[0], points=(9,) * 6), *view.guilds[1:])
    for changed in (
        _another_quarter(view, emblem="church"),
        _another_quarter(view, site=True),
        _another_quarter(view, leaders=1),
        _in_city(view, 1, value=18),
        _in_city(view, 1, scored=True),
        _in_city(view, 1, standings=(second, *gent.standings[1:])),
        _in_city(view, 1, free=gent.free[1:], covered=gent.free[:1]),
        _changed(view, 2, score=18),
        _changed(view, 2, cards=3),
        _changed(view, 2, influence=1),
        _changed(view, 3, open=("gent", "utrecht")),
        _changed(view, 3, card="gent"),
        _changed(view, 3, laid=2),
        msgspec.structs.replace(view, guilds=guilds),
        msgspec.structs.replace(view, sites=view.sites + 1),
        msgspec.structs.replace(view, leaders=view.leaders + 1),
        msgspec.structs.replace(view, golden_left=(1, 1)),
        msgspec.structs.replace(view, acted=3),
    ):
        assert different(here, read(draw(changed, names, events))) > TOLERATED


def test_whose_a_quarter_is_shows_without_colours() -> None:
    view, names, events = middle_game()
    grey = [
        read(draw(each, names, events)).convert("L").point(_TWO_TONES).convert("RGB")
        for each in (view, _another_quarter(view, emblem="blue"))
    ]
    assert different(*grey) > TOLERATED


_TWO_TONES = [0] * 200 + [255] * 56

FACTS: dict[str, Fact] = {
    "seat": 2,
    "seats": (2, 0),
    "place": "gent-p1",
    "places": ("gent-t2",),
    "tile": "grey",
    "emblem": "grey",
    "guild": "red",
    "city": "gent",
    "card": "leuven",
    "cards": ("leuven",),
    "deck": "a",
    "ending": "full",
}
"""An example of each fact; those not listed are numbers."""
MARKED = frozenset(
    {
        *("quarter_built", "site_put", "quarter_completed", "cathedral_put", "leader_put"),
        *("guild_scored", "bonus_scored", "card_revealed", "card_played", "golden_revealed"),
        *("card_drawn", "city_scored"),
    }
)


SHOWN: dict[str, Callable[[], Sample]] = {"golden_revealed": golden, "card_drawn": two_players}
"""Where what happens in some events can be seen; all others in the middle of a game."""


@pytest.mark.parametrize("kind", GAME.events)
def test_every_kind_of_event_draws(kind: str) -> None:
    view, names, _ = SHOWN.get(kind, middle_game)()
    fields = set(GAME.events[kind].__struct_fields__) - set(Event.__struct_fields__)
    facts = {name: FACTS.get(name, 2) for name in fields}
    if kind == "bonus_scored":
        facts["cards"] = 2
    if len(view.seats) == 2:
        facts["seat"] = 1
    event = event_of(GAME.events, kind, facts)
    assert (draw(view, names, (event,)) != draw(view, names, ())) == (kind in MARKED)


def test_a_plot_that_was_covered_is_marked() -> None:
    view, names, _ = scored()
    assert "gent-t2" in view.city("gent").covered
    event = event_of(GAME.events, "plots_covered", {"places": ("gent-t2",)})
    assert draw(view, names, (event,)) != draw(view, names, ())


@pytest.mark.parametrize("name", SAMPLES)
def test_no_picture_is_too_large(name: str) -> None:
    assert len(draw(*SAMPLES[name]())) < _KILOBYTES * 1000


def test_there_is_room_for_all_there_can_be() -> None:
    view, names, events = extreme()
    for part in parts(view):
        assert len(draw_part(view, names, events, part, {})) < _KILOBYTES * 1000


@pytest.mark.parametrize("card", ["gent", None])
def test_the_golden_card_is_shown_as_far_as_it_is_known(card: str | None) -> None:
    view, names, events = choosing()
    assert view.golden_card == "influence"
    other = msgspec.structs.replace(view, golden_card=card)
    assert draw(other, names, events) != draw(view, names, events)


def test_who_has_chosen_is_marked_but_not_what() -> None:
    view, names, events = choosing()
    assert view.seats[3].chosen
    assert view.seats[3].card is None
    waiting = _changed(view, 3, chosen=False)
    assert draw(waiting, names, events) != draw(view, names, events)


def test_the_cards_of_others_are_as_many_backs() -> None:
    view, names, events = choosing()
    assert view.seats[2].hand is None
    fewer = _changed(view, 2, cards=5)
    here, there = (draw_part(each, names, events, "2", {}) for each in (view, fewer))
    assert here != there


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    program = (
        "from hashlib import sha256; from bot.render.flandern import draw;"
        "from tests.render.flandern.samples import scored, two_players;"
        "print(*(sha256(draw(*each())).hexdigest() for each in (scored, two_players)))"
    )
    here = [sha256(draw(*each())).hexdigest() for each in (scored, two_players)]
    assert printed_elsewhere(program, "4242") == here


def test_four_threads_at_once_draw_what_one_draws() -> None:
    samples: list[Sample] = [sample() for sample in SAMPLES.values()]
    alone = [draw(*sample) for sample in samples]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda sample: draw(*sample), samples)) == alone


def test_words_can_be_given_in_another_language() -> None:
    italian = words_for("it").drawn
    assert draw(*middle_game(), say=italian) != draw(*middle_game())


@pytest.mark.parametrize(("seats", "guilds"), [(2, "chosen"), (3, "drawn"), (4, "drawn")])
def test_a_random_game_draws_and_betrays_no_secret(seats: int, guilds: str) -> None:
    options = {"guilds": guilds}
    assert draws_twins_alike(
        GAME, draw, seats, options, 900, lambda move: move in (1, seats + 1) or move % 50 == 0
    )
