"""Posts at the end of a game: the last post, the story with a chart of points, and an animation.

Story and animation are separate outbox items, each sent once.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

from bot.cogs.dialogues.films import (
    chronicle_turns,
    film_of,
    parts_select,
    public_turns,
)
from bot.cogs.dialogues.predictions import best_line
from bot.cogs.posting.context import PostingContext, summary_parts
from bot.cogs.ui import (
    CustomId,
    Image,
    Keep,
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
from bot.render import chart
from bot.tables import OutboxItem, OutboxKind, PastTurn, Rejected, Table
from bot.tables.awards import Claim, NewAward
from bot.tables.core.outbox import write_sent
from bot.text import Summary, Words, Written, bold, general, msg
from bot.text import promises as promise_text
from bot.text.awards import awards, measured
from bot.text.chronicle import chronicle, points_alt
from bot.titles.replay_page import course_of
from bot.workers import describe

log = logging.getLogger(__name__)


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
    predicted = best_line(words, table, await posting.tables.predictions.at(table.id, counted=True))
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
            Text(predicted),
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
        sent, claims = None, list[Claim]()
        try:
            turns = await public_turns(posting.services, table_view.table)
            if row.kind is OutboxKind.STORY:
                claims = _claims(table_view, turns)
                content = await _story(posting, table_view, turns, claims)
            else:
                content = await _film(posting, table_view, turns)
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
        noted = [] if sent is None else [sent]
        if claims:
            write = partial(write_sent, items=[row], sent=noted)
            await posting.tables.awards.give(table_view.table, claims, write)
        else:
            await posting.tables.outbox.acknowledge([row], sent=noted)


def _claims(table_view: TableView, turns: Sequence[PastTurn]) -> list[Claim]:
    """Return all values of a game that may bring awards; none if it was abandoned."""
    outcome = table_view.outcome
    if outcome is None or table_view.table.guild is None:
        return []
    events = [event for turn in turns for event in game_events(turn.events)]
    rounds = max(turn.round for turn in turns)
    return [
        Claim(name, seat, value, award.better)
        for name, award in awards(table_view.table.game).items()
        for seat, value in measured(award, events, outcome, rounds)
    ]


def award_lines(words: Words, game: str, new: Sequence[NewAward]) -> list[str]:
    """Return up to two lines. The first record of its kind in a server is not mentioned."""
    records, others = list[str](), list[str]()
    for claim, person, beaten in new:
        award, name = awards(game)[claim.award], bold(Written(person.name))
        described = award.described(words, claim.value)
        if not claim.better:
            others.append(words("{name}: {award}", name=name, award=described))
        elif beaten is not None:
            records.append(
                words(
                    "{name}: {award}; the old record was {before}, by {other}",
                    name=name,
                    award=described,
                    before=words.phrase(award.text, beaten.value),
                    other=bold(Written(beaten.name)),
                )
            )
    return [
        words(line, awards=" · ".join(shown))
        for line, shown in (
            (msg("🏅 New records on this server: {awards}"), records),
            (msg("🎖️ Achievements: {awards}"), others),
        )
        if shown
    ]


async def _story(
    posting: PostingContext,
    table_view: TableView,
    turns: Sequence[PastTurn],
    claims: Sequence[Claim],
) -> Layout | None:
    words, table, services = table_view.words, table_view.table, posting.services
    if table_view.outcome is None:
        return None
    story = await chronicle_turns(services, table_view, turns)
    lines = chronicle(table_view.text, story, table_view.outcome, turns[-1].ended - turns[0].ended)
    palette = await services.palette(table_view)
    course = course_of(table_view.text, story, table_view.looks)
    png = await services.pictures.draw(partial(chart.draw, course, palette))
    alt = points_alt(table_view.text, story)
    new = award_lines(words, table.game, await posting.tables.awards.new(table, claims))
    moments = button(CustomId("moments", table.id), words("Show highlights"))
    return Layout(
        [
            Image(f"points-{table.id}.png", alt, png),
            Text("\n".join(["### " + words("The story of the game"), *lines]), Keep.BEGINNING),
            Text("\n".join(new), Keep.BEGINNING),
            Row([moments]),
        ]
    )


async def _film(
    posting: PostingContext, table_view: TableView, turns: Sequence[PastTurn]
) -> Layout | None:
    words, table, services = table_view.words, table_view.table, posting.services
    animation = await film_of(services, table_view, turns)
    if animation is None:
        log.info("animation too large, skipped table=%s", table.id)
        return None
    buttons = [button(CustomId("replay", table.id), words(general.REPLAY))]
    if services.title_of(table).judgement is not None and services.search_pool.can_think:
        buttons.append(button(CustomId("review", table.id), words("Review")))
    parts = parts_select(words, table, turns)
    shown = Text(words("The whole game, turn by turn."))
    return Layout([animation, shown, *rows([*buttons, *parts])])
