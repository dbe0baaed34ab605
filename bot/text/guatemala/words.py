"""The words of Guatemala Café: questions, buttons and choices with their benefits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from bot.game.choices import Choices, OneOf
from bot.game.contract import END, THEN, Action, Decision, Seat, in_turn, joined
from bot.game.frames import frame_of
from bot.game.guatemala.buying import STEPS, price_of, step_cost
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    CONTENT,
    EMPTY,
    HUT,
    KINDS,
    POSITION_NAMES,
    POSITION_OF_NAME,
    ROAD,
    ROAD_KIND,
    SACK,
    SHIP,
    SPACE_OF_NAME,
    WORKER,
    colour_of,
    kind_of,
    piece,
)
from bot.game.guatemala.game import GAME
from bot.game.guatemala.plantation import CloserHut, closer_huts, joined_ports, nearest_ports
from bot.game.guatemala.sacks import NO, YES, crops
from bot.game.guatemala.state import NONE, Blocking, Buying, GuatemalaState, board_of
from bot.game.hidden import View
from bot.text.contract import Label, Style
from bot.text.game_words import Change
from bot.text.guatemala.table import NAMES, PORTS, GuatemalaTable, columns
from bot.text.markup import capital, uncapital
from bot.text.words import Message, msg

BUY, MOVE = "buy", "move"
ANSWER_LOOKS = {YES: ("✋", Style.DANGER), NO: ("👍", Style.NORMAL)}

MOVE_TEXTS: Mapping[tuple[bool, bool], tuple[Message, ...]] = {
    (False, False): (
        msg("Move {steps} → {where}: {offers}"),
        msg("Move {steps}: {offers}"),
    ),
    (True, False): (
        msg("Pay {price}, move {steps} → {where}: {offers}"),
        msg("Pay {price}, move {steps}: {offers}"),
    ),
    (False, True): (
        msg("Move {steps} → {where}, then {then}"),
        msg("Move {steps}, then {then}"),
        msg("{steps}: {then}"),
    ),
    (True, True): (
        msg("Pay {price}, move {steps} → {where}, then {then}"),
        msg("Pay {price}, move {steps}, then {then}"),
        msg("{steps} (−{price}): {then}"),
        msg("{steps}: {then}"),
    ),
}
"""Texts of a move, the longest first: by whether it costs money, and whether an action follows."""
PURCHASE_TEXTS: Mapping[tuple[bool, bool], tuple[Message, Message]] = {
    (False, False): (
        msg("{piece} → {place} for {price} · {brings}"),
        msg("{piece} → {place} for {price}"),
    ),
    (False, True): (
        msg("{piece} → {place} for {price} · {brings}, then end turn"),
        msg("{piece} → {place} for {price}, then end turn"),
    ),
    (True, False): (msg("{piece} → {place} · {brings}"), msg("{piece} → {place}")),
    (True, True): (
        msg("{piece} → {place} · {brings}, then end turn"),
        msg("{piece} → {place}, then end turn"),
    ),
}
"""Texts of a purchase, the longest first: by whether it is a road, and whether the turn ends."""
PURCHASES_TEXTS: Mapping[tuple[bool, bool], tuple[Message, Message]] = {
    (False, False): (msg("Buy {pieces} for {price}"), msg("{pieces} for {price}")),
    (False, True): (
        msg("Buy {pieces} for {price}, then end turn"),
        msg("{pieces} for {price}, then end turn"),
    ),
    (True, False): (msg("Take {pieces}"), msg("{pieces}")),
    (True, True): (msg("Take {pieces}, then end turn"), msg("{pieces}, then end turn")),
}
"""Texts of several purchases, the longest first: by whether they are free, and whether the turn
ends."""


class GuatemalaWords(GuatemalaTable, game=GAME, things=NAMES):
    """The words of Guatemala Café for one observer."""

    # Questions

    def question_facts(self, decision: Decision) -> Mapping[str, str]:
        return {"first": self.seat(self.known.first)}

    def ask_step(self, decision: Decision) -> str:
        """Return the money and the harvests of the sacks in reach; the buttons show the rest."""
        words, money = self.words, self.known.players[decision.seat].money
        facts = {"round": self.known.round, "money": self.counted("money", money)}
        lines = [words("Round {round}. You have {money}.", **facts)]
        for position in [self.position_after(int(n)) for n in STEPS if step_cost(int(n)) <= money]:
            sack = self.sack_in(position)
            if sack is not None and self.harvests(colour_of(sack)):
                facts = {"sack": self.with_sign(sack), "harvest": self.harvest(colour_of(sack))}
                where = self.fact("position", POSITION_NAMES[position])
                lines.append(capital(words("{where}, {sack}: {harvest}", where=where, **facts)))
        return "\n".join(lines)

    def ask_act(self, decision: Decision) -> str:
        """Return the money and the number of pieces left to buy; the picture shows the line."""
        words, frame = self.words, frame_of(self.known, Buying)
        left, amount = CONTENT.pieces - len(frame.emptied), self.known.players[decision.seat].money
        money = self.counted("money", amount)
        if not left:
            text = words("You have {money} and can't buy any more this turn.", money=money)
        elif not amount and ROAD not in self.line(self.known.buyer):
            text = words("You have no money, and there are no roads to take.")
        elif not amount:
            text = words.plural(
                "You have no money, but you can take {count} more road.",
                "You have no money, but you can take up to {count} roads.",
                left,
            )
        else:
            text = words.plural(
                "You have {money} for {count} more piece.",
                "You have {money} for up to {count} pieces.",
                left,
                money=money,
            )
        blocked = words("Your harvest was blocked. You can buy pieces instead.")
        return f"{blocked}\n{text}" if frame.blocked else text

    def ask_block(self, decision: Decision) -> str:
        """Return the harvest and whether the observer can block it."""
        words, colour = self.words, self.known.track[-1]
        sack = self.piece(piece(SACK, colour))
        lines = [
            words(
                "{seat} took the {sack}. Unless someone blocks: {harvest}.",
                seat=self.seat(self.known.turn),
                sack=sack,
                harvest=self.harvest(colour),
            )
        ]
        count = self._sacks_of(colour)
        if count:
            lines.append(
                words.plural(
                    "You have {count} {sack}, so you can block.",
                    "You have {count} of that colour, so you can block.",
                    count,
                    sack=sack,
                )
            )
        elif count is not None:
            lines.append(words("You have no {sack}, so you can't block.", sack=sack))
        lines.append(words("Your answer stays secret unless your block is the one that counts."))
        return "\n".join(lines)

    def _sacks_of(self, colour: int) -> int | None:
        """Return the number of the observer's sacks of a colour; None for a spectator."""
        return None if self.observer < 0 else self.known.players[self.observer].hand[colour]

    # The buyer

    def group_edge(self, prefix: Action, edge: str) -> Label:
        return Label(self.words(NAMES.edges[edge]), "🧭")

    def label_position(self, prefix: Action, position: str) -> Label:
        """Label a first position of the buyer with the pieces in its line."""
        where, offers = self.fact("position", position), self.offers(POSITION_OF_NAME[position])
        return Label(
            self.words("{name}: {where} · {offers}", name=position, where=where, offers=offers),
            "🧭",
        )

    def label_steps(self, prefix: Action, steps: str) -> Label:
        """Label a number of steps with their cost, the position and the pieces in its line."""
        facts = self._step(steps)
        if not facts["price"]:
            return Label(self.words("{steps}: {where} · {offers}", **facts), "🚶")
        return Label(self.words("{steps}: pay {price} · {where} · {offers}", **facts), "🪙")

    def _step(self, steps: str) -> dict[str, str | int]:
        position = self.position_after(int(steps))
        side, offers = self.fact("side", POSITION_NAMES[position]), self.offers(position)
        return {"steps": steps, "price": step_cost(int(steps)), "where": side, "offers": offers}

    # Buying

    def _piece_on(self, space: str) -> int:
        """Return the piece on a space of the production board.

        The space may be empty when an action is shown later; then it is a road, without a colour.
        """
        number = self.known.production[SPACE_OF_NAME[space]]
        return ROAD if number == EMPTY else number

    def label_piece(self, prefix: Action, space: str) -> Label:
        number = self._piece_on(space)
        text = self.words("{piece} · {space}", piece=capital(self.piece(number)), space=space)
        return Label(text, self.sign(number), called=space)

    def wording_piece(self, prefix: Action, space: str) -> str:
        """Return the name of a piece, or its space if that is empty."""
        is_empty = self.known.production[SPACE_OF_NAME[space]] == EMPTY
        return space if is_empty else self.piece(self._piece_on(space))

    def prompt_buy_place(self, prefix: Action, choices: Choices) -> str:
        """Return the question for the place of a piece, with the money and the prices."""
        words, number = self.words, self._piece_on(prefix[1])
        money = self.counted("money", self.known.players[self.known.turn].money)
        piece = self.piece(number)
        question = capital(
            words("Where does the {piece} go? You have {money}.", piece=piece, money=money)
        )
        if kind_of(number) not in (WORKER, HUT):
            return question
        costs = words(
            "It costs {coast} on the coast, {middle} in the middle and {mountains} in "
            "the mountains.",
            **{zone.key: zone.price(kind_of(number)) for zone in CONTENT.zones},
        )
        return f"{question} {costs}"

    def group_region(self, prefix: Action, region: str) -> Label:
        """Label a region of the plantation board with its price, or whether a road there helps.

        On the picture a region of columns has only their letters, to save space.
        """
        kind, board = kind_of(self._piece_on(prefix[1])), board_of(self.known)
        name = text = self.region(region)
        called = "" if board.has_paths else name[name.index(columns(board, int(region[0]))) :]
        if kind != ROAD_KIND:
            zone = next(zone for zone in CONTENT.zones if zone.key == region[1:])
            price = self.counted("price", zone.price(kind))
            text = self.words("{name} · {price}", name=name, price=price)
        elif any(
            board.region_of(board.roads[road].name) == region
            for road, huts in self._closer_huts().items()
            if any(seat == self.known.turn for seat, *_ in huts)
        ):
            text = self.words("{name} · brings a hut closer to port", name=name)
        return Label(text, "🗺️", called=called)

    def label_place(self, prefix: Action, place: str) -> Label:
        """Label a place with its price and the benefit of the piece there."""
        number = self._piece_on(prefix[1])
        costs = [] if number == ROAD else [self.counted("price", self._price(number, place))]
        parts = [self.place(place), *costs, self._benefit(number, place)]
        return Label(" · ".join(parts), self.sign(number))

    def _price(self, number: int, place: str) -> int:
        places = board_of(self.known).places[kind_of(number)]
        return price_of(self.known, kind_of(number), places[place])

    def _benefit(self, number: int, place: str) -> str:
        """Return the benefit of a piece in a place for the active seat."""
        kind, colour = kind_of(number), colour_of(number)
        if kind == ROAD_KIND:
            return self._road_benefit(place)
        if kind == SHIP:
            return self._ship_benefit(colour, board_of(self.known).port_of_name[place])
        return self._worker_benefit(colour) if kind == WORKER else self._hut_benefit(colour, place)

    def _worker_benefit(self, colour: int) -> str:
        """Return the harvest of a plantation with one more worker."""
        words, known = self.words, self.known
        player = known.players[known.turn]
        count = len(player.workers[colour])
        if not player.cells(colour):
            return words("new plantation")
        if player.huts[colour] == NONE:
            return words("{workers}, no hut yet", workers=self.workers(colour, count + 1))
        _, ships, points = crops(known, colour)[known.turn]
        return words("harvest {now}→{then}", now=points, then=(count + 1) * (ships + 1))

    def _hut_benefit(self, colour: int, place: str) -> str:
        """Return the harvest of a plantation with a hut there, and its connection to a port."""
        words, known, board = self.words, self.known, board_of(self.known)
        cell, roads = board.cell_of_name[place], (len(known.players), tuple(known.roads))
        count, ports = len(known.players[known.turn].workers[colour]), joined_ports(*roads)[cell]
        ships = sum(known.ports[port].count(colour) for port in ports)
        points = count * (ships + 1)
        harvest = (
            words("harvest {now}→{then}", now=0, then=points) if count else words("new plantation")
        )
        port, missing = nearest_ports(*roads)[cell]
        reaches = words("reaches {port}", port=self.place(board.ports[port].name))
        return f"{harvest}; {self.missing_roads(len(missing), port) if missing else reaches}"

    def _ship_benefit(self, colour: int, port: int) -> str:
        """Return the harvests that a ship would raise, the active seat's first."""
        known, raised = self.known, []
        for seat in sorted(range(len(known.players)), key=lambda seat: seat != known.turn):
            ports, _, points = crops(known, colour)[seat]
            if points and port in ports:
                new = points + len(known.players[seat].workers[colour])
                raised.append(f"{self.short_name(seat)} {points}→{new}")
        if not raised:
            return self.words("doesn't help a harvest yet")
        return self.words("harvests: {harvests}", harvests=", ".join(raised))

    def _closer_huts(self) -> Mapping[int, Sequence[tuple[Seat, int, CloserHut]]]:
        """Return, by road, the huts without a port that it would bring closer to one, each with its
        owner and colour."""
        players, roads = self.known.players, tuple(self.known.roads)
        joined = joined_ports(len(players), roads)
        owners = {
            hut: (seat, colour)
            for seat, player in enumerate(players)
            for colour, hut in enumerate(player.huts)
            if hut != NONE and not joined[hut]
        }
        by_road = closer_huts(len(players), roads, tuple(owners)).items()
        return {road: [(*owners[each.cell], each) for each in huts] for road, huts in by_road}

    def _road_benefit(self, place: str) -> str:
        """Return the hut that a road connects to a port, or brings closer if the player owns
        it."""
        words, board, turn = self.words, board_of(self.known), self.known.turn
        huts = self._closer_huts().get(board.road_of_name[place], ())
        for seat, colour, each in sorted(huts, key=lambda it: (it[0] != turn, it[2].missing)):
            hut, port = self.piece(piece(HUT, colour)), self.place(board.ports[each.port].name)
            if seat == turn and each.missing:
                missing = self.missing_roads(each.missing, each.port)
                return words("your {hut}: {roads}", hut=hut, roads=missing)
            if seat == turn:
                return words("connects your {hut} to {port}", hut=hut, port=port)
            if not each.missing:
                name = self.short_name(seat)
                return words("connects {seat}'s {hut} to {port}", hut=hut, seat=name, port=port)
        return words("doesn't help your huts")

    # Sacks and blocks

    def button_take(self, button: Label) -> Label:
        """Put the harvest, if no one blocks, in the text of the button."""
        sack = None if self.known.buyer == NONE else self.sack_in(self.known.buyer)
        if sack is None:
            return button
        text = self.words(
            "Take the {sack} (+{money}): {harvest}",
            sack=self.piece(sack),
            harvest=self.harvest(colour_of(sack)),
            money=CONTENT.harvest_money,
        )
        return button._replace(text=text, called=self.piece(sack))

    def label_answer(self, prefix: Action, answer: str) -> Label:
        """Label an answer with the harvest, or that no one would score."""
        emoji, style = ANSWER_LOOKS[answer]
        if not isinstance(self.known.frames[-1], Blocking):
            return Label(capital(self.fact("answer", answer)), emoji, style=style)
        colour = self.known.track[-1]
        if answer == NO:
            text = self.words("Don't block: {harvest}", harvest=self.harvest(colour))
        elif self.harvests(colour):
            text = self.words("Block: no one scores")
        else:
            text = self.words("Block, even though no one would score")
        return Label(text, emoji, style=style)

    def button_block(self, button: Label) -> Label:
        """Replace the button by the answer no if the observer can't block."""
        frame = self.known.frames[-1]
        if not isinstance(frame, Blocking) or self._sacks_of(frame.colour) != 0:
            return button
        return self.label_answer((), NO)

    def label_colour(self, prefix: Action, colour: str) -> Label:
        """Label a sack with its harvest now and the number left in hand.

        On the picture, where the sacks of a hand are close together, it has only its colour.
        """
        number = COLOUR_OF_KEY[colour]
        sack = piece(SACK, number)
        name, adjective = capital(self.piece(sack)), self.fact("colour", colour)
        called = adjective if adjective in name else capital(adjective)
        left = (self._sacks_of(number) or 0) - 1
        if left < 0:
            return Label(name, self.sign(sack), called=called)
        facts = {"sack": name, "harvest": self.harvest(number)}
        text = self.words("{sack} · {harvest} · your last one", **facts)
        if left:
            text = self.words("{sack} · {harvest} · {count} more in hand", count=left, **facts)
        return Label(text, self.sign(sack), called=called)

    def wording_colour(self, prefix: Action, colour: str) -> str:
        return self.piece(piece(SACK, COLOUR_OF_KEY[colour]))

    def order(self, name: str, value: str) -> str | None:
        """Return a standing order to block from a number of sacks of a colour on."""
        colour = COLOUR_OF_KEY.get(name.removeprefix("block_"))
        if colour is None:
            return super().order(name, value)
        return self.words.plural(
            "Block with a {sack} if I have one",
            "Block with a {sack} if I have {count} or more",
            int(value),
            sack=self.piece(piece(SACK, colour)),
        )

    # Whole actions and their results

    def action_labels(
        self, action: Action, views: Sequence[View[GuatemalaState]]
    ) -> Sequence[Label]:
        """Label a whole action: a move with what follows, purchases, or another action."""
        first, *then = in_turn(action)
        kinds = [each[0] for each in (first, *then)]
        if kinds == [MOVE]:
            return self._move(first)
        if kinds[0] == MOVE and len(views) > 1:
            return self._move(first, self.at(views[1]).action_labels(joined(*then), views[1:]))
        if kinds in ([BUY], [BUY, END]):
            return self._purchase(action)
        if {*kinds} <= {BUY, END} and kinds != [END]:
            return self._purchases(action, views)
        if then:
            return super().action_labels(action, views)
        match first:
            case (kind,):
                return [self.button(kind)]
            case ("place", position):
                facts = {"offers": self.offers(POSITION_OF_NAME[position])}
                text = self.words("Start at {position}: {offers}", position=position, **facts)
                return [Label(text, "🧭", called=position)]
        (kind, word), (param,) = first, self.game.moves[first[0]].params
        return [self.label((kind,), OneOf(param, (word,)), word)]

    def _move(self, move: Action, following: Sequence[Label] = ()) -> list[Label]:
        """Label a move of the buyer and the following action, if any."""
        facts = self._step(move[1])
        is_paid = bool(facts["price"])
        emoji = "🪙" if is_paid else "🚶"
        return [
            each._replace(
                text=self.words(message, then=uncapital(each.text), **facts),
                emoji=each.emoji or emoji,
                called=move[1],
            )
            for each in following or (Label(""),)
            for message in MOVE_TEXTS[is_paid, bool(following)]
        ]

    def _purchase(self, action: Action) -> list[Label]:
        """Label a purchase, with the end of the turn if that follows; the second label is without
        the benefit."""
        number, place = self._piece_on(action[1]), action[2]
        facts = {
            "piece": capital(self.piece(number)),
            "place": self.place(place),
            "price": self._price(number, place),
            "brings": self._benefit(number, place),
        }
        messages = PURCHASE_TEXTS[number == ROAD, THEN in action]
        called, sign = self.place(place), self.sign(number)
        return [Label(self.words(each, **facts), sign, called=called) for each in messages]

    def _purchases(self, action: Action, views: Sequence[View[GuatemalaState]]) -> list[Label]:
        """Label several purchases, with the end of the turn if that follows; the longest label
        first."""
        purchases = [
            (at, at._piece_on(each[1]), each[2])
            for each, at in self.steps(action, views)
            if each != (END,)
        ]
        price = sum(at._price(number, place) for at, number, place in purchases)
        places = {
            number: [place for _, other, place in purchases if other == number]
            for _, number, _ in purchases
        }
        full = ", ".join(
            f"{self._several(number, len(each))} {' '.join(map(self.place, each))}"
            for number, each in places.items()
        )
        long, short = PURCHASES_TEXTS[not price, action[-1:] == (END,)]
        texts = ((long, full), (short, full), (short, self._by_kind(places)))
        return [
            Label(capital(self.words(message, pieces=pieces, price=price)), "🛒")
            for message, pieces in texts
        ]

    def _several(self, number: int, count: int) -> str:
        """Return equal pieces: ``2 red workers``; one piece without a number."""
        if count > 1 and kind_of(number) == WORKER:
            return self.workers(colour_of(number), count)
        return self.counted("roads", count) if count > 1 and number == ROAD else self.piece(number)

    def _by_kind(self, places: Mapping[int, Sequence[str]]) -> str:
        """Return pieces with their places: ``2 workers (red h7, black k9), road a1-b1``."""
        by_kind: dict[int, list[str]] = {}
        for number, each in places.items():
            names = [f"{self.piece(number)} {place.removeprefix('port')}" for place in each]
            by_kind.setdefault(kind_of(number), []).extend(names)
        for kind, pieces in by_kind.items():
            if len(pieces) > 1:
                noun = self.kind(KINDS[kind], 1).split()[-1]
                inside = ", ".join(" ".join(each.replace(noun, "").split()) for each in pieces)
                by_kind[kind] = [f"{self.kind(KINDS[kind], len(pieces))} ({inside})"]
        return ", ".join(chain(*by_kind.values()))

    def changes(self, before: GuatemalaWords) -> Iterator[Change]:
        """Yield the changes to the observer's pieces and to all harvests."""
        words, seat = self.words, self.observer
        was, now = (state.players[seat] for state in (before.known, self.known))
        yield from self.counts(
            (words("Points"), sum(was.points), sum(now.points)),
            (words("Money"), was.money, now.money),
            (words("Sacks"), sum(was.hand), sum(now.hand)),
        )
        yield from self._harvest_changes(before, seat)
        for colour in range(len(COLOUR_KEYS)):
            old, new = (crops(state, colour)[seat] for state in (before.known, self.known))
            if old.points == new.points and was.cells(colour) != now.cells(colour):
                yield Change(capital(self.plantation_line(seat, colour)), 1)
            hut, old_hut = now.huts[colour], was.huts[colour]
            if hut == NONE or new.ports:
                continue
            roads = self.roads_to_port(hut)
            if old_hut == NONE or before.roads_to_port(old_hut) != roads:
                name = capital(self.piece(piece(HUT, colour)))
                yield Change(words("{hut}: {roads}", hut=name, roads=roads), 1)
        for other in range(len(self.known.players)):
            if other != seat:
                yield from self._harvest_changes(before, other)

    def _harvest_changes(self, before: GuatemalaWords, seat: Seat) -> Iterator[Change]:
        """Yield the changes to a seat's harvests."""
        for colour, key in enumerate(COLOUR_KEYS):
            old, new = (crops(state, colour)[seat].points for state in (before.known, self.known))
            if old == new:
                continue
            facts = {"plantation": self.fact("plantation", key), "old": old, "new": new}
            if seat == self.observer:
                line = self.words("{plantation}, next harvest: {old} → {new}", **facts)
                yield Change(capital(line), new - old)
            else:
                line = self.words(
                    "{seat}, {plantation}, next harvest: {old} → {new}",
                    seat=self.seat(seat),
                    **facts,
                )
                yield Change(line, old - new)

    # Typed words

    def aliases(self, choices: OneOf) -> Iterator[tuple[str, str]]:
        """Yield other names: short positions, numbers of ports, roads from the other end, and
        pieces by name; a name of several equal pieces means the first one in the line."""
        yield from super().aliases(choices)
        if choices.param == "place":
            yield from ((port, port.removeprefix("port")) for port in PORTS)
            yield from ((road, " ".join(reversed(road.split("-")))) for road in choices.values)
        for each in self.in_each_language():
            if choices.param == "position":
                yield from ((word, each.fact("side", word)) for word in choices.values)
            if choices.param == "piece" and self.view is not None:
                spaces = {each.wording_piece((), word): word for word in reversed(choices.values)}
                yield from ((space, name) for name, space in spaces.items())
