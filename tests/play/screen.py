"""A person's browser tab, which is read and operated like a user would."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.async_api import Locator, Page, TimeoutError, expect

from bot.local.model import Json
from tests import robot
from tests.chromium import PATIENCE_MS
from tests.robot import BUTTON, MAX_STEPS, SELECT

ROBOT = Path(__file__).with_name("robot.js")
"""Functions in the page, so that a press needs one round trip."""
PING = r"^(?:@\w+(?:, | and ))*@{name}\b"
"""Pattern of a post that pings a player to move."""
OVER = re.compile(r"Fairness check \(key\)|The story of the game|The whole game, turn by turn")
SURE = re.compile(r"^(Confirm|End the game)$")
QUICK = (
    SURE,
    re.compile(r"^2 cities on"),
    re.compile(r"Stop here and act"),
    re.compile(r"^Place "),
    re.compile(r"Take the \w+ sack"),
    re.compile(r"End (your )?turn"),
)
"""Labels that advance a game fastest, best first."""


class Screen:
    """One person's tab. `seen` are all received messages, `problems` the errors of the page."""

    def __init__(self, page: Page, name: str, rng: Random) -> None:
        self.page = page
        self.name = name
        self.seen: list[dict[str, object]] = []
        self.problems: list[str] = []
        self._rng = rng
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))

    def _received(self, frame: str | bytes) -> None:
        self.seen += _messages(json.loads(frame))

    async def open(self, address: str) -> None:
        await self.page.add_init_script(path=ROBOT)
        await self.page.goto(f"{address}/?as={self.name.lower()}")
        await expect(self.page.get_by_test_id("bot-state")).to_have_text("The bot is online")

    async def open_table(self, game: str) -> None:
        """Choose a game by the hint of an empty channel, and open a table."""
        await self.page.get_by_test_id("hint-new-game").click()
        await self.page.get_by_role("button", name=f"Play {game}").click()
        await expect(self.newest).to_contain_text(f"{game} · table 1")

    async def go_to(self, place: str) -> None:
        """Open a channel or thread from the list, which is a drawer on small screens."""
        menu = self.page.get_by_test_id("menu")
        if await menu.is_visible():
            await menu.click()
        await self.page.get_by_test_id(f"channel-{place}").click()
        await expect(self.page.get_by_test_id("place-name")).to_have_text(place)

    # Reading

    @property
    def posts(self) -> Locator:
        """The public messages."""
        return self.page.locator("[data-testid=message][data-private=false]")

    @property
    def newest(self) -> Locator:
        """The last public message."""
        return self.posts.last

    @property
    def panel(self) -> Locator:
        """The last private message."""
        return self.private.last

    @property
    def private(self) -> Locator:
        """The private messages."""
        return self.page.locator("[data-testid=message][data-private=true]")

    async def until_pinged(self, *people: str) -> None:
        """Wait until the newest post pings one of these people, or the game is over."""
        pings = [PING.format(name=name) for name in people]
        expected = re.compile("|".join([*pings, OVER.pattern]), re.MULTILINE)
        if not await self._until("given.test(robot.postText())", expected, 60.0):
            text = await self.post_text()
            raise AssertionError(f"{self.name} does not see {expected}, but:\n{text}")

    async def is_over(self) -> bool:
        return OVER.search(await self.post_text()) is not None

    async def post_text(self) -> str:
        return str(await self.page.evaluate("robot.postText()"))

    async def catch_up(self, other: Screen) -> None:
        """Wait until this tab and another one show the same newest post."""
        for _ in range(MAX_STEPS):
            content = await other.page.evaluate("robot.content()")
            if await self._until("robot.content() === given", content, 0.5):
                return
        raise AssertionError(f"{self.name} and {other.name} see different posts")

    # Acting

    async def press(self, label: str | re.Pattern[str], *, on: Locator | None = None) -> None:
        """Press a button of the private panel or of the message `on`."""
        where = "panel" if on is None else await on.get_attribute("data-message-id")
        await self._press(where, label, patience=20.0)

    async def _press(
        self, where: str | None, label: str | re.Pattern[str], *, patience: float
    ) -> None:
        pattern = re.compile(re.escape(label), re.IGNORECASE) if isinstance(label, str) else label
        given = [where, pattern, 1000 * patience]
        result = await self.page.evaluate("given => robot.press(...given)", given)
        assert result != "hidden", f"{self.name} cannot see the button {pattern}"

    async def open_panel(self) -> None:
        """Press "Take your turn" on the newest post; a private panel opens."""
        await self._press("post", re.compile("^Take your turn$"), patience=3.0)

    async def shown(self) -> list[Json]:
        return list(await self.page.evaluate("robot.shown()"))

    async def choose(self, part: Json) -> None:
        """Press a button, or choose in a select or by its modal."""
        if part["type"] == BUTTON:
            # If the panel moves below a new post, the next step finds it again.
            await self._press("panel", re.compile(f"^{re.escape(part['label'])}$"), patience=0.0)
            return
        # A panel that moves or changes closes its list, and the next step tries again. The limit
        # of steps detects a list that never opens.
        with suppress(TimeoutError, AssertionError):
            await self._choose()

    async def _choose(self) -> None:
        select = self.panel.get_by_test_id("select").first
        await select.dispatch_event("click", timeout=3_000)
        options = await self.panel.locator("[role=option]:visible").all()
        assert options
        if await self.panel.get_by_test_id("select-done").count() == 0:
            await self._click(self._rng.choice(options))
            return
        # A repeated bid is refused, but one with two markers is different.
        count = 2 if "has already bid" in await self.panel.inner_text() else 1
        chosen = self._rng.sample(options, min(count, len(options)))
        if self._rng.random() < 0.5:
            for option in chosen:
                await option.dispatch_event("click", timeout=3_000)
            await self._click(self.panel.get_by_test_id("select-done"))
            return
        typed = " ".join([(await option.inner_text()).split()[-1] for option in chosen])
        await self.page.keyboard.press("Escape")
        await self.panel.get_by_role("button", name="Type it").dispatch_event(
            "click", timeout=3_000
        )
        form = self.page.get_by_test_id("modal")
        await form.get_by_test_id("modal-field").fill(typed, timeout=3_000)
        await self._click(form.get_by_test_id("modal-submit"))
        await expect(form).to_be_hidden()

    def _decide(self, choices: Sequence[Json]) -> Json:
        """Return a choice that advances the game; sometimes another, to see more of it."""
        if selects := [each for each in choices if each["type"] == SELECT]:
            return selects[0]
        matches = (each for label in QUICK for each in choices if label.search(each["label"]))
        quick = next(matches, None)
        if quick is None or (not SURE.search(quick["label"]) and self._rng.random() < 0.25):
            return self._rng.choice(choices)
        return quick

    async def act(self) -> bool:
        """Make one choice in the panel; return whether the turn continues."""
        return await robot.step(self, self._decide)

    async def play_on(self) -> None:
        """Open the panel, and choose until nothing more is asked."""
        await self.open_panel()
        await robot.turn(self, self._decide)

    async def _click(self, control: Locator) -> None:
        before = await self.page.evaluate("robot.panel()")
        await control.dispatch_event("click", timeout=3_000)
        # On a busy machine an answer may be too late, and the robot tries again. The limit of steps
        # or turns detects a press that never gets an answer.
        await self.page.evaluate("before => robot.answered(before)", before)

    async def _until(self, condition: str, given: object, seconds: float) -> bool:
        """Wait for a JavaScript condition on `given`; return whether it became true."""
        script = f"([given, ms]) => robot.until(() => {condition}, ms)"
        return bool(await self.page.evaluate(script, [given, 1000 * seconds]))


def _messages(event: object) -> list[dict[str, object]]:
    """Return all messages in an event, at any depth."""
    if isinstance(event, list):
        return [each for part in event for each in _messages(part)]
    if not isinstance(event, dict):
        return []
    own = [event] if "author" in event and "content" in event else []
    return own + [each for part in event.values() for each in _messages(part)]
