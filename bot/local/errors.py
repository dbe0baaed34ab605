"""Discord's error answers, by the codes that bots look at."""

from __future__ import annotations

from bot.local.model import Json


class ApiError(Exception):
    """An answer with an HTTP status, Discord's own error code and its message.

    `errors` is the tree that says which field of the request is wrong, for code 50035.
    """

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> Json:
        """The JSON that goes out."""
        body: Json = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        return body


def unauthorized() -> ApiError:
    """The token is wrong or missing."""
    return ApiError(401, 0, "401: Unauthorized")


def not_found() -> ApiError:
    """No such route."""
    return ApiError(404, 0, "404: Not Found")


def unknown_channel() -> ApiError:
    """The channel or thread does not exist."""
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    """The server is not the stand-in's one."""
    return ApiError(404, 10004, "Unknown Guild")


def unknown_member() -> ApiError:
    """Nobody with that id is on the server."""
    return ApiError(404, 10007, "Unknown Member")


def unknown_message() -> ApiError:
    """The message does not exist, or is a private answer requested by the wrong route."""
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    """Nobody has that id."""
    return ApiError(404, 10013, "Unknown User")


def unknown_emoji() -> ApiError:
    """The application has no such emoji."""
    return ApiError(404, 10014, "Unknown Emoji")


def unknown_webhook() -> ApiError:
    """The token of the interaction is unknown."""
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    """The interaction never existed, or its three seconds are over."""
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    """The command is not registered."""
    return ApiError(404, 10063, "Unknown application command")


def too_many_emojis(most: int) -> ApiError:
    """The application has all the emoji that it may have."""
    return ApiError(400, 30008, f"Maximum number of emojis reached ({most})")


def request_too_large() -> ApiError:
    """A file or the whole request is over the limit."""
    return ApiError(413, 40005, "Request entity too large")


def already_acknowledged() -> ApiError:
    """The interaction has been answered before."""
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> ApiError:
    """The bot may not see the channel."""
    return ApiError(403, 50001, "Missing Access")


def cannot_edit_others() -> ApiError:
    """Only the author may edit a message."""
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    """Neither text nor anything else to show."""
    return ApiError(400, 50006, "Cannot send an empty message")


def cannot_message_user() -> ApiError:
    """The person does not accept direct messages."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> ApiError:
    """The bot lacks a permission for this."""
    return ApiError(403, 50013, "Missing Permissions")


def cannot_act_on_system_message() -> ApiError:
    """A system notice cannot be edited or replied to."""
    return ApiError(403, 50021, "Cannot execute action on a system message")


def cannot_act_on_channel_type() -> ApiError:
    """The action makes no sense in this kind of channel."""
    return ApiError(400, 50024, "Cannot execute action on this channel type")


def token_expired() -> ApiError:
    """The fifteen minutes of the interaction are over."""
    return ApiError(401, 50027, "Invalid Webhook Token")


def invalid_form(errors: Json) -> ApiError:
    """A field breaks a limit; `errors` says which and how."""
    return ApiError(400, 50035, "Invalid Form Body", errors)


def cannot_remove_layout() -> ApiError:
    """An edit takes the flag of layout components from a message."""
    code = "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG"
    said = "The IS_COMPONENTS_V2 flag cannot be removed from a message."
    return invalid_form({"flags": {"_errors": [{"code": code, "message": said}]}})


def thread_archived() -> ApiError:
    """The thread must be unarchived first."""
    return ApiError(400, 50083, "Thread is archived")


def invalid_json() -> ApiError:
    """The body is not JSON."""
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def thread_exists() -> ApiError:
    """The message has a thread already."""
    return ApiError(400, 160004, "A thread has already been created for this message")
