"""Text: what can be drawn, and what fits."""

from __future__ import annotations

import pytest

from bot.game.kogge.data import CITY_NAMES
from bot.render.fonts import ELLIPSIS, Face, fit, printable, width


@pytest.mark.parametrize("face", Face)
@pytest.mark.parametrize("text", [*CITY_NAMES, "perché, così, più, è, à", "0123456789"])
def test_both_faces_have_the_letters_of_the_languages_spoken(face: Face, text: str) -> None:
    assert printable(text, face) == text


def test_emoji_and_foreign_scripts_are_left_out_and_fancy_letters_made_plain() -> None:
    assert printable("🏴‍☠️ 𝓐𝓷𝓷𝓪  漢字\n", Face.TEXT) == "Anna"
    assert printable("漢字", Face.TEXT) == ""


def test_a_short_text_stays_and_a_long_one_ends_in_an_ellipsis() -> None:
    assert fit("Anna", 34, 200) == "Anna"
    cut = fit("Maximiliane von Hohenschwangau", 34, 200)
    assert cut.startswith("Maxi")
    assert cut.endswith(ELLIPSIS)
    assert width(cut, 34) <= 200


def test_where_nothing_fits_the_ellipsis_is_left() -> None:
    assert fit("Anna", 34, 1) == ELLIPSIS
