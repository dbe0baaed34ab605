"""`/stats` and `/leaderboard`: results and ratings. In direct messages they cover all servers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import discord

from bot.cogs.ui import (
    CustomId,
    Forged,
    Image,
    Press,
    Reply,
    Services,
    button,
    called,
    command,
    games_offered,
    in_servers,
    integer,
    route,
    said,
)
from bot.render import chart
from bot.tables import Rejected
from bot.tables.results import LeaderboardPlace, Tally
from bot.text import Mention, Words, Written, bold
from bot.text import results as text

PAGE = 10
"""Lines of a leaderboard at once."""

Person = discord.User | discord.Member


class ResultsDialogue:
    """Statistics, shown in private."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._results = services.tables.results

    @command("stats", game=games_offered)
    async def stats(
        self,
        reply: Reply,
        player: discord.User | None = None,
        against: discord.User | None = None,
        game: str | None = None,
    ) -> None:
        """Show what somebody has achieved, alone or against somebody else."""
        self._check(game)
        person = player or reply.interaction.user
        if against is None:
            await self._show(reply, person, game)
        else:
            await self._compare(reply, person, against, game)

    async def _show(self, reply: Reply, person: Person, game: str | None) -> None:
        words, guild = reply.words, reply.interaction.guild_id
        people, name = self._services.tables.people, bold(called(person))
        found = await self._results.of_person(person.id, guild, game)
        if not found:
            is_off = person.id == reply.user and not people.known(person.id).counted
            await reply.say(words(text.OWN_OFF) if is_off else words(text.NONE, name=name))
            return
        title = text.STATS_EVERYWHERE if guild is None else text.STATS
        lines = [words(title, name=name), *(self._tally(words, each) for each in found)]
        if guild is None:
            lines.append(words(text.RATING_HERE))
        drawn = await self._chart(words, called(person), found, people.known(reply.user).palette)
        await reply.say(said("\n".join(lines), image=drawn))

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
            for each in tallies[: chart.MOST]
            if len(each.history) > 1
        }
        if not lines:
            return None
        course = chart.Course(
            title=words(text.CHART, name=name.plain),
            axis=words(text.ACROSS),
            names=[*lines],
            lines=[*lines.values()],
            rounds=range(1, max(map(len, lines.values())) + 1),
            ratings=True,
        )
        png = await self._services.pictures.draw(partial(chart.draw, course))
        png = chart.COLOURS.of(png, palette)
        return Image("ratings.png", text.alt(words, name.plain, lines), png)

    async def _compare(self, reply: Reply, person: Person, other: Person, game: str | None) -> None:
        words, name, theirs = reply.words, bold(called(person)), bold(called(other))
        if person.id == other.id:
            raise Rejected("against_oneself")
        guild = reply.interaction.guild_id
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
            for each in await self._results.between(person.id, other.id, guild, game)
        ]
        title = text.BETWEEN if lines else text.NEVER_MET
        await reply.say("\n".join([words(title, name=name, other=theirs), *lines]))

    @command("leaderboard", game=games_offered)
    @in_servers
    async def leaderboard(self, reply: Reply, game: str | None = None) -> None:
        """Show who is rated best in this server."""
        self._check(game)
        guild, games = reply.interaction.guild_id, list(self._services.titles.texts)
        if guild is None:
            raise Rejected("not_in_server")
        if game is None:
            rated = [each for each in games if await self._results.standings(guild, each)]
            game = (rated or games)[0]
        await self._page(reply, game, 0)

    @route("leaders", at_table=False, words=(1,), decided=True)
    async def turn_page(self, press: Press) -> None:
        """Show another page of the leaderboard."""
        game, page = press.custom_id.decision, integer(press.custom_id.words)
        if game is None or game not in self._services.titles or page < 0:
            raise Forged(game)
        await self._page(press.reply, game, page)

    async def _page(self, reply: Reply, game: str, page: int) -> None:
        words, guild = reply.words, reply.interaction.guild_id
        title = words(self._services.titles.texts[game].title)
        board = [] if guild is None else await self._results.standings(guild, game)
        if not board:
            await reply.show(words(text.LEADERBOARD_NONE, game=bold(title)))
            return
        last = (len(board) - 1) // PAGE
        at = min(page, last)
        shown = board[at * PAGE : (at + 1) * PAGE]
        lines = [words(text.LEADERBOARD, game=title), *(_standing(words, each) for each in shown)]
        own = next((each for each in board if each.user == reply.user), None)
        if own is not None and own not in shown:
            lines.append(text.own(words, _standing(words, own)))
        items = []
        if last:
            first, end = at * PAGE + 1, at * PAGE + len(shown)
            lines.append(words(text.PAGE, first=first, last=end, count=len(board)))
            here = CustomId("leaders", 0, game)
            items = [
                button(here.then(str(at - 1)), words(text.BACK), disabled=at == 0),
                button(here.then(str(at + 1)), words(text.ON), disabled=at == last),
            ]
        lines.append(words(text.LEADERBOARD_HOW))
        await reply.show(said("\n".join(lines), items))

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
