"""What the computer players of Flandern 1302 go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, zip_longest
from math import inf
from operator import itemgetter
from random import Random

from bot.game.choices import Choices, Done, OneOf
from bot.game.contract import Action, Decision, joined
from bot.game.flandern import GAME
from bot.game.flandern.building import tile_of, tiles_at
from bot.game.flandern.city import NONE, city_plots, sites_of
from bot.game.flandern.data import (
    CARD_OF_KEY,
    CARDS,
    GUILDS,
    PLACE_NAMES,
    PLACE_OF_NAME,
    SITE,
    TAKE,
    members,
)
from bot.game.flandern.scoring import score_of
from bot.game.flandern.state import (
    FlandernOver,
    FlandernState,
    FlandernView,
    card_in_play,
    city_in_play,
    open_cities,
    turn_of_two,
    turn_order,
)
from bot.game.hidden import UNSEEN, View
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.flandern.promises import WEIGHTS, CityPromise, FlandernWeights, promises_by
from bot.policy.orders import ON, Order

WEIGHED = 3
"""For how many cards it is thought out how to play them, which takes long."""
OFFERED, ALIKE = 24, 3
"""Actions on a menu; and of those with one card in the turn of two players, so many are thought
about."""
FETCHED = 2
"""So many cards at least are worth the round in which they are taken back."""
INFLUENCE = 0.45
"""What an influence card in hand is worth, by how games of the normal player have ended."""
SURE, A_PLOT = 2.0, 0.33
"""The points by which leads are told apart: at the end, and for each free plot."""

NORMAL = WEIGHTS["normal"]
NO_WAY: Rated = (0.0, ())


def ways_in(about: CityPromise, guild: int, *, site: bool) -> list[Rated]:
    """All that a card could do in a city with quarters of a guild, of the grey one and of the
    church, the best first."""
    found = about.ways.get((guild, site))
    if found is None:
        found = []
        city, now = about.city, about.now
        names, kind = PLACE_NAMES[city.number], "site" if site else "build"
        for plot in members(city_plots(about.stock, city, guild)):
            for word in tiles_at(about.stock, guild, city, plot):
                after = about.after_building(*tile_of(word, plot), plot, site=site)
                found.append((after - now, (kind, names[plot], word)))
        for plot in () if site else members(sites_of(city, guild)):
            action = ("complete", names[plot])
            found.append((about.after(action).now - now, action))
        found.sort(reverse=True)
        about.ways[guild, site] = found
    return found


class Outlook:
    """The table as the observer of a view judges it."""

    def __init__(self, view: FlandernView, weights: FlandernWeights, only: int = NONE) -> None:
        self.state, self.seat = view.known, view.observer
        players = self.state.players
        self.player, self.judge = players[self.seat], promises_by(weights)
        # It plays for its own guilds, and against the others.
        gains = [0.0] * GUILDS
        for each in players:
            for guild in each.guilds:
                gains[guild] = -weights.rivals[len(players) - 2] / (len(players) - 1)
        for guild in self.player.guilds:
            gains[guild] = 1.0
        stock = tuple(map(tuple, self.state.stock))
        self.cities: dict[int, CityPromise] = {}
        """The open ones, or `only` that one."""
        for city in open_cities(self.state):
            if only not in (city.number, NONE):
                continue
            lying = sum([1 << each.guild for each in players if city.number in each.open])
            self.cities[city.number] = self.judge.city(city, stock, lying, tuple(gains))

    def ways(self, card: int, guild: int) -> list[list[Rated]]:
        """What a card of a city or of a site can do with quarters of a guild, by city, the best
        first; others do nothing there."""
        if card < SITE:
            return [ways_in(self.cities[card], guild, site=False)]
        cities = self.cities.values() if card == SITE and self.state.site_pieces else ()
        return [ways_in(city, guild, site=True) for city in cities]

    def gain(self, action: Action) -> float:
        """What an action on a place gains."""
        city = self.cities[PLACE_OF_NAME[action[1]][0]]
        return city.after(action).now - city.now

    def cards(self) -> list[tuple[float, int]]:
        """The cards of the hand with what they gain, the best first. To take back is as good as
        what is gained in a round on average, the rounds of taking back counted in; but a single
        card is not fetched while another gains anything. A golden card may do it for nothing."""
        state, player, guild = self.state, self.player, self.player.guild
        cards = [card for card in (*player.hand, *player.open) if card != TAKE]
        gains = {
            card: max((ways[0] for ways in self.ways(card, guild) if ways), default=NO_WAY)[0]
            for card in cards
        }
        sums = accumulate(sorted(gains.values(), reverse=True))
        back = max(total / (count + 2) for count, total in enumerate(sums))
        if state.golden_card == TAKE and (state.revealed or self.seat == state.first):
            back = -inf
        elif len(player.open) < FETCHED:
            back = min(back, 0.0)
        found = [(gains[card], card) for card in player.hand if card != TAKE]
        return sorted([*found, (back, TAKE)], key=itemgetter(0), reverse=True)

    def influence(self, gain: float, card: int) -> int:
        """How many influence cards to lay out with a card: one, where somebody who acts before
        could take much of what it would gain."""
        state, loss, own = self.state, self.judge.weights.loss, self.player.guild
        order = turn_order(state)
        before = order[: order.index(self.seat)]
        if card >= SITE or not self.player.influence or gain <= loss:
            return 0
        city, left = self.cities[card], [gain]
        for rival in (state.players[seat] for seat in before):
            if card not in rival.open:
                gains = [1.0 if each == rival.guild else -1 / GUILDS for each in range(GUILDS)]
                seen = self.judge.city(city.city, city.stock, city.lying, tuple(gains))
                theirs = ways_in(seen, rival.guild, site=False)
                then = city.after(theirs[0][1]) if theirs else city
                left.append(max(ways_in(then, own, site=False), default=NO_WAY)[0])
        return int(gain - min(left) > loss)


def _unlike(ways: Iterable[Sequence[Rated]]) -> list[Rated]:
    """The best first, without what gains as much as one before: most often it is the same quarter
    on a plot that is like the other."""
    found = sorted(chain.from_iterable(ways))
    return [*{round(each[0], 6): each for each in found}.values()][::-1]


def _varied(actions: Iterable[Action]) -> list[Action]:
    """First the best that builds each emblem and the best that completes a site: many plots of a
    city are alike, and would leave no room for anything else."""
    alike: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        # The emblem of a quarter, or the city of a site.
        alike[action[-1].partition("-")[0]].append(action)
    return [action for row in zip_longest(*alike.values()) for action in row if action]


class FlandernJudgement(Judgement[FlandernState]):
    """What gains most first."""

    by_chance = ("guild", "control")

    def rated(
        self, view: FlandernView, decision: Decision, legal: Legal, weights: FlandernWeights
    ) -> Sequence[Rated]:
        """By what cities then promise the guilds of the seat, and of the others."""
        kind, outlook = decision.kind, Outlook(view, weights, city_in_play(view.known))
        match kind:
            case "look":
                return [(0.0, ("look",))]
            case "choose":
                return self._choices(outlook)
            case "turn":
                return self._turn(outlook, _words(legal(())))
            case "city" | "site":
                card = card_in_play(view.known)
                assert card is not None
                city = city_in_play(view.known)
                ways = outlook.ways(SITE if city == NONE else city, card.guild)
                return sorted(chain.from_iterable(ways), reverse=True)
            case "cathedral" | "leader":
                found = [(kind, word) for word in _words(legal((kind,)))]
                rated = [(outlook.gain(action), action) for action in found]
                return sorted(rated, key=itemgetter(0), reverse=True)
        return [(0.0, (kind, word)) for word in _words(legal((kind,)))]

    def _choices(self, outlook: Outlook) -> Sequence[Rated]:
        """Each card with as many influence cards as it deserves; then those that act on the board
        with any other number."""
        cards = outlook.cards()
        best = [
            (gain, _choice(card, outlook.influence(gain, card) if place < WEIGHED else 0))
            for place, (gain, card) in enumerate(cards)
        ]
        others = [
            (gain, _choice(card, laid))
            for laid in range(outlook.player.influence + 1)
            for gain, card in cards
            if card != TAKE
        ]
        return [*best, *(each for each in others if each not in best)]

    def _turn(self, outlook: Outlook, kinds: Sequence[str]) -> Sequence[Rated]:
        """Of two players: to draw comes first, as the card of one's own can be chosen better
        then; a card of the hand goes with what it does."""
        found = list[Rated]()
        for gain, card in outlook.cards() if "take" in kinds else ():
            play = ("take",) if card == TAKE else ("play", CARDS[card])
            ways = _unlike(outlook.ways(card, outlook.player.guild))
            found += [(gain, joined(play, way)) for gain, way in ways[:ALIKE]] or [(gain, play)]
        found.sort(key=itemgetter(0), reverse=True)
        return [(inf, ("draw",)), *found] if "draw" in kinds else found

    def best(
        self,
        view: FlandernView,
        decision: Decision,
        legal: Legal,
        rng: Random,
        weights: FlandernWeights | None = None,
    ) -> Action:
        """The same as the first that is rated. A turn of two players is answered in fewer steps, as
        imagined games are full of them."""
        if decision.kind != "turn":
            return super().best(view, decision, legal, rng, weights)
        if not turn_of_two(view.known).drawn:
            return ("draw",)
        _, card = Outlook(view, weights or NORMAL).cards()[0]
        return ("take",) if card == TAKE else ("play", CARDS[card])

    def aim(self, action: Action) -> Action:
        """Of the ways to play a card of the hand only the best is offered."""
        return action[:2] if action[0] == "play" else action

    def arranged(
        self, view: FlandernView, decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """The best cards are offered with the best that each can do, and all without."""
        found = [*actions[:OFFERED]]
        if decision.kind in ("city", "site"):
            return _varied(found)
        if decision.kind == "turn":
            plays = [action for action in found if len(action) > 2]
            found = [action[:2] if action in plays[WEIGHED:] else action for action in found]
            found += [action[:2] for action in plays[:WEIGHED]]
        return found

    def candidates(self, view: FlandernView, decision: Decision, legal: Legal) -> Sequence[Action]:
        """As on the menu, but only one of what is alike, and with more than the best of a card."""
        if decision.kind not in ("city", "site", "turn"):
            return super().candidates(view, decision, legal)
        found = self.rated(view, decision, legal, NORMAL)
        if decision.kind == "turn":
            actions = [action for _, action in found]
            return actions[:1] if actions[0] == ("draw",) else actions[: self.most]
        return _varied([action for _, action in _unlike([found])])[: self.most]

    def determinize(self, view: FlandernView, rng: Random) -> FlandernState:
        """What others have laid out face down is what they would lay out."""
        state = super().determinize(view, rng)
        for seat, player in enumerate(view.known.players):
            if player.card == UNSEEN:
                _, card, laid = self.quick(state, Decision("", seat, "choose"), rng)
                state.players[seat].card, state.players[seat].laid = CARD_OF_KEY[card], int(laid)
        return state

    def value(self, state: FlandernState) -> Sequence[float]:
        """Points scored, and what cities and influence cards promise."""
        total = [float(score_of(state, seat)) for seat in range(len(state.players))]
        if isinstance(state.frames[-1], FlandernOver):
            return total
        outlook = Outlook(View(0, state), NORMAL)
        for seat, player in enumerate(state.players):
            total[seat] += INFLUENCE * player.influence
            for city in outlook.cities.values():
                total[seat] += sum(city.points[guild] for guild in player.guilds)
        return total

    def spread(self, state: FlandernState) -> float:
        """What is promised of free plots comes out otherwise."""
        return SURE + A_PLOT * sum(city.free.bit_count() for city in open_cities(state))


def _choice(card: int, laid: int) -> Action:
    return "choose", CARDS[card], str(laid)


def _words(choices: Choices) -> tuple[str, ...]:
    """The words of a choice, which must be one of words."""
    assert isinstance(choices, OneOf)
    return choices.values


JUDGEMENT = FlandernJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, most=12)


# Standing orders for what needs no thought. Whether they answer tells nothing: who holds which
# cards can be worked out by all, and what cards can do lies open.


def forced(view: FlandernView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """The only action that there is, but for the golden card: whoever ended the last round can take
    that back until it is drawn."""
    if decision.kind == "look":
        return None
    action: Action = ()
    while not isinstance(choices := legal(action), Done):
        word = choices.only()
        if word is None:
            return None
        action = (*action, word)
    return action


def draw_first(view: FlandernView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """Of two players, a card of the deck before one of the hand."""
    drawn = turn_of_two(view.known).drawn
    return ("draw",) if decision.kind == "turn" and not drawn else None


ORDERS = {"forced": Order(ON, forced), "draw_first": Order(ON, draw_first)}
"""By name, in the order in which they answer."""
