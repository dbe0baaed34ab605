"""Marks on the fields of a state that say who sees them, and the views made from these marks.

Each field is marked `Public[...]` or `Annotated[..., Hide(...)]`. A struct without secrets is a
`PublicStruct` and needs no marks. `Hiding` refuses a field without a mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec.structs import force_setattr

from bot.game.contract import SPECTATOR, Observer

T = TypeVar("T")
S = TypeVar("S")

UNSEEN = -1_000_000
"""The blank for a number that the observer does not know; -1 means none instead. A list indexed by
it raises IndexError."""

_PUBLIC = "public"

Public = Annotated[T, _PUBLIC]
"""A field that everyone sees, except for hidden fields of the structs within."""


class PublicStruct(msgspec.Struct):
    """A part of a state that everyone sees completely."""


class View(msgspec.Struct, Generic[S], frozen=True):
    """An observer's view of a table: a state with a blank for everything hidden from them.

    Rules that need no hidden information work on `known` as on the real state.
    """

    observer: Observer
    known: S


class Field(NamedTuple):
    """The arguments of a function that decides whether `observer` sees a field of `holder`.

    `seat` is the index of the player whose struct this is or is part of, otherwise `SPECTATOR`.
    """

    state: Any
    holder: Any
    seat: int
    observer: Observer


def owner(field: Field) -> bool:
    """Show a field only to the player it belongs to."""
    return field.seat == field.observer != SPECTATOR


def no_one(field: Field) -> bool:
    """Show a field to no one."""
    return False


def total(counts: Sequence[int]) -> list[int]:
    """Blank counts by kind with a list of one item, their sum."""
    return [sum(counts)]


def face_down(number: int) -> int:
    """Blank a number with `UNSEEN`, but keep -1, which means none."""
    return number if number == -1 else UNSEEN


@dataclass(frozen=True)
class Hide:
    """Marks a hidden field. Observers for which `shown` is false see `blank(value)`.

    With `by_seat`, the field is a list with one item per seat, and each seat sees only its own
    item; `shown` is not used.
    """

    blank: Callable[[Any], Any]
    shown: Callable[[Field], bool] = owner
    by_seat: bool = False

    def seen(self, value: Any, field: Field) -> Any:
        """Return the value as the observer sees it."""
        if not self.by_seat:
            return value if self.shown(field) else self.blank(value)
        return [
            item if seat == field.observer else self.blank(item) for seat, item in enumerate(value)
        ]


class Hiding:
    """Blanks the hidden fields of a type of state. Raises TypeError for a field without a mark."""

    def __init__(self, state: type[Any]) -> None:
        self._marks: dict[type, list[tuple[str, Hide | None, bool]]] = {}
        """By struct, each field with secrets: its name, its mark, and whether structs within it
        have hidden fields."""
        self._read(state, set())

    def _read(self, kind: type[Any], above: set[type]) -> bool:
        """Read the marks of a struct, and return whether anything in it is hidden."""
        if kind in self._marks or kind in above:
            return bool(self._marks.get(kind))
        found: list[tuple[str, Hide | None, bool]] = []
        hints = get_type_hints(kind, include_extras=True)
        for field in kind.__struct_fields__:
            marks = getattr(hints[field], "__metadata__", ())
            hide = next((mark for mark in marks if isinstance(mark, Hide)), None)
            if hide is None and _PUBLIC not in marks:
                raise TypeError(f"{kind.__name__}.{field} must be marked Public, or with a Hide")
            within = [self._read(each, {*above, kind}) for each in _structs(hints[field])]
            if hide is not None or any(within):
                found.append((field, hide, any(within)))
        self._marks[kind] = found
        return bool(found)

    def blank(self, state: Any, observer: Observer) -> None:
        """Blank, in place, all fields hidden from the observer."""
        # Collect all changes first: whether a field is shown may depend on other fields.
        changes: list[tuple[Any, str, Any]] = []
        self._find(changes, state, state, SPECTATOR, observer)
        for holder, field, seen in changes:
            force_setattr(holder, field, seen)

    def _find(
        self,
        changes: list[tuple[Any, str, Any]],
        state: Any,
        holder: Any,
        seat: int,
        observer: Observer,
    ) -> None:
        """Collect the fields to change in a part of the state, with their blanks."""
        for field, hide, within in self._marks.get(type(holder), ()):
            value = getattr(holder, field)
            if hide is not None:
                seen = hide.seen(value, Field(state, holder, seat, observer))
                if seen is not value:
                    changes.append((holder, field, seen))
                    continue
            if within and isinstance(value, (list, tuple)):
                for index, item in enumerate(value):
                    self._find(changes, state, item, index, observer)
            elif within:
                self._find(changes, state, value, seat, observer)


def _structs(hint: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs in a field's type that may have hidden fields."""
    origin = get_origin(hint)
    if origin is Annotated:
        yield from _structs(get_args(hint)[0])
    elif origin in (Union, UnionType, list, tuple):
        for part in get_args(hint):
            yield from _structs(part)
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if not issubclass(hint, PublicStruct):
            yield hint
    elif hint not in (int, str, bool, NoneType, ...):
        raise TypeError(f"a state may not hold {hint}")
