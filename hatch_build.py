"""Compiles the rules into the wheel, where a build asks for it, by mypyc: the same code, faster.

`make compiled` does, or `HATCH_BUILD_HOOK_ENABLE_CUSTOM=true pip wheel .`, on a machine with a C
compiler. The wheel is for this Python and system; the source of what is compiled stands beside it.

Of a class mypyc makes one of its own, without the arguments and annotations that msgspec's structs
and their like are made by. So each module is parted first, in a copy: such classes, and what they
are made of, go to a module beside it that stays as it is, and functions and all other classes are
compiled.
"""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import sys
from abc import ABC
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RULES = Path("bot", "game")
LIBRARY = "kontor_rules"
"""What all modules share is in a library of its own, of this name and ``__mypyc``."""
OPTIMISED = "1"
"""More takes the C compiler twice as long, and gained nothing that could be measured."""
_PLAIN = "plain"
_MARKER = "from mypy_extensions import mypyc_attr as _mypyc_attr"
_MARK = "@_mypyc_attr(native_class=False)"
"""Stands before what others may inherit from, or replace parts of."""


class CompiledRules(BuildHookInterface[Any]):
    """The build hook that pyproject.toml names."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Has the wheel carry the compiled modules."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory()
        built = Path(self._folder.name)
        for path in compiled(Path(self.root), built):
            build_data["force_include"][str(path)] = str(path.relative_to(built))
        build_data["dependencies"].append("mypy-extensions")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what the wheel has taken in."""
        if version != "editable":
            self._folder.cleanup()


def compiled(root: Path, into: Path) -> list[Path]:
    """Compiles the rules of a checkout; the files to be installed, as they lie in `into`."""
    source = into / "source"
    shutil.copytree(root / RULES, source / RULES, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(root / "bot" / "__init__.py", source / "bot")
    shutil.copy(root / "bot" / "resources.py", source / "bot")
    with _importable(root):
        modules = [
            path for path in sorted((source / RULES).rglob("*.py")) if path.stem != "__init__"
        ]
        for path in modules:
            _part(path, ".".join(path.relative_to(source).with_suffix("").parts))
    with _working_in(source):
        _compile([str(path.relative_to(source)) for path in modules], into / "lib")
    for path in sorted((source / RULES).rglob(f"_*_{_PLAIN}.py")):
        shutil.copy(path, into / "lib" / path.parent.relative_to(source))
    files = [path for path in sorted((into / "lib").rglob("*")) if path.is_file()]
    return [path.rename(_beside(into, path.relative_to(into / "lib"))) for path in files]


def _beside(into: Path, path: Path) -> Path:
    (into / path).parent.mkdir(parents=True, exist_ok=True)
    return into / path


def _compile(modules: Sequence[str], into: Path) -> None:
    # Only a build that compiles has these.
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    class OnAllCores(build_ext):
        def build_extensions(self) -> None:
            one_after_another = self.compiler.compile
            with ThreadPoolExecutor(os.cpu_count()) as pool:

                def compile_each(sources: Sequence[str], **options: Any) -> list[str]:
                    made = pool.map(lambda source: one_after_another([source], **options), sources)
                    return [path for paths in made for path in paths]

                self.compiler.compile = compile_each
                super().build_extensions()

    extensions = mypycify(
        ["--config-file=", *modules],
        opt_level=OPTIMISED,
        debug_level="0",
        multi_file=True,
        group_name=LIBRARY,
        target_dir="c",
    )
    command = OnAllCores(Distribution({"name": LIBRARY, "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(into), "o"
    command.ensure_finalized()
    command.run()


def _part(path: Path, name: str) -> None:
    """Rewrites a module that is to be compiled, and writes another one with its plain classes."""
    module = importlib.import_module(name)
    text = path.read_text(encoding="utf-8")
    statements = ast.parse(text).body
    lines = text.splitlines()
    known = {bound: each for each in statements for bound in _bound(each)}
    classes = [each for each in statements if isinstance(each, ast.ClassDef)]
    plain = _with_what_they_need(
        [each.name for each in classes if not _can_be_compiled(getattr(module, each.name))], known
    )
    parts: dict[bool, list[str]] = {True: [], False: []}
    names: list[str] = []
    goes_with = False
    for each in statements:
        if isinstance(each, ast.Import | ast.ImportFrom):
            parts[True].append(_text(each, lines))
            goes_with = False
        elif not _is_docstring(each):
            # What follows a name as a docstring goes where the name does.
            goes_with = bool(_bound(each) & plain)
        if goes_with:
            names += sorted(_bound(each))
        elif isinstance(each, ast.ClassDef):
            parts[False].append(_MARK)
        parts[goes_with].append(_text(each, lines))
    if names:
        beside = path.with_name(f"_{path.stem}_{_PLAIN}.py")
        beside.write_text("\n".join(parts[True]) + "\n", encoding="utf-8")
        package = name.rpartition(".")[0]
        taken = ", ".join(f"{each} as {each}" for each in names)
        parts[False].insert(
            _after_imports(parts[False]), f"from {package}.{beside.stem} import {taken}"
        )
    if _MARK in parts[False]:
        parts[False].insert(_after_imports(parts[False]), _MARKER)
    path.write_text("\n".join(parts[False]) + "\n", encoding="utf-8")


def _can_be_compiled(kind: type) -> bool:
    made_of = set(kind.__mro__) - {object, ABC, Generic}
    return all(
        each.__module__.startswith("bot.") or issubclass(each, BaseException) for each in made_of
    )


def _with_what_they_need(names: Sequence[str], known: dict[str, ast.stmt]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found.add(name)
            used = [node.id for node in ast.walk(known[name]) if isinstance(node, ast.Name)]
            waiting += used
    return found


def _bound(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {
                node.id for each in targets for node in ast.walk(each) if isinstance(node, ast.Name)
            }
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    return set()


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _text(statement: ast.stmt, lines: Sequence[str]) -> str:
    first = min(
        [statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))]
    )
    return "\n".join(lines[first - 1 : statement.end_lineno])


def _after_imports(statements: Sequence[str]) -> int:
    imports = ("from ", "import ")
    return max(place for place, each in enumerate(statements) if each.startswith(imports)) + 1


@contextmanager
def _importable(root: Path) -> Iterator[None]:
    sys.path.insert(0, str(root))
    try:
        yield
    finally:
        sys.path.remove(str(root))


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
