"""`/learn`: the lessons of each game, each at a table of the learner's own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from weakref import WeakValueDictionary

from bot.cogs.panel.lessons import (
    CHANGED,
    EASY,
    end_lesson,
    lesson_at,
    lesson_button,
    play_button,
)
from bot.cogs.panel.open_moves import moves_of
from bot.cogs.panel.open_panels import Panel
from bot.cogs.panel.panel import Panels
from bot.cogs.ui import (
    BUTTON,
    SELECT,
    CustomId,
    Layout,
    Part,
    Press,
    Reply,
    Services,
    Text,
    button,
    command,
    games_offered,
    only,
    option,
    route,
    select,
    stored_name,
    text_layout,
)
from bot.cogs.ui.layout import Section
from bot.cogs.ui.user_errors import TABLE
from bot.game.contract import parse_action
from bot.game.trial import views_before
from bot.tables import Rejected
from bot.tables.core.record import played
from bot.tables.core.seating import options_of
from bot.tables.importing import CheckedImport
from bot.text import Label, Style, bold, general
from bot.text.game_data import Lesson, lessons
from bot.workers import in_thread

log = logging.getLogger(__name__)

DONE, OPEN = "✅", "▫️"


class LearnDialogue:
    """Lists lessons and starts them; the panel does the rest."""

    def __init__(self, services: Services, panels: Panels) -> None:
        self._services = services
        self._tables = services.tables
        self._panels = panels
        self._opening: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        # Read them now, so that no user has to wait.
        self._learnable = [game for game in services.titles if lessons(game)]

    @command("learn", game=games_offered)
    async def learn(self, reply: Reply, game: str | None = None) -> None:
        """Show the lessons of a game, or the games."""
        await reply.say(await self._games(reply) if game is None else await self._of(reply, game))

    @route("learn", at_table=False, has_decision=True)
    async def show(self, press: Press) -> None:
        """Show the lessons of the game that the id names."""
        await press.reply.show(await self._of(press.reply, press.custom_id.decision or ""))

    @route("lesson", BUTTON, SELECT, at_table=False, words=(0, 1), has_decision=True)
    async def start(self, press: Press) -> None:
        """Start the lesson that was pressed or selected, from its beginning."""
        reply, game = press.reply, press.custom_id.decision or ""
        name = only(press.values or press.custom_id.words)
        lesson = next((each for each in self._lessons(game) if each.name == name), None)
        if lesson is None:
            await reply.show(await self._of(reply, game, reply.words(CHANGED)))
            return
        position = await in_thread(self._position, reply, game, lesson)
        # One at a time for each user: a second press at once then finds the table of the first.
        async with self._opening.setdefault(reply.user, asyncio.Lock()):
            table = await self._tables.lessons.open(
                position, lesson.name, reply.user, lesson.seat, delivery=reply.delivery
            )
        reply.interaction.extras[TABLE] = table
        log.info("lesson table=%s user=%s game=%s lesson=%s", table.id, reply.user, game, name)
        await self._panels.ask(reply, await moves_of(self._services, reply, table.id))

    @route("solution")
    async def show_solution(self, press: Press) -> None:
        """Say in words what reaches the goal of the lesson."""
        reply, table, words = press.reply, press.table, press.reply.words
        lesson, moves = lesson_at(table), await moves_of(self._services, reply, table.id)
        notes = []
        if lesson is not None:
            begun = await self._services.past_view(
                table, moves.seat, table.posted_seq, words, reply.user
            )
            actions = [parse_action(line) for line in lesson.solution]
            views = await in_thread(views_before, moves.game, begun.view, actions)
            for number, action in enumerate(actions):
                shown = replace(begun, view=views[min(number, len(views) - 1)])
                text = shown.text.named(shown.quoted)
                notes.append(f"{number + 1}. {text.action(action)}")
            notes.insert(0, words("**One way to do it:**"))
        await self._panels.ask(reply, moves, notes=notes, fresh=False)

    def _lessons(self, game: str) -> tuple[Lesson, ...]:
        """Return the lessons of a game. Raise unknown_game or no_lessons."""
        self._services.check_game(game)
        found = lessons(game)
        if not found:
            raise Rejected("no_lessons", game=game)
        return found

    def _position(self, reply: Reply, game: str, lesson: Lesson) -> CheckedImport:
        """Return the position of a lesson, with the learner and easy computer players."""
        rules, words = self._services.titles[game].game, reply.words
        names = [general.computer_name(words, EASY, seat) for seat in range(1, lesson.seats)]
        names.insert(lesson.seat, stored_name(reply.interaction.user))
        record = played(rules, names, lesson.options, lesson.secret, lesson.played)
        options = options_of(rules, lesson.options)
        return CheckedImport(record, rules, options, is_over=False)

    async def _done(self, reply: Reply) -> Mapping[str, Sequence[str]]:
        """Return the names of the lessons that the user has done, by game."""
        for table in await self._tables.lessons.of_user(reply.user):
            # The bot may have stopped after the last action, before it could note the lesson.
            with suppress(Rejected):
                moves = await moves_of(self._services, reply, table.id)
                await end_lesson(self._services, Panel(moves.table_view))
        return (await self._tables.people.get(reply.user)).lessons

    async def _of(self, reply: Reply, game: str, note: str = "") -> Layout:
        """Return the lessons of a game, with a button for the next one."""
        words, every = reply.words, self._lessons(game)
        done = (await self._done(reply)).get(game, ())
        marks = [DONE if each.name in done else OPEN for each in every]
        titles = [words(each.title) for each in every]
        name = self._services.title(words, game)
        lines = [note] if note else []
        lines.append(words("**Lessons: {game}**", game=name))
        numbered = enumerate(zip(marks, titles, strict=True), 1)
        lines += [f"{mark} {number}. {title}" for number, (mark, title) in numbered]
        left = marks.index(OPEN) if OPEN in marks else None
        if left is None:
            lines.append(words("You've done them all. Now play a whole game."))
            first = play_button(words, game)
        else:
            label = words("Start lesson {number}", number=left + 1)
            first = lesson_button(game, every[left], label, Style.PRIMARY)
        options = [
            option(each.name, Label(title, mark))
            for each, title, mark in zip(every, titles, marks, strict=True)
        ]
        chosen = select(CustomId("lesson", 0, game), options, words("Choose a lesson…"))
        return text_layout("\n".join(lines), [first, chosen])

    async def _games(self, reply: Reply) -> Layout:
        """Return the games that have lessons, and how many of them the user has done."""
        words, done = reply.words, await self._done(reply)
        parts: list[Part] = [Text(bold(words(general.WHICH_GAME)))]
        for game in self._learnable:
            names, past = {each.name for each in lessons(game)}, done.get(game, ())
            title = self._services.title(words, game)
            line = words.plural(
                "**{game}** · {done} of {count} lesson done",
                "**{game}** · {done} of {count} lessons done",
                len(names),
                game=title,
                done=len(names & {*past}),
            )
            learn = button(CustomId("learn", 0, game), words(general.LEARN))
            parts.append(Section(line, learn))
        return Layout(parts)
