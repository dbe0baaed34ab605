"""Translations are complete and short enough, and their commands follow Discord's rules.

Each language is one file, so these tests also apply to new languages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from msgspec.structs import replace

from bot.game.contract import Move
from bot.resources import CHECKOUT
from bot.text import commands
from bot.text.commands import (
    CHOICES,
    COMMANDS,
    CommandText,
    GameCommands,
    OptionText,
    game_commands,
)
from bot.text.words import Message as Msg
from bot.text.words import NameContext, Words, all_words, placeholders, words_for
from bot.titles import TITLES
from tools import extract


def by_path(game: GameCommands) -> dict[str, CommandText]:
    """Return a game's commands like `COMMANDS`: ``kogge``, ``kogge deal``, ``kogge offer``."""
    root = game.whole.name
    found = {root: game.whole}
    for name, text in {**game.groups, **game.moves}.items():
        found[f"{root} {name}"] = replace(text, group=text.group and f"{root} {text.group}")
    return found


EVERY_COMMAND: Mapping[str, CommandText] = {
    **COMMANDS,
    **{path: text for title in TITLES.values() for path, text in by_path(title.commands).items()},
}
LANGUAGES = sorted(extract.TEMPLATE.parent.glob("*.po"))
EN = words_for("en")
NAME = re.compile(r"[-_\w]{1,32}")
MARKS = ("**", "`", "\n\n", "\n- ", "…", "{")
"""Marks that a translation has as often as its English."""

language = pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)


@cache
def carried(path: Path) -> bytes:
    """Return the catalogue of a language, merged with the current template."""
    return extract.merged(path.read_bytes(), extract.TEMPLATE.read_bytes())


@cache
def messages(path: Path) -> tuple[Message, ...]:
    return tuple(message for message in read_po(BytesIO(carried(path))) if message.id)


def pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield English texts with their translations, and plural forms with the English plural."""
    for message in messages(path):
        if isinstance(message.id, str):
            yield message.id, str(message.string)
        else:
            for translation in message.string or ():
                yield message.id[1], translation


@language
def test_every_message_is_translated(path: Path) -> None:
    missing = extract.missing(carried(path))
    hint = f"python -m tools.extract --missing {path.stem}"
    assert [message.id for message in missing] == [], hint


@language
def test_every_translation_has_the_placeholders_of_its_english(path: Path) -> None:
    for message in messages(path):
        if isinstance(message.id, str):
            translation = str(message.string or message.id)
            assert placeholders(translation) == placeholders(message.id), message.id
            continue
        one, many = map(placeholders, message.id)
        for translation in message.string or ():
            if translation:
                # A form may say "one" or "a single" instead of the number.
                assert (one & many) - {"count"} <= placeholders(translation) <= one | many, (
                    message.id
                )


@language
def test_translations_keep_the_shape_of_the_english(path: Path) -> None:
    for english, translation in pairs(path):
        if not translation:
            continue
        for mark in MARKS:
            assert translation.count(mark) == english.count(mark) or mark == "{", (
                mark,
                translation,
            )
        assert translation.startswith("-# ") == english.startswith("-# ")
        assert (
            translation[: len(translation) - len(translation.lstrip())]
            == english[: len(english) - len(english.lstrip())]
        )
        assert translation == translation.rstrip()
        # Buttons, menus and pictures have room for this.
        assert len(translation) <= max(1.7 * len(english), len(english) + 22), translation


SPAN = re.compile(
    r"\b(since|until|till|by|from|da|dal|dalle|a|al|alle|entro) \{(relative|when)\}"
    r"|\b(for|per|il) \{relative\}"
)
"""Prepositions that cannot come before a relative time ("3 days ago", "in 5 hours")."""


@language
def test_a_relative_time_is_a_phrase_without_a_preposition(path: Path) -> None:
    relative = [each for each in pairs(path) if {"relative", "when"} & placeholders(each[0])]
    assert len(relative) > 10
    assert not [
        translation for both in relative for translation in both if SPAN.search(translation)
    ]
    files = [
        source.name
        for source in (CHECKOUT / "bot").rglob("*.py")
        if re.search(r':R>|format_dt\([^)]*"R"', source.read_text("utf-8"))
    ]
    assert files == ["markup.py"], "use `moment` for relative times"


BROKEN = re.compile(
    # "a Anna", "e Elena"; "dal 8 dicembre", "fino al tra 5 ore"
    r"\b(?:[Aa] [AÅ]|[Ee] E)|\b(?:il|al?|dal?|del?|nel|dopo) (?:tra\b|8|11|1 d)"
)
WHEN = {"day", "first", "last", "until", "at", "when", "relative", "date"}
MOMENTS = ("1 dicembre", "8 dicembre", "11 dicembre", "tra 5 ore")


@pytest.mark.parametrize("name", ["Anna", "Elena", "Åbo"])
def test_italian_has_the_right_articles_before_names_dates_and_times(name: str) -> None:
    italian, asked = words_for("it"), 0
    for message in messages(extract.TEMPLATE.parent / "it.po"):
        english = (message.id,) if isinstance(message.id, str) else message.id
        facts = set().union(*map(placeholders, english))
        for moment in MOMENTS if facts & WHEN else MOMENTS[:1] if facts else ():
            asked += 1
            filled = {fact: moment if fact in WHEN else name for fact in facts}
            for count in (1, 2):
                if len(english) == 1:
                    translation = italian(Msg(english[0]), **filled)
                else:
                    translation = italian.plural(Msg(english[0]), Msg(english[1]), count, **filled)
                assert BROKEN.search(translation) is None, translation
    assert asked > 1000


def known(path: Path, place: re.Pattern[str]) -> set[str]:
    """Return the messages without a plural in some files."""
    return {
        message.id
        for message in messages(path)
        if isinstance(message.id, str) and any(place.match(file) for file, _ in message.locations)
    }


@language
def test_messages_name_buttons_and_chapters_by_their_translations(path: Path) -> None:
    words = words_for(path.stem)
    buttons, chapters = re.compile(r"bot/text/\w+\.py"), re.compile(r"data/\w+/rules\.toml")
    for mark, place in (("**", buttons), ("*", chapters)):
        names = known(path, place)
        marked = re.compile(rf"(?<!\*){re.escape(mark)}([^*]+?){re.escape(mark)}(?!\*)")
        uses = [
            (translation, name)
            for english, translation in pairs(path)
            for name in marked.findall(english)
        ]
        uses = [(translation, name) for translation, name in uses if translation and name in names]
        assert uses
        for translation, name in uses:
            assert f"{mark}{words(name)}{mark}" in translation, (name, translation)


def spoken(words: Words, path: str) -> str:
    """Return a command as typed: ``/game new``."""
    text, root = EVERY_COMMAND[path], EVERY_COMMAND[path.partition(" ")[0]]
    parts = [
        root,
        *([EVERY_COMMAND[text.group]] if text.group else []),
        *([text] if text != root else []),
    ]
    return "/" + " ".join(words.name(NameContext.COMMAND, part.name) for part in parts)


def named(words: Words, text: str) -> Counter[str]:
    """Count the commands that a text names, by path."""
    found: Counter[str] = Counter()
    for path in sorted(EVERY_COMMAND, key=lambda path: len(spoken(words, path)), reverse=True):
        command = re.compile(rf"(?<![\w/]){re.escape(spoken(words, path))}(?![\w-])")
        text, times = command.subn("", text)
        found[path] += times
    left = re.search(r"`/\w[^`]*`", text)
    assert left is None, left
    return +found


@language
def test_messages_name_commands_by_their_translations(path: Path) -> None:
    words = words_for(path.stem)
    texts = [
        (english, translation)
        for english, translation in pairs(path)
        if "/" in english and translation
    ]
    assert any(named(EN, english) for english, _ in texts)
    for english, translation in texts:
        assert named(words, translation) == named(EN, english), translation


def test_commands_and_options_follow_the_rules_of_discord() -> None:
    for words in (Words(), *all_words()):
        siblings: dict[str, list[str]] = {}
        for path, text in EVERY_COMMAND.items():
            name = words.name(NameContext.COMMAND, text.name)
            siblings.setdefault(text.group or " ".join(path.split()[:-1]), []).append(name)
            options = [words.name(NameContext.OPTION, each.name) for each in text.options.values()]
            assert len(set(options)) == len(options) <= 25, path
            for called in (name, *options):
                assert NAME.fullmatch(called), called
                assert called == called.lower()
            described: list[CommandText | OptionText] = [text, *text.options.values()]
            for each in described:
                assert 1 <= len(words(each.description)) <= 100, words(each.description)
            # Discord limits the sum for a command.
            assert sum(len(each.name) + len(words(each.description)) for each in described) < 4000
        for group, names in siblings.items():
            assert len(set(names)) == len(names) <= (25 if group else 100), sorted(names)
    assert set(CHOICES) <= {name for command in COMMANDS.values() for name in command.options}


RAID: Any = SimpleNamespace(name="game", moves={"raid_ship": Move("raid_ship", ("seat",), "raid")})
OF_ALL = 'description = "Moves"\n[options]\nseat = { name = "player", description = "Who" }\n'
OF_RAID = '[moves.raid_ship]\nname = "raid"\ndescription = "Raid a ship"\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file for the commands of `RAID`."""
    monkeypatch.setattr(commands, "data", lambda *names: tmp_path.joinpath(*names))
    (tmp_path / "game").mkdir()
    return tmp_path / "game" / "commands.toml"


def test_moves_share_an_option_unless_they_have_their_own(file: Path) -> None:
    file.write_text(OF_ALL + OF_RAID)
    shared = game_commands(RAID).moves["raid_ship"]
    assert (shared.name, shared.description) == ("raid", "Raid a ship")
    assert shared.options == {"seat": OptionText(Msg("Who"), "player")}
    file.write_text(
        OF_ALL + OF_RAID + 'options.seat = { description = "Whose", optional = true }\n'
    )
    own = game_commands(RAID).moves["raid_ship"]
    assert own.options == {"seat": OptionText(Msg("Whose"), "seat", optional=True)}


def test_options_that_do_not_match_the_parameters_are_refused(file: Path) -> None:
    file.write_text(OF_ALL + OF_RAID + 'options.ship = { description = "Which" }\n')
    with pytest.raises(ValueError, match="seat"):
        game_commands(RAID)
    file.write_text('description = "Moves"\n[options]\n' + OF_RAID)
    with pytest.raises(KeyError, match="seat"):
        game_commands(RAID)
