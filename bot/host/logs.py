"""What the program logs for its operator, line by line, for people or for machines."""

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
    """Lines for people. The trace of an error omits its message.

    A message may quote what somebody holds, as `KeyError: 'oo5'` would; only those of the operating
    system are kept.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """One line, whatever a name or an id from outside may contain."""
        line = super().formatMessage(record)
        return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)

    def formatException(  # noqa: N802
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        """Where the error and its causes came from, the first cause first."""
        chain: list[BaseException] = []
        error = ei[1]
        while error is not None and error not in chain:
            chain.append(error)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\nand then\n".join(map(_described, reversed(chain)))


def _described(error: BaseException) -> str:
    said = f": {error}" if isinstance(error, OSError) else ""
    where = "".join(traceback.format_tb(error.__traceback__))
    return f"{where}{type(error).__qualname__}{said}"


class JsonLines(Lines):
    """One JSON object a line: `time`, `level`, `logger`, `message`, and what the line is about.

    A line logged with a mapping, `log.info("acted table=%(table)s", {"table": 1})`, gets each of
    its entries as a field of its own.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
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


class Brief(logging.Filter):
    """Says in one line what libraries say in many.

    discord.py logs a trace each time that it cannot reconnect; asyncio prints the tasks and errors
    it mentions, which may quote what somebody holds.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shortens the record; nearly all are kept."""
        if record.exc_info and str(record.msg).startswith("Attempting a reconnect"):
            record.msg = f"{record.msg}: {type(record.exc_info[1]).__name__}"
            record.exc_info = None
        if record.name == "asyncio" and _is_left_over(record):
            return False
        if record.name == "asyncio":
            record.msg, record.args = record.getMessage().partition("\n")[0], None
        return True


def _is_left_over(record: logging.LogRecord) -> bool:
    """Whether a lost connection has left it in a future of asyncpg's own, which nobody waits for:
    the cancellation of a question that could not be sent. Whoever asked has been told."""
    error = record.exc_info[1] if record.exc_info else None
    is_of_line = isinstance(error, OSError) or type(error).__module__.startswith("asyncpg")
    return record.getMessage().startswith("Future exception was never retrieved") and is_of_line


def log_to_stderr(level: str, style: Literal["text", "json"] = "text") -> None:
    """Log from that level up, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else Lines(TEXT))
    handler.addFilter(Brief())
    # What libraries log below a warning is for their developers, and may hold players' secrets: at
    # DEBUG the database would log every action with its words.
    quiet = max(logging.WARNING, logging.getLevelName(level))
    logging.basicConfig(level=quiet, handlers=[handler])
    logging.getLogger("bot").setLevel(level)
    # A bot without voice need not be told so at each start.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
