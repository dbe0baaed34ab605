"""For `bench` and `leaks`, until they leave this package."""

from __future__ import annotations

from bot.commands import CannotRun as BadArgument
from bot.tools.arguments import title_named as title_named

__all__ = ["BadArgument", "title_named"]
