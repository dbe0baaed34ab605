"""The words of Guatemala Café: what is asked, offered and said back, and what moves bring."""

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

MOVED: Mapping[tuple[bool, bool], tuple[Message, ...]] = {
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
"""A step, from the fullest to the shortest, as all of these are: by whether it costs money, and
whether something is done there at once."""
BOUGHT: Mapping[tuple[bool, bool], tuple[Message, Message]] = {
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
"""A piece: by whether it is a road, and whether the turn ends."""
SEVERAL: Mapping[tuple[bool, bool], tuple[Message, Message]] = {
    (False, False): (msg("Buy {pieces} for {price}"), msg("{pieces} for {price}")),
    (False, True): (
        msg("Buy {pieces} for {price}, then end turn"),
        msg("{pieces} for {price}, then end turn"),
    ),
    (True, False): (msg("Take {pieces}"), msg("{pieces}")),
    (True, True): (msg("Take {pieces}, then end turn"), msg("{pieces}, then end turn")),
}
"""Several pieces: by whether they are free, and whether the turn ends."""


class GuatemalaWords(GuatemalaTable, game=GAME, things=NAMES):
    """The words of Guatemala Café for one reader."""

    # What is asked

    def question_facts(self, decision: Decision) -> Mapping[str, str]:
        """Who begins."""
        return {"first": self.seat(self.known.first)}

    def ask_step(self, decision: Decision) -> str:
        """The money, and who would score for the sacks in reach; the buttons tell the rest."""
        words, money = self.words, self.known.players[decision.seat].money
        facts = {"round": self.known.round, "money": self.counted("money", money)}
        lines = [words("Round {round}. You have {money}.", **facts)]
        for position in [self.reached(int(n)) for n in STEPS if step_cost(int(n)) <= money]:
            sack = self.sack_in(position)
            if sack is not None and self.harvests(colour_of(sack)):
                facts = {"sack": self.signed(sack), "harvest": self.harvest(colour_of(sack))}
                where = self.fact("position", POSITION_NAMES[position])
                lines.append(capital(words("{where}, {sack}: {harvest}", where=where, **facts)))
        return "\n".join(lines)

    def ask_act(self, decision: Decision) -> str:
        """The money, and how many pieces may still be bought; the picture shows the line."""
        words, frame = self.words, frame_of(self.known, Buying)
        left, has = CONTENT.pieces - len(frame.emptied), self.known.players[decision.seat].money
        money = self.counted("money", has)
        if not left:
            said = words("You have {money} and can't buy any more this turn.", money=money)
        elif not has and ROAD not in self.line(self.known.buyer):
            said = words("You have no money, and there are no roads to take.")
        elif not has:
            said = words.plural(
                "You have no money, but you can take {count} more road.",
                "You have no money, but you can take up to {count} roads.",
                left,
            )
        else:
            said = words.plural(
                "You have {money} for {count} more piece.",
                "You have {money} for up to {count} pieces.",
                left,
                money=money,
            )
        blocked = words("Your harvest was blocked. You can buy pieces instead.")
        return f"{blocked}\n{said}" if frame.blocked else said

    def ask_block(self, decision: Decision) -> str:
        """What would be scored, and the means to prevent it, which only the asked seat knows."""
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
        held = self._held(colour)
        if held:
            lines.append(
                words.plural(
                    "You have {count} {sack}, so you can block.",
                    "You have {count} of that colour, so you can block.",
                    held,
                    sack=sack,
                )
            )
        elif held is not None:
            lines.append(words("You have no {sack}, so you can't block.", sack=sack))
        lines.append(words("Your answer stays secret unless your block is the one that counts."))
        return "\n".join(lines)

    def _held(self, colour: int) -> int | None:
        """The observer's sacks of a colour; None for a spectator."""
        return None if self.observer < 0 else self.known.players[self.observer].hand[colour]

    # The buyer

    def group_edge(self, prefix: Action, edge: str) -> Label:
        """A side of the production board."""
        return Label(self.words(NAMES.edges[edge]), "🧭")

    def label_position(self, prefix: Action, position: str) -> Label:
        """Where the buyer begins, and what that line offers."""
        where, offers = self.fact("position", position), self.offers(POSITION_OF_NAME[position])
        return Label(
            self.words("{name}: {where} · {offers}", name=position, where=where, offers=offers),
            "🧭",
        )

    def label_steps(self, prefix: Action, steps: str) -> Label:
        """Where steps lead, for how much, and what lies there."""
        facts = self._step(steps)
        if not facts["price"]:
            return Label(self.words("{steps}: {where} · {offers}", **facts), "🚶")
        return Label(self.words("{steps}: pay {price} · {where} · {offers}", **facts), "🪙")

    def _step(self, steps: str) -> dict[str, str | int]:
        position = self.reached(int(steps))
        side, offers = self.fact("side", POSITION_NAMES[position]), self.offers(position)
        return {"steps": steps, "price": step_cost(int(steps)), "where": side, "offers": offers}

    # Buying

    def _piece_on(self, space: str) -> int:
        """The piece on a space of the production board, which may be gone by the time that an
        action is said back: then it is spoken of as a road, which has no colour."""
        found = self.known.production[SPACE_OF_NAME[space]]
        return ROAD if found == EMPTY else found

    def label_piece(self, prefix: Action, space: str) -> Label:
        """A piece of the line, and its space."""
        found = self._piece_on(space)
        text = self.words("{piece} · {space}", piece=capital(self.piece(found)), space=space)
        return Label(text, self.sign(found), called=space)

    def wording_piece(self, prefix: Action, space: str) -> str:
        """A piece by its name."""
        is_gone = self.known.production[SPACE_OF_NAME[space]] == EMPTY
        return space if is_gone else self.piece(self._piece_on(space))

    def prompt_buy_place(self, prefix: Action, choices: Choices) -> str:
        """Where a piece goes, the money, and the prices of the zones."""
        words, number = self.words, self._piece_on(prefix[1])
        money = self.counted("money", self.known.players[self.known.turn].money)
        piece = self.piece(number)
        said = capital(
            words("Where does the {piece} go? You have {money}.", piece=piece, money=money)
        )
        if kind_of(number) not in (WORKER, HUT):
            return said
        costs = words(
            "It costs {coast} on the coast, {middle} in the middle and {mountains} in "
            "the mountains.",
            **{zone.key: zone.price(kind_of(number)) for zone in CONTENT.zones},
        )
        return f"{said} {costs}"

    def group_region(self, prefix: Action, region: str) -> Label:
        """A part of the plantation board, with the price there, or whether a road there helps;
        columns are called by their letters alone, so that there is room on the picture."""
        kind, board = kind_of(self._piece_on(prefix[1])), board_of(self.known)
        name = text = self.region(region)
        called = "" if board.has_paths else name[name.index(columns(board, int(region[0]))) :]
        if kind != ROAD_KIND:
            zone = next(zone for zone in CONTENT.zones if zone.key == region[1:])
            price = self.counted("price", zone.price(kind))
            text = self.words("{name} · {price}", name=name, price=price)
        elif any(
            board.region_of(board.roads[road].name) == region
            for road, huts in self._nearer().items()
            if any(seat == self.known.turn for seat, *_ in huts)
        ):
            text = self.words("{name} · brings a hut closer to port", name=name)
        return Label(text, "🗺️", called=called)

    def label_place(self, prefix: Action, place: str) -> Label:
        """A place with its price, and what the piece brings there."""
        number = self._piece_on(prefix[1])
        costs = [] if number == ROAD else [self.counted("price", self._price(number, place))]
        parts = [self.place(place), *costs, self._brings(number, place)]
        return Label(" · ".join(parts), self.sign(number))

    def _price(self, number: int, place: str) -> int:
        places = board_of(self.known).places[kind_of(number)]
        return price_of(self.known, kind_of(number), places[place])

    def _brings(self, number: int, place: str) -> str:
        """What a piece brings the seat on turn in a place."""
        kind, colour = kind_of(number), colour_of(number)
        if kind == ROAD_KIND:
            return self._road_brings(place)
        if kind == SHIP:
            return self._ship_brings(colour, board_of(self.known).port_of_name[place])
        return self._worker_brings(colour) if kind == WORKER else self._hut_brings(colour, place)

    def _worker_brings(self, colour: int) -> str:
        """What the plantation that a worker joins would score with it."""
        words, known = self.words, self.known
        player = known.players[known.turn]
        count = len(player.workers[colour])
        if not player.cells(colour):
            return words("new plantation")
        if player.huts[colour] == NONE:
            return words("{workers}, no hut yet", workers=self.workers(colour, count + 1))
        _, ships, points = crops(known, colour)[known.turn]
        return words("harvest {now}→{then}", now=points, then=(count + 1) * (ships + 1))

    def _hut_brings(self, colour: int, place: str) -> str:
        """What a plantation would score with a hut there, and which port that would reach."""
        words, known, board = self.words, self.known, board_of(self.known)
        cell, at = board.cell_of_name[place], (len(known.players), tuple(known.roads))
        count, ports = len(known.players[known.turn].workers[colour]), joined_ports(*at)[cell]
        ships = sum(known.ports[port].count(colour) for port in ports)
        then = count * (ships + 1)
        brings = (
            words("harvest {now}→{then}", now=0, then=then) if count else words("new plantation")
        )
        port, missing = nearest_ports(*at)[cell]
        reaches = words("reaches {port}", port=self.place(board.ports[port].name))
        return f"{brings}; {self.short_of(len(missing), port) if missing else reaches}"

    def _ship_brings(self, colour: int, port: int) -> str:
        """Whose harvest a ship would raise, the own one first."""
        known, raised = self.known, []
        for seat in sorted(range(len(known.players)), key=lambda seat: seat != known.turn):
            ports, _, points = crops(known, colour)[seat]
            if points and port in ports:
                then = points + len(known.players[seat].workers[colour])
                raised.append(f"{self.who(seat)} {points}→{then}")
        if not raised:
            return self.words("doesn't help a harvest yet")
        return self.words("harvests: {harvests}", harvests=", ".join(raised))

    def _nearer(self) -> Mapping[int, Sequence[tuple[Seat, int, CloserHut]]]:
        """By road, the huts without a port that it would bring nearer to one, by owner and
        colour."""
        players, roads = self.known.players, tuple(self.known.roads)
        joined = joined_ports(len(players), roads)
        owners = {
            hut: (seat, colour)
            for seat, player in enumerate(players)
            for colour, hut in enumerate(player.huts)
            if hut != NONE and not joined[hut]
        }
        nearer = closer_huts(len(players), roads, tuple(owners)).items()
        return {road: [(*owners[each.cell], each) for each in huts] for road, huts in nearer}

    def _road_brings(self, place: str) -> str:
        """Which hut a road joins to a port, or how many roads one of the player's then lacks."""
        words, board, turn = self.words, board_of(self.known), self.known.turn
        huts = self._nearer().get(board.road_of_name[place], ())
        for seat, colour, each in sorted(huts, key=lambda it: (it[0] != turn, it[2].missing)):
            hut, port = self.piece(piece(HUT, colour)), self.place(board.ports[each.port].name)
            if seat == turn and each.missing:
                missing = self.short_of(each.missing, each.port)
                return words("your {hut}: {roads}", hut=hut, roads=missing)
            if seat == turn:
                return words("connects your {hut} to {port}", hut=hut, port=port)
            if not each.missing:
                who = self.who(seat)
                return words("connects {seat}'s {hut} to {port}", hut=hut, seat=who, port=port)
        return words("doesn't help your huts")

    # Sacks and blocks

    def button_take(self, button: Label) -> Label:
        """What everybody would score, as far as nobody blocks."""
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
        """What a block would prevent, or everybody would score."""
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
        """Who has no such sack lets it be by one press, which says so."""
        frame = self.known.frames[-1]
        if not isinstance(frame, Blocking) or self._held(frame.colour) != 0:
            return button
        return self.label_answer((), NO)

    def label_colour(self, prefix: Action, colour: str) -> Label:
        """A sack, who would score for it now, and how many of its colour stay in hand; called by
        its colour alone on the picture, where the sacks of a hand lie close together."""
        number = COLOUR_OF_KEY[colour]
        sack = piece(SACK, number)
        name, own = capital(self.piece(sack)), self.fact("colour", colour)
        called = own if own in name else capital(own)
        left = (self._held(number) or 0) - 1
        if left < 0:
            return Label(name, self.sign(sack), called=called)
        facts = {"sack": name, "harvest": self.harvest(number)}
        text = self.words("{sack} · {harvest} · your last one", **facts)
        if left:
            text = self.words("{sack} · {harvest} · {count} more in hand", count=left, **facts)
        return Label(text, self.sign(sack), called=called)

    def wording_colour(self, prefix: Action, colour: str) -> str:
        """A sack by its name."""
        return self.piece(piece(SACK, COLOUR_OF_KEY[colour]))

    def order(self, name: str, value: str) -> str | None:
        """A standing order about blocks, and from how many sacks of a colour on it holds."""
        colour = COLOUR_OF_KEY.get(name.removeprefix("block_"))
        if colour is None:
            return super().order(name, value)
        return self.words.plural(
            "Block with a {sack} if I have one",
            "Block with a {sack} if I have {count} or more",
            int(value),
            sack=self.piece(piece(SACK, colour)),
        )

    # Whole actions, and what they change

    def wholes(self, action: Action, views: Sequence[View[GuatemalaState]]) -> Sequence[Label]:
        """A whole action, a step and what is done there, or purchases; of one word, as it is called
        anyway."""
        first, *then = in_turn(action)
        kinds = [each[0] for each in (first, *then)]
        if kinds == [MOVE]:
            return self._moved(first)
        if kinds[0] == MOVE and len(views) > 1:
            return self._moved(first, self.at(views[1]).wholes(joined(*then), views[1:]))
        if kinds in ([BUY], [BUY, END]):
            return self._bought(action)
        if {*kinds} <= {BUY, END} and kinds != [END]:
            return self._shopping(action, views)
        if then:
            return super().wholes(action, views)
        match first:
            case (kind,):
                return [self.button(kind)]
            case ("place", position):
                facts = {"offers": self.offers(POSITION_OF_NAME[position])}
                text = self.words("Start at {position}: {offers}", position=position, **facts)
                return [Label(text, "🧭", called=position)]
        (kind, word), (param,) = first, self.game.moves[first[0]].params
        return [self.label((kind,), OneOf(param, (word,)), word)]

    def _moved(self, move: Action, there: Sequence[Label] = ()) -> list[Label]:
        """A step of the buyer, and what is done there, if anything."""
        facts = self._step(move[1])
        is_paid = bool(facts["price"])
        emoji = "🪙" if is_paid else "🚶"
        return [
            each._replace(
                text=self.words(message, then=uncapital(each.text), **facts),
                emoji=each.emoji or emoji,
                called=move[1],
            )
            for each in there or (Label(""),)
            for message in MOVED[is_paid, bool(there)]
        ]

    def _bought(self, action: Action) -> list[Label]:
        """A piece and its place, for how much, and what it brings there, perhaps with the end of
        the turn; the second without what it brings."""
        number, place = self._piece_on(action[1]), action[2]
        facts = {
            "piece": capital(self.piece(number)),
            "place": self.place(place),
            "price": self._price(number, place),
            "brings": self._brings(number, place),
        }
        messages = BOUGHT[number == ROAD, THEN in action]
        called, sign = self.place(place), self.sign(number)
        return [Label(self.words(each, **facts), sign, called=called) for each in messages]

    def _shopping(self, action: Action, views: Sequence[View[GuatemalaState]]) -> list[Label]:
        """Several pieces and their places, what all of them cost, and perhaps the end of the turn;
        from the fullest to the shortest."""
        bought = [
            (at, at._piece_on(each[1]), each[2])
            for each, at in self.moments(action, views)
            if each != (END,)
        ]
        price = sum(at._price(number, place) for at, number, place in bought)
        places = {
            number: [place for _, other, place in bought if other == number]
            for _, number, _ in bought
        }
        full = ", ".join(
            f"{self._several(number, len(each))} {' '.join(map(self.place, each))}"
            for number, each in places.items()
        )
        long, brief = SEVERAL[not price, action[-1:] == (END,)]
        found = ((long, full), (brief, full), (brief, self._by_kind(places)))
        return [
            Label(capital(self.words(message, pieces=pieces, price=price)), "🛒")
            for message, pieces in found
        ]

    def _several(self, number: int, count: int) -> str:
        """Equal pieces: ``2 red workers``; one by its name alone."""
        if count > 1 and kind_of(number) == WORKER:
            return self.workers(colour_of(number), count)
        return self.counted("roads", count) if count > 1 and number == ROAD else self.piece(number)

    def _by_kind(self, places: Mapping[int, Sequence[str]]) -> str:
        """Pieces with their places in short: ``2 workers (red h7, black k9), road a1-b1``."""
        found: dict[int, list[str]] = {}
        for number, each in places.items():
            said = [f"{self.piece(number)} {place.removeprefix('port')}" for place in each]
            found.setdefault(kind_of(number), []).extend(said)
        for kind, pieces in found.items():
            if len(pieces) > 1:
                alike = self.kind(KINDS[kind], 1).split()[-1]
                inside = ", ".join(" ".join(each.replace(alike, "").split()) for each in pieces)
                found[kind] = [f"{self.kind(KINDS[kind], len(pieces))} ({inside})"]
        return ", ".join(chain(*found.values()))

    def changes(self, before: GuatemalaWords) -> Iterator[Change]:
        """Everything of the observer's that differs, and the harvests of others."""
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
                yield Change(capital(self.in_short(seat, colour)), 1)
            hut, stood = now.huts[colour], was.huts[colour]
            if hut == NONE or new.ports:
                continue
            roads = self.to_port(hut)
            if stood == NONE or before.to_port(stood) != roads:
                name = capital(self.piece(piece(HUT, colour)))
                yield Change(words("{hut}: {roads}", hut=name, roads=roads), 1)
        for other in range(len(self.known.players)):
            if other != seat:
                yield from self._harvest_changes(before, other)

    def _harvest_changes(self, before: GuatemalaWords, seat: Seat) -> Iterator[Change]:
        """What the plantations of a seat would score, where that differs."""
        for colour, key in enumerate(COLOUR_KEYS):
            old, new = (crops(state, colour)[seat].points for state in (before.known, self.known))
            if old == new:
                continue
            facts = {"plantation": self.fact("plantation", key), "old": old, "new": new}
            if seat == self.observer:
                said = self.words("{plantation}, next harvest: {old} → {new}", **facts)
                yield Change(capital(said), new - old)
            else:
                said = self.words(
                    "{seat}, {plantation}, next harvest: {old} → {new}",
                    seat=self.seat(seat),
                    **facts,
                )
                yield Change(said, old - new)

    # What is told, and what people type

    def aliases(self, choices: OneOf) -> Iterator[tuple[str, str]]:
        """Besides what their labels say: positions in short, ports by their numbers alone, roads
        from either end, and pieces by name, of which the first in the line is meant where several
        are equal."""
        yield from super().aliases(choices)
        if choices.param == "place":
            yield from ((port, port.removeprefix("port")) for port in PORTS)
            yield from ((road, " ".join(reversed(road.split("-")))) for road in choices.values)
        for each in self.in_each_language():
            if choices.param == "position":
                yield from ((word, each.fact("side", word)) for word in choices.values)
            if choices.param == "piece" and self.view is not None:
                meant = {each.wording_piece((), space): space for space in reversed(choices.values)}
                yield from ((space, name) for name, space in meant.items())
