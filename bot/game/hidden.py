"""Who sees what of a state, and the views that follow from it.

Each field of a state's structs is marked: `Public[int]`, or with `Annotated` and a `Hide`. A struct
that everybody sees as a whole is a `PublicStruct`. `Hiding` refuses a field without a mark.
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
"""Stands for a number that the observer does not know; not for none, which is -1. No list has an
item there, so whoever looks one up by it gets an IndexError."""

_EVERYBODY = "everybody"

Public = Annotated[T, _EVERYBODY]
"""A field that everybody sees, but for what is hidden in the structs within."""


class PublicStruct(msgspec.Struct):
    """A part of a state that everybody sees as a whole."""


class View(msgspec.Struct, Generic[S], frozen=True):
    """What an observer knows of a table: a state with a blank for whatever is hidden from them.

    Rules that need nothing hidden work on `known` as on the state itself.
    """

    observer: Observer
    known: S


class Field(NamedTuple):
    """An observer looks at a field of `holder`. Of a player, and of what is within one, `seat` is
    its place in the list of players."""

    state: Any
    holder: Any
    seat: int
    observer: Observer


def owner(field: Field) -> bool:
    """Whether the observer is the player who has the field."""
    return field.seat == field.observer != SPECTATOR


def no_one(field: Field) -> bool:
    """Never."""
    return False


def total(counts: Sequence[int]) -> list[int]:
    """Blank counts by kind: how many pieces there are, alone in a list."""
    return [sum(counts)]


def face_down(number: int) -> int:
    """Blank a number, but for whether there is one."""
    return number if number == -1 else UNSEEN


@dataclass(frozen=True)
class Hide:
    """Marks a field that not everybody sees: `blank` makes what the others see in its place.

    With `by_seat` the field is a list with one item for each seat, which its seat alone sees; then
    `shown` is not asked.
    """

    blank: Callable[[Any], Any]
    shown: Callable[[Field], bool] = owner
    by_seat: bool = False

    def seen(self, value: Any, field: Field) -> Any:
        """The value as the observer sees it."""
        if not self.by_seat:
            return value if self.shown(field) else self.blank(value)
        return [
            item if seat == field.observer else self.blank(item) for seat, item in enumerate(value)
        ]


class Hiding:
    """Blanks what is hidden in a state of one type. Raises TypeError for a field without a mark."""

    def __init__(self, state: type[Any]) -> None:
        self._marks: dict[type, list[tuple[str, Hide | None, bool]]] = {}
        """By struct: the fields that are hidden or have hidden ones within, and whether they do."""
        self._read(state, set())

    def _read(self, kind: type[Any], above: set[type]) -> bool:
        """Whether anything is hidden in a struct."""
        if kind in self._marks or kind in above:
            return bool(self._marks.get(kind))
        found: list[tuple[str, Hide | None, bool]] = []
        hints = get_type_hints(kind, include_extras=True)
        for field in kind.__struct_fields__:
            marks = getattr(hints[field], "__metadata__", ())
            hide = next((mark for mark in marks if isinstance(mark, Hide)), None)
            if hide is None and _EVERYBODY not in marks:
                raise TypeError(f"{kind.__name__}.{field} must be marked Public, or with a Hide")
            within = [self._read(each, {*above, kind}) for each in _structs(hints[field])]
            if hide is not None or any(within):
                found.append((field, hide, any(within)))
        self._marks[kind] = found
        return bool(found)

    def blank(self, state: Any, observer: Observer) -> None:
        """Blank, in place, what is hidden from the observer."""
        # All is looked at before anything changes: whether a field is shown may depend on others.
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
        """Note the fields to change in a part of the state, and what is seen in their place."""
        for field, hide, within in self._marks.get(type(holder), ()):
            value = getattr(holder, field)
            if hide is not None:
                seen = hide.seen(value, Field(state, holder, seat, observer))
                if seen is not value:
                    changes.append((holder, field, seen))
                    continue
            if within and isinstance(value, (list, tuple)):
                for place, item in enumerate(value):
                    self._find(changes, state, item, place, observer)
            elif within:
                self._find(changes, state, value, seat, observer)


def _structs(hint: Any) -> Iterator[type[msgspec.Struct]]:
    """The structs within a field's type that may hide something."""
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
