"""The settings, read from the environment and `.env` here and nowhere else."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
from dotenv import dotenv_values
from msgspec import Meta

log = logging.getLogger(__name__)

ENV_FILE = ".env"

OLD_NAMES = {
    "MEMBER": "PROCESS_NAME",
    "THINKERS": "SEARCH_PROCESSES",
    "THINK_MS": "SEARCH_MS",
    "TABLES_PER_PERSON_MOST": "TABLES_PER_PERSON_MAX",
    "TABLES_PER_SERVER_MOST": "TABLES_PER_SERVER_MAX",
    "BUDGET_TYPING": "BUDGET_AUTOCOMPLETE",
}
"""Settings by their names up to 0.2.0. These names are accepted for one more version."""

ALL_SHARDS = "all"
MAX_SHARDS = 16384
"""More than Discord itself has ever needed for a bot."""

Count = Annotated[int, Meta(ge=0)]
Limit = Annotated[int, Meta(ge=1)]
WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/]+(/\S*)?\Z", max_length=400)]
Budget = Annotated[str, Meta(pattern=r"^(off|[1-9]\d{0,5}/[1-9]\d{0,5}/[1-9]\d{0,5})\Z")]
"""`PERSON/SERVER/SECONDS`, or `off` for no limit: see bot.cogs.ui.budgets."""


class CannotRun(Exception):
    """The program cannot run as it was asked to; the message is one line for its operator."""


class Secret:
    """A text that is not shown where what holds it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def revealed(self) -> str:
        """The text itself."""
        return self._text


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator may set; `.env.example` names each of them."""

    discord_token: Secret | None = None
    """The bot's token, from Discord's developer portal."""
    database_url: str = "sqlite:///var/games.sqlite"
    """Where the tables are kept: a SQLite file, or a PostgreSQL database (bot.store.address)."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much is logged."""
    log_format: Literal["text", "json"] = "text"
    """Lines for people, or a JSON object a line."""
    health_port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Where `/healthz` and `/metrics` are served; nowhere where it is not set."""
    health_host: str = "127.0.0.1"
    """The address they are served at; everybody who reaches it can read them."""
    backup_folder: Path = Path("var/backups")
    """Where backups of a SQLite database are kept."""
    backup_hour: Annotated[int, Meta(ge=0, le=23)] = 4
    """The hour of the day, in UTC, at which one is made."""
    backup_keep: Count = 14
    """How many are kept; with 0 none is made."""
    dev_guild: int | None = None
    """A server that gets the commands at once, instead of all servers within the hour."""
    shards: Literal["auto"] | Annotated[int, Meta(ge=1, le=MAX_SHARDS)] | None = None
    """Into how many shards Discord divides the servers, for all processes that share the database;
    `auto` is as many as Discord recommends. One process has the database for itself if unset."""
    shard_ids: str = ALL_SHARDS
    """Which of them this process runs: `all`, some such as `0-3,7`, or a part such as `2/4`."""
    process_name: Annotated[str, Meta(pattern=r"^[\w.-]{1,60}\Z")] | None = None
    """What this process is called among them, in logs and metrics."""
    discord_proxy: str | None = None
    """A proxy for requests to Discord that keeps its limits for all processes together."""
    discord_api: str | None = None
    """Another Discord to connect to, such as the stand-in; for development."""
    watchdog_ms: Count = 100
    """A warning is logged when the event loop is held for so many milliseconds; 0 for none."""
    drawing_threads: Annotated[int, Meta(ge=1, le=16)] = 2
    """How many pictures are drawn at once."""
    search_processes: Literal["auto"] | Annotated[int, Meta(ge=0, le=64)] = "auto"
    """How many strong computer players think at once, each in a process of its own; `auto` is one
    less than there are processors, but one to four. With 0 they play as normal ones do."""
    search_ms: Annotated[int, Meta(ge=10, le=10_000)] = 500
    """After how many milliseconds one answers, whatever there is to think about; a search has half
    of that, less where many are waiting."""
    tables_per_person: Limit = 25
    """How many tables one person may have open in a server, where its owners set nothing."""
    tables_per_person_max: Limit = 100
    """How many they may set at most, and one person may have in all places together."""
    tables_per_server: Limit = 250
    """How many tables may be open in a server, where its owners set nothing."""
    tables_per_server_max: Limit = 1000
    """How many they may set at most."""
    left_servers_days: Count = 30
    """For how many days the tables of a server are kept that the bot has left; for good with 0."""
    source_url: WebAddress | None = None
    """Where the source of this program can be read; `/about` links to it."""
    privacy_url: WebAddress | None = None
    """The host's own page about privacy; docs/privacy.md at `source_url` if unset."""
    terms_url: WebAddress | None = None
    """The host's own terms; docs/terms.md at `source_url` if unset."""
    budget_pictures: Budget = "120/600/60"
    """How many boards people may ask for: one person, a server, in how many seconds; or off."""
    budget_tables: Budget = "20/200/3600"
    """How many tables they may open."""
    budget_imports: Budget = "20/100/3600"
    """How many games in files they may give."""
    budget_exports: Budget = "60/600/3600"
    """How many games they may have as files."""
    budget_reports: Budget = "20/100/3600"
    """How many reports they may have."""
    budget_searches: Budget = "60/600/60"
    budget_reviews: Budget = "6/30/3600"
    """How many rules they may look up."""
    budget_hints: Budget = "20/60/300"
    """How many hints they may have."""
    budget_autocomplete: Budget = "300/6000/30"
    """How often choices are offered to them while they type."""


def read_settings() -> Settings:
    """What is set in the environment, and in `.env` where that does not say. Raises CannotRun."""
    # Only now: `--help` needs no store.
    from bot.store import BadAddress

    texts, old_names = _current(_texts())
    found: dict[str, Any] = {}
    wrong: list[str] = []
    for field in msgspec.structs.fields(Settings):
        if field.name not in texts:
            found[field.name] = field.default
            continue
        name = field.name.upper()
        written = old_names.get(name, name)
        try:
            value = _converted(texts[field.name], field.type)
            if (check := CHECKS.get(field.name)) is not None:
                check(value, found)
        except (BadAddress, CannotRun) as error:
            wrong.append(f"{written} ({error})")
        except (msgspec.ValidationError, ValueError):
            # What they say may quote the text, which may hold a password.
            wrong.append(written)
        else:
            found[field.name] = value
    if wrong:
        raise CannotRun(f"Invalid settings: {', '.join(wrong)}. See .env.example.")
    return Settings(**found)


def warn_of_old_names() -> None:
    """Log a warning for each setting that is used by its old name."""
    for new, old in _current(_texts())[1].items():
        log.warning("setting renamed old=%s new=%s", old, new)


def environment_without_settings() -> dict[str, str]:
    """Return the environment of this process without the settings, old names included."""
    names = {*Settings.__struct_fields__, *map(str.lower, OLD_NAMES)}
    return {k: v for k, v in os.environ.items() if k.lower() not in names}


def _texts() -> dict[str, str]:
    """What is said, by names in lower case; what is left empty is not said."""
    sources: tuple[Mapping[str, str | None], ...] = (
        dotenv_values(ENV_FILE, encoding="utf-8"),
        os.environ,
    )
    return {name.lower(): text for said in sources for name, text in said.items() if text}


def _current(texts: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the texts by current names, and the old name of each setting that used one."""
    texts, used = dict(texts), {}
    for old, new in OLD_NAMES.items():
        text = texts.pop(old.lower(), None)
        if text is not None and new.lower() not in texts:
            texts[new.lower()] = text
            used[new] = old
    return texts, used


def _converted(text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(text, kind, dec_hook=lambda made, given: made(given))
    except msgspec.ValidationError:
        # Not by msgspec's own reading of numbers, for which 04 is no hour.
        return msgspec.convert(int(text), kind)


def _check_database_url(url: str, _others: Mapping[str, Any]) -> None:
    from bot.store import check_address

    check_address(url)


def _check_web_address(url: str, _others: Mapping[str, Any]) -> None:
    parts = urlsplit(url)  # ValueError for a host or port that cannot be one.
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
    # Only here: a process that shares nothing imports nothing that is for sharing.
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
"""What else must hold of a setting, given those above it that can be used."""
