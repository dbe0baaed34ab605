"""Texts for cups and leagues that depend on their settings."""

from __future__ import annotations

from bot.text.words import forms, msg

FORMATS = {
    "swiss": msg("Swiss: people with similar results meet"),
    "group": msg("one group: everyone meets as many others as possible"),
    "final": msg("groups and a final"),
    "league": msg("a league: seasons, with promotion and relegation"),
}
FORMAT_RULES = {
    "swiss": forms(
        "Swiss: {count} round. You meet people with similar results.",
        "Swiss: {count} rounds. You meet people with similar results.",
    ),
    "group": forms(
        "One group: {count} round. You meet as many others as possible.",
        "One group: {count} rounds. You meet as many others as possible.",
    ),
    "final": forms(
        "Groups play {count} round. Then their winners play the final.",
        "Groups play {count} rounds. Then their winners play the final.",
    ),
    "league": forms(
        "A league: in a season of {weeks}, you play {count} game. Then the best of each tier moves "
        "up and the last moves down.",
        "A league: in a season of {weeks}, you play {count} games at the same time. Then the best "
        "of each tier moves up and the last moves down.",
    ),
}
"""The rules of each format, by the number of rounds or games."""
ABSENT = {
    "replace": msg("the first on the waiting list replaces them"),
    "drop": msg("they are out of later rounds"),
}
ABSENT_RULES = {
    "replace": msg(
        "If you run out of time before your first move in a round, the first person on the "
        "waiting list takes your place. If there's no one, a computer player plays on and you're "
        "out of later rounds."
    ),
    "drop": msg(
        "If you run out of time before your first move in a round, a computer player plays on and "
        "you're out of later rounds."
    ),
}
"""What happens to people who don't show up."""
STATUSES = {
    "open": msg("you can join"),
    "playing": msg("being played"),
    "over": msg("over"),
    "cancelled": msg("cancelled"),
}
