"""An animated GIF of a game, which every Discord client plays.

The frames share the palette of the first frame. Each stores only the difference to the previous
frame, to save bytes and memory. A strip below the board shows the chapter: the round, and its place
among all rounds.
"""

from __future__ import annotations

import io
import struct
from typing import NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from bot.render.fonts import Face, fit, printable
from bot.render.sides import TONES
from bot.render.sprites import Painting

WIDTH = 700
"""Maximum width in pixels; wider boards are scaled down."""

_STRIP, _NAME, _PAD, _BAR = 56, 30, 18, 226
"""The height of a chapter's strip, the size of its name, the margins, and the start of its bar."""
_SAME = 255
"""The last entry of the palette marks unchanged pixels."""
_LOOP = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_LEAVE_IT = 1


class Chapter(NamedTuple):
    """A round of a film: its name in the viewers' language, and its place among all `rounds`, from
    0."""

    name: str
    place: int
    rounds: int


class Film:
    """An animation that is built frame by frame."""

    def __init__(self, width: int = WIDTH) -> None:
        self._width = width
        self._parts: list[bytes] = []
        self._palette: Image.Image | None = None
        self._last: Image.Image | None = None
        self.size = 1
        """Bytes so far."""

    def add(self, board: bytes, hold_ms: int, chapter: Chapter | None = None) -> None:
        """Add a frame from the PNG of a board, with its chapter below. All boards must have one
        size."""
        with Image.open(io.BytesIO(board)) as opened:
            picture = opened.convert("RGB")
            if self._palette is None:
                self._palette = _palette(opened)
        if picture.width > self._width:
            height = round(picture.height * self._width / picture.width)
            picture = picture.resize((self._width, height), Image.Resampling.BOX)
        if chapter is not None:
            picture = _with_strip(picture, chapter)
        frame = picture.quantize(palette=self._palette, dither=Image.Dither.NONE)
        shown = Image.frombytes("L", frame.size, frame.tobytes())
        if self._last is None:
            colours = bytes(self._palette.getpalette("RGB") or []).ljust(768, b"\0")
            head = struct.pack("<2H3B", *frame.size, 0xF7, 0, 0)
            self._append(b"GIF89a", head, colours, _LOOP)
            self._append(*_encoded(shown, (0, 0), hold_ms))
        else:
            changed = ImageChops.difference(shown, self._last)
            left, top, right, bottom = changed.getbbox() or (0, 0, 1, 1)
            box = (left, top, right, bottom)
            mask = changed.crop(box).point([0] + [255] * 255)
            difference = Image.new("L", mask.size, _SAME)
            difference.paste(shown.crop(box), (0, 0), mask)
            self._append(*_encoded(difference, (left, top), hold_ms))
        self._last = shown

    def gif(self) -> bytes:
        """Return the animation so far."""
        return b"".join((*self._parts, b";"))

    def _append(self, *parts: bytes) -> None:
        self._parts += parts
        self.size += sum(map(len, parts))


def _with_strip(board: Image.Image, chapter: Chapter) -> Image.Image:
    """Return a board with the strip of its chapter below.

    The bar has a cell for each round; past ones are light, and that of the chapter is higher.
    """
    wide, high = board.size
    canvas = Painting(Image.new("RGB", (wide, high + _STRIP), TONES.ink))
    canvas.image.paste(board)
    middle = high + _STRIP // 2
    name = fit(printable(chapter.name, Face.TEXT), _NAME, _BAR - 2 * _PAD)
    canvas.text(_PAD, middle, name, TONES.cream, _NAME)
    step = max(wide - _BAR - _PAD, chapter.rounds) / chapter.rounds
    for place in range(chapter.rounds):
        left, fill, half = _BAR + place * step, TONES.soft, 6
        if place <= chapter.place:
            fill, half = (TONES.gold, 17) if place == chapter.place else (TONES.cream, 6)
        right = round(left + step - min(3, step / 4))
        canvas.rect((round(left), middle - half, right, middle + half), fill)
    return canvas.image


def _palette(board: Image.Image) -> Image.Image:
    """Return the colours of a board, with one entry free for unchanged pixels."""
    reduced = board if board.mode == "P" else board.convert("RGB").quantize(_SAME)
    colours = (reduced.getpalette("RGB") or [])[: 3 * _SAME]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours)
    return palette


def _encoded(indices: Image.Image, at: tuple[int, int], hold_ms: int) -> list[bytes]:
    image = Image.frombytes("P", indices.size, indices.tobytes())
    return GifImagePlugin.getdata(
        image, at, duration=hold_ms, transparency=_SAME, disposal=_LEAVE_IT
    )
