"""The colours of data/palettes.toml: by what they are for, and others for colour-blind and weak
eyes.

Every picture is reduced to a fixed palette, so it is drawn once, and gets other colours by getting
another palette: each flat colour is exchanged, and every blend is blended anew.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import read
from bot.render import png
from bot.render.theme import Colour, DimmedPalette, Palette, rgb
from bot.resources import Traversable, data

DATA = data("palettes.toml")
STANDARD = "standard"
_SHARED = "shared"

Tones = Mapping[str, Mapping[Colour, Colour]]
"""By the name of a palette: what it exchanges."""


class Colours(dict[str, Colour]):
    """Colours by what they are for, which are attributes too: ``COLOURS.ink``."""

    def __getattr__(self, name: str) -> Colour:
        if name in self:
            return self[name]
        raise AttributeError(f"there is no colour {name!r}, only {', '.join(self)}")


def load(path: Traversable = DATA) -> dict[str, dict[str, dict[str, Colour]]]:
    """By game and by the name of a palette. Raises msgspec.ValidationError for a bad colour."""
    return read(path, dict[str, dict[str, dict[str, Colour]]])


_FILE = load()
NAMES = tuple(_FILE[_SHARED])
"""The names of all palettes, the default first."""


def colours(game: str = _SHARED) -> Colours:
    """Those of a game's pictures, or those that all pictures share."""
    return Colours(_FILE[game][STANDARD])


class Recolouring:
    """The palette of a kind of picture, and what every other palette makes of it.

    Beside the shared colours it exchanges those of a game. Raises ValueError for one of these that
    its pictures do not have.
    """

    def __init__(self, palette: Palette, game: str = "") -> None:
        self._palette = palette
        self._made: dict[tuple[str, bytes], bytes] = {}
        own = {name: each for name, each in _FILE.get(game, {}).items() if name != STANDARD}
        for name, exchanged in own.items():
            if unknown := exchanged.keys() - set(palette.colours):
                raise ValueError(f"{game}.{name} exchanges {unknown}, which is in no picture")
        self.tones: Tones = {
            name: {**_FILE[_SHARED][name], **own.get(name, {})} for name in NAMES[1:]
        }

    def of(self, picture: bytes, name: str) -> bytes:
        """A picture drawn in the default colours, recoloured with the named palette.

        An unknown palette, such as one since removed, keeps the default colours. Raises ValueError
        for a picture of another kind.
        """
        if name not in self.tones:
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
