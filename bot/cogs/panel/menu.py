"""The menu of a decision: what is one decision is one press.

The best whole actions are buttons, the others lines of a select below them. What the menu does not
hold is chosen word by word, from a row of the kinds of action that it lacks.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from bot.cogs.panel.open_moves import marked
from bot.cogs.ui.components import MAX_OPTIONS, Pressable, button, option, select
from bot.cogs.ui.custom_id import CustomId, TooLong, written
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import Done, OneOf
from bot.game.contract import END, Action, AnyGame, Decision, Seat, canonical, in_turn
from bot.game.trial import views_before
from bot.render.asked import WHOLE, AskedWords
from bot.tables.core.failures import describe
from bot.text import general
from bot.text.contract import Label, Style
from bot.text.words import Words
from bot.titles.title import Title
from bot.workers import in_thread

log = logging.getLogger(__name__)

MOST_BUTTONS = 8
"""Entries that are all buttons."""
BEST = 5
"""Of more entries so many are buttons."""
MOST_KINDS = 5
"""Kinds of action below a menu that are all buttons: on a phone each may take a line."""


class MenuEntry(NamedTuple):
    """A whole action, or several joined, as the id of a press, and what it is called; with the
    views before each, as `views_before` gives them."""

    custom_id: CustomId
    label: Label
    views: Sequence[Any]


class WholeMenu(NamedTuple):
    """What is offered whole: the `best` as buttons, and the `rest`.

    `kinds` are the kinds of action that are to be offered besides: some of theirs is in neither.
    """

    best: Sequence[MenuEntry]
    rest: Sequence[MenuEntry]
    kinds: tuple[str, ...]
    ending: frozenset[str] = frozenset()
    """Of those kinds the ones that it holds wholly with the end of the turn joined to them."""

    @property
    def about(self) -> tuple[str, ...]:
        """The one kind of action, beside such as are a press anyway, that is offered."""
        entries = (each.custom_id.words for each in (*self.best, *self.rest))
        found = dict.fromkeys(words[0] for words in entries if len(words) > 1)
        return tuple(found) if len(found) == 1 else ()

    @property
    def asked(self) -> AskedWords:
        """What a picture highlights."""
        entries = (*self.best, *self.rest)
        words = tuple(canonical(each.custom_id.words) for each in entries)
        views = {word: each.views for word, each in zip(words, entries, strict=True)}
        names = tuple(each.label.name for each in entries)
        return AskedWords((), WHOLE, words, names, views=views)

    def presses(self, words: Words) -> list[Pressable]:
        """The buttons, and a select of the rest."""
        found = [button(each.custom_id, each.label) for each in self.best]
        if self.rest:
            options = [option(written(each.custom_id.words), each.label) for each in self.rest]
            custom_id = self.rest[0].custom_id._replace(verb="whole", words=())
            more = words.phrase(general.MORE_ACTIONS, len(self.rest))
            found.append(select(custom_id, options, more))
        return found

    def kind_presses(self, snapshot: Snapshot, seat: Seat, custom_id: CustomId) -> list[Pressable]:
        """What leads to the kinds that it lacks: quieter than what is offered whole.

        A select holds what is rarely wanted, to do something without ending the turn with it; where
        the kinds are many, also those that need more words.
        """
        domain = OneOf("kind", self.kinds)
        labels = {
            kind: marked(snapshot, seat, (kind,), snapshot.label((), domain, kind))
            for kind in self.kinds
        }
        are_many = len(self.kinds) > MOST_KINDS
        folded = [
            kind
            for kind in self.kinds
            if kind in self.ending or (are_many and not _is_whole(snapshot, seat, kind))
        ]
        found = [
            button(custom_id.then(kind), label, style=_quiet(label.style))
            for kind, label in labels.items()
            if kind not in folded
        ]
        if folded:
            options = [option(kind, labels[kind]) for kind in folded]
            pick = custom_id._replace(verb="pick")
            found.append(select(pick, options, snapshot.words(general.OTHER_ACTIONS)))
        return found


def _is_whole(snapshot: Snapshot, seat: Seat, kind: str) -> bool:
    return isinstance(snapshot.legal(seat, (kind,)), Done)


def _quiet(style: Style) -> Style:
    return style if style is Style.DANGER else Style.NORMAL


async def menu_of(
    title: Title, snapshot: Snapshot, decision: Decision, kinds: Sequence[str]
) -> WholeMenu | None:
    """The menu of a decision that can be answered by those kinds of action; None where it is better
    answered word by word.
    """
    try:
        # It plans ahead, which must not keep others waiting.
        return await in_thread(_menu_of, title, snapshot, decision, kinds)
    # However a menu fails, the game goes on word by word.
    except Exception as error:  # noqa: BLE001
        table, seq = snapshot.table.id, snapshot.seq
        log.error("table=%s seq=%s has no menu: %s", table, seq, describe(error))
        return None


def _menu_of(
    title: Title, snapshot: Snapshot, decision: Decision, kinds: Sequence[str]
) -> WholeMenu | None:
    legal = partial(snapshot.legal, decision.seat)
    offered = title.menu(snapshot.view, decision, legal)
    found = list(entries(title.game, snapshot, decision, offered))
    if not found:
        return None
    split = len(found) if len(found) <= MOST_BUTTONS else BEST
    best, rest = found[:split], found[split:]
    # What is a press anyway, as the end of a turn, is not hidden among much else.
    rest = [each for each in rest if len(each.custom_id.words) > 1][:MAX_OPTIONS]
    held = {each.custom_id.words for each in (*best, *rest)}
    ending = {first for first, *then in map(in_turn, held) if then == [(END,)]}
    lacking = title.lacking(held, legal, kinds)
    still_lacking = title.lacking(held | ending, legal, lacking)
    return WholeMenu(best, rest, lacking, frozenset(lacking) - {*still_lacking})


def entries(
    game: AnyGame, snapshot: Snapshot, decision: Decision, actions: Sequence[Action]
) -> Iterator[MenuEntry]:
    """Those whose words an id has room for; of two that nobody can tell apart the better one.

    It tries actions, which takes a while.
    """
    texts: set[str] = set()
    pressed = snapshot.pressed_as(decision)
    for action in actions:
        custom_id = CustomId("act", snapshot.table.id, pressed, action)
        try:
            custom_id.encoded()
        except TooLong:
            continue
        views = views_before(game, snapshot.view, in_turn(action))
        label = snapshot.text.whole(snapshot.words, action, views, snapshot.names)
        if label.text not in texts:
            texts.add(label.text)
            yield MenuEntry(custom_id, marked(snapshot, decision.seat, action, label), views)
