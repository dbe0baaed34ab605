"""What a table posts once its game is over: its last post, the story with the chart of points, and
an animation.

Story and animation are outbox items of their own, each sent once. They are made turn by turn, so
that neither the event loop nor the drawing threads are held for long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from bot.cogs.posting.context import PostingContext, happened
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
"""In a longer game a frame shows several turns."""
HOLD_MS = 900
LAST_HOLD_MS = 6000


async def last_post(
    posting: PostingContext, table_view: TableView, told: Summary, picture: Image | None
) -> Layout:
    """What happened, the result, and the key behind the draws, unless the game was given up: others
    could work out with it what was secret."""
    words, table = table_view.words, table_view.table
    result = result_of(posting, table_view)
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
    called = [str(owners[player.seat]) for player in table.owners]
    over = words("🏁 {players}, the game is over.", players=words.listing(called))
    presses = [
        button(CustomId("board", table.id), words(general.BOARD)),
        button(CustomId("log", table.id), words("Log")),
        button(CustomId("replay", table.id), words(general.REPLAY)),
    ]
    if table.owners:
        presses.append(button(CustomId("rematch", table.id), words("Rematch")))
    if table_view.accepted_promises:
        presses.append(button(CustomId("promises", table.id), words(promise_text.PROMISES)))
    return Layout(
        [
            picture or Text(words(general.NO_PICTURE)),
            *happened(table_view, told),
            Text(over if called else ""),
            Text(result),
            Text(f"-# {revealed if key else withheld}"),
            *rows(presses),
        ]
    )


def result_of(posting: PostingContext, table_view: TableView) -> str:
    """How a game has ended, in words."""
    if table_view.outcome is None:
        return table_view.words(general.ABANDONED)
    return table_view.text.outcome(table_view.outcome, table_view.looks)


async def end_unread(posting: PostingContext, words: Words, table: Table) -> None:
    """Posts the end of a table whose game cannot be read here, in words alone.

    Acknowledges all items of the table but its lobby's. Raises Closed.
    """
    items = await posting.tables.outbox.items(table.id)
    items = [row for row in items if row.kind is not OutboxKind.LOBBY]
    sent = None
    if any(row.kind is OutboxKind.END for row in items):
        over = Text(f"### {posting.services.heading(words, table)}\n{words(general.ABANDONED)}")
        new = NewMessage(table=table, what="unread", content=Layout([over]))
        sent = await posting.places.send(new)
        if table.panel_message is not None:
            place = table.thread or table.channel
            change = posting.places.replace_buttons
            posting.tidy(table.id, change, table, place, table.panel_message)
    await posting.tables.outbox.acknowledge(items, sent=filter(None, [sent]))


async def post_game(
    posting: PostingContext, table_view: TableView, items: Sequence[OutboxItem]
) -> None:
    """Post the story and the animation of a whole game, each once. Raises Closed."""
    for row in items:
        sent = None
        try:
            make = _story if row.kind is OutboxKind.STORY else _film
            made = await make(posting, table_view)
        except Rejected:
            raise
        # However a drawing fails, it is not retried for ever.
        except Exception as error:  # noqa: BLE001
            log.error(
                "final post failed table=%s kind=%s error=%s",
                row.table,
                row.kind.value,
                describe(error),
            )
            made = None
        if made is not None:
            new = NewMessage(table=table_view.table, what=row.kind.value, content=made)
            sent = await posting.places.send(new)
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
    lasted = turns[-1].ended - turns[0].ended
    lines = chronicle(table_view.text, moments, table_view.outcome, lasted)
    course = chart.Course(
        title=words("{what}, turn by turn", what=table_view.text.scored),
        axis=words(AXIS),
        names=plain(names),
        lines=[*zip(*(moment.scores for moment in moments), strict=True)],
        rounds=[moment.round for moment in moments],
        looks=table_view.looks,
    )
    png = await services.pictures.draw(partial(chart.draw, course))
    png = chart.COLOURS.of(png, await services.palette(table_view))
    alt = points_alt(table_view.text, moments)
    content = Text("\n".join(["### " + words("The story of the game"), *lines]))
    return Layout([Image(f"points-{table_view.table.id}.png", alt, png), content])


async def _film(posting: PostingContext, table_view: TableView) -> Layout | None:
    words, table, services = table_view.words, table_view.table, posting.services
    turns, palette = await _turns(posting, table_view), await services.palette(table_view)
    title, film = services.title_of(table), Film()
    together = -(-len(turns) // MAX_FRAMES)
    events: list[Event] = []
    alt, number = "", 0
    async for turn, view in _views(posting, table_view, turns):
        number += 1
        events += game_events(turn.events)
        is_last = number == len(turns)
        if number % together and not is_last:
            continue
        hold = LAST_HOLD_MS if is_last else HOLD_MS
        names, say = plain(table_view.names), words.drawn
        # Each frame waits for its turn, so that no other picture must wait for a whole film.
        drawn = (view, names, events, None, say)
        await services.pictures.draw(partial(_add_frame, film, title, palette, hold, *drawn))
        if is_last:
            board = table_view.text.at(view).alt(events)
            alt = words("The board turn by turn. The final board: {board}", board=board)
        events = []
        if film.size > MAX_FILM:
            log.info("animation too large, skipped table=%s", table.id)
            return None
    presses = [button(CustomId("replay", table.id), words(general.REPLAY))]
    if title.judgement is not None and services.search_pool.can_think:
        presses.append(button(CustomId("review", table.id), words("Review")))
    moving = Image(f"game-{table.id}.gif", alt, film.gif())
    return Layout([moving, Text(words("The whole game, turn by turn.")), Row(presses)])


def _add_frame(film: Film, title: Title, palette: str, hold_ms: int, *drawn: Any) -> None:
    film.add(title.pictures.colours.of(title.pictures.draw(*drawn), palette), hold_ms)


async def _turns(posting: PostingContext, table_view: TableView) -> list[PastTurn]:
    turns = await posting.tables.history.turns(table_view.table.id, SPECTATOR)
    return [turn for turn in turns if turn.in_effect]


async def _views(
    posting: PostingContext, table_view: TableView, turns: Sequence[PastTurn]
) -> AsyncIterator[tuple[PastTurn, Any]]:
    """The turns with the public view after each; yields to the event loop in between."""
    for turn in turns:
        yield turn, await posting.tables.history.view(table_view.table.id, SPECTATOR, turn.last)
        await asyncio.sleep(0)
