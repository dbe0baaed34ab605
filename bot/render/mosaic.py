"""All boards of a game in a few images: squares that differ are stored once each.

A board is a list of changes to the one before. Neighbouring boards and languages share most of
their squares, so a whole game takes as much room as ten boards.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageChops

SQUARE = 24
"""Side of a square in pixels."""
PER_ROW = 64
"""Squares in each row of a sheet."""
PER_SHEET = PER_ROW * PER_ROW


class Mosaic:
    """The boards of a game, which all have one size and palette. Wider boards are scaled down."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._numbers: dict[bytes, int] = {}
        """The number of each square by its pixels."""
        self._last: dict[str, Image.Image] = {}
        self._palette: list[int] = []
        self.size = (0, 0)

    def add(self, series: str, board: bytes) -> list[int]:
        """Add the PNG of a board and return its changes to the last one of its series.

        They are pairs: how many unchanged squares come before, row by row, and the number of the
        new square.
        """
        with Image.open(BytesIO(board)) as opened:
            shown = opened.copy()
        if shown.width > self._width:
            size = self._width, round(shown.height * self._width / shown.width)
            scaled = shown.convert("RGB").resize(size, Image.Resampling.BOX)
            shown = scaled.quantize(palette=shown, dither=Image.Dither.NONE)
        self._palette, self.size = shown.getpalette("RGB") or [], shown.size
        indices = Image.frombytes("L", shown.size, shown.tobytes())
        last, self._last[series] = self._last.get(series), indices
        columns = -(-indices.width // SQUARE)
        changes: list[int] = []
        before = -1
        for cell, is_changed in enumerate(_changed(indices, last)):
            if is_changed:
                left, top = cell % columns * SQUARE, cell // columns * SQUARE
                pixels = indices.crop((left, top, left + SQUARE, top + SQUARE)).tobytes()
                number = self._numbers.setdefault(pixels, len(self._numbers))
                changes += (cell - before - 1, number)
                before = cell
        return changes

    def sheets(self) -> Iterator[bytes]:
        """Yield lossless WebPs with `PER_SHEET` squares each, in order of their numbers."""
        squares = list(self._numbers)
        for start in range(0, len(squares), PER_SHEET):
            part = squares[start : start + PER_SHEET]
            rows = -(-len(part) // PER_ROW)
            sheet = Image.new("P", (PER_ROW * SQUARE, rows * SQUARE))
            sheet.putpalette(self._palette)
            for place, pixels in enumerate(part):
                square = Image.frombytes("L", (SQUARE, SQUARE), pixels)
                sheet.paste(square, (place % PER_ROW * SQUARE, place // PER_ROW * SQUARE))
            file = BytesIO()
            # From "RGB", Pillow would hold the interpreter for three times as long.
            sheet.convert("RGBA").save(file, "WEBP", lossless=True, quality=75, method=4)
            yield file.getvalue()


def _changed(indices: Image.Image, last: Image.Image | None) -> array[float]:
    """Return for each square whether it has changed, as a number."""
    if last is None:
        difference = Image.new("F", indices.size, 1)
    else:
        difference = ImageChops.difference(indices, last).convert("F")
    # Means of whole numbers would be rounded to 0 for a few pixels.
    return array("f", difference.reduce(SQUARE).tobytes())
