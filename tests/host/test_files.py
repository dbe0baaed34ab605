"""The files and pages for hosts agree with the program."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bot.__main__ import main
from bot.cluster import leases
from bot.config import Settings, read_settings
from bot.host.metrics import Metrics
from bot.store.migrate import NEWEST
from tests.host.test_sharing import SEEN

ROOT = Path(__file__).parents[2]
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
SHARED = ROOT / "deploy" / "compose.yaml"
UNIT = ROOT / "deploy" / "kontor.service"
POSTGRES_PORT = 5432
NOT_OURS = {"PATH", "PYTHONUNBUFFERED", "MALLOC_ARENA_MAX"}


def is_command(words: list[str]) -> bool:
    """Return whether these words are a command after `python -m bot`."""
    with pytest.raises(SystemExit) as left:
        main([*words[:1], "--help"])
    return left.value.code == 0


def unit() -> dict[str, list[str]]:
    """Return the systemd unit. A key may have several values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def settings(pairs: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings from these variables, which must all be ours."""
    assert {name.lower() for name in pairs} <= set(Settings.__struct_fields__)
    for name, value in pairs.items():
        monkeypatch.setenv(name, value)
    return read_settings()


def test_the_hosting_page_explains_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|", HOSTING, re.MULTILINE)
    assert {name.lower() for name, _ in rows} == set(Settings.__struct_fields__)
    for name, default in rows:
        value = getattr(Settings(), name.lower())
        assert default == ("" if value is None else str(value))


def test_every_metric_is_explained_and_every_explained_metric_exists() -> None:
    metrics = Metrics()
    metrics.sharing = lambda: SEEN
    existing = set(re.findall(r"^# TYPE (kontor_\w+)", metrics.text().decode(), re.MULTILINE))
    named = set(re.findall(r"kontor_\w+", HOSTING))
    # The format has an extra metric for the creation time of each counter and histogram.
    assert named == {each for each in existing if not each.endswith("_created")}


def test_the_unit_starts_a_command_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    service = unit()
    python, *words = shlex.split(service["ExecStart"][0])
    assert python.startswith(service["WorkingDirectory"][0])
    assert words[:2] == ["-m", "bot"]
    assert is_command(words[2:])
    used = settings(ours(each.split("=", 1) for each in service["Environment"]), monkeypatch)
    state = f"/var/lib/{service['StateDirectory'][0]}/"
    assert state in used.database_url
    assert str(used.backup_folder).startswith(state)
    assert int(service["TimeoutStopSec"][0]) > 2 * leases.LEAVE_S


def ours(pairs: Iterable[list[str]]) -> dict[str, str]:
    return {name: value for name, value in pairs if name not in NOT_OURS}


def image() -> dict[str, str]:
    (block,) = re.findall(r"^ENV ((?:.*\\\n)*.*)", DOCKERFILE, re.MULTILINE)
    return ours(pair.split("=", 1) for pair in block.replace("\\\n", " ").split())


def composed(file: Path, **env: str) -> Any:
    def value(match: re.Match[str]) -> str:
        name, default = match["name"], match["default"]
        return env[name] if default is None else env.get(name, default)

    pattern = r"\$\{(?P<name>[A-Z_]+)(?::-(?P<default>[^}]*)|:\?[^}]+)\}"
    text = re.sub(pattern, value, file.read_text(encoding="utf-8"))
    assert "$" not in text.replace("$$", ""), "something is not filled in"
    # PyYAML has no types; they would need another package.
    return import_module("yaml").safe_load(text.replace("$$", "$"))


def test_the_image_and_the_compose_file_agree_with_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = image()
    used = settings(ours, monkeypatch)
    given = composed(ROOT / "compose.yaml")["services"]["kontor"]["environment"]
    assert given.items() <= ours.items()
    assert "sqlite:////data/" in used.database_url

    (start,) = re.findall(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)
    assert json.loads(start) == ["python", "-m", "bot"]
    (asked,) = re.findall(r"http://127\.0\.0\.1:(\d+)/healthz", DOCKERFILE)
    assert int(asked) == used.health_port
    assert f"EXPOSE {asked}" in DOCKERFILE
    assert f"127.0.0.1:{asked}:{asked}" in COMPOSE
    for name in re.findall(r"^COPY (?!--)([^\n]*) \S+$", DOCKERFILE, re.MULTILINE):
        for path in name.split():
            assert (ROOT / path).exists(), path
            assert f"!{path}" in (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert "USER kontor" in DOCKERFILE


def test_the_bots_of_a_shared_database_find_it_and_differ_only_in_their_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    secret = "p@ss:/?#word"
    file = composed(SHARED, POSTGRES_PASSWORD=secret)
    services = file["services"]
    database = services["postgres"]
    bots = [services[name] for name in ("first", "second")]
    for bot in bots:
        given = {name: str(value) for name, value in bot["environment"].items()}
        assert given.pop("PGPASSWORD") == database["environment"]["POSTGRES_PASSWORD"] == secret
        used = settings(image() | given, monkeypatch)
        address = urlsplit(used.database_url)
        assert services[address.hostname] is database
        assert address.port == POSTGRES_PORT
        assert address.username == database["environment"]["POSTGRES_USER"]
        assert address.path == f"/{database['environment']['POSTGRES_DB']}"
        assert isinstance(used.shards, int)
        assert used.shards >= len(bots)
        assert used.process_name in services
        assert bot["depends_on"]["postgres"]["condition"] == "service_healthy"
        (port,) = bot["ports"]
        assert re.fullmatch(rf"127\.0\.0\.1:\d+:{used.health_port}", port)
        assert (SHARED.parent / bot["build"] / "Dockerfile").exists()
        assert int(bot["stop_grace_period"].removesuffix("s")) > 2 * leases.LEAVE_S
    assert len({bot["environment"].pop("PROCESS_NAME") for bot in bots}) == len(bots)
    assert len({bot.pop("ports")[0] for bot in bots}) == len(bots)
    assert bots[0] == bots[1]
    assert services["backup"]["image"] == database["image"]
    mounted = [volume for each in services.values() for volume in each.get("volumes", ())]
    assert {volume.split(":")[0] for volume in mounted} == set(file["volumes"])


def test_the_changelog_says_that_the_newest_revision_changes_the_database() -> None:
    words = "The database changes:"
    for page in (HOSTING, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        assert f'"{words}"' in page
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entries = re.findall(rf"^- {words}(.*(?:\n  .*)*)", changes, re.MULTILINE)
    assert any(f"`{NEWEST}`" in entry for entry in entries)


def test_the_commands_of_the_hosting_page_exist() -> None:
    named = re.findall(r"-m bot (\w+)", HOSTING)
    named += re.findall(r"run --rm kontor (\w+)", HOSTING)
    named += re.findall(r"VOLUME:/data first (\w+)", HOSTING)
    assert {"backup", "restore", "move"} <= set(named)
    services = composed(SHARED, POSTGRES_PASSWORD="word")["services"]
    called = re.findall(
        r"^docker compose --file deploy/compose\.yaml (?:up|run|cp|stop)(?: --\S+)* (\w+)",
        HOSTING.replace("--volume ", "--volume="),
        re.MULTILINE,
    )
    assert set(called) == set(services)
    # The page mentions bench, which an older version had.
    assert all(is_command([each]) for each in set(named) - {"bench"})
    for name in ("Dockerfile", "compose.yaml", "deploy/compose.yaml", "deploy/kontor.service"):
        assert (ROOT / name).exists()
    for link in re.findall(r"\]\(\.\./([^)#]+)", HOSTING):
        assert (ROOT / link).exists(), link
