"""One answer to one interaction, in time, however long the work takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import perf_counter
from types import TracebackType
from typing import Any

import aiohttp
import discord

from bot.cogs.ui.layout import Image, Interaction, Layout, picture_of, said, walk
from bot.cogs.ui.services import Services
from bot.tables import MetricsSink
from bot.text import Words

log = logging.getLogger(__name__)

NO_MENTIONS = discord.AllowedMentions.none()
DEFER_AFTER_S = 1.5
"""Seconds after which an interaction is acknowledged though its answer is not ready."""
AT_MOST_S = 15.0
"""Seconds after which whoever has no answer is told that it takes too long."""
UNCLAIMED = "unclaimed"
"""The extra of an interaction that another process may be carrying out."""
WAITED_S = "waited_s"
"""The extra of an interaction that says how many seconds it has been kept waiting before."""
REPLY = "reply"
"""The extra of an interaction that holds its `Reply`."""
ANSWERED = "answered"
"""The extra of an interaction that has been answered, or whose person is gone."""
PANEL_VERBS = ("play:", "join:")
"""What the ids of the first buttons of a table's own messages begin with."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
INVALID_FORM = 50035
ALREADY_ACKNOWLEDGED = 40060


class Answers:
    """The answers in progress, which a stopping bot still gives."""

    def __init__(self, metrics: MetricsSink, at_most_s: float = AT_MOST_S) -> None:
        self.metrics = metrics
        self.at_most_s = at_most_s
        """How many seconds an answer may take."""
        self.under_way: set[Reply] = set()

    async def finish(self, at_most_s: float) -> None:
        """Wait until everybody has been answered, or for at most that long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most_s):
                # Somebody may have begun to be answered just now.
                while self.under_way:
                    await next(iter(self.under_way)).ended.wait()

    def is_asked_by(self, user: int) -> bool:
        """Whether this person is being answered, for sure by this process."""
        return any(each.user == user and each.is_ours for each in self.under_way)

    async def wait_for(self, user: int, at_most_s: float) -> bool:
        """Waits until whatever this person asked has been answered; False if that takes longer."""
        try:
            async with asyncio.timeout(at_most_s):
                for reply in [each for each in self.under_way if each.user == user]:
                    await reply.ended.wait()
        except TimeoutError:
            return False
        return True


class Reply:
    """Answers an interaction privately. Use as a context manager.

    Discord wants a sign of life within three seconds. Once it is told to `hurry`, work that takes
    longer than `DEFER_AFTER_S` is acknowledged in the meantime, and the answer then fills the place
    reserved for it.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self.user: int = interaction.user.id
        """Who is answered."""
        self.delivery = str(interaction.id)
        """The id under which this interaction's action is carried out once."""
        self.is_typing = interaction.type is discord.InteractionType.autocomplete
        """Whether somebody is offered choices while they type, and gets no message."""
        self.is_ours = False
        """Whether this process is to answer, in time."""
        self.ended = asyncio.Event()
        """Set once the person has been answered, or cannot be."""
        self.message: int | None = None
        """The private message that holds the answer last given; None where none got through."""
        self.is_original = True
        """Whether that message is the first answer, not a follow-up."""
        self._pressed: discord.Message | None = interaction.message
        self._began = perf_counter()
        self._timer: asyncio.TimerHandle | None = None
        self._deferring: asyncio.Task[None] | None = None
        self._has_place = False
        """Whether a private place is reserved for an answer still to come."""
        self._is_acknowledged: bool | None = False
        """Whether it turned out that Discord got the acknowledgement, of which nothing came back;
        None while nobody knows."""

    async def __aenter__(self) -> Reply:
        self.interaction.extras[REPLY] = self
        if not self.is_typing:
            self.interaction.client.answers.under_way.add(self)
        return self

    def hurry(self) -> None:
        """From now on it is ours to answer in time."""
        if not self.is_typing:
            self.is_ours = True
            left = DEFER_AFTER_S - self.interaction.extras.get(WAITED_S, 0.0)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, left), self._begin_to_defer)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        answers = self.interaction.client.answers
        try:
            await self._settled()
        finally:
            answers.under_way.discard(self)
            if self.is_ours:
                answers.metrics.answered(perf_counter() - self._began)
            self.ended.set()

    @property
    def words(self) -> Words:
        """Their language."""
        services: Services = self.interaction.client.services
        return services.words_of(self.interaction)

    @property
    def in_place(self) -> bool:
        """Whether the component's message is private, so that the answer may replace it."""
        message = self._pressed
        # In direct messages all is private, but a table that plays there keeps its panel.
        return message is not None and (
            message.flags.ephemeral
            or (self.interaction.guild_id is None and not _is_panel(message))
        )

    @property
    def shown(self) -> Image | None:
        """The picture of the private message that was pressed, which an answer may leave there."""
        message = self._pressed
        return picture_of(message) if message is not None and self.in_place else None

    async def say(self, answer: Layout | str) -> None:
        """Answer with a private message of its own."""

        async def send(layout: Layout) -> None:
            parts: dict[str, Any] = {**layout.sent(), "allowed_mentions": NO_MENTIONS}
            if self._is_done:
                self.is_original, self._has_place = self._has_place, False
                sent = await self.interaction.followup.send(**parts, ephemeral=True, wait=True)
                self.message = sent.id
            else:
                answered = await self.interaction.response.send_message(**parts, ephemeral=True)
                self.message, self.is_original = answered.message_id, True

        await self._send((said(answer) if isinstance(answer, str) else answer).anew(), send)

    async def show(self, answer: Layout | str) -> None:
        """Answer in the private message that was pressed, or in a new one if it is not private.

        Its picture stays where the answer shows it without data; see `shown`.
        """
        layout, message = said(answer) if isinstance(answer, str) else answer, self._pressed
        if message is None or not self.in_place:
            await self.say(layout)
            return

        async def send(layout: Layout) -> None:
            parts: dict[str, Any] = {**layout.edited(), "allowed_mentions": NO_MENTIONS}
            if self._is_done:
                await self.interaction.edit_original_response(**parts)
            else:
                await self.interaction.response.edit_message(**parts)
            self.message, self.is_original = message.id, True

        try:
            await self._send(layout, send)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            # It was taken away while the press was on its way.
            await self.say(layout)

    async def change(self, layout: Layout) -> None:
        """Answer a press by changing the message that was pressed, for all who see it."""

        async def send(layout: Layout) -> None:
            parts: dict[str, Any] = {**layout.edited(), "allowed_mentions": NO_MENTIONS}
            if not self._is_done:
                await self.interaction.response.edit_message(**parts)
            elif self._pressed is not None:
                await self._pressed.edit(**parts)
                await self.acknowledge()

        await self._send(layout, send)

    async def _send(self, layout: Layout, send: Callable[[Layout], Awaitable[None]]) -> None:
        self.message = None
        try:
            await self._answer(lambda: send(layout))
        except discord.HTTPException as error:
            # An emoji made a moment ago may not be known yet.
            plainer = layout.plainly() if error.code == INVALID_FORM else None
            if plainer is None:
                raise
            await self._answer(lambda: send(plainer))

    async def ask(self, modal: discord.ui.Modal) -> bool:
        """Open a form. False where the interaction had to be acknowledged before."""
        await self._settled()
        is_free = not self._is_done

        async def open_form() -> None:
            nonlocal is_free
            is_free = not self._is_done
            if is_free:
                await self.interaction.response.send_modal(modal)

        if is_free:
            await self._answer(open_form)
        return is_free

    async def acknowledge(self) -> None:
        """Acknowledge a press without an answer: what is shown stays, or is redrawn elsewhere."""

        async def defer() -> None:
            if self._has_place:
                self._has_place = False
                await self.interaction.delete_original_response()
            elif not self._is_done:
                await self.interaction.response.defer()

        await self._answer(defer)

    async def _answer(self, give: Callable[[], Awaitable[None]]) -> None:
        """Gives an answer; once more where its refusal shows that Discord had got an
        acknowledgement of unknown fate."""
        await self._settled()
        try:
            await give()
        except discord.HTTPException as error:
            if self._is_acknowledged is None and error.code == ALREADY_ACKNOWLEDGED:
                self._is_acknowledged = True
                self._has_place = not self.in_place
                await self._answer(give)
                return
            # The person left, or Discord delivered the press twice: there is nobody to answer.
            if error.code not in (UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED):
                raise
            log.info("response not sent code=%s", error.code)
        self.interaction.extras[ANSWERED] = True

    @property
    def _is_done(self) -> bool:
        """Whether Discord has got an acknowledgement or an answer."""
        return self._is_acknowledged or self.interaction.response.is_done()

    def _begin_to_defer(self) -> None:
        self._deferring = asyncio.get_running_loop().create_task(self._defer())

    async def _defer(self) -> None:
        if self._is_done:  # They have been told that it took too long.
            return
        try:
            if self.in_place:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=True, thinking=True)
                self._has_place = True
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # The answer itself may still get through, and it says more.
            self._is_acknowledged = False if isinstance(error, discord.HTTPException) else None
            log.warning("interaction not acknowledged error=%s", reason(error))

    async def _settled(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._deferring is not None:
            await self._deferring


def reason(error: Exception) -> str:
    """Why a request to Discord failed; Discord's own words may quote what was sent."""
    if isinstance(error, discord.HTTPException):
        return f"code {error.code}"
    return type(error).__name__


def _is_panel(message: discord.Message) -> bool:
    return any(
        isinstance(each, discord.Button) and (each.custom_id or "").startswith(PANEL_VERBS)
        for each in walk(message.components)
    )
