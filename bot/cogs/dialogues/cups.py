"""Cups and leagues: `/cup`, and the message of each with its buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import discord
from discord import app_commands
from msgspec.structs import replace

from bot.cogs.dialogues.lobby import option_select
from bot.cogs.dialogues.opening import channel_of, check_channel
from bot.cogs.dialogues.results import WINS
from bot.cogs.ui import (
    SELECT,
    Choice,
    CustomId,
    Image,
    Interaction,
    Keep,
    Layout,
    MessageSender,
    Press,
    Reply,
    Services,
    TableOption,
    Text,
    button,
    command,
    confirmation,
    fixed_choices,
    games_offered,
    in_servers,
    matching,
    only,
    route,
    rows,
    stored_name,
    table_link,
    text_layout,
    with_file,
)
from bot.cogs.ui.access import may_view
from bot.render import standings as picture
from bot.render.standings import Mark, StandingsRow, StandingsSection
from bot.tables import IN_PROGRESS, Rejected, Server, Table
from bot.tables.cup_record import draw_record
from bot.tables.cup_rules import (
    FINAL,
    MAX_ENTRANTS,
    MIN_ENTRANTS,
    Absent,
    Cup,
    CupGame,
    CupStanding,
    CupStatus,
    End,
    Format,
    points,
    standings,
)
from bot.tables.cups import (
    NOT_OVER,
    cancelled,
    decided,
    joined,
    last_round,
    left,
    may_wait,
    running,
    started,
    with_option,
)
from bot.text import AnyGameWords, Style, Words, Written, bold, cups, forms, general, msg
from bot.text.user_text import shown_names

MAX_NAME = 60
MAX_DIGITS = 10
ADDRESS = "https://discord.com/channels/"
POINTS = forms("{count} point", "{count} points")
Names = Mapping[int, Written]
"""The names of a cup's people, by user."""


class CupDialogue:
    """The commands of `/cup`, and the one message that shows a cup."""

    def __init__(self, services: Services, sender: MessageSender, client: discord.Client) -> None:
        self._services = services
        self._cups = services.tables.cups
        self._sender = sender
        self._client = client
        self._cups.on_due(self._show, services.limits)

    @command("cup new", game=games_offered)
    @app_commands.choices(
        format=fixed_choices("format"),
        speed=fixed_choices("speed"),
        absent=fixed_choices("absent"),
    )
    @in_servers
    async def new(
        self,
        reply: Reply,
        name: app_commands.Range[str, 1, MAX_NAME],
        game: str,
        format: str = "swiss",
        rounds: app_commands.Range[int, 1, 9] = 3,
        seats: app_commands.Range[int, 2, 4] = 2,
        size: app_commands.Range[int, MIN_ENTRANTS, MAX_ENTRANTS] = 16,
        speed: str = "day",
        absent: str = "replace",
        weeks: app_commands.Range[int, 1, 26] = 4,
    ) -> None:
        """Open the sign-up of a cup in this channel, and offer the game's options."""
        if not _is_manager(reply.interaction):
            raise Rejected("not_cup_manager")
        server, channel = await self._home(reply)
        cup = await self._cups.open(
            game,
            server.options.get(game, {}),
            guild=server.guild,
            channel=channel,
            organiser=reply.user,
            name=name,
            format=Format(format),
            games=rounds,
            seats=seats,
            size=size,
            pace=speed,
            absent=Absent(absent),
            weeks=weeks,
        )
        await reply.say(self._options(reply.words, cup))

    @route("cupset", SELECT, at_table=False, words=(2,))
    async def set_option(self, press: Press) -> None:
        """Set an option of the game before anyone has joined."""
        cup, words = await self._pressed(press, managed=True), press.reply.words
        options = self._text(words, cup.game).game.options
        name, value = press.custom_id.words[1], only(press.values)
        change = partial(with_option, options=options, name=name, value=value)
        await press.reply.show(self._options(words, await self._cups.change(cup.id, change)))

    @route("cupjoin", at_table=False, words=(1,))
    @route("cupleave", at_table=False, words=(1,))
    async def sign_up(self, press: Press) -> None:
        """Add or remove the user."""
        cup, reply, user = await self._pressed(press), press.reply, press.interaction.user
        is_joining = press.custom_id.verb == "cupjoin"
        change = partial(joined, name=stored_name(user)) if is_joining else left
        cup = await self._cups.change(cup.id, partial(change, user=user.id))
        if cup.status is CupStatus.OPEN:
            # Not only once the change is due: a press must show at once.
            words = await self._services.server_words(self._client, cup.guild)
            await reply.change(self._layout(words, cup, {}))
        elif is_joining:
            await reply.say(
                reply.words("You're on the waiting list. I'll ping you when you get a seat.")
            )
        else:
            answer = (
                msg("You've left the cup. To leave a game in progress too, use `/game resign`.")
                if may_wait(cup, has_left=user.id in {each.user for each in cup.entrants})
                else msg(
                    "You've left the cup and can't rejoin it. To leave a game in progress too, use "
                    "`/game resign`."
                )
            )
            await reply.say(reply.words(answer))

    @route("cupstart", at_table=False, words=(1,))
    async def start(self, press: Press) -> None:
        """Begin the first round, for the organiser."""
        cup = await self._pressed(press, managed=True)
        leaders = await self._services.tables.results.standings(cup.guild, cup.game)
        ratings = {each.user: each.rating.points for each in leaders}
        await self._cups.change(cup.id, partial(started, ratings=ratings))
        await press.reply.say(press.reply.words("The first round begins in a few seconds."))

    @route("cup", at_table=False, words=(1,))
    async def standings(self, press: Press) -> None:
        """Show the standings and the rules as text."""
        cup, words = await self._pressed(press), press.reply.words
        lines = [*_standings_lines(words, cup), "", *self._rules(words, cup)]
        await press.reply.say("\n".join(lines))

    async def _offer_cups(self, interaction: Interaction, typed: str) -> list[Choice]:
        visible = await self._visible(interaction)
        return matching(((str(cup.id), Written(cup.name).plain) for cup in visible), typed)

    @command("cup show", cup=_offer_cups)
    @in_servers
    async def show(self, reply: Reply, cup: str | None = None) -> None:
        """List the server's cups, or post one in this channel again."""
        words, interaction = reply.words, reply.interaction
        if cup is None:
            lines = [
                f"[{Written(each.name) or each.id}]"
                f"({ADDRESS}{each.guild}/{each.channel}/{each.message or ''})"
                f" · {self._services.title(words, each.game)} · {words(cups.STATUSES[each.status])}"
                for each in await self._visible(interaction)
            ]
            await reply.say("\n".join(lines) or words("This server has no cups yet."))
            return
        before = await self._chosen(interaction, cup, managed=True)
        _, channel = await self._home(reply)
        moved = {} if channel == before.channel else {"channel": channel, "message": None}
        if moved and before.message is not None:
            await self._sender.remove(before.channel, before.message)
        await self._cups.change(before.id, partial(replace, posted=0, **moved))
        await reply.say(
            words("The cup appears in {channel} in a few seconds.", channel=f"<#{channel}>")
        )

    @command("cup decide", among=IN_PROGRESS)
    @in_servers
    async def decide(
        self,
        reply: Reply,
        first: discord.User | None = None,
        second: discord.User | None = None,
        third: discord.User | None = None,
        fourth: discord.User | None = None,
        *,
        table: TableOption,
    ) -> None:
        """Close a cup's table with the places that the organiser names, or without a result."""
        cup = await self._chosen(reply.interaction, str(table.cup), managed=True)
        users = [user.id for user in (first, second, third, fourth) if user is not None]
        await self._cups.change(cup.id, partial(decided, table=table.id, users=users))
        answer = (
            msg("Decided. I'm closing table {table}.")
            if users
            else msg("The game doesn't count. I'm closing table {table}.")
        )
        await reply.say(reply.words(answer, table=table.id))

    @command("cup drop", cup=_offer_cups)
    @in_servers
    async def drop(self, reply: Reply, player: discord.User, cup: str) -> None:
        """Take a person out of later rounds, for the organiser."""
        chosen = await self._chosen(reply.interaction, cup, managed=True)
        await self._cups.change(chosen.id, partial(left, user=player.id))
        name, words = bold(Written(player.display_name)), reply.words
        await reply.say(
            words("{name} is out of the cup. If they're in a game, it continues.", name=name)
        )

    @command("cup cancel", cup=_offer_cups)
    @in_servers
    async def ask_to_cancel(self, reply: Reply, cup: str) -> None:
        """Ask the organiser to confirm the end of a cup."""
        chosen = await self._chosen(reply.interaction, cup, managed=True)
        question = reply.words(
            "Cancel {name}? No one wins it. Games in progress continue as ordinary games.",
            name=bold(Written(chosen.name)),
        )
        await reply.say(confirmation(reply.words, question, _id("cupcancel", chosen)))

    @route("cupcancel", at_table=False, words=(1,))
    async def cancel(self, press: Press) -> None:
        cup = await self._pressed(press, managed=True)
        await self._cups.change(cup.id, cancelled)
        await press.reply.show(press.reply.words("The cup is cancelled."))

    @command("cup file", cup=_offer_cups)
    @in_servers
    async def file(self, reply: Reply, cup: str) -> None:
        """Send the file with which anyone can verify the draws and pairings of a cup."""
        chosen = await self._chosen(reply.interaction, cup)
        if chosen.status in NOT_OVER:
            raise Rejected("cup_not_over")
        content = reply.words(
            "All draws, pairings and results of the cup, with its key. `python -m bot verify` "
            "checks this file."
        )
        await reply.say(with_file(content, f"cup-{chosen.id}.json", draw_record(chosen)))

    async def _home(self, reply: Reply) -> tuple[Server, int]:
        """Return the server and the channel for a cup and its tables.

        Raise Rejected if there is a reason against this channel.
        """
        place, channel = reply.interaction.channel, channel_of(reply.interaction)
        if not isinstance(place, discord.TextChannel):
            raise Rejected("not_in_text_channel")
        server = await self._services.tables.servers.get(place.guild.id)
        await check_channel(reply, server, channel)
        return server, channel

    async def _visible(self, interaction: Interaction) -> list[Cup]:
        """Return the cups of the server that the user may see."""
        found = await self._cups.of_server(interaction.guild_id or 0)
        return [cup for cup in found if _may_see(interaction, cup)]

    async def _pressed(self, press: Press, *, managed: bool = False) -> Cup:
        return await self._chosen(press.interaction, press.custom_id.words[0], managed=managed)

    async def _chosen(self, interaction: Interaction, typed: str, *, managed: bool = False) -> Cup:
        """Return the cup with the typed id.

        Raise no_cup if the user may not see it, and not_cup_manager if it must be `managed` by the
        user.
        """
        cup = await self._cups.get(
            int(typed) if typed.isdecimal() and len(typed) < MAX_DIGITS else 0
        )
        if not _may_see(interaction, cup):
            raise Rejected("no_cup")
        if managed and not _is_manager(interaction, cup):
            raise Rejected("not_cup_manager")
        return cup

    # The message

    async def _show(self, cup: Cup, tables: Mapping[int, Table], is_full: bool) -> int | None:
        """Post or edit a cup's message; see `bot.tables.cups.Show`."""
        words = await self._services.server_words(self._client, cup.guild)
        button_id = _id("cupleave" if cup.status in NOT_OVER else "cup", cup)
        image = await self._picture(words, cup) if cup.rounds else None
        return await self._sender.keep_posted(
            cup.guild,
            cup.channel,
            cup.message,
            self._layout(words, cup, tables, image, is_full=is_full),
            button_id=button_id.encoded(),
            repost=not cup.posted,
        )

    def _layout(
        self,
        words: Words,
        cup: Cup,
        tables: Mapping[int, Table],
        image: Image | None = None,
        *,
        is_full: bool = False,
    ) -> Layout:
        names = _names(words, cup)
        waiting = [str(names[each.user]) for each in cup.waiting]
        head = [f"### 🏆 {Written(cup.name)}", bold(self._services.title(words, cup.game))]
        join = button(_id("cupjoin", cup), words(general.JOIN), style=Style.SUCCESS)
        leave = button(_id("cupleave", cup), words("Leave"))
        show = button(_id("cup", cup), words("Standings"))
        body, controls = list[str](), [show]
        if cup.status is CupStatus.OPEN:
            players, waiting = waiting[: cup.size], waiting[cup.size :]
            is_small, start = len(players) < MIN_ENTRANTS, _id("cupstart", cup)
            controls = [
                join,
                leave,
                button(start, words("Start"), style=Style.PRIMARY, disabled=is_small),
            ]
            count, people = f"{len(players)}/{cup.size}", words.listing(players) or "–"
            body = [
                *self._rules(words, cup),
                words("👥 Players ({count}): {names}", count=count, names=people),
            ]
        elif cup.status is CupStatus.PLAYING:
            controls += [join, leave] if may_wait(cup) else [leave]
            head.append(_round(words, cup))
            listed = running(cup) if cup.format is Format.LEAGUE else last_round(cup)
            body += [_game(words, names, tables, each) for each in listed]
            if cup.until:
                body.append(words("⏳ The season ends on {when}.", when=f"<t:{cup.until}:f>"))
            if is_full:
                body.append(
                    words(
                        "⏳ The other games begin when this server has room for more open tables. "
                        "Managers can raise the limit with `/server set tables:`."
                    )
                )
        elif cup.status is CupStatus.CANCELLED:
            head.append(words("This cup was cancelled. Its games continue."))
        elif cup.active:
            active = {entrant.user for entrant in cup.active}
            ranked = [each for each in standings(cup) if each.user in active]
            best = [bold(names[each.user]) for each in ranked if each.place == ranked[0].place]
            # Below, where it can be cut: if no game counts, all share the first place.
            body.append(words("🥇 {names}", names=words.listing(best) or "–"))
        if cup.status in NOT_OVER:
            seal = words("Fairness check (hash): `{hash}`", hash=cup.key_hash)
            if waiting:
                people = words.listing(waiting)
                body.append(words("⏳ Waiting list: {names}", names=people))
        else:
            seal = words(
                "Fairness check (key): `{key}`. Use the file from `/cup file` to verify every "
                "draw.",
                key=cup.key,
            )
        return Layout(
            [
                Text("\n".join(head)),
                *([] if image is None else [image]),
                Text("\n".join(body), Keep.BEGINNING),
                Text(f"-# {seal}"),
                *rows(controls),
            ]
        )

    def _options(self, words: Words, cup: Cup) -> Layout:
        """Return the options of a new cup's game, for its organiser."""
        text = self._text(words, cup.game)
        selects = [
            option_select(_id("cupset", cup, each.name), text, each, cup.options[each.name])
            for each in text.game.options
        ]
        content = words(
            "The cup appears in {channel} in a few seconds. You can change the options of the game "
            "until someone joins.",
            channel=f"<#{cup.channel}>",
        )
        return text_layout(content, selects)

    def _rules(self, words: Words, cup: Cup) -> list[str]:
        """Return the rules of a cup, a line for each."""
        scales = (
            words(
                "{points} for {count} players",
                points="/".join(map(str, points(range(1, seats + 1)))),
                count=seats,
            )
            for seats in range(2, cup.seats + 1)
        )
        weeks = words.plural("{count} week", "{count} weeks", cup.weeks)
        lines = [
            words.phrase(cups.FORMAT_RULES[cup.format], cup.games, weeks=weeks),
            words(
                "Up to {seats} players at a table; {pace}. When your time is up, a computer "
                "player plays for you until you're back. Hints are off.",
                seats=cup.seats,
                pace=words(cups.PACES[cup.pace]),
            ),
            words(
                "Points by place: {points}. A bye gives {most}. If points are equal, wins decide, "
                "then the average points of your opponents.",
                points=", ".join(scales),
                most=points((1,))[0],
            ),
            words(cups.ABSENT_RULES[cup.absent]),
        ]
        if cup.game in self._services.titles:
            lines.append(self._text(words, cup.game).options_summary(cup.options))
        return lines

    def _text(self, words: Words, game: str) -> AnyGameWords:
        """Return the texts of a game in its newest version, as its next table will have it."""
        return self._services.titles.texts[game](words)

    async def _picture(self, words: Words, cup: Cup) -> Image:
        """Draw the standings."""
        names, sections = _names(words, cup), _sections(words, cup)
        is_league, last = cup.format is Format.LEAGUE, len(sections) - 1
        drawn = [
            StandingsSection(
                heading,
                [_row(cup, each, names[each.user].plain) for each in ranked],
                up=int(is_league and number > 0),
                down=int(is_league and number < last),
            )
            for number, (heading, ranked) in enumerate(sections)
        ]
        legend = {
            Mark.RUNNING: words("being played"),
            Mark.BYE: words("bye"),
            Mark.VOID: words("doesn't count"),
        }
        if is_league:
            legend |= {Mark.UP: words("moves up"), Mark.DOWN: words("moves down")}
        draw = partial(
            picture.draw_standings,
            Written(cup.name).plain,
            _round(words, cup),
            (words("played"), words("wins"), words("points")),
            drawn,
            legend,
        )
        png = await self._services.pictures.draw(draw)
        palette = (await self._services.tables.servers.get(cup.guild)).palette
        alt = " ".join(_standings_lines(words, cup, plain=True))
        return Image("standings.png", alt, picture.COLOURS.of(png, palette))


def _is_manager(interaction: Interaction, cup: Cup | None = None) -> bool:
    """Return whether the user may open cups in the server, or manage this one of it."""
    rights, is_own = interaction.permissions, cup and cup.organiser == interaction.user.id
    return bool(rights.manage_guild or rights.manage_events or is_own)


def _may_see(interaction: Interaction, cup: Cup) -> bool:
    user = interaction.user
    if cup.guild != interaction.guild_id or not isinstance(user, discord.Member):
        return False
    return _is_manager(interaction, cup) or may_view(user, cup.channel)


def _id(verb: str, cup: Cup, *words: str) -> CustomId:
    return CustomId(verb, 0, None, (str(cup.id), *words))


def _names(words: Words, cup: Cup) -> Names:
    people = [*cup.entrants, *cup.waiting]
    shown = shown_names(words, [each.name for each in people])
    return {each.user: name for each, name in zip(people, shown, strict=True)}


def _round(words: Words, cup: Cup) -> str:
    number = len(cup.rounds)
    if cup.format is Format.LEAGUE:
        return words("Season {number}", number=number)
    if any(game.group == FINAL for game in last_round(cup)):
        return words("Final")
    return words("Round {number} of {count}", number=number, count=cup.games)


def _game(words: Words, names: Names, tables: Mapping[int, Table], game: CupGame) -> str:
    players = [str(names[user]) for user in game.users]
    if game.is_bye:
        return words("• {name} has a bye.", name=players[0])
    if game.places:
        ranked = sorted(zip(game.places, players, strict=True))
        players = [f"{place}. {player}" for place, player in ranked]
    label, table = words("Table {table}", table=game.table), tables.get(game.table)
    if table is not None:
        # The mention of a thread is short, as there may be many tables.
        label = f"<#{table.thread}>" if table.thread else f"[{label}]({table_link(table)})"
    ending = words("doesn't count") if game.end is End.VOID else ""
    return f"• {label}: " + ", ".join(filter(None, [*players, ending]))


def _sections(words: Words, cup: Cup) -> list[tuple[str, Sequence[CupStanding]]]:
    """Return the standings of each group or tier, or of all once there's a final, with headings."""
    groups = sorted({entrant.group for entrant in cup.entrants})
    if len(groups) == 1 or any(game.group == FINAL for game in last_round(cup)):
        return [(words("Standings"), standings(cup))]
    heading = msg("Tier {number}") if cup.format is Format.LEAGUE else msg("Group {number}")
    return [(words(heading, number=group + 1), standings(cup, group)) for group in groups]


def _standings_lines(words: Words, cup: Cup, *, plain: bool = False) -> list[str]:
    names, lines = _names(words, cup), list[str]()
    for heading, ranked in _sections(words, cup):
        lines.append(f"{heading}." if plain else bold(heading))
        lines += [
            words(
                "{place}. {name}: {points}, {wins}, opponents' average {strength}.",
                place=each.place,
                name=names[each.user].plain if plain else names[each.user],
                points=words.phrase(POINTS, each.points),
                wins=words.phrase(WINS, each.wins),
                strength=words.number(each.strength),
            )
            for each in ranked
        ]
    return lines


def _row(cup: Cup, standing: CupStanding, name: str) -> StandingsRow:
    user, rounds = standing.user, cup.rounds
    if cup.format is Format.LEAGUE:
        rounds = tuple((game,) for game in last_round(cup) if user in game.users)
    own = [next((game for game in games if user in game.users), None) for games in rounds]
    return StandingsRow(
        place=standing.place,
        name=name,
        marks=[None if game is None else _mark(game, user) for game in own],
        counts=(standing.played, standing.wins, standing.points),
        has_left=user not in {entrant.user for entrant in cup.active},
    )


def _mark(game: CupGame, user: int) -> int | Mark:
    if game.places:
        return Mark.BYE if game.is_bye else game.places[game.users.index(user)]
    return Mark.RUNNING if game.end is None else Mark.VOID
