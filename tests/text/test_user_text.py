"""User-written text is escaped, and is never translated or used as a template."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import category, normalize

from hypothesis import given
from hypothesis import strategies as st
from mypy import api

from bot.text.user_text import Written, plain, shown_names
from bot.text.words import words_for
from tests.effects import as_seen, effects

EN = words_for("en")

ROOT = Path(__file__).parents[2]
HEAD = """
from bot.text.words import Words, forms, msg
from bot.text.user_text import Written

def say(words: Words, typed: str, name: Written) -> str:
    return """


ALLOWED = (
    'words("{name} sits down.", name=name)',
    'words(msg("{name} sits down."), name=name)',
    'words.plural("{name}", "{name}", 2, name=name)',
    'words.phrase(forms("one", "many"), 2, name=name)',
)
REFUSED = (
    *("words(typed)", "words(name)", 'words("So: " + typed)', 'words(f"So: {typed}")'),
    *('words("So: {}".format(name))', 'words.plural("one", typed, 2)', "words.phrase(typed)"),
    '"So: " + name',
)


def test_only_messages_are_translated_and_formatted(tmp_path: Path) -> None:
    for number, expression in enumerate((*ALLOWED, *REFUSED)):
        (tmp_path / f"case{number}.py").write_text(HEAD + expression, encoding="utf-8")
    cache = tmp_path.parent / "mypy"

    config = ("--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache))
    report, errors, _ = api.run([*config, *map(str, tmp_path.glob("case*.py"))])

    assert not errors
    refused = {int(number) for number in re.findall(r"case(\d+)\.py:\d+: error", report)}
    assert refused == {*range(len(ALLOWED), len(ALLOWED) + len(REFUSED))}, report


HOSTILE = (
    *("<@", "<@!", "<@&", "<#", "</rules:", "<t:", "<:a:", "<a:b:", "<id:guide>", "1234567890>"),
    *("@everyone", "@here", "https://", "http://evil.example/x", "discord.gg/a", "www.", "x://y"),
    *("[text](https://evil.example)", ":smile:", "\\", "**", "__", "_", "*", "~~", "||", "`"),
    *("```", "# ", "## ", "-# ", "> ", ">>> ", "- ", "+ ", "* ", "1. ", "2) ", "\n", "\r\n"),
    *("\t", " ", "\u2028", "\x00", "\x1b[31m", "\u202e", "\u2066", "\u200b", "\u200d"),
    *("\ufe0f", "\u3164", "\U000e0041", "\u0301" * 9, "a\u0489", "\u115f", "\u00ad"),
    *("{", "{a}", "%s", "Anna", "ü", "👩‍🚀"),
)
texts = st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=5)), max_size=8).map("".join)


@given(texts)
def test_written_text_has_no_effect_and_is_shown_unchanged(text: str) -> None:
    written = Written(text)

    assert effects(written.markdown) == []
    assert effects(written.lines) == []
    assert effects(f"**{written}** sits down.").count("markup: *") == 4
    assert as_seen(written.markdown) == written.plain.replace("\u200b", "")


@given(texts)
def test_plain_text_is_one_line_of_visible_characters(text: str) -> None:
    plain = Written(text).plain

    assert plain == " ".join(plain.split())
    assert Written(plain).plain == plain
    kinds = {category(sign) for sign in plain} - {"Cn"}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or "\u200d" in plain
    assert not set(plain) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200b\u2060\ufeff")
    assert re.search("(?:[\u0300-\u036f]){3}", plain) is None


@given(texts, st.integers(2, 40))
def test_a_text_is_cut_by_its_visible_characters(text: str, limit: int) -> None:
    written = Written(text)
    cut = written.clipped(limit)

    assert len([sign for sign in cut.plain if category(sign) not in ("Mn", "Me")]) <= limit
    assert cut == written or cut.plain == written.plain or cut.plain.endswith("…")


@given(
    st.lists(
        st.one_of(texts, st.sampled_from(["Anna", "anna", "Аnnа", "Anna (B)", ""])), max_size=6
    )
)
def test_all_players_have_different_visible_names(names: list[str]) -> None:
    shown = [name.plain for name in shown_names(EN, names)]

    assert all(shown)
    assert len({normalize("NFKC", name).casefold() for name in shown}) == len(names)


def test_more_people_may_look_alike_than_there_are_letters() -> None:
    shown = shown_names(EN, ["Anna"] * 64)
    assert len({name.plain for name in shown}) == 64


def test_names_that_look_alike_get_the_letters_of_their_seats() -> None:
    called = shown_names(EN, ["Anna", "Bert", "Аnnа", "\u200b\u3164", "x" * 40])

    assert plain(called) == ("Anna (A)", "Bert", "Аnnа (C)", "Player 4", "x" * 31 + "…")


def test_too_many_marks_are_not_normalized() -> None:
    # Normalization takes quadratic time.
    above, below = "\u0315", "\u0323"

    assert Written(f"a{above}{below}").plain == f"ạ{above}"
    assert Written(f"a{above * 1000}{below}").plain == f"a{above * 2}"


def test_an_emoji_of_several_parts_is_not_changed() -> None:
    assert Written("👩‍🚀 ❤️ 🏳️‍🌈").plain == "👩‍🚀 ❤️ 🏳️‍🌈"


def test_an_ordinary_name_is_not_changed() -> None:
    for name in ("Jean-Luc", "Zoë O'Neill", "Nguyễn Văn", "שָׁלוֹם", "안나", "Müller & Co", "+5"):
        assert Written(name).plain == normalize("NFC", name)
    assert str(Written("Jean-Luc O'Neill, 5")) == "Jean-Luc O'Neill, 5"
