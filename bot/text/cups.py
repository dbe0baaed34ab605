"""Texts for cups and leagues that depend on their settings."""

from __future__ import annotations

from bot.text.words import forms, msg

FORMATS = {
    "swiss": msg("Swiss: people with similar results play each other"),
    "group": msg("one group: everyone plays as many others as possible"),
    "final": msg("groups and a final"),
    "league": msg("a league: seasons, with promotion and relegation"),
}
FORMAT_RULES = {
    "swiss": forms(
        "Swiss: {count} round. You play people with similar results.",
        "Swiss: {count} rounds. You play people with similar results.",
    ),
    "group": forms(
        "One group: {count} round. You play as many different opponents as possible.",
        "One group: {count} rounds. You play as many different opponents as possible.",
    ),
    "final": forms(
        "Groups play {count} round. Then the best of each group play the final.",
        "Groups play {count} rounds. Then the best of each group play the final.",
    ),
    "league": forms(
        "A league: in a season of {weeks}, you play {count} game. Then the best of each tier moves "
        "up and the last moves down.",
        "A league: in a season of {weeks}, you play {count} games at the same time. Then the best "
        "of each tier moves up and the last moves down.",
    ),
}
"""The rules of each format, by the number of rounds or games."""
PACES = {
    "live": msg("15 minutes a turn"),
    "day": msg("1 day a turn"),
    "days": msg("3 days a turn"),
}
ABSENT = {
    "replace": msg("the first on the waiting list replaces them"),
    "drop": msg("a computer player plays on, and they're out of later rounds"),
}
ABSENT_RULES = {
    "replace": msg(
        "If you run out of time before your first move in a cup round, the first person on the "
        "waiting list takes your place. If there's no one, a computer player plays on and you're "
        "out of later rounds of the cup."
    ),
    "drop": msg(
        "If you run out of time before your first move in a cup round, a computer player plays on "
        "and you're out of later rounds of the cup."
    ),
}
"""What happens to people who don't show up."""
STATUSES = {
    "open": msg("sign-up open"),
    "playing": msg("being played"),
    "over": msg("over"),
    "cancelled": msg("cancelled"),
}
