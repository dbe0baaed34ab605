"""Discord's error responses."""

from __future__ import annotations

from bot.local.model import Json

MAX_EMOJIS = 2000
TOO_MANY_EMOJIS = f"Maximum number of emojis reached ({MAX_EMOJIS})"

#: HTTP status and error code, by Discord's message.
ERRORS = {
    "401: Unauthorized": (401, 0),
    "404: Not Found": (404, 0),
    "Unknown Channel": (404, 10003),
    "Unknown Guild": (404, 10004),
    "Unknown Member": (404, 10007),
    "Unknown Message": (404, 10008),
    "Unknown User": (404, 10013),
    "Unknown Webhook": (404, 10015),
    "Unknown interaction": (404, 10062),
    TOO_MANY_EMOJIS: (400, 30008),
    "Request entity too large": (413, 40005),
    "Interaction has already been acknowledged.": (400, 40060),
    "Missing Access": (403, 50001),
    "Cannot edit a message authored by another user": (403, 50005),
    "Cannot send an empty message": (400, 50006),
    "Cannot send messages to this user": (403, 50007),
    "Missing Permissions": (403, 50013),
    "Cannot execute action on a system message": (403, 50021),
    "Cannot execute action on this channel type": (400, 50024),
    "Invalid Webhook Token": (401, 50027),
    "Invalid Form Body": (400, 50035),
    "Thread is archived": (400, 50083),
    "The request body contains invalid JSON.": (400, 50109),
    "A thread has already been created for this message": (400, 160004),
}


class ApiError(Exception):
    """An error response with one of the messages in `ERRORS`.

    `errors` is the tree of field errors of code 50035.
    """

    def __init__(self, message: str, errors: Json | None = None) -> None:
        self.status, self.code = ERRORS[message]
        self.errors = errors
        super().__init__(f"{self.status} ({self.code}): {message}")
        self.body: Json = {"message": message, "code": self.code}
        if errors is not None:
            self.body["errors"] = errors


class Problems:
    """Collector of field errors, which are raised together."""

    def __init__(self) -> None:
        self._tree: Json = {}

    def add(self, path: str, code: str, message: str) -> None:
        """Add an error of a field such as `components.0.components.1.label`."""
        node = self._tree
        for step in path.split("."):
            node = node.setdefault(step, {})
        node.setdefault("_errors", []).append({"code": code, "message": message})

    def raise_if_any(self) -> None:
        """Raise `ApiError` 50035 if there are errors."""
        if self._tree:
            raise ApiError("Invalid Form Body", self._tree)


def wrong_field(path: str, code: str, message: str) -> ApiError:
    """Return error 50035 for one field."""
    problems = Problems()
    problems.add(path, code, message)
    return ApiError("Invalid Form Body", problems._tree)
