"""The players' panels of Guatemala Café, and the score track with its markers and sacks."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.guatemala.data import COLOUR_KEYS, HUT, SACK, WORKER
from bot.game.guatemala.data import COLOURS as COFFEES
from bot.game.guatemala.data import piece as piece_of
from bot.game.guatemala.sacks import crops
from bot.game.guatemala.state import NONE, GuatemalaState, GuatemalaView
from bot.render.asked import LayeredCanvas, square
from bot.render.guatemala import pieces
from bot.render.guatemala.pieces import COLOURS, GuatemalaMarks
from bot.render.panels import draw_count, draw_header, frame, gain
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Area, Canvas, Pen, Spot, Sprite, shaped

_PORT = 22


class CropPanel(NamedTuple):
    """The layout of a player's panel, from its top left corner, and of a plantation's card in it,
    from the card's corner."""

    high: int
    head: int
    sign: int
    money: Spot
    sacks: Spot
    cards: Spot
    card: Spot
    """Width and height of a card."""
    step: int
    """From one card to the next."""
    large: int
    """Size of the card's piece."""
    piece: Spot
    figure: int
    """Size of the points; other numbers are smaller."""
    times: Spot
    """Workers times ships."""
    points: Spot
    hand: Spot
    """Sacks of the colour in hand."""


PANELS = {
    2: CropPanel(
        *(245, 64, 50, (14, 118), (14, 194), (140, 72), (80, 165), 85, 56),
        *((40, 34), 36, (40, 80), (40, 114), (40, 147)),
    ),
    3: CropPanel(
        *(161, 50, 38, (12, 79), (12, 131), (112, 56), (86, 98), 91, 48),
        *((25, 31), 32, (24, 77), (61, 29), (66, 77)),
    ),
    4: CropPanel(
        *(120, 44, 32, (12, 64), (12, 99), (106, 49), (87, 66), 92, 38),
        *((21, 22), 28, (21, 52), (61, 20), (66, 52)),
    ),
}
"""By number of players."""
_LEFT, _TOP, _WIDE = 828, 82, 568


def panel_area(players: int, seat: Seat) -> Area:
    high = PANELS[players].high
    top = _TOP + seat * (high + (5 if players == 4 else 6))
    return _LEFT, top, _LEFT + _WIDE, top + high


def draw_panel(
    canvas: LayeredCanvas,
    scene: Scene[GuatemalaView],
    seat: Seat,
    letters: str,
    marks: GuatemalaMarks,
) -> None:
    player = scene.view.known.players[seat]
    left, top, _, _ = panel_area(len(scene.looks), seat)
    canvas, panel = canvas.at(left, top), PANELS[len(scene.looks)]
    level = panel.head // 2
    score = pieces.total(sum(player.points), panel.head - 9)
    x = canvas.stamp_beside(score, _WIDE - 8, level, Align.RIGHT)
    if change := marks.points[seat]:
        x = canvas.stamp_beside(gain(change, 30), x - 4, level, Align.RIGHT)
    draw_header(canvas, scene, seat, (0, 0, _WIDE, panel.high), panel.head, x)
    for (x, level), icon, count, change in (
        (panel.money, "coin", player.money, marks.money[seat]),
        (panel.sacks, "hidden_sack", sum(player.hand), marks.sacks[seat]),
    ):
        end = canvas.stamp_beside(pieces.icon(icon, panel.sign), x, level)
        draw_count(canvas, end + 6, level, count, panel.sign - 2)
        if change:
            spot = x + panel.sign // 2, level + panel.sign // 2 - 4
            canvas.stamp_centred(gain(change, 24), *spot)
    for colour in range(COFFEES):
        card = canvas.at(panel.cards[0] + colour * panel.step, panel.cards[1])
        card.stamp(_card(*panel.card), 0, 0)
        if player.cells(colour):
            is_new = (seat, colour) in marks.harvested
            _draw_crop(card, panel, scene.view.known, seat, colour, letters, is_new)
        else:
            grey, align = COLOURS.furrow, Align.CENTRE
            card.text(*panel.piece, letters[colour], grey, panel.large, align=align)
        if seat == scene.view.observer and (count := player.hand[colour]):
            (x, level), size = panel.hand, panel.figure - 6
            sack = pieces.piece(piece_of(SACK, colour), size, letters)
            card.stamp_centred(sack, x - size // 3, level)
            card.text(x + size // 4, level, str(count), COLOURS.ink, size)
            card.note("sack", COLOUR_KEYS[colour], square, x - size, level - size // 2, size)


def _draw_crop(
    card: LayeredCanvas,
    panel: CropPanel,
    state: GuatemalaState,
    seat: Seat,
    colour: int,
    letters: str,
    is_new: bool,
) -> None:
    """Draw a plantation's card: its piece with pennants of its ports, the calculation and the
    points; a frame if it was just harvested."""
    player, crop, (x, y) = state.players[seat], crops(state, colour)[seat], panel.piece
    has_hut = player.huts[colour] != NONE
    number = piece_of(HUT if has_hut else WORKER, colour)
    card.stamp_centred(pieces.piece(number, panel.large, letters), x, y)
    for place, port in enumerate(crop.ports):
        left = x - panel.large / 3 + place * _PORT
        card.stamp_centred(pieces.pennant(port + 1, _PORT), left, y + panel.large / 3)
    if is_new:
        card.stamp(frame(*panel.card), -4, -4)
    times = str(len(player.workers[colour])) + f"×{crop.ships + 1}" * has_hut
    card.text(*panel.times, times, COLOURS.ink, panel.figure - 6, align=Align.CENTRE)
    if crop.points:
        card.stamp_centred(pieces.total(crop.points, panel.figure), *panel.points)
    else:
        card.text(*panel.points, "0", COLOURS.soft, panel.figure, align=Align.CENTRE)


@shaped(lambda wide, high: (wide, high))
def _card(pen: Pen, wide: int, high: int) -> None:
    """An empty card for a plantation."""
    pen.rect((0, 0, wide, high), COLOURS.shade, COLOURS.furrow, 1.5, 9)


# The score track, in rows of ten

TRACK = (828, 584, 1396, 900)
_TEN = 10
_NUMBER = 27
"""Pixels of a space for its number; its pieces are to the right."""
_LARGEST = 32


def paint_track(pen: Pen, last: int) -> None:
    """Paint the spaces; every tenth is darker."""
    pen.rect(TRACK, COLOURS.track, COLOURS.ink, 2.5, 12)
    for number in range(last + 1):
        left, top, right, bottom = track_space(number, last)
        fill = COLOURS.track if number % _TEN else COLOURS.tens
        pen.rect((left + 1, top + 1, right - 1, bottom - 1), fill, COLOURS.furrow, 1.5, 6)


def label_track(canvas: Canvas, last: int) -> None:
    for number in range(last + 1):
        left, top, _, bottom = track_space(number, last)
        fill = COLOURS.soft if number % _TEN else COLOURS.ink
        canvas.text(left + 5, (top + bottom) // 2, str(number), fill, 23)


def draw_track(canvas: Canvas, state: GuatemalaState, letters: str, marks: GuatemalaMarks) -> None:
    """Draw the sacks and the markers; a marker past the end is on the last space."""
    last = state.rules.track
    left, top, right, bottom = track_space(0, last)
    room, high = right - left - 4, min(bottom - top - 2, _LARGEST)
    sprites_on: dict[int, list[Sprite]] = defaultdict(list)
    for place, colour in enumerate(state.track):
        sack = pieces.rimmed(piece_of(SACK, colour), min(high, room - _NUMBER), letters)
        sprites_on[last - place].append(sack)
    scores = [min(sum(player.points), last) for player in state.players]
    for seat, number in enumerate(scores):
        size = high if scores.count(number) < 3 else high * 2 // 3
        sprites_on[number].append(emblem(seat, min(size, room - _NUMBER)))
    changed = {
        *marks.sack_spaces,
        *(scores[seat] for seat, points in marks.points.items() if points),
    }
    for number, sprites in sprites_on.items():
        left, top, right, bottom = track_space(number, last)
        # A single piece does not hide the number; several need all of the space, and overlap.
        first, end = left + 2 + _NUMBER * (len(sprites) == 1), right - 2
        for place, sprite in enumerate(sprites):
            share = place / (len(sprites) - 1) if place else (len(sprites) == 1) / 2
            middle = first + sprite.width / 2 + share * (end - first - sprite.width)
            canvas.stamp_centred(sprite, middle, (top + bottom) / 2)
        if number in changed:
            canvas.stamp(_changed(right - left, bottom - top), left, top)


def track_space(number: int, last: int) -> Area:
    """Return the area of a space on a track that ends at `last`: rows of ten from the bottom, each
    from left to right."""
    left, top, right, bottom = TRACK
    left, top, right, bottom = left + 4, top + 4, right - 4, bottom - 4
    row, column = divmod(number, _TEN)
    wide, high = (right - left) / _TEN, (bottom - top) / (last // _TEN + 1)
    return (
        round(left + column * wide),
        round(bottom - (row + 1) * high),
        round(left + (column + 1) * wide),
        round(bottom - row * high),
    )


@shaped(lambda wide, high: (wide, high))
def _changed(pen: Pen, wide: int, high: int) -> None:
    """The thin mark around a changed space of the score track."""
    pen.rect((0, 0, wide, high), None, COLOURS.mark, 3, 7)
