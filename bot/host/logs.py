"""Formats of the log, for people or as JSON."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal

import discord

TEXT = "%(asctime)s %(levelname)s %(name)s %(message)s"


class Lines(logging.Formatter):
    """Lines for people. Tracebacks omit the messages of errors, except for OSError.

    A message may quote a player's secret, for example `KeyError: 'oo5'`.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Return one line, escaping unprintable characters of names and ids from outside."""
        line = super().formatMessage(record)
        return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)

    def formatException(  # noqa: N802
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        """Return the traceback of an error and its causes, the first cause first."""
        chain: list[BaseException] = []
        error = ei[1]
        while error is not None and error not in chain:
            chain.append(error)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nand then\n".join(map(_format_error, reversed(chain)))


def _format_error(error: BaseException) -> str:
    message = f": {error}" if isinstance(error, OSError) else ""
    trace = "".join(traceback.format_tb(error.__traceback__))
    return f"{trace}{type(error).__qualname__}{message}"


class JsonLines(Lines):
    """One JSON object per line, with `time`, `level`, `logger`, `message` and extra fields.

    If a line is logged with a mapping, such as `log.info("acted table=%(table)s", {"table": 1})`,
    each item becomes a field.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without a line break."""
        fields: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if isinstance(record.args, Mapping):
            fields |= record.args
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


class NoiseFilter(logging.Filter):
    """Shortens log records of libraries to one line.

    discord.py logs a traceback for each failed reconnect. asyncio prints tasks and errors, which
    may quote players' secrets.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the record, and drop it if it is noise."""
        if record.exc_info and str(record.msg).startswith("Attempting a reconnect"):
            record.msg = f"{record.msg}: {type(record.exc_info[1]).__name__}"
            record.exc_info = None
        if record.name == "asyncio" and _is_abandoned(record):
            return False
        if record.name == "asyncio":
            record.msg, record.args = record.getMessage().partition("\n")[0], None
        return True


def _is_abandoned(record: logging.LogRecord) -> bool:
    """Return whether a lost connection left this error in an internal future of asyncpg.

    It is from the cancellation of a query. The caller of the query has received its own error.
    """
    error = record.exc_info[1] if record.exc_info else None
    is_connection_error = isinstance(error, OSError) or type(error).__module__.startswith("asyncpg")
    return (
        record.getMessage().startswith("Future exception was never retrieved")
        and is_connection_error
    )


def log_to_stderr(level: str, style: Literal["text", "json"] = "text") -> None:
    """Log to standard error, from that level up."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else Lines(TEXT))
    handler.addFilter(NoiseFilter())
    # Libraries log below WARNING for their developers, and may log secrets: at DEBUG the database
    # driver logs each action.
    quiet = max(logging.WARNING, logging.getLevelName(level))
    logging.basicConfig(level=quiet, handlers=[handler])
    logging.getLogger("bot").setLevel(level)
    # The bot does not use voice: no warnings about it at each start.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
