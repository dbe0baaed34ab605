"""Colours, and the fixed palette that a picture is reduced to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from queue import Empty, SimpleQueue
from typing import Annotated

import msgspec
from PIL import Image, ImageColor

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour as data files and Pillow both read it: ``#rrggbb``."""

Mix = tuple[Colour, Colour, float]
"""What `mix` takes."""

PALETTE_SIZE = 256
_LIT = 118
"""Colours of a picture with a question that are as ever; as many again are dimmed."""
_DUSK: Colour = "#33363d"
_DIMMED = 0.4
"""Share of dusk in what cannot be chosen."""
GLOW: tuple[Colour, ...] = ("#fff6cf", "#ffd34d", "#f7a516", "#d97a06")
"""Of the light around what may be chosen, from its core outwards."""
_numbers = count()


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """`share` of the second colour in the first, 0..1."""
    parts = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def rgb(colours: Iterable[Colour]) -> bytes:
    """Red, green and blue of each."""
    return bytes(part for each in colours for part in ImageColor.getrgb(each))


class FilePalette:
    """The colours of a file, at most 256."""

    def __init__(self, colours: Sequence[Colour]) -> None:
        self.colours = tuple(colours)
        self.number = next(_numbers)
        """Its own, and never another's."""
        self.rgb = rgb(self.colours)
        """The colours as a file has them."""
        self._image = self.blank(1, 1)
        self._idle = SimpleQueue[Image.Image]()
        """Copies of it that have found colours before, and are not in use: one a thread at most."""

    def blank(self, width: int, height: int) -> Image.Image:
        """A "P" image of this palette."""
        image = Image.new("P", (width, height))
        image.putpalette(self.rgb)
        return image

    def reduce(self, image: Image.Image) -> Image.Image:
        """The "RGB" image as a "P" image of this palette, each pixel by its nearest colour."""
        # Pillow keeps the colours that it finds with the palette, and does so without the
        # interpreter's lock: no two threads may use one, but a used one is many times as fast.
        try:
            palette = self._idle.get_nowait()
        except Empty:
            palette = self._image.copy()
        try:
            return image.quantize(palette=palette, dither=Image.Dither.NONE)
        finally:
            self._idle.put(palette)


class Palette(FilePalette):
    """At most 256 colours: flat ones, mixes of them, and blends for the smooth edges between them.

    `edges` are the colours that the others are most often drawn on or outlined with. Every flat
    colour is blended with each of them by halves and then by quarters, the earlier ones first,
    while there is room.
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
        """That of a picture of which only some parts are lit."""
        return DimmedPalette(self)

    def exchanged(self, tones: Mapping[Colour, Colour]) -> tuple[Colour, ...]:
        """The colours in the same order, with other flat ones for some, and so other blends."""
        return tuple(
            mix(tones.get(first, first), tones.get(second, second), share)
            for first, second, share in self._mixes
        )


class DimmedPalette(FilePalette):
    """The first colours of a palette, the same ones dimmed, and those of the glow."""

    def __init__(self, palette: Palette) -> None:
        lit = palette.colours[:_LIT]
        super().__init__((*lit, *_dimmed(lit), *GLOW, *(mix(tone, _DUSK, 0.5) for tone in GLOW)))
        self._palette = palette
        colours = Image.frombytes("RGB", (len(palette.colours), 1), palette.rgb)
        nearest = FilePalette(lit).reduce(colours).tobytes()
        self._lit = (*nearest, *[0] * (PALETTE_SIZE - len(nearest)))
        self._dim = tuple(number + len(lit) for number in self._lit)

    def dim(self, image: Image.Image, lit: Image.Image) -> Image.Image:
        """The "P" image of the whole palette, dimmed but where the "1" mask `lit` is set."""
        shown = self.blank(*image.size)
        shown.paste(_renumbered(image, self._dim))
        shown.paste(_renumbered(image, self._lit), mask=lit)
        return shown

    def exchanged(self, tones: Mapping[Colour, Colour]) -> tuple[Colour, ...]:
        """As of a palette; the glow stays as it is."""
        lit = self._palette.exchanged(tones)[:_LIT]
        return (*lit, *_dimmed(lit), *self.colours[2 * len(lit) :])


def _dimmed(colours: Iterable[Colour]) -> Iterator[Colour]:
    return (mix(colour, _DUSK, _DIMMED) for colour in colours)


def _renumbered(image: Image.Image, numbers: Sequence[int]) -> Image.Image:
    """The "L" image of the new numbers of a "P" image's colours."""
    return image.point(numbers, "L")


def _blends(flat: Sequence[Colour], edges: Sequence[Colour]) -> Iterator[Mix]:
    for shares in ((0.5,), (0.25, 0.75)):
        for edge in edges:
            for tone in flat:
                if tone != edge:
                    yield from ((tone, edge, share) for share in shares)
