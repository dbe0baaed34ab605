"""The picture of the table: the bar, the main board and the players' panels.

While boards are being chosen, all estate boards are shown instead of the main board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.game.burgundy.data import (
    BLACK,
    BOARDS,
    COLOUR_KEYS,
    COLOUR_OF,
    CONTENT,
    DEPOT_WORDS,
    FOR_PLAYERS,
    GOODS_LETTERS,
    SIDES,
    TILE_KEYS,
    TILE_OF_KEY,
    filled,
)
from bot.game.burgundy.game import GAME
from bot.game.burgundy.state import BurgundyState, BurgundyView, phase_of, round_of_phase
from bot.game.contract import Seat
from bot.game.sides import Looks
from bot.render.asked import LayeredCanvas, rectangle, square, untagged
from bot.render.burgundy import pieces
from bot.render.burgundy.estate import Marks, PanelArtist, estate, nonzero, paint_empty, size
from bot.render.burgundy.pieces import COLOURS
from bot.render.cache import cached
from bot.render.fonts import Face, fit, label, wrapped
from bot.render.panels import draw_to_act, paint_bar
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Align, Area, Backdrop, Painting, Pen, Spot, ground

Spots = Sequence[tuple[int, int | None, Seat | None]]
"""Places for tiles: the colour of each, its tile if any, and the seat that just emptied it."""


class DepotPlan(NamedTuple):
    """The layout of the depots, and of a numbered one, from its top left corner."""

    areas: Sequence[Area]
    black: Area
    radii: Sequence[int]
    """Radius of a tile, by number of players from two on."""
    goods: Sequence[Area]
    """Area of the goods, by number of players from two on."""
    first: Spot
    """Left edge and middle of the first tile."""
    loaded: Spot
    """Left edge and middle of a ship that just loaded."""
    die: int = 64
    at: Spot = (10, 10)
    """The corner of the die."""
    in_a_row: int = 4
    """Tiles per row of the black depot."""


WIDTH, BAR = 1100, 60
_LEFT, _RIGHT = (4, 518, 547, 712), (553, 518, 1096, 712)
_DEPOTS = DepotPlan(
    areas=[(x, y, x + 543, y + 126) for y in (122, 254, 386) for x in (4, 553)],
    black=_LEFT,
    radii=(58, 57, 47),
    goods=[(290, 5, 535, 121), (386, 5, 537, 121), (416, 5, 539, 121)],
    first=(78, 63),
    loaded=(6, 100),
)
_TITLES = {
    "board": label("Choose a board"),
    "castle": label("First castles"),
    "roll": label("Roll the dice"),
    "turn": label("Turn"),
    "extra": label("Castle: any action"),
    "warehouse": label("Warehouse: sell"),
    "carpenter": label("Carpenter: take"),
    "church": label("Church: take"),
    "market": label("Market: take"),
    "city_hall": label("City Hall: place"),
    "load": label("Ship: load"),
    "over": label("The end"),
}


class _Table(NamedTuple):
    """The picture's height and the positions that depend on the number of players."""

    height: int
    panels: Sequence[Spot]
    depots: DepotPlan = _DEPOTS
    bonuses: Area = _RIGHT


_TABLES = {
    2: _Table(1236, ((4, 718), (553, 718))),
    3: _Table(
        1554,
        ((4, 518), (553, 518), (4, 1036)),
        _DEPOTS._replace(black=(553, 1036, 1096, 1286)),
        (553, 1292, 1096, 1548),
    ),
    4: _Table(1754, ((4, 718), (553, 718), (4, 1236), (553, 1236))),
}


def draw_table(scene: Scene[BurgundyView]) -> LayeredCanvas:
    known, marks = scene.view.known, Marks(scene.events)
    table = _TABLES[len(known.players)]
    canvas = LayeredCanvas.over(_base(scene.looks, scene.say("Turn order")))
    _draw_bar(canvas, scene)
    if GAME.question(known) == "board":
        _draw_gallery(canvas, known, table.panels[0][1] - 6)
    else:
        draw_depots(canvas, scene, marks, table.depots)
        _draw_bonuses(canvas, known, marks, table.bonuses)
        _draw_track(canvas, known, marks)
    for seat, at in enumerate(table.panels):
        PanelArtist(canvas.at(*at), scene, marks, seat).draw()
    return canvas


# The background, painted once for each number of players and each language


def paint_cards(pen: Pen, plan: DepotPlan, others: Sequence[Area] = ()) -> None:
    """Paint the backgrounds of the depots and of other areas."""
    for area in (*plan.areas, *others):
        pen.rect(area, COLOURS.paper, COLOURS.ink, 2.5, 12)
    pen.rect(plan.black, COLOURS.night, COLOURS.ink, 2.5, 12)


_TRACK = (4, 66, 1096, 116)
_LEVEL = 91
"""The middle of the turn track."""


def _track_space(space: int) -> Area:
    """Return the area of a space of the turn track, counted from 1."""
    left = 45 + 131 * space
    return left, 70, left + 127, 112


@cached
def _base(looks: Looks, track: str) -> Backdrop:
    """Paint a table without pieces; `track` is the label of the turn track."""
    table, spaces = _TABLES[len(looks)], range(1, CONTENT.track_spaces + 1)

    def draw(pen: Pen) -> None:
        paint_bar(pen, BAR, COLOURS.bar)
        paint_cards(pen, table.depots, (table.bonuses, _TRACK))
        for space in spaces:
            pen.rect(_track_space(space), COLOURS.shade, None, 0, 10)
        for look, at in zip(looks, table.panels, strict=True):
            paint_empty(pen, at, False, look)

    canvas = Painting(ground(WIDTH, table.height, COLOURS.slope, draw))
    canvas.text(16, _LEVEL, fit(track, 28, 152), COLOURS.soft, 28)
    for space in spaces:
        canvas.text(_track_space(space)[0] + 7, _LEVEL, str(space), COLOURS.soft, 28)
    return Backdrop(canvas.image)


# The pieces


def _draw_bar(canvas: LayeredCanvas, scene: Scene[BurgundyView]) -> None:
    """Draw the phases, the rounds, the question and the seats to act."""
    table, middle = scene.view.known, BAR // 2 - 1
    x = canvas.text(12, middle, scene.say("Phase"), COLOURS.cream, 28) + 6
    current = phase_of(table) if table.round else -1
    for place, letter in enumerate(CONTENT.phases):
        canvas.stamp(pieces.phase(letter, (place > current) - (place < current)), x, middle - 22)
        x += 47
    if table.round:
        # The points for completing a region.
        seal = pieces.seal(f"+{CONTENT.phase_points[current]}", 48)
        x = canvas.stamp_beside(seal, x + 4, middle) + 14
        x = canvas.text(x, middle, scene.say("Round"), COLOURS.cream, 28) + 2
        x = _draw_rounds(canvas, table, x, middle)
    title = scene.say(_TITLES[GAME.question(table)])
    x = canvas.text(x + 20, middle, title, COLOURS.gold, 34, Face.TITLE) + 14
    draw_to_act(canvas, scene, (x, middle), WIDTH - 10)


def _draw_rounds(canvas: LayeredCanvas, table: BurgundyState, x: int, middle: int) -> int:
    """Draw the numbers of past rounds, the white die of the current one, the goods of the others.

    Return the x coordinate after them.
    """
    for place in range(CONTENT.rounds):
        centre, is_current = x + 25, place + 1 == round_of_phase(table)
        to_come = place - CONTENT.rounds + len(table.coming)
        canvas.stamp_centred(pieces.round_place(is_current), centre, middle)
        if is_current and table.white:
            canvas.stamp_centred(pieces.die(table.white, False, 40), centre, middle)
        elif to_come >= 0:
            canvas.stamp_centred(pieces.good(table.coming[to_come], 40), centre, middle)
        else:
            canvas.text(centre, middle, str(place + 1), COLOURS.dusk, 34, align=Align.CENTRE)
        x += 50
    return x


def _draw_bonuses(canvas: LayeredCanvas, table: BurgundyState, marks: Marks, area: Area) -> None:
    """Draw both bonus tiles of each colour; the owner's emblem covers a taken one."""
    left, top, right, bottom = area
    wide, high = (right - left) / 3, (bottom - top) / 2
    for colour, seats in enumerate(table.completed):
        row, column = divmod(colour, 3)
        x, y = left + (column + 0.5) * wide, top + (row + 0.5) * high
        canvas.stamp_centred(pieces.symbol(colour, 62), x - 52, y)
        for rank, points in enumerate(FOR_PLAYERS[len(table.players)].bonus):
            place = x + 8 + 52 * rank
            if rank >= len(seats):
                canvas.stamp_centred(pieces.bonus(points, 52 - 6 * rank), place, y)
                continue
            if (seats[rank], COLOUR_KEYS[colour]) in marks.colours:
                canvas.stamp_centred(pieces.halo(58), place, y)
            canvas.stamp_centred(emblem(seats[rank], 44), place, y)


def _draw_track(canvas: LayeredCanvas, table: BurgundyState, marks: Marks) -> None:
    for space, stack in enumerate(table.track, 1):
        left, _, right, _ = _track_space(space)
        large = 36 if len(stack) < len(SIDE_LOOKS) else 26
        step = min(38, (right - left - 29 - large) // max(1, len(stack) - 1))
        for place, seat in enumerate(stack):
            x = left + 27 + place * step
            if seat in marks.ahead:
                canvas.stamp_centred(pieces.halo(large + 8), x + large // 2, _LEVEL)
            canvas.stamp(emblem(seat, large), x, _LEVEL - large // 2)


def _draw_gallery(canvas: LayeredCanvas, table: BurgundyState, bottom: int) -> None:
    """Draw all estate boards with their numbers and the emblems of their owners."""
    # With three players there is less space.
    radius, columns = (13, 5) if len(table.players) == 3 else (17, 3)
    margin = 40
    canvas.rect((0, BAR, WIDTH, bottom), COLOURS.paper)
    across, down = WIDTH // columns, (bottom - BAR) // -(-len(BOARDS) // columns)
    wide, high = size(radius)
    for place, number in enumerate(BOARDS):
        row, column = divmod(place, columns)
        x = column * across + (across - wide - margin) // 2
        y = BAR + row * down + (down - high) // 2
        canvas.text(x + margin // 2, y + 22, str(number), COLOURS.ink, 44, align=Align.CENTRE)
        canvas.lay(estate(number, radius, False), x + margin, y)
        owners = [seat for seat, player in enumerate(table.players) if player.board == number]
        for line, seat in enumerate(owners):
            canvas.stamp(emblem(seat, 42), x - 4, y + 56 + 46 * line)
        area = (x - 6, y - 3, x + margin + wide, y + high + 3)
        canvas.note("board", str(number), rectangle, area)


# The depots


def draw_depots(
    canvas: LayeredCanvas, scene: Scene[BurgundyView], marks: Marks, plan: DepotPlan
) -> None:
    """Draw the depots with their tiles and goods, and mark what was just taken."""
    table = scene.view.known
    players = len(table.players)
    radius = plan.radii[players - 2]
    for depot, (word, tiles) in enumerate(zip(DEPOT_WORDS, table.depots, strict=True)):
        taken = [(TILE_OF_KEY[tile], seat) for place, tile, seat in marks.taken if place == word]
        if depot == BLACK:
            area = plan.black
            colours = [COLOUR_OF[tile] for tile in (*tiles, *(tile for tile, _ in taken))]
            colours = colours[: FOR_PLAYERS[players].black_depot]
            _black(canvas, plan, radius, [*_spots(tiles, taken, colours)], scene.say("Black depot"))
        else:
            left, top, _, _ = area = plan.areas[depot]
            canvas.stamp(
                pieces.die(depot + 1, False, plan.die), left + plan.at[0], top + plan.at[1]
            )
            spots = [*_spots(tiles, taken, filled(depot, players, phase_of(table)))]
            _row(canvas, radius, depot, spots, (left + plan.first[0], top + plan.first[1]))
            _goods(canvas, plan, depot, table.goods[depot], marks, plan.goods[players - 2])
        canvas.note("depot", word, untagged, area)


def _spots(
    tiles: Sequence[int], taken: Sequence[tuple[int, Seat]], colours: Sequence[int]
) -> Iterator[tuple[int, int | None, Seat | None]]:
    """Yield the places of a depot: each tile on the first free one of its colour, taken ones
    last."""
    left: list[tuple[int, Seat | None]] = [*((tile, None) for tile in tiles), *taken]
    for colour in colours:
        found = next((each for each in left if COLOUR_OF[each[0]] == colour), None)
        if found is None:
            yield colour, None, None
        else:
            left.remove(found)
            yield colour, found[0] if found[1] is None else None, found[1]


def _black(canvas: LayeredCanvas, plan: DepotPlan, radius: int, spots: Spots, label: str) -> None:
    """Draw the black depot: its name and price, then the tiles in rows."""
    left, top, _, bottom = plan.black
    middle, size, wide = (top + bottom) // 2, 28, 104
    lines = wrapped(label, size, wide, 2)
    for number, line in enumerate(lines):
        level = middle - 6 - (len(lines) - number) * (size + 2) + size // 2
        canvas.text(left + 14, level, line, COLOURS.cream, size)
    end = canvas.text(left + 14, middle + 24, str(CONTENT.price), COLOURS.cream, 44)
    canvas.stamp_beside(pieces.icon("silverling", 44), end + 6, middle + 24)
    rows = [spots[at : at + plan.in_a_row] for at in range(0, len(spots), plan.in_a_row)]
    for number, row in enumerate(rows):
        level = middle + round((number - (len(rows) - 1) / 2) * (2 * radius - 1))
        _row(canvas, radius, BLACK, row, (left + wide + 24, level))


def _row(canvas: LayeredCanvas, radius: int, depot: int, spots: Spots, at: Spot) -> None:
    """Draw a row of tiles; an emptied place shows the emblem of the seat that just took the
    tile."""
    x, middle = at
    half = pieces.half_width(radius)
    ground = COLOURS.night if depot == BLACK else COLOURS.paper
    for number, (colour, tile, taker) in enumerate(spots):
        if tile is not None:
            canvas.stamp(pieces.tile(tile, radius), x, middle - radius)
            place = (x + half, middle, radius, number)
            canvas.note(DEPOT_WORDS[depot], TILE_KEYS[tile], pieces.tagged, *place)
        else:
            canvas.stamp(pieces.ghost(colour, ground, radius), x, middle - radius)
        if taker is not None:
            canvas.stamp(pieces.ring(radius), x - 6, middle - radius - 6)
            canvas.stamp_centred(emblem(taker, 44), x + half, middle)
        x += 2 * half + 1


def _goods(
    canvas: LayeredCanvas,
    plan: DepotPlan,
    depot: int,
    goods: Sequence[int],
    marks: Marks,
    area: Area,
) -> None:
    """Draw the goods as large as they fit, and the ships that just loaded."""
    (left, top, _, _), word = plan.areas[depot], DEPOT_WORDS[depot]
    start, upper, end, lower = area
    wide, high = end - start, lower - upper
    kinds = nonzero(goods)
    # A count next to the goods needs more width.
    share = 1.66 if any(count > 1 for _, count in kinds) else 1.0
    rows_of = {columns: max(1, -(-len(kinds) // columns)) for columns in range(1, SIDES + 1)}
    size, columns = max(
        (min(68, int(wide / share / columns) - 8, high // rows - 6), columns)
        for columns, rows in rows_of.items()
    )
    for number, (kind, count) in enumerate(kinds):
        row, column = divmod(number, columns)
        x = left + start + column * (round(size * share) + 8)
        middle = top + upper + round((row + 0.5) * high / rows_of[columns])
        good = GOODS_LETTERS[kind]
        if (word, good) in marks.placed_goods:
            canvas.stamp_centred(pieces.halo(size + 8), x + size // 2, middle)
        canvas.note(f"goods {word}", good, square, x, middle - size // 2, size)
        edge = canvas.stamp_beside(pieces.good(kind, size), x, middle)
        if count > 1:
            canvas.text(edge + 3, middle, f"×{count}", COLOURS.ink, round(0.52 * size))
    for seat in [seat for place, seat, _ in marks.loads if place == word]:
        canvas.stamp_beside(pieces.loaded(seat), left + plan.loaded[0], top + plan.loaded[1])
