"""Colours are distinguishable and writing is readable in every palette."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from io import BytesIO
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from PIL import Image, ImageColor

from bot.game.flandern.data import CHURCH, EMBLEM_KEYS
from bot.render import chart, palettes
from bot.render.burgundy import pieces as burgundy_pieces
from bot.render.flandern import pieces as flandern_pieces
from bot.render.guatemala import pieces as guatemala_pieces
from bot.render.guatemala.pieces import COFFEE, DRAWING_TONES
from bot.render.kogge import pieces as kogge_pieces
from bot.render.palettes import NAMES, STANDARD, Recolouring, load
from bot.render.sides import SIDE_LOOKS
from bot.render.sides import TONES as SEAT_TONES
from bot.render.theme import Colour
from bot.resources import CHECKOUT
from bot.titles import TITLES
from tests.render.pictured import unlit
from tests.render.titles import PICTURED

Linear = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009, for eyes without one kind of cone.
SIGHT: dict[str, tuple[Linear, Linear, Linear]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
MEANT_FOR = {
    STANDARD: ("full",),
    "red_green": ("full", "protanopia", "deuteranopia"),
    "blue_yellow": ("full", "tritanopia"),
    "contrast": ("full",),
}
MIN_DISTANCE = 20.0
"""Minimum distance of two colours in CIE Lab; 2.3 is just noticeable."""
LARGE, TEXT = 3.0, 4.5
"""Contrast ratios of the Web Content Accessibility Guidelines."""

KINDS = (*(title.pictures.colours for title in TITLES.every), chart.COLOURS)
TONES = {
    name: {before: after for kind in KINDS for before, after in kind.tones.get(name, {}).items()}
    for name in NAMES
}
B = burgundy_pieces.FILE
K_COLOURS, B_COLOURS = kogge_pieces.COLOURS, burgundy_pieces.COLOURS
G_COLOURS, F_COLOURS = guatemala_pieces.COLOURS, flandern_pieces.COLOURS
F_LOOKS, F_TONES = flandern_pieces.LOOKS, flandern_pieces.DRAWING_TONES
F_PLOTS = [F_TONES[each] for each in ("land", "slab", "earth")]
TOGETHER = {
    "seats": [look.fill for look in SIDE_LOOKS],
    "goods of Kogge": [good.fill for good in kogge_pieces.GOODS],
    "tiles": [look.fill for look in B.tiles.values()],
    "goods of Burgundy": [good.fill for good in B.goods],
    "coffees": [look.fill for look in COFFEE],
    "trims of coffees": [look.trim for look in COFFEE],
    "emblems": [look.fill for look in F_LOOKS],
    "plots": [*F_PLOTS, F_COLOURS.mark, F_COLOURS.gold],
    "cards": [*(look.fill for look in SIDE_LOOKS), F_TONES["bronze"], F_TONES["steel"]],
    **{
        f"{key} and plots": [look.fill, *F_PLOTS]
        for key, look in zip(EMBLEM_KEYS[:CHURCH], F_LOOKS, strict=False)
    },
    **{
        f"roofs of {key}": [look.fill, flandern_pieces.FILE.emblems[key].tiles]
        for key, look in zip(EMBLEM_KEYS, F_LOOKS, strict=True)
    },
    "spaces and marks": [
        DRAWING_TONES["yard"],
        DRAWING_TONES["lit"],
        G_COLOURS.mark,
        G_COLOURS.gold,
    ],
}


def linear(colour: Colour) -> Linear:
    """Return red, green and blue in linear light."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in ImageColor.getrgb(colour)[:3])
    )
    return red, green, blue


def luminance(light: Linear) -> float:
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def ratio(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, bright = sorted((luminance(linear(one)), luminance(linear(other))))
    return (bright + 0.05) / (dark + 0.05)


def lab(colour: Colour, sight: str) -> Linear:
    """Return a colour in CIE Lab as it is seen."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True))))
        for row in SIGHT[sight]
    )
    x, y, z = (
        each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116
        for each in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
            luminance((red, green, blue)),
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def toned(colours: Sequence[Colour], palette: str) -> list[Colour]:
    return [TONES[palette].get(each, each) for each in colours]


@pytest.mark.parametrize("palette", TONES)
def test_colours_look_different_to_the_users_of_a_palette(palette: str) -> None:
    alike = [
        (group, one, other, sight)
        for group, colours in TOGETHER.items()
        for one, other in combinations(toned(colours, palette), 2)
        for sight in MEANT_FOR[palette]
        if math.dist(lab(one, sight), lab(other, sight)) < MIN_DISTANCE
    ]
    assert alike == []


@pytest.mark.parametrize("palette", TONES)
def test_writing_is_readable_on_its_background(palette: str) -> None:
    large = [(seat.writing, seat.fill) for seat in SIDE_LOOKS]
    large += [(good.writing, good.fill) for good in kogge_pieces.GOODS]
    large += [(good.writing, good.fill) for good in B.goods]
    large += [(look.writing, look.fill) for look in COFFEE]
    large += [(B_COLOURS.dusk, B_COLOURS.bar), (K_COLOURS.lettering, K_COLOURS.bar)]
    large += [(G_COLOURS.dusk, G_COLOURS.bar), (G_COLOURS.soft, G_COLOURS.track)]
    large += [(look.writing, look.fill) for look in F_LOOKS]
    large += [(F_COLOURS.dusk, F_COLOURS.bar), (SEAT_TONES.gold, F_TONES["bronze"])]
    text = [(look.deep, look.pale) for look in B.tiles.values()]
    for colours in (K_COLOURS, B_COLOURS, G_COLOURS, F_COLOURS):
        text += [(dark, colours.paper) for dark in (colours.ink, colours.soft)]
        text += [(colours.soft, colours.shade), (colours.white, colours.fresh)]
        text += [(light, colours.bar) for light in (colours.cream, colours.gold)]
    text += [(game.white, game.mark) for game in (G_COLOURS, B_COLOURS, F_COLOURS)]
    text += [(SEAT_TONES.ink, SEAT_TONES.gold)]
    for pairs, minimum in ((large, LARGE), (text, TEXT)):
        for pair in pairs:
            assert ratio(*toned(pair, palette)) >= minimum, pair


def test_the_high_contrast_palette_has_more_contrast_than_the_default() -> None:
    pairs = [(look.deep, look.pale) for look in B.tiles.values()]
    pairs += [
        (colours.soft, colours.paper) for colours in (K_COLOURS, B_COLOURS, G_COLOURS, F_COLOURS)
    ]
    for pair in pairs:
        assert ratio(*toned(pair, "contrast")) >= max(7.0, ratio(*pair))


def test_recolouring_replaces_each_flat_colour() -> None:
    for game, palette in PALETTES.items():
        picture, colours = unlit(PICTURED[game], "middle_game"), TITLES[game].pictures.colours
        before, after = (
            Image.open(BytesIO(each)) for each in (picture, colours.of(picture, "red_green"))
        )
        assert before.tobytes() == after.tobytes()
        shown = after.getpalette() or []
        for place, colour in enumerate(palette.colours):
            if (replaced := TONES["red_green"].get(colour)) is not None:
                assert tuple(shown[3 * place : 3 * place + 3]) == ImageColor.getrgb(replaced), (
                    colour
                )
        assert colours.of(picture, STANDARD) == picture == colours.of(picture, "removed")
        with pytest.raises(ValueError, match="unknown palette"):
            chart.COLOURS.of(picture, "red_green")


def test_charts_and_close_ups_are_recoloured_too() -> None:
    course = chart.Course("Points", "Round", ("Anna", "Bert"), [(0, 3), (0, 1)], [0, 1])
    for colours, picture in (
        (chart.COLOURS, chart.draw(course)),
        (TITLES["burgundy"].pictures.colours, unlit(PICTURED["burgundy"], "middle_game", "1")),
    ):
        assert colours.of(picture, "contrast") != picture


def test_a_palette_only_exchanges_colours_of_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = {*chart.PALETTE.colours, *palettes.colours().values()}
    for colour in [each for name in NAMES[1:] for each in load()["shared"][name]]:
        assert colour in known, colour
    path = tmp_path / "palettes.toml"
    text = palettes.DATA.read_text(encoding="utf-8")
    path.write_text(f'{text}"#123456" = "#654321"\n', encoding="utf-8")
    monkeypatch.setattr(palettes, "_FILE", load(path))
    with pytest.raises(ValueError, match=r"#123456.*which is in no picture"):
        Recolouring(flandern_pieces.PALETTE, "flandern")
    path.write_text(text.replace("#b4d4d9", "blue"), encoding="utf-8")
    with pytest.raises(msgspec.ValidationError, match="regex"):
        load(path)


def test_every_colour_used_in_code_has_a_name_in_its_palette() -> None:
    for path in (CHECKOUT / "bot" / "render").rglob("*.py"):
        game = path.parent.name if path.parent.name in PALETTES else "shared"
        for name in re.findall(r"\b(?:COLOURS|TONES)\.(?!of\b)([a-z]+)\b(?!\()", path.read_text()):
            assert name in palettes.colours(game) or name in palettes.colours(), (path, name)


PALETTES = {
    "kogge": kogge_pieces.PALETTE,
    "burgundy": burgundy_pieces.PALETTE,
    "guatemala": guatemala_pieces.PALETTE,
    "flandern": flandern_pieces.PALETTE,
}
