"""What the files for hosts say is true of the program."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.config import Settings
from bot.host.metrics import Metrics

ROOT = Path(__file__).parents[2]
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
UNIT = ROOT / "deploy" / "kontor.service"
NOT_OURS = {"PATH", "PYTHONUNBUFFERED"}


def is_command(words: list[str]) -> bool:
    """Whether the command line knows these words after `python -m bot`."""
    with pytest.raises(SystemExit) as left:
        main([*words[:1], "--help"])
    return left.value.code == 0


def batch() -> dict[str, list[str]]:
    """The service of the systemd unit; a key may be there several times."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def settings(pairs: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings that those variables make; each must be one of ours."""
    assert {name.lower() for name in pairs} <= set(Settings.model_fields)
    for name, value in pairs.items():
        monkeypatch.setenv(name, value)
    return Settings()


def test_the_hosting_page_explains_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|", HOSTING, re.MULTILINE)
    assert {name.lower() for name, _ in rows} == set(Settings.model_fields)
    for name, default in rows:
        value = Settings.model_fields[name.lower()].default
        assert default == ("" if value is None else str(value))


def test_every_metric_is_explained_and_every_one_explained_is_there() -> None:
    there = set(re.findall(r"^# TYPE (kontor_\w+)", Metrics().text().decode(), re.MULTILINE))
    named = set(re.findall(r"kontor_\w+", HOSTING))
    # The format lists when each counter and histogram was made as a metric of its own.
    assert named == {each for each in there if not each.endswith("_created")}


def test_the_unit_starts_a_command_that_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    service = batch()
    python, *words = shlex.split(service["ExecStart"][0])
    assert python.startswith(service["WorkingDirectory"][0])
    assert words[:2] == ["-m", "bot"]
    assert is_command(words[2:])
    used = settings(dict(each.split("=", 1) for each in service["Environment"]), monkeypatch)
    state = f"/var/lib/{service['StateDirectory'][0]}/"
    assert state in used.database_url
    assert str(used.backup_folder).startswith(state)
    assert int(service["TimeoutStopSec"][0]) > 10


def test_the_image_and_the_compose_file_agree_with_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (block,) = re.findall(r"^ENV ((?:.*\\\n)*.*)", DOCKERFILE, re.MULTILINE)
    image = dict(pair.split("=", 1) for pair in block.replace("\\\n", " ").split())
    ours = {name: value for name, value in image.items() if name not in NOT_OURS}
    used = settings(ours, monkeypatch)
    composed = dict(re.findall(r'^      ([A-Z_]+): "?([^"\n]*)"?$', COMPOSE, re.MULTILINE))
    assert composed.items() <= ours.items()
    assert "sqlite+aiosqlite:////data/" in used.database_url

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


def test_the_commands_of_the_hosting_page_exist() -> None:
    named = re.findall(r"-m bot (\w+)", HOSTING)
    named += re.findall(r"run --rm kontor (\w+)", HOSTING)
    assert {"backup", "restore"} <= set(named)
    assert all(is_command([each]) for each in set(named))
    for name in ("Dockerfile", "compose.yaml", "deploy/kontor.service"):
        assert (ROOT / name).exists()
    for link in re.findall(r"\]\(\.\./([^)#]+)", HOSTING):
        assert (ROOT / link).exists(), link
