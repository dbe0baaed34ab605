"""`/stats` and `/leaderboard`: results and ratings. In direct messages they cover all servers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import discord

from bot.cogs.dialogues.predictions import ranking_button
from bot.cogs.ui import (
    CustomId,
    Forged,
    Image,
    Press,
    Reply,
    Services,
    button,
    command,
    discord_name,
    games_offered,
    in_servers,
    integer,
    route,
    text_layout,
)
from bot.cogs.ui.access import may_see, server_of
from bot.cogs.ui.waiting import table_link
from bot.render import chart
from bot.tables import AwardRow, Rejected
from bot.tables.results import LeaderboardPlace, Tally
from bot.text import Mention, Words, Written, bold, forms, msg
from bot.text.awards import awards

TRUST = {
    "new": msg("very rough estimate"),
    "vague": msg("rough estimate"),
    "fair": msg("fairly reliable"),
    "firm": msg("reliable"),
}
"""How reliable a rating is."""
GAMES = forms("{count} game", "{count} games")
WINS = forms("{count} win", "{count} wins")

PAGE = 10
"""Lines on a page of a leaderboard."""

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
        """Show a user's results, alone or against another user."""
        self._services.check_game(game)
        person = player or reply.interaction.user
        if against is None:
            await self._show(reply, person, game)
        else:
            await self._compare(reply, person, against, game)

    async def _show(self, reply: Reply, person: Person, game: str | None) -> None:
        words, guild = reply.words, reply.interaction.guild_id
        people, name = self._services.tables.people, bold(discord_name(person))
        tallies = await self._results.of_person(person.id, guild, game)
        if not tallies:
            is_off = person.id == reply.user and not people.cached(person.id).counted
            off = words(
                "Your statistics are off, so no one can see your results. Turn them on with "
                "`/me set statistics:`."
            )
            none = words(
                "No results of {name} here yet. Only games finished by at least two people count.",
                name=name,
            )
            await reply.say(off if is_off else none)
            return
        lines = [words("Results of {name}", name=name)]
        if guild is None:
            lines = [words("Results of {name} on all servers", name=name)]
        held = await self._services.tables.awards.find(user=person.id, guild=guild)
        lines += [self._tally(words, each, held) for each in tallies]
        if guild is None:
            lines.append(
                words("-# Each server has its own ratings. Use this command there to see yours.")
            )
        image = await self._chart(
            words, discord_name(person), tallies, people.cached(reply.user).palette
        )
        await reply.say(text_layout("\n".join(lines), image=image))

    def _tally(self, words: Words, tally: Tally, held: Sequence[AwardRow]) -> str:
        """Return a few lines with a user's results and awards in one game."""
        parts = [words.phrase(GAMES, tally.games), words.phrase(WINS, tally.wins)]
        if tally.resigned:
            parts.append(words.plural("{count} resigned", "{count} resigned", tally.resigned))
        more = []
        if tally.average is not None:
            more.append(words("{points} points on average", points=words.number(tally.average)))
        if tally.streak > 1:
            more.append(words.plural("{count} win in a row", "{count} wins in a row", tally.streak))
        if tally.longest > max(1, tally.streak):
            more.append(
                words.plural("best streak: {count} win", "best streak: {count} wins", tally.longest)
            )
        last = []
        if tally.rating is not None:
            trust = words(TRUST[tally.rating.trust])
            last.append(words("Rating {points} ({trust})", points=tally.rating.points, trust=trust))
        if tally.pace is not None:
            last.append(words("{time} per move on average", time=span(words, tally.pace)))
        title = bold(self._services.title(words, tally.game))
        lines = [f"{title} · {', '.join(parts)}", " · ".join(more), " · ".join(last)]
        named = awards(tally.game)
        own = [
            (named[row.award], row.value)
            for row in held
            if row.game == tally.game and row.award in named
        ]
        if records := [each.described(words, value) for each, value in own if each.better]:
            lines.append(words("🏅 Records: {records}", records=" · ".join(records)))
        if titles := [words(each.title) for each, _ in own if not each.better]:
            lines.append(words("🎖️ Achievements: {awards}", awards=" · ".join(titles)))
        return "\n".join(filter(None, lines))

    async def _chart(
        self, words: Words, name: Written, tallies: Sequence[Tally], palette: str
    ) -> Image | None:
        """Draw the ratings over time; return None if none has changed yet."""
        lines = {
            self._services.title(words, each.game): each.history
            for each in tallies[: chart.MAX_LINES]
            if len(each.history) > 1
        }
        if not lines:
            return None
        course = chart.Course(
            title=words("{name}: rating", name=name.plain),
            axis=words("games"),
            names=[*lines],
            lines=[*lines.values()],
            rounds=range(1, max(map(len, lines.values())) + 1),
            ratings=True,
        )
        png = await self._services.pictures.draw(partial(chart.draw, course, palette))
        described = [
            words(
                "{game}: {first} after the first rated game, {last} after {games}; peak {most}.",
                game=game,
                first=values[0],
                last=values[-1],
                most=max(values),
                games=words.phrase(GAMES, len(values)),
            )
            for game, values in lines.items()
        ]
        alt = words("Chart of {name}'s rating over time.", name=name.plain)
        return Image("ratings.png", " ".join([alt, *described]), png)

    async def _compare(self, reply: Reply, person: Person, other: Person, game: str | None) -> None:
        words, name, theirs = reply.words, bold(discord_name(person)), bold(discord_name(other))
        if person.id == other.id:
            raise Rejected("against_oneself")
        guild = reply.interaction.guild_id
        facts = {"name": name, "other": theirs}
        met = await self._results.between(person.id, other.id, guild, game)
        lines = [words("{name} vs. {other}", **facts)]
        if not met:
            lines = [words("{name} and {other} haven't finished a game together here.", **facts)]
        for each in met:
            games = words.phrase(GAMES, each.games)
            wins = words(
                "{name} ahead in {ahead}, {other} in {behind}, tied in {even}; last played {when}",
                **facts,
                ahead=each.ahead,
                behind=each.behind,
                even=each.even,
                when=discord.utils.format_dt(each.last, "d"),
            )
            title = bold(self._services.title(words, each.game))
            lines.append(f"{title} · {games}: {wins}")
        await reply.say("\n".join(lines))

    @command("leaderboard", game=games_offered)
    @in_servers
    async def leaderboard(self, reply: Reply, game: str | None = None) -> None:
        """Show the best-rated players of this server."""
        self._services.check_game(game)
        guild, games = server_of(reply.interaction), list(self._services.titles.texts)
        if game is None:
            rated = [each for each in games if await self._results.standings(guild, each)]
            game = (rated or games)[0]
        await self._page(reply, game, 0)

    @route("leaders", at_table=False, words=(1,), has_decision=True)
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
        items = [button(CustomId("records", 0, game), words("Records")), ranking_button(words)]
        if not board:
            none = words(
                "No ratings for {game} here yet. Only games finished by at least two people count.",
                game=bold(title),
            )
            await reply.show(text_layout(none, items))
            return
        last = (len(board) - 1) // PAGE
        current = min(page, last)
        shown = board[current * PAGE : (current + 1) * PAGE]
        lines = [
            words("**Leaderboard: {game}**", game=title),
            *(_standing(words, each) for each in shown),
        ]
        own = next((each for each in board if each.user == reply.user), None)
        if own is not None and own not in shown:
            lines.append(words("You: {standing}", standing=_standing(words, own)))
        if last:
            first, end = current * PAGE + 1, current * PAGE + len(shown)
            lines.append(
                words("-# {first}–{last} of {count}", first=first, last=end, count=len(board))
            )
            page_id = CustomId("leaders", 0, game)
            items[:0] = [
                button(
                    page_id.then(str(current - 1)), words("Higher ranks"), disabled=current == 0
                ),
                button(
                    page_id.then(str(current + 1)), words("Lower ranks"), disabled=current == last
                ),
            ]
        lines.append(
            words(
                "-# Ratings are cautious estimates: they start at 1000 and rise as you win and as "
                "you play more."
            )
        )
        await reply.show(text_layout("\n".join(lines), items))

    @route("records", at_table=False, has_decision=True)
    async def records(self, press: Press) -> None:
        """Show the server's records in a game."""
        words, game = press.reply.words, press.custom_id.decision
        if game is None or game not in self._services.titles:
            raise Forged(game)
        tables, lines = self._services.tables, list[str]()
        found = await tables.awards.find(guild=server_of(press.interaction), game=game)
        held = {row.award: row for row in found}
        places = await tables.reader.by_ids([row.table for row in found])
        for name, award in awards(game).items():
            if not award.better or (row := held.get(name)) is None:
                continue
            parts = [award.described(words, row.value), str(bold(Written(row.name)))]
            table = places.get(row.table)
            if table is not None and may_see(press.interaction, table):
                parts.append(f"[{words('Table {table}', table=table.id)}]({table_link(table)})")
            lines.append(" · ".join(parts))
        title = words("**Records: {game}**", game=self._services.title(words, game))
        lines = [title, *(lines or [words("No one holds a record here yet.")])]
        back = button(CustomId("leaders", 0, game).then("0"), words("Leaderboard"))
        await press.reply.show(text_layout("\n".join(lines), [back]))


def _standing(words: Words, each: LeaderboardPlace) -> str:
    return words(
        "{place}. {name} · {points} ({trust}) · {games}, {wins}",
        place=each.place,
        name=bold(Written(each.name) or Mention(each.user, Written(""))),
        points=each.rating.points,
        trust=words(TRUST[each.rating.trust]),
        games=words.phrase(GAMES, each.games),
        wins=words.phrase(WINS, each.wins),
    )


def span(words: Words, time: timedelta) -> str:
    """Return a duration in its two largest units: 2 days and 3 hours."""
    minutes = round(time.total_seconds() / 60)
    days, hours = minutes // (24 * 60), minutes // 60 % 24
    parts = [
        (days, forms("{count} day", "{count} days")),
        (hours, forms("{count} hour", "{count} hours")),
        (minutes % 60, forms("{count} minute", "{count} minutes")),
    ]
    units = [words.phrase(form, count) for count, form in parts if count]
    # With days, minutes are left out.
    shown = units[: 1 + (hours > 0)] if days else units[:2]
    return words.listing(shown) or words("less than a minute")
