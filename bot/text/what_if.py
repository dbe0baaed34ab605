"""What actions would change, in every game: gains are told before what they cost."""

from __future__ import annotations

from collections.abc import Iterable

from bot.text.game_words import Change


def gains_first(changes: Iterable[Change]) -> list[str]:
    """The lines, gains first and costs last, in their order otherwise."""
    ordered = sorted(changes, key=lambda each: (each.gain < 0) - (each.gain > 0))
    return [each.line for each in ordered]
