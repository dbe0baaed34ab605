"""Colours, and the fixed palettes of pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from queue import Empty, SimpleQueue
from typing import Annotated

import msgspec
from PIL import Image, ImageColor

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour for data files and Pillow: ``#rrggbb``."""

Mix = tuple[Colour, Colour, float]
"""The arguments of `mix`."""

PALETTE_SIZE = 256
_LIT = 118
"""Colours of a picture with a question; each also has a dimmed version."""
_DUSK: Colour = "#33363d"
_DIMMED = 0.4
"""Share of `_DUSK` in a dimmed colour."""
GLOW: tuple[Colour, ...] = ("#fff6cf", "#ffd34d", "#f7a516", "#d97a06")
"""Colours of the glow around choices, from the inside out."""
_numbers = count()


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Mix two colours; `share` is that of the second, from 0 to 1."""
    parts = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def rgb(colours: Iterable[Colour]) -> bytes:
    """Return the colours as bytes, three each."""
    return bytes(part for each in colours for part in ImageColor.getrgb(each))


class FilePalette:
    """The colours of a file, at most 256."""

    def __init__(self, colours: Sequence[Colour]) -> None:
        self.colours = tuple(colours)
        self.number = next(_numbers)
        """A unique number."""
        self.rgb = rgb(self.colours)
        """The colours as bytes, three each."""
        self._image = self.blank(1, 1)
        self._idle = SimpleQueue[Image.Image]()
        """Unused copies with cached colours, at most one per thread."""

    def blank(self, width: int, height: int) -> Image.Image:
        """Return a new "P" image with this palette."""
        image = Image.new("P", (width, height))
        image.putpalette(self.rgb)
        return image

    def reduce(self, image: Image.Image) -> Image.Image:
        """Convert an "RGB" image to a "P" image with this palette, by nearest colours."""
        # Pillow caches nearest colours in the palette image, without the interpreter's lock: two
        # threads must not share one, but a used one is many times faster.
        try:
            palette = self._idle.get_nowait()
        except Empty:
            palette = self._image.copy()
        try:
            return image.quantize(palette=palette, dither=Image.Dither.NONE)
        finally:
            self._idle.put(palette)


class Palette(FilePalette):
    """At most 256 colours: flat colours, mixes of them, and blends for smooth edges between them.

    `edges` are the most frequent colours of backgrounds and outlines. While there is room, every
    flat colour is blended with each of them, by halves and then by quarters, in the given order.
    """

    def __init__(
        self, flat: Sequence[Colour], edges: Sequence[Colour], mixes: Sequence[Mix] = ()
    ) -> None:
        chosen: dict[Colour, Mix] = {}
        for each in (*((tone, tone, 0.0) for tone in flat), *mixes, *_blends(flat, edges)):
            chosen.setdefault(mix(*each), each)
        self._mixes = tuple(chosen.values())[:PALETTE_SIZE]
        super().__init__(tuple(chosen)[:PALETTE_SIZE])

    @cached_property
    def dimmed(self) -> DimmedPalette:
        """The palette for a picture with highlighted choices."""
        return DimmedPalette(self)

    def exchanged(self, tones: Mapping[Colour, Colour]) -> tuple[Colour, ...]:
        """Return the colours in the same order, with replacements for flat ones and new blends."""
        return tuple(
            mix(tones.get(first, first), tones.get(second, second), share)
            for first, second, share in self._mixes
        )


class DimmedPalette(FilePalette):
    """The first colours of a palette, their dimmed versions, and the colours of the glow."""

    def __init__(self, palette: Palette) -> None:
        lit = palette.colours[:_LIT]
        super().__init__((*lit, *_dimmed(lit), *GLOW, *(mix(tone, _DUSK, 0.5) for tone in GLOW)))
        self._palette = palette
        colours = Image.frombytes("RGB", (len(palette.colours), 1), palette.rgb)
        nearest = FilePalette(lit).reduce(colours).tobytes()
        self._lit = (*nearest, *[0] * (PALETTE_SIZE - len(nearest)))
        self._dim = tuple(number + len(lit) for number in self._lit)

    def dim(self, image: Image.Image, lit: Image.Image) -> Image.Image:
        """Return a "P" image of the full palette, dimmed except where the "1" mask `lit` is set."""
        shown = self.blank(*image.size)
        # New indices for the colours of the image.
        shown.paste(image.point(self._dim, "L"))
        shown.paste(image.point(self._lit, "L"), mask=lit)
        return shown

    def exchanged(self, tones: Mapping[Colour, Colour]) -> tuple[Colour, ...]:
        """Like `Palette.exchanged`; the glow keeps its colours."""
        lit = self._palette.exchanged(tones)[:_LIT]
        return (*lit, *_dimmed(lit), *self.colours[2 * len(lit) :])


def _dimmed(colours: Iterable[Colour]) -> Iterator[Colour]:
    return (mix(colour, _DUSK, _DIMMED) for colour in colours)


def _blends(flat: Sequence[Colour], edges: Sequence[Colour]) -> Iterator[Mix]:
    for shares in ((0.5,), (0.25, 0.75)):
        for edge in edges:
            for tone in flat:
                if tone != edge:
                    yield from ((tone, edge, share) for share in shares)
