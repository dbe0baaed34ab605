"""The players of Guatemala Café: their panels, and the score track on which their markers climb and
the sacks come down."""

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
    """Where everything lies in a player's panel, from its top left corner: signs of money and
    sacks with their counts, and cards of what the plantations would score; and in a card, from its
    corner, its piece, how its points come about, the points, and the sacks of its colour in hand.
    """

    high: int
    head: int
    sign: int
    money: Spot
    sacks: Spot
    cards: Spot
    card: Spot
    step: int
    """From one card to the next."""
    large: int
    """Size of its piece."""
    piece: Spot
    figure: int
    """Size of the points; what stands beside them is smaller."""
    times: Spot
    points: Spot
    hand: Spot


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
"""By the number of players."""
_LEFT, _TOP, _WIDE = 828, 82, 568


def panel_area(players: int, seat: Seat) -> Area:
    """The panel of a seat."""
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
    """The whole panel of a seat."""
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
            new = (seat, colour) in marks.harvested
            _draw_crop(card, panel, scene.view.known, seat, colour, letters, new)
        else:
            grey, align = COLOURS.furrow, Align.CENTRE
            card.text(*panel.piece, letters[colour], grey, panel.large, align=align)
        if seat == scene.view.observer and (held := player.hand[colour]):
            (x, level), size = panel.hand, panel.figure - 6
            sack = pieces.piece(piece_of(SACK, colour), size, letters)
            card.stamp_centred(sack, x - size // 3, level)
            card.text(x + size // 4, level, str(held), COLOURS.ink, size)
            card.note("sack", COLOUR_KEYS[colour], square, x - size, level - size // 2, size)


def _draw_crop(
    card: LayeredCanvas,
    panel: CropPanel,
    state: GuatemalaState,
    seat: Seat,
    colour: int,
    letters: str,
    new: bool,
) -> None:
    """The piece that stands for a plantation with the pennants of its ports, how its points come
    about, which is workers times ships and one if there is a hut, and the points; a frame if they
    have just been harvested."""
    player, found, (x, y) = state.players[seat], crops(state, colour)[seat], panel.piece
    has_hut = player.huts[colour] != NONE
    what = piece_of(HUT if has_hut else WORKER, colour)
    card.stamp_centred(pieces.piece(what, panel.large, letters), x, y)
    for number, port in enumerate(found.ports):
        left = x - panel.large / 3 + number * _PORT
        card.stamp_centred(pieces.pennant(port + 1, _PORT), left, y + panel.large / 3)
    if new:
        card.stamp(frame(*panel.card), -4, -4)
    times = str(len(player.workers[colour])) + f"×{found.ships + 1}" * has_hut
    card.text(*panel.times, times, COLOURS.ink, panel.figure - 6, align=Align.CENTRE)
    if found.points:
        card.stamp_centred(pieces.total(found.points, panel.figure), *panel.points)
    else:
        card.text(*panel.points, "0", COLOURS.soft, panel.figure, align=Align.CENTRE)


@shaped(lambda wide, high: (wide, high))
def _card(pen: Pen, wide: int, high: int) -> None:
    """The place of a plantation in a panel."""
    pen.rect((0, 0, wide, high), COLOURS.shade, COLOURS.furrow, 1.5, 9)


# The score track, in rows of ten

TRACK = (828, 584, 1396, 900)
_TEN = 10
_NUMBER = 27
"""Pixels of a space for its number; what stands on it is to its right."""
_LARGEST = 32


def paint_track(pen: Pen, last: int) -> None:
    """The spaces; every tenth is darker."""
    pen.rect(TRACK, COLOURS.track, COLOURS.ink, 2.5, 12)
    for number in range(last + 1):
        left, top, right, bottom = track_space(number, last)
        fill = COLOURS.track if number % _TEN else COLOURS.tens
        pen.rect((left + 1, top + 1, right - 1, bottom - 1), fill, COLOURS.furrow, 1.5, 6)


def letter_track(canvas: Canvas, last: int) -> None:
    """The numbers of the spaces."""
    for number in range(last + 1):
        left, top, _, bottom = track_space(number, last)
        fill = COLOURS.soft if number % _TEN else COLOURS.ink
        canvas.text(left + 5, (top + bottom) // 2, str(number), fill, 23)


def draw_track(canvas: Canvas, state: GuatemalaState, letters: str, marks: GuatemalaMarks) -> None:
    """The sacks, and everyone's marker; one past the end stands on the last space."""
    last = state.rules.track
    left, top, right, bottom = track_space(0, last)
    room, high = right - left - 4, min(bottom - top - 2, _LARGEST)
    standing: dict[int, list[Sprite]] = defaultdict(list)
    for laid, colour in enumerate(state.track):
        sack = pieces.rimmed(piece_of(SACK, colour), min(high, room - _NUMBER), letters)
        standing[last - laid].append(sack)
    scores = [min(sum(player.points), last) for player in state.players]
    for seat, number in enumerate(scores):
        size = high if scores.count(number) < 3 else high * 2 // 3
        standing[number].append(emblem(seat, min(size, room - _NUMBER)))
    changed = {*marks.laid, *(scores[seat] for seat, points in marks.points.items() if points)}
    for number, found in standing.items():
        left, top, right, bottom = track_space(number, last)
        # Alone it hides no number; several need all of the space, and overlap.
        first, end = left + 2 + _NUMBER * (len(found) == 1), right - 2
        for place, sprite in enumerate(found):
            share = place / (len(found) - 1) if place else (len(found) == 1) / 2
            middle = first + sprite.width / 2 + share * (end - first - sprite.width)
            canvas.stamp_centred(sprite, middle, (top + bottom) / 2)
        if number in changed:
            canvas.stamp(_changed(right - left, bottom - top), left, top)


def track_space(number: int, last: int) -> Area:
    """A space of the track that ends at `last`: rows of ten from below, each from left to right."""
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
    """Around a space of the score track, so narrow that it hides nothing there."""
    pen.rect((0, 0, wide, high), None, COLOURS.mark, 3, 7)
