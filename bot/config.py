"""The settings, read from the environment and `.env`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from dotenv import dotenv_values
from msgspec import Meta

ENV_FILE = ".env"

ALL_SHARDS = "all"
MAX_SHARDS = 16384
"""More than Discord itself has ever needed for a bot."""

Count = Annotated[int, Meta(ge=0)]
Limit = Annotated[int, Meta(ge=1)]
WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/]+(/\S*)?\Z", max_length=400)]
Budget = Annotated[str, Meta(pattern=r"^(off|[1-9]\d{0,5}/[1-9]\d{0,5}/[1-9]\d{0,5})\Z")]
"""`PERSON/SERVER/SECONDS`, or `off` for no limit: see bot.cogs.ui.budgets."""


class CannotRun(Exception):
    """The program cannot run as requested. The message is one line for the operator."""


class Secret:
    """A text that does not appear in the repr of its owner."""

    def __init__(self, text: str) -> None:
        self._text = text

    def revealed(self) -> str:
        return self._text


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The operator's settings, which `.env.example` lists."""

    discord_token: Secret | None = None
    """The bot's token, from Discord's developer portal."""
    database_url: str = "sqlite:///var/games.sqlite"
    """The URL of a SQLite file or a PostgreSQL database (see bot.store.address)."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    """Lines for people, or one JSON object per line."""
    health_port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """The port of `/healthz` and `/metrics`, which are off if unset."""
    health_host: str = "127.0.0.1"
    """The address of `/healthz` and `/metrics`. Everyone who can reach it can read them."""
    tables_api: Literal["on", "off"] = "off"
    """Whether the same port also serves tables, as JSON and pictures, of servers that allow it."""
    backup_folder: Path = Path("var/backups")
    """The folder for backups of a SQLite database."""
    backup_hour: Annotated[int, Meta(ge=0, le=23)] = 4
    """The hour of the day of the nightly backup, in UTC."""
    backup_keep: Count = 14
    """How many backups are kept; 0 turns them off."""
    dev_guild: int | None = None
    """A server that gets the commands immediately, instead of all servers within the hour."""
    shards: Literal["auto"] | Annotated[int, Meta(ge=1, le=MAX_SHARDS)] | None = None
    """The number of Discord shards of all processes that share the database.

    `auto` is the number that Discord recommends. If unset, this process is the only one.
    """
    shard_ids: str = ALL_SHARDS
    """The shards of this process: `all`, some such as `0-3,7`, or a part such as `2/4`."""
    process_name: Annotated[str, Meta(pattern=r"^[\w.-]{1,60}\Z")] | None = None
    """The name of this process in logs and metrics."""
    discord_proxy: str | None = None
    """A proxy for requests to Discord that enforces its rate limits for all processes."""
    discord_api: str | None = None
    """Another server in place of Discord, such as the stand-in; for development."""
    watchdog_ms: Count = 100
    """Milliseconds that the event loop may be blocked before a warning is logged; 0 for none."""
    drawing_threads: Annotated[int, Meta(ge=1, le=16)] = 2
    """How many pictures are drawn in parallel."""
    search_processes: Literal["auto"] | Annotated[int, Meta(ge=0, le=64)] = "auto"
    """How many strong computer players can search in parallel, each in its own process.

    `auto` is the number of processors minus one, at least 1 and at most 4. With 0 they play like
    normal ones.
    """
    search_ms: Annotated[int, Meta(ge=10, le=10_000)] = 500
    """Milliseconds after which a strong player answers at the latest.

    A search gets half of that, or less if many are waiting.
    """
    tables_per_person: Limit = 25
    """How many tables a person may have open in a server, if the server sets no limit."""
    tables_per_person_max: Limit = 100
    """The highest limit a server can set, and how many a person may have open in all places."""
    tables_per_server: Limit = 250
    """How many tables may be open in a server, if the server sets no limit."""
    tables_per_server_max: Limit = 1000
    """The highest limit a server can set."""
    left_servers_days: Count = 30
    """Days until the tables of a server that the bot has left are deleted; 0 for never."""
    source_url: WebAddress | None = None
    """The URL of this program's source; `/about` links to it."""
    privacy_url: WebAddress | None = None
    """The operator's own page about privacy; docs/privacy.md at `source_url` if unset."""
    terms_url: WebAddress | None = None
    """The operator's own terms; docs/terms.md at `source_url` if unset."""
    budget_pictures: Budget = "120/600/60"
    """Rate limit for pictures of boards: per person, per server, and in how many seconds."""
    budget_tables: Budget = "20/200/3600"
    """Rate limit for opening tables."""
    budget_imports: Budget = "20/100/3600"
    """Rate limit for importing games."""
    budget_exports: Budget = "60/600/3600"
    """Rate limit for exporting games."""
    budget_reports: Budget = "20/100/3600"
    """Rate limit for reports of problems."""
    budget_searches: Budget = "60/600/60"
    """Rate limit for searches in the rules."""
    budget_reviews: Budget = "6/30/3600"
    """Rate limit for reviews of games."""
    budget_films: Budget = "10/60/3600"
    """Rate limit for films of some rounds."""
    budget_pages: Budget = "6/30/3600"
    """Rate limit for replays saved as pages."""
    budget_hints: Budget = "20/60/300"
    """Rate limit for hints."""
    budget_autocomplete: Budget = "300/6000/30"
    """Rate limit for autocompletion."""
    budget_webhooks: Budget = "20/40/3600"
    """Rate limit for setting the web addresses of tables."""
    budget_lessons: Budget = "120/1200/3600"
    """Rate limit for starting lessons."""


def read_settings() -> Settings:
    """Return the settings from the environment, or else from `.env`. Raise CannotRun."""
    # Imported only here, as `--help` needs no store.
    from bot.store import BadAddress

    texts = _texts()
    values: dict[str, Any] = {}
    invalid: list[str] = []
    for field in msgspec.structs.fields(Settings):
        if field.name not in texts:
            values[field.name] = field.default
            continue
        name = field.name.upper()
        try:
            value = _converted(texts[field.name], field.type)
            if (check := CHECKS.get(field.name)) is not None:
                check(value, values)
        except (BadAddress, CannotRun) as error:
            invalid.append(f"{name} ({error})")
        except (msgspec.ValidationError, ValueError):
            # The message may quote the text, which may include a password.
            invalid.append(name)
        else:
            values[field.name] = value
    if invalid:
        raise CannotRun(f"Invalid settings: {', '.join(invalid)}. See .env.example.")
    return Settings(**values)


def environment_without_settings() -> dict[str, str]:
    """Return the environment of this process without the settings."""
    return {k: v for k, v in os.environ.items() if k.lower() not in Settings.__struct_fields__}


def _texts() -> dict[str, str]:
    """Return the texts that are not empty, by names in lower case."""
    sources: tuple[Mapping[str, str | None], ...] = (
        dotenv_values(ENV_FILE, encoding="utf-8"),
        os.environ,
    )
    return {name.lower(): text for source in sources for name, text in source.items() if text}


def _converted(text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(text, kind, dec_hook=lambda cls, value: cls(value))
    except msgspec.ValidationError:
        # Not with msgspec's strict=False, which rejects 04.
        return msgspec.convert(int(text), kind)


def _check_database_url(url: str, _others: Mapping[str, Any]) -> None:
    from bot.store import check_address

    check_address(url)


def _check_web_address(url: str, _others: Mapping[str, Any]) -> None:
    parts = urlsplit(url)  # Raises ValueError for an invalid host or port.
    if parts.username is not None or parts.password is not None:
        raise CannotRun("remove the user name and password: requests already carry the bot's token")
    is_web = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    if not is_web or url.split() != [url]:
        raise ValueError("not an address on the web")


def _check_shards(_shards: int | str, others: Mapping[str, Any]) -> None:
    from bot.store import sqlite_file

    url = others.get("database_url")
    if url is not None and sqlite_file(url) is not None:
        raise CannotRun(
            "a SQLite file serves only one process: move the games to PostgreSQL first with"
            " `python -m bot move`"
        )


def _check_shard_ids(text: str, others: Mapping[str, Any]) -> None:
    if others.get("shards") is None:
        if text != ALL_SHARDS:
            raise CannotRun("it needs SHARDS: set both or neither")
        return
    # Imported only if several processes share the database.
    from bot.cluster.members import parse_shard_ids

    try:
        parse_shard_ids(text)
    except ValueError as error:
        raise CannotRun(str(error)) from error


CHECKS: dict[str, Callable[[Any, Mapping[str, Any]], None]] = {
    "database_url": _check_database_url,
    "discord_proxy": _check_web_address,
    "discord_api": _check_web_address,
    "shards": _check_shards,
    "shard_ids": _check_shard_ids,
}
"""Additional checks of a setting, given the valid ones before it."""
