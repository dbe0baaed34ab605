"""Positions of games that are over: play on from one at a new table, or save it as a file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from bot.cogs.dialogues.history import ALL, OWN, find_turn
from bot.cogs.dialogues.opening import OpeningDialogue, channel_of
from bot.cogs.ui import (
    SELECT,
    CustomId,
    Forged,
    Layout,
    Press,
    Services,
    button,
    integer,
    names_of,
    observer_of,
    only,
    option,
    route,
    select,
    stored_name,
    text_layout,
    with_file,
)
from bot.cogs.ui.user_errors import TABLE
from bot.game.contract import SPECTATOR
from bot.tables.core.record import encode
from bot.tables.importing import CheckedImport
from bot.text import Label, Style, bold, general, msg
from bot.text.chronicle import turn_name
from bot.workers import in_thread

log = logging.getLogger(__name__)

LATER = "playlater"


class PastPosition(NamedTuple):
    """The position after a turn of a replay: the number of the turn, and its name in words."""

    game: CheckedImport
    number: int
    name: str


class PositionDialogue:
    """The buttons of a replay that need its position. Custom ids have the turn, and then the seat
    and the level of computer player that were chosen."""

    def __init__(self, services: Services, opening: OpeningDialogue) -> None:
        self._services = services
        self._opening = opening

    @route("saveturn", words=(2,))
    async def save(self, press: Press) -> None:
        """Send the position as a file."""
        table, position = press.table, await self._position(press)
        content = press.reply.words(
            "Table {table}, {turn}: this position as a file, with all its secrets. `/table import` "
            "plays on from it; `python -m bot verify FILE` checks every draw.",
            table=table.id,
            turn=position.name,
        )
        name = f"{table.game}-table-{table.id}-turn-{position.number}.json"
        data = await in_thread(encode, position.game.record)
        await press.reply.say(with_file(content, name, data))

    @route("playfrom", words=(2,))
    async def ask(self, press: Press) -> None:
        """Ask for the seat and the level, with the user's own seat as the default."""
        seat = press.table.seat_of(press.user) or 0
        level = self._services.title_of(press.table).default_level
        await press.reply.say(await self._question(press, seat, level))

    @route("fromseat", SELECT, words=(4,))
    @route("fromlevel", SELECT, words=(4,))
    async def change(self, press: Press) -> None:
        """Change the seat or the level."""
        seat, level = self._chosen(press)
        if press.custom_id.verb == "fromseat":
            seat = integer(press.values)
        else:
            level = only(press.values)
        await press.reply.show(await self._question(press, seat, level))

    def _chosen(self, press: Press) -> tuple[int, str]:
        *_, seat, level = press.custom_id.words
        return integer((seat,)), level

    def _levels(self, press: Press) -> Sequence[str]:
        return self._services.levels(self._services.title_of(press.table))

    def _check(self, press: Press, seat: int, level: str) -> None:
        if seat not in range(len(press.table.players)) or level not in self._levels(press):
            raise Forged(press.custom_id)

    async def _question(self, press: Press, seat: int, level: str) -> Layout:
        self._check(press, seat, level)
        table, words, position = press.table, press.reply.words, await self._position(press)
        lines = [
            bold(f"{self._services.heading(words, table)} · {position.name}"),
            words(
                "Choose your seat and how strong the computer players are. The game doesn't count "
                "for ratings. Anyone who has seen the replay knows what was secret."
            ),
        ]
        chosen = CustomId("playnow", table.id, None, (*press.custom_id.words[:2], str(seat), level))
        own, others = words("Your seat"), words("Computer players")
        seats = [
            option(str(each), Label(f"{own}: {name.plain}"), default=each == seat)
            for each, name in enumerate(names_of(words, table))
        ]
        labels = {each: general.policy_label(words, each) for each in self._levels(press)}
        levels = [
            option(each, Label(f"{others}: {label}"), default=each == level)
            for each, label in labels.items()
        ]
        controls = [
            select(chosen._replace(verb="fromseat"), seats, own),
            select(chosen._replace(verb="fromlevel"), levels, others),
            button(chosen, words("Play now"), style=Style.PRIMARY),
        ]
        if press.interaction.guild_id is not None:
            controls.append(button(chosen._replace(verb=LATER), words("Wait for others")))
        return text_layout("\n".join(lines), controls)

    @route("playnow", words=(4,))
    @route(LATER, words=(4,))
    async def play(self, press: Press) -> None:
        """Open the table in this channel: at once with computer players, or paused for others."""
        reply, interaction, words = press.reply, press.interaction, press.reply.words
        (seat, level), is_later = self._chosen(press), press.custom_id.verb == LATER
        self._check(press, seat, level)
        game, channel = (await self._position(press)).game, channel_of(interaction)
        own, numbers = stored_name(interaction.user), count(1)
        # Not the former players' names: they aren't at this table.
        names = [
            own if each == seat else general.computer_name(words, level, next(numbers))
            for each in range(len(press.table.players))
        ]
        assert interaction.message is not None
        async with self._opening.may_open(reply, interaction.guild_id, channel):
            table = await self._services.tables.imports.open(
                game._replace(record=replace(game.record, seats=tuple(names))),
                reply.user,
                interaction.guild_id,
                channel,
                people={seat: (reply.user, own)},
                policy=level,
                vacant=is_later,
                source=press.table_id,
                # A second press of the message opens no second table.
                delivery=f"from {interaction.message.id}",
            )
        interaction.extras[TABLE] = table
        log.info("opened table=%s user=%s source=%s", table.id, reply.user, press.table_id)
        opened = msg("Table {table} is open. The game continues there.")
        paused = msg(
            "Table {table} is open and paused. Others take their seats with **Take over**, then "
            "you press **Resume**. Computer players play the other seats."
        )
        await reply.show(words(paused if is_later else opened, table=table.id))

    async def _position(self, press: Press) -> PastPosition:
        """Return the position of a replay's turn. Raise no_position."""
        history, table, user = self._services.tables.history, press.table, press.user
        eyes, number, *_ = press.custom_id.words
        own = observer_of(table, user)
        observer = own if only((eyes,), among=(ALL, OWN)) == OWN else SPECTATOR
        turns = await history.turns(table.id, observer)
        numbers, place = find_turn(turns, integer((number,)))
        turn = turns[numbers[place]]
        game = await history.position(table.id, own, turn.last)
        name = ", ".join(turn_name(press.reply.words, turn.round, place, len(numbers) - 1))
        return PastPosition(game, place, name)
