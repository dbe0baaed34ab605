"""The pictures of Burgundy: a view, the names at the table and the latest events make one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.burgundy.view import View
from bot.game.contract import Event, Seat
from bot.render import png
from bot.render.burgundy.base import base
from bot.render.burgundy.board import draw_bar, draw_board, draw_gallery
from bot.render.burgundy.close_up import draw_details, draw_legend, ground
from bot.render.burgundy.layout import FEWEST, LABELS, LAYOUT, palette
from bot.render.burgundy.marks import gather
from bot.render.burgundy.panel import PanelArtist
from bot.render.ending import draw_ending
from bot.render.layout import Say, said
from bot.render.seats import seat_names
from bot.render.sprites import Canvas


def draw(view: View, names: Sequence[str], events: Sequence[Event] = (), say: Say = str) -> bytes:
    """The PNG of the table as the view's observer may know it.

    `names` are those of the seats, in seat order. `events` are what this observer has heard
    since the last picture; what they changed is marked. `say` puts the labels into a language.
    The same input gives the same bytes in every process. May be called from several threads at
    once.
    """
    seats, labels = len(view.seats), said(LABELS, say)
    drawn = seat_names(names, seats, labels.player)
    table = LAYOUT.tables[seats - FEWEST]
    marks = gather(events)
    canvas = Canvas(base(seats, labels).copy())
    draw_bar(canvas, view, drawn, labels)
    if view.asked == "board":
        draw_gallery(canvas, view)
    else:
        draw_board(canvas, view, marks)
    for seat, at in enumerate(table.at):
        PanelArtist(canvas, table.panel, at, view, seat, marks).draw(drawn[seat], labels)
    if view.outcome is not None:
        left, top, right, bottom = LAYOUT.board
        middle = ((left + right) // 2, (top + bottom) // 2)
        draw_ending(canvas, view.outcome, drawn, labels.wins, labels.shared, middle)
    return png.encode(palette().reduce(canvas.image))


def draw_seat(
    view: View,
    names: Sequence[str],
    events: Sequence[Event],
    seat: Seat,
    words: Mapping[str, str],
    say: Say = str,
) -> bytes:
    """The PNG of one seat's estate, large; otherwise as `draw`.

    `words` say in a sentence what a tile does, by its key: the legend lists the knowledge tiles of
    the seat and those that can be taken, as far as there are words for them.
    """
    labels = said(LABELS, say)
    drawn = seat_names(names, len(view.seats), labels.player)
    image, listed = ground(view, seat, words)
    canvas = Canvas(image)
    plan = LAYOUT.close_up
    PanelArtist(canvas, plan.panel, plan.at, view, seat, gather(events)).draw(drawn[seat], labels)
    draw_details(canvas, view, seat)
    draw_legend(canvas, listed, words)
    return png.encode(palette().reduce(canvas.image))
