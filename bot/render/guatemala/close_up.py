"""Parts of the table large: the production board, and each path or half of the plantation board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.game.contract import THEN, Action, in_turn, parse_action
from bot.game.guatemala.data import COLOUR_KEYS, KINDS, SACK
from bot.game.guatemala.plantation import PlantationBoard, board_for
from bot.game.guatemala.view import GuatemalaView
from bot.render.asked import WHOLE, AskedWords, Place, Places, Sheet, square
from bot.render.fonts import Face, width
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.ground import Ground
from bot.render.guatemala.layout import COLOURS, LAYOUT
from bot.render.guatemala.legend import draw_legend
from bot.render.guatemala.marks import gather
from bot.render.guatemala.plantation import draw_plantation, letter_plantation, paint_plantation
from bot.render.guatemala.production import (
    draw_line,
    draw_production,
    letter_production,
    paint_production,
)
from bot.render.kept import kept
from bot.render.legend import LEGEND
from bot.render.picture import Scene
from bot.render.sides import emblem
from bot.render.sprites import Align, Backdrop, Painting, Pen, ground

PRODUCTION = "production"
"""The part that is all of the production board; the others are columns of the plantation board."""
PLANTATIONS = "plantations"
"""All of the plantation board."""
_PATH = "path"
"""How the names of parts begin that are paths; the caption is the same for all."""
_WHERE = {"place": "position", "move": "steps", "refill": "sack", "buy": "place"}
"""By kind of action, what its last word is."""

_ICON = 46
_SEAL = 26


def parts(view: GuatemalaView) -> tuple[str, ...]:
    """What has a close-up."""
    return (PLANTATIONS, *view.board.parts, PRODUCTION, LEGEND)


def part_asked(view: GuatemalaView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param == WHOLE:
        actions = [in_turn(parse_action(word)) for word in asked.words]
        # An entry that begins with a step is about the line to which that leads.
        bought = [each for entry in actions if entry[0][0] == "buy" for each in entry]
        places = [action[-1] for action in bought if action[0] == "buy"]
        if places:
            return _part_of(view.board, places)
        return PRODUCTION if any(entry[0][0] in (*_WHERE, "take") for entry in actions) else None
    if asked.param == "place":
        return _part_of(view.board, asked.words)
    return PRODUCTION if asked.param in ("position", "steps", "piece", "colour") else None


def places_of(view: GuatemalaView, asked: AskedWords, sheet: Sheet) -> Places:
    """Where on a picture the words lie; a sack is one of the observer's own, and the space for it
    lights up too. Places that are named by their regions lie wherever these do, as frames around
    so many would hide the board.
    """
    if asked.param == WHOLE:
        return {
            word: _of_entry(list(asked.parts(word, view)), sheet, THEN in word)
            for word in asked.words
        }
    if asked.param == "place" and len(set(asked.names)) < len(asked.names):
        regions = {word: view.board.region_of(word) for word in asked.words}
        return {
            word: sheet.find("region", region) if region else sheet.find("place", word)
            for word, region in regions.items()
        }
    if asked.param == "colour":
        gap = sheet.find("gap", view.taken.space) if view.taken else []
        return {
            word: [place._replace(needs_tag=False) for place in (*sheet.find("sack", word), *gap)]
            for word in asked.words
        }
    return {word: sheet.find(asked.param, word) for word in asked.words}


def _of_entry(
    parts: Sequence[tuple[Action, GuatemalaView]], sheet: Sheet, is_joined: bool
) -> list[Place]:
    """Where an entry of the menu takes effect; of several actions each place by its own name, but
    a port by its number."""
    if not is_joined:
        return [place for action, view in parts for place in _of_action(view, action, sheet)]
    return [
        place._replace(
            name=action[-1],
            needs_tag=place.needs_tag and action[-1] not in view.board.port_of_name,
        )
        for action, view in parts
        for place in _of_action(view, action, sheet)
    ]


def _of_action(view: GuatemalaView, action: Action, sheet: Sheet) -> list[Place]:
    """Where an action takes effect: a place, a line, a sack, which is known by its drawing. On the
    production board a purchase is lit by its piece."""
    kind, *words = action
    if kind in _WHERE:
        found = sheet.find(_WHERE[kind], words[-1])
        if kind == "buy" and not found:
            return [place._replace(needs_tag=False) for place in sheet.find("piece", words[0])]
        return [place._replace(needs_tag=kind != "refill") for place in found]
    if kind != "take" or view.buyer is None:
        return []
    sacks = [space for space, piece in view.line(view.buyer) if piece.kind == KINDS[SACK]]
    return [
        place._replace(needs_tag=False) for sack in sacks for place in sheet.find("piece", sack)
    ]


def draw_close_up(scene: Scene[GuatemalaView], part: str, words: Mapping[str, str]) -> Sheet:
    """A part of either board, and over it what the observer has left to spend; or the legend."""
    coffees = pieces.Coffees(scene.labels["coffees"])
    if part == LEGEND:
        return draw_legend(scene.labels[LEGEND], words, coffees)
    view, marks = scene.view, gather(scene.events)
    if part == PRODUCTION:
        sheet = Sheet.over(_production_base())
        draw_production(sheet, view, coffees, marks, LAYOUT.close_up.production)
    else:
        land = _ground(len(view.seats), part)
        sheet = _sheet(view, coffees, _plantation_base(len(view.seats), part))
        draw_plantation(sheet, view, coffees, land, marks)
        _points(sheet, view, land)
    _head(sheet, scene, coffees, part)
    return sheet


def _sheet(view: GuatemalaView, coffees: pieces.Coffees, base: Backdrop) -> Sheet:
    """A plantation board without pieces; while they are bought the buyer's line is below it."""
    if view.asked != "act" or view.buyer is None:
        return Sheet.over(base)
    high = base.height + LAYOUT.close_up.line
    sheet = Sheet(base.width, high)
    sheet.lay(base, 0, 0)
    sheet.rect((0, base.height, base.width, high), COLOURS.bar)
    draw_line(sheet, view, coffees, (0, base.height, base.width, high))
    return sheet


def _part_of(board: PlantationBoard, places: Iterable[str]) -> str:
    """The smallest part in which all of these cells, roads and ports lie."""
    found = {_strip_part(board, board.region_of(place)) for place in places}
    return found.pop() if len(found) == 1 else PLANTATIONS


def _strip_part(board: PlantationBoard, region: str) -> str:
    found = (part for part, strips in board.parts.items() if region and int(region[0]) in strips)
    return next(found, PLANTATIONS)


def _ground(players: int, part: str) -> Ground:
    """The columns that belong to a part, and some beside them."""
    board = board_for(players)
    if part == PLANTATIONS:
        return Ground(board, LAYOUT.close_up.boards[board.has_paths])
    plan = LAYOUT.close_up.plantations[board.has_paths]
    wide = board.columns // len(board.parts)
    first = list(board.parts).index(part) * wide - (plan.columns - wide) // 2
    return Ground(board, plan, max(0, min(first, board.columns - plan.columns)))


@kept
def _plantation_base(players: int, part: str) -> Backdrop:
    """A part of the plantation board without pieces."""
    land = _ground(players, part)
    area = land.plan.area

    def draw(pen: Pen) -> None:
        paint_plantation(pen, land, area)
        _paint_head(pen)

    canvas = Painting(ground(area[2], area[3], COLOURS.jungle, draw))
    letter_plantation(canvas, land, area[2])
    return Backdrop(canvas.image)


@kept
def _production_base() -> Backdrop:
    """The production board without pieces."""
    area = LAYOUT.close_up.production

    def draw(pen: Pen) -> None:
        paint_production(pen, area)
        _paint_head(pen)

    canvas = Painting(ground(area[2] + area[0], area[3] + area[0], COLOURS.jungle, draw))
    letter_production(canvas, area)
    return Backdrop(canvas.image)


def _paint_head(pen: Pen) -> None:
    pen.rect((0, 0, pen.width, LAYOUT.close_up.head), COLOURS.bar)
    pen.rect((0, LAYOUT.close_up.head - 3, pen.width, LAYOUT.close_up.head), COLOURS.ink)


def _head(canvas: Sheet, scene: Scene[GuatemalaView], coffees: pieces.Coffees, part: str) -> None:
    """What part it is, as far as there is room; the observer's money and sacks, or for spectators
    no one's."""
    view, middle = scene.view, LAYOUT.close_up.head // 2 - 1
    number = part.removeprefix(_PATH)
    title = scene.labels[part] if number == part else f"{scene.labels[_PATH]} {number}"
    end = canvas.size[0] - 16
    if view.observer >= 0:
        end = _means(canvas, view, coffees, middle, end) - 14
    if width(title, 36, Face.TITLE) < end - 18:
        canvas.text(18, middle, title, COLOURS.cream, 36, Face.TITLE)


def _means(
    canvas: Sheet, view: GuatemalaView, coffees: pieces.Coffees, middle: int, end: int
) -> int:
    """What the observer has left to spend, up to `end`; returns where it begins."""
    own, x = view.seats[view.observer], end
    held = [(key, count) for key, count in zip(COLOUR_KEYS, own.hand or (), strict=False) if count]
    for key, count in reversed(held):
        canvas.text(x, middle, f"×{count}", COLOURS.cream, 34, align=Align.RIGHT)
        x -= width(f"×{count}", 34) + 4
        x = canvas.stamp_beside(coffees.rimmed("sack", key, _ICON), x, middle, Align.RIGHT)
        canvas.note("sack", key, square, x, middle - _ICON // 2, _ICON)
        x -= 10
    canvas.text(x - 6, middle, str(own.money), COLOURS.cream, 42, align=Align.RIGHT)
    x -= width(str(own.money), 42) + 14
    x = canvas.stamp_beside(pieces.icon("coin", _ICON), x, middle, Align.RIGHT) - 18
    return canvas.stamp_beside(emblem(view.observer, _ICON), x, middle, Align.RIGHT)


def _points(canvas: Sheet, view: GuatemalaView, land: Ground) -> None:
    """At each hut what its plantation would score now."""
    for owned in view.seats:
        for plantation in owned.plantations:
            if plantation.hut is None:
                continue
            cell = land.board.cell_of_name[plantation.hut]
            if land.sees(cell):
                left, _, _, bottom = land.cell(cell)
                seal = signs.total(plantation.points, _SEAL)
                top = bottom - seal.height - 2
                canvas.stamp(seal, left + 2, top)
                canvas.keep((left + 2, top, left + 2 + seal.width, bottom))
