"""Posts at the end of a game: the last post, the story with a chart of points, and an animation.

Story and animation are separate outbox items, each sent once. They are built turn by turn, to keep
the event loop and the drawing threads free for other work.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from bot.cogs.posting.context import PostingContext, summary_parts
from bot.cogs.ui import (
    CustomId,
    Image,
    Layout,
    NewMessage,
    Row,
    TableView,
    Text,
    button,
    owners_of,
    rows,
)
from bot.cogs.ui.table_view import game_events
from bot.game.contract import SPECTATOR, Event
from bot.render import chart
from bot.render.film import Film
from bot.tables import OutboxItem, OutboxKind, PastTurn, Rejected, Table
from bot.text import Summary, Words, general, plain
from bot.text import promises as promise_text
from bot.text.chronicle import AXIS, ChronicleTurn, chronicle, points_alt
from bot.titles.title import Title
from bot.workers import describe

log = logging.getLogger(__name__)

MAX_FILM = 8 * 1024 * 1024
MAX_FRAMES = 150
"""In a longer game each frame covers several turns."""
HOLD_MS = 900
LAST_HOLD_MS = 6000


async def last_post(
    posting: PostingContext, table_view: TableView, summary: Summary, picture: Image | None
) -> Layout:
    """Return the last post: the events, the result, and the key of the draws.

    The key of an abandoned game stays secret, because it would reveal hidden information.
    """
    words, table = table_view.words, table_view.table
    result = result_of(table_view)
    if table_view.outcome is not None and await posting.tables.results.is_unrated(table):
        unrated = words(
            "This game doesn't count for ratings: fewer than two people played its last third."
        )
        result += f"\n-# {unrated}"
    key = (await posting.tables.reader.key(table.id)).hex()
    revealed = words(
        "Fairness check (key): `{key}`. Use the file from `/game export` to verify every draw.",
        key=key,
    )
    withheld = words(
        "The players of this game can get the file to verify every draw with `/game export`."
    )
    owners = owners_of(words, table)
    mentions = [str(owners[player.seat]) for player in table.owners]
    over = words("🏁 {players}, the game is over.", players=words.listing(mentions))
    buttons = [
        button(CustomId("board", table.id), words(general.BOARD)),
        button(CustomId("log", table.id), words("Log")),
        button(CustomId("replay", table.id), words(general.REPLAY)),
    ]
    if table.owners:
        buttons.append(button(CustomId("rematch", table.id), words("Rematch")))
    if table_view.accepted_promises:
        buttons.append(button(CustomId("promises", table.id), words(promise_text.PROMISES)))
    return Layout(
        [
            picture or Text(words(general.NO_PICTURE)),
            *summary_parts(table_view, summary),
            Text(over if mentions else ""),
            Text(result),
            Text(f"-# {revealed if key else withheld}"),
            *rows(buttons),
        ]
    )


def result_of(table_view: TableView) -> str:
    """Return the text of the game's result."""
    if table_view.outcome is None:
        return table_view.words(general.ABANDONED)
    return table_view.text.outcome(table_view.outcome, table_view.looks)


async def end_unread(posting: PostingContext, words: Words, table: Table) -> None:
    """Post the end of a table whose game this version cannot read, without a picture.

    Acknowledge all items of the table except its lobby's. Raise Closed.
    """
    items = await posting.tables.outbox.items(table.id)
    items = [row for row in items if row.kind is not OutboxKind.LOBBY]
    sent = None
    if any(row.kind is OutboxKind.END for row in items):
        over = Text(f"### {posting.services.heading(words, table)}\n{words(general.ABANDONED)}")
        new = NewMessage(table=table, kind="unread", content=Layout([over]))
        sent = await posting.sender.send(new)
        if table.panel_message is not None:
            place = table.thread or table.channel
            change = posting.sender.replace_buttons
            posting.tidy(table.id, change, table, place, table.panel_message)
    await posting.tables.outbox.acknowledge(items, sent=filter(None, [sent]))


async def post_game(
    posting: PostingContext, table_view: TableView, items: Sequence[OutboxItem]
) -> None:
    """Post the story and the animation of a game, each once. Raise Closed."""
    for row in items:
        sent = None
        try:
            make = _story if row.kind is OutboxKind.STORY else _film
            content = await make(posting, table_view)
        except Rejected:
            raise
        # A failing drawing must not be retried for ever.
        except Exception as error:  # noqa: BLE001
            log.error(
                "final post failed table=%s kind=%s error=%s",
                row.table,
                row.kind.value,
                describe(error),
            )
            content = None
        if content is not None:
            new = NewMessage(table=table_view.table, kind=row.kind.value, content=content)
            sent = await posting.sender.send(new)
        await posting.tables.outbox.acknowledge([row], sent=filter(None, [sent]))


async def _story(posting: PostingContext, table_view: TableView) -> Layout | None:
    words, names, services = table_view.words, table_view.names, posting.services
    if table_view.outcome is None:
        return None
    turns = await _turns(posting, table_view)
    moments = [
        ChronicleTurn(
            turn.round, turn.seat, game_events(turn.events), table_view.text.at(view).scores()
        )
        async for turn, view in _views(posting, table_view, turns)
    ]
    duration = turns[-1].ended - turns[0].ended
    lines = chronicle(table_view.text, moments, table_view.outcome, duration)
    course = chart.Course(
        title=words("{what}, turn by turn", what=table_view.text.scored),
        axis=words(AXIS),
        names=plain(names),
        lines=[*zip(*(moment.scores for moment in moments), strict=True)],
        rounds=[moment.round for moment in moments],
        looks=table_view.looks,
    )
    palette = await services.palette(table_view)
    png = await services.pictures.draw(partial(chart.draw, course, palette))
    alt = points_alt(table_view.text, moments)
    content = Text("\n".join(["### " + words("The story of the game"), *lines]))
    return Layout([Image(f"points-{table_view.table.id}.png", alt, png), content])


async def _film(posting: PostingContext, table_view: TableView) -> Layout | None:
    words, table, services = table_view.words, table_view.table, posting.services
    turns, palette = await _turns(posting, table_view), await services.palette(table_view)
    title, film = services.title_of(table), Film()
    turns_per_frame = -(-len(turns) // MAX_FRAMES)
    events: list[Event] = []
    alt, number = "", 0
    async for turn, view in _views(posting, table_view, turns):
        number += 1
        events += game_events(turn.events)
        is_last = number == len(turns)
        if number % turns_per_frame and not is_last:
            continue
        hold = LAST_HOLD_MS if is_last else HOLD_MS
        # Each frame queues separately: other pictures must not wait for a whole film.
        drawing = (view, plain(table_view.names), events, None, words.drawn)
        await services.pictures.draw(partial(_add_frame, film, title, palette, hold, *drawing))
        if is_last:
            board = table_view.text.at(view).alt(events)
            alt = words("The board turn by turn. The final board: {board}", board=board)
        events = []
        if film.size > MAX_FILM:
            log.info("animation too large, skipped table=%s", table.id)
            return None
    buttons = [button(CustomId("replay", table.id), words(general.REPLAY))]
    if title.judgement is not None and services.search_pool.can_think:
        buttons.append(button(CustomId("review", table.id), words("Review")))
    animation = Image(f"game-{table.id}.gif", alt, film.gif())
    return Layout([animation, Text(words("The whole game, turn by turn.")), Row(buttons)])


def _add_frame(film: Film, title: Title, palette: str, hold_ms: int, *drawing: Any) -> None:
    film.add(title.pictures.colours.of(title.pictures.draw(*drawing), palette), hold_ms)


async def _turns(posting: PostingContext, table_view: TableView) -> list[PastTurn]:
    turns = await posting.tables.history.turns(table_view.table.id, SPECTATOR)
    return [turn for turn in turns if turn.in_effect]


async def _views(
    posting: PostingContext, table_view: TableView, turns: Sequence[PastTurn]
) -> AsyncIterator[tuple[PastTurn, Any]]:
    """Yield each turn with the public view after it. Gives way to other tasks in between."""
    for turn in turns:
        yield turn, await posting.tables.history.view(table_view.table.id, SPECTATOR, turn.last)
        await asyncio.sleep(0)
