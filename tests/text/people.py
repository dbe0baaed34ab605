"""People for the texts of a game."""

from __future__ import annotations

from bot.text.user_text import Mention, Name, Written


def called(*names: str | int) -> tuple[Name, ...]:
    """Players by what they are called; a number is a mention of whoever has it."""
    return tuple(
        Mention(name, Written(f"user {name}")) if isinstance(name, int) else Written(name)
        for name in names
    )
