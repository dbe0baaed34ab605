"""Rules for imports, which keep game rules pure and the shell thin."""

from __future__ import annotations

import ast
import gc
import re
import sys
from collections.abc import Container, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from bot.titles import NAMES

ROOT = Path(__file__).parents[1]

# The other parts and the third-party libraries that each part of bot/ may import. A part that is
# not listed may import anything except the command line.
PARTS: dict[str, tuple[set[str], set[str]]] = {
    "game": (set(), {"msgspec"}),
    "store": (set(), {"msgspec", "asyncpg", "filelock"}),
    "tables": ({"game", "store"}, {"msgspec", "openskill"}),
    "render": ({"game"}, {"msgspec", "PIL", "isal"}),
    "text": ({"game"}, {"msgspec", "babel"}),
    "policy": ({"game"}, {"msgspec"}),
    "thinking": ({"game", "policy"}, {"msgspec"}),
    "cluster": (
        {"app", "client", "cogs", "config", "host", "store", "tables"},
        {"discord", "aiohttp", "msgspec", "yarl"},
    ),
    "local": (set(), {"msgspec", "aiohttp", "yarl", "discord", "PIL"}),
    "host": (
        {"config", "store", "tables"},
        {"discord", "aiohttp", "msgspec", "prometheus_client", "yarl"},
    ),
    "titles": ({"game", "render", "text", "policy"}, {"msgspec"}),
    "cogs": (
        {"game", "tables", "render", "text", "thinking", "titles"},
        {"discord", "aiohttp", "msgspec"},
    ),
}


RESOURCES = "resources"
"""The module that finds content."""
SHARED = {RESOURCES, "workers"}
"""Modules that every part may import, and that import none."""


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a module, cached for all tests."""
    text = path.read_text(encoding="utf-8")
    # A garbage collection during the parse, for example of a coroutine left by an earlier test, can
    # make CPython 3.11 miscount the depth of the tree: a SystemError.
    gc.disable()
    try:
        return tuple(ast.walk(ast.parse(text)))
    finally:
        gc.enable()


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Return the absolute dotted names that a file imports."""
    return named(nodes(path), path)


def named(imports: Iterable[ast.AST], path: Path) -> tuple[str, ...]:
    found: list[str] = []
    for node in imports:
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


def own_part(name: str) -> str | None:
    """Return ``render`` for ``bot.render.png``; None for a name outside bot."""
    words = name.split(".")
    return words[1] if words[0] == "bot" and len(words) > 1 else None


def test_a_part_imports_only_what_it_may() -> None:
    for part, (parts, packages) in PARTS.items():
        files = modules(ROOT / "bot" / part)
        assert files, f"bot/{part} has no modules"
        for path in files:
            for name in imported(path):
                where = f"{path.relative_to(ROOT)} imports {name}"
                other = own_part(name)
                if other is not None:
                    assert other in {part, *SHARED, *parts}, where
                elif not name.startswith("bot"):
                    top = name.split(".")[0]
                    assert top in sys.stdlib_module_names or top in packages, where
    for module in SHARED:
        for name in imported(ROOT / "bot" / f"{module}.py"):
            assert name.split(".")[0] in sys.stdlib_module_names, name


def test_only_one_module_finds_content_and_only_one_reads_the_environment() -> None:
    for path in modules(ROOT / "bot"):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT / "bot").as_posix()
        found = re.search(r"importlib\.resources|__file__\W.*\bdata\b", text)
        assert not found or name == f"{RESOURCES}.py", path
        assert not re.search(r"os\.environ|getenv", text) or name == "config.py", path


TITLE_PARTS = ("game", "text", "render", "policy", "titles")
"""The parts in which every title has a folder or module of its name."""


def of_title(path: Path) -> str | None:
    """Return the title of a module; None for one that all titles share."""
    part, *within = path.relative_to(ROOT / "bot").with_suffix("").parts
    own = part in TITLE_PARTS and within and within[0] in NAMES
    return within[0] if own else None


def test_no_title_imports_from_another_one() -> None:
    for path in modules(ROOT / "bot"):
        title = of_title(path)
        for name in imported(path) if title else ():
            others = {word for word in name.split(".") if word in NAMES} - {title}
            assert not others, f"{path} imports {name}"


def in_code(path: Path) -> Iterator[str]:
    """Yield the names and texts of a module in lower case, without its docstrings."""
    docstrings = {
        id(node.value)
        for node in nodes(path)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes(path):
        for field in ("id", "attr", "name", "arg", "module", "value"):
            word = getattr(node, field, None)
            if isinstance(word, str) and id(node) not in docstrings:
                yield word.lower()


def test_shared_code_names_no_title() -> None:
    """Except for the one list of titles, so a title is removed with its folders and that line."""
    assert "kogge" in "".join(in_code(ROOT / "bot" / "titles" / "__init__.py"))
    for path in [*modules(ROOT / "bot"), *modules(ROOT / "kontor")]:
        if path.is_relative_to(ROOT / "bot") and of_title(path):
            continue
        if path == ROOT / "bot" / "titles" / "__init__.py":
            continue
        code = "\n".join(in_code(path))
        assert not [name for name in NAMES if name in code], path


def test_cogs_are_given_the_titles() -> None:
    for path in modules(ROOT / "bot" / "cogs"):
        for name in imported(path):
            if own_part(name) == "titles":
                allowed = ("bot.titles.title.", "bot.titles.replay_page.")
                assert name.startswith(allowed), f"{path} imports {name}"


LAYERS = {"tables": ["core"], "cogs": ["ui", "panel", "dialogues", "posting"]}
"""Packages of a part, the lowest first: each may import only those before it from its part."""


def test_no_package_imports_one_above_it() -> None:
    for part, layers in LAYERS.items():
        for height, package in enumerate(layers):
            allowed = {f"bot.{part}.{name}" for name in layers[: height + 1]}
            for path in modules(ROOT / "bot" / part / package):
                for name in imported(path):
                    # A class that the part itself exports may come from any of its packages.
                    whole = name.count(".") == 2 and name.split(".")[2][0].isupper()
                    is_own = name.startswith(f"bot.{part}.") and not whole
                    below = ".".join(name.split(".")[:3]) in allowed
                    assert not is_own or below, f"{path} imports {name}"


def test_there_are_no_import_cycles() -> None:
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in modules(ROOT / "bot")
        if path.stem != "__init__"
    }
    below = {
        module: {name for full in at_import(path) if (name := _module(full, files))}
        for module, path in files.items()
    }
    TopologicalSorter(below).prepare()


def at_import(path: Path) -> tuple[str, ...]:
    """Return the names that a file imports at its top level."""
    (module, *_) = nodes(path)
    assert isinstance(module, ast.Module)
    return named(module.body, path)


def _module(name: str, files: Container[str]) -> str | None:
    """Return the module of an imported name: the name itself, or the part before its last dot."""
    return next((each for each in (name, name.rpartition(".")[0]) if each in files), None)


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_the_architecture_page_lists_the_import_rules() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", ARCHITECTURE, re.M)
    listed = {part: set(re.findall(r"`(\w+)`", imports)) for part, imports in rows}
    assert listed == {part: parts for part, (parts, _) in PARTS.items()}


def test_the_library_needs_no_chat_and_no_database_and_nothing_needs_it_or_the_command_line() -> (
    None
):
    for path in modules(ROOT / "kontor"):
        parts = {"tables"} if path.name == "exports.py" else {"policy", "render", "text"}
        for name in imported(path):
            other = own_part(name)
            if other is not None:
                assert other in {"__version__", "game", "titles", *parts}, f"{path} imports {name}"
            else:
                assert name.split(".")[0] in sys.stdlib_module_names, f"{path} imports {name}"
    for path in modules(ROOT / "bot"):
        above = ("kontor", "bot.__main__", "tools", "tests")
        assert not [name for name in imported(path) if name.startswith(above)], path


def test_no_two_public_classes_share_a_name() -> None:
    found: dict[str, Path] = {}
    for path in modules(ROOT / "bot"):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                other = found.setdefault(node.name, path)
                assert other == path, f"{node.name} is in {other} and in {path}"


def by_title_alone(node: ast.AST) -> bool:
    """Return whether this is a lookup by an object's `game`, as in ``games[table.game]``.

    A cog may look up its own `game`, as commands are those of the newest version.
    """
    match node:
        case ast.Subscript(slice=ast.Attribute(value=ast.Name(id="self"))):
            return False
        case ast.Subscript(slice=ast.Attribute(attr="game")):
            return True
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Attribute(attr="game"), *_]):
            return True
        case _:
            return False


def test_the_game_of_a_table_is_never_looked_up_without_its_version() -> None:
    assert by_title_alone(ast.parse("games[table.game]", mode="eval").body)
    assert by_title_alone(ast.parse("services.games.get(table.game)", mode="eval").body)
    for path in modules(ROOT / "bot"):
        if path == ROOT / "bot" / "tables" / "core" / "seating.py":
            # A new game takes the newest rules.
            continue
        for node in nodes(path):
            assert not by_title_alone(node), f"{path}:{getattr(node, 'lineno', 0)}"
