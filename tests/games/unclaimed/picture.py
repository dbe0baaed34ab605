"""The picture of Unclaimed: the counter, and below it a panel for each seat.

Cards have drawings and numbers, so players don't need to see colours.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Seat
from bot.game.frames import question_of
from bot.game.hidden import View
from bot.render.asked import AskedWords, LayeredCanvas, Places, untagged
from bot.render.cache import cached
from bot.render.drawing import Drawings, ScaledPen, Stroke
from bot.render.fonts import Face
from bot.render.palettes import Colours
from bot.render.panels import draw_header, draw_place, draw_turn, frame, paint_bar, paint_panel, tag
from bot.render.picture import GamePictures, Scene
from bot.render.sides import SIDE_LOOKS, TONES
from bot.render.sprites import Align, Area, Backdrop, Pen, Spot, ground, shaped
from bot.render.theme import Palette
from tests.games.unclaimed.rules import (
    GAME,
    KINDS,
    State,
    Take,
    ThingTaken,
    bid_of,
    listed,
    points_of,
)

COLOURS = Colours(
    night="#22344a",
    wood="#9a6a3f",
    back="#6e4726",
    umbrella="#7b4fa6",
    hat="#4a4a55",
    suitcase="#b8843c",
    violin="#c8502d",
    parrot="#2d9a57",
)
PALETTE = Palette(
    [*TONES.values(), *COLOURS.values(), *(look.fill for look in SIDE_LOOKS)],
    [TONES.ink, TONES.paper],
)

WIDE, BAR = 1000, 76
COUNTER = (16, 96, 984, 326)
PANEL_TOP, PANEL_HIGH, PANEL_STEP, HEAD = 344, 194, 206, 56
LARGE, SMALL = 136, 62
THINGS, TICKETS, BID = 32, 606, 908
"""The x of the parts of a panel, with room for 8 things, 4 tickets and a bid."""

DRAWINGS = Drawings(
    {
        "umbrella": (
            Stroke(line=((0, 0), (0, 38), (14, 38), (14, 28)), fill="ink", width=6),
            Stroke(polygon=((-46, 6), (-32, -26), (0, -42), (32, -26), (46, 6)), fill="umbrella"),
        ),
        "hat": (
            Stroke(rect=(-26, -40, 26, 26), fill="hat"),
            Stroke(rect=(-26, 6, 26, 22), fill="gold"),
            Stroke(rect=(-46, 22, 46, 36), fill="hat", radius=6),
        ),
        "suitcase": (
            Stroke(rect=(-16, -38, 16, -10), radius=6),
            Stroke(rect=(-46, -24, 46, 36), fill="suitcase", radius=8),
            Stroke(rect=(-46, -4, 46, 8), fill="back"),
        ),
        "violin": (
            Stroke(line=((0, 0), (0, -44)), fill="ink", width=9),
            Stroke(oval=(0, -4, 20, 17), fill="violin"),
            Stroke(oval=(0, 25, 26, 20), fill="violin"),
            Stroke(line=((40, -40), (30, 44)), fill="ink"),
        ),
        "parrot": (
            Stroke(polygon=((-8, 4), (-42, 46), (-18, 46), (12, 24)), fill="violin"),
            Stroke(oval=(2, 6, 24, 30), fill="parrot"),
            Stroke(polygon=((24, -36), (46, -18), (26, -6)), fill="gold"),
            Stroke(disc=(10, -24, 20), fill="parrot"),
            Stroke(disc=(14, -28, 4), fill="ink"),
        ),
    },
    {},
    {**TONES, **COLOURS}.__getitem__,
)


@shaped(lambda kind, wide: (wide, wide * 7 // 5))
def card(pen: Pen, kind: str, wide: int) -> None:
    """Draw a thing or a ticket, or a face-down card if `kind` is ""."""
    fill = TONES.paper if kind else COLOURS.back
    pen.rect((0, 0, wide, pen.height), fill, TONES.ink, wide // 34 + 1, 9)
    if kind:
        DRAWINGS[kind](ScaledPen(pen, wide / 2, pen.height * 0.34, wide * 0.8))
        number = str(KINDS.index(kind) + 1)
        pen.text((wide / 2, pen.height * 0.82), number, TONES.ink, pen.height // 3, Face.TEXT)


@cached
def _ground(seats: int) -> Backdrop:
    def draw(pen: Pen) -> None:
        paint_bar(pen, BAR, TONES.ink)
        pen.rect(COUNTER, COLOURS.wood, TONES.ink, 3, 16)
        for seat in range(seats):
            paint_panel(pen, _panel(seat), HEAD, [seat])

    return Backdrop(ground(WIDE, PANEL_TOP + seats * PANEL_STEP, COLOURS.night, draw))


def _panel(seat: Seat) -> Area:
    top = PANEL_TOP + seat * PANEL_STEP
    return 16, top, WIDE - 16, top + PANEL_HIGH


def table(scene: Scene[View[State]]) -> LayeredCanvas:
    state = scene.view.known
    canvas = LayeredCanvas.over(_ground(len(state.players)))
    asked = {"bid": scene.say("Bids"), "take": scene.say("Takes")}.get(question_of(state), "")
    turn = f"{scene.say('Round')} {state.round}/{state.rounds}: {asked}"
    draw_turn(canvas, scene, BAR // 2 - 1, 0, turn, WIDE - 20)
    left, top, _, _ = COUNTER
    _draw_cards(canvas, "counter", listed(state.counter), (left + 20, top + 20), LARGE)
    for seat in range(len(state.players)):
        _draw_panel(canvas, scene, seat)
    for event in scene.events:
        if isinstance(event, ThingTaken):
            place = canvas.find(f"things {event.seat}", event.thing)[-1]
            taken = card(event.thing, SMALL)
            left, top, _, _ = map(round, place.box)
            canvas.stamp(frame(taken.width, taken.height), left - 4, top - 4)
    return canvas


def _draw_panel(canvas: LayeredCanvas, scene: Scene[View[State]], seat: Seat) -> None:
    player = scene.view.known.players[seat]
    panel = _, top, right, _ = _panel(seat)
    middle = top + HEAD // 2
    points = tag(f"{scene.say('Points')} {sum(points_of(player))}")
    end = canvas.stamp_beside(points, right - 12, middle, Align.RIGHT)
    end = draw_place(canvas, scene, seat, end - 8, middle)
    draw_header(canvas, scene, seat, panel, HEAD, end)
    for name, title, left, cards in (
        ("things", scene.say("Things"), THINGS, listed(player.things)),
        ("tickets", scene.say("Tickets"), TICKETS, listed(player.tickets)),
        ("bid", scene.say("Bid"), BID, bid_of(player)),
    ):
        canvas.text(left, top + HEAD + 20, title, TONES.soft, 26)
        _draw_cards(canvas, f"{name} {seat}", cards, (left, top + HEAD + 38), SMALL)


def _draw_cards(
    canvas: LayeredCanvas, name: str, cards: Sequence[str], at: Spot, wide: int
) -> None:
    """Draw a row of cards and note their places under `name`."""
    x, top = at
    for kind in cards:
        sprite = card(kind, wide)
        canvas.stamp(sprite, x, top)
        canvas.note(name, kind, untagged, (x, top, x + wide, top + sprite.height))
        x += wide * 9 // 8


def places(view: View[State], asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Return the places of the cards in a question. Their kind is the last word of an action."""
    name = "counter" if question_of(view.known) == "take" else f"tickets {view.observer}"
    return {word: canvas.find(name, word.split()[-1]) for word in asked.words}


def order(state: State) -> Sequence[Seat]:
    """Return the seats that still have to take a thing."""
    frame = state.frames[-1]
    return frame.seats if isinstance(frame, Take) else ()


PICTURES = GamePictures(
    game=GAME,
    palette=PALETTE,
    bar=BAR,
    table=table,
    order=order,
    part_asked=lambda view, asked: "",
    places=places,
)
