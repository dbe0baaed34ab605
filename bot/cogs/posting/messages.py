"""What a table posts, from top to bottom: its lobby, its turns, its end, private messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import discord

from bot.cogs.ui import who
from bot.cogs.ui.components import Pressable, button, untold_button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Control, Image, Keep, Layout, Part, Row, Text, lines_with, rows
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.status_lines import go_on_button, seat_buttons, take_back_button
from bot.cogs.ui.table_terms import agreed
from bot.cogs.ui.waiting import place_link, table_link
from bot.game.contract import Decision, Event
from bot.tables import Status, Table
from bot.tables.core.seating import HINTS
from bot.text import general, table_words, terms
from bot.text import history as history_text
from bot.text import promises as promise_text
from bot.text.brief import NOTHING, BriefLine, InBrief
from bot.text.contract import Style
from bot.text.general import LobbySeat
from bot.text.markup import bold
from bot.text.words import Words


class PostText(NamedTuple):
    """What a post of a turn says.

    `told` is what happened before it, `done` what has been done since, `foot` whom everybody waits
    for; `head` stands above them, `seal` and `small` below, of which the seal stays.
    """

    head: str
    told: InBrief
    done: InBrief
    seal: str
    foot: str
    small: str

    @property
    def happened(self) -> InBrief:
        """All that has happened."""
        return self.told.then(self.done)


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
        idle_days: int | None = None,
    ) -> Layout:
        """The lobby message, without buttons once the table has started or closed.

        For a rematch `before` is the earlier table; `closes` is when a lobby closes that has long
        been idle, `idle_days` for how many days one had been that has closed.
        """
        title = words(
            general.BOARD_TITLE, game=self._services.title(words, table.game), table=table.id
        )
        if table.is_over:
            link = table_link(table)
            over = [words(general.GAME_OVER_THERE, link=link)]
            if idle_days is not None:
                over = [words(general.LOBBY_CLOSED, days=idle_days)]
            elif table.status is Status.ABANDONED:
                over = [words(general.ABANDONED), *([link] if table.panel_message else [])]
            return Layout([Text("\n".join([f"### {title}", *over]))])
        if table.status is not Status.LOBBY:
            place = f"<#{table.thread or table.channel}>"
            begun = f"### {title}\n{words(general.THREAD_HERE, thread=place)}"
            again = button(CustomId("newgame", 0), words(general.NEW_GAME))
            return Layout([Text(begun), Row([_to_table(words, table), again])])
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
                [
                    text.options_summary(words, table.options),
                    terms.summary(
                        words,
                        agreed(self._services, table),
                        hints_are_chosen=HINTS in table.terms,
                        is_alone=len(table.owners) == 1,
                    ),
                ]
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
        enough = len(table.players) >= min(rules.seats)
        keeping = []
        if closes is not None:
            owners = who.owners(words, table)
            called = words.listing([str(owners[player.seat]) for player in table.owners])
            lines += [_closes(words, closes), f"🔔 {called}"]
            keeping = [Row([_keep(words, table)])]
        join = CustomId("join", table.id)
        seating = [
            button(join, words(general.JOIN), style=Style.SUCCESS, disabled=full),
            button(CustomId("leave", table.id), words(general.LEAVE)),
            button(
                CustomId("computer", table.id),
                words(general.ADD_COMPUTER),
                style=Style.NORMAL if enough else Style.PRIMARY,
                disabled=full,
            ),
        ]
        beginning = [
            button(CustomId("options", table.id), words(general.OPTIONS)),
            button(CustomId("rules", table.id), words(general.RULES)),
            button(
                CustomId("begin", table.id),
                words(general.START),
                style=Style.PRIMARY if enough else Style.NORMAL,
                disabled=not enough,
            ),
        ]
        said = Text("\n".join(lines), Keep.BEGINNING)
        return Layout([said, Row(seating), Row(beginning), *keeping])

    def closing(self, words: Words, table: Table, closes: datetime) -> Layout:
        """Tells one who sits in an idle lobby when it closes."""
        title = words(
            general.BOARD_TITLE, game=self._services.title(words, table.game), table=table.id
        )
        said = Text(f"{bold(title)}\n{_closes(words, closes)}")
        return Layout([said, Row([_keep(words, table), _to_table(words, table)])])

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
        head, seal = list[str](), list[str]()
        if table.posted_seq < 0:
            players = words.listing(list(map(str, who.mentions(words, table))))
            game = words(snapshot.text.title)
            head.append(words(general.STARTED, players=players, game=game))
            if table.guild is not None and thread is None:
                head.append(words(general.NO_THREAD))
            head += [
                words(general.UNREACHABLE, name=bold(snapshot.names[player.seat]))
                for player in table.humans
                if not player.reachable
            ]
            seal.append(words(general.COMMITMENT, hash=table.key_hash))
        told, foot = self._services.brief(snapshot, events), _foot(snapshot)
        if table.is_over:
            # How a game finished is told in full.
            lines = [BriefLine(line) for line in self._services.story(snapshot, events)]
            told = InBrief(lines, len(lines))
        small = _small(status_lines)
        return PostText("\n".join(head), told, NOTHING, _small(seal), foot, small)

    def progress(
        self,
        snapshot: Snapshot,
        posted: PostText,
        events: Sequence[Event],
        status_lines: Sequence[str],
    ) -> PostText:
        """A posted turn, and what has been done since."""
        done = self._services.brief(snapshot, events)
        return posted._replace(done=done, foot=_foot(snapshot), small=_small(status_lines))

    def post(
        self, snapshot: Snapshot, text: PostText, picture: Image | None, presses: Sequence[Control]
    ) -> Layout:
        """The newest post of a table in play: the picture, what happened, who is awaited.

        Its frame has the colour of whoever is awaited alone.
        """
        return Layout(
            [
                picture or Text(snapshot.words(general.NO_PICTURE)),
                *self._happened(snapshot, text.happened, text.head),
                Text(text.seal),
                Text(text.foot),
                Text(text.small, Keep.BEGINNING),
                *rows(presses),
            ],
            self._accent(snapshot),
        )

    def _accent(self, snapshot: Snapshot) -> int | None:
        awaited = {decision.seat for decision in snapshot.pending if not decision.optional}
        if len(awaited) != 1 or snapshot.table.status is not Status.PLAYING:
            return None
        return self._services.accent(snapshot, *awaited)

    def retired(self, snapshot: Snapshot, text: PostText, picture: Image | None) -> Layout:
        """The same once there is a newer one: without what held only as long as there was none."""
        story = self._happened(snapshot, text.happened, text.head, is_newest=False)
        told = [*story, Text(text.seal)] if story else [Text(text.foot)]
        return Layout([*filter(None, [picture]), *told])

    def _happened(
        self, snapshot: Snapshot, brief: InBrief, head: str = "", *, is_newest: bool = True
    ) -> list[Part]:
        """Short lines with, beside the last one, a button that tells the rest."""
        lines = [*filter(None, [head]), *brief.lines]
        press = None
        if brief.untold:
            words, table = snapshot.words, snapshot.table.id
            press = untold_button(words, table, brief.untold, is_newest=is_newest)
        return lines_with(lines, press) if lines else []

    def end(
        self,
        snapshot: Snapshot,
        text: PostText,
        picture: Image | None,
        outcome: str | None,
        key: str,
    ) -> Layout:
        """The last post: what happened, the result, and the key behind the draws, unless the game
        was given up: others could work out with it what was secret."""
        words = snapshot.words
        vouched = words(general.KEY_REVEALED, key=key) if key else words(general.KEY_OF_PLAYERS)
        result = words(general.ABANDONED) if outcome is None else outcome
        owners = who.owners(words, snapshot.table)
        called = [str(owners[player.seat]) for player in snapshot.table.owners]
        over = words(general.OVER_FOR, players=words.listing(called)) if called else ""
        return Layout(
            [
                picture or Text(words(general.NO_PICTURE)),
                *self._happened(snapshot, text.told),
                Text(over),
                Text(result),
                Text(_small([vouched])),
                *rows(self._game_over_buttons(snapshot)),
            ]
        )

    def buttons(self, snapshot: Snapshot, *, deals: bool) -> list[Pressable]:
        """The buttons of a table in play; with `deals` where somebody could offer one."""
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
        return items + seat_buttons(words, snapshot.table)

    def _game_over_buttons(self, snapshot: Snapshot) -> list[Pressable]:
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
        return items

    def private_message(
        self,
        snapshot: Snapshot,
        events: Sequence[Event],
        offers: Sequence[Decision],
        answers: Sequence[Pressable],
        *,
        hand: bool,
        by: Sequence[str] = (),
    ) -> Layout | None:
        """What happened to this seat, what it is offered, and its hand where that has changed.

        The first line identifies the table, then comes `by` what it happened where the seat's owner
        did not do it. None where there is nothing to say.
        """
        game = snapshot.words(snapshot.text.title)
        title = bold(snapshot.words(general.BOARD_TITLE, game=game, table=snapshot.table.id))
        brief = self._services.brief(snapshot, events)
        asked = [*snapshot.recalled(), *map(snapshot.offer, offers)] if offers else []
        held = snapshot.text.hand(snapshot.words, snapshot.view, snapshot.names) if hand else ""
        if not (brief.lines or asked or held or by):
            return None
        return Layout(
            [
                *self._happened(snapshot, brief, "\n".join([title, *by])),
                Text("\n".join(asked), Keep.BEGINNING),
                Text(held),
                *rows(self.private_buttons(snapshot, answers)),
            ]
        )

    def private_end(self, words: Words, table: Table) -> Layout:
        """What the newest private message of a game becomes once that is over."""
        game = self._services.title(words, table.game)
        title = bold(words(general.BOARD_TITLE, game=game, table=table.id))
        over = Text(f"{title}\n{words(general.GAME_OVER)}")
        return Layout([over, Row([_to_table(words, table)])])

    def private_buttons(self, snapshot: Snapshot, answers: Sequence[Pressable]) -> list[Control]:
        """The buttons under a private message: answers to an offer, the hand, the table."""
        table = snapshot.table
        link = _to_table(snapshot.words, table)
        hand = button(CustomId("hand", table.id), snapshot.words(general.MY_HAND))
        is_played_for = snapshot.table.players[snapshot.observer].is_autopiloted
        back = [take_back_button(snapshot.words, table.id)] if is_played_for else []
        return [*answers, *back, hand, link]

    def closed_offer(self, snapshot: Snapshot, offer: str, *, private: bool) -> list[Control]:
        """The buttons of a message that asked for an answer, once it can no longer be given."""
        label = snapshot.words(general.NO_LONGER_OPEN)
        closed = button(CustomId("offer", snapshot.table.id, offer), label, disabled=True)
        return self.private_buttons(snapshot, [closed]) if private else [closed]


def _closes(words: Words, at: datetime) -> str:
    return words(general.LOBBY_CLOSES, when=discord.utils.format_dt(at, "f"))


def _to_table(words: Words, table: Table) -> discord.ui.Button[Any]:
    return discord.ui.Button(
        label=words(general.GO_TO_TABLE), url=place_link(table, table.thread or table.channel, None)
    )


def _keep(words: Words, table: Table) -> Pressable:
    return button(CustomId("keep", table.id), words(general.KEEP_OPEN))


def _foot(snapshot: Snapshot) -> str:
    """Whom everybody waits for."""
    if snapshot.table.status is not Status.PLAYING:
        return ""
    calls = snapshot.calls(who.mentions(snapshot.words, snapshot.table))
    return "\n".join(f"{call}." for call in calls) or snapshot.words(general.NOBODY_AWAITED)


def _small(lines: Iterable[str]) -> str:
    return "\n".join(f"-# {line}" for line in lines)
