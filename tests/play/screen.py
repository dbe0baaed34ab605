"""A person at the screen: reads what a tab shows, and does everything by what it offers."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from pathlib import Path
from random import Random

from playwright.async_api import Locator, Page, TimeoutError, expect

from bot.app import LIVE_PAUSE

NEWEST = """
() => {
  const posts = [...document.querySelectorAll("[data-testid=message][data-private=false] .body")];
  const parts = [...(posts.at(-1)?.children ?? [])];
  // Who wrote it stands above it or not, as messages before it come and go.
  return parts.filter((part) => !part.matches("header")).map((part) => part.innerText).join("\\n");
}
"""
PANEL = """
() => {
  const own = [...document.querySelectorAll("[data-testid=message][data-private=true]")];
  const last = own.at(-1);
  if (!last || last.querySelector("[data-testid=thinking]")) return "";
  const said = [...last.querySelectorAll(".text, .failure")].map((part) => part.innerText);
  const ids = [...last.querySelectorAll("[data-custom-id]")].map((part) => part.dataset.customId);
  return [last.dataset.messageId, ...said, ...ids].join("\\n");
}
"""
UNTIL = """
([told, ms]) => new Promise((resolve) => {
  const end = (came) => { observer.disconnect(); clearTimeout(late); resolve(came); };
  const look = () => { if (holds(told)) end(true); };
  const observer = new MutationObserver(look);
  const late = setTimeout(() => end(false), ms);
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  observer.observe(document.body, all);
  look();
})
"""
"""Looks when the page changes, and at no other time: laying a page out costs more than a change."""
OVER = re.compile(r"The key behind every draw|The story of the game|The whole game in motion")
FOOT = (
    "Back",
    "My hand",
    "Make an offer",
    "Answer the offer",
    "Type it",
    "To the table",
    "🎓 Explain my first turn",
    "Undo",
    "Promises",
    "Add a promise",
)
ASIDE = ("Choose", "📖")
"""How labels begin that do not lead on either: lists, and links to the rules."""
QUICK = (
    re.compile(r"^Confirm$"),
    re.compile(r"^2 cities on"),
    re.compile(r"Stop here and act"),
    re.compile(r"Place a tile"),
    re.compile(r"End your turn"),
)
"""What brings a game on soonest, best first."""
MOST_STEPS = 60


class Screen:
    """One person's tab.

    `seen` holds every message that reached the tab, shown or not; `problems` what went wrong.
    """

    def __init__(self, page: Page, name: str, rng: Random, pictures: Path) -> None:
        self.page = page
        self.name = name
        self.seen: list[dict[str, object]] = []
        self.problems: list[str] = []
        self._rng = rng
        self._pictures = pictures
        self._taken = 0
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))

    def _received(self, frame: str | bytes) -> None:
        told = json.loads(frame)
        self.seen += _messages(told)

    async def open(self, address: str) -> None:
        """Come to the page as this person."""
        await self.page.goto(f"{address}/?as={self.name.lower()}")
        await expect(self.page.get_by_test_id("bot-state")).to_have_text("The bot is here")

    async def open_table(self, game: str) -> None:
        """Begin by the hint of an empty channel: choose a game, and open a table of it."""
        await self.page.get_by_test_id("hint-new-game").click()
        await self.page.get_by_test_id("choice").filter(has_text=game).click()
        await self.page.keyboard.press("Enter")
        await expect(self.newest).to_contain_text(f"{game} · table 1")

    async def go_to(self, place: str) -> None:
        """Open a channel or thread from the list, or from the drawer of a small screen."""
        menu = self.page.get_by_test_id("menu")
        if await menu.is_visible():
            await menu.click()
        await self.page.get_by_test_id(f"channel-{place}").click()
        await expect(self.page.get_by_test_id("place-name")).to_have_text(place)

    async def photograph(self, moment: str) -> None:
        """Keep a picture of the screen as it is."""
        self._taken += 1
        drawn = "() => [...document.images].every((each) => each.complete)"
        await self.page.wait_for_function(drawn)
        name = f"{self.name.lower()}-{self._taken:02}-{moment}.png"
        await self.page.screenshot(path=self._pictures / name)

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
        return self.page.locator("[data-testid=message][data-private=true]").last

    async def awaits(self, *people: str) -> None:
        """Wait until the newest post awaits one of these people, or the game is over."""
        called = re.compile("|".join([rf"Awaited:.*@{name}" for name in people] + [OVER.pattern]))
        await expect(self.newest).to_contain_text(called, timeout=20_000)

    async def is_over(self) -> bool:
        """Whether the newest post ends the game."""
        return OVER.search(await self.told()) is not None

    async def told(self) -> str:
        """The newest post, in words."""
        return str(await self.page.evaluate(NEWEST))

    async def told_at_rest(self) -> str:
        """The same, once nothing is added to it any more; a turn's text follows its actions."""
        told = ""
        for _ in range(MOST_STEPS):
            before, told = told, await self.told()
            if told == before:
                return told
            await asyncio.sleep(2 * LIVE_PAUSE)
        raise AssertionError(f"what {self.name} is told goes on and on:\n{told}")

    async def catch_up(self, other: Screen) -> None:
        """Wait until this tab and another one show the same newest post."""
        for _ in range(MOST_STEPS):
            told = await other.newest.get_by_test_id("content").inner_text()
            with suppress(AssertionError):
                shown = self.newest.get_by_test_id("content")
                await expect(shown).to_have_text(told, use_inner_text=True, timeout=500)
                return
        raise AssertionError(f"{self.name} and {other.name} see different posts")

    async def changed_since(self, told: str) -> None:
        """Wait until the newest post, or the private panel's question, is another one."""
        changed = f"({NEWEST})() !== told || !/Nothing is asked/.test(({PANEL})())"
        assert await self._until(changed, told, 10.0), f"{self.name} is told nothing new"

    async def offered(self) -> list[str]:
        """The buttons of the panel that lead on, by their labels."""
        labels = await self.panel.locator(".rows button.button:enabled").all_inner_texts()
        words = [" ".join(label.split()) for label in labels]
        return [label for label in words if label not in FOOT and not label.startswith(ASIDE)]

    # Doing

    async def press(self, label: str | re.Pattern[str], *, on: Locator | None = None) -> None:
        """Press a button, of the private panel unless another message is given."""
        message = self.panel if on is None else on
        button = message.locator(".rows button.button:enabled").filter(has_text=label).first
        await self._and_see(button)

    async def ask(self) -> None:
        """Press "Take your turn" on the newest post; a private panel opens."""
        await self.press(re.compile("^Take your turn$"), on=self.newest)

    async def choose(self) -> None:
        """Choose from the panel's list: one line, or some pieces; these by a form at times."""
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

    async def act(self) -> bool:
        """Answer what the panel asks by one press; False where it asks nothing."""
        labels = await self.offered()
        if await self.panel.get_by_test_id("select").count():
            await self.choose()
            return True
        if not labels:
            return False
        quick = next((each for way in QUICK for each in labels if way.search(each)), None)
        curious = quick is None or (quick != "Confirm" and self._rng.random() < 0.25)
        wanted = self._rng.choice(labels) if curious else quick
        assert wanted is not None
        await self.press(re.compile(_exactly(wanted)))
        return True

    async def play_on(self) -> None:
        """Take the turn, and answer whatever is asked until nothing is."""
        await self.ask()
        for _step in range(MOST_STEPS):
            if not await self.act():
                return
        raise AssertionError(f"{self.name}'s turn does not end:\n{await self.panel.inner_text()}")

    async def _and_see(self, control: Locator) -> None:
        before = await self.page.evaluate(PANEL)
        try:
            await expect(control).to_be_visible(timeout=3_000)
            # Pressed where it is, not where it was: a post or a picture that arrives moves it.
            await control.dispatch_event("click", timeout=3_000)
        except (TimeoutError, AssertionError):
            # A panel moves below a new post; then the next look at it finds what is asked.
            if await control.count() and await self.page.evaluate(PANEL) == before:
                raise
            return
        # On a busy machine a press may get no answer in time, and says so; then one presses again.
        # One that never gets an answer is found out by the number of steps or turns.
        await self._until(f"![told, ''].includes(({PANEL})())", before, 5.0)

    async def _until(self, holds: str, told: str, seconds: float) -> bool:
        """Whether something comes to hold that differs from what the tab was told."""
        looking = f"(given) => {{ const holds = (told) => {holds}; return ({UNTIL})(given); }}"
        return bool(await self.page.evaluate(looking, [told, 1000 * seconds]))


def _exactly(label: str) -> str:
    # A label's emoji stands in an element of its own, with any white space around it.
    return r"^\s*" + r"\s*".join(re.escape(word) for word in label.split()) + r"\s*$"


def _messages(told: object) -> list[dict[str, object]]:
    """Every message in what the page was told, however deep."""
    if isinstance(told, list):
        return [each for part in told for each in _messages(part)]
    if not isinstance(told, dict):
        return []
    here = [told] if "author" in told and "content" in told else []
    return here + [each for part in told.values() for each in _messages(part)]
