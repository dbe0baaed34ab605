"""Colours, and the fixed palette that a picture is reduced to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import msgspec
from PIL import Image, ImageColor

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour as data files and Pillow both read it: ``#rrggbb``."""

Mix = tuple[Colour, Colour, float]
"""What `mix` takes."""

PALETTE_SIZE = 256


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """`share` of the second colour in the first, 0..1."""
    parts = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


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
        self._image = Image.new("P", (1, 1))
        self._image.putpalette([part for each in self.colours for part in ImageColor.getrgb(each)])

    def reduce(self, image: Image.Image) -> Image.Image:
        """The "RGB" image as a "P" image of this palette, each pixel by its nearest colour."""
        # Each call its own palette: Pillow looks colours up in a cache that belongs to it, and
        # does so without the interpreter's lock.
        return image.quantize(palette=self._image.copy(), dither=Image.Dither.NONE)

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
