"""`/game`: opening, joining, starting, looking at and leaving tables, for any game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.cogs.flows.absence import Absence
from bot.cogs.flows.giving_up import GivingUp
from bot.cogs.flows.logbook import Logbook
from bot.cogs.flows.promises import Promises
from bot.cogs.flows.replay import Replay
from bot.cogs.flows.review import ReviewDialogue
from bot.cogs.flows.seating import Seating
from bot.cogs.flows.undo import Undo
from bot.cogs.ui import who
from bot.cogs.ui.access import BEGUN, table_for
from bot.cogs.ui.autocomplete import Choice, bilingual, matching
from bot.cogs.ui.layout import Document, Interaction, Layout, Text
from bot.cogs.ui.localized_commands import command, fixed
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services, offered_terms
from bot.cogs.ui.snapshot import observer_of
from bot.cogs.ui.user_errors import KNOWN
from bot.tables import GOING, Status, Table
from bot.tables.core.seating import is_term, term
from bot.text import general, table_words, terms
from bot.text.commands import COMMANDS
from bot.text.markup import bold

LOBBY = (Status.LOBBY,)
PLAYING = GOING


class GameCog(
    commands.GroupCog,
    name="game",
    group_name="game",
    group_description=COMMANDS["game"].description,
):
    """The commands that every game shares."""

    def __init__(
        self,
        services: Services,
        seating: Seating,
        promises: Promises,
        giving_up: GivingUp,
        undo: Undo,
        absence: Absence,
        replay: Replay,
        review: ReviewDialogue,
        logbook: Logbook,
    ) -> None:
        super().__init__()
        self._services = services
        self._seating = seating
        self._promises = promises
        self._giving_up = giving_up
        self._undo = undo
        self._absence = absence
        self._replay = replay
        self._review = review
        self._logbook = logbook

    # Before the game

    @command("game new")
    async def new(
        self,
        interaction: Interaction,
        game: str | None = None,
        computers: app_commands.Range[int, 0, 8] | None = None,
        policy: str | None = None,
    ) -> None:
        """Open a table, or show what can be played."""
        async with Reply(interaction) as reply:
            chosen = game or await self._seating.usual(interaction.guild_id)
            level = "" if policy is None else general.level_of(policy)
            # Who names a level wants to play against it.
            count = int(policy is not None) if computers is None else computers
            if chosen is None:
                await self._seating.offer(reply, count, level)
            else:
                await self._seating.open(reply, chosen, count, level)

    @command("game join")
    async def join(self, interaction: Interaction, table: int | None = None) -> None:
        """Take a seat."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, LOBBY)
            await self._seating.join(reply, meant.id)

    @command("game leave")
    async def leave(self, interaction: Interaction, table: int | None = None) -> None:
        """Leave a lobby."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, LOBBY)
            await self._seating.leave(reply, meant.id)

    @command("game start")
    async def start(self, interaction: Interaction, table: int | None = None) -> None:
        """Begin the game."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, LOBBY)
            await self._seating.start(reply, meant.id)

    @command("game option")
    async def option(
        self, interaction: Interaction, option: str, value: str, table: int | None = None
    ) -> None:
        """Change an option."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, LOBBY)
            before = term(meant, option) if is_term(option) else meant.options.get(option, value)
            await self._seating.set_option(reply, meant.id, option, value)
            words, text = self._services.words_of(interaction), self._services.title_of(meant).text
            said = partial(terms.option_value, words, text, option)
            await reply.say(
                general.changed(words, terms.option(words, text, option), said(before), said(value))
            )

    @command("game computer")
    @app_commands.choices(change=fixed("change"))
    async def computer(
        self,
        interaction: Interaction,
        change: str = "add",
        policy: str | None = None,
        table: int | None = None,
    ) -> None:
        """Add or remove a computer player."""
        async with Reply(interaction) as reply:
            words = self._services.words_of(interaction)
            meant = await self._table(interaction, table, LOBBY)
            if change == "add":
                usual = self._services.title_of(meant).usual
                kind = usual if policy is None else general.level_of(policy)
                after = await self._seating.add_computer(reply, meant.id, kind)
                name = bold(who.names(words, after)[-1])
                await reply.say(words(general.COMPUTER_JOINED, name=name))
            else:
                after = await self._seating.remove_computer(reply, meant.id)
                stay = who.names(words, after)
                gone = [name for name in who.names(words, meant) if name not in stay]
                name = words.listing([bold(each) for each in gone])
                await reply.say(words(general.COMPUTER_LEFT, name=name))

    # During the game

    @command("game log")
    async def log(self, interaction: Interaction, table: int | None = None) -> None:
        """Show what has happened."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, BEGUN)
            await self._logbook.open(reply, meant.id)

    @command("game replay")
    @app_commands.choices(eyes=fixed("eyes"))
    async def replay(
        self, interaction: Interaction, eyes: str | None = None, table: int | None = None
    ) -> None:
        """Step through the game, turn by turn."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, BEGUN)
            await self._replay.open(reply, meant.id, eyes)

    @command("game review")
    async def review(self, interaction: Interaction, table: int | None = None) -> None:
        """Look back on a finished game: chances and turning points."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, BEGUN)
            await self._review.open(reply, meant.id)

    @command("game promises")
    async def promises(self, interaction: Interaction, table: int | None = None) -> None:
        """Show what has been promised."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, BEGUN)
            await self._promises.show(reply, meant.id)

    @command("game export")
    async def export(self, interaction: Interaction, table: int | None = None) -> None:
        """Send the game as a file."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, BEGUN)
            observer = observer_of(meant, interaction.user.id)
            exported = await self._services.tables.exports.game(meant.id, observer)
            if exported.is_whole:
                message = general.EXPORTED_WHOLE
            elif meant.is_over:
                message = general.EXPORTED_OF_PLAYERS
            else:
                message = general.EXPORTED_SEEN
            name = f"{meant.game}-table-{meant.id}.json"
            content = self._services.words_of(interaction)(message, table=meant.id)
            await reply.say(Layout([Text(content), Document(name, content, exported.data)]))

    @command("game report")
    async def report(self, interaction: Interaction, table: int | None = None) -> None:
        """Send what reproduces a problem, as a file without secrets."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, tuple(Status))
            refused = self._services.refused(reply.user, meant.id)
            data = await self._services.tables.exports.report(meant.id, refused)
            name = f"{meant.game}-report-{meant.id}.json"
            said = self._services.words_of(interaction)(table_words.REPORTED, table=meant.id)
            await reply.say(Layout([Text(said), Document(name, said, data)]))

    @command("game resign")
    async def resign(self, interaction: Interaction, table: int | None = None) -> None:
        """Give up, after a question."""
        async with Reply(interaction) as reply:
            await self._giving_up.ask(reply, await self._table(interaction, table, PLAYING))

    @command("game abandon")
    async def abandon(self, interaction: Interaction, table: int | None = None) -> None:
        """Agree to end the game unfinished, or end it, for those whom the server lets."""
        async with Reply(interaction) as reply:
            await self._giving_up.abandon(reply, await self._table(interaction, table))

    @command("game pause")
    async def pause(self, interaction: Interaction, table: int | None = None) -> None:
        """Ask all to rest."""
        async with Reply(interaction) as reply:
            await self._absence.pause(reply, await self._table(interaction, table, PLAYING))

    @command("game resume")
    async def resume(self, interaction: Interaction, table: int | None = None) -> None:
        """Ask all to go on, or wake the table."""
        async with Reply(interaction) as reply:
            await self._absence.go_on(reply, await self._table(interaction, table, PLAYING))

    @command("game undo")
    @app_commands.choices(back=fixed("back"))
    async def undo(
        self,
        interaction: Interaction,
        back: app_commands.Choice[str] | None = None,
        table: int | None = None,
    ) -> None:
        """Take the last step back, or ask all to go back to the beginning of the round."""
        async with Reply(interaction) as reply:
            meant = await self._table(interaction, table, PLAYING)
            whole_round = back is not None and back.value == "round"
            await self._undo.ask(reply, meant.id, whole_round=whole_round)

    @command("game help")
    async def help(self, interaction: Interaction) -> None:
        """Explain how it all works."""
        async with Reply(interaction) as reply:
            await reply.say(general.help_text(self._services.words_of(interaction)))

    # Choices while typing

    @new.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._services.words_of(interaction)
        games = ((name, words(text.title)) for name, text in self._services.titles.texts.items())
        return matching(games, typed)

    @new.autocomplete("policy")
    @computer.autocomplete("policy")
    async def _policies(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._services.words_of(interaction)
        names = dict.fromkeys(
            name
            for title in self._services.titles.values()
            for name in self._services.levels(title)
        )
        return matching(
            (bilingual(words, name, partial(general.policy_label, policy=name)) for name in names),
            typed,
        )

    @option.autocomplete("option")
    async def _options(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, table = self._services.words_of(interaction), await self._lobby(interaction)
        if table is None:
            return []
        text = self._services.title_of(table).text
        known = (*self._services.rules(table).options, *offered_terms(self._services, table))
        return matching(
            (
                bilingual(words, each.name, partial(terms.option, text=text, name=each.name))
                for each in known
            ),
            typed,
        )

    @option.autocomplete("value")
    async def _values(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, table = self._services.words_of(interaction), await self._lobby(interaction)
        if table is None:
            return []
        text, name = self._services.title_of(table).text, interaction.namespace.option
        known = (*self._services.rules(table).options, *offered_terms(self._services, table))
        return matching(
            (
                bilingual(
                    words,
                    value,
                    partial(terms.option_value, text=text, name=each.name, value=value),
                )
                for each in known
                if each.name == name
                for value in each.values
            ),
            typed,
        )

    async def _lobby(self, interaction: Interaction) -> Table | None:
        try:
            return await self._table(interaction, interaction.namespace.table, LOBBY)
        except KNOWN:
            # Nothing can be offered; the command itself will say why.
            return None

    async def _table(
        self,
        interaction: Interaction,
        number: int | None,
        among: Sequence[Status] = (
            Status.LOBBY,
            Status.PLAYING,
        ),
    ) -> Table:
        return await table_for(self._services, interaction, number, among=among)
