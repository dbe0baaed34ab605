"""Routes by which the bot answers interactions: callbacks and the webhook of a token."""

from __future__ import annotations

from bot.local import errors
from bot.local.api import ApiRoute, Call, Result
from bot.local.interactions import Interactions
from bot.local.wire import Wire
from bot.local.world import World

_WEBHOOK = "/webhooks/{webhook_id}/{token}"
_ANSWER = _WEBHOOK + "/messages/{message_id}"


class AnswerRoutes:
    """All of these are open: the token in the path is the key."""

    def __init__(self, world: World, wire: Wire, interactions: Interactions) -> None:
        self._world = world
        self._wire = wire
        self._interactions = interactions

    def routes(self) -> list[ApiRoute]:
        """The table."""
        return [
            ApiRoute(
                "POST", "/interactions/{interaction_id}/{token}/callback", self.respond, open=True
            ),
            ApiRoute("POST", _WEBHOOK, self.follow_up, open=True),
            ApiRoute("GET", _ANSWER, self.get, open=True),
            ApiRoute("PATCH", _ANSWER, self.edit, open=True),
            ApiRoute("DELETE", _ANSWER, self.delete, open=True),
        ]

    async def respond(self, call: Call) -> Result:
        """Acknowledge an interaction."""
        response = self._interactions.respond(
            call.id("interaction_id"), call.text("token"), call.body
        )
        wanted = call.request.query.get("with_response", "").lower() in ("1", "true")
        return response if wanted else None

    async def follow_up(self, call: Call) -> Result:
        """Post another answer."""
        self._hold_application(call)
        return self._wire.message(self._interactions.follow_up(call.text("token"), call.body))

    async def get(self, call: Call) -> Result:
        """Read an answer."""
        self._hold_application(call)
        found = self._interactions.message(call.text("token"), call.text("message_id"))
        return self._wire.message(found)

    async def edit(self, call: Call) -> Result:
        """Change an answer."""
        self._hold_application(call)
        token, message_id = call.text("token"), call.text("message_id")
        return self._wire.message(self._interactions.edit(token, message_id, call.body))

    async def delete(self, call: Call) -> Result:
        """Take an answer back."""
        self._hold_application(call)
        self._interactions.delete(call.text("token"), call.text("message_id"))
        return None

    def _hold_application(self, call: Call) -> None:
        if call.id("webhook_id") != self._world.bot.id:
            raise errors.unknown_webhook()
