"""How well the bots play: matches of pure rules between strengths, and what a decision costs.

    python -m tests.bench.bots [--rules klassisch] [--decks 5000] [--only hard-medium]

Each deck is played four times by two seats of one strength against two of the other: neighbours, moved on by a
place each time. The figure is the money per deal and seat of the stronger, in values, with an interval that holds the
true one in 95 of 100 cases; the four deals of a deck count as one.
"""

import argparse
import multiprocessing
import os
import random
import statistics
import sys
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal

from server.bots.catalogue import choose
from server.games.cards import Card
from server.games.game import Millis, Moment, Plain, Seat, Stage
from server.games.kop.decisions import decide, legal
from server.games.kop.events import DealOffered, Dealt
from server.games.kop.match import Match, evolve
from server.games.kop.options import Terms
from server.games.kop.play import PACK, PLAY
from server.games.kop.quiet import QUIET_WORDS
from server.games.kop.ruleset import RULE_SETS, RuleSet
from server.games.kop.seen import seen
from server.games.kop.sides import SEATS
from server.games.kop.solver import order_of, side_mask, solve_best
from server.table.strength import Strength

RANDOM = "random"
PAIRS = ("hard-medium", "medium-easy", "easy-random", "medium-random", "hard-random")
CHUNK = 25
MOMENT = Moment(Millis(0), bytes(32))

Player = Callable[[Plain, random.Random], str]


@dataclass
class Score:
    """What a comparison found: the stronger's money per deal and seat of each deck, and the time of each decision."""

    decks: list[float] = field(default_factory=list)
    millis: dict[str, list[float]] = field(default_factory=dict)

    def add(self, other: "Score") -> None:
        """Adds another part of the same comparison."""
        self.decks += other.decks
        for name, values in other.millis.items():
            self.millis.setdefault(name, []).extend(values)


def action_of(name: str, plain: Plain, rng: random.Random) -> str:
    """What a strength, or chance alone, does."""
    if name == RANDOM:
        return str(rng.choice(plain["actions"]))
    return choose("kop", plain, Strength(name), rng)


def opened(deck: tuple[Card, ...], dealer: Seat, rules: RuleSet) -> Match:
    """A match in which this deck was just dealt."""
    match = evolve(Match(Terms(rules, 4, None, Decimal(1), "pts")), DealOffered("bench", 1, dealer, bytes(32)))
    return evolve(match, Dealt(1, dealer, 8, deck))


def asked(match: Match) -> Seat:
    """The seat that has to do something now; the first from the leader on."""
    leader = match.running.auction.leader
    for place in range(len(SEATS)):
        seat = Seat((leader + place) % 4)
        if any(action in QUIET_WORDS or action.startswith(PLAY) for action in legal(match, seat)):
            return seat
    raise AssertionError("nobody has anything to do")


def played(match: Match, names: list[str], rng: random.Random, millis: dict[str, list[float]]) -> tuple[int, ...]:
    """The money of each seat after the deal was played out."""
    while match.stage is Stage.DEAL:
        seat = asked(match)
        plain = seen(match, seat)
        before = time.perf_counter()
        action = action_of(names[seat], plain, rng)
        if len(plain["actions"]) > 1:
            millis.setdefault(names[seat], []).append(1000 * (time.perf_counter() - before))
        for event in decide(match, seat, action, MOMENT):
            match = evolve(match, event)
    return match.lines[-1].money


def compared(job: tuple[str, str, str, int]) -> Score:
    """Some decks of a comparison; the number begins the chance."""
    rules, stronger, weaker, start = job
    score = Score()
    for number in range(start, start + CHUNK):
        rng = random.Random(f"{rules}/{number}")
        deck, dealer = tuple(rng.sample(PACK, len(PACK))), Seat(rng.randrange(4))
        total = 0
        for turn in range(4):
            strong = {turn, (turn + 1) % 4}
            names = [stronger if seat in strong else weaker for seat in SEATS]
            money = played(opened(deck, dealer, RULE_SETS[rules]), names, rng, score.millis)
            total += sum(money[seat] for seat in strong)
        score.decks.append(total / 8)
    return score


def main() -> None:
    """Plays the comparisons and prints what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bots")
    parser.add_argument("--rules", choices=RULE_SETS, default="klassisch")
    parser.add_argument("--decks", type=int, default=5000)
    parser.add_argument("--only", action="append", help="a comparison such as hard-medium; may be given again")
    options = parser.parse_args()
    print(f"{options.rules}, {options.decks} decks, each played four times")
    print(f"deals solved with open hands: {solved_per_second(RULE_SETS[options.rules]):,.0f} per second and core")
    millis: dict[str, list[float]] = {}
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        for pair in options.only or PAIRS:
            stronger, weaker = pair.split("-")
            jobs = [(options.rules, stronger, weaker, start) for start in range(0, options.decks, CHUNK)]
            score = Score()
            for done, part in enumerate(pool.imap_unordered(compared, jobs), 1):
                score.add(part)
                print(f"\r{pair}: {100 * done // len(jobs)} %", end="", file=sys.stderr, flush=True)
            print(file=sys.stderr)
            mean = statistics.fmean(score.decks)
            error = 1.96 * statistics.stdev(score.decks) / len(score.decks) ** 0.5
            print(f"{stronger:7} against {weaker:7} {mean:+.3f} ± {error:.3f} per deal and seat", flush=True)
            for name, values in score.millis.items():
                millis.setdefault(name, []).extend(values)
    for name, values in millis.items():
        values.sort()
        median, late = values[len(values) // 2], values[len(values) * 99 // 100]
        print(f"{name:7} {len(values):9,} decisions: median {median:.2f} ms, 99 of 100 within {late:.2f} ms")


def solved_per_second(rules: RuleSet, deals: int = 5000) -> float:
    """How many ordinary deals the solver solves in a second, from the first lead."""
    order, rng = order_of(rules), random.Random(1)
    hands = array("q")
    olds = array("q")
    for _ in range(deals):
        pack = rng.sample(PACK, len(PACK))
        four = [pack[at : at + 4] for at in range(0, len(pack), 4)]
        hands.extend(order.mask(cards) for cards in four)
        olds.append(side_mask(seat for seat in SEATS if {Card.QC, Card.QS} & set(four[seat])))
    solve_best(hands[:4], olds[:1], Seat(0), (), order)
    before = time.perf_counter()
    solve_best(hands, olds, Seat(0), (), order)
    return deals / (time.perf_counter() - before)


if __name__ == "__main__":
    main()
