"""How the computer players of Flandern 1302 rate actions."""

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
"""Cards whose actions are rated, which takes long."""
OFFERED, ALIKE = 24, 3
"""Actions on a menu; and, in a two-player turn, candidates with the same card."""
FETCHED = 2
"""The minimum of cards that are worth a round to take back."""
INFLUENCE = 0.45
"""The value of an influence card in hand, fitted to results of the normal player."""
SURE, A_PLOT = 2.0, 0.33
"""The spread of a lead in points: at the end, and for each free plot."""

NORMAL = WEIGHTS["normal"]
NO_WAY: Rated = (0.0, ())


def ways_in(about: CityPromise, guild: int, *, site: bool) -> list[Rated]:
    """Return all actions of a card in a city with quarters of a guild, the grey guild and the
    church, best first."""
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
    """An evaluation of the table from an observer's view."""

    def __init__(self, view: FlandernView, weights: FlandernWeights, only: int = NONE) -> None:
        self.state, self.seat = view.known, view.observer
        players = self.state.players
        self.player, self.judge = players[self.seat], promises_by(weights)
        # Positive for its own guilds, negative for the others.
        gains = [0.0] * GUILDS
        for each in players:
            for guild in each.guilds:
                gains[guild] = -weights.rivals[len(players) - 2] / (len(players) - 1)
        for guild in self.player.guilds:
            gains[guild] = 1.0
        stock = tuple(map(tuple, self.state.stock))
        self.cities: dict[int, CityPromise] = {}
        """The open cities, or only `only`."""
        for city in open_cities(self.state):
            if only not in (city.number, NONE):
                continue
            lying = sum([1 << each.guild for each in players if city.number in each.open])
            self.cities[city.number] = self.judge.city(city, stock, lying, tuple(gains))

    def ways(self, card: int, guild: int) -> list[list[Rated]]:
        """Return the actions of a city card or site card with quarters of a guild, by city, best
        first. Other cards have none."""
        if card < SITE:
            return [ways_in(self.cities[card], guild, site=False)]
        cities = self.cities.values() if card == SITE and self.state.site_pieces else ()
        return [ways_in(city, guild, site=True) for city in cities]

    def gain(self, action: Action) -> float:
        """Return the gain of an action on a plot."""
        city = self.cities[PLACE_OF_NAME[action[1]][0]]
        return city.after(action).now - city.now

    def cards(self) -> list[tuple[float, int]]:
        """Return the cards in hand with their gains, best first.

        Take is worth the average gain of a round, including rounds that take back, but a single
        card is not taken back while another card gains anything. A golden card may take back for
        free.
        """
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
        """Return how many influence cards to add: one if a seat that acts earlier could take much
        of the gain."""
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
    """Return the actions, best first, without those that gain as much as an earlier one: most often
    the same quarter on an equivalent plot."""
    found = sorted(chain.from_iterable(ways))
    return [*{round(each[0], 6): each for each in found}.values()][::-1]


def _varied(actions: Iterable[Action]) -> list[Action]:
    """Put the best action that builds each emblem and the best that completes a site first. Many
    plots of a city are equivalent and would fill the list."""
    alike: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        # By the emblem of a quarter, or the city of a site.
        alike[action[-1].partition("-")[0]].append(action)
    return [action for row in zip_longest(*alike.values()) for action in row if action]


class FlandernJudgement(Judgement[FlandernState]):
    """Rate actions by gain."""

    by_chance = ("guild", "control")

    def rated(
        self, view: FlandernView, decision: Decision, legal: Legal, weights: FlandernWeights
    ) -> Sequence[Rated]:
        """Rate actions by the expected points of cities for the seat's and other guilds."""
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
        """Return each card with the best number of influence cards; then cards that act on the
        board, with every other number."""
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
        """Rate a two-player turn: draw first, because the card from the hand is then better
        informed. Cards in hand come with their actions."""
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
        """Return the best rated action. A two-player turn takes a shortcut, because searches are
        full of them."""
        if decision.kind != "turn":
            return super().best(view, decision, legal, rng, weights)
        if not turn_of_two(view.known).drawn:
            return ("draw",)
        _, card = Outlook(view, weights or NORMAL).cards()[0]
        return ("take",) if card == TAKE else ("play", CARDS[card])

    def aim(self, action: Action) -> Action:
        """Offer only the best way to play a card from the hand."""
        return action[:2] if action[0] == "play" else action

    def arranged(
        self, view: FlandernView, decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """Offer the best cards with their best actions, and all cards alone."""
        found = [*actions[:OFFERED]]
        if decision.kind in ("city", "site"):
            return _varied(found)
        if decision.kind == "turn":
            plays = [action for action in found if len(action) > 2]
            found = [action[:2] if action in plays[WEIGHED:] else action for action in found]
            found += [action[:2] for action in plays[:WEIGHED]]
        return found

    def candidates(self, view: FlandernView, decision: Decision, legal: Legal) -> Sequence[Action]:
        """Return the menu with one of equivalent actions, and more than the best of each card."""
        if decision.kind not in ("city", "site", "turn"):
            return super().candidates(view, decision, legal)
        found = self.rated(view, decision, legal, NORMAL)
        if decision.kind == "turn":
            actions = [action for _, action in found]
            return actions[:1] if actions[0] == ("draw",) else actions[: self.max_candidates]
        return _varied([action for _, action in _unlike([found])])[: self.max_candidates]

    def determinize(self, view: FlandernView, rng: Random) -> FlandernState:
        """Assume that the others have chosen what this player would."""
        state = super().determinize(view, rng)
        for seat, player in enumerate(view.known.players):
            if player.card == UNSEEN:
                _, card, laid = self.quick(state, Decision("", seat, "choose"), rng)
                state.players[seat].card, state.players[seat].laid = CARD_OF_KEY[card], int(laid)
        return state

    def value(self, state: FlandernState) -> Sequence[float]:
        """Return points scored plus the expected points of cities and influence cards."""
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
        """Free plots make the expected points uncertain."""
        return SURE + A_PLOT * sum(city.free.bit_count() for city in open_cities(state))


def _choice(card: int, laid: int) -> Action:
    return "choose", CARDS[card], str(laid)


def _words(choices: Choices) -> tuple[str, ...]:
    """Return the words of a `OneOf`."""
    assert isinstance(choices, OneOf)
    return choices.values


JUDGEMENT = FlandernJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, max_candidates=12)


# Standing orders. Whether they answer reveals nothing: all players can work out who holds which
# cards and what these can do.


def forced(view: FlandernView, decision: Decision, legal: Legal, value: str) -> Action | None:
    """Return the only action, unless it draws the golden card: until then the last player of the
    round can undo."""
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
    """In a two-player game, draw before playing from the hand."""
    drawn = turn_of_two(view.known).drawn
    return ("draw",) if decision.kind == "turn" and not drawn else None


ORDERS = {"forced": Order(ON, forced), "draw_first": Order(ON, draw_first)}
"""By name, in order of precedence."""
