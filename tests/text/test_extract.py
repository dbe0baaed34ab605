"""The template of the catalogues."""

from __future__ import annotations

import ast
from difflib import unified_diff
from io import BytesIO
from pathlib import Path

from babel.messages.pofile import read_po

from bot.resources import CHECKOUT
from bot.text.words import NameContext
from tools import extract


def test_the_template_is_up_to_date() -> None:
    hint = "run `python -m tools.extract`"
    stored, new = extract.TEMPLATE.read_bytes(), extract.template()
    # pytest would need a quarter of an hour to compare files of this size.
    before, after = (each.decode().splitlines(keepends=True) for each in (stored, new))
    assert list(unified_diff(before, after)) == [], hint


def test_messages_in_code_and_data_are_found_and_names_have_contexts(
    tmp_path: Path,
) -> None:
    game = tmp_path / "data" / "game"
    for folder in (tmp_path / "bot", game / "words"):
        folder.mkdir(parents=True)
    (tmp_path / "bot" / "some.py").write_text(
        'words("said at once")\nwords.plural("one", "many", 3)\nA = msg("in a table")\n'
        'B = forms("a ship", "ships")\nother("not a message")\n'
    )
    (game / "rules.toml").write_text('[a]\ntitle = "T"\ntext = "Long"\n')
    (game / "first_turn.toml").write_text('[b]\ntopic = "a"\ntext = "Wise"\n')
    (game / "names.toml").write_text('[tiles]\nmine = "Mine"\ncow = ["a cow", "cows"]\n')
    (game / "words" / "raid.toml").write_text(
        '[moves.raid]\ntext = "Raid"\nemoji = "x"\ndoing = "raid a ship"\nstyle = "danger"\n'
        'asks.seat = "Whom?"\nphrases = ["Raid {seat}"]\nphrases_with.any = ["Raid anybody"]\n'
        '[questions.raid]\nto_act = "{seat} to raid"\ncalled = "{seats}, raid"\n'
        '[refusals]\nlate = ["A day", "Days"]\n'
    )
    (tmp_path / "data" / "commands.toml").write_text(
        '[options]\noffer = { description = "Which" }\n[commands."game offer"]\n'
        'description = "Offer"\noptions.to = { name = "player", description = "To whom" }\n'
        "options.offer = {}\n"
    )
    (render := tmp_path / "bot" / "render").mkdir()
    (render / "bar.py").write_text('say("The end")\nlabel("Round")\nmsg("a sentence")\n')
    (game / "commands.toml").write_text(
        'description = "Moves"\n[options]\ndie = { description = "Which die" }\n'
        '[groups]\ndeal = "Deals"\n[moves.buy_raid]\nname = "raid"\ndescription = "Buy"\n'
        'options.seat = { name = "whom", description = "Of whom" }\n'
    )
    text = extract.template(tmp_path).decode()
    of_code = ("said at once", "one", "many", "in a table", "a ship", "ships")
    of_data = ("T", "Long", "Wise", "Mine", "a cow", "cows", "A day", "Days", "Raid", "Whom?")
    of_moves = ("raid a ship", "Raid {seat}", "Raid anybody", "{seat} to raid", "{seats}, raid")
    for message in (*of_code, *of_data, *of_moves):
        assert f'"{message}"' in text
    for other in ('"danger"', "not a message", "a sentence"):
        assert other not in text
    for context, names in (
        ("command", ("game", "deal", "raid", "offer")),
        ("option", ("die", "whom", "player", "offer")),
        ("picture", ("The end", "Round")),
    ):
        for name in names:
            assert f'msgctxt "{context}"\nmsgid "{name}"\n' in text
    for message in ("Moves", "Deals", "Buy", "Which die", "Of whom", "Offer", "Which", "To whom"):
        assert f'\nmsgid "{message}"\n' in text


def test_no_message_in_the_code_is_missed() -> None:
    # A message within the braces of an f-string would be.
    catalogue = read_po(BytesIO(extract.TEMPLATE.read_bytes()))
    ids = [message.id for message in catalogue]
    known = {text for each in ids for text in ([each] if isinstance(each, str) else each)}
    drawn = {message.id for message in catalogue if message.context == NameContext.PICTURE}
    for path in (CHECKOUT / "bot").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            called, argument = call.func, call.args[0]
            name = called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)
            if name in extract.KEYWORDS and isinstance(argument, ast.Constant):
                assert argument.value in known, (path, argument.value)
            if (
                name in ("say", "label")
                and "render" in path.parts
                and isinstance(argument, ast.Constant)
            ):
                assert argument.value in drawn, (path, argument.value)


OLD = (
    b'# A language.\nmsgid ""\nmsgstr ""\n"Plural-Forms: nplurals=3; plural=n;\\n"\n\n'
    b'msgid "Kept"\nmsgstr "Servatum"\n\nmsgid "Gone"\nmsgstr "Abiit"\n\n'
    b'msgctxt "command"\nmsgid "Kept"\nmsgstr "serva"\n'
)


def template_of(*messages: str) -> bytes:
    return b"\n".join(f'msgid "{each}"\nmsgstr ""\n'.encode() for each in messages)


def test_a_merged_language_keeps_its_translations_and_gets_new_messages() -> None:
    new = extract.merged(OLD, template_of("New", "Kept"))
    assert new.startswith(b"# A language.\n")
    assert b'msgid "Kept"\nmsgstr "Servatum"' in new
    assert [message.id for message in extract.missing(new)] == ["New"]


def test_a_message_that_comes_back_keeps_its_translation() -> None:
    without = extract.merged(OLD, template_of("Kept"))
    assert b'#~ msgid "Gone"' in without
    again = extract.merged(without, template_of("Kept", "Gone"))
    assert b'\nmsgid "Gone"\nmsgstr "Abiit"' in again
    assert extract.missing(again) == []


def test_a_language_has_its_own_number_of_plurals() -> None:
    plural = b'msgid "{count} ship"\nmsgid_plural "{count} ships"\nmsgstr[0] ""\n'
    assert extract.merged(OLD, plural).count(b"msgstr[") == 3
