"""What stands for one player at a table: what a message that rings them says to them."""

from __future__ import annotations

import discord

from bot.cogs.flows.votes import awaited_lines
from bot.cogs.ui import who
from bot.cogs.ui.channels import home_of
from bot.cogs.ui.components import Pressable, button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.status_lines import go_on_button, take_back_button
from bot.game.contract import Seat
from bot.tables import Player, Status
from bot.text import absence as text
from bot.text import general, table_words
from bot.text.contract import Style
from bot.text.markup import moment


async def standing_lines(services: Services, snapshot: Snapshot, seat: Seat) -> list[str]:
    """Whatever else than being awaited they should know of; nothing that others may not."""
    words, table = snapshot.words, snapshot.table
    if table.is_over:
        return [*await _rematch(services, snapshot, seat), await _result(services, snapshot)]
    lines = []
    time = (await services.tables.clocks.at(table)).get(seat)
    if time is not None and time.is_up:
        lines.append(words(text.OUT_OF_TIME))
    elif time is not None and time.is_short:
        lines.append(words(text.SHORT_OF_TIME, **moment(time.up)))
    player = table.players[seat]
    if player.is_autopiloted:
        lines += await _autopilot(services, snapshot, player)
    lines += await awaited_lines(services, words, table, seat)
    sleeps = await services.tables.idleness.sleeps(table.id)
    if sleeps is not None and table.status is Status.PLAYING:
        lines.append(words(text.IDLE, at=discord.utils.format_dt(sleeps, "f")))
    places = home_of(table).places
    asking = await services.tables.message_numbers.asking(table.id)
    told = {row.offer for row in asking if row.seat == seat and row.place in places}
    # Of an offer whose message did not get through all know.
    lines += [
        snapshot.text.called(words, offer.kind, [who.names(words, table)[seat]])
        for offer in snapshot.offers(seat)
        if offer.id in told
    ]
    is_awaited = any(each.seat == seat and not each.optional for each in snapshot.pending)
    if not lines and snapshot.seq == 0 and not is_awaited:
        lines.append(words(text.BEGUN))
    return lines


def ring_button(snapshot: Snapshot, seat: Seat) -> Pressable:
    """What they would press next at the table."""
    words, table = snapshot.words, snapshot.table
    if table.is_over:
        return button(CustomId("board", table.id), words(general.BOARD))
    if table.status is not Status.PLAYING:
        return go_on_button(words, table.id)
    if table.players[seat].is_autopiloted:
        return take_back_button(words, table.id)
    return button(CustomId("play", table.id), words(general.TAKE_TURN), style=Style.PRIMARY)


async def _rematch(services: Services, snapshot: Snapshot, seat: Seat) -> list[str]:
    """An invitation to a rematch that they have not joined yet."""
    words, user = snapshot.words, snapshot.table.players[seat].user
    after = await services.tables.seats.rematch_of(snapshot.table.id)
    if after is None or after.status is not Status.LOBBY or user is None:
        return []
    host = after.seat_of(after.host)
    if host is None or after.seat_of(user) is not None:
        return []
    name = who.names(words, after)[host]
    return [table_words.invited(words, name, after.id, f"<#{after.channel}>", [])]


async def _result(services: Services, snapshot: Snapshot) -> str:
    outcome = snapshot.outcome
    if outcome is None:
        return snapshot.words(general.ABANDONED)
    looks = services.looks(snapshot)
    return snapshot.text.outcome(snapshot.words, outcome, snapshot.names, looks)


async def _autopilot(services: Services, snapshot: Snapshot, player: Player) -> list[str]:
    """Why a computer player plays for them, and how they come back."""
    words, table = snapshot.words, snapshot.table
    by = await services.tables.seats.autopiloted_by(table.id, player.seat)
    why = text.PLAYED_FOR[by]
    lines = [words(why), words(text.VACATED)] if player.vacant else [words(why)]
    return [*lines, words(text.RESTS if table.is_unattended else text.COME_BACK)]
