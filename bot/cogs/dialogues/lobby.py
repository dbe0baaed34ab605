"""The lobby of a table: seats, computer players, options, the start."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

import discord
from discord import app_commands

from bot.cogs.panel.open_panels import OpenPanel
from bot.cogs.ui import (
    MAX_NONCE,
    NO_MENTIONS,
    SELECT,
    SEND_ERRORS,
    Answers,
    Choice,
    Control,
    CustomId,
    Dialogue,
    Interaction,
    Layout,
    MessageSender,
    Press,
    Reply,
    Services,
    TableOption,
    Unreachable,
    agreed_terms,
    bilingual,
    button,
    command,
    error_text,
    fixed_choices,
    matching,
    names_of,
    offered_terms,
    only,
    option,
    options_offered,
    reason,
    route,
    select,
    stored_name,
    table_for,
    text_layout,
    values_offered,
)
from bot.game.contract import Option
from bot.tables import Rejected, Status, Table, term
from bot.tables.core.seating import NEEDS_CLOCK, ON_JOINING, has_clock, is_term
from bot.text import AnyGameWords, Label, Words, bold, general, terms

log = logging.getLogger(__name__)

LOBBY = (Status.LOBBY,)
BASIC, ADVANCED, JOINING = "", "advanced", "joining"
"""The pages of the options panel, and the words of the buttons that open them."""

TITLES = {
    BASIC: general.BASIC_OPTIONS,
    ADVANCED: general.ADVANCED_OPTIONS,
    JOINING: terms.NAMES["players"],
}


async def policies_offered(interaction: Interaction, typed: str) -> list[Choice]:
    """Offer the levels of computer player."""
    services: Services = interaction.client.services
    levels = (each for title in services.titles.values() for each in services.levels(title))
    words, label = services.words_of(interaction), general.policy_label
    return matching(
        (bilingual(words, name, partial(label, policy=name)) for name in dict.fromkeys(levels)),
        typed,
    )


class LobbyDialogue(Dialogue):
    """The lobby, and private panels with its options, updated until the game starts."""

    def __init__(self, services: Services, sender: MessageSender, answers: Answers) -> None:
        super().__init__(services, sender)
        self._answers = answers
        self._panels: defaultdict[int, dict[int, tuple[OpenPanel, str]]] = defaultdict(dict)
        """Panels by table and user, each with the page that it shows."""

    @route("join")
    @command("game join", among=LOBBY)
    async def join(self, reply: Reply, table: TableOption) -> None:
        """Seat the user at the table."""
        user = reply.interaction.user
        table = await self._tables.lobby.join(
            table.id, user.id, stored_name(user), delivery=reply.delivery
        )
        _log(reply, "joined", table)
        await _confirm(reply, reply.words("You've joined table {table}.", table=table.id))
        await self.welcome(reply, table)

    async def welcome(self, reply: Reply, table: Table) -> None:
        """Send a direct message, to find out before the game whether the user can receive them."""
        words, user = reply.words, reply.user
        game = self._services.title(words, table.game)
        try:
            await self._sender.send_direct(
                user,
                words(
                    "You've joined table {table} ({game}). Your private information will arrive "
                    "here.",
                    table=table.id,
                    game=game,
                ),
                nonce=f"{table.id}.{user % 10**12}.hi"[:MAX_NONCE],
                silent=True,
            )
        except Unreachable as error:
            if not error.closed:
                return
            log.info("direct messages off table=%s user=%s", table.id, user)
            await self._tables.lobby.set_reachable(table.id, user, False)
            await reply.say(error_text(self._services, words, Rejected("dm_blocked"), table))

    @route("leave")
    @command("game leave", among=LOBBY)
    async def leave(self, reply: Reply, table: TableOption) -> None:
        """Remove the user from the table."""
        table = await self._tables.lobby.leave(table.id, reply.user, delivery=reply.delivery)
        _log(reply, "left", table)
        await _confirm(reply, reply.words("You've left the table."))

    @route("begin")
    @command("game start", among=LOBBY)
    async def start(self, reply: Reply, table: TableOption) -> None:
        table = await self._tables.lobby.start(table.id, reply.user, delivery=reply.delivery)
        _log(reply, "started", table)
        words = reply.words
        players = words.listing([bold(name) for name in names_of(words, table)])
        game = self._services.title(words, table.game)
        await _confirm(reply, words(general.STARTED, players=players, game=game))

    @route("keep")
    async def keep(self, press: Press) -> None:
        """Keep an idle lobby open."""
        reply = press.reply
        await self._tables.idleness.keep_open(press.table_id, reply.user, delivery=reply.delivery)
        await reply.acknowledge()

    # Computer players

    @command("game computer", among=LOBBY, policy=policies_offered)
    @app_commands.choices(change=fixed_choices("change"))
    async def computer(
        self, reply: Reply, change: str = "add", policy: str | None = None, *, table: TableOption
    ) -> None:
        """Add or remove a computer player."""
        words = reply.words
        if change == "add":
            level = (
                self._services.title_of(table).default_level
                if policy is None
                else general.level_of(policy)
            )
            names = names_of(words, await self.add_computer(reply, table, level))
            await reply.say(words("{name} (computer player) has joined.", name=bold(names[-1])))
        else:
            remaining = names_of(words, await self._remove_computer(reply, table))
            left = [bold(name) for name in names_of(words, table) if name not in remaining]
            await reply.say(words("{name} (computer player) has left.", name=words.listing(left)))

    @route("computer")
    async def add_usual(self, press: Press) -> None:
        """Add a computer player of the usual level."""
        usual = self._services.title_of(press.table).default_level
        await self.add_computer(press.reply, press.table, usual)
        await press.reply.acknowledge()

    async def add_computer(
        self, reply: Reply, table: Table, policy: str, *, mark: str = ""
    ) -> Table:
        """Seat a computer player. `mark` makes the delivery of each of several distinct."""
        named = partial(general.computer_name, reply.words, policy)
        number = next(
            number for number in range(1, len(table.names) + 2) if named(number) not in table.names
        )
        table = await self._tables.lobby.add_computer(
            table.id, reply.user, policy, name=named(number), delivery=reply.delivery + mark
        )
        _log(reply, "added computer", table)
        return table

    async def _remove_computer(self, reply: Reply, table: Table) -> Table:
        table = await self._tables.lobby.remove_computer(
            table.id, reply.user, delivery=reply.delivery
        )
        _log(reply, "removed computer", table)
        return table

    # Options

    async def _options_of(
        self, interaction: Interaction
    ) -> tuple[Words, type[AnyGameWords], Sequence[Option]]:
        """Return the user's words, the table's texts, and all options of the table."""
        number = interaction.namespace.table
        table = await table_for(self._services, interaction, number, among=LOBBY)
        options = (*self._services.rules(table).options, *offered_terms(self._services, table))
        words, text = self._services.words_of(interaction), self._services.title_of(table).text
        return words, text, options

    async def _offer_options(self, interaction: Interaction, typed: str) -> list[Choice]:
        return options_offered(*await self._options_of(interaction), typed)

    async def _offer_values(self, interaction: Interaction, typed: str) -> list[Choice]:
        option = interaction.namespace.option
        return values_offered(*await self._options_of(interaction), option, typed)

    @command("game option", among=LOBBY, option=_offer_options, value=_offer_values)
    async def option(self, reply: Reply, option: str, value: str, table: TableOption) -> None:
        before = term(table, option) if is_term(option) else table.options.get(option, value)
        await self._set(reply, table, option, value)
        words, text = reply.words, self._services.title_of(table).text(reply.words)
        shown, name = partial(terms.option_value, text, option), terms.option(text, option)
        await reply.say(general.changed(words, name, shown(before), shown(value)))

    async def _set(self, reply: Reply, table: Table, name: str, value: str) -> Table:
        table = await self._tables.lobby.set_option(
            table.id, reply.user, name, value, delivery=reply.delivery
        )
        _log(reply, "set option", table)
        return table

    @route("options", words=(0, 1))
    async def open_options(self, press: Press) -> None:
        """Open a page of the panel with the options."""
        words = press.custom_id.words
        page = only(words, (ADVANCED, JOINING)) if words else BASIC
        await self._show(press.reply, press.table, page)

    @route("set", SELECT, words=(1,))
    @route("add", words=(1,))
    @route("remove")
    async def change(self, press: Press) -> None:
        """Change an option, or add or remove a computer player, from a panel.

        If the lobby has ended, the panel says so and loses its buttons.
        """
        reply, table, words, page = press.reply, press.table, press.custom_id.words, BASIC
        if table.status is Status.LOBBY:
            match press.custom_id.verb:
                case "set":
                    table = await self._set(reply, table, words[0], only(press.values))
                    own = self._services.rules(table).options
                    if words[0] in ON_JOINING:
                        page = JOINING
                    elif words[0] in [each.name for each in own[1:]]:
                        page = ADVANCED
                case "add":
                    table = await self.add_computer(reply, table, words[0])
                case _:
                    table = await self._remove_computer(reply, table)
        await self._show(reply, table, page)

    async def _show(self, reply: Reply, table: Table, page: str) -> None:
        """Answer with the panel, or with the state of a lobby that has ended."""
        await reply.show(self._layout(reply.words, table, page))
        if table.status is not Status.LOBBY or reply.message is None:
            return
        panel = OpenPanel(reply.interaction, reply.message, reply.is_original, time.monotonic())
        old, _ = self._panels[table.id].get(reply.user, (panel, page))
        self._panels[table.id][reply.user] = panel, page
        if old.message != panel.message:
            await old.delete()

    async def follow(self, table: Table) -> None:
        """Update open panels after a change of the table, or close them once the lobby ends."""
        if table.status is not Status.LOBBY:
            for panel, _ in self._panels.pop(table.id, {}).values():
                await panel.delete()
            return
        for user, (panel, page) in list(self._panels.get(table.id, {}).items()):
            # A user with a reply in progress sees the change there.
            if not self._answers.is_answering(user):
                layout = self._layout(self._services.words_of(panel.interaction), table, page)
                try:
                    await panel.edit(**layout.edited(), allowed_mentions=NO_MENTIONS)
                except SEND_ERRORS as error:
                    # It was dismissed or has expired; the other panels are still updated.
                    log.info(
                        "options panel not updated table=%s user=%s error=%s",
                        table.id,
                        user,
                        reason(error),
                    )
                    self._panels[table.id].pop(user, None)

    def _layout(self, words: Words, table: Table, page: str) -> Layout:
        if table.status is Status.LOBBY:
            return text_layout(bold(words(TITLES[page])), self._items(words, table, page))
        if table.status is Status.ABANDONED:
            return text_layout(words(general.ABANDONED))
        lines = [
            words("The game has started, so its options can't change."),
            self._services.title_of(table).text(words).options_summary(table.options),
            terms.summary(words, agreed_terms(self._services, table)),
        ]
        return text_layout("\n".join(lines))

    def _items(self, words: Words, table: Table, page: str) -> list[Control]:
        own, back = self._services.rules(table).options, CustomId("options", table.id)
        offered = offered_terms(self._services, table)
        on_joining = [each for each in offered if each.name in ON_JOINING]
        if page != BASIC:
            shown = own[1:] if page == ADVANCED else on_joining
            items = [self._select(words, table, each) for each in shown]
            return [*items, button(back, words(general.BASIC_OPTIONS))]
        # Terms that depend on a clock are shown only with one.
        offered = tuple(
            each
            for each in offered
            if each not in on_joining and (has_clock(table) or each.name not in NEEDS_CLOCK)
        )
        items = [self._select(words, table, each) for each in (*own[:1], *offered)]
        full = len(table.players) >= max(self._services.rules(table).seats)
        for policy in self._services.levels(self._services.title_of(table)):
            label = f"{words(general.ADD_COMPUTER)}: {general.policy_label(words, policy)}"
            items.append(button(CustomId("add", table.id, None, (policy,)), label, disabled=full))
        if any(not player.is_human for player in table.players):
            items.append(button(CustomId("remove", table.id), words("Remove a computer player")))
        if own[1:]:
            items.append(button(back.then(ADVANCED), words(general.ADVANCED_OPTIONS)))
        if table.guild is not None:
            items.append(button(back.then(JOINING), words(TITLES[JOINING])))
        return items

    def _select(self, words: Words, table: Table, setting: Option) -> Control:
        values = {**table.options, **agreed_terms(self._services, table)}
        chosen = values.get(setting.name, setting.values[0])
        custom_id = CustomId("set", table.id, None, (setting.name,))
        text = self._services.title_of(table).text(words)
        return option_select(custom_id, text, setting, chosen)


def option_select(custom_id: CustomId, text: AnyGameWords, setting: Option, chosen: str) -> Control:
    """Return a select for the value of an option of a game or a table."""
    name = terms.option(text, setting.name)
    lines: list[discord.SelectOption] = [
        option(
            value,
            Label(f"{name}: {terms.option_value(text, setting.name, value)}"),
            default=value == chosen,
        )
        for value in setting.values
    ]
    return select(custom_id, lines, name)


async def _confirm(reply: Reply, answer: str) -> None:
    """Answer a command; a press needs no answer, as the lobby's message changes."""
    if reply.interaction.type is discord.InteractionType.component:
        await reply.acknowledge()
    else:
        await reply.say(answer)


def _log(reply: Reply, change: str, table: Table) -> None:
    log.info("%s table=%s user=%s", change, table.id, reply.user)
