"""What is wrong with a request, by field."""

from __future__ import annotations

from collections.abc import Sequence

from bot.local import errors
from bot.local.model import Json


class Problems:
    """Collects what is wrong, by dotted path, and raises it all at once."""

    def __init__(self) -> None:
        self._tree: Json = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Note one fault at a field such as `components.0.components.1.label`."""
        node = self._tree
        for step in path.split("."):
            node = node.setdefault(step, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_if_any(self) -> None:
        """Raise `ApiError` 50035 when something was added."""
        if self._tree:
            raise errors.invalid_form(self._tree)

    def text(self, path: str, value: object, longest: int, shortest: int = 0) -> None:
        """Check a text's length, in characters. `None` counts as absent."""
        if value is None and shortest == 0:
            return
        if value is None:
            self.required(path)
        elif not isinstance(value, str):
            self.add(path, "BASE_TYPE_BAD_TYPE", "Could not interpret as string.")
        elif not shortest <= len(value) <= longest:
            if shortest == 0:
                said = f"Must be {longest} or fewer in length."
                self.add(path, "BASE_TYPE_MAX_LENGTH", said)
            else:
                said = f"Must be between {shortest} and {longest} in length."
                self.add(path, "BASE_TYPE_BAD_LENGTH", said)

    def count(self, path: str, values: Sequence[object], most: int, least: int = 0) -> None:
        """Hold a list to its number of entries."""
        if not least <= len(values) <= most:
            said = f"Must be between {least} and {most} in length."
            self.add(path, "BASE_TYPE_BAD_LENGTH", said)

    def number(self, path: str, value: object, least: int, most: int) -> None:
        """Hold a whole number to its bounds. `None` counts as absent."""
        if value is None:
            return
        if not isinstance(value, int):
            self.add(path, "NUMBER_TYPE_COERCE", f"Value {value!r} is not int.")
        elif value < least:
            said = f"int value should be greater than or equal to {least}."
            self.add(path, "NUMBER_TYPE_MIN", said)
        elif value > most:
            said = f"int value should be less than or equal to {most}."
            self.add(path, "NUMBER_TYPE_MAX", said)

    def required(self, path: str) -> None:
        """Note that a field is missing."""
        self.add(path, "BASE_TYPE_REQUIRED", "This field is required")
