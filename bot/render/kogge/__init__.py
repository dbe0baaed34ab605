"""The board of Kogge, drawn from a view, the players' names and the latest events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import Event
from bot.game.kogge.view import KoggeView
from bot.render import png
from bot.render.asked import AskedWords, draw_asked
from bot.render.ending import draw_ending
from bot.render.kogge.base import base
from bot.render.kogge.cities import draw_cities
from bot.render.kogge.close_up import city_base, draw_city, routes_of
from bot.render.kogge.layout import LABELS, LAYOUT, palette
from bot.render.kogge.marks import draw_changes, draw_courses, draw_rings
from bot.render.kogge.places import CITY_PARTS, part_asked, places_of
from bot.render.kogge.ribbon import draw_ribbon
from bot.render.kogge.seats import draw_seats
from bot.render.layout import Say, said
from bot.render.seats import seat_names
from bot.render.sprites import Canvas


def draw(
    view: KoggeView,
    names: Sequence[str],
    events: Sequence[Event] = (),
    asked: AskedWords | None = None,
    say: Say = str,
) -> bytes:
    """The PNG of the board as the view's observer may know it.

    `names` are those of the seats, in seat order. `events` are what this observer has heard since
    the last picture; they are marked on the map. What is `asked` of the observer is highlighted;
    nobody else may see it. `say` puts the labels into a language. The same input gives the same
    bytes in every process. May be called from several threads at once.
    """
    labels = said(LABELS, say)
    drawn = seat_names(names, len(view.seats), labels.player)
    canvas = Canvas(base(len(view.seats), labels).copy())
    draw_courses(canvas, view, events)
    draw_rings(canvas, view, events)
    draw_cities(canvas, view)
    draw_changes(canvas, events)
    draw_ribbon(canvas, view, drawn, labels)
    draw_seats(canvas, view, drawn, labels)
    if asked is not None:
        draw_asked(canvas, places_of(view, asked), asked)
    if view.outcome is not None:
        draw_ending(canvas, view.outcome, drawn, labels.wins, labels.shared, LAYOUT.middle)
    return png.encode(palette().reduce(canvas.image))


def draw_part(
    view: KoggeView,
    names: Sequence[str],
    _events: Sequence[Event],
    part: str,
    _words: Mapping[str, str],
    asked: AskedWords | None = None,
    say: Say = str,
) -> bytes:
    """The PNG of one of the `parts`, a city, large; otherwise as `draw`, but nothing is marked.

    Raises ValueError for an unknown part.
    """
    number = CITY_PARTS.index(part)
    canvas = Canvas(city_base(number))
    drawn = seat_names(names, len(view.seats), said(LABELS, say).player)
    draw_city(canvas, view, number, drawn)
    if asked is not None and part == part_asked(view, asked):
        draw_asked(canvas, routes_of(asked), asked)
    return png.encode(palette().reduce(canvas.image))
