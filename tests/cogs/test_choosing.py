"""What is offered while a command is being typed."""

from __future__ import annotations

from bot.cogs.ui.autocomplete import matching


def test_a_word_that_discord_would_not_take_is_not_offered() -> None:
    """One choice of more than 100 characters would take all the others with it."""
    offered = matching([("o", "1 ore"), ("o" * 101, "101 ore"), ("o" * 100, "100 ore")], "ore")
    assert [choice.name for choice in offered] == ["1 ore", "100 ore"]
