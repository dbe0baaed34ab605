"""What every cog is given: the parts it works with, and a table seen and drawn with them."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import groupby
from typing import Any, NamedTuple, Protocol, cast

import discord

from bot.cogs.ui import who
from bot.cogs.ui.budgets import Budgets
from bot.cogs.ui.layout import Image, Keep, Text
from bot.cogs.ui.pictures import CloseUpKey, PictureKey, Pictures
from bot.cogs.ui.snapshot import QUESTION, Picture, Snapshot
from bot.game.contract import SPECTATOR, AnyGame, Event, Observer, Option, Seat
from bot.game.events import SeatEvent
from bot.game.game_end import GameEnds
from bot.game.sides import Looks, looks_of
from bot.render.asked import AskedWords
from bot.render.palettes import STANDARD
from bot.render.sides import SIDE_LOOKS, rgb
from bot.tables import COMMITS, Commits, MetricsSink, NotHere, StoreUnavailable, Table, Tables
from bot.tables.core.cache import LoadedTable, rules_of
from bot.tables.core.log import OF_TABLE as TABLE_EVENTS
from bot.tables.core.log import Undone
from bot.tables.core.promises import PromiseAsked, Promised, PromiseEvent
from bot.tables.core.seating import HINTS, OFF, ON, TERMS, term
from bot.tables.reader import seen
from bot.tables.servers import Limits
from bot.text import absence, general, plans, table_words, undo
from bot.text import promises as promise_text
from bot.text.brief import BriefLine, InBrief
from bot.text.contract import AnyGameText, CloseUpText
from bot.text.markup import bold
from bot.text.user_text import Name, plain
from bot.text.words import Words
from bot.thinking import Thinkers
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


LAST = 8
"""Codes remembered of each person."""
PEOPLE = 512


class RecentRefusals:
    """The codes of the last refusals, with their tables; in memory alone."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, deque[tuple[int | None, str]]] = OrderedDict()

    def note(self, user: int, table: int | None, code: str) -> None:
        """Somebody was refused something."""
        self._known.setdefault(user, deque(maxlen=LAST)).append((table, code))
        self._known.move_to_end(user)
        if len(self._known) > PEOPLE:
            self._known.popitem(last=False)

    def of(self, user: int, table: int) -> tuple[str, ...]:
        """The codes that this person got at that table, the latest last."""
        return tuple(code for place, code in self._known.get(user, ()) if place == table)


class _Client(Protocol):
    def awaits_server(self, guild: int) -> bool: ...


def is_awaited(client: discord.Client, guild: int) -> bool:
    """Whether Discord has not told this process of that server, but may: nothing is known of it."""
    return cast(_Client, client).awaits_server(guild)


def is_gone(client: discord.Client, guild: int) -> bool:
    """Whether the bot is known to be in that server no more."""
    return client.is_ready() and not is_awaited(client, guild) and client.get_guild(guild) is None


def is_in(client: discord.Client, guild: int) -> bool | None:
    """Whether the bot is in that server, which may be out of reach; None where it is not known."""
    if client.get_guild(guild) is not None:
        return True
    return False if is_gone(client, guild) else None


async def locale_of(client: discord.Client, guild: int) -> str | None:
    """The language of a server, which is asked for where it is not known here; None where the bot
    may not know it."""
    known = client.get_guild(guild)
    if known is None and is_awaited(client, guild):
        try:
            known = await client.fetch_guild(guild, with_counts=False)
        except (discord.Forbidden, discord.NotFound):
            return None
    return None if known is None else known.preferred_locale.value


log = logging.getLogger(__name__)

PRINT_BYTES = 16
MOST_TOLD = 300
"""The newest events that are put into words at once; a message has no room for more."""
MATTERS = {"resigned": general.RESIGNED, **absence.MATTERS}
PROMISES = {Promised: promise_text.MADE, PromiseAsked: promise_text.ASKED}
OF_TABLE = frozenset({*TABLE_EVENTS, *(event.kind for event in PROMISES)})
"""The events that come from the table and not from its game."""


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
    thinkers: Thinkers
    version: str = ""
    """The program's own."""
    links: Links = field(default_factory=Links)
    signs: dict[str, str] = field(default_factory=dict)
    """The emoji of pieces by name, as far as Discord has them by now; `words_for` shows them."""
    refusals: RecentRefusals = field(default_factory=RecentRefusals)
    admit: Callable[[discord.Interaction[Any]], Awaitable[bool]] | None = None
    """Whether an interaction is ours to answer, where several processes may hear it."""

    def title_of(self, table: Table) -> Title:
        """The title that a table plays: its version or, where that is not here, the newest. Raises
        title_gone."""
        if table.game not in self.titles:
            raise NotHere("title_gone", game=table.game)
        return self.titles.of(table.game, table.version)

    def looks(self, snapshot: Snapshot) -> Looks:
        """How the sides of each seat look, as far as the observer may know."""
        seats = len(snapshot.table.players)
        return looks_of(self.title_of(snapshot.table).sides(snapshot.view, seats), seats)

    def accent(self, snapshot: Snapshot, seat: Seat) -> int | None:
        """The colour of the seat's first side as RGB; None where the observer may not know it."""
        looks = self.looks(snapshot)[seat]
        return rgb(SIDE_LOOKS[looks[0]].fill) if looks else None

    def rules(self, table: Table) -> AnyGame:
        """The rules by which a table is played. Raises title_gone or rules_changed."""
        return rules_of(self.titles.games, table.game, table.version)

    def text(self, table: Table) -> AnyGameText:
        """The words of what a table plays. Raises title_gone."""
        return self.title_of(table).text

    def book(self, table: Table) -> str:
        """The key under which the rule chapters of a table are found, as `titles` has it."""
        return self.titles.key(table.game, table.version)

    def computers(self, table: Table) -> Sequence[str]:
        """The levels of computer player for a table, the weakest first. Raises title_gone."""
        return self.levels(self.title_of(table))

    def levels(self, title: Title) -> Sequence[str]:
        """The levels of computer player of a title, as far as anybody can think here."""
        return title.levels if self.thinkers.can_think else title.quick_levels

    def usual_computer(self, table: Table) -> str:
        """The level that is taken where nobody says which. Raises title_gone."""
        return self.title_of(table).usual

    def title(self, words: Words, game: str) -> str:
        """What a game is called; a game that is not here, by the name under which it is stored."""
        return words(self.titles[game].text.title) if game in self.titles else game

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
            self.tables.people.acts(user.id, interaction.guild_id, who.stored_name(user)),
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
        return self.words_for(language or await locale_of(client, table.guild))

    async def snapshot(
        self, table_id: int, observer: Observer, words: Words, *, user: int | None = None
    ) -> Snapshot:
        """What the observer sees now; for a `user`, drawn as they want it. Raises Rejected."""
        now = await self.tables.reader.seen(table_id, observer)
        return Snapshot(
            **vars(now),
            text=self.text(now.table),
            words=words,
            user=user,
            ends=GameEnds(self.rules(now.table), now.view),
        )

    async def renewed(self, snapshot: Snapshot) -> Snapshot:
        """The same snapshot, taken now."""
        table = await self.tables.reader.get(snapshot.table.id)
        seq = await self.tables.reader.seq(table.id)
        if seq == snapshot.seq and table.is_over == snapshot.table.is_over:
            return replace(snapshot, table=table)
        return await self.snapshot(table.id, snapshot.observer, snapshot.words, user=snapshot.user)

    async def picture(
        self, snapshot: Snapshot, since: int, events: Sequence[Event]
    ) -> Picture | None:
        """The board, with the `events` after `since` marked; None where it cannot be drawn.

        Nothing is lit on it: others may see it.
        """
        return await self._board(snapshot, since, events, None)

    async def _board(
        self, snapshot: Snapshot, since: int, events: Sequence[Event], asked: AskedWords | None
    ) -> Picture | None:
        of_game = [event for event in events if event.kind not in OF_TABLE]
        return await self._picture(
            snapshot,
            lambda: self._drawing(snapshot, since, of_game, asked),
            lambda: f"{_lit(snapshot, asked)}{_alt(snapshot, of_game, snapshot.names)}",
        )

    def _drawing(
        self, snapshot: Snapshot, since: int, of_game: Sequence[Event], asked: AskedWords | None
    ) -> Coroutine[Any, Any, bytes]:
        moment = _moment(snapshot, since, of_game, asked)
        say, draw = snapshot.words.drawn, self.title_of(snapshot.table).draw
        return self.pictures.board(draw, moment, snapshot.view, plain(snapshot.names), of_game, say)

    def draw_ahead(self, after: LoadedTable, words: Words) -> None:
        """Begins the picture that `picture` will give of a table once that is stored.

        It shows what all may see. Nothing is done where they have heard of nothing since the last
        post, or memory does not reach back to it. Raises Rejected.
        """
        spectators = seen(self.rules(after.table), after, SPECTATOR)
        since = after.table.posted_seq
        events = spectators.events_since(since)
        if events:
            snapshot = Snapshot(**vars(spectators), text=self.text(after.table), words=words)
            of_game = [each for each in events if each.kind not in OF_TABLE]
            self.pictures.begin(self._drawing(snapshot, since, of_game, None))

    def parts(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The parts of the table that can be shown large; none where the board shows all."""
        close_ups = self.title_of(snapshot.table).close_ups
        return () if close_ups is None else close_ups.parts(snapshot.view)

    async def asked_picture(self, snapshot: Snapshot, asked: AskedWords) -> Picture | None:
        """What the snapshot's user is asked, lit on the part of the table in which it lies.

        None where that is nowhere, or cannot be drawn. For their eyes only: raises ValueError for a
        snapshot that everybody gets.
        """
        if snapshot.user is None:
            raise ValueError("what is asked of a person is shown to nobody else")
        part = self.title_of(snapshot.table).part_asked(snapshot.view, asked)
        if part is None:
            return None
        said = None
        if part in self.parts(snapshot):
            said = snapshot.text.close_up(snapshot.words, snapshot.view, part, snapshot.names)
        if said is None:
            picture = await self._board(snapshot, *await self._newest(snapshot), asked)
        else:
            picture = await self.close_up(snapshot, part, said, asked)
        return picture and picture._replace(name=QUESTION)

    async def close_up(
        self, snapshot: Snapshot, part: str, said: CloseUpText, asked: AskedWords | None = None
    ) -> Picture | None:
        """One part of the table, marked as in `own_picture`; None where it cannot be drawn."""
        since, events = await self._newest(snapshot)
        of_game = [event for event in events if event.kind not in OF_TABLE]
        moment = _moment(snapshot, since, of_game, asked)
        say, close_ups = snapshot.words.drawn, self.title_of(snapshot.table).close_ups
        if close_ups is None:
            return None
        draw, shown, names = close_ups.draw, CloseUpKey(moment, part), plain(snapshot.names)
        return await self._picture(
            snapshot,
            lambda: self.pictures.close_up(
                draw, shown, snapshot.view, names, of_game, said.legend, say
            ),
            lambda: f"{_lit(snapshot, asked)}{said.alt}",
        )

    async def _picture(
        self, snapshot: Snapshot, draw: Callable[[], Awaitable[bytes]], alt: Callable[[], str]
    ) -> Picture | None:
        try:
            # The words first: the picture may be on its way already.
            described = alt()
            colours, palette = self.title_of(snapshot.table).colours, await self.palette(snapshot)
            return Picture(colours.of(await draw(), palette), described)
        except StoreUnavailable:
            raise
        # However a drawing fails, the game goes on in words.
        except Exception as error:  # noqa: BLE001
            log.error(
                "table=%s seq=%s has no picture: %s",
                snapshot.table.id,
                snapshot.seq,
                describe(error),
            )
            return None

    async def palette(self, snapshot: Snapshot) -> str:
        """The colours for whom a snapshot is for: one person, or everybody at its server."""
        if snapshot.user is not None:
            return (await self.tables.people.get(snapshot.user)).palette
        if snapshot.table.guild is None:
            return STANDARD
        return (await self.tables.servers.get(snapshot.table.guild)).palette

    async def wants_words(self, snapshot: Snapshot) -> bool:
        """Whether whoever the snapshot is for has boards in words instead of pictures."""
        return (
            snapshot.user is not None and (await self.tables.people.get(snapshot.user)).text_board
        )

    def in_words(self, snapshot: Snapshot, events: Sequence[Event]) -> str:
        """A picture in words: what has just happened, then what matters."""
        return _alt(snapshot, events, snapshot.quoted)

    async def shown_table(
        self, snapshot: Snapshot, asked: AskedWords | None = None
    ) -> list[Text | Image]:
        """The table for the snapshot's user, for the top of a message: as a picture, on which what
        they are `asked` is lit, or in words."""
        if await self.wants_words(snapshot):
            _since, events = await self._newest(snapshot)
            return [Text(self.in_words(snapshot, events), Keep.BEGINNING)]
        picture = None if asked is None else await self.asked_picture(snapshot, asked)
        picture = picture or await self.own_picture(snapshot)
        return [Text(snapshot.words(general.NO_PICTURE)) if picture is None else picture.image()]

    def story(self, snapshot: Snapshot, events: Sequence[Event]) -> list[str]:
        """What happened, in as few lines as possible; the table's own events among the game's."""
        lines: list[str] = []
        for is_of_table, run in _runs(events):
            if is_of_table:
                lines += [_of_table(snapshot, event) for event in run]
            else:
                lines += snapshot.text.story(snapshot.words, run, snapshot.names)
        return lines

    def brief(self, snapshot: Snapshot, events: Sequence[Event]) -> InBrief:
        """The same in a few short lines."""
        lines: list[BriefLine] = []
        for is_of_table, run in _runs(events):
            if is_of_table:
                lines += [BriefLine(_of_table(snapshot, event)) for event in run]
            else:
                lines += snapshot.text.brief(snapshot.words, run, snapshot.names)
        return InBrief(lines)

    async def own_picture(self, snapshot: Snapshot) -> Picture | None:
        """`picture` for the snapshot's observer, with what happened since the last post marked."""
        return await self.picture(snapshot, *await self._newest(snapshot))

    async def _newest(self, snapshot: Snapshot) -> tuple[int, list[Event]]:
        """What the observer has heard since the last post, or the last they heard; with the entry
        before it. In a plan, what its last action brings."""
        if snapshot.plan is not None:
            return snapshot.seq, list(snapshot.tried)
        return await self.tables.reader.newest(snapshot, snapshot.table.posted_seq)


def _runs(events: Sequence[Event]) -> Iterator[tuple[bool, list[Event]]]:
    """The newest events, those of the table (True) and of its game apart, in their order."""
    for is_of_table, run in groupby(events[-MOST_TOLD:], lambda event: event.kind in OF_TABLE):
        yield is_of_table, list(run)


def _moment(
    snapshot: Snapshot, since: int, of_game: Sequence[Event], asked: AskedWords | None
) -> PictureKey:
    marked = repr(list(of_game)).encode()
    return PictureKey(
        snapshot.table.id,
        snapshot.seq,
        since,
        snapshot.observer,
        snapshot.words.locale,
        plain(snapshot.names),
        asked,
        snapshot.plan,
        blake2b(snapshot.fingerprint + marked, digest_size=PRINT_BYTES).digest(),
    )


def _lit(snapshot: Snapshot, asked: AskedWords | None) -> str:
    """The beginning of an alt text: whether it is a plan, and what is lit."""
    plan = "" if snapshot.plan is None else snapshot.words(plans.ALT) + " "
    if asked is None:
        return plan
    names = snapshot.words.listing(list(dict.fromkeys(filter(None, asked.names))))
    return plan + snapshot.words(general.LIT, names=names) + " "


def _alt(snapshot: Snapshot, events: Sequence[Event], names: Sequence[Name]) -> str:
    of_game = [event for event in events[-MOST_TOLD:] if event.kind not in OF_TABLE]
    return snapshot.text.alt(snapshot.words, snapshot.view, of_game, names)


def _of_table(snapshot: Snapshot, event: Event) -> str:
    match event:
        case Undone():
            return undo.undone(snapshot.words, snapshot.names[event.seat], event.count)
        case PromiseEvent():
            seat, other = snapshot.names[event.seat], snapshot.names[event.other]
            said = PROMISES[type(event)]
            return promise_text.told(snapshot.words, said, seat, other, event.words)
        case SeatEvent():
            return snapshot.words(MATTERS[event.kind], name=bold(snapshot.names[event.seat]))
    return snapshot.words(table_words.IMPORTED, hash=snapshot.table.key_hash)


def gives_hints(services: Services, table: Table) -> bool:
    """Whether there is a strong player for what a table plays, and anybody to think for it. Raises
    title_gone."""
    return services.title_of(table).mind is not None and services.thinkers.can_think


def allows_hints(services: Services, table: Table) -> bool:
    """Whether people at the table may ask the strong player. Raises title_gone."""
    return gives_hints(services, table) and term(table, HINTS) != OFF


def shows_hints(services: Services, table: Table) -> bool:
    """Whether everybody's panel has a button for it. Raises title_gone."""
    return gives_hints(services, table) and term(table, HINTS) == ON


def offered_terms(services: Services, table: Table) -> tuple[Option, ...]:
    """What the table can agree on; nothing of hints where there are none. Raises title_gone."""
    has_hints = gives_hints(services, table)
    return tuple(each for each in TERMS if has_hints or each.name != HINTS)


def agreed(services: Services, table: Table) -> Mapping[str, str]:
    """The value of each of these that holds. Raises title_gone."""
    return {each.name: term(table, each.name) for each in offered_terms(services, table)}
