"""Other colours for drawn pictures: for colour-blind and for weak eyes.

Every picture is reduced to a fixed palette, so it is drawn once, and gets other colours by getting
another palette: each flat colour is exchanged, and every blend is blended anew.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping

import msgspec

from bot.render import chart, png, ratings, sides
from bot.render.theme import Colour, DimmedPalette, Palette, rgb
from bot.resources import Traversable, data

DATA = data("palettes.toml")
STANDARD = "standard"

Tones = Mapping[str, Mapping[Colour, Colour]]
"""By the name of a palette: what it exchanges."""


def load(path: Traversable, known: Collection[Colour]) -> Tones:
    """The known colours that each palette replaces, by a file.

    Raises msgspec.ValidationError, or ValueError for an unknown colour.
    """
    text = path.read_text(encoding="utf-8")
    tones = msgspec.convert(tomllib.loads(text), dict[str, dict[Colour, Colour]])
    for name, exchanged in tones.items():
        for colour in exchanged:
            if colour not in known:
                raise ValueError(f"{path}: {name} exchanges {colour}, which is in no picture")
    return tones


SHARED: Tones = load(DATA, {*chart.palette().colours, *ratings.palette().colours, *sides.COLOURS})
"""The colours any picture may have: the seats, their signs, and the lines of charts."""
NAMES = (STANDARD, *SHARED)
"""The names of all palettes, the default first."""


class Recolouring:
    """The palette of a kind of picture, and what every other palette makes of it.

    Beside the shared colours it exchanges those in a file of the kind's `own`.
    Raises ValueError for a colour there that its pictures do not have.
    """

    def __init__(self, palette: Palette, own: Traversable | None = None) -> None:
        self._palette = palette
        self._made: dict[tuple[str, bytes], bytes] = {}
        more = {} if own is None else load(own, palette.colours)
        self.tones: Tones = {name: {**SHARED.get(name, {}), **more.get(name, {})} for name in NAMES}

    def of(self, picture: bytes, name: str) -> bytes:
        """A picture drawn in the default colours, recoloured with the named palette.

        An unknown palette, such as one since removed, keeps the default colours. Raises ValueError
        for a picture of another kind.
        """
        if not self.tones.get(name):
            return picture
        standard = png.palette(picture)
        palettes: tuple[Palette | DimmedPalette, ...] = (self._palette, self._palette.dimmed)
        drawn = next((each for each in palettes if standard.startswith(each.rgb)), None)
        if drawn is None:
            raise ValueError("a picture has a palette that is not known")
        key = name, drawn.rgb
        if key not in self._made:
            self._made[key] = rgb(drawn.exchanged(self.tones[name]))
        fresh = self._made[key]
        return png.recoloured(picture, fresh + standard[len(fresh) :])


CHART = Recolouring(chart.palette())
RATINGS = Recolouring(ratings.palette())
