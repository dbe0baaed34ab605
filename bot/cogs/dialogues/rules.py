"""`/rules`, `/game help` and `/about`: the rules of the games, and information on the bot.

A `game` is a title, or a title with the number of a version that has its own rule texts
(`Services.rulebook_key`).
"""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.cogs.ui import (
    BUTTON,
    MAX_CHOICES,
    MAX_OPTIONS,
    SELECT,
    STARTED,
    Choice,
    Control,
    CustomId,
    Forged,
    Interaction,
    Layout,
    Press,
    Reply,
    Services,
    button,
    command,
    games_offered,
    link_button,
    matching,
    only,
    option,
    route,
    select,
    text_layout,
)
from bot.tables import Rejected
from bot.text import Label, bold, clip, escape, general, msg
from bot.text.game_data import rulings
from bot.text.guidebook import AROUND, Guidebook
from bot.text.matching import tokens
from bot.text.user_text import escape_typed

MAX_LINES = 8
"""Search results listed in the message; the select below lists more."""
MAX_LINE = 160
MAX_QUERY = 60
"""Characters of a search in a custom id, which has 100 in all."""


class RulesDialogue:
    """Rules, shown in private."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._books: dict[tuple[str, str], Guidebook] = {}
        """Guidebooks by game and language, cached for their search index."""

    async def _topics(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Offer the chapters whose title matches, then those whose text does."""
        game = interaction.namespace.game or await self._default_game(interaction)
        if game is None:
            return []
        book = self._book(interaction, game)
        named = matching(((topic, book.title(topic)) for topic in book.topics), typed)
        known = {choice.value for choice in named}
        found = [
            (each.topic, f"{book.title(each.topic)}: {each.line}")
            for each in book.search(typed)
            if each.topic not in known
        ]
        return [*named, *matching(found, "")][:MAX_CHOICES]

    @command("rules", game=games_offered, topic=_topics)
    async def rules(self, reply: Reply, topic: str | None = None, game: str | None = None) -> None:
        """Show the chapter with this name, or else all chapters that contain the typed words.

        Without a game, the game of the tables here is used; if there are several, the games are
        offered. Raise Rejected for an unknown game.
        """
        game = game or await self._default_game(reply.interaction)
        if game is None:
            words, texts = reply.words, self._services.titles.texts
            content = general.help_text(words) if topic == AROUND else words(general.WHICH_GAME)
            # The search uses only letters and digits.
            query = " ".join(tokens(topic or ""))[:MAX_QUERY].strip()
            games = [
                button(CustomId("rules", 0, game, (query,) if query else ()), words(text.title))
                for game, text in texts.items()
            ]
            await reply.say(text_layout(content, games))
            return
        book = self._book(reply.interaction, game)
        chapter = book.topics[0] if topic is None else book.named(topic)
        found = book.search(topic) if chapter is None and topic is not None else []
        if len(found) == 1:
            chapter = found[0].topic
        if chapter is not None:
            await reply.say(_chapter(game, book, chapter))
            return
        facts = {"game": book.words(book.text.title), "typed": escape_typed(topic or "")}
        if not found:
            content = book.words(
                "The rules of {game} don't mention “{typed}”. Try another word, or choose a "
                "chapter.",
                **facts,
            )
            await reply.say(text_layout(content, _chapters(game, book)))
            return
        lines = [
            f"- {bold(book.title(each.topic))}: {escape(clip(each.line, MAX_LINE))}"
            for each in found[:MAX_LINES]
        ]
        results = (
            option(each.topic, Label(book.title(each.topic), description=each.line))
            for each in found
        )
        head = book.words("In the rules of {game}, “{typed}” appears in:", **facts)
        await reply.say(text_layout("\n".join([head, *lines]), _selects(game, book, results)))

    @route("rules", at_table=None, words=(0, 1), has_decision=True)
    async def open(self, press: Press) -> None:
        """Open a chapter, or search, in a new message."""
        game, words = self._game_of(press), press.custom_id.words
        if game is None and press.table_id:
            game = self._services.rulebook_key(press.table)
        await self.rules(press.reply, words[0] if words else None, game)

    @route("chapter", BUTTON, SELECT, at_table=False, words=(0, 1), has_decision=True)
    async def turn_to(self, press: Press) -> None:
        """Turn to another chapter, in the same message."""
        game, topic = self._game_of(press), only((*press.custom_id.words, *press.values))
        if game is None:
            raise Forged
        await press.reply.show(_chapter(game, self._book(press.interaction, game), topic))

    def _game_of(self, press: Press) -> str | None:
        game = press.custom_id.decision
        if game is not None and not self._has(game):
            raise Forged(game)
        return game

    def _has(self, game: str) -> bool:
        try:
            self._services.titles.texts.by_key(game)
        except KeyError:
            return False
        return True

    async def _default_game(self, interaction: Interaction) -> str | None:
        """Return the game whose rules are meant; None if it may be one of several.

        That is the game of the tables in this channel, else of the finished table of this thread,
        else of the user's tables, else the only game of the bot.
        """
        reader, place = self._services.tables.reader, interaction.channel_id
        local = [] if place is None else await reader.find(place)
        if place is not None and not local:
            local = [table for table in await reader.find(place, STARTED) if table.thread == place]
        seated = [] if local else await reader.seats_of(interaction.user.id)
        tables = (*local, *(table for table, _seat in seated))
        books = {self._services.rulebook_key(table) for table in tables} or set(
            self._services.titles.texts
        )
        # If two versions of a title are played, show the newest rules.
        titles = {table.game for table in tables}
        return next((only.pop() for only in (books, titles) if len(only) == 1), None)

    def _book(self, interaction: Interaction, game: str) -> Guidebook:
        if not self._has(game):
            raise Rejected("unknown_game", game=game)
        words = self._services.words_of(interaction)
        key = game, words.locale
        if key not in self._books:
            text, name = self._services.titles.texts.by_key(game), game.partition(".")[0]
            self._books[key] = Guidebook(text(words), rulings(name))
        return self._books[key]

    @command("game help")
    async def help(self, reply: Reply) -> None:
        """Explain how to use the bot."""
        await reply.say(general.help_text(reply.words))

    @command("about")
    async def about(self, reply: Reply) -> None:
        """Show the version, what is stored, and links to read more."""
        words, links = reply.words, self._services.links
        lines = [
            words(
                "**Kontor {version}** – a Discord bot for heavy board games.",
                version=self._services.version,
            ),
            words(
                "I store the games you play, your settings and your results. `/me export` gives "
                "you a copy, `/me forget` deletes your settings and results, and `/server forget` "
                "deletes everything about a server."
            ),
        ]
        if links.privacy is None or links.terms is None:
            lines.append(
                words(
                    "`docs/privacy.md` and `docs/terms.md` in my source code have the details. Ask "
                    "whoever runs this bot where to find them."
                )
            )
        buttons = [
            link_button(words(label), url)
            for label, url in (
                (msg("Source code"), links.source),
                (msg("Privacy"), links.privacy),
                (msg("Terms"), links.terms),
            )
            if url is not None
        ]
        await reply.say(text_layout("\n".join(lines), buttons))


def _chapter(game: str, book: Guidebook, topic: str) -> Layout:
    topics = book.topics
    shown = topic if topic in topics else topics[0]
    items, place = _chapters(game, book, shown), topics.index(shown)
    for each, emoji in ((place - 1, "◀️"), (place + 1, "▶️")):
        if 0 <= each < len(topics):
            label = Label(book.title(topics[each]), emoji)
            items.append(button(CustomId("chapter", 0, game, (topics[each],)), label))
    title = f"{book.words(book.text.title)} · {book.title(shown)}"
    return text_layout(f"### {escape(title)}\n{book.chapter(shown)}", items)


def _chapters(game: str, book: Guidebook, shown: str | None = None) -> list[Control]:
    lines = (option(each, Label(book.title(each)), default=each == shown) for each in book.topics)
    return _selects(game, book, lines)


def _selects(game: str, book: Guidebook, options: Iterable[discord.SelectOption]) -> list[Control]:
    """Return selects with all these chapters."""
    lines = list(options)
    return [
        select(
            CustomId("chapter", 0, game, page=page),
            lines[start : start + MAX_OPTIONS],
            book.words("Another chapter…"),
        )
        for page, start in enumerate(range(0, len(lines), MAX_OPTIONS), 1)
    ]
