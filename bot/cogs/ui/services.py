"""What every cog is given: the parts it works with, and a table seen and drawn with them."""

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
from bot.cogs.ui.table_view import BOARD, QUESTION, TableView, of_game, stored_name
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
    NotHere,
    ObservedTable,
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
    """The addresses of pages about the program; None for what the host has not set."""

    source: str | None = None
    privacy: str | None = None
    terms: str | None = None


def links_of(source: str | None, privacy: str | None, terms: str | None) -> Links:
    """The host's own pages, else the pages of the documentation where the source can be read."""
    docs = None if source is None else f"{source.rstrip('/')}/blob/main/docs"
    return Links(
        source,
        privacy or (docs and f"{docs}/privacy.md"),
        terms or (docs and f"{docs}/terms.md"),
    )


def is_expected(client: discord.Client, guild: int) -> bool:
    """Whether Discord has not told this process of that server, but may: nothing is known of it."""
    return bool(cast(Any, client).expects_server(guild))


def is_gone(client: discord.Client, guild: int) -> bool:
    """Whether the bot is known to be in that server no more."""
    return client.is_ready() and not is_expected(client, guild) and client.get_guild(guild) is None


def is_in(client: discord.Client, guild: int) -> bool | None:
    """Whether the bot is in that server, which may be out of reach; None where it is not known."""
    if client.get_guild(guild) is not None:
        return True
    return False if is_gone(client, guild) else None


log = logging.getLogger(__name__)

PRINT_BYTES = 16
REFUSALS = 4096
LAST_REFUSALS = 8


@dataclass(frozen=True)
class Services:
    """What cogs work with; made once, by bot.app."""

    tables: Tables
    titles: Titles
    pictures: Pictures
    words_for: Callable[[str | None], Words]
    metrics: MetricsSink
    budgets: Budgets
    limits: Limits
    search_pool: SearchPool
    version: str = ""
    """The program's own."""
    links: Links = field(default_factory=Links)
    signs: dict[str, str] = field(default_factory=dict)
    """The emoji of pieces by name, as far as Discord has them by now; `words_for` shows them."""
    refusals: deque[tuple[int, int | None, str]] = field(
        default_factory=lambda: deque(maxlen=REFUSALS)
    )
    """Who was refused something of late, at which table, and why; for reports about it."""
    admit: Callable[[discord.Interaction[Any]], Awaitable[bool]] | None = None
    """Whether an interaction is ours to answer, where several processes may hear it."""

    def title_of(self, table: Table) -> Title:
        """The title that a table plays: its version or, where that is not here, the newest. Raises
        title_gone."""
        if table.game not in self.titles:
            raise NotHere("title_gone", game=table.game)
        return self.titles.of(table.game, table.version)

    def rules(self, table: Table) -> AnyGame:
        """The rules by which a table is played. Raises title_gone or rules_changed."""
        return rules_of(self.titles.games, table.game, table.version)

    def book(self, table: Table) -> str:
        """The key under which the rule chapters of a table are found, as `titles` has it."""
        return self.titles.key(table.game, table.version)

    def levels(self, title: Title) -> Sequence[str]:
        """The levels of computer player of a title, as far as anybody can think here."""
        return title.levels if self.search_pool.can_think else title.quick_levels

    def title(self, words: Words, game: str) -> str:
        """What a game is called; a game that is not here, by the name under which it is stored."""
        return words(self.titles[game].text.title) if game in self.titles else game

    def heading(self, words: Words, table: Table) -> str:
        """The name of a table among others: its game and its number."""
        title = self.title(words, table.game)
        return words("{game} · table {table}", game=title, table=table.id)

    def words_of(self, interaction: discord.Interaction[Any]) -> Words:
        """The language of the person who acts: their own setting, else Discord's."""
        person = self.tables.people.known(interaction.user.id)
        return self.words_for(person.language or interaction.locale.value)

    async def is_ours(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether to answer it. Ask before anything is done, for another process may answer."""
        return self.admit is None or await self.admit(interaction)

    async def arrived(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody acts: loads their settings and their name, which will be needed."""
        user = interaction.user
        if interaction.guild_id is not None:
            self.tables.server_members.acts(interaction.guild_id, user.id)
        # Both at once: waiting for either uses up the three seconds for an answer.
        await asyncio.gather(
            self.tables.people.recall(user.id),
            self.tables.people.acts(user.id, interaction.guild_id, stored_name(user)),
        )
        # Only now: a new name is not what they ask for.
        COMMITS.set(Commits())

    async def own(self, user: int, house: Words) -> Words:
        """The language for unsolicited messages to somebody; the server's if they set none."""
        language = (await self.tables.people.get(user)).language
        return house if language is None else self.words_for(language)

    async def house(self, client: discord.Client, table: Table) -> Words:
        """The language of the table's server: as its owners have set it, else Discord's."""
        if table.guild is None:
            return self.words_for(None)
        language = (await self.tables.servers.get(table.guild)).language
        if language is None:
            guild = client.get_guild(table.guild)
            if guild is None and is_expected(client, table.guild):
                # The bot may not be in it any more.
                with suppress(discord.Forbidden, discord.NotFound):
                    guild = await client.fetch_guild(table.guild, with_counts=False)
            language = None if guild is None else guild.preferred_locale.value
        return self.words_for(language)

    def refused(self, user: int, table: int) -> tuple[str, ...]:
        """Why this person was refused something at that table, the latest last."""
        codes = [code for who, at, code in self.refusals if (who, at) == (user, table)]
        return tuple(codes[-LAST_REFUSALS:])

    async def table_view(
        self, table_id: int, observer: Observer, words: Words, *, user: int | None = None
    ) -> TableView:
        """What the observer sees now; for a `user`, drawn as they want it. Raises Rejected."""
        return self._table_view(await self.tables.reader.seen(table_id, observer), words, user)

    async def seated(self, table_id: int, user: int, words: Words) -> TableView:
        """What the user sees from their seat, drawn as they want it. Raises not_seated."""
        return self._table_view(await self.tables.reader.seen_by(table_id, user), words, user)

    def _table_view(self, now: ObservedTable, words: Words, user: int | None = None) -> TableView:
        title, ends = self.title_of(now.table), GameEnds(self.rules(now.table), now.view)
        return TableView(**vars(now), title=title, words=words, user=user, ends=ends)

    async def snapshot_at(
        self, table: Table, observer: Observer, seq: int, words: Words, user: int
    ) -> TableView:
        """What the observer saw after that log entry, when nobody can act any more."""
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

    async def renewed(self, table_view: TableView) -> TableView:
        """The same snapshot, taken now."""
        table = await self.tables.reader.get(table_view.table.id)
        seq = await self.tables.reader.seq(table.id)
        if seq == table_view.seq and table.is_over == table_view.table.is_over:
            return replace(table_view, table=table)
        return await self.table_view(
            table.id, table_view.observer, table_view.words, user=table_view.user
        )

    # The table as a picture or in words

    async def picture(
        self,
        table_view: TableView,
        since: int | None = None,
        events: Sequence[Event] = (),
        *,
        asked: AskedWords | None = None,
        part: str | None = None,
    ) -> Image | None:
        """The table, or a part of it, with the `events` after `since` marked, or else the newest.

        What is `asked` is lit; without it others may see the picture. None where it cannot be
        drawn.
        """
        if since is None:
            since, events = await self._newest(table_view)
        try:
            close = part and table_view.text.close_up(part)
            # The words first: the picture may be on its way already.
            alt = close.alt if close else table_view.in_words(events, table_view.names)
            if asked is not None:
                lit = table_view.words.listing(list(dict.fromkeys(filter(None, asked.names))))
                alt = table_view.words("Marked choices: {names}.", names=lit) + f" {alt}"
            if table_view.plan is not None:
                alt = table_view.words("A plan, not played yet:") + f" {alt}"
            drawn = await self._drawing(table_view, since, events, asked, part, close or None)
            palette = await self.palette(table_view)
            return Image(BOARD, alt, table_view.title.pictures.colours.of(drawn, palette))
        except StoreUnavailable:
            raise
        # However a drawing fails, the game goes on in words.
        except Exception as error:  # noqa: BLE001
            said = describe(error)
            log.error(
                "picture failed table=%s seq=%s error=%s", table_view.table.id, table_view.seq, said
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
        title, view, happened = table_view.title, table_view.view, of_game(events)
        names, say = plain(table_view.names), table_view.words.drawn
        draw = partial(title.pictures.draw, view, names, happened, asked, say)
        if part is not None and close is not None:
            draw = partial(
                title.pictures.draw_part, view, names, happened, part, close.legend, asked, say
            )
        marked = table_view.fingerprint + repr(happened).encode()
        shown = PictureKey(
            table_view.table.id,
            table_view.seq,
            since,
            table_view.observer,
            table_view.words.locale,
            names,
            asked,
            table_view.plan,
            blake2b(marked, digest_size=PRINT_BYTES).digest(),
            part if close is not None else None,
        )
        return self.pictures.board(shown, draw)

    def draw_ahead(self, after: LoadedTable, words: Words) -> None:
        """Begins the picture that `picture` will give of a table once that is stored.

        It shows what all may see. Nothing is done where they have heard of nothing since the last
        post, or memory does not reach back to it. Raises Rejected.
        """
        spectators = seen(self.rules(after.table), after, SPECTATOR)
        since = after.table.posted_seq
        events = spectators.events_since(since)
        if events:
            table_view = self._table_view(spectators, words)
            self.pictures.begin(self._drawing(table_view, since, events))

    async def asked_picture(self, table_view: TableView, asked: AskedWords) -> Image | None:
        """What the snapshot's user is asked, lit on the part of the table in which it lies.

        None where that is nowhere, or cannot be drawn. For their eyes only: raises ValueError for a
        snapshot that everybody gets.
        """
        if table_view.user is None:
            raise ValueError("what is asked of a person is shown to nobody else")
        part = table_view.title.pictures.part_asked(table_view.view, asked)
        if part is None:
            return None
        shown = part if part in table_view.parts else None
        picture = await self.picture(table_view, asked=asked, part=shown)
        return picture and picture._replace(name=QUESTION)

    async def palette(self, table_view: TableView) -> str:
        """The colours for whom a snapshot is for: one person, or everybody at its server."""
        if table_view.user is not None:
            return (await self.tables.people.get(table_view.user)).palette
        if table_view.table.guild is None:
            return STANDARD
        return (await self.tables.servers.get(table_view.table.guild)).palette

    async def wants_words(self, table_view: TableView) -> bool:
        """Whether whoever the snapshot is for has boards in words instead of pictures."""
        return (
            table_view.user is not None
            and (await self.tables.people.get(table_view.user)).text_board
        )

    async def shown_table(
        self, table_view: TableView, asked: AskedWords | None = None
    ) -> list[Text | Image]:
        """The table for the snapshot's user, for the top of a message: as a picture, on which what
        they are `asked` is lit, or in words."""
        if await self.wants_words(table_view):
            _since, events = await self._newest(table_view)
            return [Text(table_view.in_words(events), Keep.BEGINNING)]
        picture = None if asked is None else await self.asked_picture(table_view, asked)
        picture = picture or await self.picture(table_view)
        return [Text(table_view.words(general.NO_PICTURE)) if picture is None else picture]

    async def _newest(self, table_view: TableView) -> tuple[int, list[Event]]:
        """What the observer has heard since the last post, or the last they heard; with the entry
        before it. In a plan, what its last action brings."""
        if table_view.plan is not None:
            return table_view.seq, list(table_view.tried)
        return await self.tables.reader.newest(table_view, table_view.table.posted_seq)


def offered_terms(services: Services, table: Table) -> tuple[Option, ...]:
    """What the table can agree on; nothing of hints where nobody can think of any. Raises
    title_gone."""
    has_hints = services.title_of(table).judgement is not None and services.search_pool.can_think
    return tuple(each for each in TERMS if has_hints or each.name != HINTS)


def agreed(services: Services, table: Table) -> Mapping[str, str]:
    """The value of each of these that holds. Raises title_gone."""
    return {each.name: term(table, each.name) for each in offered_terms(services, table)}


def hints_at(services: Services, table: Table) -> str:
    """What the table has agreed on hints; OFF where there can be none. Raises title_gone."""
    return agreed(services, table).get(HINTS, OFF)
