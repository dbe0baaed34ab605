"""Signs of pieces for texts, and looks of sides."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image

from bot.game.sides import LETTERS
from bot.render.sides import DATA, SIDE_LOOKS, load, seat_names
from bot.render.signs import encode, seat_signs
from bot.titles import TITLES

MAX_BYTES = 256 * 1024
"""Discord's limit for an emoji."""


def test_every_sign_is_a_small_filled_square_and_different_from_the_others() -> None:
    pictures = {name: encode(draw()) for name, draw in TITLES.signs.items()}
    assert len(set(pictures.values())) == len(pictures)
    for name, picture in pictures.items():
        assert len(picture) < MAX_BYTES, name
        image = Image.open(io.BytesIO(picture))
        assert (image.mode, image.width) == ("RGBA", image.height), name
        left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
        assert max(right - left, bottom - top) > 0.9 * image.width, name


def test_a_sign_has_a_light_rim_and_a_dark_edge() -> None:
    image = Image.open(io.BytesIO(encode(seat_signs()["side_1"]())))
    across = [image.getpixel((x, image.height // 2)) for x in range(image.width // 4)]
    solid = [sum(pixel[:3]) / 3 for pixel in across if isinstance(pixel, tuple) and pixel[3] > 250]

    assert solid[0] > 200
    assert min(solid) < 60


def test_the_signs_of_a_title_are_named_after_its_game() -> None:
    for title in TITLES.every:
        assert title.pictures.signs
        for name in title.pictures.signs:
            assert re.fullmatch(rf"{title.game.name}_[a-z0-9_]{{1,23}}", name), name
            # A hash of 9 characters is appended.
            assert len(name) + 9 <= 32


def test_sides_differ_in_letter_and_shape_and_none_may_be_missing(tmp_path: Path) -> None:
    for marks in ({look.letter for look in SIDE_LOOKS}, {look.shape for look in SIDE_LOOKS}):
        assert len(marks) == len(LETTERS)
    text = DATA.read_text(encoding="utf-8")
    path = tmp_path / "sides.toml"
    path.write_text(text[: text.rindex("[[sides]]")], encoding="utf-8")
    with pytest.raises(ValueError, match="letters are ABC, but texts use ABCD"):
        load(path)


def test_an_unprintable_name_is_replaced_by_the_letters_of_the_sides() -> None:
    names = seat_names(("Anna", "👑"), "Player", ((0,), (1, 3), ()))
    assert names == ("Anna", "Player B+D", "Player")
