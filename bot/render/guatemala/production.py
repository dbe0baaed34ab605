"""The picture of the production board, its pieces and the buyer."""

from __future__ import annotations

from bot.game.guatemala.data import (
    CONTENT,
    EMPTY,
    FACED,
    FRAMED,
    POSITION_NAMES,
    POSITION_OF_NAME,
    POSITIONS,
    SIZE,
    SPACE_NAMES,
)
from bot.game.guatemala.state import NONE, GuatemalaState, emptied_spaces
from bot.render.asked import LayeredCanvas, Place, centred, rectangle
from bot.render.guatemala import pieces
from bot.render.guatemala.pieces import COLOURS, DRAWING_TONES, GuatemalaMarks
from bot.render.panels import frame
from bot.render.sides import emblem
from bot.render.sprites import Align, Area, Canvas, Pen, Point, Spot, shaped
from bot.render.theme import mix

_RIM = 0.62
"""Width of the track of positions, in spaces."""
_PIECE, _BUYER, _EMBLEM, _NUMBER = 0.84, 0.76, 0.6, 0.44
"""Sizes of pieces, buyer, emblems and numbers, in spaces."""
_FRAME = 0.1
"""Width of the white frame of a space for sacks, in spaces."""
_ARROWS = {
    "t": ((0.3, 0.86), (0.7, 0.86), (0.5, 1.2)),
    "r": ((0.14, 0.3), (0.14, 0.7), (-0.2, 0.5)),
    "b": ((0.3, 0.14), (0.7, 0.14), (0.5, -0.2)),
    "l": ((0.86, 0.3), (0.86, 0.7), (1.2, 0.5)),
}
"""By edge, the head of the arrow into the line, in fractions of a position."""
_BEND = ((-0.1, -0.26), (-0.1, 0), (0.1, 0))
_HEAD = ((0.06, 0.16), (0.32, 0), (0.06, -0.16))
"""An arrow around a corner, in spaces: forwards in the new direction, and in the old one."""


class ProductionPicture:
    """The production board with its track of positions in a square area of a picture."""

    def __init__(self, area: Area) -> None:
        self.edge = area
        self.space = (area[2] - area[0]) / (SIZE + 2 * _RIM)

    @property
    def size(self) -> tuple[int, int]:
        """The size of a picture of the board only."""
        margin, _, right, bottom = self.edge
        return right + margin, bottom + margin

    def at(self, column: float, row: float) -> Point:
        """Return a point by column and row, counted from 0 in spaces."""
        left, top, _, _ = self.edge
        return left + (_RIM + column) * self.space, top + (_RIM + row) * self.space

    def area(self, column: float, row: float, columns: float = 1, rows: float = 1) -> Area:
        """Return the area of some columns and rows from this column and row."""
        (left, top), (right, bottom) = self.at(column, row), self.at(column + columns, row + rows)
        return round(left), round(top), round(right), round(bottom)

    def space_area(self, space: int) -> Area:
        return self.area(space % SIZE, space // SIZE)

    def position(self, name: str) -> Area:
        edge, along = name[0], int(name[1:]) - 1
        if edge in "tb":
            return self.area(along, -_RIM if edge == "t" else SIZE, 1, _RIM)
        return self.area(-_RIM if edge == "l" else SIZE, along, _RIM, 1)

    def line(self, name: str) -> Area:
        spaces = FACED[POSITION_OF_NAME[name]]
        return (*self.space_area(spaces[0])[:2], *self.space_area(spaces[-1])[2:])

    # The background

    def paint(self, pen: Pen) -> None:
        """Paint the empty board: positions, spaces, and white frames on the spaces for sacks."""
        pen.rect(self.edge, COLOURS.track, COLOURS.ink, 2.5, 12)
        for name in POSITION_NAMES:
            left, top, right, bottom = self.position(name)
            box = (left + 2, top + 2, right - 2, bottom - 2)
            pen.rect(box, COLOURS.paper, COLOURS.tens, 1.5, 8)
        # Arrows at the corners show the direction of the buyer.
        near, far = -_RIM / 2, SIZE + _RIM / 2
        corners = ((near, near), (far, near), (far, far), (near, far))
        for (x, y), (across, down) in zip(corners, ((1, 0), (0, 1), (-1, 0), (0, -1)), strict=True):
            bend, head = (
                [
                    self.at(x + ahead * across + aside * down, y + ahead * down - aside * across)
                    for ahead, aside in shape
                ]
                for shape in (_BEND, _HEAD)
            )
            pen.line(bend, COLOURS.path, 0.1 * self.space)
            pen.polygon(head, COLOURS.path)
        spaces = self.area(0, 0, SIZE, SIZE)
        pen.rect(spaces, DRAWING_TONES["yard"])
        for space in range(SIZE * SIZE):
            _paint_space(pen, self.space_area(space), space in FRAMED)
        pen.rect(spaces, None, COLOURS.ink, 2.5)

    def draw_labels(self, canvas: Canvas) -> None:
        """Draw the numbers of columns and rows."""
        for name in POSITION_NAMES:
            (x, y), size = _middle(self.position(name)), round(_NUMBER * self.space)
            canvas.text(x, y, name[1:], COLOURS.soft, size, align=Align.CENTRE)

    # The pieces

    def draw(
        self, canvas: LayeredCanvas, state: GuatemalaState, letters: str, marks: GuatemalaMarks
    ) -> None:
        """Draw the pieces, the buyer and its line, and mark emptied and refilled spaces."""
        buyer = "" if state.buyer == NONE else POSITION_NAMES[state.buyer]
        if buyer:
            left, top, right, bottom = self.line(buyer)
            framed = tuple(space in FRAMED for space in FACED[state.buyer])
            canvas.stamp(_line_sprite(right - left, bottom - top, framed), left, top)
        for space, piece in enumerate(state.production):
            if piece != EMPTY:
                sprite = pieces.piece(piece, round(_PIECE * self.space), letters)
                canvas.stamp_centred(sprite, *_middle(self.space_area(space)))
                place = (self.space_area(space), buyer[:1] in ("l", "r"))
                canvas.note("piece", SPACE_NAMES[space], _piece_place, *place)
        emptied = dict.fromkeys(emptied_spaces(state), state.turn) | marks.emptied
        for space, seat in emptied.items():
            if state.production[space] == EMPTY:
                owner = emblem(seat, round(_EMBLEM * self.space))
                canvas.stamp_centred(owner, *_middle(self.space_area(space)))
                canvas.note("gap", SPACE_NAMES[space], rectangle, self.space_area(space))
        for space in dict.fromkeys([*marks.emptied, *marks.put]):
            _frame(canvas, self.space_area(space))
        for name in POSITION_NAMES:
            canvas.note("position", name, centred, self.position(name))
        if buyer:
            self._draw_buyer(canvas, state.buyer, buyer in marks.moved)

    def _draw_buyer(self, canvas: LayeredCanvas, at: int, has_moved: bool) -> None:
        left, top, right, bottom = place = self.position(POSITION_NAMES[at])
        stand = _buyer_stand(POSITION_NAMES[at][0], right - left, bottom - top)
        canvas.stamp_centred(stand, *_middle(place))
        if has_moved:
            _frame(canvas, place)
        canvas.stamp_centred(pieces.icon("buyer", round(_BUYER * self.space)), *_middle(place))
        for steps in range(1, CONTENT.steps + 2):
            target = POSITION_NAMES[(at + steps) % POSITIONS]
            canvas.note("steps", str(steps), _steps_place, self, target)


def draw_line(canvas: LayeredCanvas, state: GuatemalaState, letters: str, area: Area) -> None:
    """Draw the buyer's line as a row, with the names of its spaces."""
    left, top, right, bottom = area
    step, high = (right - left) / (SIZE + 1), bottom - top
    canvas.stamp_centred(pieces.icon("buyer", high - 12), left + step * 0.5, top + high / 2)
    for number, space in enumerate(FACED[state.buyer], 1):
        start, piece = left + number * step, state.production[space]
        x, slot = start + step / 2, (round(start + 2), top + 4, round(start + step - 2), bottom - 4)
        canvas.rect(slot, COLOURS.dusk if piece == EMPTY else DRAWING_TONES["lit"])
        if space in FRAMED:
            sack = _frame_of_sack(slot[2] - slot[0], slot[3] - slot[1])
            canvas.stamp_centred(sack, x, top + high / 2)
        if piece != EMPTY:
            sprite = pieces.piece(piece, round(high * 0.62), letters)
            canvas.stamp_centred(sprite, x, top + high * 0.36)
        elif space in emptied_spaces(state):
            canvas.stamp_centred(emblem(state.turn, round(high * 0.4)), x, top + high * 0.36)
        name, level = SPACE_NAMES[space], top + round(high * 0.82)
        canvas.text(round(x), level, name, COLOURS.ink, 30, align=Align.CENTRE)
        # The tag covers the name.
        canvas.note("piece", name, rectangle, slot, (round(x), level))


def _paint_space(pen: Pen, place: Area, framed: bool) -> None:
    """Paint the edge of a space, and the frame of a space for sacks."""
    left, top, right, bottom = place
    pen.rect(
        (left, top, right + 1, bottom + 1), None, mix(DRAWING_TONES["yard"], COLOURS.ink, 0.25), 1
    )
    if framed:
        edge = _FRAME * (right - left)
        pen.rect((left + 2, top + 2, right - 1, bottom - 1), None, COLOURS.soft, edge + 2, 7)
        pen.rect((left + 3, top + 3, right - 2, bottom - 2), None, COLOURS.white, edge, 6)


def _frame(canvas: LayeredCanvas, place: Area) -> None:
    left, top, right, bottom = place
    canvas.stamp_centred(frame(right - left - 6, bottom - top - 6), *_middle(place))


@shaped(lambda wide, high: (wide, high))
def _frame_of_sack(pen: Pen, wide: int, high: int) -> None:
    """The white frame of a space for sacks."""
    pen.rect((0, 0, wide, high), None, COLOURS.soft, 8, 7)
    pen.rect((1, 1, wide - 1, high - 1), None, COLOURS.white, 6, 6)


@shaped(lambda wide, high, _: (wide, high))
def _line_sprite(pen: Pen, wide: int, high: int, framed: tuple[bool, ...]) -> None:
    """The buyer's line, horizontal or vertical; `framed` says which spaces are for sacks."""
    pen.rect((0, 0, wide, high), DRAWING_TONES["lit"])
    across, down = (wide / SIZE, 0.0) if wide > high else (0.0, high / SIZE)
    for n, has_frame in enumerate(framed):
        x, y = n * across, n * down
        place = (round(x), round(y), round(x + (across or wide)), round(y + (down or high)))
        _paint_space(pen, place, has_frame)
    pen.rect((0, 0, wide, high), None, COLOURS.ink, 3)


@shaped(lambda _, wide, high: (2 * wide, 2 * high))
def _buyer_stand(pen: Pen, edge: str, wide: int, high: int) -> None:
    """The buyer's position, in the middle of a sprite twice as large, with an arrow into the
    line."""
    left, top = wide / 2, high / 2
    head = [(left + x * wide, top + y * high) for x, y in _ARROWS[edge]]
    box = (left + 1, top + 1, left + wide - 1, top + high - 1)
    pen.polygon(head, COLOURS.gold, COLOURS.ink, 5)
    pen.rect(box, COLOURS.gold, COLOURS.ink, 2.5, 8)
    pen.polygon(head, COLOURS.gold)


# Places


def _middle(place: Area) -> Spot:
    left, top, right, bottom = place
    return (left + right) // 2, (top + bottom) // 2


def _piece_place(area: Area, is_across: bool) -> Place:
    """Return the place of a space, its tag on the edge to the next line, where it hides least."""
    left, top, right, bottom = area
    return rectangle(area, ((left + right) / 2, top) if is_across else (left, (top + bottom) / 2))


def _steps_place(picture: ProductionPicture, position: str) -> Place:
    """Return the place of a position with its line, its tag on the position."""
    place, line = picture.position(position), picture.line(position)
    left, top = map(min, place[:2], line[:2])
    right, bottom = map(max, place[2:], line[2:])
    return rectangle((left, top, right, bottom), _middle(place))
