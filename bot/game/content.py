"""How files of content are read: checked once, by the types that they fill."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Annotated, TypeVar

import msgspec

from bot.resources import Traversable

Count = Annotated[int, msgspec.Meta(ge=0)]
"""How many there are of something."""

T = TypeVar("T")


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table in a file; an unknown key is an error."""


def read(path: Traversable, kind: type[T]) -> T:
    """A TOML file. Raises msgspec.ValidationError, which names the file and the place in it, where
    it is no `kind`, and tomllib.TOMLDecodeError where it is no TOML."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(f"{path}: {error}") from error


def demand(file: object, faults: Mapping[str, object]) -> None:
    """Check the content of a file. `faults` says by each message whether it applies; raises
    ValueError with the first that does."""
    for fault, is_there in faults.items():
        if is_there:
            raise ValueError(f"{file}: {fault}")
