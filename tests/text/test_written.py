"""What people write: shown as it is, and kept out of what is translated or formatted."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]
HEAD = """
from bot.text.words import Words, forms, msg
from bot.text.written import Written

def say(words: Words, typed: str, name: Written) -> str:
    return """


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ('words("{name} sits down.", name=name)', True),
        ('words(msg("{name} sits down."), name=name)', True),
        ('words.plural("{name}", "{name}", 2, name=name)', True),
        ('words.phrase(forms("one", "many"), 2, name=name)', True),
        ("words(typed)", False),
        ("words(name)", False),
        ('words("So: " + typed)', False),
        ('words(f"So: {typed}")', False),
        ('words("So: {}".format(name))', False),
        ('words.plural("one", typed, 2)', False),
        ("words.phrase(typed)", False),
        ('"So: " + name', False),
    ],
)
def test_only_messages_are_translated_and_formatted(
    tmp_path: Path, said: str, allowed: bool
) -> None:
    (tmp_path / "said.py").write_text(HEAD + said, encoding="utf-8")
    cache = tmp_path.parent / "mypy"

    config = ("--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(cache))
    told, trouble, status = api.run([*config, str(tmp_path / "said.py")])

    assert not trouble
    assert (status == 0) is allowed, told
