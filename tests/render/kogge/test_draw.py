"""The board's picture as a whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import msgspec
import pytest

from bot.game.kogge import GAME
from bot.game.kogge.data import CITIES
from bot.game.kogge.view import OfficeView
from bot.render.asked import WHOLE, AskedWords
from bot.render.kogge import draw, draw_part
from bot.render.kogge.layout import LAYOUT
from bot.render.kogge.legend import SIGNS
from bot.render.kogge.places import part_asked
from bot.render.kogge.reach import reach_of
from bot.render.legend import LEGEND
from bot.text.kogge.game_text import KoggeText
from bot.text.words import words_for
from tests.render.compare import TOLERATED, assert_golden, different, read
from tests.render.kogge.samples import SAMPLES, Sample, extreme
from tests.render.sameness import draws_twins_alike, printed_elsewhere
from tests.text.people import called

_KILOBYTES = 300


@pytest.mark.parametrize("name", SAMPLES)
def test_the_picture_is_the_golden_one(name: str) -> None:
    assert_golden(name, draw(*SAMPLES[name]()))


ASKED = {
    "cities": (
        "founding",
        AskedWords(
            ("found",),
            "marker",
            ("0", "1", "3", "4", "8"),
            ("Tønsberg", "Stockholm", "Reval", "Riga", "Kopenhagen"),
        ),
    ),
    "routes": (
        "kogge_voyage",
        AskedWords(
            ("sail",),
            "route",
            ("left", "right", "secret"),
            ("Lübeck (7)", "right", "Stralsund (6)"),
        ),
    ),
    "pairs": (
        "middle_game",
        AskedWords(("buy",), "pair", ("1", "3", "4"), ("Pair 1", "Pair 3", "Pair 4")),
    ),
    "goods": (
        "middle_game",
        AskedWords(("buy", "1"), "good", ("ore", "salt"), ("1 ore", "1 salt")),
    ),
    "markers": ("middle_game", AskedWords(("swap_marker",), "marker", ("1", "5"))),
    "chits": (
        "middle_game",
        AskedWords(("sell_six", "ore"), "chit", ("three", "secret"), ("3:1 trade", "secret route")),
    ),
    "bid": ("hidden_goods", AskedWords(("bid",), "markers", tuple("6540"), tagged=False)),
    "fee": ("kogge_voyage", AskedWords(("sail", "left"), "fee", tuple("ofs71"), tagged=False)),
    "trade": ("middle_game", AskedWords(("trade", "o"), "take", ("a", "s"), tagged=False)),
    "ships": ("middle_game", AskedWords(("raid_ship",), "seat", ("3",), ("Computer 1",))),
    "partners": ("middle_game", AskedWords(("offer",), "seat", ("3",), ("Computer 1",))),
    "own_routes": (
        "middle_game",
        AskedWords(("reroute",), "route", ("left", "right"), ("Lübeck (7)", "right")),
    ),
    "turn": (
        "middle_game",
        AskedWords(
            (),
            WHOLE,
            ("trade o aa", "trade s a", "buy 3 ore", "swap_marker 7", "reroute left 1", "end"),
            ("Trade", "Trade", "4 + 1", "Swap", "Change", "End your turn"),
        ),
    ),
}
"""Questions: the view they are asked of, and their words."""


def shown(sample: Sample, part: str, asked: AskedWords | None = None) -> bytes:
    """The whole board, or a part of it by its word."""
    view, names, events = sample
    if not part:
        return draw(view, names, events, asked)
    return draw_part(view, names, events, part, {}, asked)


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_is_lit(name: str) -> None:
    sample, asked = SAMPLES[ASKED[name][0]](), ASKED[name][1]
    part = part_asked(sample[0], asked)
    assert part == ("" if name == "cities" else str(sample[0].observer))
    lit = shown(sample, part, asked)
    assert lit != shown(sample, part)
    assert_golden(f"kogge_asked_{name}", lit)


@pytest.mark.parametrize(
    ("partner", "param", "seat"),
    [("3", "give", "1"), ("3", "take", "3"), ("office3", "take", "1"), ("guest3", "give", "3")],
)
def test_pieces_of_a_deal_are_lit_where_they_lie(partner: str, param: str, seat: str) -> None:
    asked = AskedWords(("offer", partner), param, ("o",), tagged=False)
    assert part_asked(SAMPLES["middle_game"]()[0], asked) == seat


def test_ships_far_away_that_can_be_dealt_with_are_lit_on_the_board() -> None:
    asked = AskedWords(("offer",), "seat", ("3", "guest0"), tagged=False)
    assert part_asked(SAMPLES["middle_game"]()[0], asked) == ""


def test_a_question_is_lit_in_no_other_part() -> None:
    sample, asked = SAMPLES["middle_game"](), ASKED["own_routes"][1]
    assert shown(sample, "city3", asked) == shown(sample, "city3")
    assert shown(sample, "0", asked) == shown(sample, "0")


def test_every_place_of_a_menu_is_lit_but_of_what_has_none() -> None:
    view, names, events = SAMPLES["middle_game"]()
    lit = ASKED["turn"][1]
    for word in lit.words:
        asked = AskedWords((), WHOLE, (word,), ("x",))
        part = part_asked(view, asked)
        assert (part is None) == (word == "end")
        if part is not None:
            assert shown((view, names, events), part, asked) != shown((view, names, events), part)


def test_every_part_can_be_seen_large_whatever_it_holds() -> None:
    for city in range(CITIES):
        sample = extreme(city)
        assert read(shown(sample, f"city{city}")).width == 1080
        assert read(shown(sample, "0")).width == 1080
    assert_golden("kogge_city", shown(extreme(4), "city4"))
    assert_golden("kogge_seat", shown(extreme(4), "0"))


def test_a_ship_has_no_line_to_where_its_own_raid_lies() -> None:
    view, _, _ = SAMPLES["kogge_voyage"]()
    assert [each.to for each in reach_of(view, 1)] == [7, None, 6]
    raided = msgspec.structs.replace(view.cities[7], raids=(1,))
    barred = msgspec.structs.replace(view, cities=(*view.cities[:7], raided, view.cities[8]))
    assert [each.to for each in reach_of(barred, 1)] == [None, 6]


def test_what_is_no_place_is_not_lit() -> None:
    view, names, events = SAMPLES["middle_game"]()
    asked = AskedWords(("choose",), "group", ("first", "second"))
    assert part_asked(view, asked) is None
    assert draw(view, names, events, asked) == draw(view, names, events)


def test_a_moved_ship_or_another_count_is_more_than_the_tolerance() -> None:
    view, names, events = SAMPLES["middle_game"]()
    here = read(draw(view, names, events))
    first = view.seats[0]
    for changed in (
        msgspec.structs.replace(first, city=8),
        msgspec.structs.replace(first, goods=(4, 2, 7, 0)),
    ):
        other = msgspec.structs.replace(view, seats=(changed, *view.seats[1:]))
        assert different(here, read(draw(other, names, events))) > TOLERATED


@pytest.mark.parametrize("city", range(CITIES))
def test_a_city_can_hold_all_there_is(city: int) -> None:
    picture = draw(*extreme(city))
    assert read(picture).size == LAYOUT.size
    assert len(picture) < _KILOBYTES * 1000


def test_an_office_with_several_kinds_of_goods_draws() -> None:
    view, names, _ = SAMPLES["middle_game"]()
    mixed = msgspec.structs.replace(view.cities[0], offices=(OfficeView(0, (2, 1, 11, 3)),))
    changed = msgspec.structs.replace(view, cities=(mixed, *view.cities[1:]))
    assert draw(changed, names) != draw(view, names)


@pytest.mark.parametrize("name", SAMPLES)
def test_pictures_stay_small(name: str) -> None:
    assert len(draw(*SAMPLES[name]())) < _KILOBYTES * 1000


def test_another_process_with_another_hash_seed_gives_the_same_bytes() -> None:
    program = (
        "import sys; from hashlib import sha256; from bot.render.kogge import draw;"
        "from tests.render.kogge.samples import SAMPLES;"
        "print(*(sha256(draw(*sample())).hexdigest() for sample in SAMPLES.values()))"
    )
    here = [sha256(draw(*sample())).hexdigest() for sample in SAMPLES.values()]
    for seed in ("1", "4242"):
        assert printed_elsewhere(program, seed) == here


def test_four_threads_at_once_draw_what_one_draws() -> None:
    samples: list[Sample] = [sample() for sample in SAMPLES.values()] * 4
    alone = [draw(*sample) for sample in samples]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda sample: draw(*sample), samples)) == alone


def test_words_can_be_given_in_another_language() -> None:
    sample = SAMPLES["middle_game"]()
    italian = words_for("it").drawn
    assert draw(*sample, say=italian) != draw(*sample)
    assert draw(*sample, say=italian) == draw(*sample, say=italian)


def test_a_sealed_choice_is_shown_to_whom_it_belongs() -> None:
    view, names, events = SAMPLES["founding"]()
    unseen = msgspec.structs.replace(view, chosen=None)
    assert draw(view, names, events) != draw(unseen, names, events)


def test_a_hidden_marker_that_the_observer_knows_is_marked_as_such() -> None:
    view, names, events = SAMPLES["hidden_goods"]()
    left, right = view.cities[5].routes

    def shown(marker: int | None, hidden: bool) -> bytes:
        route = msgspec.structs.replace(right, marker=marker, hidden=hidden)
        city = msgspec.structs.replace(view.cities[5], routes=(left, route))
        cities = (*view.cities[:5], city, *view.cities[6:])
        return draw(msgspec.structs.replace(view, cities=cities), names, events)

    assert len({shown(3, True), shown(None, True), shown(3, False), shown(4, True)}) == 4


@pytest.mark.parametrize(("seats", "goods"), [(2, "open"), (3, "hidden"), (4, "hidden")])
def test_a_random_game_draws_and_betrays_no_secret(seats: int, goods: str) -> None:
    draws_twins_alike(GAME, draw, seats, {"goods": goods}, 120, lambda move: move % 12 == 0)


def test_the_legend_explains_every_sign_and_is_the_golden_one() -> None:
    view, names, events = SAMPLES["middle_game"]()
    said = KoggeText().close_up(words_for("en"), view, LEGEND, called(*names))
    assert said is not None
    assert tuple(said.legend) == tuple(SIGNS)
    assert_golden("kogge_legend", draw_part(view, names, events, LEGEND, said.legend))
