"""A person at the screen: reads what a tab shows, and does everything by what it offers."""

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
"""What is read and done within the page, so that one visit to it is enough for a press."""
CALL = r"^(?:@\w+(?:, | and ))*@{name}\b"
"""How a post calls somebody to move, in English."""
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
"""What brings a game on soonest, best first."""


class Screen:
    """One person's tab.

    `seen` holds every message that reached the tab, shown or not; `problems` what went wrong.
    """

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
        told = json.loads(frame)
        self.seen += _messages(told)

    async def open(self, address: str) -> None:
        await self.page.add_init_script(path=ROBOT)
        await self.page.goto(f"{address}/?as={self.name.lower()}")
        await expect(self.page.get_by_test_id("bot-state")).to_have_text("The bot is online")

    async def open_table(self, game: str) -> None:
        """Begin by the hint of an empty channel: choose a game, and open a table of it."""
        await self.page.get_by_test_id("hint-new-game").click()
        await self.page.get_by_role("button", name=f"Play {game}").click()
        await expect(self.newest).to_contain_text(f"{game} · table 1")

    async def go_to(self, place: str) -> None:
        """Open a channel or thread from the list, or from the drawer of a small screen."""
        menu = self.page.get_by_test_id("menu")
        if await menu.is_visible():
            await menu.click()
        await self.page.get_by_test_id(f"channel-{place}").click()
        await expect(self.page.get_by_test_id("place-name")).to_have_text(place)

    # Reading

    @property
    def posts(self) -> Locator:
        """The messages that all can read."""
        return self.page.locator("[data-testid=message][data-private=false]")

    @property
    def newest(self) -> Locator:
        """The last message that all can read."""
        return self.posts.last

    @property
    def panel(self) -> Locator:
        """The last message for this person's eyes only."""
        return self.private.last

    @property
    def private(self) -> Locator:
        """All messages for this person's eyes only."""
        return self.page.locator("[data-testid=message][data-private=true]")

    async def awaits(self, *people: str) -> None:
        """Wait until the newest post awaits one of these people, or the game is over."""
        calls = [CALL.format(name=name) for name in people]
        called = re.compile("|".join([*calls, OVER.pattern]), re.MULTILINE)
        if not await self._until("given.test(robot.told())", called, 60.0):
            raise AssertionError(f"{self.name} does not see {called}, but:\n{await self.told()}")

    async def is_over(self) -> bool:
        return OVER.search(await self.told()) is not None

    async def told(self) -> str:
        return str(await self.page.evaluate("robot.told()"))

    async def catch_up(self, other: Screen) -> None:
        """Wait until this tab and another one show the same newest post."""
        for _ in range(MAX_STEPS):
            told = await other.page.evaluate("robot.content()")
            if await self._until("robot.content() === given", told, 0.5):
                return
        raise AssertionError(f"{self.name} and {other.name} see different posts")

    # Doing

    async def press(self, label: str | re.Pattern[str], *, on: Locator | None = None) -> None:
        """Press a button, of the private panel unless another message is given."""
        where = "panel" if on is None else await on.get_attribute("data-message-id")
        await self._press(where, label, patience=20.0)

    async def _press(
        self, where: str | None, label: str | re.Pattern[str], *, patience: float
    ) -> None:
        wanted = re.compile(re.escape(label), re.IGNORECASE) if isinstance(label, str) else label
        given = [where, wanted, 1000 * patience]
        found = await self.page.evaluate("given => robot.press(...given)", given)
        assert found != "hidden", f"{self.name} cannot see the button {wanted}"

    async def ask(self) -> None:
        """Press "Take your turn" on the newest post; a private panel opens."""
        await self._press("post", re.compile("^Take your turn$"), patience=3.0)

    async def shown(self) -> list[Json]:
        return list(await self.page.evaluate("robot.shown()"))

    async def choose(self, part: Json) -> None:
        """Press a button, or choose a line of a list or some pieces, these by a form at times."""
        if part["type"] == BUTTON:
            # Where the panel moves below a new post meanwhile, the next look finds what is asked.
            await self._press("panel", re.compile(f"^{re.escape(part['label'])}$"), patience=0.0)
            return
        # A panel that moves below a new post, or is drawn anew, closes its list; then it is looked
        # at again. A list that never opens is found out by the number of steps.
        with suppress(TimeoutError, AssertionError):
            await self._choose()

    async def _choose(self) -> None:
        chooser = self.panel.get_by_test_id("select").first
        await chooser.dispatch_event("click", timeout=3_000)
        options = await self.panel.locator("[role=option]:visible").all()
        assert options
        if await self.panel.get_by_test_id("select-done").count() == 0:
            await self._and_see(self._rng.choice(options))
            return
        # A bid that was made before is refused; one of two markers is another.
        count = 2 if "has already bid" in await self.panel.inner_text() else 1
        chosen = self._rng.sample(options, min(count, len(options)))
        if self._rng.random() < 0.5:
            for option in chosen:
                await option.dispatch_event("click", timeout=3_000)
            await self._and_see(self.panel.get_by_test_id("select-done"))
            return
        typed = " ".join([(await option.inner_text()).split()[-1] for option in chosen])
        await self.page.keyboard.press("Escape")
        await self.panel.get_by_role("button", name="Type it").dispatch_event(
            "click", timeout=3_000
        )
        form = self.page.get_by_test_id("modal")
        await form.get_by_test_id("modal-field").fill(typed, timeout=3_000)
        await self._and_see(form.get_by_test_id("modal-submit"))
        await expect(form).to_be_hidden()

    def _hurried(self, choices: Sequence[Json]) -> Json:
        """What brings the game on; at times something else, to see more of it."""
        if lists := [each for each in choices if each["type"] == SELECT]:
            return lists[0]
        ways = (each for way in QUICK for each in choices if way.search(each["label"]))
        quick = next(ways, None)
        if quick is None or (not SURE.search(quick["label"]) and self._rng.random() < 0.25):
            return self._rng.choice(choices)
        return quick

    async def act(self) -> bool:
        """Answer what the panel asks by one press; False where it asks nothing."""
        return await robot.step(self, self._hurried)

    async def play_on(self) -> None:
        """Take the turn, and answer whatever is asked until nothing is."""
        await self.ask()
        await robot.turn(self, self._hurried)

    async def _and_see(self, control: Locator) -> None:
        before = await self.page.evaluate("robot.panel()")
        await control.dispatch_event("click", timeout=3_000)
        # On a busy machine a press may get no answer in time, and says so; then one presses again.
        # One that never gets an answer is found out by the number of steps or turns.
        await self.page.evaluate("before => robot.answered(before)", before)

    async def _until(self, holds: str, given: object, seconds: float) -> bool:
        """Whether a condition on what is `given` comes to hold in the page."""
        waiting = f"([given, ms]) => robot.until(() => {holds}, ms)"
        return bool(await self.page.evaluate(waiting, [given, 1000 * seconds]))


def _messages(told: object) -> list[dict[str, object]]:
    """Every message in what the page was told, however deep."""
    if isinstance(told, list):
        return [each for part in told for each in _messages(part)]
    if not isinstance(told, dict):
        return []
    here = [told] if "author" in told and "content" in told else []
    return here + [each for part in told.values() for each in _messages(part)]
