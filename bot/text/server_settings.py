"""A server's settings for its tables, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text.markup import bold
from bot.text.personal_settings import PALETTES
from bot.text.words import Message, Words, forms, msg

TITLE = msg("**Settings for this server's tables**")
CHANNELS = msg("Tables are opened in: {channels}")
EVERYWHERE = msg("in any channel")
MOST_TABLES = msg("Limit of open tables: {most}")
MOST_OWN = msg("Limit of open tables per person: {most}")
GAME = msg("Default game: {game}")
ANY_GAME = msg("not set")
OPTION = msg("New tables of {game}: {options}")
CLOSERS = msg("Ending a game unfinished: {who}")
WHO: Mapping[str, Message] = {
    "all": msg("all players together"),
    "host": msg("all players together, or the host alone"),
    "moderators": msg("all players together, or a moderator alone"),
}
LANGUAGE = msg("Language of public posts: {language}")
COLOURS = msg("Colours of public pictures: {palette}")
HOW = msg(
    "-# Change them with `/server set`, `/server channel` and `/server option`. Moderators "
    "are people who can manage messages. `/server forget` deletes everything."
)

CLOSE_ALONE = msg("End this game for everyone, unfinished? The others won't be asked.")
CLOSE = msg("End it")
VOTE = msg("Ask the others")

FORGET = msg(
    "Delete everything I store about this server? That is {tables} with all moves, notes "
    "and plans, all results and ratings, and the server's settings. {open} You can't undo "
    "this."
)
TABLES = forms("{count} table", "{count} tables")
OPEN = forms(
    "{count} table is still open and will close.", "{count} tables are still open and will close."
)
NONE_OPEN = msg("No tables are open.")
FORGETTING = msg(
    "I'm deleting everything about this server. It takes a few minutes at most, and tables "
    "opened meanwhile go too. My posts in your channels stay, and backups keep a copy until "
    "they expire."
)


def settings(
    words: Words,
    *,
    channels: Sequence[str],
    most_tables: int,
    most_own: int,
    game: str | None,
    options: Sequence[tuple[str, Sequence[str]]],
    closers: str,
    palette: str,
    language: str,
) -> str:
    """All settings, a line each; channels as mentions, options as titles with their values."""
    where = words.listing(channels) if channels else words(EVERYWHERE)
    lines = [
        words(TITLE),
        words(CHANNELS, channels=where),
        words(MOST_TABLES, most=most_tables),
        words(MOST_OWN, most=most_own),
        words(GAME, game=words(ANY_GAME) if game is None else bold(game)),
        *(words(OPTION, game=title, options=" · ".join(said)) for title, said in options),
        words(CLOSERS, who=words(WHO[closers])),
        words(COLOURS, palette=words(PALETTES.get(palette, PALETTES["standard"]))),
        words(LANGUAGE, language=language),
        words(HOW),
    ]
    return "\n".join(lines)


def forget(words: Words, tables: int, still_open: int) -> str:
    """What deleting a server takes away, before it is done."""
    end = words.phrase(OPEN, still_open) if still_open else words(NONE_OPEN)
    return words(FORGET, tables=words.phrase(TABLES, tables), open=end)
