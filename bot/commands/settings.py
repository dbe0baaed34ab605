"""The settings, or one line on what is wrong with them."""

from __future__ import annotations

from bot.commands import CannotRun
from bot.config import Settings, UnusableSettings, read_settings


def settings_or_reason() -> Settings:
    """What is set. Raises CannotRun."""
    try:
        return read_settings()
    except UnusableSettings as error:
        raise CannotRun(f"A setting cannot be used: {error} (see .env.example)") from error
