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
    turn_order,
    two_player_turn,
)
from bot.game.hidden import UNSEEN, View
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.flandern.valuation import WEIGHTS, CityValuation, FlandernWeights, evaluator_with
from bot.policy.orders import ON, Order

MAX_RATED_CARDS = 3
"""The limit of cards whose actions are rated, which takes long."""
MAX_MENU, MAX_PER_CARD = 24, 3
"""The limits of actions on a menu, and of candidates with the same card in a two-player turn."""
MIN_TAKEN_BACK = 2
"""The minimum number of open cards for which taking back is worth a round."""
INFLUENCE = 0.45
"""The value of an influence card in hand, fitted to results of the normal player."""
SPREAD_AT_END, SPREAD_PER_PLOT = 2.0, 0.33
"""The spread of a lead in points: at the end, and for each free plot."""

NORMAL = WEIGHTS["normal"]
NO_ACTION: Rated = (0.0, ())


def actions_in(valuation: CityValuation, guild: int, *, site: bool) -> list[Rated]:
    """Return all actions of a card in a city with quarters of a guild, the grey guild and the
    church, best first."""
    rated = valuation.actions.get((guild, site))
    if rated is None:
        rated = []
        city, now = valuation.city, valuation.now
        names, kind = PLACE_NAMES[city.number], "site" if site else "build"
        for plot in members(city_plots(valuation.stock, city, guild)):
            for word in tiles_at(valuation.stock, guild, city, plot):
                after = valuation.after_building(*tile_of(word, plot), plot, site=site)
                rated.append((after - now, (kind, names[plot], word)))
        for plot in () if site else members(sites_of(city, guild)):
            action = ("complete", names[plot])
            rated.append((valuation.after(action).now - now, action))
        rated.sort(reverse=True)
        valuation.actions[guild, site] = rated
    return rated


class FlandernValuation:
    """An evaluation of the table from an observer's view."""

    def __init__(self, view: FlandernView, weights: FlandernWeights, only: int = NONE) -> None:
        self.state, self.seat = view.known, view.observer
        players = self.state.players
        self.player, self.evaluator = players[self.seat], evaluator_with(weights)
        # Positive for its own guilds, negative for the others.
        gains = [0.0] * GUILDS
        for each in players:
            for guild in each.guilds:
                gains[guild] = -weights.rivals[len(players) - 2] / (len(players) - 1)
        for guild in self.player.guilds:
            gains[guild] = 1.0
        stock = tuple(map(tuple, self.state.stock))
        self.cities: dict[int, CityValuation] = {}
        """The open cities, or only `only`."""
        for city in open_cities(self.state):
            if only not in (city.number, NONE):
                continue
            opened = sum([1 << each.guild for each in players if city.number in each.open])
            self.cities[city.number] = self.evaluator.city(city, stock, opened, tuple(gains))

    def actions(self, card: int, guild: int) -> list[list[Rated]]:
        """Return the actions of a city card or site card with quarters of a guild, by city, best
        first. Other cards have none."""
        if card < SITE:
            return [actions_in(self.cities[card], guild, site=False)]
        cities = self.cities.values() if card == SITE and self.state.site_pieces else ()
        return [actions_in(city, guild, site=True) for city in cities]

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
        gains: dict[int, float] = {}
        for card in (*player.hand, *player.open):
            if card != TAKE:
                best = (actions[0] for actions in self.actions(card, guild) if actions)
                gains[card] = max(best, default=NO_ACTION)[0]
        sums = accumulate(sorted(gains.values(), reverse=True))
        take_gain = max(total / (count + 2) for count, total in enumerate(sums))
        if state.golden_card == TAKE and (state.revealed or self.seat == state.first):
            take_gain = -inf
        elif len(player.open) < MIN_TAKEN_BACK:
            take_gain = min(take_gain, 0.0)
        rated = [(gains[card], card) for card in player.hand if card != TAKE]
        return sorted([*rated, (take_gain, TAKE)], key=itemgetter(0), reverse=True)

    def influence(self, gain: float, card: int) -> int:
        """Return how many influence cards to add: one if a seat that acts earlier could take much
        of the gain."""
        state, loss, own = self.state, self.evaluator.weights.loss, self.player.guild
        order = turn_order(state)
        before = order[: order.index(self.seat)]
        if card >= SITE or not self.player.influence or gain <= loss:
            return 0
        city, left = self.cities[card], [gain]
        for rival in (state.players[seat] for seat in before):
            if card not in rival.open:
                gains = [1.0 if each == rival.guild else -1 / GUILDS for each in range(GUILDS)]
                for_rival = self.evaluator.city(city.city, city.stock, city.opened, tuple(gains))
                rival_actions = actions_in(for_rival, rival.guild, site=False)
                after = city.after(rival_actions[0][1]) if rival_actions else city
                left.append(max(actions_in(after, own, site=False), default=NO_ACTION)[0])
        return int(gain - min(left) > loss)


def _distinct(actions: Iterable[Sequence[Rated]]) -> list[Rated]:
    """Return the actions, best first, without those that gain as much as another one: usually the
    same quarter on an equivalent plot."""
    rated = sorted(chain.from_iterable(actions))
    return [*{round(each[0], 6): each for each in rated}.values()][::-1]


def _varied(actions: Iterable[Action]) -> list[Action]:
    """Put the best action that builds each emblem and the best that completes a site first. Many
    plots of a city are equivalent and would fill the list."""
    by_emblem: dict[str, list[Action]] = defaultdict(list)
    for action in actions:
        # By the emblem of a quarter, or the city of a site.
        by_emblem[action[-1].partition("-")[0]].append(action)
    return [action for row in zip_longest(*by_emblem.values()) for action in row if action]


class FlandernJudgement(Judgement[FlandernState]):
    """Rate actions by gain."""

    by_chance = ("guild", "control")

    def rated(
        self, view: FlandernView, decision: Decision, legal: Legal, weights: FlandernWeights
    ) -> Sequence[Rated]:
        """Rate actions by the expected points of cities for the seat's and other guilds."""
        kind, valuation = decision.kind, FlandernValuation(view, weights, city_in_play(view.known))
        match kind:
            case "look":
                return [(0.0, ("look",))]
            case "choose":
                return self._choices(valuation)
            case "turn":
                return self._turn(valuation, _words(legal(())))
            case "city" | "site":
                card = card_in_play(view.known)
                assert card is not None
                city = city_in_play(view.known)
                actions = valuation.actions(SITE if city == NONE else city, card.guild)
                return sorted(chain.from_iterable(actions), reverse=True)
            case "cathedral" | "leader":
                targets = [(kind, word) for word in _words(legal((kind,)))]
                rated = [(valuation.gain(action), action) for action in targets]
                return sorted(rated, key=itemgetter(0), reverse=True)
        return [(0.0, (kind, word)) for word in _words(legal((kind,)))]

    def _choices(self, valuation: FlandernValuation) -> Sequence[Rated]:
        """Return each card with the best number of influence cards; then cards that act on the
        board, with every other number."""
        cards = valuation.cards()
        best = [
            (gain, _choice(card, valuation.influence(gain, card) if place < MAX_RATED_CARDS else 0))
            for place, (gain, card) in enumerate(cards)
        ]
        others = [
            (gain, _choice(card, influence))
            for influence in range(valuation.player.influence + 1)
            for gain, card in cards
            if card != TAKE
        ]
        return [*best, *(each for each in others if each not in best)]

    def _turn(self, valuation: FlandernValuation, kinds: Sequence[str]) -> Sequence[Rated]:
        """Rate a two-player turn. Draw first, because then the choice of a hand card is better
        informed. Hand cards are joined with their actions."""
        rated = list[Rated]()
        for gain, card in valuation.cards() if "take" in kinds else ():
            play = ("take",) if card == TAKE else ("play", CARDS[card])
            actions = _distinct(valuation.actions(card, valuation.player.guild))
            plays = [(value, joined(play, action)) for value, action in actions[:MAX_PER_CARD]]
            rated += plays or [(gain, play)]
        rated.sort(key=itemgetter(0), reverse=True)
        return [(inf, ("draw",)), *rated] if "draw" in kinds else rated

    def best(
        self,
        view: FlandernView,
        decision: Decision,
        legal: Legal,
        rng: Random,
        weights: FlandernWeights | None = None,
    ) -> Action:
        """Return the best rated action, with a shortcut for two-player turns, because they are
        frequent in searches."""
        if decision.kind != "turn":
            return super().best(view, decision, legal, rng, weights)
        if not two_player_turn(view.known).drawn:
            return ("draw",)
        _, card = FlandernValuation(view, weights or NORMAL).cards()[0]
        return ("take",) if card == TAKE else ("play", CARDS[card])

    def aim(self, action: Action) -> Action:
        """Offer only the best way to play a card from the hand."""
        return action[:2] if action[0] == "play" else action

    def arranged(
        self, view: FlandernView, decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """Offer the best cards with their best actions, and all cards alone."""
        menu = [*actions[:MAX_MENU]]
        if decision.kind in ("city", "site"):
            return _varied(menu)
        if decision.kind == "turn":
            plays = [action for action in menu if len(action) > 2]
            menu = [action[:2] if action in plays[MAX_RATED_CARDS:] else action for action in menu]
            menu += [action[:2] for action in plays[:MAX_RATED_CARDS]]
        return menu

    def candidates(self, view: FlandernView, decision: Decision, legal: Legal) -> Sequence[Action]:
        """Return the menu without equivalent actions, and with several actions of each card."""
        if decision.kind not in ("city", "site", "turn"):
            return super().candidates(view, decision, legal)
        rated = self.rated(view, decision, legal, NORMAL)
        if decision.kind == "turn":
            actions = [action for _, action in rated]
            return actions[:1] if actions[0] == ("draw",) else actions[: self.max_candidates]
        return _varied([action for _, action in _distinct([rated])])[: self.max_candidates]

    def determinize(self, view: FlandernView, rng: Random) -> FlandernState:
        """Assume that the others have chosen as this player would."""
        state = super().determinize(view, rng)
        for seat, player in enumerate(view.known.players):
            if player.card == UNSEEN:
                _, card, count = self.quick(state, Decision("", seat, "choose"), rng)
                state.players[seat].card, state.players[seat].laid = CARD_OF_KEY[card], int(count)
        return state

    def value(self, state: FlandernState) -> Sequence[float]:
        """Return points scored plus the expected points of cities and influence cards."""
        total = [float(score_of(state, seat)) for seat in range(len(state.players))]
        if isinstance(state.frames[-1], FlandernOver):
            return total
        valuation = FlandernValuation(View(0, state), NORMAL)
        for seat, player in enumerate(state.players):
            total[seat] += INFLUENCE * player.influence
            for city in valuation.cities.values():
                total[seat] += sum(city.points[guild] for guild in player.guilds)
        return total

    def spread(self, state: FlandernState) -> float:
        """Return the spread of a lead, which grows with the free plots."""
        return SPREAD_AT_END + SPREAD_PER_PLOT * sum(
            city.free.bit_count() for city in open_cities(state)
        )


def _choice(card: int, influence: int) -> Action:
    return "choose", CARDS[card], str(influence)


def _words(choices: Choices) -> tuple[str, ...]:
    """Return the words of a `OneOf`."""
    assert isinstance(choices, OneOf)
    return choices.values


JUDGEMENT = FlandernJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, max_candidates=12)


# Standing orders. Whether an order answers reveals nothing: all players can work out which cards
# each seat holds and what they can do.


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
    drawn = two_player_turn(view.known).drawn
    return ("draw",) if decision.kind == "turn" and not drawn else None


ORDERS = {"forced": Order(ON, forced), "draw_first": Order(ON, draw_first)}
"""By name, in order of precedence."""
