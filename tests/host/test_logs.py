"""Formats of the log, and what they leave out."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sys

import pytest

from bot.host.logs import JsonLines, Lines, NoiseFilter


def line(message: str, *args: object, trace: bool = False) -> dict[str, object]:
    record = logging.LogRecord("bot.tables", logging.INFO, "x.py", 1, message, args, None)
    if trace:
        record.exc_info = sys.exc_info()
    text = JsonLines().format(record)
    assert "\n" not in text
    fields: dict[str, object] = json.loads(text)
    assert str(fields.pop("time")).endswith("+00:00")
    return fields


def test_a_line_is_one_object_with_its_arguments_as_fields() -> None:
    assert line("acted table=%(table)s", {"table": 7}) == {
        "level": "INFO",
        "logger": "bot.tables",
        "message": "acted table=7",
        "table": 7,
    }
    assert line("posted seq=%s", 3)["message"] == "posted seq=3"


def test_text_from_outside_cannot_start_a_line_or_reverse_it() -> None:
    hostile = "Eve\n2030-01-01 ERROR bot \u2028\u202e\x1b[2J"
    record = logging.LogRecord("bot", logging.INFO, "x.py", 1, "joined %s", (hostile,), None)
    shown = r"Eve\n2030-01-01 ERROR bot \u2028\u202e\x1b[2J"

    assert Lines("%(message)s").format(record) == f"joined {shown}"
    assert line("joined %s", hostile)["message"] == f"joined {hostile}"
    assert JsonLines().format(record).isascii()


def fail(secret: str) -> None:
    try:
        dict[str, int]()[secret]
    except KeyError as error:
        raise ValueError(f"no such hand: {secret}") from error


def test_an_error_is_logged_with_its_trace_but_without_its_message() -> None:
    try:
        fail("oo" + "5")
    except ValueError:
        found = line("it failed", trace=True)
    trace = str(found["trace"])
    assert trace.index("KeyError") < trace.index("ValueError")
    assert "in fail" in trace
    assert "oo5" not in trace


async def test_an_unhandled_task_error_is_logged_without_its_message(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": "Never retrieved", "future": ValueError("oo5")})
    (record,) = caplog.records
    assert "oo5" in record.getMessage()
    assert NoiseFilter().filter(record)
    assert record.getMessage() == "Never retrieved"


def test_a_lost_connection_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ConnectionResetError("the harbour is closed")
    except ConnectionResetError:
        logging.getLogger("discord.client").exception("Attempting a reconnect in %.2fs", 1.5)
    (record,) = caplog.records
    assert NoiseFilter().filter(record)
    assert record.getMessage() == "Attempting a reconnect in 1.50s: ConnectionResetError"
    assert record.exc_info is None


async def test_leftovers_of_a_lost_connection_are_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = asyncio.get_running_loop()
    for error in (ConnectionRefusedError(), ValueError("oo5")):
        loop.create_future().set_exception(error)
    gc.collect()
    lost, wrong = caplog.records
    assert not NoiseFilter().filter(lost)
    assert NoiseFilter().filter(wrong)
    assert wrong.getMessage() == "Future exception was never retrieved"
