"""`/find`: looking for players, the message with all searches of a server, and alerts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.cogs.dialogues.lobby import LobbyDialogue
from bot.cogs.dialogues.opening import check_channel
from bot.cogs.ui import (
    BUTTON,
    MAX_OPTIONS,
    NO_MENTIONS,
    SELECT,
    Control,
    CustomId,
    Forged,
    Home,
    Interaction,
    MessageSender,
    Press,
    Reply,
    Services,
    Unreachable,
    button,
    command,
    fixed_choices,
    games_offered,
    in_servers,
    names_of,
    only,
    option,
    place_of,
    route,
    select,
    stored_name,
    text_layout,
)
from bot.cogs.ui.access import may_view, server_of
from bot.tables import Rejected, SearchRow
from bot.tables.search import LIVE
from bot.text import Label, Style, Words, Written, bold, moment, msg
from bot.text.markup import capital
from bot.text.terms import PACES

log = logging.getLogger(__name__)

LANGUAGES = ("en", "it", "de", "fr", "es", "pt", "nl", "pl", "cs", "sv", "ru", "ja")
SAME = "-same"
"""Suffix of a level for those who want only people of their level."""
LEVELS = {
    "new": msg("new to the game"),
    "some": msg("some games played"),
    "experienced": msg("experienced"),
    f"new{SAME}": msg("new to the game, only with others at this level"),
    f"some{SAME}": msg("some games played, only with others at this level"),
    f"experienced{SAME}": msg("experienced, only with others at this level"),
}
ANY = "any"
OPEN = CustomId("find", 0)
"""The button that opens the panel."""
DAY_HOURS = range(8, 22)
"""The hours in which a role may be pinged."""
ROLE_PAUSE = timedelta(hours=1)
"""Minimum time between two pings of a role."""


class FindDialogue:
    """Searches for players, in private panels and in the channel that a server has named."""

    def __init__(
        self,
        services: Services,
        sender: MessageSender,
        client: discord.Client,
        lobby: LobbyDialogue,
    ) -> None:
        self._services = services
        self._searches = services.tables.searches
        self._sender = sender
        self._client = client
        self._lobby = lobby
        self._searches.on_change(self._post)
        self._searches.on_alert(self._alert)

    # The panel

    @command("find", game=games_offered)
    @app_commands.choices(pace=fixed_choices("pace"))
    @in_servers
    async def find(
        self,
        reply: Reply,
        game: str | None = None,
        pace: str = LIVE,
        players: app_commands.Range[int, 2, 4] | None = None,
    ) -> None:
        """Open the panel with these choices."""
        self._services.check_game(game)
        chosen = await self._usual(reply.interaction)
        chosen[:3] = game or chosen[0], pace, ANY if players is None else str(players)
        await self._show(reply, chosen)

    @route("find", BUTTON, SELECT, at_table=False, words=(0, 5))
    async def choose(self, press: Press) -> None:
        """Open the panel, or change the choice of one of its selects."""
        chosen = [*press.custom_id.words] or await self._usual(press.interaction)
        page = press.custom_id.page
        if press.values:
            chosen[page - 1 : page] = ["+".join(press.values)]
        await self._show(press.reply, chosen)

    async def _usual(self, interaction: Interaction) -> list[str]:
        """Return the choices of a new panel: game, pace, players, level and languages."""
        game = await self._services.usual_game(server_of(interaction))
        person = self._services.tables.people.cached(interaction.user.id)
        language = (person.language or interaction.locale.value).partition("-")[0]
        return [game, LIVE, ANY, "some", language if language in LANGUAGES else "en"]

    def _choices(self, words: Words, chosen: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return the titles of the choices, each with its values and their names.

        Raise Forged if something else is chosen.
        """
        titles = self._services.titles
        seats = titles[only(chosen[:1], titles)].game.seats
        choices = {
            words("Game"): {name: words(title.text.title) for name, title in titles.items()},
            words("Pace"): {pace: words(name) for pace, name in PACES.items()},
            words("Players"): {
                ANY: _players(words, seats),
                **{str(each): _players(words, [each]) for each in seats},
            },
            words("Your experience"): {level: words(name) for level, name in LEVELS.items()},
            words("Languages"): {code: words.language(code) for code in LANGUAGES},
        }
        is_known = [
            {*values.split("+")} <= {*names}
            for values, names in zip(chosen, choices.values(), strict=False)
        ]
        is_single = not any("+" in each for each in chosen[:-1])
        if len(chosen) != len(choices) or not is_single or not all(is_known):
            raise Forged(*chosen)
        return choices

    async def _show(self, reply: Reply, chosen: list[str]) -> None:
        """Show who is looking, and the choices for a search."""
        words, guild, controls = reply.words, server_of(reply.interaction), list[Control]()
        game = only(chosen[:1], self._services.titles)
        if chosen[2] not in map(str, self._services.titles[game].game.seats):
            # The game is not for that number of players.
            chosen[2] = ANY
        searches = await self._searches.of_server(guild)
        look = CustomId("look", 0, None, (*chosen,))
        for page, (title, names) in enumerate(self._choices(words, chosen).items(), 1):
            lines = [
                option(value, Label(capital(name)), default=value in chosen[page - 1].split("+"))
                for value, name in names.items()
            ]
            controls.append(
                select(
                    look._replace(verb="find", page=page),
                    lines,
                    title,
                    max_values=len(lines) if page == len(chosen) else 1,
                )
            )
        controls.append(button(look, words("Start looking"), style=Style.PRIMARY))
        if any(each.user == reply.user for each in searches):
            controls.append(_stop(words))
        controls += self._join(words, guild, [e for e in searches if e.user != reply.user])
        note = words(
            "-# While you look, everyone in this server can see your name and these choices. As "
            "soon as enough people fit, a table opens with all of you, and I ping you."
        )
        await reply.show(text_layout("\n".join([note, *self._lines(words, searches)]), controls))

    def _lines(self, words: Words, searches: Sequence[SearchRow]) -> list[str]:
        lines = [words("### 🔎 Looking for players")]
        for each in reversed(searches[-MAX_OPTIONS:]):
            parts = [
                bold(each.name),
                self._services.title(words, each.game),
                words(PACES[each.pace]),
                _players(words, each.seats),
                words(LEVELS[each.level + SAME * each.same_level]),
                words.listing([words.language(code) for code in each.languages]),
                words("until {time}", time=moment(each.until)["date"]),
            ]
            lines.append(" · ".join(parts))
        return lines if searches else [*lines, words("No one is looking right now.")]

    def _join(self, words: Words, guild: int, searches: Sequence[SearchRow]) -> list[Control]:
        """Return a button to join the only search, or a select for several."""
        custom_id = CustomId("imin", 0, None, (str(guild),))
        if len(searches) == 1:
            only_id = custom_id.then(_key(searches[0]))
            return [button(only_id, words("I'm in"), style=Style.SUCCESS)]
        lines = [
            option(
                _key(each),
                Label(
                    f"{Written(each.name).plain} · {self._services.title(words, each.game)}"
                    f" · {words(PACES[each.pace])}"
                ),
            )
            for each in searches[-MAX_OPTIONS:]
        ]
        return [select(custom_id, lines, words("I'm in…"))] if lines else []

    # Searches

    @route("look", at_table=False, words=(5,))
    async def look(self, press: Press) -> None:
        """Start a search with the choices of the panel."""
        interaction, chosen = press.interaction, press.custom_id.words
        self._choices(press.reply.words, chosen)
        game, pace, players, level, languages = chosen
        now = self._services.tables.notifications.now()
        search = SearchRow(
            guild=server_of(interaction),
            user=press.user,
            game=game,
            name=stored_name(interaction.user),
            channel=interaction.channel_id or 0,
            pace=pace,
            seats=self._services.titles[game].game.seats if players == ANY else (int(players),),
            level=level.removesuffix(SAME),
            same_level=level.endswith(SAME),
            languages=languages.split("+"),
            since=now,
            until=now,
        )
        await self._look(press.reply, search)

    @route("imin", BUTTON, SELECT, at_table=False, words=(1, 2))
    async def join(self, press: Press) -> None:
        """Look for the same as someone else, also from a direct message."""
        server, *chosen = (*press.custom_id.words, *press.values)
        # In direct messages only servers whose alerts they get, and which they have not left.
        alerts = await self._searches.alerts(press.user)
        guilds = [press.interaction.guild_id, *(each.guild for each in alerts)]
        guild = next((each for each in guilds if str(each) == server), None)
        members = self._services.tables.server_members
        if guild is None or await members.departed(guild, [press.user]):
            raise Rejected("not_in_server")
        searches = {_key(each): each for each in await self._searches.of_server(guild)}
        found = searches.get(only(chosen))
        if found is None:
            raise Rejected("search_over")
        name = stored_name(press.interaction.user)
        await self._look(press.reply, replace(found, user=press.user, name=name))

    async def _look(self, reply: Reply, search: SearchRow) -> None:
        """Start a search, or open its table."""
        services, words = self._services, reply.words
        search = replace(search, channel=await self._channel(reply, search))
        table = await self._searches.look(search, services.limits)
        game = bold(services.title(words, search.game))
        if table is None:
            answer = words(
                "You're looking for players for {game}. I'll ping you as soon as a table opens.",
                game=game,
            )
            await reply.show(text_layout(answer, [_stop(words)]))
            return
        log.info("found table=%s players=%s", table.id, len(table.players))
        await reply.show(
            words(
                "There are enough of you: {players}. Table {table} ({game}) is open in {place}; "
                "press **Start** there.",
                players=words.listing([bold(name) for name in names_of(words, table)]),
                table=table.id,
                game=game,
                place=place_of(table),
            )
        )
        await self._lobby.welcome(reply, table)

    async def _channel(self, reply: Reply, search: SearchRow) -> int:
        """Return the channel that the server has named, else the one of the search.

        Raise Rejected if no table may be opened there, as far as this process knows.
        """
        server = await self._services.tables.servers.get(search.guild)
        guild = self._client.get_guild(search.guild)
        if server.find_channel is not None and self._may_open(guild, server.find_channel):
            return server.find_channel
        if not self._may_open(guild, search.channel):
            raise Rejected("no_permission")
        # Everyone at the table must see it.
        if guild is not None and not may_view(guild.default_role, search.channel):
            raise Rejected("find_private")
        await check_channel(reply, server, search.channel)
        return search.channel

    def _may_open(self, guild: discord.Guild | None, channel: int) -> bool:
        if guild is None:
            return True
        exists = guild.get_channel_or_thread(channel) is not None
        return exists and self._sender.may_post(Home(guild.id, (channel,)))

    @route("stopfind", at_table=False)
    async def stop(self, press: Press) -> None:
        """End the user's searches in this server, or from a direct message all of them."""
        await self._searches.stop(press.user, press.interaction.guild_id)
        await press.reply.show(press.reply.words("You've stopped looking."))

    async def _post(self, guild: int, searches: Sequence[SearchRow]) -> None:
        """Show all searches in the channel that the server has named."""
        servers, now = self._services.tables.servers, self._services.tables.notifications.now()
        server = await servers.get(guild)
        channel, pinged, mentions = server.find_channel, server.find_pinged, NO_MENTIONS
        old_channel, message = server.find_post or (0, None)
        if message is not None and old_channel != channel:
            await self._sender.remove(old_channel, message)
            message = None
        if channel is None:
            return
        words = await self._services.server_words(self._client, guild)
        newest = max([server.find_posted, *(each.since for each in searches)])
        lines, is_new = self._lines(words, searches), newest > server.find_posted
        if server.find_role is not None and searches:
            # Not at the end, where a long list is cut.
            lines.insert(1, f"🔔 <@&{server.find_role}>")
            hour = now.astimezone(ZoneInfo(server.find_zone)).hour
            if is_new and hour in DAY_HOURS and pinged + ROLE_PAUSE <= now:
                roles, pinged = [discord.Object(server.find_role)], now
                mentions = discord.AllowedMentions(everyone=False, users=False, roles=roles)
        sent = await self._sender.keep_posted(
            guild,
            channel,
            message,
            text_layout(
                "\n".join(lines),
                [
                    button(OPEN, words("Find players"), style=Style.PRIMARY),
                    *self._join(words, guild, searches),
                ],
            ),
            button_id=OPEN.encoded(),
            repost=is_new,
            mentions=mentions,
        )
        if sent is not None and sent != message:
            await servers.change(
                guild, find_post=(channel, sent), find_posted=newest, find_pinged=pinged
            )

    # Alerts

    @command("me alerts")
    async def alerts(self, reply: Reply) -> None:
        """Show the user's alerts in this server, with a select for each pace."""
        words, guild, controls = reply.words, server_of(reply.interaction), list[Control]()
        mine = {
            (each.pace, each.game)
            for each in await self._searches.alerts(reply.user)
            if each.guild == guild
        }
        titles = {name: title.text.title for name, title in self._services.titles.items()}
        for pace, when in {"": msg("at any pace"), **PACES}.items():
            options = [
                option(
                    game,
                    Label(capital(f"{words(title)}, {words(when)}")),
                    default=(pace, game) in mine,
                )
                for game, title in {"": msg("any game"), **titles}.items()
            ]
            controls.append(
                select(
                    CustomId("alerts", 0, None, (pace,)),
                    options,
                    capital(words(when)),
                    min_values=0,
                    max_values=len(options),
                )
            )
        lines = [
            words("**Pick the searches in this server you want a message about.**"),
            words("-# Not in your quiet hours, and at most one every 10 minutes."),
        ]
        await reply.show(text_layout("\n".join(lines), controls))

    @route("alerts", SELECT, at_table=False, words=(1,))
    async def change_alerts(self, press: Press) -> None:
        """Set the games for which the user gets alerts at a pace."""
        pace, games = only(press.custom_id.words, ("", *PACES)), {*press.values}
        if not games <= {"", *self._services.titles}:
            raise Forged(*games)
        await self._searches.set_alerts(server_of(press.interaction), press.user, pace, games)
        await self.alerts(press.reply)

    async def _alert(self, user: int, searches: Sequence[SearchRow]) -> None:
        """Send a user a direct message about new searches in a server."""
        guild, newest = searches[-1].guild, int(searches[-1].since.timestamp())
        services = self._services
        words = await services.user_words(user, await services.server_words(self._client, guild))
        lines = [*self._lines(words, searches), f"<#{searches[-1].channel}>"]
        content = text_layout("\n".join(lines), self._join(words, guild, searches))
        try:
            await self._sender.send_direct(user, content, nonce=f"{user % 10**12}.{newest}.f")
        except Unreachable:
            log.info("alert not sent user=%s", user)


def _key(search: SearchRow) -> str:
    return f"{search.game}.{search.pace}.{search.user}"


def _players(words: Words, seats: Sequence[int]) -> str:
    if len(seats) > 1:
        return words("any number of players")
    return words.plural("{count} player", "{count} players", seats[0])


def _stop(words: Words) -> Control:
    return button(CustomId("stopfind", 0), words("Stop looking"))
