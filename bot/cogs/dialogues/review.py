"""The review of a finished game: a chart of all chances, and a page for each turning point.

Reviews are prepared in the background, one at a time; all users who request one share it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from discord.ext import tasks

from bot.cogs.panel.open_panels import OpenPanel
from bot.cogs.ui import (
    BUTTON,
    NO_MENTIONS,
    SELECT,
    STARTED,
    Budget,
    Control,
    CustomId,
    Image,
    Interaction,
    Layout,
    Press,
    Reply,
    Services,
    TableOption,
    TableView,
    button,
    command,
    integer,
    observer_of,
    option,
    reason,
    route,
    select,
    text_layout,
    user_errors,
)
from bot.game.contract import SPECTATOR, in_turn, parse_action
from bot.game.game import AnyGame
from bot.game.trial import views_before
from bot.render import chart
from bot.tables import Rejected, Table
from bot.tables.core.cache import rules_of
from bot.text import Label, Words, bold, escape, general, msg, plain
from bot.text.chronicle import AXIS, chart_alt, round_name
from bot.thinking import Judgement, SearchUnavailable
from bot.thinking.review import Review, decode, encode, review
from bot.workers import SharedTasks, describe, in_thread

CHANCES = msg("Chances of winning")

log = logging.getLogger(__name__)

PROGRESS_S = 10.0
"""Seconds between updates of the progress shown."""


@dataclass
class ReviewJob:
    """A review in preparation, and its result."""

    progress: float = 0.0
    """The part done, 0 to 1."""
    review: Review | None = None
    error: Exception | None = None
    is_over: bool = False
    shown: dict[int, OpenPanel] = field(default_factory=dict)
    """The private messages that will show it, by user."""

    def set_progress(self, progress: float) -> None:
        """Set the part done."""
        self.progress = progress


class ReviewDialogue:
    """Reviews and their progress, shown in private; only the buttons store the current page."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._history = services.tables.history
        self._jobs: dict[int, ReviewJob] = {}
        self._tasks = SharedTasks[int]()
        self.at_work = self._tasks.cancelled_at_end
        self._one_at_a_time = asyncio.Lock()

    @route("review")
    @command("game review", among=STARTED)
    async def open(self, reply: Reply, table: TableOption) -> None:
        """Show the review of a finished game, or prepare it."""
        await self._show(reply, table, 0)

    @route("turning", BUTTON, SELECT, words=(0, 1))
    async def turn_to(self, press: Press) -> None:
        """Show a page: 0 is the chart, the others are the turning points."""
        page = integer((*press.custom_id.words, *press.values))
        await self._show(press.reply, press.table, page)

    async def _show(self, reply: Reply, table: Table, page: int) -> None:
        if not table.is_over:
            raise Rejected("review_not_over")
        if not table.reveals_secrets_to(observer_of(table, reply.user)):
            raise Rejected("review_of_players")
        job = self._jobs.get(table.id)
        if job is None:
            stored = await self._history.review(table.id)
            found = None if stored is None else decode(stored)
            if found is not None:
                await reply.show(await self._page(reply.interaction, table, found, page))
                return
            # Another user may have requested it in the meantime.
            job = self._jobs.get(table.id) or self._begin(reply.interaction, table)
        await reply.show(_waiting(reply.words, job))
        if reply.message is not None:
            job.shown[reply.user] = OpenPanel(
                reply.interaction, reply.message, reply.is_original, time.monotonic()
            )
            if job.is_over:
                await self._update(table, job)

    # Preparation

    def _begin(self, interaction: Interaction, table: Table) -> ReviewJob:
        """Start preparing a review. Raise Rejected if these rules have no judgement."""
        rules_of(self._services.titles.games, table.game, table.version)
        judgement = self._services.title_of(table).judgement
        if judgement is None or judgement.game.version != table.version:
            raise Rejected("review_no_mind", game=table.game)
        if not self._services.search_pool.can_think:
            raise Rejected("nobody_thinks")
        user_errors.charge(self._services, interaction, Budget.REVIEWS)
        job = self._jobs[table.id] = ReviewJob()
        self._tasks.start(table.id, partial(self._run, table, judgement, job))
        return job

    async def _run(self, table: Table, judgement: Judgement[Any], job: ReviewJob) -> None:
        updates: tasks.Loop[Any] = tasks.loop(seconds=PROGRESS_S)(self._update)
        updates.start(table, job)
        try:
            async with self._one_at_a_time:
                game = await self._history.finished(table.id)
                steps = [(game.entries[seq], game.blobs[seq]) for seq in game.in_effect()]
                # The same game gives the same review.
                seed, search_pool = table.key_hash, self._services.search_pool
                job.review = await review(search_pool, judgement, steps, seed, job.set_progress)
                await self._history.save_review(table.id, encode(job.review))
        # Whatever fails, waiting users must get an answer.
        except Exception as error:  # noqa: BLE001
            if not isinstance(error, SearchUnavailable | Rejected):
                log.error("review failed table=%s error=%s", table.id, describe(error))
            job.error = error
        finally:
            updates.cancel()
            job.is_over = True
            self._jobs.pop(table.id, None)
        await self._update(table, job)

    async def _update(self, table: Table, job: ReviewJob) -> None:
        """Show the progress or the result to all waiting users."""
        for user, shown in list(job.shown.items()):
            try:
                if job.is_over:
                    layout = await self._outcome(shown.interaction, table, job)
                else:
                    layout = _waiting(self._services.words_of(shown.interaction), job)
                await shown.edit(**layout.edited(), allowed_mentions=NO_MENTIONS)
            except (*user_errors.SEND_ERRORS, *user_errors.EXPECTED_ERRORS) as error:
                # They left, or it took too long; the command still shows it.
                log.info("review not shown user=%s error=%s", user, reason(error))
                job.shown.pop(user, None)

    async def _outcome(self, interaction: Interaction, table: Table, job: ReviewJob) -> Layout:
        words, error = self._services.words_of(interaction), job.error
        if isinstance(error, SearchUnavailable):
            error = Rejected("nobody_thinks")
        if isinstance(error, user_errors.EXPECTED_ERRORS):
            return text_layout(user_errors.error_text(self._services, words, error, table))
        if error is not None or job.review is None:
            return text_layout(words("This game couldn't be reviewed."))
        return await self._page(interaction, table, job.review, 0)

    # The pages

    async def _page(
        self, interaction: Interaction, table: Table, found: Review, page: int
    ) -> Layout:
        words, user = self._services.words_of(interaction), interaction.user.id
        number = min(page, len(found.turning_points))
        if number:
            return await self._turning_point(table, found, number, words, user)
        table_view = await self._services.table_view(table.id, SPECTATOR, words, user=user)
        moments = found.moments
        intro = words(
            "Each player's chance of winning, as estimated by the strong computer player. It found "
            "no costly mistakes."
        )
        if found.turning_points:
            intro = words(
                "Each player's chance of winning, as estimated by the strong computer player. The "
                "numbers mark the most costly decisions."
            )
        ends = {each.round: tuple(map(percent, each.chances)) for each in moments}
        alt = chart_alt(
            words,
            msg("Chart: chances of winning in percent after rounds {first} to {last}. {lines}"),
            ends,
            table_view.names,
        )
        title = self._services.heading(words, table)
        lines, image = [f"{bold(title)} · {words(CHANCES)}", intro], None
        if await self._services.prefers_text(table_view):
            lines.append(alt)
        else:
            image = await self._picture(table_view, found, alt)
        return text_layout("\n".join(lines), _controls(table_view, found, 0), image)

    async def _picture(self, table_view: TableView, found: Review, alt: str) -> Image:
        seqs = [each.seq for each in found.moments]
        chances = zip(*(each.chances for each in found.moments), strict=True)
        course = chart.Course(
            title=table_view.words("Chances, turn by turn"),
            axis=table_view.words(AXIS),
            names=plain(table_view.names),
            lines=[[*map(percent, each)] for each in chances],
            rounds=[each.round for each in found.moments],
            looks=table_view.looks,
            percent=True,
            turnings=[
                chart.Turning(max(bisect_right(seqs, point.seq) - 1, 0), point.seat, number)
                for number, point in enumerate(found.turning_points, 1)
            ],
        )
        palette = await self._services.palette(table_view)
        png = await self._services.pictures.draw(partial(chart.draw, course, palette))
        return Image(f"chances-{table_view.table.id}.png", alt, png)

    async def _turning_point(
        self, table: Table, found: Review, number: int, words: Words, user: int
    ) -> Layout:
        point, title = found.turning_points[number - 1], self._services.title_of(table)
        table_view = await self._services.past_view(table, point.seat, point.seq, words, user)
        name = table_view.names[point.seat]
        in_points = title.judgement is not None and title.judgement.in_points
        points = round(point.better_lead - point.lead) if in_points else 0
        # In a thread, as it tries the actions, which takes a while.
        played, better = [
            await in_thread(_describe, title.game, table_view, line)
            for line in (point.played, point.better)
        ]
        parts = [
            bold(self._services.heading(words, table)),
            round_name(words, point.round),
            words(
                "turning point {number} of {count}", number=number, count=len(found.turning_points)
            ),
        ]
        difference = words(
            "Chance of winning: {played}% as played, {better}% with the better move.",
            played=percent(point.chance),
            better=percent(point.better_chance),
        )
        if points > 0:
            difference += " " + words.plural(
                "About 1 more point at the end.", "About {count} more points at the end.", points
            )
        lines = [
            " · ".join(parts),
            "-# " + words("As {name} saw it then.", name=name),
            words("{name}'s move: {action}", name=bold(name), action=escape(played)),
            words("Better: {action}", action=bold(better)),
            difference,
        ]
        controls = _controls(table_view, found, number)
        if await self._services.prefers_text(table_view):
            lines.append(table_view.board_text(()))
            return text_layout("\n".join(lines), controls)
        picture = await self._services.picture(table_view, point.seq, ())
        if picture is None:
            lines.append(words(general.NO_PICTURE))
        return text_layout("\n".join(lines), controls, picture)


def _describe(game: AnyGame, table_view: TableView, line: str) -> str:
    """Return actions as labels, without results unknown to the player."""
    action = parse_action(line)
    views = views_before(game, table_view.view, in_turn(action))
    return "; ".join(table_view.text.action_texts(action, views))


def percent(chance: float) -> int:
    """Return a chance as a whole percentage."""
    return round(100 * chance)


def _waiting(words: Words, job: ReviewJob) -> Layout:
    content = words(
        "Preparing the review: {percent}%. It usually takes 1–2 minutes and will appear here.",
        percent=percent(job.progress),
    )
    return text_layout(content)


def _controls(table_view: TableView, found: Review, page: int) -> list[Control]:
    """Return the buttons back and forward, and a select of the pages."""
    words, table, last = table_view.words, table_view.table.id, len(found.turning_points)
    if not last:
        return []
    steps = (
        (general.BACK, "◀️", max(page - 1, 0)),
        (general.FORWARD, "▶️", min(page + 1, last)),
    )
    items = [
        button(
            CustomId("turning", table, words=(str(to),), page=place),
            Label(words(name), emoji),
            disabled=to == page,
        )
        for place, (name, emoji, to) in enumerate(steps, 1)
    ]
    options = [option("0", Label(words(CHANCES)), default=page == 0)]
    options += [
        option(
            str(number),
            Label(
                f"{number} · {round_name(words, point.round)} · "
                f"{table_view.names[point.seat].plain}"
            ),
            default=page == number,
        )
        for number, point in enumerate(found.turning_points, 1)
    ]
    chosen = CustomId("turning", table, page=len(steps) + 1)
    return [*items, select(chosen, options, words("Chances and turning points…"))]
