"""The film of a game, films of some of its rounds, its moments, and its replay as a page.

They show what spectators saw. They are built turn by turn, and each frame queues separately, to
keep the event loop and the drawing threads free for other work.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from bot.cogs.panel.open_panels import OpenPanel
from bot.cogs.ui import (
    EXPECTED_ERRORS,
    MAX_OPTIONS,
    NO_MENTIONS,
    SELECT,
    SEND_ERRORS,
    STARTED,
    Control,
    CustomId,
    Image,
    Layout,
    Press,
    Reply,
    Services,
    TableOption,
    TableView,
    command,
    error_text,
    integer,
    option,
    reason,
    route,
    select,
    text_layout,
    with_file,
)
from bot.cogs.ui.custom_id import MAX_NUMBER, Forged
from bot.cogs.ui.pictures import PictureKey
from bot.cogs.ui.table_view import game_events
from bot.game.contract import SPECTATOR, Event, Outcome
from bot.render import chart
from bot.render.film import Chapter, Film
from bot.render.moments import Moments, draw_moments
from bot.render.sides import seat_names
from bot.tables import PastTurn, Rejected, Table
from bot.text import Label, Message, Words, bold, general, msg, plain
from bot.text.chronicle import ChronicleTurn, round_name, turning_points
from bot.titles.replay_page import PageTooLarge, ReplayStep, course_of, replay_page
from bot.titles.title import Title
from bot.workers import SharedTasks, describe

log = logging.getLogger(__name__)

MAX_FILM = 8 * 1024 * 1024
MAX_FRAMES = 150
"""In a longer game each frame covers several turns."""
HOLD_MS = 900
LAST_HOLD_MS = 6000


Make = Callable[[Services, TableView], Awaitable[Layout]]


class FilmDialogue:
    """Films of some rounds, moments and pages, shown in private."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._one_at_a_time = asyncio.Lock()
        self._tasks = SharedTasks[int]()
        """The films and pages in progress, by the message that will show each."""
        self.at_work = self._tasks.cancelled_at_end

    @command("table film", among=STARTED)
    async def film(
        self, reply: Reply, first: int = 0, last: int = MAX_NUMBER, *, table: TableOption
    ) -> None:
        """Make a film of the rounds from `first` to `last`; it replaces the answer when it is
        ready."""
        _within(await public_turns(self._services, table), first, last)
        saying = msg("Making the film. It will appear here in a minute or two.")
        await self._begin(reply, table, saying, partial(_some_rounds, first, last))

    @route("film", SELECT, words=(1,))
    async def part(self, press: Press) -> None:
        """Make a film of as many rounds as the id says, from the chosen one on."""
        first = integer(press.values)
        last = first + integer(press.custom_id.words) - 1
        await self.film(press.reply, first, last, table=press.table)

    @route("savereplay")
    async def save_replay(self, press: Press) -> None:
        """Make a page of a game that is over; it replaces the answer when it is ready."""
        if not press.table.is_over:
            raise Forged
        saying = msg("Saving the replay. The file will appear here in a minute or two.")
        await self._begin(press.reply, press.table, saying, _page)

    async def _begin(self, reply: Reply, table: Table, saying: Message, make: Make) -> None:
        await reply.say(reply.words(saying))
        if reply.message is not None:
            shown = OpenPanel(reply.interaction, reply.message, reply.is_original, time.monotonic())
            self._tasks.start(reply.message, partial(self._make, shown, table, make))

    async def _make(self, shown: OpenPanel, table: Table, make: Make) -> None:
        services, user = self._services, shown.interaction.user.id
        words = services.words_of(shown.interaction)
        try:
            async with self._one_at_a_time:
                table_view = await services.table_view(table.id, SPECTATOR, words, user=user)
                layout = await make(services, table_view)
        except EXPECTED_ERRORS as error:
            layout = text_layout(error_text(services, words, error, table))
        # Whatever fails, the waiting user must get an answer.
        except Exception as error:  # noqa: BLE001
            log.error("film failed table=%s error=%s", table.id, describe(error))
            layout = text_layout(words("I couldn't make this. Please try again later."))
        try:
            await shown.edit(**layout.edited(), allowed_mentions=NO_MENTIONS)
        except SEND_ERRORS as error:
            # They have left, or it took too long.
            log.info("film not shown user=%s error=%s", user, reason(error))

    @route("moments")
    @command("table moments", among=STARTED)
    async def moments(self, reply: Reply, table: TableOption) -> None:
        """Show a finished game in one picture."""
        services, words = self._services, reply.words
        table_view = await services.table_view(table.id, SPECTATOR, words, user=reply.user)
        if table_view.outcome is None:
            raise Rejected("moments_not_over")
        picture = await _moments(services, table_view, table_view.outcome)
        title = bold(services.heading(words, table)) if picture else words(general.NO_PICTURE)
        await reply.say(text_layout(title, image=picture))


# Films


async def film_of(
    services: Services,
    table_view: TableView,
    turns: Sequence[PastTurn],
    first: int = 0,
    last: int = MAX_NUMBER,
) -> Image | None:
    """Return the film of the rounds from `first` to `last`, or None if it is too large.

    `turns` are those of the whole game; the set-up is in round 0. Raise film_rounds if there is no
    turn in these rounds.
    """
    words, table, title = table_view.words, table_view.table, services.title_of(table_view.table)
    palette = await services.palette(table_view)
    rounds = sorted({turn.round for turn in turns})
    shown, film = _within(turns, first, last), Film()
    turns_per_frame = -(-len(shown) // MAX_FRAMES)
    events: list[Event] = []
    alt, number = "", 0
    async for turn, view in _views(services, table, shown):
        number += 1
        events += game_events(turn.events)
        is_last = number == len(shown)
        if number % turns_per_frame and not is_last:
            continue
        name, place = round_name(words, turn.round), rounds.index(turn.round)
        drawing = (view, plain(table_view.names), events, None, words.drawn)
        add = partial(_add_frame, film, title, palette, Chapter(name, place, len(rounds)))
        await services.pictures.draw(partial(add, LAST_HOLD_MS if is_last else HOLD_MS, *drawing))
        if film.size > MAX_FILM:
            return None
        if is_last:
            board = table_view.text.at(view).alt(events)
            alt = words("The board turn by turn. The final board: {board}", board=board)
        events = []
    return Image(f"game-{table.id}.gif", alt, film.gif())


async def _some_rounds(first: int, last: int, services: Services, table_view: TableView) -> Layout:
    turns = await public_turns(services, table_view.table)
    film = await film_of(services, table_view, turns, first, last)
    if film is None:
        raise Rejected("film_too_large")
    return text_layout(bold(services.heading(table_view.words, table_view.table)), image=film)


def _within(turns: Sequence[PastTurn], first: int, last: int) -> list[PastTurn]:
    shown = [turn for turn in turns if first <= turn.round <= last]
    if not shown:
        raise Rejected("film_rounds", last=max(turns[-1].round, 1))
    return shown


def _add_frame(
    film: Film, title: Title, palette: str, chapter: Chapter, hold_ms: int, *drawing: Any
) -> None:
    board = title.pictures.colours.of(title.pictures.draw(*drawing), palette)
    film.add(board, hold_ms, chapter)


def parts_select(words: Words, table: Table, turns: Sequence[PastTurn]) -> list[Control]:
    """Return a select of the rounds of a game, in groups if there are many; empty if there is only
    one."""
    last = max(turns[-1].round, 1)
    step = -(-last // MAX_OPTIONS)
    names = []
    for first in range(1, last + 1, step):
        end = min(first + step - 1, last)
        name = words("Rounds {first}–{last}", first=first, last=end)
        names.append(option(str(first), Label(round_name(words, first) if first == end else name)))
    chosen = CustomId("film", table.id, words=(str(step),))
    return [select(chosen, names, words("Film of some rounds…"))] if last > 1 else []


# Pages


async def _page(services: Services, table_view: TableView) -> Layout:
    words, table = table_view.words, table_view.table
    past = await services.tables.history.finished(table.id)
    turns = await public_turns(services, table)
    steps = [
        ReplayStep(turn.round, turn.seat, turn.events, past.blobs[turn.last]) for turn in turns
    ]
    lasted, palette = turns[-1].ended - turns[0].ended, await services.palette(table_view)
    title = services.title_of(table)
    parts = replay_page(title, table.names, table.options, steps, lasted, palette)
    try:
        page = None
        while page is None:
            page = await services.pictures.draw(partial(next, parts))
    except PageTooLarge as error:
        raise Rejected("page_too_large") from error
    content = words(
        "Table {table}: the whole game as everyone saw it. Open the file in a browser; it "
        "also works offline.",
        table=table.id,
    )
    return with_file(content, f"{table.game}-table-{table.id}.html", page)


# Moments


async def public_turns(services: Services, table: Table) -> list[PastTurn]:
    """Return the turns in effect, as spectators saw them."""
    turns = await services.tables.history.turns(table.id, SPECTATOR)
    return [turn for turn in turns if turn.in_effect]


async def _views(
    services: Services, table: Table, turns: Sequence[PastTurn]
) -> AsyncIterator[tuple[PastTurn, Any]]:
    """Yield each turn with the public view after it. Gives way to other tasks in between."""
    for turn in turns:
        yield turn, await services.tables.history.view(table.id, SPECTATOR, turn.last)
        await asyncio.sleep(0)


async def chronicle_turns(
    services: Services, table_view: TableView, turns: Sequence[PastTurn]
) -> list[ChronicleTurn]:
    """Return turns with the points after each."""
    return [
        ChronicleTurn(
            turn.round, turn.seat, game_events(turn.events), table_view.text.at(view).scores()
        )
        async for turn, view in _views(services, table_view.table, turns)
    ]


async def _moments(services: Services, table_view: TableView, outcome: Outcome) -> Image | None:
    words, text, table = table_view.words, table_view.text, table_view.table
    story = await chronicle_turns(services, table_view, await public_turns(services, table))
    points = turning_points(text, story, outcome)
    course = course_of(text, story, table_view.looks)._replace(
        names=seat_names(plain(table_view.names), words.drawn("Player"), table_view.looks),
        turnings=[chart.Turning(each.place, each.seat, n) for n, each in enumerate(points, 1)],
    )
    game = Moments(
        title=words(text.title),
        note=words.plural("1 round", "{count} rounds", story[-1].round),
        outcome=outcome,
        course=course,
        moments=[(round_name(words, story[each.place].round), each.content) for each in points],
    )
    # Without events, so that none is marked.
    board = await services.picture(table_view, table_view.seq, ())
    if board is None or board.data is None:
        return None
    palette, bar = await services.palette(table_view), table_view.title.pictures.bar
    shown = table.id, table_view.seq, 0, SPECTATOR, words.locale, tuple(course.names)
    key = PictureKey(*shown, part=f"moments {palette}")
    png = await services.pictures.board(key, partial(draw_moments, game, board.data, bar, palette))
    places = sorted(zip(outcome.places, course.names, outcome.scores, strict=True))
    alt = [
        f"{game.title}, {game.note}.",
        *(f"{place}. {name}: {points}." for place, name, points in places),
        *(f"{name}: {content}" for name, content in game.moments),
        board.alt,
    ]
    return Image(f"moments-{table.id}.png", " ".join(alt), png)
