"""Loading of TOML content files, checked against the types they fill."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Annotated, TypeVar

import msgspec

from bot.resources import Traversable

Count = Annotated[int, msgspec.Meta(ge=0)]

T = TypeVar("T")


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a file. Unknown keys are an error."""


def read(path: Traversable, kind: type[T]) -> T:
    """Read a TOML file as a `kind`.

    Raise msgspec.ValidationError, with the file and the place in it, if it does not fit, and
    tomllib.TOMLDecodeError if it is not TOML.
    """
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(f"{path}: {error}") from error


def check_content(file: object, faults: Mapping[str, object]) -> None:
    """Raise ValueError with the first message in `faults` whose value is true."""
    for fault, applies in faults.items():
        if applies:
            raise ValueError(f"{file}: {fault}")
