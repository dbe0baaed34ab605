"""The pictures of Burgundy, drawn from a view, the players' names and the latest events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.burgundy.view import BurgundyView
from bot.game.contract import Event
from bot.render import png
from bot.render.asked import AskedWords, draw_asked
from bot.render.burgundy.base import base
from bot.render.burgundy.board import draw_bar, draw_board, draw_gallery
from bot.render.burgundy.close_up import depots_ground, draw_details, draw_legend, ground
from bot.render.burgundy.depots import Lying, draw_depots
from bot.render.burgundy.layout import FEWEST, LABELS, LAYOUT, ON_BOARD, palette
from bot.render.burgundy.marks import gather
from bot.render.burgundy.panel import PanelArtist
from bot.render.burgundy.places import (
    DEPOTS,
    in_depots,
    in_estate,
    in_gallery,
    parts,
)
from bot.render.ending import draw_ending
from bot.render.layout import Say, said
from bot.render.seats import seat_names
from bot.render.sprites import Canvas


def draw(
    view: BurgundyView,
    names: Sequence[str],
    events: Sequence[Event] = (),
    asked: AskedWords | None = None,
    say: Say = str,
) -> bytes:
    """The PNG of the table as the view's observer may know it.

    `names` are those of the seats, in seat order. `events` are what this observer has heard since
    the last picture; what they changed is marked. What is `asked` of the observer is highlighted;
    nobody else may see it. `say` puts the labels into a language. The same input gives the same
    bytes in every process. May be called from several threads at once.
    """
    seats, labels = len(view.seats), said(LABELS, say)
    drawn = seat_names(names, seats, labels.player)
    table = LAYOUT.tables[seats - FEWEST]
    marks = gather(events)
    canvas = Canvas(base(seats, labels).copy())
    draw_bar(canvas, view, drawn, labels)
    lying: Sequence[Lying] = ()
    if view.asked == "board":
        draw_gallery(canvas, view)
    else:
        lying = draw_board(canvas, view, marks)
    artists = [
        PanelArtist(canvas, table.panel, at, view, seat, marks) for seat, at in enumerate(table.at)
    ]
    for seat, artist in enumerate(artists):
        artist.draw(drawn[seat], labels)
    if asked is not None:
        lit = {**in_gallery(asked), **in_depots(asked, ON_BOARD, lying)}
        if view.observer >= 0:
            lit.update(in_estate(asked, artists[view.observer]))
        draw_asked(canvas, lit, asked)
    if view.outcome is not None:
        left, top, right, bottom = LAYOUT.board
        middle = ((left + right) // 2, (top + bottom) // 2)
        draw_ending(canvas, view.outcome, drawn, labels.wins, labels.shared, middle)
    return png.encode(palette().reduce(canvas.image))


def draw_part(
    view: BurgundyView,
    names: Sequence[str],
    events: Sequence[Event],
    part: str,
    words: Mapping[str, str],
    asked: AskedWords | None = None,
    say: Say = str,
) -> bytes:
    """The PNG of one of `parts`, large: an estate, or the depots; otherwise as `draw`.

    `words` say in a sentence what a tile does, by its key: the legend lists the knowledge tiles of
    the seat and those that can be taken, as far as there are words for them. Raises ValueError for
    an unknown part.
    """
    if part not in parts(view):
        raise ValueError(f"there is no part {part!r} of the table, only {parts(view)}")
    marks = gather(events)
    if part == DEPOTS:
        image, listed = depots_ground(view, words)
        canvas = Canvas(image)
        lying = draw_depots(canvas, view, marks, LAYOUT.depots_close_up)
        lit = {} if asked is None else in_depots(asked, LAYOUT.depots_close_up, lying)
    else:
        labels, seat = said(LABELS, say), int(part)
        drawn = seat_names(names, len(view.seats), labels.player)
        image, listed = ground(view, seat, words)
        canvas = Canvas(image)
        plan = LAYOUT.close_up
        artist = PanelArtist(canvas, plan.panel, plan.at, view, seat, marks)
        artist.draw(drawn[seat], labels)
        draw_details(canvas, view, seat)
        lit = {} if asked is None or seat != view.observer else in_estate(asked, artist)
    draw_legend(canvas, listed, words)
    if asked is not None:
        draw_asked(canvas, lit, asked)
    return png.encode(palette().reduce(canvas.image))
