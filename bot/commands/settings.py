"""The settings, or one line on what is wrong with them."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.commands import CannotRun
from bot.config import Settings, UnusableSetting
from bot.store import BadAddress


def settings_or_reason() -> Settings:
    """What is set. Raises CannotRun."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = ", ".join(map(_said_of, error.errors()))
        raise CannotRun(f"A setting cannot be used: {wrong} (see .env.example)") from error


def _said_of(wrong: ErrorDetails) -> str:
    name = str(wrong["loc"][0]).upper()
    reason = wrong.get("ctx", {}).get("error")
    # What pydantic says may quote the value, which may hold a password.
    return f"{name}, {reason}" if isinstance(reason, BadAddress | UnusableSetting) else name
