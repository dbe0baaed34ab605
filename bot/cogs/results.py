"""`/stats` and `/leaderboard`: results and ratings, for any game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import discord
from discord.ext import commands

from bot.cogs.ui.access import Scope
from bot.cogs.ui.autocomplete import Choice, matching
from bot.cogs.ui.custom_id import CustomId, Forged, integer
from bot.cogs.ui.layout import Image, Interaction, button, said
from bot.cogs.ui.localized_commands import command, in_servers
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import Routes, Verb
from bot.cogs.ui.services import Services
from bot.cogs.ui.who import called
from bot.render import ratings
from bot.render.palettes import RATINGS
from bot.tables import Rejected
from bot.tables.results import LeaderboardPlace, Tally
from bot.text import results as text
from bot.text.markup import bold
from bot.text.user_text import Mention, Written
from bot.text.words import Words

PAGE = 10
"""Lines of a leaderboard at once."""


class ResultsCog(commands.Cog, name="results"):
    """Statistics, shown in private. In direct messages they cover all servers together."""

    def __init__(self, services: Services, router: Routes) -> None:
        self._services = services
        self._results = services.tables.results
        self._router = router

    async def cog_load(self) -> None:
        """Register the pages of a leaderboard."""
        turn = Verb(self._turn, scope=Scope.NO_TABLE, words=(1,), decided=True)
        self._router.on("leaders", turn)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off("leaders")

    @command("stats")
    async def stats(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        against: discord.User | None = None,
        game: str | None = None,
    ) -> None:
        """Show what somebody has achieved, alone or against somebody else."""
        async with Reply(interaction) as reply:
            who = player or interaction.user
            self._check(game)
            if against is None:
                await self._show(reply, who, game)
            else:
                await self._compare(reply, who, against, game)

    @in_servers
    @command("leaderboard")
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        """Show who is rated best in this server."""
        async with Reply(interaction) as reply:
            self._check(game)
            if interaction.guild_id is None:
                raise Rejected("not_in_server")
            await self._page(reply, game or await self._usual(interaction.guild_id), 0)

    @stats.autocomplete("game")
    @leaderboard.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice]:
        words = self._services.words_of(interaction)
        games = ((name, words(each.title)) for name, each in self._services.titles.texts.items())
        return matching(games, typed)

    # What is answered

    async def _show(
        self, reply: Reply, who: discord.User | discord.Member, game: str | None
    ) -> None:
        words, guild = reply.words, reply.interaction.guild_id
        found = await self._results.of(who.id, guild, game)
        name = bold(called(who))
        if not found:
            is_off = who.id == reply.user and not self._services.tables.people.known(who.id).counted
            await reply.say(words(text.OWN_OFF) if is_off else words(text.NONE, name=name))
            return
        lines = [self._tally(words, each) for each in found]
        if guild is None:
            lines = [words(text.STATS_EVERYWHERE, name=name), *lines, words(text.RATING_HERE)]
        else:
            lines = [words(text.STATS, name=name), *lines]
        palette = self._services.tables.people.known(reply.user).palette
        chart = await self._chart(words, called(who), found, palette)
        await reply.say(said("\n".join(lines), image=chart))

    async def _compare(
        self,
        reply: Reply,
        who: discord.User | discord.Member,
        other: discord.User | discord.Member,
        game: str | None,
    ) -> None:
        words, guild = reply.words, reply.interaction.guild_id
        name, theirs = bold(called(who)), bold(called(other))
        if who.id == other.id:
            raise Rejected("against_oneself")
        found = await self._results.between(who.id, other.id, guild, game)
        lines = [
            text.meeting(
                words,
                self._services.title(words, each.game),
                name,
                theirs,
                each.ahead,
                each.behind,
                each.even,
                discord.utils.format_dt(each.last, "d"),
            )
            for each in found
        ]
        title = text.BETWEEN if lines else text.NEVER_MET
        await reply.say("\n".join([words(title, name=name, other=theirs), *lines]))

    async def _page(self, reply: Reply, game: str, page: int) -> None:
        words, guild = reply.words, reply.interaction.guild_id
        title = words(self._services.titles.texts[game].title)
        board = [] if guild is None else await self._results.standings(guild, game)
        if not board:
            await reply.show(words(text.LEADERBOARD_NONE, game=bold(title)))
            return
        last_page = (len(board) - 1) // PAGE
        start = min(page, last_page) * PAGE
        shown = board[start : start + PAGE]
        lines = [words(text.LEADERBOARD, game=title), *(_standing(words, each) for each in shown)]
        own = next((each for each in board if each.user == reply.user), None)
        if own is not None and own not in shown:
            lines.append(text.own(words, _standing(words, own)))
        items = []
        if last_page:
            end = start + len(shown)
            lines.append(words(text.PAGE, first=start + 1, last=end, count=len(board)))
            at = start // PAGE
            items = [
                button(_leaders(game, at - 1), words(text.BACK), disabled=at == 0),
                button(_leaders(game, at + 1), words(text.ON), disabled=at == last_page),
            ]
        lines.append(words(text.LEADERBOARD_HOW))
        await reply.show(said("\n".join(lines), items))

    async def _turn(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        game, page = custom_id.decision, integer(custom_id.words)
        if game is None or game not in self._services.titles or page < 0:
            raise Forged(game)
        await self._page(reply, game, page)

    # Details

    def _tally(self, words: Words, tally: Tally) -> str:
        rating = tally.rating
        return text.tally(
            words,
            self._services.title(words, tally.game),
            games=tally.games,
            wins=tally.wins,
            resigned=tally.resigned,
            average=tally.average,
            streak=tally.streak,
            longest=tally.longest,
            rating=None if rating is None else (rating.points, rating.trust.value),
            pace=tally.pace,
        )

    async def _chart(
        self, words: Words, name: Written, tallies: Sequence[Tally], palette: str
    ) -> Image | None:
        """The ratings over time, where anything has changed yet."""
        lines = {
            self._services.title(words, each.game): each.history
            for each in tallies[: ratings.MOST]
            if len(each.history) > 1
        }
        if not lines:
            return None
        series = [ratings.Series(title, values) for title, values in lines.items()]
        title = words(text.CHART, name=name.plain)
        png = await self._services.pictures.draw(
            partial(ratings.draw, title, series, words(text.ACROSS))
        )
        alt = text.alt(words, name.plain, lines)
        return Image("ratings.png", alt, RATINGS.of(png, palette))

    async def _usual(self, guild: int) -> str:
        """The first game in which anybody has a rating."""
        games = list(self._services.titles.texts)
        for game in games:
            if await self._results.standings(guild, game):
                return game
        return games[0]

    def _check(self, game: str | None) -> None:
        if game is not None and game not in self._services.titles:
            raise Rejected("unknown_game")


def _standing(words: Words, each: LeaderboardPlace) -> str:
    return text.standing(
        words,
        place=each.place,
        name=Written(each.name) or Mention(each.user, Written("")),
        points=each.rating.points,
        trust=each.rating.trust.value,
        games=each.games,
        wins=each.wins,
    )


def _leaders(game: str, page: int) -> CustomId:
    return CustomId("leaders", 0, game, (str(page),))
