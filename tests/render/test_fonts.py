"""Printable characters and fitting text."""

from __future__ import annotations

from bot.game.kogge.data import CITY_NAMES
from bot.render.fonts import ELLIPSIS, Face, fit, printable, text_mask, width


def test_every_face_has_the_letters_of_all_languages() -> None:
    for face in Face:
        for text in (*CITY_NAMES, "perché, così, più, è, à", "0123456789"):
            assert printable(text, face) == text, face


def test_emoji_are_left_out_and_fancy_letters_made_plain() -> None:
    assert printable("🏴‍☠️ 𝓐𝓷𝓷𝓪  👑\n", Face.TEXT) == "Anna"
    assert printable("👑", Face.TEXT) == ""


def test_a_name_in_any_script_is_drawn_letter_by_letter() -> None:
    names = ["安娜", "アンナ", "안나", "อันนา", "محمد", "אנה", "अन्ना", "ანა", "Աննա", "አና"]
    for name in (*names, "Anna 漢字"):
        assert printable(name, Face.TEXT) == name
        shapes = {text_mask(sign, Face.TEXT, 34).mask.tobytes() for sign in name if sign.isalpha()}
        assert len(shapes) == len({sign for sign in name if sign.isalpha()}), name
        assert width(name, 34) == sum(width(sign, 34) for sign in name), name


def test_a_right_to_left_name_begins_on_the_right() -> None:
    name, first = text_mask("אנה", Face.TEXT, 32), text_mask("א", Face.TEXT, 32)
    right = name.mask.width
    end = name.mask.crop((right - first.mask.width, 0, right, name.mask.height))
    assert end.getbbox() is not None
    assert end.crop((0, first.top - name.top, *end.size)).tobytes().startswith(first.mask.tobytes())


def test_only_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert fit("Anna", 34, 200) == "Anna"
    cut = fit("Maximiliane von Hohenschwangau", 34, 200)
    assert cut.startswith("Maxi")
    assert cut.endswith(ELLIPSIS)
    assert width(cut, 34) <= 200
    assert fit("Anna", 34, 1) == ELLIPSIS
