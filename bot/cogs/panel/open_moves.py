"""The legal moves of a seat at one moment, word by word, and which of them need confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from random import Random

from bot.cogs.panel.browsing import in_order, is_large
from bot.cogs.ui import (
    Control,
    CustomId,
    Forged,
    Reply,
    Services,
    TableView,
    TooLong,
    button,
    integer,
    without_hash,
)
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import (
    END,
    Action,
    Decision,
    IllegalAction,
    Seat,
    canonical,
    in_turn,
    offer_of,
)
from bot.game.events import GameEnded
from bot.game.trial import NoChance
from bot.tables import Rejected
from bot.text import Label, Style, Summary, game_end
from bot.workers import in_thread

COMPUTERS_S = 1.0
"""Seconds that a reply waits for computer players, to ask for the player's next decision."""
NOTHING = "-"
"""The empty word, as players type it and as autocomplete and selects offer it."""
PACKED, SPELT = "~", "="
"""Prefixes of a packed action, and of a word in it that is spelt out."""
HASH_BYTES = 5
MAX_PACKED = 20
"""Words that a packed action may have."""


class OpenMoves:
    """The moves of a seat in a view of the table."""

    def __init__(self, services: Services, table_view: TableView, seat: Seat) -> None:
        self._services = services
        self.table_view = table_view
        self.seat = seat
        self.game = table_view.title.game
        self.main = table_view.main(seat)
        """The seat's first decision."""
        self.offers = table_view.offers(seat)
        """Open offers to the seat."""
        self._choices: dict[Action, Choices] = {}
        kinds = self.choices(())
        self.kinds = kinds.values if isinstance(kinds, OneOf) else ()
        """The kinds of action that are open to the seat."""
        self.free = tuple(kind for kind in self.kinds if self.game.moves[kind].free)
        """The kinds that the seat may do at any time."""
        self.asked = tuple(kind for kind in self.kinds if kind not in self.free)
        """The kinds that answer the seat's decision."""

    def is_open(self, pressed: str) -> bool:
        """Return whether the decision that a button answers is open to the seat."""
        own = (each for each in self.table_view.pending if each.seat == self.seat)
        return pressed in map(self.table_view.button_id, own)

    def refusal_code(self, pressed: str | None) -> str:
        """Return the code of the refusal: the decision is another seat's, or no longer open."""
        others = {each.id for each in self.table_view.pending if each.seat != self.seat}
        return "foreign" if without_hash(pressed) in others else "stale"

    # Word by word

    def choices(self, action: Action) -> Choices:
        """Return the domain of the next word, `Done` for a whole action. Raise IllegalAction."""
        if action not in self._choices:
            self._choices[action] = self.table_view.legal(self.seat, action)
        return self._choices[action]

    def is_whole(self, action: Action) -> bool:
        """Return whether the action is complete. Raise IllegalAction."""
        return isinstance(self.choices(action), Done)

    def forward(self, action: Action) -> Action:
        """Return the action with all next words that have no alternative. Raise IllegalAction."""
        while True:
            choices = self.choices(action)
            only = None if isinstance(choices, Done) else choices.only()
            if only is None:
                return action
            action = (*action, only)

    def back(self, action: Action) -> Action | None:
        """Return the words before the last real choice; None if there was none."""
        for length in reversed(range(len(action))):
            choices = self.choices(action[:length])
            if not isinstance(choices, Done) and choices.only() is None:
                return action[:length]
        return None

    async def typed(self, kind: str, words: Sequence[str | None]) -> Action:
        """Return the action that a player typed, up to the first parameter that is left open.

        An omitted word without an alternative is filled in. Raise Unreadable or IllegalAction.
        """
        action: Action = (kind,)
        for text in words:
            choices = self.choices(action)
            if isinstance(choices, Done):
                break
            if text == NOTHING and choices.admits(""):
                word: str | None = ""
            elif text is not None:
                word = await self.read(action, text)
            else:
                word = choices.only()
            if word is None:
                break
            action = (*action, word)
        self.choices(action)
        return action

    async def read(self, action: Action, text: str) -> str:
        """Return the next word that a player typed. Raise Unreadable.

        Runs off the event loop for a large domain: there are many names to compare.
        """
        choices, table_view = self.choices(action), self.table_view
        if is_large(choices):
            return await in_thread(table_view.text.read, choices, text, action)
        return table_view.text.read(choices, text, action)

    def place_of(self, action: Action) -> tuple[tuple[int, ...], ...]:
        """Return the key that sorts an action into the usual order: words as the rules list them,
        numbers by size, few pieces before many. Of joined actions only the first counts, then the
        number of words.
        """
        first, *_ = in_turn(action)
        place: list[tuple[int, ...]] = []
        for length, word in enumerate(first):
            choices = self.choices(first[:length])
            if isinstance(choices, OneOf):
                place.append((in_order(choices.values).index(word),))
            elif isinstance(choices, Bundle):
                place.append((len(word), *map(in_order(choices.alphabet).index, word)))
            else:
                place.append((int(word),))
        return (*place, (len(action),))

    # In custom ids

    def fitting(self, custom_id: CustomId, *words: str) -> CustomId:
        """Return the id with more words, packing those it has if they would not fit otherwise.

        Raise Rejected if they are still too long.
        """
        full = custom_id.then(*words)
        try:
            full.encoded()
        except TooLong as error:
            try:
                full = custom_id._replace(words=(self._packed(custom_id.words), *words))
                full.encoded()
            except TooLong:
                raise Rejected("too_long") from error
        return full

    def _packed(self, action: Action) -> str:
        """Return an action as one short word, for `unpacked`.

        Each word becomes its index in its domain, or is spelt out if the domain has no list. A
        short hash of the words detects an index that has changed its meaning. Raise TooLong if the
        action cannot be packed.
        """
        parts = []
        for place, word in enumerate(action):
            choices = self.choices(action[:place])
            if isinstance(choices, OneOf) and word in choices.values:
                parts.append(str(choices.values.index(word)))
            else:
                parts.append(f"{SPELT}{word}")
        if any(PACKED in part for part in parts):
            raise TooLong(canonical(action))
        return PACKED + PACKED.join([*parts, _hash(action)])

    def unpacked(self, words: Action) -> Action | None:
        """Return the words of an id, which `fitting` may have packed; None if they no longer mean
        the same action.

        Raise Forged for a word that `fitting` cannot have written.
        """
        if not words or not words[0].startswith(PACKED):
            return words
        *parts, expected = words[0].removeprefix(PACKED).split(PACKED)
        if len(parts) > MAX_PACKED:
            raise Forged(*words)
        action: Action = ()
        for part in parts:
            if part.startswith(SPELT):
                action = (*action, part.removeprefix(SPELT))
                continue
            number = integer((part,))
            try:
                choices = self.choices(action)
            except IllegalAction:
                return None
            if not isinstance(choices, OneOf) or number not in range(len(choices.values)):
                return None
            action = (*action, choices.values[number])
        return (*action, *words[1:]) if expected == _hash(action) else None

    # Labels and warnings

    def kind_label(self, kind: str, kinds: tuple[str, ...]) -> Label:
        """Return the label of one of several kinds of action."""
        return self.table_view.label((), OneOf("kind", kinds), kind)

    def marked(self, words: Action, label: Label) -> Label:
        """Return the label, with a note if these words end the game."""
        actions = in_turn(words)
        if len(actions) == 1:
            actions = [self.forward(words)]
            if not self.is_whole(actions[0]):
                return label
        end = self.table_view.end_of(self.seat, actions)
        return label if end is None else game_end.marked(self.table_view.words, label, end)

    async def is_weighty(self, *actions: Action) -> bool:
        """Return whether to confirm the actions first: they end the game, or the first is dangerous
        or is an offer that may include promises."""
        return (
            self.table_view.end_of(self.seat, actions) is not None
            or self.may_promise(actions[0])
            or await self.is_dangerous(actions[0])
        )

    def may_promise(self, action: Action) -> bool:
        """Return whether the action may include promises: it is an offer to a human player."""
        game, table = self.game, self.table_view.table
        if not game.moves[action[0]].offers or len(table.humans) < 2:
            return False
        # Try the offer on a determinized copy to see which seats it asks.
        copy = game.determinize(self.table_view.view, Random(0))
        before = {each.id for each in game.pending(copy)}
        game.apply(copy, self.seat, action, NoChance())
        asked = [each.seat for each in game.pending(copy) if each.id not in before]
        return any(table.players[seat].is_human for seat in asked)

    async def is_dangerous(self, action: Action) -> bool:
        """Return whether the player would regret the action if pressed by accident: a raid, or
        ending the turn with useful moves left."""
        styles = {kind: self.kind_label(kind, self.asked).style for kind in self.asked}
        if action[0] == END:
            user = self.table_view.table.players[self.seat].user
            people = self._services.tables.people
            is_asked = user is None or (await people.get(user)).confirm_end
            return is_asked and Style.SUCCESS in styles.values()
        return styles.get(action[0]) is Style.DANGER

    # Offers

    def answers_to(self, offer: Decision) -> list[str]:
        """Return the kinds of action that answer an open offer."""
        domains = {kind: self.choices((kind,)) for kind in self.free}
        return [
            kind
            for kind, domain in domains.items()
            if isinstance(domain, OneOf)
            and domain.param == "offer"
            and domain.admits(offer_of(offer))
        ]

    @cached_property
    def answers(self) -> set[str]:
        """The kinds of action that answer any open offer."""
        return {kind for offer in self.offers for kind in self.answers_to(offer)}

    @property
    def other_free(self) -> tuple[str, ...]:
        """The free kinds of action that do not answer an offer."""
        return tuple(kind for kind in self.free if kind not in self.answers)

    def answer_buttons(self, offer: Decision) -> list[Control]:
        """Return a button for each kind of answer to an offer."""
        number, table = offer_of(offer), self.table_view.table.id
        custom_id = CustomId("act", table, self.table_view.button_id(offer))
        labels = {kind: self.kind_label(kind, self.free) for kind in self.answers_to(offer)}
        return [
            button(custom_id.then(kind, number), self.marked((kind, number), label))
            for kind, label in labels.items()
        ]


async def moves_after(
    services: Services, reply: Reply, table_id: int, since: int
) -> tuple[OpenMoves, Summary]:
    """Wait for the computer players, then return the user's moves and a summary of the events that
    they may see after log entry `since`."""
    await services.tables.computers.until_idle(table_id, COMPUTERS_S)
    moves = await moves_of(services, reply, table_id)
    events = await services.tables.reader.visible_events_since(moves.table_view, since)
    # The panel itself shows the result of a finished game.
    events = [each for each in events if not isinstance(each, GameEnded)]
    return moves, moves.table_view.summary(events)


async def moves_of(services: Services, reply: Reply, table_id: int) -> OpenMoves:
    """Return the user's moves in the current view of the table. Raise not_seated."""
    table_view = await services.seat_view(table_id, reply.user, reply.words)
    return OpenMoves(services, table_view, table_view.observer)


def _hash(action: Action) -> str:
    return blake2b(canonical(action).encode(), digest_size=HASH_BYTES).hexdigest()
