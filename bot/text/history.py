"""Words for the past of a game: its log, and its replay turn by turn."""

from __future__ import annotations

from bot.text.words import Words, forms, msg

# Buttons
REPLAY = msg("Replay")
OLDER = msg("Older")
NEWER = msg("Newer")
START = msg("To the start")
BACK = msg("Back")
ON = msg("Forward")
END = msg("To the end")
TO_ROUND = msg("Go to a round…")

SET_UP = msg("Set-up")
SEEN_BY_ALL = msg("As everyone saw it.")
SEEN_BY_YOU = msg("As you saw it then.")
LOG_TITLE = msg("{game} · table {table} · log")
TAKEN_BACK_NOTE = msg("Crossed-out moves were undone.")
ROUND = msg("Round {round}")
BEFORE = msg("Before round 1")
_PLACE = forms("turn {turn} of {count}", "turn {turn} of {count}")


def round_name(words: Words, number: int) -> str:
    """A round by its number; the time before the first has none. Plain."""
    return words(ROUND, round=number) if number else words(BEFORE)


def place(words: Words, turn: int, count: int) -> str:
    """Which turn of how many; the set-up is turn 0. Plain."""
    return words.phrase(_PLACE, count, turn=turn) if turn else words(SET_UP)
