"""Colours, and the fixed palette that a picture is reduced to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Annotated

import msgspec
from PIL import Image, ImageColor

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour as data files and Pillow both read it: ``#rrggbb``."""

Mix = tuple[Colour, Colour, float]
"""What `mix` takes."""

PALETTE_SIZE = 256
_numbers = count()


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """`share` of the second colour in the first, 0..1."""
    parts = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def rgb(colours: Iterable[Colour]) -> bytes:
    """Red, green and blue of each."""
    return bytes(part for each in colours for part in ImageColor.getrgb(each))


class Palette:
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
        self.colours = tuple(chosen)[:PALETTE_SIZE]
        self.number = next(_numbers)
        """Its own, and never another's."""
        self._image = Image.new("P", (1, 1))
        self.rgb = rgb(self.colours)
        """The colours as a file has them."""
        self._image.putpalette(self.rgb)
        self._idle: list[Image.Image] = []
        """Copies of it that have found colours before, and are not in use."""

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
            palette = self._idle.pop()
        except IndexError:
            palette = self._image.copy()
        try:
            return image.quantize(palette=palette, dither=Image.Dither.NONE)
        finally:
            self._idle.append(palette)

    def exchanged(self, tones: Mapping[Colour, Colour]) -> tuple[Colour, ...]:
        """The colours in the same order, with other flat ones for some, and so other blends."""
        return tuple(
            mix(tones.get(first, first), tones.get(second, second), share)
            for first, second, share in self._mixes
        )


def _blends(flat: Sequence[Colour], edges: Sequence[Colour]) -> Iterator[Mix]:
    for shares in ((0.5,), (0.25, 0.75)):
        for edge in edges:
            for tone in flat:
                if tone != edge:
                    yield from ((tone, edge, share) for share in shares)
