"""The shared parts of pictures, with an invented game in which a seat has several sides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from PIL import Image, ImageColor

from bot.game.contract import SPECTATOR, Decision, Observer, Outcome, Seat
from bot.game.game import AnyGame
from bot.game.hidden import View
from bot.game.sides import Side
from bot.render.asked import LayeredCanvas
from bot.render.panels import draw_header, draw_order, draw_place, draw_to_act, paint_panel
from bot.render.picture import GamePictures, Scene
from bot.render.sides import SIDE_LOOKS, TONES
from bot.render.sprites import Backdrop, Pen, ground
from bot.render.theme import Palette
from tests.render.compare import read

SIZE = (600, 900)
HEAD = 48
TO_ACT, ORDER = (0, 0, 600, 60), (0, 60, 600, 120)
PANELS = ((10, 130, 590, 230), (10, 250, 590, 350))
RESULT = (0, 0, 600, 60)
FILLS = [side.fill for side in SIDE_LOOKS]


@dataclass(frozen=True)
class GuildTable:
    """Two seats with the guilds that the observer knows."""

    guilds: tuple[tuple[int, ...], ...] = ((2, 0), (3, 1))
    players: tuple[str, ...] = ("first", "second")
    active: tuple[Seat, ...] = (0, 1)
    outcome: Outcome | None = None


GuildView = View[GuildTable]


class GuildGame:
    """The methods of a game that pictures need."""

    def pending(self, state: GuildTable) -> list[Decision]:
        return [Decision(str(seat), seat, "turn") for seat in state.active]

    def outcome(self, state: GuildTable) -> Outcome | None:
        return state.outcome


def _sides(view: GuildView, _seats: int) -> tuple[Side, ...]:
    return tuple(Side(seat, look) for seat, own in enumerate(view.known.guilds) for look in own)


def _table(scene: Scene[GuildView]) -> LayeredCanvas:
    def draw(pen: Pen) -> None:
        for area, looks in zip(PANELS, scene.looks, strict=True):
            paint_panel(pen, area, HEAD, looks)

    canvas = LayeredCanvas.over(Backdrop(ground(*SIZE, TONES.ink, draw)))
    draw_to_act(canvas, scene, (10, 30), SIZE[0])
    draw_order(canvas, scene, (10, 90), 64, TONES.cream)
    for seat, area in enumerate(PANELS):
        middle = area[1] + HEAD // 2
        end = draw_place(canvas, scene, seat, area[2] - 10, middle)
        draw_header(canvas, scene, seat, area, HEAD, end)
    return canvas


PICTURES = GamePictures(
    game=cast("AnyGame", GuildGame()),
    order=lambda _known: (1, 0),
    palette=Palette([*FILLS, TONES.ink, TONES.soft, TONES.paper, TONES.cream, TONES.gold], []),
    bar=60,
    table=_table,
    part=lambda scene, _part, _words: _table(scene),
    parts=lambda _view: (),
    part_asked=lambda _view, _asked: None,
    places=lambda _view, _asked, _sheet: {},
    sides=_sides,
)


def drawn(
    table: GuildTable, names: tuple[str, ...] = ("Anna", "Bert"), observer: Observer = 0
) -> Image.Image:
    return read(PICTURES.draw(View(observer, table), names))


def shown(picture: Image.Image, area: tuple[int, int, int, int]) -> list[int]:
    """Return the looks of the sides whose colours are in an area."""
    part = picture.crop(area)
    pixels = {part.getpixel((x, y)) for x in range(part.width) for y in range(part.height)}
    return [look for look, fill in enumerate(FILLS) if ImageColor.getrgb(fill) in pixels]


def test_all_sides_of_a_seat_are_shown_everywhere() -> None:
    picture = drawn(GuildTable())
    assert [shown(picture, area) for area in PANELS] == [[0, 2], [1, 3]]
    assert shown(picture, TO_ACT) == [0, 1, 2, 3]
    assert shown(drawn(GuildTable(active=(1,))), TO_ACT) == [1, 3]
    assert shown(picture, (10, 60, 60, 120)) == [1, 3]
    assert shown(picture, (74, 60, 124, 120)) == [0, 2]
    over = GuildTable(active=(), outcome=Outcome("points", (1,), (3, 9), ()))
    assert shown(drawn(over), RESULT) == [0, 1, 2, 3]


def test_a_seat_with_unknown_sides_has_a_name_and_no_colour() -> None:
    unknown = GuildTable(guilds=((2, 0), ()), active=(1,))
    picture, renamed = (
        drawn(unknown, ("Anna", name), observer=SPECTATOR) for name in ("Bert", "Carla")
    )
    assert shown(picture, TO_ACT) == shown(picture, PANELS[1]) == []
    for area in (TO_ACT, ORDER, PANELS[1]):
        assert picture.crop(area).tobytes() != renamed.crop(area).tobytes()
    over = replace(unknown, outcome=Outcome("points", (1,), (3, 9), ()))
    assert shown(drawn(over), RESULT) == [0, 2]
