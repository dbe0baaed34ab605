"""The private panel in which the options of a table are chosen before its game starts."""

from __future__ import annotations

import logging
import time
from collections import defaultdict

import discord

from bot.cogs.panel.open_panels import OpenPanel
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Control, Layout, button, option, said, select
from bot.cogs.ui.reply import NOBODY, Answers, Reply, reason
from bot.cogs.ui.services import Services, agreed, offered_terms
from bot.cogs.ui.user_errors import UNSENT
from bot.game.contract import Option
from bot.tables import Status, Table
from bot.tables.core.seating import NEEDS_CLOCK, has_clock
from bot.text import general, terms
from bot.text.contract import Label
from bot.text.markup import bold
from bot.text.words import Words

log = logging.getLogger(__name__)

ADVANCED = "advanced"
"""The word of a button that leads to the other options."""


class LobbyOptions:
    """Shows the options, and keeps the panels that are open up to date until the game starts."""

    def __init__(self, services: Services, answers: Answers) -> None:
        self._services = services
        self._answers = answers
        self._open: defaultdict[int, dict[int, tuple[OpenPanel, bool]]] = defaultdict(dict)
        """By table and user: the panel, and whether it shows the advanced options."""

    async def show(self, reply: Reply, table: Table, *, advanced: bool = False) -> None:
        """Answer with the options, or with what became of them."""
        await reply.show(self._layout(reply.words, table, advanced))
        if table.status is not Status.LOBBY or reply.message is None:
            return
        panel = OpenPanel(reply.interaction, reply.message, reply.is_original, time.monotonic())
        old, _ = self._open[table.id].get(reply.user, (panel, False))
        self._open[table.id][reply.user] = panel, advanced
        if old.message != panel.message:
            await old.delete()

    async def follow(self, table: Table) -> None:
        """The table has changed: open panels show it, and close once the game has started."""
        if table.status is not Status.LOBBY:
            for panel, _ in self._open.pop(table.id, {}).values():
                await panel.delete()
            return
        for user, (panel, advanced) in list(self._open.get(table.id, {}).items()):
            # Whoever is being answered sees it in that answer.
            if not self._answers.is_asked_by(user):
                layout = self._layout(self._services.words_of(panel.interaction), table, advanced)
                try:
                    await panel.edit(**layout.edited(), allowed_mentions=NOBODY)
                except UNSENT as error:
                    # It was dismissed, or can no longer be reached; the others still follow.
                    log.info("table=%s user=%s options: %s", table.id, user, reason(error))
                    self._open[table.id].pop(user, None)

    def is_advanced(self, table: Table, name: str) -> bool:
        """Whether an option is among the advanced ones: all of a game but its first."""
        return name in [each.name for each in self._services.rules(table).options[1:]]

    def _layout(self, words: Words, table: Table, advanced: bool) -> Layout:
        if table.status is Status.LOBBY:
            title = general.ADVANCED_OPTIONS if advanced else general.BASIC_OPTIONS
            return said(bold(words(title)), self._items(words, table, advanced))
        if table.status is Status.ABANDONED:
            return said(words(general.ABANDONED))
        lines = [
            words(general.OPTIONS_STAY),
            self._services.title_of(table).text.options_summary(words, table.options),
            terms.summary(words, agreed(self._services, table)),
        ]
        return said("\n".join(lines))

    def _items(self, words: Words, table: Table, advanced: bool) -> list[Control]:
        own = self._services.rules(table).options
        if advanced:
            back = button(CustomId("options", table.id), words(general.BASIC_OPTIONS))
            return [*(self._select(words, table, each) for each in own[1:]), back]
        # What depends on a clock appears with one.
        held = [
            each
            for each in offered_terms(self._services, table)
            if has_clock(table) or each.name not in NEEDS_CLOCK
        ]
        items = [self._select(words, table, each) for each in (*own[:1], *held)]
        full = len(table.players) >= max(self._services.rules(table).seats)
        for policy in self._services.levels(self._services.title_of(table)):
            label = f"{words(general.ADD_COMPUTER)}: {general.policy_label(words, policy)}"
            custom_id = CustomId("add", table.id, None, (policy,))
            items.append(button(custom_id, label, disabled=full))
        if any(not player.is_human for player in table.players):
            items.append(button(CustomId("remove", table.id), words(general.REMOVE_COMPUTER)))
        if own[1:]:
            more = CustomId("options", table.id, None, (ADVANCED,))
            items.append(button(more, words(general.ADVANCED_OPTIONS)))
        return items

    def _select(self, words: Words, table: Table, known: Option) -> Control:
        text = self._services.title_of(table).text
        name = terms.option(words, text, known.name)
        values = {**table.options, **agreed(self._services, table)}
        chosen = values.get(known.name, known.values[0])
        lines: list[discord.SelectOption] = [
            option(
                value,
                Label(f"{name}: {terms.option_value(words, text, known.name, value)}"),
                default=value == chosen,
            )
            for value in known.values
        ]
        return select(CustomId("set", table.id, None, (known.name,)), lines, name)
