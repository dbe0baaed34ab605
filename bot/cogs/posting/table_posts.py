"""Posts of a table other than its turns: the lobby, votes, and the warning of an idle table.

The lobby's message is posted once, then edited until the game starts or the table closes. A new one
is posted to ping the players of an idle lobby that will close.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

import discord

from bot.cogs.dialogues.lobby import LobbyDialogue
from bot.cogs.dialogues.votes import VoteDialogue, agree_id
from bot.cogs.posting.context import PostingContext, table_button
from bot.cogs.posting.work_queue import run_all
from bot.cogs.ui import (
    Control,
    CustomId,
    Held,
    Keep,
    Layout,
    NewMessage,
    Row,
    TableView,
    Text,
    Unreachable,
    agreed_terms,
    button,
    names_of,
    owners_of,
    table_link,
)
from bot.cogs.ui.waiting import absences
from bot.tables import (
    ABOUT_SEAT,
    HINTS,
    OutboxItem,
    OutboxKind,
    Proposal,
    Status,
    Table,
    Verdict,
    term,
)
from bot.tables.core.seating import ANYONE, PLAYERS
from bot.tables.core.unit_of_work import LOBBY_UNTIL_WARNED
from bot.tables.idleness import IDLE_DAYS
from bot.text import Style, Words, bold, general, terms
from bot.text.general import LobbySeat

log = logging.getLogger(__name__)


async def post_lobby(
    posting: PostingContext,
    options: LobbyDialogue,
    words: Words,
    table: Table,
    items: Sequence[OutboxItem],
) -> None:
    """Post the lobby, or edit its message, and acknowledge the items.

    Raise Closed if the bot may not post in the channel.
    """
    outbox, sender = posting.tables.outbox, posting.sender
    posting.tidy(table.id, options.follow, table)
    closes = await posting.tables.idleness.closes(table.id)
    # Other pings are warnings of a lobby that is no longer idle.
    is_new = table.created + LOBBY_UNTIL_WARNED > posting.tables.notifications.now()
    pinged: list[int] = []
    if (closes is not None or is_new) and table.status is Status.LOBBY:
        pinged = await _ping(posting, words, table, closes, items)
        table = await posting.tables.reader.get(table.id)
    if table.status is Status.LOBBY:
        lobby = await _open(posting, words, table, closes, is_pinged=bool(closes or pinged))
    else:
        is_expired = any(row.kind is OutboxKind.EXPIRED for row in items)
        lobby = _ended(posting, words, table, is_expired=is_expired)
    message = table.lobby_message
    if message is not None and not pinged:
        if table.status is not Status.LOBBY:
            await posting.attempt(table.id, sender.edit, table, table.channel, message, lobby)
            await outbox.acknowledge(items)
            return
        # An old message that can no longer be edited is replaced by a new one.
        if await sender.edit(table, table.channel, message, lobby) is not None:
            await outbox.acknowledge(items)
            return
    elif table.is_over:
        # The table was closed or imported before its lobby was posted.
        await outbox.acknowledge(items)
        return
    button_id = CustomId("join", table.id).encoded()
    sent = await sender.send(
        NewMessage(
            table=table,
            kind="lobby",
            content=lobby,
            button_id=button_id,
            pinged=pinged,
            dm_tried=True,
        )
    )
    if sent is None:
        await outbox.acknowledge(items)
        return
    if sent.numbered.begun_seq is not None:
        # It was sent before a restart, and may be out of date.
        await sender.edit(table, sent.place, sent.message, lobby)
    await outbox.acknowledge(items, table_id=table.id, lobby_message=sent.message, sent=[sent])
    if message is not None and message != sent.message:
        posting.tidy(table.id, sender.remove, table.thread or table.channel, message)


async def _ping(
    posting: PostingContext,
    table_words: Words,
    table: Table,
    closes: datetime | None,
    items: Sequence[OutboxItem],
) -> list[int]:
    """Ping players by direct message, if they want that: the lobby closes, or was found.

    Return the users to ping in the lobby instead.
    """
    pinged = list[int]()
    for player in table.owners:
        rows = [row for row in items if row.kind is OutboxKind.PING and row.seat == player.seat]
        if not rows or player.user is None:
            continue
        if not await posting.tables.notifications.wants_direct(player):
            pinged.append(player.user)
            continue
        words = await posting.services.user_words(player.user, table_words)
        heading = bold(posting.services.heading(words, table))
        content = Text(f"{heading}\n{_why_pinged(words, closes)}")
        keep = [] if closes is None else [_keep_button(words, table)]
        layout = Layout([content, Row([*keep, table_button(words, table)])])
        kind = f"call{player.seat}"
        try:
            sent = await posting.sender.send(
                NewMessage(table=table, kind=kind, content=layout, to=player)
            )
        except Held:
            # The post in the lobby has them pinged when their quiet hours end.
            pinged.append(player.user)
            continue
        except Unreachable as error:
            log.info("direct message refused table=%s seat=%s", table.id, player.seat)
            if error.closed:
                await posting.tables.lobby.set_reachable(table.id, player.user, False)
            pinged.append(player.user)
            continue
        await posting.tables.outbox.acknowledge(rows, sent=filter(None, [sent]))
    return pinged


def _ended(posting: PostingContext, words: Words, table: Table, *, is_expired: bool) -> Layout:
    """Return the message of a lobby after the game has started or the table has closed."""
    lines = [f"### {posting.services.heading(words, table)}"]
    if not table.is_over:
        place = f"<#{table.thread or table.channel}>"
        new_game = button(CustomId("newgame", 0), words("New game"))
        started = Text("\n".join([*lines, words("The game is in {thread}.", thread=place)]))
        return Layout([started, Row([table_button(words, table), new_game])])
    link = table_link(table)
    if is_expired:
        lines.append(words("Closed: nothing happened here for {days} days.", days=IDLE_DAYS))
    elif table.status is Status.ABANDONED:
        lines += [words(general.ABANDONED), *([link] if table.panel_message else [])]
    else:
        lines.append(words("The game is over: {link}", link=link))
    return Layout([Text("\n".join(lines))])


async def _open(
    posting: PostingContext,
    words: Words,
    table: Table,
    closes: datetime | None,
    *,
    is_pinged: bool,
) -> Layout:
    """Return the message of an open lobby, perhaps an idle one that `closes`."""
    services, names = posting.services, names_of(words, table)
    text, seats = services.title_of(table).text(words), services.rules(table).seats
    seated = [
        LobbySeat(
            name,
            player.policy,
            player.reachable,
            host=player.user is not None and player.user == table.host,
            record=await _record(posting, words, table, player.user),
        )
        for player, name in zip(table.players, names, strict=True)
    ]
    summary = terms.summary(
        words,
        agreed_terms(services, table),
        hints_are_chosen=HINTS in table.terms,
        is_alone=len(table.owners) == 1,
    )
    body = general.lobby(
        words,
        tagline=text.tagline,
        seated=seated,
        seats=seats,
        options=f"{text.options_summary(table.options)}\n{summary}",
    )
    heading = posting.services.heading(words, table)
    lines = [f"### {heading}", body, *await absences(services, words, table)]
    if table.rematch_of is not None:
        before = await posting.tables.reader.get(table.rematch_of)
        place = f"<#{before.thread or before.channel}>"
        lines.append(words(general.REMATCH_OF, table=before.id, place=place))
    lines += unreachable_lines(words, table)
    if is_pinged:
        owners = owners_of(words, table)
        mentions = words.listing([str(owners[player.seat]) for player in table.owners])
        lines += [_why_pinged(words, closes), f"🔔 {mentions}"]
    keep_row = [] if closes is None else [Row([_keep_button(words, table)])]
    full, enough = len(table.players) >= max(seats), len(table.players) >= min(seats)
    seat_row = [
        button(CustomId("join", table.id), words(general.JOIN), style=Style.SUCCESS, disabled=full),
        button(CustomId("leave", table.id), words("Leave")),
        button(
            CustomId("computer", table.id),
            words(general.ADD_COMPUTER),
            style=Style.NORMAL if enough else Style.PRIMARY,
            disabled=full,
        ),
    ]
    start_row = [
        button(CustomId("options", table.id), words("Options")),
        button(CustomId("rules", table.id), words(general.RULES)),
        button(
            CustomId("begin", table.id),
            words("Start"),
            style=Style.PRIMARY if enough else Style.NORMAL,
            disabled=not enough,
        ),
    ]
    content = Text("\n".join(lines), Keep.BEGINNING)
    return Layout([content, Row(seat_row), Row(start_row), *keep_row])


async def _record(posting: PostingContext, words: Words, table: Table, user: int | None) -> str:
    """Return a player's reliability in words, or nothing if the table doesn't ask for it."""
    if user is None or table.guild is None or term(table, PLAYERS) == ANYONE:
        return ""
    record = await posting.tables.results.reliability(user, table.guild)
    if record is None:
        return ""
    if record.is_new:
        return words("few games so far")
    return words(
        "finishes {finished}% of games, {on_time}% of turns on time",
        finished=record.finished,
        on_time=record.on_time,
    )


def unreachable_lines(words: Words, table: Table) -> list[str]:
    """Return a line for each player who accepts no direct messages."""
    names = names_of(words, table)
    return [
        words(general.UNREACHABLE, name=bold(names[player.seat]))
        for player in table.humans
        if not player.reachable
    ]


def _why_pinged(words: Words, closes: datetime | None) -> str:
    """Return a line for the players of an idle lobby that `closes`, or of one that was found."""
    if closes is None:
        return words("🔎 You've found each other! Press **Start** when you're all here.")
    return words(
        "⏳ Nothing has happened here for two weeks. This table closes {when}. To keep it, a "
        "player at it can press **Keep this table open** or change anything.",
        when=discord.utils.format_dt(closes, "f"),
    )


def _keep_button(words: Words, table: Table) -> Control:
    return button(CustomId("keep", table.id), words("Keep this table open"))


async def warn_idle(
    posting: PostingContext, table_view: TableView, items: Sequence[OutboxItem]
) -> None:
    """Warn all players that an idle table will be put to sleep: at the table, or individually if
    the bot cannot post there."""
    words, table, tables = table_view.words, table_view.table, posting.tables
    sleeps, sent = await tables.idleness.sleeps(table.id), None
    if sleeps is not None:
        names = owners_of(words, table)
        mentions = words.listing([str(names[player.seat]) for player in table.owners])
        warning = words(general.IDLE, at=discord.utils.format_dt(sleeps, "f"))
        new = NewMessage(
            table=table,
            kind="alert",
            content=Layout([Text(f"{warning}\n🔔 {mentions}")]),
            pinged=[player.user for player in table.owners if player.user is not None],
            is_optional=True,
        )
        sent = await posting.sender.send(new)
        if sent is not None:
            await tables.notifications.all_pinged(table)
        else:
            for player in table.owners:
                await tables.notifications.ping_later(
                    table.id, player.seat, tables.notifications.now()
                )
    await tables.outbox.acknowledge(items, sent=filter(None, [sent]))


async def post_votes(
    posting: PostingContext,
    votes: VoteDialogue,
    words: Words,
    table: Table,
    items: Sequence[OutboxItem],
) -> None:
    """Post each new proposal, edit the post of one that has ended, and acknowledge the items.

    Raise Closed if the bot may not post in the channel.
    """
    stored, sender = posting.tables.votes, posting.sender

    async def show(proposal: Proposal) -> None:
        at, row = proposal.table, proposal.row
        # Messages about different subjects need different kinds.
        subject = row.kind + (row.word if row.kind in ABOUT_SEAT else "")
        is_open, sent = proposal.verdict is Verdict.OPEN, None
        follows = None if is_open else votes.follow_up(words, proposal)
        if follows is not None:
            sent = await sender.send(NewMessage(table=at, kind=f"after.{subject}", content=follows))
        content = await votes.message(words, proposal)
        if row.place is not None and row.message is not None:
            await sender.edit(at, row.place, row.message, content)
        if is_open and row.message is None:
            users = (at.players[seat].user for seat in proposal.missing)
            new = NewMessage(
                table=at,
                kind=f"vote.{subject}",
                content=content,
                button_id=agree_id(proposal).encoded(),
                pinged=[user for user in users if user is not None],
            )
            sent = await sender.send(new)
        if sent is not None or not is_open:
            await stored.note_posted(proposal, sent)

    await run_all(map(show, await stored.to_post(table.id)))
    await posting.tables.outbox.acknowledge(items)
