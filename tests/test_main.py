"""The command line, run as an operator runs it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot import __version__
from bot.__main__ import main
from bot.client import GameBot
from bot.config import Settings, read_settings
from bot.local import DiscordLimits, Standin
from bot.store import Store, sqlite_file

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 120.0
"""A start takes a second or two, and twenty on a busy machine."""
SECRET = "hidden"
COMMANDS = (
    *("run", "play", "backup", "restore", "begin", "move", "games"),
    *("simulate", "replay", "verify", "bench", "leaks"),
)


async def start(folder: Path, *args: str, **env: str) -> asyncio.subprocess.Process:
    """`python -m bot` in a folder of its own, with nothing of ours in its environment."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if name.lower() not in Settings.__struct_fields__
    }
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *args,
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT), **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, and an environment without our settings."""
    for name in Settings.__struct_fields__:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_example_names_every_setting() -> None:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = {match.lower() for match in re.findall(r"^([A-Z_]+)=", text, re.MULTILINE)}
    assert named == set(Settings.__struct_fields__)


def test_the_example_can_be_used_as_it_is(bare: Path) -> None:
    unset = read_settings()
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    (bare / ".env").write_text(example, encoding="utf-8")
    assert read_settings() == unset


@pytest.mark.parametrize("args", [[], ["run"]])
def test_a_missing_token_is_one_line_and_status_2(
    bare: Path, capsys: pytest.CaptureFixture[str], args: list[str]
) -> None:
    assert main(args) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "DISCORD_TOKEN" in said.err


def test_a_setting_that_cannot_be_used_is_named(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEV_GUILD", "the harbour")
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "DEV_GUILD" in said


def test_all_settings_that_cannot_be_used_are_named_and_no_secret_is_quoted(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"mysql://kontor:{SECRET}@host/name")
    monkeypatch.setenv("HEALTH_PORT", "70000")
    monkeypatch.setenv("BUDGET_TYPING", "many")
    assert main([]) == 2
    said = capsys.readouterr().err
    assert re.search("cannot be used: DATABASE_URL, .*, HEALTH_PORT, BUDGET_TYPING ", said)
    assert SECRET not in said


def test_the_environment_counts_for_more_than_the_file_unless_it_is_empty(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare / ".env").write_text("HEALTH_PORT=8001\nBACKUP_KEEP='3'\nTHE_WEATHER=fine\n")
    monkeypatch.setenv("HEALTH_PORT", "")
    monkeypatch.setenv("BACKUP_KEEP", "5")
    settings = read_settings()
    assert (settings.health_port, settings.backup_keep) == (8001, 5)


def test_an_hour_may_be_written_with_two_digits(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKUP_HOUR", "08")
    assert read_settings().backup_hour == 8


def test_the_token_is_not_shown_with_the_settings(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", SECRET)
    settings = read_settings()
    assert settings.discord_token is not None
    assert settings.discord_token.revealed() == SECRET
    assert SECRET not in f"{settings} {settings!r} {settings.discord_token}"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SHARDS", "none", "SHARDS"),
        ("SHARDS", "null", "SHARDS"),
        ("SHARDS", "0", "SHARDS"),
        ("SHARDS", "4", "SHARDS, a SQLite file is for one process alone"),
        ("SHARD_IDS", "0-3", "SHARD_IDS, it means nothing without SHARDS"),
        ("MEMBER", "the harbour", "MEMBER"),
        ("DISCORD_PROXY", "127.0.0.1:3000", "DISCORD_PROXY"),
        ("DISCORD_PROXY", "http://:3000", "DISCORD_PROXY"),
        ("DISCORD_PROXY", "http://host:70000", "DISCORD_PROXY"),
        ("DISCORD_PROXY", "http://ho st", "DISCORD_PROXY"),
        ("DISCORD_PROXY", f"http://kontor:{SECRET}@host", "DISCORD_PROXY, a name and password"),
        ("DISCORD_API", f"http://{SECRET}@host", "DISCORD_API, a name and password"),
    ],
)
def test_what_is_said_of_shards_and_cannot_be_used_is_named(
    bare: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    said: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert main([]) == 2
    heard = capsys.readouterr().err
    assert heard.count("\n") == 1
    assert f"cannot be used: {said}" in heard
    assert SECRET not in heard


def test_shards_that_are_not_understood_are_quoted(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://kontor@127.0.0.1/kontor")
    monkeypatch.setenv("SHARDS", "4")
    monkeypatch.setenv("SHARD_IDS", "3-1")
    assert main([]) == 2
    assert "SHARD_IDS, the shards 3-1 are counted backwards" in capsys.readouterr().err


@pytest.mark.parametrize(("text", "shards"), [("auto", "auto"), ("4", 4)])
def test_shards_are_counted_or_left_to_discord(
    bare: Path, monkeypatch: pytest.MonkeyPatch, text: str, shards: str | int
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://kontor@127.0.0.1/kontor")
    monkeypatch.setenv("SHARDS", text)
    monkeypatch.setenv("SHARD_IDS", "2/4")
    assert read_settings().shards == shards
    assert read_settings().shard_ids == "2/4"


def test_it_is_called_as_it_was_started_and_says_its_version(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for started, called in (("/usr/bin/kontor", "kontor"), ("bot/__main__.py", "python -m bot")):
        monkeypatch.setattr(sys, "argv", [started])
        with pytest.raises(SystemExit):
            main(["--help"])
        assert f"usage: {called} [" in capsys.readouterr().out
        with pytest.raises(SystemExit):
            main(["--version"])
        assert capsys.readouterr().out == f"kontor {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert f"python -m bot {command}" in capsys.readouterr().out


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert all(command in said for command in COMMANDS)


@pytest.mark.parametrize("command", [[], ["backup"], ["restore", "some.file"], ["begin"]])
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "it is no URL such as"),
        (f"{SECRET}@nonsense", "it is no URL such as"),
        ("sqlite+aiosqlite://", "would lose all games"),
        ("sqlite+aiosqlite:///", "would lose all games"),
        ("sqlite+aiosqlite:///:memory:", "would lose all games"),
        ("sqlite+aiosqlite:///file::memory:?uri=true", "the path of a file"),
        ("sqlite+aiosqlite:///games.sqlite?timeout=x", "the path of a file"),
        ("sqlite+aiosqlite://games.sqlite", "after three slashes"),
        ("sqlite+aiosqlite:////", "a folder, not a file"),
        ("sqlite:///games.sqlite", "neither sqlite+aiosqlite: nor postgresql+asyncpg:"),
        ("sqlite+nothing:///x", "neither sqlite+aiosqlite: nor"),
        (f"postgresql://kontor:{SECRET}@host/x", "neither sqlite+aiosqlite: nor"),
        (f"mysql+aiomysql://kontor:{SECRET}@host/x", "neither sqlite+aiosqlite: nor"),
        (f"postgresql+asyncpg://kontor:a@b{SECRET}@host/x", "is written %40"),
        (f"postgresql+asyncpg://kontor:{SECRET}@host:port/x", "it is no URL such as"),
        (f"postgresql+asyncpg://kontor:{SECRET}@host:70000/x", "a port is a number"),
    ],
)
def test_the_url_of_a_database_that_cannot_be_used_is_one_line_and_status_2(
    bare: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    url: str,
    reason: str,
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("DATABASE_URL", url)
    assert main(command) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("A setting cannot be used: DATABASE_URL, ")
    assert reason in said
    assert SECRET not in said


@pytest.mark.parametrize(
    ("url", "missing", "reason"),
    [
        ("sqlite+aiosqlite:////proc/no/such/place.sqlite", None, "/proc/no"),
        (f"postgresql+asyncpg://kontor:{SECRET}@127.0.0.1:1/x", "asyncpg", "pip install"),
        (f"postgresql+asyncpg://kontor:{SECRET}@127.0.0.1:1/x?sslmode=no", None, "the '?'"),
    ],
)
def test_a_database_that_cannot_be_opened_is_one_line_and_status_2(
    bare: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    url: str,
    missing: str | None,
    reason: str,
) -> None:
    if missing is not None:
        monkeypatch.setitem(sys.modules, missing, None)
    elif url.startswith("postgresql"):
        pytest.importorskip("asyncpg")
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("DATABASE_URL", url)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("DATABASE_URL cannot be used: ")
    assert reason in said
    assert SECRET not in said


def test_a_discord_that_refuses_the_bot_is_one_line_and_status_1(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusal:
        status, reason = 403, "Forbidden"

    async def login(_bot: GameBot, _token: str) -> None:
        raise discord.Forbidden(Refusal(), "")

    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    monkeypatch.setattr(GameBot, "login", login)
    assert main([]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "refuses the bot" in said


@pytest.mark.parametrize(
    ("code", "status", "words"),
    [
        (4004, 2, "DISCORD_TOKEN"),
        (4010, 2, "SHARDS"),
        (4011, 2, "SHARDS"),
        (4012, 1, "4012"),
        (4013, 2, "intents"),
    ],
)
def test_a_connection_that_discord_ends_for_good_is_one_line(
    bare: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    status: int,
    words: str,
) -> None:
    class Socket:
        close_code = code

    async def login(_bot: GameBot, _token: str) -> None:
        raise discord.ConnectionClosed(cast(Any, Socket()), shard_id=None)

    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    monkeypatch.setattr(GameBot, "login", login)
    assert main([]) == status
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said
    assert str(code) in said


def test_intents_that_discord_refuses_are_one_line_and_status_2(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def login(_bot: GameBot, _token: str) -> None:
        raise discord.PrivilegedIntentsRequired(None)

    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    monkeypatch.setattr(GameBot, "login", login)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "intents" in said


@pytest.mark.parametrize("command", [["backup"], ["restore", "some.file"]])
def test_a_database_of_another_kind_is_not_copied(
    bare: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://u:p@host/games")
    assert main(command) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "pg_dump" in said


@pytest.mark.parametrize("port", ["in use", "not a port"])
def test_a_port_that_cannot_be_listened_at_is_one_line_and_status_2(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, port: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("LOG_LEVEL", "WARNING")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = str(taken.getsockname()[1])
        monkeypatch.setenv("HEALTH_PORT", number if port == "in use" else port)
        assert main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "HEALTH_PORT" in said


def test_a_file_that_is_no_database_is_one_line_and_status_2(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare / "diary.sqlite").write_text("Dear diary, " * 1000)
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("DATABASE_URL", "sqlite+aiosqlite:///diary.sqlite")
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "DATABASE_URL" in said


def test_a_database_of_a_newer_version_is_one_line_and_stays_as_it_is(
    bare: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "sqlite+aiosqlite:///games.sqlite"

    async def make() -> None:
        await (await Store.open(url)).close()

    asyncio.run(make())
    with closing(sqlite3.connect("games.sqlite")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("ALTER TABLE tables ADD COLUMN guilds TEXT DEFAULT 'four'")
        before = list(database.iterdump())
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    monkeypatch.setenv("DATABASE_URL", url)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "a newer version of this program (revision 9999)" in said
    with closing(sqlite3.connect("games.sqlite")) as database:
        assert list(database.iterdump()) == before


async def test_a_refused_token_is_one_line_and_status_2(tmp_path: Path) -> None:
    async with Standin() as standin:
        process = await start(
            tmp_path, DISCORD_TOKEN="not.the.token", DISCORD_API=standin.url, LOG_LEVEL="WARNING"
        )
        _out, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().count("\n") == 1
    assert "DISCORD_TOKEN" in said.decode()


async def test_a_bot_that_discord_wants_in_shards_is_one_line_and_status_2(tmp_path: Path) -> None:
    async with Standin(limits=DiscordLimits(needs_shards=True)) as standin:
        process = await start(
            tmp_path, DISCORD_TOKEN=standin.token, DISCORD_API=standin.url, LOG_LEVEL="WARNING"
        )
        _out, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().count("\n") == 1, said.decode()
    assert "SHARDS" in said.decode()
    assert "docs/hosting.md" in said.decode()


async def test_the_bot_comes_online_and_stops_cleanly_when_asked(tmp_path: Path) -> None:
    async with Standin() as standin:
        process = await start(tmp_path, DISCORD_TOKEN=standin.token, DISCORD_API=standin.url)
        await asyncio.wait_for(standin.bot_online(), TIMEOUT_S)
        process.send_signal(signal.SIGTERM)
        _out, said = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert process.returncode == 0
    assert "Traceback" not in said.decode()
    assert standin.token not in said.decode()


async def test_play_serves_the_page_at_the_address_it_prints(tmp_path: Path) -> None:
    process = await start(tmp_path, "play", "--port", "0", "--no-browser")
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), TIMEOUT_S)).decode()
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found is not None
    async with aiohttp.ClientSession() as session, session.get(found[0]) as page:
        assert page.status == 200
    process.send_signal(signal.SIGINT)
    _out, said = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    assert process.returncode == 0
    assert "Traceback" not in said.decode()
    assert (tmp_path / "var" / "play" / "tables.sqlite").is_file()


async def test_play_on_a_port_in_use_is_one_line_and_status_2(tmp_path: Path) -> None:
    async with Standin() as standin:
        process = await start(tmp_path, "play", "--port", standin.url.rpartition(":")[2])
        _out, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().count("\n") == 1


@pytest.mark.parametrize("name", ["chat.sqlite", "tables.sqlite"])
async def test_play_with_a_file_that_is_no_database_is_one_line_and_status_2(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("Dear diary, " * 1000)
    process = await start(tmp_path, "play", "--port", "0", "--data", str(tmp_path))
    _out, said = await process.communicate()
    assert process.returncode == 2
    assert said.decode().count("\n") == 1, said.decode()
    assert "not a database" in said.decode()


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite+aiosqlite:///var/games.sqlite", Path("var/games.sqlite")),
        ("sqlite+aiosqlite:////srv/bot/games.sqlite?timeout=5", Path("/srv/bot/games.sqlite")),
        ("sqlite+aiosqlite:///:memory:", None),
        ("postgresql+asyncpg://u:p@host/games", None),
    ],
)
def test_the_file_of_a_database_is_known(url: str, file: Path | None) -> None:
    assert sqlite_file(url) == file
