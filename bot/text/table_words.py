"""Words around a game: rematches, notes, a table's options, game files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text import terms
from bot.text.game_words import AnyGameWords
from bot.text.markup import bold
from bot.text.user_text import Name, Written
from bot.text.words import Words, msg

# Rematches
REMATCH = msg("Rematch")
REMATCH_OPENED = msg("Table {table} is open for the rematch. I've invited the others.")
REMATCH_THERE = msg("There's already a rematch: table {table}, in {place}.")
REMATCH_OF = msg("🔁 This is a rematch of table {table}, {place}.")
REMATCH_IS = msg("🔁 The rematch is at table {table}, {place}.")
INVITED = msg("🔁 {name} wants a rematch. Table {table} in {place} is waiting for {others}.")
INVITED_ALL = msg("🔁 {name} wants a rematch. Table {table} is open in {place}.")

# Notes
MY_NOTES = msg("My notes")
NOTES = msg("📝 **Your notes** – only you can see them")
NO_NOTES = msg("You have no notes at this table.")
NOTES_TITLE = msg("Your notes · table {table}")
NOTES_LABEL = msg("Only you can read them")
NOTES_HINT = msg("Anything you want to remember")
NO_FORM = msg("The form didn't open in time. You can also add a line with `/table note`.")

# Options
RULES_VERSION = msg("Rules version {version}. Fairness check (hash): `{hash}`")

# Files
IMPORTED = msg(
    "📥 This game was imported from a file. Anyone with the file knows all its secrets up to "
    "now. From now on, draws use a new key. Fairness check (hash): `{hash}`"
)
BROUGHT_OVER = msg("Table {table}: a finished game of {game}. Here is the final board.")
BROUGHT = msg(
    "Table {table}: {game}, continued from a file and paused. Everyone takes back their "
    "seat with its button, then you press **Resume**. Computer players play the other seats."
)
REPORTED = msg(
    "What happened at table {table}, for whoever runs this bot. It contains no names, "
    "times, keys or hidden information. Please add what went wrong in your own words."
)


def options(
    text: AnyGameWords,
    chosen: Mapping[str, str],
    agreed: Mapping[str, str],
    *,
    version: int,
    key_hash: str,
) -> list[str]:
    """All options of a table, those of its game and its own, a line each; and its other terms.
    Markdown."""
    words = text.words
    lines = [
        f"- {text.option(name)}: {bold(text.option_value(name, value))}"
        for name, value in chosen.items()
    ]
    lines.append(f"- {terms.summary(words, agreed)}")
    lines.append(f"-# {words(RULES_VERSION, version=version, hash=key_hash)}")
    return lines


def noted(words: Words, text: str) -> str:
    """Somebody's notes as a quotation below their title."""
    lines = Written(text).lines.splitlines()
    return "\n".join([words(NOTES), *(f"> {line}" for line in lines)])


def invited(words: Words, name: Name, table: int, place: str, others: Sequence[str]) -> str:
    """Who wants a rematch, and who is invited; as mentions, or names."""
    if not others:
        return words(INVITED_ALL, name=bold(name), table=table, place=place)
    return words(INVITED, name=bold(name), table=table, place=place, others=words.listing(others))
