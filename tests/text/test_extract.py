"""The template of the catalogues."""

from __future__ import annotations

from pathlib import Path

from bot.text import extract


def test_the_template_is_up_to_date() -> None:
    hint = "run `python -m bot.text.extract`"
    assert extract.TEMPLATE.read_bytes() == extract.template(), hint


def test_messages_of_code_and_rules_are_found(folder: Path) -> None:
    (folder / "bot").mkdir()
    (folder / "bot" / "some.py").write_text(
        'words("said at once")\nwords.plural("one", "many", 3)\nA = msg("in a table")\n'
        'B = forms("a ship", "ships")\nother("not a message")\n'
    )
    (folder / "data" / "game").mkdir(parents=True)
    (folder / "data" / "game" / "rules.toml").write_text('[a]\ntitle = "T"\ntext = "Long"\n')
    (folder / "data" / "game" / "first_turn.toml").write_text('[b]\ntopic = "a"\ntext = "Wise"\n')
    text = extract.template(folder).decode()
    of_code = ("said at once", "one", "many", "in a table", "a ship", "ships")
    for message in (*of_code, "T", "Long", "Wise"):
        assert f'"{message}"' in text
    assert "not a message" not in text


def test_the_template_is_the_same_each_time() -> None:
    assert extract.template() == extract.template()
