"""The menu of a decision: what is one decision is one press.

The best whole actions are buttons, in their usual order; the best of all is marked by its colour.
One select below lists all actions by kind, also those that are chosen word by word.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.ui import MAX_OPTIONS, Control, CustomId, TooLong, button, option, select
from bot.cogs.ui.custom_id import written
from bot.game.contract import END, Action, Decision, canonical, in_turn
from bot.game.trial import views_before
from bot.render.asked import WHOLE, AskedWords
from bot.text import Label, Style
from bot.workers import describe, in_thread

log = logging.getLogger(__name__)

MAX_BUTTONS = 8
"""Entries that are all buttons."""
BEST = 5
"""Of more entries so many are buttons."""


class MenuEntry(NamedTuple):
    """A whole action, or several joined, as the id of a press, and what it is called; with the
    views before each, as `views_before` gives them."""

    custom_id: CustomId
    label: Label
    views: Sequence[Any]


class WholeMenu(NamedTuple):
    """What is offered whole, in the usual order: all of it, and the `best`, which are buttons.

    `kinds` are the kinds of action that are to be offered besides: some of theirs is not in it.
    """

    every: Sequence[MenuEntry]
    best: Sequence[MenuEntry]
    kinds: tuple[str, ...]
    suggested: CustomId | None = None
    """The best entry, if one is better than others and does no harm."""

    @property
    def about(self) -> tuple[str, ...]:
        """The one kind of action, beside such as are a press anyway, that is offered."""
        entries = (each.custom_id.words for each in self.every)
        found = dict.fromkeys(words[0] for words in entries if len(words) > 1)
        return tuple(found) if len(found) == 1 else ()

    @property
    def asked(self) -> AskedWords:
        """What a picture highlights."""
        words = tuple(canonical(each.custom_id.words) for each in self.every)
        views = {word: each.views for word, each in zip(words, self.every, strict=True)}
        names = tuple(each.label.name for each in self.every)
        return AskedWords((), WHOLE, words, names, views=views)

    def presses(self, moves: OpenMoves, custom_id: CustomId) -> list[Control]:
        """The buttons, then kinds of action that are one press anyway, and a select of all actions
        by kind where there are more. What ends the turn stands last of the buttons."""
        labels = {
            kind: moves.marked((kind,), moves.kind_label(kind, self.kinds)) for kind in self.kinds
        }
        # To do something without ending the turn with it is rarely wanted.
        held = {each.custom_id.words[0] for each in self.every}
        whole = [kind for kind in self.kinds if moves.is_whole((kind,))]
        at_once = [kind for kind in whole if kind not in held]
        found = [(each.custom_id, each.label) for each in self.best]
        found += [(custom_id.then(kind), labels[kind]) for kind in at_once]
        found.sort(key=lambda each: each[0].words == (END,))
        presses = [button(*each) for each in found]
        if len(self.best) < len(self.every) or len(at_once) < len(self.kinds):
            listed = [(each.custom_id.words, each.label) for each in self.every]
            for kind, label in labels.items():
                text = label.text if kind in whole else f"{label.text}…"
                listed.append(((kind,), label._replace(text=text)))
            # Stable: of a kind, those that are chosen word by word come after the whole ones.
            listed.sort(key=lambda each: moves.kinds.index(each[0][0]))
            options = [option(written(words), label) for words, label in listed[:MAX_OPTIONS]]
            every = moves.table_view.words.plural(
                "All {count} action…", "All {count} actions…", len(options)
            )
            presses.append(select(custom_id._replace(verb="whole"), options, every))
        return presses


async def menu_of(moves: OpenMoves) -> WholeMenu | None:
    """The menu of what the seat is asked; None where that is better answered word by word."""
    if moves.main is None:
        return None
    try:
        # It plans ahead, which must not keep others waiting.
        return await in_thread(_menu_of, moves, moves.main)
    # However a menu fails, the game goes on word by word.
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
    lacking = title.lacking({each.custom_id.words for each in found}, moves.choices, moves.asked)
    found = found[: MAX_OPTIONS - len(lacking)]
    usual = sorted(found, key=lambda each: moves.place_of(each.custom_id.words))
    best = found if len(found) <= MAX_BUTTONS else found[:BEST]
    first = found[0]
    # A menu in the usual order says that none is better than the others.
    is_ranked = len(found) < 3 or found != usual
    harmless = first.label.style is not Style.DANGER and first.custom_id.words[0] != END
    return WholeMenu(
        usual,
        [each for each in usual if each in best],
        lacking,
        first.custom_id if is_ranked and harmless else None,
    )


def entries(moves: OpenMoves, decision: Decision, actions: Sequence[Action]) -> Iterator[MenuEntry]:
    """Those whose words an id has room for; of two that nobody can tell apart the better one.

    It tries actions, which takes a while.
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
        label = table_view.text.whole(action, views)
        if label.text not in texts:
            texts.add(label.text)
            yield MenuEntry(custom_id, moves.marked(action, label), views)
