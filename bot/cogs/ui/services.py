"""Services shared by all cogs, and table views and pictures made with them."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple, cast

import discord

from bot.cogs.ui.budgets import Budgets
from bot.cogs.ui.layout import Image, Keep, Text
from bot.cogs.ui.pictures import PictureKey, Pictures
from bot.cogs.ui.table_view import BOARD, QUESTION, TableView, game_events, stored_name
from bot.game.choices import Done
from bot.game.contract import SPECTATOR, Event, Observer, Option
from bot.game.game import AnyGame
from bot.game.game_end import GameEnds
from bot.render.asked import AskedWords
from bot.render.palettes import STANDARD
from bot.tables import (
    COMMITS,
    HINTS,
    OFF,
    Commits,
    MetricsSink,
    ObservedTable,
    Rejected,
    RulesUnavailable,
    StoreUnavailable,
    Table,
    Tables,
    term,
)
from bot.tables.core.cache import LoadedTable, rules_of
from bot.tables.core.seating import TERMS
from bot.tables.reader import seen
from bot.tables.servers import Limits
from bot.text import CloseUpText, Words, general, plain
from bot.thinking import SearchPool
from bot.titles.title import Title, Titles
from bot.workers import describe


class Links(NamedTuple):
    """Addresses of pages about the program; None if the operator has not set one."""

    source: str | None = None
    privacy: str | None = None
    terms: str | None = None


def links_of(source: str | None, privacy: str | None, terms: str | None) -> Links:
    """Return the operator's own pages, else those of the documentation in the source repository."""
    docs = None if source is None else f"{source.rstrip('/')}/blob/main/docs"
    return Links(
        source,
        privacy or (docs and f"{docs}/privacy.md"),
        terms or (docs and f"{docs}/terms.md"),
    )


def is_expected(client: discord.Client, guild: int) -> bool:
    """Return whether Discord may still announce the server to this process."""
    return bool(cast(Any, client).expects_server(guild))


def has_left_server(client: discord.Client, guild: int) -> bool:
    """Return whether the bot is known to have left the server."""
    return client.is_ready() and not is_expected(client, guild) and client.get_guild(guild) is None


def is_in(client: discord.Client, guild: int) -> bool | None:
    """Return whether the bot is in the server, even if that has an outage; None if unknown."""
    if client.get_guild(guild) is not None:
        return True
    return False if has_left_server(client, guild) else None


log = logging.getLogger(__name__)

HASH_BYTES = 16
REFUSALS = 4096
LAST_REFUSALS = 8


@dataclass(frozen=True)
class Services:
    """Services for the cogs, created once by bot.app."""

    tables: Tables
    titles: Titles
    pictures: Pictures
    words_for: Callable[[str | None], Words]
    metrics: MetricsSink
    budgets: Budgets
    limits: Limits
    search_pool: SearchPool
    version: str = ""
    """Version of the program."""
    links: Links = field(default_factory=Links)
    signs: dict[str, str] = field(default_factory=dict)
    """Emoji of pieces by name, as far as they are uploaded; the words of `words_for` use them."""
    refusals: deque[tuple[int, int | None, str]] = field(
        default_factory=lambda: deque(maxlen=REFUSALS)
    )
    """Recent refusals as user, table and reason, for problem reports."""
    admit: Callable[[discord.Interaction[Any]], Awaitable[bool]] | None = None
    """Whether this process answers an interaction, if several processes may receive it."""

    def title_of(self, table: Table) -> Title:
        """Return the table's title in its version, or in the newest if that is not installed.

        Raise title_gone.
        """
        if table.game not in self.titles:
            raise RulesUnavailable("title_gone", game=table.game)
        return self.titles.of(table.game, table.version)

    def rules(self, table: Table) -> AnyGame:
        """Return the rules of the table's game. Raise title_gone or rules_changed."""
        return rules_of(self.titles.games, table.game, table.version)

    def rulebook_key(self, table: Table) -> str:
        """Return the key of the table's rule chapters in `titles`."""
        return self.titles.key(table.game, table.version)

    def levels(self, title: Title) -> Sequence[str]:
        """Return a title's levels of computer player; only the quick ones if no search can run."""
        return title.levels if self.search_pool.can_think else title.quick_levels

    def title(self, words: Words, game: str) -> str:
        """Return a game's title; for a game that is not installed, its stored name."""
        return words(self.titles[game].text.title) if game in self.titles else game

    def heading(self, words: Words, table: Table) -> str:
        """Return a table's game and number, which distinguish it from other tables, and whether it
        is unrated."""
        title = self.title(words, table.game)
        heading = words("{game} · table {table}", game=title, table=table.id)
        is_marked = table.unrated and table.lesson is None
        return f"{heading} · {words(general.UNRATED)}" if is_marked else heading

    def words_of(self, interaction: discord.Interaction[Any]) -> Words:
        """Return words in the language of the user who acts: their setting, else Discord's."""
        person = self.tables.people.cached(interaction.user.id)
        return self.words_for(person.language or interaction.locale.value)

    async def is_ours(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether to answer an interaction. Ask first: another process may answer it."""
        return self.admit is None or await self.admit(interaction)

    async def load_user(self, interaction: discord.Interaction[Any]) -> None:
        """Load the acting user's settings and store their current name."""
        user = interaction.user
        if interaction.guild_id is not None:
            self.tables.server_members.note_activity(interaction.guild_id, user.id)
        # Concurrently, as an answer must be given within three seconds.
        await asyncio.gather(
            self.tables.people.recall(user.id),
            self.tables.people.note_name(user.id, interaction.guild_id, stored_name(user)),
        )
        # Only now, as storing a new name is not part of the user's request.
        COMMITS.set(Commits())

    async def user_words(self, user: int, public_words: Words) -> Words:
        """Return words for unsolicited messages to a user: in their language, else the server's."""
        language = (await self.tables.people.get(user)).language
        return public_words if language is None else self.words_for(language)

    async def server_words(self, client: discord.Client, server: int | None) -> Words:
        """Return words in the language set for a server, else in Discord's for it."""
        if server is None:
            return self.words_for(None)
        language = (await self.tables.servers.get(server)).language
        if language is None:
            guild = client.get_guild(server)
            if guild is None and is_expected(client, server):
                # The bot may have left it.
                with suppress(discord.Forbidden, discord.NotFound):
                    guild = await client.fetch_guild(server, with_counts=False)
            language = None if guild is None else guild.preferred_locale.value
        return self.words_for(language)

    def check_game(self, game: str | None) -> None:
        """Raise unknown_game if a game that was typed does not exist."""
        if game is not None and game not in self.titles:
            raise Rejected("unknown_game", game=game)

    async def usual_game(self, server: int) -> str:
        """Return the default game of new tables in a server."""
        game = (await self.tables.servers.get(server)).game
        return game if game in self.titles else next(iter(self.titles))

    def refused(self, user: int, table: int) -> tuple[str, ...]:
        """Return the reasons of this user's refusals at that table, the latest last."""
        codes = [code for person, at, code in self.refusals if (person, at) == (user, table)]
        return tuple(codes[-LAST_REFUSALS:])

    async def table_view(
        self, table_id: int, observer: Observer, words: Words, *, user: int | None = None
    ) -> TableView:
        """Return the observer's view, with the settings of `user` if given. Raise Rejected."""
        return self._table_view(await self.tables.reader.seen(table_id, observer), words, user)

    async def seat_view(self, table_id: int, user: int, words: Words) -> TableView:
        """Return the user's view from their seat, with their settings. Raise not_seated."""
        return self._table_view(await self.tables.reader.seen_by(table_id, user), words, user)

    def _table_view(self, now: ObservedTable, words: Words, user: int | None = None) -> TableView:
        title, ends = self.title_of(now.table), GameEnds(self.rules(now.table), now.view)
        return TableView(**vars(now), title=title, words=words, user=user, ends=ends)

    async def past_view(
        self, table: Table, observer: Observer, seq: int, words: Words, user: int
    ) -> TableView:
        """Return the observer's view after that log entry, without any decisions."""
        return TableView(
            table=table,
            observer=observer,
            seq=seq,
            view=await self.tables.history.view(table.id, observer, seq),
            pending=(),
            legal=lambda _seat, _prefix: Done(),
            title=self.title_of(table),
            words=words,
            user=user,
        )

    async def refreshed(self, table_view: TableView) -> TableView:
        """Return the current version of a view."""
        table = await self.tables.reader.get(table_view.table.id)
        seq = await self.tables.reader.seq(table.id)
        if seq == table_view.seq and table.is_over == table_view.table.is_over:
            return replace(table_view, table=table)
        return await self.table_view(
            table.id, table_view.observer, table_view.words, user=table_view.user
        )

    # Pictures and texts of the table

    async def picture(
        self,
        table_view: TableView,
        since: int | None = None,
        events: Sequence[Event] = (),
        *,
        asked: AskedWords | None = None,
        part: str | None = None,
    ) -> Image | None:
        """Draw the table, or a part of it, with the `events` after `since` or the newest marked.

        Also mark the choices of `asked`; without it the picture may be public. Return None if
        drawing fails.
        """
        if since is None:
            since, events = await self._newest(table_view)
        try:
            close = part and table_view.text.close_up(part)
            # The text first, as the picture may already be in progress.
            alt = close.alt if close else table_view.board_text(events, table_view.names)
            if asked is not None:
                marked = table_view.words.listing(list(dict.fromkeys(filter(None, asked.names))))
                alt = table_view.words("Marked choices: {names}.", names=marked) + f" {alt}"
            if table_view.plan is not None:
                alt = table_view.words("A plan, not played yet:") + f" {alt}"
            drawn = await self._drawing(table_view, since, events, asked, part, close or None)
            palette = await self.palette(table_view)
            return Image(BOARD, alt, table_view.title.pictures.colours.of(drawn, palette))
        except StoreUnavailable:
            raise
        # If drawing fails for any reason, the game continues in text.
        except Exception as error:  # noqa: BLE001
            log.error(
                "picture failed table=%s seq=%s error=%s",
                table_view.table.id,
                table_view.seq,
                describe(error),
            )
            return None

    def _drawing(
        self,
        table_view: TableView,
        since: int,
        events: Sequence[Event],
        asked: AskedWords | None = None,
        part: str | None = None,
        close: CloseUpText | None = None,
    ) -> Coroutine[Any, Any, bytes]:
        title, view, happened = table_view.title, table_view.view, game_events(events)
        names, words = plain(table_view.names), table_view.words.drawn
        draw = partial(title.pictures.draw, view, names, happened, asked, words)
        if part is not None and close is not None:
            draw = partial(
                title.pictures.draw_part, view, names, happened, part, close.legend, asked, words
            )
        shown = table_view.fingerprint + repr(happened).encode()
        key = PictureKey(
            table_view.table.id,
            table_view.seq,
            since,
            table_view.observer,
            table_view.words.locale,
            names,
            asked,
            table_view.plan,
            blake2b(shown, digest_size=HASH_BYTES).digest(),
            part if close is not None else None,
        )
        return self.pictures.board(key, draw)

    def draw_ahead(self, after: LoadedTable, words: Words) -> None:
        """Start drawing the public picture that `picture` will return once the table is stored.

        Do nothing if there are no public events since the last post, or they are not in memory.
        Raise Rejected.
        """
        spectators = seen(self.rules(after.table), after, SPECTATOR)
        since = after.table.posted_seq
        events = spectators.events_since(since)
        if events:
            table_view = self._table_view(spectators, words)
            self.pictures.start_drawing(self._drawing(table_view, since, events))

    async def question_picture(self, table_view: TableView, asked: AskedWords) -> Image | None:
        """Draw the part of the table that the user's question is about, with the choices marked.

        Return None if there is no such part, or drawing fails. The picture is private: raise
        ValueError for a public view.
        """
        if table_view.user is None:
            raise ValueError("a question must not be shown in a public picture")
        part = table_view.title.pictures.part_asked(table_view.view, asked)
        if part is None:
            return None
        shown = part if part in table_view.parts else None
        picture = await self.picture(table_view, asked=asked, part=shown)
        return picture and picture._replace(name=QUESTION)

    async def palette(self, table_view: TableView) -> str:
        """Return the palette for a view: the user's, or the server's for a public one."""
        if table_view.user is not None:
            return (await self.tables.people.get(table_view.user)).palette
        if table_view.table.guild is None:
            return STANDARD
        return (await self.tables.servers.get(table_view.table.guild)).palette

    async def prefers_text(self, table_view: TableView) -> bool:
        """Return whether the view's user has chosen boards as text instead of pictures."""
        return (
            table_view.user is not None
            and (await self.tables.people.get(table_view.user)).text_board
        )

    async def shown_table(
        self, table_view: TableView, asked: AskedWords | None = None
    ) -> list[Text | Image]:
        """Return the table for the top of the user's message: as a picture, or as text.

        The picture marks the choices of `asked`.
        """
        if await self.prefers_text(table_view):
            _since, events = await self._newest(table_view)
            return [Text(table_view.board_text(events), Keep.BEGINNING)]
        picture = None if asked is None else await self.question_picture(table_view, asked)
        picture = picture or await self.picture(table_view)
        return [Text(table_view.words(general.NO_PICTURE)) if picture is None else picture]

    async def _newest(self, table_view: TableView) -> tuple[int, list[Event]]:
        """Return the events visible to the observer since the last post, or else the latest ones.

        They come with the number of the log entry before them. In a plan they are the events of its
        last action.
        """
        if table_view.plan is not None:
            return table_view.seq, list(table_view.plan_events)
        return await self.tables.reader.newest(table_view, table_view.table.posted_seq)


def offered_terms(services: Services, table: Table) -> tuple[Option, ...]:
    """Return the terms that the table can agree on, without hints if none can be given.

    Raise title_gone.
    """
    has_hints = services.title_of(table).judgement is not None and services.search_pool.can_think
    return tuple(each for each in TERMS if has_hints or each.name != HINTS)


def agreed_terms(services: Services, table: Table) -> Mapping[str, str]:
    """Return the current value of each of `offered_terms`. Raise title_gone."""
    return {each.name: term(table, each.name) for each in offered_terms(services, table)}


def hints_term(services: Services, table: Table) -> str:
    """Return the table's term for hints; OFF if none can be given. Raise title_gone."""
    return agreed_terms(services, table).get(HINTS, OFF)
