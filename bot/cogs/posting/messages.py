"""The texts and buttons of what a table posts: its lobby, its turns, its end, private messages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import discord

from bot.cogs.ui import who
from bot.cogs.ui.components import Pressable, button, panel
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.reply import MAX_CONTENT
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.status_lines import go_on_button, seat_buttons, take_back_button
from bot.cogs.ui.waiting import table_link
from bot.game.contract import Decision, Event
from bot.tables import Status, Table
from bot.text import absence, general, table_words, terms
from bot.text import history as history_text
from bot.text import promises as promise_text
from bot.text.contract import Style
from bot.text.general import LobbySeat
from bot.text.markup import bold, clip, newest
from bot.text.words import Words

ROOM = 1500
"""Characters for the lines of what happened; the rest of a message needs the others."""


class PostText(NamedTuple):
    """A post in two parts: what happened, and who is to move."""

    story: str
    foot: str

    def __str__(self) -> str:
        return _fit(self)


class Messages:
    """Composes messages; sends nothing."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def lobby(
        self,
        words: Words,
        table: Table,
        before: Table | None = None,
        status_lines: Sequence[str] = (),
        closes: datetime | None = None,
    ) -> tuple[str, discord.ui.View | None]:
        """The lobby message, without buttons once the table has started or closed.

        For a rematch `before` is the earlier table; `closes` is when a lobby closes that has long
        been idle.
        """
        title = words(
            general.BOARD_TITLE, game=self._services.title(words, table.game), table=table.id
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
        text, rules = self._services.text(table), self._services.rules(table)
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
        lines = [f"### {title}", body, *status_lines]
        if before is not None:
            place = f"<#{before.thread or before.channel}>"
            lines.append(words(table_words.REMATCH_OF, table=before.id, place=place))
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
            keeping = [button(CustomId("keep", table.id), words(general.KEEP_OPEN), row=2)]
        buttons = [
            button(
                CustomId("join", table.id),
                words(general.JOIN),
                style=Style.SUCCESS,
                row=0,
                disabled=full,
            ),
            button(CustomId("leave", table.id), words(general.LEAVE), row=0),
            button(
                CustomId("computer", table.id), words(general.ADD_COMPUTER), row=0, disabled=full
            ),
            button(CustomId("options", table.id), words(general.OPTIONS), row=1),
            button(CustomId("rules", table.id), words(general.RULES), row=1),
            button(
                CustomId("begin", table.id),
                words(general.START),
                style=Style.PRIMARY,
                row=1,
                disabled=len(table.players) < min(rules.seats),
            ),
            *keeping,
        ]
        return clip("\n".join(lines), MAX_CONTENT), panel(buttons)

    def turn(
        self,
        snapshot: Snapshot,
        events: Sequence[Event],
        *,
        thread: int | None,
        status_lines: Sequence[str],
    ) -> PostText:
        """What happened since the last post, who is to move, and the `status_lines`."""
        words, table = snapshot.words, snapshot.table
        lines = self._services.story(snapshot, events)
        head: list[str] = []
        if table.posted_seq < 0:
            players = words.listing(list(map(str, who.mentions(words, table))))
            game = words(snapshot.text.title)
            head.append(words(general.STARTED, players=players, game=game))
            if table.guild is not None and thread is None:
                head.append(words(general.NO_THREAD))
            head.append(f"-# {words(general.COMMITMENT, hash=table.key_hash)}")
            head += [
                words(general.UNREACHABLE, name=bold(snapshot.names[player.seat]))
                for player in table.humans
                if not player.reachable
            ]
        story = _fit([*head, newest(lines, ROOM - len("\n".join(head)))])
        return PostText(story, self._foot(snapshot, status_lines))

    def progress(
        self,
        snapshot: Snapshot,
        posted: PostText,
        events: Sequence[Event],
        status_lines: Sequence[str],
    ) -> PostText:
        """A posted turn, followed by what has been done since."""
        lines = [f"-# {line}" for line in self._services.story(snapshot, events)]
        room = max(ROOM - len(posted.story), 0)
        return PostText(
            _fit([posted.story, newest(lines, room)]), self._foot(snapshot, status_lines)
        )

    def _foot(self, snapshot: Snapshot, status_lines: Sequence[str]) -> str:
        lines = [f"-# {line}" for line in status_lines]
        if snapshot.table.status is Status.PLAYING:
            awaited = snapshot.awaited(who.mentions(snapshot.words, snapshot.table))
            lines.insert(0, general.awaited_line(snapshot.words, awaited))
        return "\n".join(lines)

    def end(
        self, snapshot: Snapshot, events: Sequence[Event], outcome: str | None, key: str
    ) -> str:
        """The last post: what happened, the result, and the key behind the draws."""
        words = snapshot.words
        result = words(general.ABANDONED) if outcome is None else outcome
        closing = f"{result}\n-# {words(general.KEY_REVEALED, key=key)}"
        lines = self._services.story(snapshot, events)
        return _fit([newest(lines, max(MAX_CONTENT - len(closing) - 2, 0)), closing])

    def buttons(self, snapshot: Snapshot, *, deals: bool) -> discord.ui.View:
        """The public panel of a table in play; with `deals` where somebody could offer one."""
        table, words = snapshot.table.id, snapshot.words
        first = button(CustomId("play", table), words(general.TAKE_TURN), style=Style.PRIMARY)
        if snapshot.table.status is not Status.PLAYING:
            first = go_on_button(words, table)
        items: list[Pressable] = [
            first,
            button(CustomId("hand", table), words(general.MY_HAND)),
            button(CustomId("board", table), words(general.BOARD)),
            button(CustomId("status", table), words(general.STATUS)),
            button(CustomId("rules", table), words(general.RULES)),
        ]
        if snapshot.table.status is Status.PLAYING and deals:
            items.append(button(CustomId("deal", table), words(general.MAKE_OFFER)))
        if snapshot.table.status is not Status.SLEEPING:
            items += seat_buttons(words, snapshot.table)
        return panel(items)

    def game_over_buttons(self, snapshot: Snapshot) -> discord.ui.View:
        """The panel of a table that is over."""
        table, words = snapshot.table.id, snapshot.words
        items = [
            button(CustomId("board", table), words(general.BOARD)),
            button(CustomId("log", table), words(general.LOG)),
            button(CustomId("replay", table), words(history_text.REPLAY)),
        ]
        if snapshot.table.owners:
            items.append(button(CustomId("rematch", table), words(table_words.REMATCH)))
        if snapshot.given:
            items.append(button(CustomId("promises", table), words(promise_text.PROMISES)))
        return panel(items)

    def private_message(
        self,
        snapshot: Snapshot,
        events: Sequence[Event],
        offers: Sequence[Decision],
        *,
        hand: bool,
        by_order: bool = False,
    ) -> str | None:
        """What happened to this seat, what it is offered, and its hand where that has changed.

        The first line identifies the table. None where there is nothing to say.
        """
        game = snapshot.words(snapshot.text.title)
        title = bold(snapshot.words(general.BOARD_TITLE, game=game, table=snapshot.table.id))
        parts = [newest(self._services.story(snapshot, events), ROOM)]
        if offers:
            parts += [*snapshot.recalled(), *(snapshot.offer(each) for each in offers)]
        if by_order:
            parts.insert(0, snapshot.words(absence.BY_ORDER))
        content = _fit(parts)
        if hand:
            held = snapshot.text.hand(snapshot.words, snapshot.view, snapshot.names)
            content = f"{content}\n\n{held}" if content else held
        return _fit([title, content]) if content else None

    def private_buttons(self, snapshot: Snapshot, answers: Sequence[Pressable]) -> discord.ui.View:
        """The buttons under a private message: answers to an offer, the hand, the table."""
        table = snapshot.table
        place = table.thread or table.channel
        link: discord.ui.Button[discord.ui.View] = discord.ui.Button(
            label=snapshot.words("To the table"),
            url=f"https://discord.com/channels/{table.guild or '@me'}/{place}",
        )
        hand = button(CustomId("hand", table.id), snapshot.words(general.MY_HAND))
        is_played_for = snapshot.table.players[snapshot.observer].is_autopiloted
        back = [take_back_button(snapshot.words, table.id)] if is_played_for else []
        return panel([*answers, *back, hand, link])

    def closed_offer(self, snapshot: Snapshot, offer: str, *, private: bool) -> discord.ui.View:
        """The buttons of a message that asked for an answer, once it can no longer be given."""
        label = snapshot.words(general.NO_LONGER_OPEN)
        closed = button(CustomId("offer", snapshot.table.id, offer), label, disabled=True)
        return self.private_buttons(snapshot, [closed]) if private else panel([closed])


def _fit(parts: Sequence[str]) -> str:
    return clip("\n".join(part for part in parts if part), MAX_CONTENT)
