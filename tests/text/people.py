"""Players' names for tests."""

from __future__ import annotations

from bot.text.user_text import Mention, Name, Written


def called(*names: str | int) -> tuple[Name, ...]:
    """Return names for players; a number is a mention of that user."""
    return tuple(
        Mention(name, Written(f"user {name}")) if isinstance(name, int) else Written(name)
        for name in names
    )
