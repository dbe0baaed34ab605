"""The texts and buttons of what a table posts: its lobby, its turns, its end, private news."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import discord

from bot.cogs.common import who
from bot.cogs.common.beside import go_on_button, seat_buttons, take_back_button
from bot.cogs.common.items import Pressable, button, panel
from bot.cogs.common.looking import newest
from bot.cogs.common.press import Press
from bot.cogs.common.reply import MAX_CONTENT
from bot.cogs.common.shell import Look, Shell
from bot.cogs.common.waiting import table_link
from bot.game.contract import Decision, Event
from bot.tables import Status, Table
from bot.text import absence, general, running, terms
from bot.text import history as history_text
from bot.text import promises as promise_text
from bot.text.contract import Style
from bot.text.general import LobbySeat
from bot.text.markup import bold, clip
from bot.text.words import Words

ROOM = 1500
"""Characters kept for the lines of what happened; the rest of a message needs the others."""


class Told(NamedTuple):
    """A post in two parts: what happened, and who is to move."""

    story: str
    foot: str

    def __str__(self) -> str:
        return _fit(self)


class Letters:
    """Puts messages together; sends nothing."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def lobby(
        self,
        words: Words,
        table: Table,
        before: Table | None = None,
        beside: Sequence[str] = (),
        closes: datetime | None = None,
    ) -> tuple[str, discord.ui.View | None]:
        """The lobby message, of a rematch of the table `before` where there was one; it says when
        it `closes` where nothing has been done for long.

        Without buttons once the table has begun or closed.
        """
        title = words(
            general.BOARD_TITLE, game=self._shell.title(words, table.game), table=table.id
        )
        if table.is_over:
            link = table_link(table)
            over = [words(general.GAME_OVER_THERE, link=link)]
            if table.status is Status.ABANDONED:
                over = [words(general.ABANDONED), *([link] if table.panel_message else [])]
            return "\n".join([f"### {title}", *over]), None
        if table.status is not Status.LOBBY:
            place = f"<#{table.thread or table.channel}>"
            return "\n".join([f"### {title}", words(general.THREAD_HERE, thread=place)]), None
        text, rules = self._shell.text(table), self._shell.rules(table)
        names = who.names(words, table)
        body = general.lobby(
            words,
            tagline=text.tagline(words),
            seated=[
                LobbySeat(
                    name,
                    player.policy,
                    player.reachable,
                    host=player.user is not None and player.user == table.host,
                )
                for player, name in zip(table.players, names, strict=True)
            ],
            seats=rules.seats,
            options="\n".join(
                [text.options_summary(words, table.options), terms.summary(words, table.terms)]
            ),
        )
        lines = [f"### {title}", body, *beside]
        if before is not None:
            place = f"<#{before.thread or before.channel}>"
            lines.append(words(running.REMATCH_OF, table=before.id, place=place))
        lines += [
            words(general.UNREACHABLE, name=bold(names[player.seat]))
            for player in table.humans
            if not player.reachable
        ]
        full = len(table.players) >= max(rules.seats)
        keeping = []
        if closes is not None:
            when = discord.utils.format_dt(closes, "f")
            lines.append(words(general.LOBBY_CLOSES, when=when))
            keeping = [button(Press("keep", table.id), words(general.KEEP_OPEN), row=2)]
        buttons = [
            button(
                Press("join", table.id),
                words(general.JOIN),
                style=Style.SUCCESS,
                row=0,
                disabled=full,
            ),
            button(Press("leave", table.id), words(general.LEAVE), row=0),
            button(Press("computer", table.id), words(general.ADD_COMPUTER), row=0, disabled=full),
            button(Press("options", table.id), words(general.OPTIONS), row=1),
            button(Press("rules", table.id), words(general.RULES), row=1),
            button(Press("begin", table.id), words(general.START), style=Style.PRIMARY, row=1),
            *keeping,
        ]
        return clip("\n".join(lines), MAX_CONTENT), panel(buttons)

    def turn(
        self, look: Look, events: Sequence[Event], *, thread: int | None, beside: Sequence[str]
    ) -> Told:
        """What happened since the last post and who is to move, with mentions; what is `beside`."""
        words, table = look.words, look.table
        lines = self._shell.story(look, events)
        head: list[str] = []
        if table.posted_seq < 0:
            players = words.listing(list(map(str, who.mentions(words, table))))
            game = words(look.text.title)
            head.append(words(general.STARTED, players=players, game=game))
            if table.guild is not None and thread is None:
                head.append(words(general.NO_THREAD))
            head.append(f"-# {words(general.COMMITMENT, hash=table.key_hash)}")
            head += [
                words(general.UNREACHABLE, name=bold(look.names[player.seat]))
                for player in table.humans
                if not player.reachable
            ]
        story = _fit([*head, newest(lines, ROOM - len("\n".join(head)))])
        return Told(story, self._foot(look, beside))

    def progress(
        self, look: Look, told: Told, events: Sequence[Event], beside: Sequence[str]
    ) -> Told:
        """A posted turn with what has been done since below it."""
        lines = [f"-# {line}" for line in self._shell.story(look, events)]
        room = max(ROOM - len(told.story), 0)
        return Told(_fit([told.story, newest(lines, room)]), self._foot(look, beside))

    def _foot(self, look: Look, beside: Sequence[str]) -> str:
        lines = [f"-# {line}" for line in beside]
        if look.table.status is Status.PLAYING:
            awaited = look.awaited(who.mentions(look.words, look.table))
            lines.insert(0, general.awaited_line(look.words, awaited))
        return "\n".join(lines)

    def end(self, look: Look, events: Sequence[Event], outcome: str | None, key: str) -> str:
        """The last post: what happened, the result, and the key behind the draws."""
        words = look.words
        result = words(general.ABANDONED) if outcome is None else outcome
        closing = f"{result}\n-# {words(general.KEY_REVEALED, key=key)}"
        lines = self._shell.story(look, events)
        return _fit([newest(lines, max(MAX_CONTENT - len(closing) - 2, 0)), closing])

    def buttons(self, look: Look, *, deals: bool) -> discord.ui.View:
        """The public panel of a table in play; `deals`, where somebody could offer one."""
        table, words = look.table.id, look.words
        first = button(Press("play", table), words(general.TAKE_TURN), style=Style.PRIMARY)
        if look.table.status is not Status.PLAYING:
            first = go_on_button(words, table)
        items: list[Pressable] = [
            first,
            button(Press("hand", table), words(general.MY_HAND)),
            button(Press("board", table), words(general.BOARD)),
            button(Press("status", table), words(general.STATUS)),
            button(Press("rules", table), words(general.RULES)),
        ]
        if look.table.status is Status.PLAYING and deals:
            items.append(button(Press("deal", table), words(general.MAKE_OFFER)))
        if look.table.status is not Status.SLEEPING:
            items += seat_buttons(words, look.table)
        return panel(items)

    def closing_buttons(self, look: Look) -> discord.ui.View:
        """The panel of a table that is over."""
        table, words = look.table.id, look.words
        items = [
            button(Press("board", table), words(general.BOARD)),
            button(Press("log", table), words(general.LOG)),
            button(Press("replay", table), words(history_text.REPLAY)),
        ]
        if look.table.owners:
            items.append(button(Press("rematch", table), words(running.REMATCH)))
        if look.given:
            items.append(button(Press("promises", table), words(promise_text.PROMISES)))
        return panel(items)

    def news(
        self,
        look: Look,
        events: Sequence[Event],
        offers: Sequence[Decision],
        *,
        hand: bool,
        by_order: bool = False,
    ) -> str | None:
        """What happened to this seat, what it is offered, and its hand where that has changed.

        The first line tells the table from others. None where there is nothing to tell.
        """
        game = look.words(look.text.title)
        title = bold(look.words(general.BOARD_TITLE, game=game, table=look.table.id))
        parts = [newest(self._shell.story(look, events), ROOM)]
        if offers:
            parts += [*look.recalled(), *(look.offer(each) for each in offers)]
        if by_order:
            parts.insert(0, look.words(absence.BY_ORDER))
        told = _fit(parts)
        if hand:
            held = look.text.hand(look.words, look.view, look.names)
            told = f"{told}\n\n{held}" if told else held
        return _fit([title, told]) if told else None

    def private_buttons(self, look: Look, answers: Sequence[Pressable]) -> discord.ui.View:
        """The buttons under private news: answers to an offer, the hand, the way to the table."""
        table = look.table
        place = table.thread or table.channel
        link: discord.ui.Button[discord.ui.View] = discord.ui.Button(
            label=look.words("To the table"),
            url=f"https://discord.com/channels/{table.guild or '@me'}/{place}",
        )
        hand = button(Press("hand", table.id), look.words(general.MY_HAND))
        is_played_for = look.table.players[look.observer].is_autopiloted
        back = [take_back_button(look.words, table.id)] if is_played_for else []
        return panel([*answers, *back, hand, link])

    def closed_offer(self, look: Look, offer: str, *, private: bool) -> discord.ui.View:
        """The buttons of a message that asked for an answer, when none can be given any more."""
        label = look.words(general.NO_LONGER_OPEN)
        closed = button(Press("offer", look.table.id, offer), label, disabled=True)
        return self.private_buttons(look, [closed]) if private else panel([closed])


def _fit(parts: Sequence[str]) -> str:
    return clip("\n".join(part for part in parts if part), MAX_CONTENT)
