"""The command line, run as an operator runs it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot import __version__
from bot.__main__ import main
from bot.client import GameBot
from bot.config import (
    Settings,
    read_settings,
)
from bot.local import DiscordLimits, Standin
from bot.store import Store, sqlite_file
from tests.wire.conftest import on_the_wire

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 120.0
"""A start takes a second or two, and twenty on a busy machine."""
SECRET = "hidden"
POSTGRES = "postgresql://kontor@127.0.0.1/kontor"
Complaint = Callable[..., str]


async def start(folder: Path, *args: str, **env: str) -> asyncio.subprocess.Process:
    """Start `python -m bot` in a folder, without our settings in its environment."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name.lower() not in Settings.__struct_fields__
    }
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *args),
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT), **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder, and an environment without our settings."""
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def complaint(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Complaint:
    """Run a command with these settings, check its exit status, and return the line it prints."""

    def run(*words: str, status: int = 2, **settings: str) -> str:
        with monkeypatch.context() as environment:
            for name, value in {"LOG_LEVEL": "WARNING", **settings}.items():
                environment.setenv(name, value)
            assert main(words) == status, settings
        line = capsys.readouterr().err
        assert line.count("\n") == 1, (settings, line)
        assert SECRET not in line
        return line

    return run


def test_the_example_names_every_setting_and_can_be_used_as_it_is(bare: Path) -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = {match.lower() for match in re.findall(r"^([A-Z_]+)=", text, re.MULTILINE)}
    assert named == set(Settings.__struct_fields__)
    unset = read_settings()
    (bare / ".env").write_text(text, encoding="utf-8")
    assert read_settings() == unset


INVALID: list[tuple[dict[str, str], str]] = [
    ({"DEV_GUILD": "the harbour"}, "DEV_GUILD"),
    (
        {
            "DATABASE_URL": f"mysql://kontor:{SECRET}@host/name",
            "HEALTH_PORT": "70000",
            "BUDGET_AUTOCOMPLETE": "many",
        },
        r"DATABASE_URL \(.*\), HEALTH_PORT, BUDGET_AUTOCOMPLETE\.",
    ),
    *(({"SHARDS": value}, "SHARDS") for value in ("none", "null", "0")),
    ({"SHARDS": "4"}, r"SHARDS \(a SQLite file serves only one process"),
    ({"SHARD_IDS": "0-3"}, r"SHARD_IDS \(it needs SHARDS"),
    (
        {"DATABASE_URL": POSTGRES, "SHARDS": "4", "SHARD_IDS": "3-1"},
        r"SHARD_IDS \(the range 3-1 is backwards",
    ),
    ({"PROCESS_NAME": "the harbour"}, "PROCESS_NAME"),
    *(
        ({"DISCORD_PROXY": value}, "DISCORD_PROXY")
        for value in ("127.0.0.1:3000", "http://:3000", "http://host:70000", "http://ho st")
    ),
    *(
        ({name: f"http://kontor:{SECRET}@host"}, rf"{name} \(remove the user name and password")
        for name in ("DISCORD_PROXY", "DISCORD_API")
    ),
    ({"DISCORD_API": f"http://{SECRET}@host"}, r"DISCORD_API \(remove the user name and password"),
]


def test_every_invalid_setting_is_named_and_no_secret_is_quoted(
    complaint: Complaint,
) -> None:
    for settings, message in INVALID:
        assert re.search(f"Invalid settings: {message}", complaint(**settings)), settings


def test_the_environment_overrides_the_file_unless_it_is_empty(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare / ".env").write_text("HEALTH_PORT=8001\nBACKUP_KEEP='3'\nTHE_WEATHER=fine\n")
    env = {"HEALTH_PORT": "", "BACKUP_KEEP": "5", "BACKUP_HOUR": "08", "DISCORD_TOKEN": SECRET}
    for name, value in {**env, "DATABASE_URL": POSTGRES, "SHARD_IDS": "2/4"}.items():
        monkeypatch.setenv(name, value)
    for text, shards in (("auto", "auto"), ("4", 4)):
        monkeypatch.setenv("SHARDS", text)
        settings = read_settings()
        assert (settings.shards, settings.shard_ids) == (shards, "2/4")
    assert (settings.health_port, settings.backup_keep, settings.backup_hour) == (8001, 5, 8)
    assert settings.discord_token is not None
    assert settings.discord_token.revealed() == SECRET
    assert SECRET not in f"{settings} {settings!r} {settings.discord_token}"


def test_help_shows_the_name_of_the_program_and_explains_every_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def output(*words: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
        return capsys.readouterr().out

    for started, called in (("/usr/bin/kontor", "kontor"), ("bot/__main__.py", "python -m bot")):
        monkeypatch.setattr(sys, "argv", [started])
        assert f"usage: {called} [" in output("--help")
        assert output("--version") == f"kontor {__version__}\n"
    listed = re.findall(r"^    (\w+) +\w", output("--help"), re.MULTILINE)
    assert {"run", "play", "backup", "simulate"} <= set(listed)
    for command in listed:
        assert f"usage: python -m bot {command} " in output(command, "--help")


def test_an_invalid_database_url_prints_one_line_and_exits_with_2(
    complaint: Complaint,
) -> None:
    urls = {
        "nonsense": "it must be a URL such as",
        f"{SECRET}@nonsense": "it must be a URL such as",
        "sqlite://": "loses all games",
        "sqlite:///": "loses all games",
        "sqlite:///:memory:": "loses all games",
        "sqlite:///file::memory:?uri=true": "the path of a file",
        "sqlite:///games.sqlite?timeout=x": "the path of a file",
        "sqlite://games.sqlite": "after three slashes",
        "sqlite:////": "a folder, not a file",
        "sqlite3:///games.sqlite": "start with sqlite: or postgresql:",
        "sqlite+nothing:///x": "start with sqlite: or",
        f"postgresql+psycopg://kontor:{SECRET}@host/x": "start with sqlite: or",
        f"mysql+aiomysql://kontor:{SECRET}@host/x": "start with sqlite: or",
        f"postgresql://kontor:a@b{SECRET}@host/x": "as %40",
        f"postgresql://kontor:{SECRET}@host:port/x": "the port must be a number",
        f"postgresql://kontor:{SECRET}@host:70000/x": "the port must be a number",
    }
    for url, reason in urls.items():
        line = complaint(DISCORD_TOKEN="some.token", DATABASE_URL=url)
        assert line.startswith("Invalid settings: DATABASE_URL ("), url
        assert reason in line, (url, line)
        for words in (("backup",), ("restore", "some.file"), ("init",)):
            assert complaint(*words, DATABASE_URL=url) == line, words


def test_a_database_that_cannot_be_opened_prints_one_line_and_exits_with_2(
    complaint: Complaint, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = f"postgresql://kontor:{SECRET}@127.0.0.1:1/x"
    unopened = {"sqlite:////proc/no/such/place.sqlite": "/proc/no"}
    if find_spec("asyncpg"):
        unopened[f"{server}?sslmode=no"] = "the '?'"
    for url, reason in (*unopened.items(), (server, "pip install")):
        if reason == "pip install":
            monkeypatch.setitem(sys.modules, "asyncpg", None)
            for loaded in ("bot.store.server_lock", "bot.store.postgres"):
                monkeypatch.delitem(sys.modules, loaded, raising=False)
        line = complaint(DISCORD_TOKEN="some.token", DATABASE_URL=url)
        assert line.startswith("Cannot use DATABASE_URL: ")
        assert reason in line


def ended(code: int) -> discord.ConnectionClosed:
    """Return the error for a connection that Discord has closed for good."""
    socket: Any = SimpleNamespace(close_code=code)
    return discord.ConnectionClosed(socket, shard_id=None)


def test_a_refusal_by_discord_prints_one_line(
    complaint: Complaint, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal: Any = SimpleNamespace(status=403, reason="Forbidden")
    refusals: list[tuple[Exception, int, str]] = [
        (discord.Forbidden(refusal, ""), 1, "rejected the bot"),
        (discord.LoginFailure(""), 2, "DISCORD_TOKEN"),
        (discord.PrivilegedIntentsRequired(None), 2, "intents"),
        (ended(4004), 2, r"DISCORD_TOKEN.*4004"),
        (ended(4010), 2, r"SHARDS.*docs/hosting.md.*4010"),
        (ended(4011), 2, r"SHARDS.*4011"),
        (ended(4012), 1, "4012"),
        (ended(4013), 2, r"intents.*4013"),
    ]
    for error, status, words in refusals:

        async def login(_bot: GameBot, _token: str, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(GameBot, "login", login)
        assert re.search(words, complaint(status=status, DISCORD_TOKEN="some.token")), words


def test_a_failed_command_prints_one_line_and_exits_with_2(
    complaint: Complaint,
) -> None:
    for words in ([], ["run"]):
        assert "DISCORD_TOKEN" in complaint(*words)
    for copied in (["backup"], ["restore", "some.file"]):
        assert "pg_dump" in complaint(*copied, DATABASE_URL=POSTGRES)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = str(taken.getsockname()[1])
        for port in (number, "not a port"):
            assert "HEALTH_PORT" in complaint(DISCORD_TOKEN="some.token", HEALTH_PORT=port)
        assert "--port" in complaint("play", "--port", number)


def test_a_file_that_is_no_database_prints_one_line_and_exits_with_2(
    bare: Path, complaint: Complaint
) -> None:
    (bare / "diary.sqlite").write_text("Dear diary, " * 1000)
    url = "sqlite:///diary.sqlite"
    assert "DATABASE_URL" in complaint(DISCORD_TOKEN="some.token", DATABASE_URL=url)
    for name in ("chat.sqlite", "tables.sqlite"):
        (bare / name).mkdir()
        shutil.copy(bare / "diary.sqlite", bare / name / name)
        line = complaint("play", "--port", "0", "--data", str(bare / name))
        assert "not a database" in line


def test_a_database_of_a_newer_version_prints_one_line_and_is_unchanged(
    bare: Path, complaint: Complaint
) -> None:
    url = "sqlite:///games.sqlite"

    async def make() -> None:
        await (await Store.open(url)).close()

    asyncio.run(make())
    with closing(sqlite3.connect("games.sqlite")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("ALTER TABLE tables ADD COLUMN guilds TEXT DEFAULT 'four'")
        before = list(database.iterdump())
    line = complaint(DISCORD_TOKEN="some.token", DATABASE_URL=url)
    assert "A newer version of this program wrote the database (revision 9999)" in line
    with closing(sqlite3.connect("games.sqlite")) as database:
        assert list(database.iterdump()) == before


@pytest.mark.slow
@pytest.mark.parametrize("named", ["DISCORD_TOKEN", "SHARDS"])
async def test_a_permanent_refusal_by_discord_prints_one_line_and_exits_with_2(
    tmp_path: Path, named: str
) -> None:
    async with Standin(limits=DiscordLimits(needs_shards=named == "SHARDS")) as standin:
        token = standin.token if named == "SHARDS" else "not.the.token"
        process = await start(
            tmp_path, DISCORD_TOKEN=token, DISCORD_API=standin.url, LOG_LEVEL="WARNING"
        )
        _out, line = await process.communicate()
    assert process.returncode == 2
    assert line.decode().count("\n") == 1, line.decode()
    assert named in line.decode()


def test_the_file_of_a_database_url_is_found() -> None:
    files = {
        "sqlite:///var/games.sqlite": Path("var/games.sqlite"),
        "sqlite:////srv/bot/games.sqlite?timeout=5": Path("/srv/bot/games.sqlite"),
        "sqlite:///:memory:": None,
        "postgresql://u:p@host/games": None,
        # The names that older versions used.
        "sqlite+aiosqlite:////srv/bot/games.sqlite": Path("/srv/bot/games.sqlite"),
        "postgresql+asyncpg://u:p@host/games": None,
    }
    assert {url: sqlite_file(url) for url in files} == files


async def test_an_event_after_the_end_is_not_dispatched(tmp_path: Path) -> None:
    events = []

    async def on_ready() -> None:
        events.append("ready")

    async with on_the_wire(tmp_path) as wire:
        bot = wire.bot
    bot.add_listener(on_ready)
    bot.dispatch("ready")
    await asyncio.sleep(0)
    assert events == []
