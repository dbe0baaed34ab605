"""Pictures of Kogge: paths over water, crowded cities, and the places of actions."""

from __future__ import annotations

from itertools import pairwise
from math import dist

from PIL import Image, ImageColor, ImageDraw

from bot.game.hidden import UNSEEN
from bot.game.kogge.data import CITIES
from bot.game.kogge.game import GAME
from bot.game.kogge.routes import Sailed
from bot.game.kogge.state import KoggeRules, Route
from bot.render.asked import LayeredCanvas, Place, square
from bot.render.kogge import places_of
from bot.render.kogge.courses import reach_of
from bot.render.kogge.panels import EDITION, PHASES
from bot.render.kogge.sea import COASTLINES, MAP, SIZE, SPOTS, STEP, board, path_over, wide_path
from bot.render.sides import SIDE_LOOKS
from tests.render.compare import read
from tests.render.pictured import whole
from tests.render.pictured_kogge import KOGGE, changed, extreme

KNOWN = (Route(5), Route(5, hidden=True), Route(0))
"""Routes of city 0; the last one leads to city 0 itself."""
ENDS = [f"{a}{b}" for a in "012345678" for b in "012345678xy" if a != b]


def test_all_paths_lead_over_water_from_port_to_port_without_gaps() -> None:
    water = Image.new("L", MAP[2:], 1)
    draw = ImageDraw.Draw(water)
    for coast in COASTLINES:
        draw.polygon(coast, 0)
    for area in [*map(board, range(CITIES)), (0, 0, MAP[2], MAP[1])]:
        draw.rectangle(area, 0)
    for ends in ENDS:
        for path in (path_over(ends), wide_path(ends)):
            assert dist(path[0], SPOTS[ends[0]]) == 0
            assert dist(path[-1], SPOTS[ends[1]]) < 2 * STEP
            assert all(dist(one, other) < 2 * STEP for one, other in pairwise(path))
            assert all(water.getpixel((int(x), int(y))) for x, y in path), ends
        assert len(wide_path(ends)) > 30, ends


def test_all_boards_are_on_the_map_and_all_phases_and_variants_have_labels() -> None:
    for area in map(board, range(CITIES)):
        left, top, right, bottom = area
        assert MAP[0] <= left < right <= MAP[2], area
        assert MAP[1] <= top < bottom <= MAP[3], area
    assert {*PHASES} == {*GAME.answers}
    assert {*EDITION} == {"english", "italian", *KoggeRules.__struct_fields__}


def test_a_ship_has_no_line_to_a_city_with_its_own_raid() -> None:
    known = changed(KOGGE.sample("voyage")[0]).known
    assert [each.to for each in reach_of(known, 0)] == [4, 6, 7]
    known.cities[4].raids = [0]
    assert [each.to for each in reach_of(known, 0)] == [6, 7]


def test_a_city_has_room_for_all_pieces() -> None:
    for city in range(CITIES):
        full = extreme(KOGGE.sample("middle_game"), city)
        table = KOGGE.draw(full)
        assert read(table).size == SIZE
        assert len(table) < KOGGE.kilobytes * 1000
        assert read(KOGGE.draw(full, f"city{city}")).width == 1080


class OnePlaceCanvas(LayeredCanvas):
    """A canvas that has one place for each note, named after it."""

    def find(self, note: str, word: str) -> list[Place]:
        return [square(0, 0, 1)._replace(name=f"{note} {word}".strip())]


def test_a_whole_action_is_highlighted_at_its_place() -> None:
    view = KOGGE.sample("middle_game")[0]
    assert view.observer == 1
    lit = {
        "raid_city ofs": ["city 4"],
        "stop": ["city 4"],
        "build of5": ["site 4"],
        "load o": ["office 4 1"],
        "bid 53": ["piece 1 5", "piece 1 3"],
        "tax o5": ["piece 1 o", "piece 1 5"],
        "trade o as": ["piece in 4 a", "piece in 4 s"],
        "sell_six ore three": ["chit three"],
        "buy 3 ore": ["pair 3"],
        "challenge office3": ["office 4 3"],
        "raid_ship 3": ["ship 3"],
        "sail left": ["way left"],
        "reroute left 1": ["route 4 left"],
        "swap_marker 7": ["piece 1 7"],
        "end": [],
    }
    places = places_of(view, whole(*lit), OnePlaceCanvas(1, 1))
    assert {word: [place.name for place in there] for word, there in places.items()} == lit


def test_only_known_routes_have_arrows() -> None:
    view, names, _ = KOGGE.sample("middle_game")

    def sea(route: Route) -> bytes:
        seen = changed(view)
        seen.known.cities[0].routes[0] = route
        return read(KOGGE.draw((seen, names, ()))).crop((0, 460, 1000, 880)).tobytes()

    drawn = list(map(sea, KNOWN))
    assert len({*drawn}) == len(KNOWN)
    # A route to the city itself has no arrow, like an unknown one.
    assert sea(Route(UNSEEN, hidden=True)) == drawn[-1]


def test_only_the_last_step_of_a_ship_is_drawn_in_full() -> None:
    view, names, _ = KOGGE.sample("middle_game")
    first = Sailed(seat=1, city=8, to=7, route="left", fee="")
    last = Sailed(seat=1, city=7, to=5, route="left", fee="")
    fill = ImageColor.getrgb(SIDE_LOOKS[1].fill)

    def drawn(*events: Sailed) -> int:
        picture = read(KOGGE.draw((view, names, events))).crop((0, 460, 1000, 880))
        return next((count for count, tone in picture.getcolors(1 << 20) or () if tone == fill), 0)

    assert drawn(last) == drawn(first, last) > drawn()
    assert drawn(first) > drawn()
