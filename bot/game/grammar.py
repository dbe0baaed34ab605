"""Rules: one description of the legal moves, used to list them and to check them.

A `Rule` describes one kind of action: a gate that may refuse it, a domain for each of its words,
and the function that performs it. `next_word` returns the domain after a prefix, `check` accepts
or refuses a whole action. Both use the same gates and domains, so they always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, TypeVar, TypeVarTuple

import msgspec

from bot.game.choices import Amount, Bundle, Choices, Domain, Done, OneOf
from bot.game.contract import Action, Chance, Event, Fact, IllegalAction, Move, Refusal, Seat

S = TypeVar("S")
Words = TypeVarTuple("Words")

DONE = Done()


class EventRecorder:
    """The context of an action in progress: its source of chance, and the events it causes."""

    __slots__ = ("chance", "events", "record")

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.events: list[Event] = []
        self.record: Callable[[Event], None] = self.events.append
        """Append an event. Its `only` and `but` say who sees it."""


Gate = Callable[[S, Seat], Refusal | None]
"""Returns None if the seat can begin and complete an action of this kind, otherwise the reason."""


def refuse(code: str, topic: str = "", /, **facts: Fact) -> Refusal:
    """Return a refusal. The default topic is that of the rule that refuses."""
    return Refusal(code, topic, facts)


def refuse_for(reasons: Mapping[str, object], topic: str = "", /, **facts: Fact) -> Refusal | None:
    """Return a refusal with the first code in `reasons` whose value is true, or None."""
    for code, applies in reasons.items():
        if applies:
            return Refusal(code, topic, facts)
    return None


# Both get all words so far, so only `RuleBuilder` can type their arguments.
_DomainOf = Callable[..., Domain]
_WhyNot = Callable[..., Refusal | None]


class Rule(msgspec.Struct, Generic[S], frozen=True):
    """One kind of action of a game with state `S`; build it with `rule`.

    Each domain is called with (state, seat, *words before). `perform` is called with (state, seat,
    recorder, *words), after all words have been checked. `why_not` has an optional function for
    each word that explains a wrong one; it is called with (state, seat, *words before, word).
    """

    move: Move
    gate: Gate[S]
    perform: Callable[..., None]
    domains: tuple[_DomainOf, ...] = ()
    why_not: tuple[_WhyNot | None, ...] = ()


class RuleBuilder(Generic[S, *Words]):
    """A rule under construction. `Words` are the types of its action's words so far."""

    def __init__(
        self,
        move: Move,
        gate: Gate[S],
        domains: tuple[_DomainOf, ...] = (),
        why_not: tuple[_WhyNot | None, ...] = (),
    ) -> None:
        self._move = move
        self._gate = gate
        self._domains = domains
        self._why_not = why_not

    def word(
        self,
        param: str,
        domain: Callable[[S, Seat, *Words], Domain],
        why_not: Callable[[S, Seat, *Words, str], Refusal | None] | None = None,
        among: Collection[str] | None = None,
    ) -> RuleBuilder[S, *Words, str]:
        """Add a word, whose domain may depend on the words before it.

        `why_not` explains a word outside the domain, or returns None for the general refusal. With
        `among`, it is called only for words in that collection.
        """
        move = msgspec.structs.replace(self._move, params=(*self._move.params, param))
        explain: _WhyNot | None = why_not
        if explain is not None and among is not None:
            explain = _for_words(explain, among)
        return RuleBuilder(move, self._gate, (*self._domains, domain), (*self._why_not, explain))

    def amount(
        self, param: str, domain: Callable[[S, Seat, *Words], Amount], minimum: int, maximum: int
    ) -> RuleBuilder[S, *Words, str]:
        """Add a number that can never be below `minimum` or above `maximum`."""
        builder = self.word(param, domain)
        amounts = {**builder._move.amounts, param: (minimum, maximum)}
        builder._move = msgspec.structs.replace(builder._move, amounts=amounts)
        return builder

    def does(self, perform: Callable[[S, Seat, EventRecorder, *Words], None]) -> Rule[S]:
        """Finish the rule with the function that changes the state."""
        return Rule(self._move, self._gate, perform, self._domains, self._why_not)


def rule(
    kind: str,
    topic: str,
    *gates: Gate[S],
    free: bool = False,
    offers: bool = False,
    skips: bool = False,
    idle: bool = False,
    on_opening: bool = False,
) -> RuleBuilder[S]:
    """Start a rule: add its words with `word` and `amount`, then finish it with `does`.

    The first of several gates to refuse decides. Without a gate, the action is always possible
    when its question is asked.
    """
    gate = gates[0] if gates else _always_open
    for other in gates[1:]:
        gate = _both(gate, other)
    move = Move(kind, (), topic, free, offers, skips, idle=idle, on_opening=on_opening)
    return RuleBuilder(move, gate)


def _always_open(state: object, seat: Seat) -> Refusal | None:
    return None


def _both(first: Gate[S], second: Gate[S]) -> Gate[S]:
    def gate(state: S, seat: Seat) -> Refusal | None:
        refusal = first(state, seat)
        return second(state, seat) if refusal is None else refusal

    return gate


def _for_words(why_not: _WhyNot, among: Collection[str]) -> _WhyNot:
    def explain(*given: Any) -> Refusal | None:
        return why_not(*given) if given[-1] in among else None

    return explain


def next_word(rule: Rule[S], state: S, seat: Seat, action: Action) -> Choices:
    """Return the domain of the word after `action`; `Done` if the action is complete.

    Raise IllegalAction if the action so far is not allowed.
    """
    refusal = rule.gate(state, seat)
    if refusal is not None:
        raise IllegalAction(_with_topic(rule, refusal), action, seat)
    before: Action = ()
    for domain_of, word in zip(rule.domains, action[1:], strict=False):
        domain = domain_of(state, seat, *before)
        if not domain.admits(word):
            refusal = _why_not(rule, state, seat, before, word, domain)
            raise IllegalAction(_with_topic(rule, refusal), action, seat, domain)
        before = (*before, word)
    return word_after(rule, state, seat, action)


def word_after(rule: Rule[S], state: S, seat: Seat, action: Action) -> Choices:
    """Like `next_word`, for an action whose gate and words are already checked.

    Raise IllegalAction if there are too many words.
    """
    domains, after = rule.domains, len(action) - 1
    if after < len(domains):
        return domains[after](state, seat, *action[1:])
    if after > len(domains):
        refusal = refuse("too_many_words", kind=rule.move.kind)
        raise IllegalAction(_with_topic(rule, refusal), action, seat)
    return DONE


def check(rule: Rule[S], state: S, seat: Seat, action: Action) -> None:
    """Raise IllegalAction unless the action is complete and allowed."""
    if _is_allowed(rule, state, seat, action[1:]):
        return
    # Only a wrong action pays for a second pass, which finds the reason.
    missing = next_word(rule, state, seat, action)
    assert not isinstance(missing, Done)
    refusal = refuse("incomplete", kind=rule.move.kind, param=missing.param)
    raise IllegalAction(_with_topic(rule, refusal), action, seat, missing)


def _is_allowed(rule: Rule[S], state: S, seat: Seat, words: Action) -> bool:
    domains = rule.domains
    if len(words) != len(domains) or rule.gate(state, seat) is not None:
        return False
    for index, domain_of in enumerate(domains):
        if not domain_of(state, seat, *words[:index]).admits(words[index]):
            return False
    return True


def _with_topic(rule: Rule[S], refusal: Refusal) -> Refusal:
    if refusal.topic:
        return refusal
    return msgspec.structs.replace(refusal, topic=rule.move.topic)


def _why_not(
    rule: Rule[S], state: S, seat: Seat, before: Action, word: str, domain: Domain
) -> Refusal:
    # A function that explains pieces must not get a word with other letters.
    readable = not isinstance(domain, Bundle) or domain.spells(word)
    explain = rule.why_not[len(before)]
    refusal = explain(state, seat, *before, word) if explain and readable else None
    if refusal is not None:
        return refusal
    facts: dict[str, Fact] = {"kind": rule.move.kind, "param": domain.param, "word": word}
    if isinstance(domain, Amount):
        return refuse("out_of_range", **facts, least=domain.minimum, most=domain.maximum)
    if isinstance(domain, OneOf) or not readable:
        return refuse("not_a_choice", **facts)
    for letter, have in zip(domain.alphabet, domain.have, strict=True):
        if word.count(letter) > have:
            return refuse("not_in_stock", **facts, pieces=word)
    if len(word) < domain.minimum:
        return refuse("too_few", **facts, count=domain.minimum)
    if len(word) > domain.maximum:
        return refuse("too_many", **facts, count=domain.maximum)
    return refuse("not_a_choice", **facts)
