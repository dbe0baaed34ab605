"""Replies to interactions, sent or acknowledged within Discord's time limit."""

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

from bot.cogs.ui.layout import Image, Interaction, Layout, picture_of, text_layout, walk
from bot.cogs.ui.services import Services
from bot.tables import MetricsSink
from bot.text import Words

log = logging.getLogger(__name__)

NO_MENTIONS = discord.AllowedMentions.none()
DEFER_AFTER_S = 1.5
"""Seconds after which an interaction is acknowledged if its answer is not ready."""
TIMEOUT_S = 15.0
"""Seconds after which an unfinished interaction is answered with an error."""
UNCLAIMED = "unclaimed"
"""Extra of an interaction that another process may be handling."""
WAITED_S = "waited_s"
"""Extra of an interaction: the seconds that it has already waited."""
REPLY = "reply"
"""Extra of an interaction: its `Reply`."""
ANSWERED = "answered"
"""Extra of an interaction that has been answered, or whose user has left."""
PANEL_VERBS = ("play:", "join:")
"""Prefixes of the custom ids in a table's public posts."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
INVALID_FORM = 50035
ALREADY_ACKNOWLEDGED = 40060


class Answers:
    """The answers in progress; a stopping bot still finishes them."""

    def __init__(self, metrics: MetricsSink, timeout_s: float = TIMEOUT_S) -> None:
        self.metrics = metrics
        self.timeout_s = timeout_s
        """Seconds that an answer may take."""
        self.in_progress: set[Reply] = set()

    async def finish(self, timeout_s: float) -> None:
        """Wait until all answers are given, or until the timeout."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                # New ones may start in the meantime.
                while self.in_progress:
                    await next(iter(self.in_progress)).ended.wait()

    def is_answering(self, user: int) -> bool:
        """Return whether this process, and no other, is answering this user."""
        return any(each.user == user and each.is_ours for each in self.in_progress)

    async def wait_for(self, user: int, timeout_s: float) -> bool:
        """Wait until this user has been answered; return False on timeout."""
        try:
            async with asyncio.timeout(timeout_s):
                for reply in [each for each in self.in_progress if each.user == user]:
                    await reply.ended.wait()
        except TimeoutError:
            return False
        return True


class Reply:
    """Context manager for the private answer to an interaction.

    Discord wants an acknowledgement within three seconds. After `start_timer`, longer work than
    `DEFER_AFTER_S` is acknowledged with a placeholder, which the answer then replaces.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self.user: int = interaction.user.id
        self.delivery = str(interaction.id)
        """Idempotency key of the interaction's action."""
        self.is_typing = interaction.type is discord.InteractionType.autocomplete
        """Whether it is an autocomplete request, which gets no message."""
        self.is_ours = False
        """Whether this process must answer in time."""
        self.ended = asyncio.Event()
        """Set once the user has been answered, or cannot be."""
        self.message: int | None = None
        """The private message with the last answer; None if it could not be sent."""
        self.is_original = True
        """Whether that message is the first answer, not a follow-up."""
        self._pressed: discord.Message | None = interaction.message
        self._began = perf_counter()
        self._timer: asyncio.TimerHandle | None = None
        self._deferral: asyncio.Task[None] | None = None
        self._has_place = False
        """Whether a private placeholder waits for the answer."""
        self._is_acknowledged: bool | None = False
        """Whether an acknowledgement reached Discord although the response was lost; None while
        this is unknown."""

    async def __aenter__(self) -> Reply:
        self.interaction.extras[REPLY] = self
        if not self.is_typing:
            self.interaction.client.answers.in_progress.add(self)
        return self

    def start_timer(self) -> None:
        """Start the time limit: this process answers."""
        if not self.is_typing:
            self.is_ours = True
            left = DEFER_AFTER_S - self.interaction.extras.get(WAITED_S, 0.0)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, left), self._start_deferring)

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
            answers.in_progress.discard(self)
            if self.is_ours:
                answers.metrics.answered(perf_counter() - self._began)
            self.ended.set()

    @property
    def words(self) -> Words:
        """Words in the user's language."""
        services: Services = self.interaction.client.services
        return services.words_of(self.interaction)

    @property
    def in_place(self) -> bool:
        """Whether the pressed message is private, so that the answer can replace it."""
        message = self._pressed
        # All direct messages are private, but a table that plays there keeps its posts.
        return message is not None and (
            message.flags.ephemeral
            or (self.interaction.guild_id is None and not _is_panel(message))
        )

    @property
    def shown(self) -> Image | None:
        """The picture of the pressed private message, which an answer may keep."""
        message = self._pressed
        return picture_of(message) if message is not None and self.in_place else None

    async def say(self, answer: Layout | str) -> None:
        """Answer with a new private message."""

        async def send(layout: Layout) -> None:
            parts: dict[str, Any] = {**layout.sent(), "allowed_mentions": NO_MENTIONS}
            if self._is_done:
                self.is_original, self._has_place = self._has_place, False
                sent = await self.interaction.followup.send(**parts, ephemeral=True, wait=True)
                self.message = sent.id
            else:
                answered = await self.interaction.response.send_message(**parts, ephemeral=True)
                self.message, self.is_original = answered.message_id, True

        layout = text_layout(answer) if isinstance(answer, str) else answer
        await self._send(layout.for_new_message(), send)

    async def show(self, answer: Layout | str) -> None:
        """Answer in the pressed message, or in a new one if that is not private.

        Its picture stays if the answer has it without data; see `shown`.
        """
        layout, message = text_layout(answer) if isinstance(answer, str) else answer, self._pressed
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
            # The message has been deleted in the meantime.
            await self.say(layout)

    async def change(self, layout: Layout) -> None:
        """Answer a press by editing the pressed message for everyone who sees it."""

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
            # Discord may not know a new emoji yet.
            plain = layout.with_plain_emoji() if error.code == INVALID_FORM else None
            if plain is None:
                raise
            await self._answer(lambda: send(plain))

    async def ask(self, modal: discord.ui.Modal) -> bool:
        """Open a form. Return False if the interaction is already acknowledged."""
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
        """Acknowledge a press without an answer; its message stays or is edited elsewhere."""

        async def defer() -> None:
            if self._has_place:
                self._has_place = False
                await self.interaction.delete_original_response()
            elif not self._is_done:
                await self.interaction.response.defer()

        await self._answer(defer)

    async def _answer(self, give: Callable[[], Awaitable[None]]) -> None:
        """Give an answer. Retry if Discord refuses it because our acknowledgement did arrive."""
        await self._settled()
        try:
            await give()
        except discord.HTTPException as error:
            if self._is_acknowledged is None and error.code == ALREADY_ACKNOWLEDGED:
                self._is_acknowledged = True
                self._has_place = not self.in_place
                await self._answer(give)
                return
            # The user has left, or Discord delivered the press twice: no one to answer.
            if error.code not in (UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED):
                raise
            log.info("response not sent code=%s", error.code)
        self.interaction.extras[ANSWERED] = True

    @property
    def _is_done(self) -> bool:
        """Whether Discord has received an acknowledgement or an answer."""
        return self._is_acknowledged or self.interaction.response.is_done()

    def _start_deferring(self) -> None:
        self._deferral = asyncio.get_running_loop().create_task(self._defer())

    async def _defer(self) -> None:
        if self._is_done:  # They already got the timeout error.
            return
        try:
            if self.in_place:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=True, thinking=True)
                self._has_place = True
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # The answer itself may still get through.
            self._is_acknowledged = False if isinstance(error, discord.HTTPException) else None
            log.warning("interaction not acknowledged error=%s", reason(error))

    async def _settled(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._deferral is not None:
            await self._deferral


def reason(error: Exception) -> str:
    """Return why a request to Discord failed, without Discord's text, which may quote input."""
    if isinstance(error, discord.HTTPException):
        return f"code {error.code}"
    return type(error).__name__


def _is_panel(message: discord.Message) -> bool:
    return any(
        isinstance(each, discord.Button) and (each.custom_id or "").startswith(PANEL_VERBS)
        for each in walk(message.components)
    )
