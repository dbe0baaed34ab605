"""Words around a game: rematches, notes, a table's options, game files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text import terms
from bot.text.contract import AnyGameText
from bot.text.markup import bold
from bot.text.user_text import Name, Written
from bot.text.words import Words, msg

# Rematches
REMATCH = msg("Rematch")
REMATCH_OPENED = msg("Table {table} is open for the rematch. The others are invited.")
REMATCH_THERE = msg("There is a rematch already: table {table}, in {place}.")
REMATCH_OF = msg("🔁 A rematch of table {table}, {place}.")
REMATCH_IS = msg("🔁 The rematch is table {table}, {place}.")
INVITED = msg("🔁 {name} wants a rematch. Table {table} waits in {place} for {others}.")
INVITED_ALL = msg("🔁 {name} wants a rematch. Table {table} waits in {place}.")

# Notes
MY_NOTES = msg("My notes")
NOTES = msg("📝 **Your notes**, for you alone")
NO_NOTES = msg("You have noted nothing at this table.")
NOTES_TITLE = msg("Your notes · table {table}")
NOTES_LABEL = msg("Nobody else can read them")
NOTES_HINT = msg("What you want to remember")
NO_FORM = msg("The form could not be opened in time. `/table note` also takes a line to add.")

# Options
RULES_VERSION = msg("Rules version {version}. Print of the key behind every draw: `{hash}`")

# Files
IMPORTED = msg(
    "📥 This game was played elsewhere and came in a file. Whoever has the file knows all that "
    "was secret in it. From now on every draw follows from a new key. Its print: `{hash}`"
)
BROUGHT_OVER = msg("Table {table}: a game of {game} that is over. The final board follows here.")
BROUGHT = msg(
    "Table {table}: the game of {game}, as it stood. It rests: everybody takes over the seat that "
    "was theirs, by its button, and then you press **Go on**. Seats that nobody takes are played "
    "by computer players."
)
REPORTED = msg(
    "What happened at table {table}, without names, times, keys or anything that is hidden, for "
    "whoever looks after this bot. Add in your own words what went wrong."
)


def options(
    words: Words,
    text: AnyGameText,
    chosen: Mapping[str, str],
    agreed: Mapping[str, str],
    *,
    version: int,
    key_hash: str,
) -> list[str]:
    """All options of a table, those of its game and its own, a line each; and its other terms.
    Markdown."""
    lines = [
        f"- {text.option(words, name)}: {bold(text.option_value(words, name, value))}"
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
