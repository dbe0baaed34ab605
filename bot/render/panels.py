"""Players in the pictures of all games: panels, players to act, and turn order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.game.contract import Seat
from bot.game.hidden import View
from bot.render.cache import cached
from bot.render.fonts import Face, fit_name, width
from bot.render.picture import Scene
from bot.render.sides import SIDE_LOOKS, TONES, light_emblem, stamp_emblems
from bot.render.sprites import Align, Area, Canvas, Pen, Spot, Sprite, paint, painted, shaped
from bot.render.theme import Colour

_PAD = 10
_ROUNDING = 12
_REACH = 6
"""Pixels of a spotlight beyond a panel."""
_STRIP = 18
"""Pixels of its strips, round corners included."""
_LETTER = 40
_STRIPE = 8
"""Pixels of a band for each side after the first."""
_ORDERED = 44
"""Maximum pixels of an emblem in the turn order."""
_ARROW = 20
"""Pixels for the arrow between two places in the turn order."""


def paint_board(pen: Pen, area: Area, head: int, fill: Colour) -> None:
    """Paint a paper board with a coloured band of height `head` along its top."""
    left, top, right, bottom = area
    pen.rect(area, fill, None, 0, _ROUNDING)
    pen.rect((left, top + head, right, bottom), TONES.paper, None, 0, _ROUNDING)
    pen.rect((left, top + head, right, bottom - _ROUNDING - 2), TONES.paper)
    pen.rect((left, top + head - 1, right, top + head + 1), TONES.ink)
    pen.rect(area, None, TONES.ink, 2.5, _ROUNDING)


def paint_bar(pen: Pen, high: int, fill: Colour) -> None:
    """Paint the bar along the top of a picture."""
    pen.rect((0, 0, pen.width, high), fill)
    pen.rect((0, high - 3, pen.width, high), TONES.ink)


def paint_panel(pen: Pen, area: Area, head: int, looks: Sequence[int]) -> None:
    """Paint the empty panel of a seat: a band in the colour of its first side, with a stripe along
    its foot for each other side. Grey if the sides are unknown.
    """
    fills = [SIDE_LOOKS[look].fill for look in looks] or [TONES.soft]
    paint_board(pen, area, head, fills[0])
    left, top, right, _ = area
    for place, fill in enumerate(fills[1:], 1):
        foot = top + head - 1 - _STRIPE * (place - 1)
        pen.rect((left + 2.5, foot - _STRIPE, right - 2.5, foot), fill)


def draw_header(
    canvas: Canvas, scene: Scene[View[Any]], seat: Seat, panel: Area, head: int, end: int
) -> None:
    """Draw the band of a panel, up to `end`: the emblems of the seat's sides, its name, and a tag
    for the observer's own seat. The panel of a seat to act gets a frame.
    """
    left, top, _, _ = panel
    middle, size = top + head // 2, round(0.7 * head)
    if seat == scene.view.observer:
        end = canvas.stamp_beside(tag(scene.say("you")), end - 8, middle, Align.RIGHT)
    looks = scene.looks[seat]
    x, level = left + _PAD, top + max(size // 6, (head - _LETTER) // 2)
    for look in looks:
        canvas.stamp(light_emblem(look, 2, _LETTER), x, level)
        x += _LETTER
    x += size + 12 - _LETTER
    writing = SIDE_LOOKS[looks[0]].writing if looks else TONES.cream
    name, room = scene.names[seat], end - x - 8
    smaller = (size, round(0.84 * size), round(0.7 * size))
    size = next((each for each in smaller if width(name, each) <= room), smaller[-1])
    canvas.text(x, middle, fit_name(scene.names, seat, size, room), writing, size)
    if seat in scene.active:
        spotlight(canvas, panel)


def draw_order(canvas: Canvas, scene: Scene[View[Any]], at: Spot, step: int, fill: Colour) -> None:
    """Draw the turn order from `at` to the right: emblems at even steps, or names if the sides are
    unknown, with arrows of the colour `fill` between them.
    """
    x, middle = at
    for place, seat in enumerate(scene.order):
        start = x + place * step
        if place:
            canvas.stamp(arrow(fill), start - 17, middle - 12)
        looks = scene.looks[seat]
        if looks:
            size = min(_ORDERED, (step - _ARROW) // len(looks))
            stamp_emblems(canvas, looks, start, middle, size)
        else:
            name = fit_name(scene.names, seat, 30, step - 20)
            canvas.text(start, middle, name, TONES.cream, 30)


def draw_place(canvas: Canvas, scene: Scene[View[Any]], seat: Seat, end: int, middle: int) -> int:
    """Draw the seat's place in the turn order, if any, left of `end`. Return its left edge."""
    order = scene.order
    if seat not in order:
        return end
    return canvas.stamp_beside(place(order.index(seat) + 1), end, middle, Align.RIGHT)


def draw_turn(
    canvas: Canvas, scene: Scene[View[Any]], middle: int, number: int, asked: str, end: int
) -> None:
    """Draw the left of a bar: the round, unless it is 0, the question and the players to act."""
    x = 18
    if number:
        x = (
            canvas.text(x, middle, scene.say("Round") + f" {number}", TONES.cream, 38, Face.TITLE)
            + 26
        )
    x = canvas.text(x, middle, asked, TONES.gold, 38, Face.TITLE) + 18
    draw_to_act(canvas, scene, (x, middle), end)


def draw_to_act(canvas: Canvas, scene: Scene[View[Any]], at: Spot, end: int) -> None:
    """Draw the emblems of the players to act from `at` to the right.

    A single player's name follows, up to `end`. Players with unknown sides have only names.
    """
    x, middle = at
    active = scene.active
    for seat in active:
        looks = scene.looks[seat]
        if looks:
            x = stamp_emblems(canvas, looks, x, middle, 46) + 6
        if len(active) == 1 or not looks:
            name = fit_name(scene.names, seat, 36, end - x)
            x = canvas.text(x + 2, middle, name, TONES.cream, 36) + 10


def draw_count(
    canvas: Canvas, x: int, middle: int, count: int, size: int, align: Align = Align.LEFT
) -> int:
    """Draw a count, paler if it is 0. Return the x where it ends."""
    shade = TONES.ink if count else TONES.soft
    return canvas.text(x, middle, str(count), shade, size, align=align)


@painted(38, 38)
def place(pen: Pen, number: int) -> None:
    """Draw a place in the turn order, counted from 1."""
    pen.ellipse((0, 0, 38, 38), TONES.cream, TONES.ink, 2)
    pen.text(pen.middle, str(number), TONES.ink, 32, Face.TEXT)


@painted(14, 24)
def arrow(pen: Pen, fill: Colour) -> None:
    """Draw the arrow between two places in the turn order."""
    pen.line([(3, 3), (10, 12), (3, 21)], fill, 4)


@shaped(lambda text: (width(text, 26) + 20, 34))
def tag(pen: Pen, text: str) -> None:
    """Draw a small label, for the observer's panel."""
    pen.rect((0, 0, pen.width, pen.height), TONES.cream, TONES.ink, 2, 10)
    pen.text(pen.middle, text, TONES.ink, 26, Face.TEXT)


@shaped(lambda change, size: (width(_signed(change), size) + size // 2, round(size * 1.15)))
def gain(pen: Pen, change: int, size: int) -> None:
    """Draw a gain or a cost, as ``+4``."""
    wide, high = pen.width, pen.height
    pen.rect((0, 0, wide, high), TONES.white, None, 0, size * 0.35)
    fill = TONES.fresh if change > 0 else TONES.mark
    pen.rect((1.5, 1.5, wide - 1.5, high - 1.5), fill, None, 0, size * 0.3)
    pen.text(pen.middle, _signed(change), TONES.white, size, Face.TEXT)


def _signed(change: int) -> str:
    return f"{change:+}".replace("-", "−")


@shaped(lambda wide, high: (wide + 8, high + 8))
def frame(pen: Pen, wide: int, high: int) -> None:
    """Draw a frame around a change. Inside it is `wide` by `high`, outside 8 pixels more."""
    pen.rect((0, 0, pen.width, pen.height), None, TONES.white, 8, 9)
    pen.rect((1.5, 1.5, pen.width - 1.5, pen.height - 1.5), None, TONES.mark, 5, 8)


def spotlight(canvas: Canvas, panel: Area) -> None:
    """Draw a golden frame around the panel of a seat to act."""
    left, top, right, bottom = panel
    for strip, x, y in _frame(right - left, bottom - top):
        canvas.stamp(strip, left + x, top + y)


@cached
def _frame(wide: int, high: int) -> tuple[tuple[Sprite, int, int], ...]:
    """Return the frame around a panel as four strips, each with its offset from the panel's corner.

    A single sprite would be mostly empty and ten times slower to stamp.
    """
    full_wide, full_high = wide + 2 * _REACH, high + 2 * _REACH
    right, bottom = full_wide - _STRIP, full_high - _STRIP

    def strip(x: int, y: int, until_x: int, until_y: int) -> tuple[Sprite, int, int]:
        def draw(pen: Pen) -> None:
            for edge, tone, thick, rounding in ((1, TONES.ink, 9, 16), (2, TONES.gold, 7, 15)):
                box = edge - x, edge - y, full_wide - edge - x, full_high - edge - y
                pen.rect(box, None, tone, thick, rounding)

        return paint(until_x - x, until_y - y, draw), x - _REACH, y - _REACH

    return (
        strip(0, 0, full_wide, _STRIP),
        strip(0, bottom, full_wide, full_high),
        strip(0, _STRIP, _STRIP, bottom),
        strip(right, _STRIP, full_wide, bottom),
    )
