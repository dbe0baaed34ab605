"""The rules of a game on request: a chapter, links to the others, and search results."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.cogs.ui.access import BEGUN
from bot.cogs.ui.autocomplete import MAX_CHOICES, Choice, matching
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import (
    MAX_OPTIONS,
    Control,
    Interaction,
    Layout,
    button,
    option,
    said,
    select,
)
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.tables import Rejected
from bot.text import general
from bot.text.contract import Label
from bot.text.folding import tokens
from bot.text.guidebook import AROUND, Found, Guidebook
from bot.text.markup import bold, clip, escape
from bot.text.user_text import said_again

MAX_LINES = 8
"""Search results listed in the message; the select below lists more."""
MAX_LINE = 160
MAX_IN_AN_ID = 60
"""Characters of a search that go into a custom id, of the 100 that this may have."""


class Rulebook:
    """Private answers about the rules, the same for every game. Keeps no state.

    A `game` is a title, or with its number a version that has words of its own (`Services.book`).
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._books: dict[tuple[str, str], Guidebook] = {}
        """By game and language; a book prepares its search once."""

    def has(self, game: str) -> bool:
        """Whether there are rules of that game."""
        try:
            self._services.titles.texts.by_key(game)
        except KeyError:
            return False
        return True

    async def asked(self, reply: Reply, game: str | None, typed: str | None) -> None:
        """A chapter by its name, else every chapter with the words typed, in a new message.

        Without a game it is that of the tables here; where several could be meant, they are
        offered. Raises Rejected for an unknown game.
        """
        game = game or await self.game_here(reply.interaction)
        if game is None:
            await self._which(reply, typed)
            return
        book = self._book(reply.interaction, game)
        topic = book.topics[0] if typed is None else book.named(typed)
        found = book.search(typed) if topic is None and typed is not None else []
        if len(found) == 1:
            topic = found[0].topic
        if topic is not None:
            await reply.say(self._chapter(game, book, topic))
        else:
            await self._found(reply, game, book, typed or "", found)

    async def turn_to(self, reply: Reply, game: str, topic: str) -> None:
        """Another chapter, in the same message."""
        await reply.show(self._chapter(game, self._book(reply.interaction, game), topic))

    def offered(self, interaction: Interaction, game: str, typed: str) -> list[Choice]:
        """Choices for a topic being typed: those whose title matches, then those whose text
        does."""
        book = self._book(interaction, game)
        named = matching(((topic, book.title(topic)) for topic in book.topics), typed)
        known = {choice.value for choice in named}
        said = [
            (each.topic, f"{book.title(each.topic)}: {each.line}")
            for each in book.search(typed)
            if each.topic not in known
        ]
        return [*named, *matching(said, "")][:MAX_CHOICES]

    async def game_here(self, interaction: Interaction) -> str | None:
        """The game whose rules are clearly meant; None where it might be one of several.

        That is the game of the tables in this channel, else of the table that was played in this
        thread, else of those the person sits at, else the only one there is.
        """
        tables, place = self._services.tables, interaction.channel_id
        here = [] if place is None else await tables.reader.find(place)
        if place is not None and not here:
            played = await tables.reader.find(place, BEGUN)
            here = [table for table in played if table.thread == place]
        seated = [] if here else await tables.reader.seats_of(interaction.user.id)
        meant = (*here, *(table for table, _seat in seated))
        books = {self._services.book(table) for table in meant} or set(self._services.titles.texts)
        # Of two versions the newest tells more.
        titles = {table.game for table in meant}
        return next((only.pop() for only in (books, titles) if len(only) == 1), None)

    def _book(self, interaction: Interaction, game: str) -> Guidebook:
        if not self.has(game):
            raise Rejected("unknown_game", game=game)
        words = self._services.words_of(interaction)
        key = game, words.locale
        if key not in self._books:
            self._books[key] = Guidebook(self._services.titles.texts.by_key(game), words)
        return self._books[key]

    async def _which(self, reply: Reply, typed: str | None = None) -> None:
        """Offer the games to choose from, each with what was typed, and show what applies to all
        of them."""
        words, texts = reply.words, self._services.titles.texts
        content = general.help_text(words) if typed == AROUND else words(general.WHICH_GAME)
        wanted = _in_an_id(typed or "")
        games = [
            button(CustomId("rules", 0, game, (wanted,) if wanted else ()), words(text.title))
            for game, text in texts.items()
        ]
        await reply.say(said(content, games))

    def _chapter(self, game: str, book: Guidebook, topic: str | None) -> Layout:
        topics = book.topics
        shown = topic if topic in topics else topics[0]
        items = self._chapters(game, book, topics, shown)
        place = topics.index(shown)
        for each, emoji in ((place - 1, "◀️"), (place + 1, "▶️")):
            if 0 <= each < len(topics):
                custom_id = CustomId("chapter", 0, game, (topics[each],))
                items.append(button(custom_id, Label(book.title(topics[each]), emoji)))
        title = f"{book.words(book.text.title)} · {book.title(shown)}"
        return said(f"### {escape(title)}\n{book.chapter(shown)}", items)

    def _chapters(
        self, game: str, book: Guidebook, topics: Sequence[str], shown: str | None = None
    ) -> list[Control]:
        lines = [option(each, Label(book.title(each)), default=each == shown) for each in topics]
        return _selects(game, lines, book.words(general.CHAPTERS))

    async def _found(
        self, reply: Reply, game: str, book: Guidebook, typed: str, found: Sequence[Found]
    ) -> None:
        game_title = book.words(book.text.title)
        facts = {"game": game_title, "typed": said_again(typed)}
        if not found:
            items = self._chapters(game, book, book.topics)
            await reply.say(said(book.words(general.NOT_IN_THE_RULES, **facts), items))
            return
        lines = [
            f"- {bold(book.title(each.topic))}: {escape(clip(each.line, MAX_LINE))}"
            for each in found[:MAX_LINES]
        ]
        items = _selects(
            game,
            [
                option(each.topic, Label(book.title(each.topic), description=each.line))
                for each in found
            ],
            book.words(general.CHAPTERS),
        )
        head = book.words(general.SEARCHED, **facts)
        await reply.say(said("\n".join([head, *lines]), items))


def _in_an_id(typed: str) -> str:
    """What was typed as a word of a custom id: the search reads nothing but letters and digits."""
    return " ".join(tokens(typed))[:MAX_IN_AN_ID].strip()


def _selects(game: str, lines: Sequence[discord.SelectOption], placeholder: str) -> list[Control]:
    """The chapters to choose from, in as many selects as it takes."""
    return [
        select(
            CustomId("chapter", 0, game, page=page + 1),
            lines[page * MAX_OPTIONS : (page + 1) * MAX_OPTIONS],
            placeholder,
        )
        for page in range(-(-len(lines) // MAX_OPTIONS))
    ]
