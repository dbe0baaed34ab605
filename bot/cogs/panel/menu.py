"""The menu of a decision: whole actions, each on one button.

The best actions are buttons in the usual order, and colour marks the very best. A select below
lists all actions by kind, including those that are chosen word by word.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.ui import MAX_OPTIONS, Control, CustomId, TooLong, button, option, select
from bot.cogs.ui.custom_id import encode_words
from bot.game.contract import END, Action, Decision, canonical, in_turn
from bot.game.trial import views_before
from bot.render.asked import WHOLE, AskedWords
from bot.text import Label, Style
from bot.workers import describe, in_thread

log = logging.getLogger(__name__)

MAX_BUTTONS = 8
"""Maximum number of entries that are all shown as buttons."""
BEST = 5
"""Buttons of a menu with more entries."""


class MenuEntry(NamedTuple):
    """A button for a whole action or several joined actions.

    `views` are the views before each, as `views_before` returns them.
    """

    custom_id: CustomId
    label: Label
    views: Sequence[Any]


class WholeMenu(NamedTuple):
    """Whole actions in the usual order: all of them, and the `best`, which become buttons.

    `kinds` are the kinds of action with further actions that the menu does not list.
    """

    every: Sequence[MenuEntry]
    best: Sequence[MenuEntry]
    kinds: tuple[str, ...]
    suggested: CustomId | None = None
    """The best entry, if the entries are ranked and it is harmless."""

    @property
    def about(self) -> tuple[str, ...]:
        """The kind of all actions with more than one word; () if there are several kinds."""
        entries = (each.custom_id.words for each in self.every)
        kinds = dict.fromkeys(words[0] for words in entries if len(words) > 1)
        return tuple(kinds) if len(kinds) == 1 else ()

    @property
    def asked(self) -> AskedWords:
        """The highlights for a picture."""
        words = tuple(canonical(each.custom_id.words) for each in self.every)
        views = {word: each.views for word, each in zip(words, self.every, strict=True)}
        names = tuple(each.label.name for each in self.every)
        return AskedWords((), WHOLE, words, names, views=views)

    def controls(self, moves: OpenMoves, custom_id: CustomId) -> list[Control]:
        """Return the best actions and the one-word kinds as buttons, ending the turn last; then a
        select of all actions by kind, if there are more."""
        labels = {
            kind: moves.marked((kind,), moves.kind_label(kind, self.kinds)) for kind in self.kinds
        }
        # Players rarely want a kind alone if the menu has it joined with others.
        in_menu = {each.custom_id.words[0] for each in self.every}
        whole = [kind for kind in self.kinds if moves.is_whole((kind,))]
        single = [kind for kind in whole if kind not in in_menu]
        buttons = [(each.custom_id, each.label) for each in self.best]
        buttons += [(custom_id.then(kind), labels[kind]) for kind in single]
        buttons.sort(key=lambda each: each[0].words == (END,))
        controls = [button(*each) for each in buttons]
        if len(self.best) < len(self.every) or len(single) < len(self.kinds):
            listed = [(each.custom_id.words, each.label) for each in self.every]
            for kind, label in labels.items():
                text = label.text if kind in whole else f"{label.text}…"
                listed.append(((kind,), label._replace(text=text)))
            # The sort is stable: within a kind, whole actions come first.
            listed.sort(key=lambda each: moves.kinds.index(each[0][0]))
            options = [option(encode_words(words), label) for words, label in listed[:MAX_OPTIONS]]
            every = moves.table_view.words.plural(
                "All {count} action…", "All {count} actions…", len(options)
            )
            controls.append(select(custom_id._replace(verb="whole"), options, every))
        return controls


async def menu_of(moves: OpenMoves) -> WholeMenu | None:
    """Return the menu of the seat's decision; None if it is better answered word by word."""
    if moves.main is None:
        return None
    try:
        # Planning ahead is slow: keep it off the event loop.
        return await in_thread(_menu_of, moves, moves.main)
    # If a menu fails, the player can still choose word by word.
    except Exception as error:  # noqa: BLE001
        table, seq = moves.table_view.table.id, moves.table_view.seq
        log.error("menu failed table=%s seq=%s error=%s", table, seq, describe(error))
        return None


def _menu_of(moves: OpenMoves, decision: Decision) -> WholeMenu | None:
    title = moves.table_view.title
    offered = title.menu(moves.table_view.view, decision, moves.choices)
    found = list(entries(moves, decision, offered))
    if not found:
        return None
    lacking = title.incomplete_kinds(
        {each.custom_id.words for each in found}, moves.choices, moves.asked
    )
    found = found[: MAX_OPTIONS - len(lacking)]
    usual = sorted(found, key=lambda each: moves.place_of(each.custom_id.words))
    best = found if len(found) <= MAX_BUTTONS else found[:BEST]
    first = found[0]
    # A menu in the usual order ranks no entry above the others.
    is_ranked = len(found) < 3 or found != usual
    harmless = first.label.style is not Style.DANGER and first.custom_id.words[0] != END
    return WholeMenu(
        usual,
        [each for each in usual if each in best],
        lacking,
        first.custom_id if is_ranked and harmless else None,
    )


def entries(moves: OpenMoves, decision: Decision, actions: Sequence[Action]) -> Iterator[MenuEntry]:
    """Yield an entry for each action that fits into a custom id; of actions with equal labels only
    the first, which is the best.

    Slow: it tries the actions.
    """
    table_view = moves.table_view
    texts: set[str] = set()
    pressed = table_view.button_id(decision)
    for action in actions:
        custom_id = CustomId("act", table_view.table.id, pressed, action)
        try:
            custom_id.encoded()
        except TooLong:
            continue
        views = views_before(moves.game, table_view.view, in_turn(action))
        label = table_view.text.action_label(action, views)
        if label.text not in texts:
            texts.add(label.text)
            yield MenuEntry(custom_id, moves.marked(action, label), views)
