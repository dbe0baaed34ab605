"""Lessons in the private panel: what to do, and whether the learner has done it."""

from __future__ import annotations

from bot.cogs.panel.open_panels import Panel
from bot.cogs.ui import Control, CustomId, Services, TableView, button
from bot.tables import Table
from bot.text import Style, Words, msg
from bot.text.game_data import Lesson, lessons

EASY = "easy"
CHANGED = msg("This lesson has changed in the meantime. Choose it again, or another one.")


def lesson_at(table: Table) -> Lesson | None:
    """Return the lesson of a table; None if it has none, or the lesson has changed since."""
    named = (each for each in lessons(table.game) if each.name == table.lesson)
    return next((each for each in named if len(each.played) == table.posted_seq), None)


def lesson_lines(table_view: TableView) -> list[str]:
    """Return the title and text of a table's lesson; [] if it has none."""
    words, lesson = table_view.words, lesson_at(table_view.table)
    if lesson is None:
        return []
    every = lessons(table_view.table.game)
    number = words("Lesson {number} of {count}", number=every.index(lesson) + 1, count=len(every))
    return [f"### 🎓 {words(lesson.title)}", f"-# {number}", words(lesson.text)]


async def end_lesson(services: Services, panel: Panel) -> bool | None:
    """Let the panel show the end of its table's lesson, and note the lesson if it was done.

    Return whether it was done; None if the table has no lesson, or its player can still act.
    """
    table_view, words = panel.table_view, panel.table_view.words
    table, tables = table_view.table, services.tables
    if table.lesson is None or table_view.plan is not None:
        return None
    lesson, every = lesson_at(table), lessons(table.game)
    if lesson is None:
        panel.question.append(words(CHANGED))
        panel.foot.append(overview_button(words, table.game))
        return False
    # Once the game asks others too, their answers are missing: no one else acts in a lesson.
    is_to_act = {seat for seat, _kind in table_view.seats_to_act} == {table_view.observer}
    events = await tables.reader.visible_events_since(table_view, table.posted_seq + 1)
    is_done = lesson.is_reached(events, is_to_act=is_to_act)
    if is_done:
        assert table_view.user is not None
        await tables.people.learned(table_view.user, table.game, lesson.name)
        panel.question.append(f"✅ {words(lesson.right)}")
        after = every[every.index(lesson) + 1 :]
        if after:
            label = words("Next lesson")
            panel.foot.append(lesson_button(table.game, after[0], label, Style.SUCCESS))
        else:
            panel.foot.append(play_button(words, table.game))
    elif is_to_act:
        return None
    else:
        panel.question.append(f"❌ {words(lesson.wrong)}")
        label = words("Try again")
        panel.foot.append(lesson_button(table.game, lesson, label, Style.PRIMARY))
        panel.foot.append(button(CustomId("solution", table.id), words("Show me")))
    panel.foot.append(overview_button(words, table.game))
    return is_done


def lesson_button(game: str, lesson: Lesson, label: str, style: Style) -> Control:
    """Return a button that starts the lesson."""
    return button(CustomId("lesson", 0, game, (lesson.name,)), label, style=style)


def play_button(words: Words, game: str) -> Control:
    """Return a button that opens a table with easy computer players, as many as in the lessons."""
    custom_id = CustomId("newtable", 0, game, (str(lessons(game)[-1].seats - 1), EASY))
    return button(custom_id, words("Play an easy game"), style=Style.SUCCESS)


def overview_button(words: Words, game: str) -> Control:
    return button(CustomId("learn", 0, game), words("All lessons"))
