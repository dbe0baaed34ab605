"""Dependencies are declared and locked by hash, and services have no more rights than needed."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.host.test_files import DOCKERFILE, ROOT, SHARED, composed

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OURS = ("bot", "kontor", "tools")
LOCKED = re.compile(
    r"^([a-z0-9-]+)==(\S+) \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", re.MULTILINE
)
DIGEST = re.compile(r"@sha256:[0-9a-f]{64}$")
IMPORT = re.compile(
    r"^ *(?:import(?= [\w.]+(?: as \w+)?$)|from(?= [\w.]+ import)) (\w+)", re.MULTILINE
)
ELSEWHERE = ("cairosvg", "catanatron", "chess")
"""Libraries that `tools.bench --peers` uses in another Python."""
PLATFORMS = ("x86_64", "aarch64")


def declared(*extras: str) -> list[Requirement]:
    """Return the project's requirements, with these extras."""
    project = PROJECT["project"]
    named = [each for extra in extras for each in project["optional-dependencies"][extra]]
    return [Requirement(each) for each in (*project["dependencies"], *named)]


def names(asked: list[Requirement]) -> set[str]:
    """Return their normalized names."""
    return {canonicalize_name(each.name) for each in asked}


def imported() -> Iterator[tuple[str, Path]]:
    """Yield each third-party module that is imported, and where."""
    for path in (file for folder in OURS for file in (ROOT / folder).rglob("*.py")):
        for module in IMPORT.findall(path.read_text(encoding="utf-8")):
            if module not in {*sys.stdlib_module_names, *OURS, *ELSEWHERE}:
                yield module, path


def test_every_imported_library_is_declared() -> None:
    given = packages_distributions()
    always = names(declared())
    only_tools = names(declared("dev"))
    for module, path in imported():
        found = {canonicalize_name(name) for name in given.get(module, [module])}
        is_tool = path.is_relative_to(ROOT / "tools") or path.stem == "extract"
        allowed = always | names(declared("postgres")) | (only_tools if is_tool else set())
        assert found & allowed, f"{path.relative_to(ROOT)} imports {module}"


@pytest.mark.parametrize("build", [False, True])
def test_the_lock_has_exactly_the_required_packages(build: bool) -> None:
    text = (ROOT / f"requirements{'-build' * build}.lock").read_text(encoding="utf-8")
    assert all(re.match(r"[a-z0-9-]+==|    --hash=|#", line) for line in text.splitlines())
    assert "://" not in text
    locked = dict(LOCKED.findall(text))
    assert len(locked) == text.count("==")
    system = [Requirement(each) for each in PROJECT["build-system"]["requires"]]
    left = system if build else declared("postgres")
    needed: set[str] = set()
    for each in left:
        name = canonicalize_name(each.name)
        assert name in locked, f"{each} is not locked: make lock"
        assert each.specifier.contains(locked[name]), f"{each} is locked at {locked[name]}"
        needed.add(name)
        for extra in each.extras or {""}:
            for line in requires(name) or ():
                further = Requirement(line)
                if canonicalize_name(further.name) not in needed and wanted(further, extra):
                    left.append(further)
    assert needed == set(locked)


def wanted(further: Requirement, extra: str) -> bool:
    """Return whether a requirement is needed on a platform of the image."""
    return further.marker is None or any(
        further.marker.evaluate(
            {
                "extra": extra,
                "platform_machine": machine,
                "platform_python_implementation": "CPython",
                "python_full_version": "3.12.14",
                "python_version": "3.12",
                "sys_platform": "linux",
                "platform_system": "Linux",
                "os_name": "posix",
            }
        )
        for machine in PLATFORMS
    )


def test_the_image_is_built_from_the_lock() -> None:
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(set(images)) == 1
    assert DIGEST.search(images[0])
    for line in re.findall(r"\bpip (?:install|wheel) .*", DOCKERFILE):
        is_by_hash = re.search(r"--require-hashes .*-r requirements(-build)?\.lock", line)
        assert is_by_hash or ("--no-index" in line and "--no-deps" in line), line


@pytest.mark.parametrize("file", [ROOT / "compose.yaml", SHARED], ids=["one", "shared"])
def test_no_service_has_more_rights_than_it_needs(file: Path) -> None:
    services: dict[str, dict[str, Any]] = composed(file, POSTGRES_PASSWORD="word")["services"]
    for name, service in services.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "cap_add" not in service, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"], name
        assert "build" in service or DIGEST.search(service["image"]), name
    if "postgres" in services:
        # Else it would start as root and change the owner of its files, which needs capabilities.
        assert services["postgres"]["user"] == "postgres"
        assert "/run/postgresql" in services["postgres"]["tmpfs"]
