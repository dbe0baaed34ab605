"""`/find`: looking for players, the message with all searches of a server, and alerts."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.cogs.dialogues.lobby import LobbyDialogue
from bot.cogs.dialogues.opening import channel_of, check_channel
from bot.cogs.ui import (
    BUTTON,
    MAX_OPTIONS,
    NO_MENTIONS,
    SELECT,
    Budget,
    Control,
    CustomId,
    Forged,
    Home,
    Interaction,
    Keep,
    Layout,
    MessageSender,
    Press,
    Reply,
    Services,
    Text,
    Unreachable,
    button,
    charge,
    command,
    error_text,
    fixed_choices,
    games_offered,
    in_servers,
    names_of,
    only,
    option,
    place_of,
    route,
    rows,
    select,
    stored_name,
    text_layout,
)
from bot.tables import OFF, ON, AlertRow, Rejected, SearchRow
from bot.tables.search import LEVELS, LIVE
from bot.text import Label, Style, Words, Written, bold, moment, msg
from bot.text.markup import capital
from bot.text.terms import PACES

log = logging.getLogger(__name__)

LANGUAGES = ("en", "it", "de", "fr", "es", "pt", "nl", "pl", "cs", "sv", "ru", "ja")
LEVEL_NAMES = {
    "new": msg("new to the game"),
    "some": msg("some games played"),
    "experienced": msg("experienced"),
}
SAME = "-same"
"""Suffix of a level for those who want only people of their level."""
ANY = "any"
LOOK = msg("Look for players")
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
        if game is not None and game not in self._services.titles:
            raise Rejected("unknown_game", game=game)
        usual = await self._usual(reply.interaction)
        number = ANY if players is None else str(players)
        chosen = [game or usual[0], pace, number, *usual[3:]]
        await self._show(reply, self._checked(reply.words, chosen))

    @route("find", BUTTON, SELECT, at_table=False, words=(0, 4), has_decision=True)
    async def choose(self, press: Press) -> None:
        """Open the panel, or change the choice of one of its selects."""
        chosen, page = await self._usual(press.interaction), press.custom_id.page
        if press.custom_id.words:
            chosen = _chosen(press.custom_id)
        if press.values:
            chosen[page - 1 : page] = ["+".join(press.values)]
        await self._show(press.reply, self._checked(press.reply.words, chosen))

    async def _usual(self, interaction: Interaction) -> list[str]:
        """Return the choices of a new panel: game, pace, players, level and languages."""
        titles, services = self._services.titles, self._services
        server = await services.tables.servers.get(_server(interaction))
        person = services.tables.people.cached(interaction.user.id)
        language = (person.language or interaction.locale.value).partition("-")[0]
        game = server.game if server.game in titles else next(iter(titles))
        return [game, LIVE, ANY, "some", language if language in LANGUAGES else "en"]

    def _choices(self, words: Words, game: str) -> dict[str, dict[str, str]]:
        """Return the titles of the choices, each with its values and their names."""
        titles = self._services.titles
        seats = titles[game].game.seats if game in titles else ()
        levels = {
            f"{level}{same}": _level(words, level, same) for same in ("", SAME) for level in LEVELS
        }
        return {
            words("Game"): {name: words(title.text.title) for name, title in titles.items()},
            words("Pace"): {pace: words(name) for pace, name in PACES.items()},
            words("Players"): {
                ANY: words("any number of players"),
                **{str(each): _players(words, [each]) for each in seats},
            },
            words("Your experience"): levels,
            words("Languages"): {code: words.language(code) for code in LANGUAGES},
        }

    def _checked(self, words: Words, chosen: Sequence[str]) -> list[str]:
        """Return the choices, with a number of players that the game allows. Raise Forged."""
        game, pace, players, *others = chosen
        choices = list(self._choices(words, game).values())
        checked = [game, pace, players if players in choices[2] else ANY, *others]
        if len(checked) != len(choices):
            raise Forged(*checked)
        for values, known in zip(checked, choices, strict=True):
            if not known.keys() >= {*values.split("+")}:
                raise Forged(values)
        return checked

    async def _show(self, reply: Reply, chosen: Sequence[str]) -> None:
        """Show who is looking, and the choices for a search."""
        words, guild, controls = reply.words, _server(reply.interaction), list[Control]()
        searches, (game, *others) = await self._searches.of_server(guild), chosen
        for page, (title, values) in enumerate(self._choices(words, game).items(), 1):
            lines = [
                option(value, Label(capital(name)), default=value in chosen[page - 1].split("+"))
                for value, name in values.items()
            ]
            custom_id = CustomId("find", 0, game, (*others,), page)
            most = len(lines) if page == len(chosen) else 1
            controls.append(select(custom_id, lines, title, max_values=most))
        look = CustomId("look", 0, game, (*others,))
        controls.append(button(look, words(LOOK), style=Style.PRIMARY))
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
        lines += [self._line(words, each) for each in reversed(searches[-MAX_OPTIONS:])]
        return lines if searches else [*lines, words("No one is looking right now.")]

    def _line(self, words: Words, search: SearchRow) -> str:
        return " · ".join(
            [
                bold(search.name),
                self._services.title(words, search.game),
                words(PACES[search.pace]),
                _players(words, search.seats),
                _level(words, search.level, SAME if search.same_level else ""),
                words.listing([words.language(code) for code in search.languages]),
                words("until {time}", time=moment(search.until)["date"]),
            ]
        )

    def _join(self, words: Words, guild: int, searches: Sequence[SearchRow]) -> list[Control]:
        """Return a button to join the only search, or a select for several."""
        custom_id = CustomId("imin", 0, None, (str(guild),))
        if len(searches) == 1:
            chosen = custom_id.then(searches[0].game, str(searches[0].user))
            return [button(chosen, words("I'm in"), style=Style.SUCCESS)]
        lines = [
            option(
                f"{each.game},{each.user}",
                Label(
                    f"{Written(each.name).plain} · {self._services.title(words, each.game)}"
                    f" · {words(PACES[each.pace])}"
                ),
            )
            for each in searches[-MAX_OPTIONS:]
        ]
        return [select(custom_id, lines, words("I'm in…"))] if lines else []

    # Searches

    @route("look", at_table=False, words=(4,), has_decision=True)
    async def look(self, press: Press) -> None:
        """Start a search with the choices of the panel."""
        reply, guild = press.reply, _server(press.interaction)
        chosen = self._checked(reply.words, _chosen(press.custom_id))
        game, pace, players, level, languages = chosen
        channel, tables = channel_of(press.interaction), self._services.tables
        server, now = await tables.servers.get(guild), tables.notifications.now()
        if server.find_channel is None:
            await check_channel(reply, server, channel)
        any_number = self._services.titles[game].game.seats
        search = SearchRow(
            guild=guild,
            user=reply.user,
            game=game,
            name=stored_name(press.interaction.user),
            channel=channel,
            pace=pace,
            seats=any_number if players == ANY else (int(players),),
            level=level.removesuffix(SAME),
            same_level=level.endswith(SAME),
            languages=languages.split("+"),
            since=now,
            until=now,
        )
        await self._look(reply, search)

    @route("imin", BUTTON, SELECT, at_table=False, words=(1, 3))
    async def join(self, press: Press) -> None:
        """Look for the same as someone else, also from a direct message."""
        reply, (server, *chosen) = press.reply, press.custom_id.words
        game, _, user = ",".join(chosen or [only(press.values)]).partition(",")
        guilds = {press.interaction.guild_id}
        if press.interaction.guild_id is None:
            # Only servers whose alerts they get, and which they have not left.
            guilds = {each.guild for each in await self._searches.alerts(reply.user)}
        guild = next((each for each in guilds if str(each) == server), None)
        members = self._services.tables.server_members
        if guild is None or await members.departed(guild, [reply.user]):
            raise Rejected("not_in_server")
        searches = await self._searches.of_server(guild)
        found = [each for each in searches if (each.game, str(each.user)) == (game, user)]
        if not found:
            raise Rejected("search_over")
        mine = replace(
            found[0], user=reply.user, name=stored_name(press.interaction.user), same_level=False
        )
        await self._look(reply, found[0] if found[0].user == reply.user else mine)

    async def _look(self, reply: Reply, search: SearchRow) -> None:
        services, words = self._services, reply.words
        charge(services, reply.interaction, Budget.TABLES)
        may_open = partial(self._may_open, search.guild)
        table, reason = await self._searches.look(search, services.limits, may_open)
        game = bold(services.title(words, search.game))
        if table is None:
            answer = words(
                "You're looking for players of {game}. I'll ping you as soon as a table opens.",
                game=game,
            )
            if reason is not None:
                why = error_text(services, words, reason, None)
                answer = words("Enough people fit, but I can't open a table. {reason}", reason=why)
            await reply.show(text_layout(answer, [_stop(words)]))
            return
        log.info("found table=%s players=%s", table.id, len(table.players))
        answer = words(
            "Table {table} is open in {place}: {players} play {game}.",
            table=table.id,
            place=place_of(table),
            players=words.listing([bold(name) for name in names_of(words, table)]),
            game=game,
        )
        await reply.show(answer)
        await self._lobby.welcome(reply, table)

    def _may_open(self, guild: int, channel: int) -> bool:
        """Return whether a table may be opened in a channel, as far as this process knows."""
        server, home = self._client.get_guild(guild), Home(guild, (channel,))
        if server is None:
            return True
        return server.get_channel_or_thread(channel) is not None and self._sender.may_post(home)

    @route("stopfind", at_table=False)
    async def stop(self, press: Press) -> None:
        """End the user's searches in this server, or from a direct message all of them."""
        await self._searches.stop(press.user, press.interaction.guild_id)
        await press.reply.show(press.reply.words("You've stopped looking."))

    async def _post(self, guild: int) -> None:
        """Show all searches in the channel that the server has named."""
        servers, now = self._services.tables.servers, self._services.tables.notifications.now()
        server = await servers.get(guild)
        channel, old, last = server.find_channel, server.find_post, server.find_posted
        pinged = server.find_pinged
        message = old[1] if old is not None and old[0] == channel else None
        if old is not None and message is None:
            await self._sender.remove(*old)
        if channel is None:
            return
        words = await self._services.guild_words(self._client, guild)
        searches = await self._searches.of_server(guild)
        newest = searches[-1].since if searches else None
        is_new = newest is not None and (last is None or newest > last)
        lines, mentions = self._lines(words, searches), NO_MENTIONS
        if server.find_role is not None and searches:
            lines.append(f"🔔 <@&{server.find_role}>")
            hour = now.astimezone(ZoneInfo(server.find_zone)).hour
            if is_new and hour in DAY_HOURS and (pinged is None or pinged + ROLE_PAUSE <= now):
                roles, pinged = [discord.Object(server.find_role)], now
                mentions = discord.AllowedMentions(everyone=False, users=False, roles=roles)
        find = CustomId("find", 0)
        look = button(find, words(LOOK), style=Style.PRIMARY)
        sent = await self._sender.keep_posted(
            guild,
            channel,
            message,
            text_layout("\n".join(lines), [look, *self._join(words, guild, searches)]),
            button_id=find.encoded(),
            repost=is_new,
            mentions=mentions,
        )
        if sent is not None and sent != message:
            post = (channel, sent)
            await servers.change(
                guild, find_post=post, find_posted=newest or last, find_pinged=pinged
            )

    # Alerts

    @command("me alerts")
    async def alerts(self, reply: Reply) -> None:
        """Show the user's alerts in this server, with a select for each pace."""
        words, guild = reply.words, _server(reply.interaction)
        titles = self._services.titles
        games = {
            "": words("any game"),
            **{name: words(each.text.title) for name, each in titles.items()},
        }
        paces = {"": words("at any pace"), **{pace: words(name) for pace, name in PACES.items()}}
        mine = [
            (e.game, e.pace) for e in await self._searches.alerts(reply.user) if e.guild == guild
        ]
        lines = [words("**When someone here looks for players, I send you a message:**")]
        controls = []
        for pace, shown in paces.items():
            options = []
            for game, title in games.items():
                name, is_on = capital(f"{title}, {shown}"), (game, pace) in mine
                lines += [f"✅ {name}"] if is_on else []
                label = words("Remove: {alert}", alert=name) if is_on else name
                options.append(option(f"{game},{OFF if is_on else ON}", Label(label)))
            controls.append(select(CustomId("alerts", 0, None, (pace,)), options, capital(shown)))
        lines.append(words("-# Not in your quiet hours, and at most every 10 minutes."))
        await reply.show(text_layout("\n".join(lines), controls))

    @route("alerts", SELECT, at_table=False, words=(1,))
    async def change_alerts(self, press: Press) -> None:
        """Add or remove an alert."""
        pace, (game, _, change) = only(press.custom_id.words), only(press.values).partition(",")
        if pace not in ("", *PACES) or game not in ("", *self._services.titles):
            raise Forged(pace, game)
        alert = AlertRow(_server(press.interaction), press.user, game, pace)
        await self._searches.set_alert(alert, on=change == ON)
        await self.alerts(press.reply)

    async def _alert(self, user: int, searches: Sequence[SearchRow]) -> None:
        """Send a user a direct message about new searches."""
        words = await self._services.user_words(user, self._services.words_for(None))
        lines, controls = [words("**People are looking for players**")], list[Control]()
        for guild in dict.fromkeys(each.guild for each in searches):
            found, server = [e for e in searches if e.guild == guild], self._client.get_guild(guild)
            lines += [bold(server.name)] if server is not None else []
            lines += [self._line(words, each) for each in reversed(found[-MAX_OPTIONS:])]
            controls += self._join(words, guild, found)
        newest = max(each.since for each in searches)
        try:
            await self._sender.send_direct(
                user,
                Layout([Text("\n".join(lines), Keep.BEGINNING), *rows(controls, optional=True)]),
                nonce=f"{user % 10**12}.{int(newest.timestamp())}.f",
            )
        except Unreachable:
            log.info("alert not sent user=%s", user)


def _chosen(custom_id: CustomId) -> list[str]:
    return [custom_id.decision or "", *custom_id.words]


def _server(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise Rejected("not_in_server")
    return interaction.guild_id


def _players(words: Words, seats: Sequence[int]) -> str:
    if len(seats) > 1:
        return words("{least}–{most} players", least=min(seats), most=max(seats))
    return words.plural("{count} player", "{count} players", seats[0])


def _level(words: Words, level: str, same: str) -> str:
    name = words(LEVEL_NAMES[level])
    return words("{level}, only with others at this level", level=name) if same else name


def _stop(words: Words) -> Control:
    return button(CustomId("stopfind", 0), words("Stop looking"))
