"""The bots' decisions."""

import itertools
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client_cli.policy import TRUMPS, at_once, choose, order_of
from client_cli.view import View
from server.games.game import Stage
from server.games.kop.play import PACK, winning_place
from server.games.kop.ruleset import KLASSISCH, RULE_SETS, Trumps
from tests.client_cli import samples
from tests.parties import Party

DECK = [rank + suit for suit in "CSHD" for rank in "ATQJ"]
SIDES = st.lists(st.sampled_from([None, "old", "young"]), min_size=4, max_size=4)
WORDS = [
    "ready",
    "rematch",
    "ask",
    "go on",
    "pass",
    "wesele",
    "wesele JH",
    "zolo",
    "zolo du",
    "double 1",
    "double 2",
    "dance",
]


@st.composite
def views(draw: st.DrawFn) -> dict[str, Any]:
    """Any view that a server could send, and some that it could not."""
    deck = draw(st.permutations(DECK))
    hand, lying = deck[: draw(st.integers(0, 4))], draw(st.integers(0, 3))
    seat = draw(st.integers(0, 3))
    trick = [{"seat": (seat + 4 - lying + place) % 4, "card": deck[4 + place]} for place in range(lying)]
    actions = [f"play {card}" for card in hand if draw(st.booleans())] + draw(st.lists(st.sampled_from(WORDS)))
    table = samples.play(
        trick=trick,
        game=draw(st.sampled_from([None, "wesele", "zolo", "zolo_du"])),
        caller=draw(st.integers(0, 3)),
        phase=draw(st.sampled_from(["ready", "opening", "calls", "play"])),
        trumps=draw(st.sampled_from([*TRUMPS, "all_hearts"])),
    )
    own = samples.own(seat, hand=hand, actions=actions, sides=draw(SIDES))
    return samples.message(play=draw(st.sampled_from([table, None])), own=own)


@given(views(), st.integers())
def test_a_bot_does_what_is_offered_or_nothing(message: dict[str, Any], seed: int) -> None:
    """Always a member of the actions; nothing only where no card, answer, question or ready is asked for."""
    view = View(message)
    choice = choose(view, Random(seed))
    assert choice is None or choice in view.actions
    if view.playable or {"go on", "pass", "ask", "ready", "rematch"} & set(view.actions):
        assert choice is not None


@given(views(), st.integers())
def test_a_bot_is_deterministic(message: dict[str, Any], seed: int) -> None:
    """The same view and the same chance make the same choice."""
    assert choose(View(message), Random(seed)) == choose(View(message), Random(seed))


def test_a_watcher_decides_nothing() -> None:
    """Without a seat there are no actions."""
    assert choose(samples.view(own=None), Random(1)) is None


@pytest.mark.parametrize(
    ("hand", "game", "call"),
    [
        (["AH", "TH", "QC", "QS"], None, "zolo du"),
        (["AH", "TH", "QC", "QH"], None, "zolo"),
        (["TH", "QC", "QS", "TD"], None, "wesele"),
        (["AH", "TH", "QH", "AS"], None, "double 1"),
        (["AH", "TH", "QC", "AD"], "zolo", "double 1"),
        (["AH", "QC", "JD", "TS"], None, "ask"),
        (["JC", "JH", "AC", "TC"], "zolo", "ask"),
    ],
)
def test_only_clearly_strong_hands_call(hand: list[str], game: str | None, call: str) -> None:
    """Else the bot asks or goes on."""
    actions = ["ask", "double 1", *(["wesele", "zolo", "zolo du"] if game is None else ["zolo du"])]
    view = samples.view(play=samples.play(game=game, caller=2), own=samples.own(hand=hand, actions=actions))
    assert choose(view, Random(1)) == call


@pytest.mark.parametrize(
    ("lying", "sides", "offered", "card"),
    [
        (["JH", "QD", "AD"], [None] * 4, ["AH", "QC"], "AH"),  # last to play: the points home
        (["AC", "TC"], ["old", "young", "young", None], ["JD", "AH"], "JD"),  # worth it: the cheapest that wins
        (["JH", "QD", "AC"], ["old", "young", "old", "young"], ["AD", "JD"], "AD"),  # a partner's trick: feed it
        (["JH", "QD"], ["old", "young", "young", None], ["AD", "JD"], "JD"),  # lost: throw the cheapest
        (["JD"], ["old", "young", "old", "young"], ["QC", "JC"], "JC"),  # not worth much: the cheapest
    ],
)
def test_a_bot_follows_the_sense_of_the_trick(
    lying: list[str], sides: list[str | None], offered: list[str], card: str
) -> None:
    """Win what is worth it cheaply, give a partner points, else lose little."""
    seats = range(4 - len(lying), 4)
    trick = [{"seat": seat, "card": lain} for seat, lain in zip(seats, lying, strict=True)]
    own = samples.own(hand=offered, actions=[f"play {one}" for one in offered], sides=sides)
    assert choose(samples.view(play=samples.play(phase="play", trick=trick), own=own), Random(1)) == f"play {card}"


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        (["AH", "TC", "TS", "TH"], "zolo du"),
        (["AH", "TC", "TH", "AS"], "zolo"),
        (["QC", "QS", "JH", "JD"], "wesele"),
        (["AH", "TC", "QC", "JD"], "pass"),
        (["TC", "TS", "TH", "QC"], "zolo"),
        (["TC", "TS", "AH", "JD"], "double 1"),
        (["AH", "TC", "JD", "AD"], "pass"),
    ],
)
def test_a_bot_knows_the_black_tens_and_passes_in_turn(hand: list[str], call: str) -> None:
    """With three tens as trumps, the four highest are others; what nobody needs to say is a pass."""
    actions = ["pass", "wesele", "zolo", "zolo du", "double 1"]
    assert (
        choose(samples.view(play=samples.turn_play(), own=samples.own(hand=hand, actions=actions)), Random(1)) == call
    )


def test_a_bot_names_a_jack_where_the_rules_want_one() -> None:
    """The first that is offered: the highest that it does not hold."""
    own = samples.own(hand=["TH", "QC", "QS", "JC"], actions=["ask", "wesele JS", "wesele JH", "zolo"])
    assert choose(samples.view(own=own), Random(1)) == "wesele JS"
    called = samples.own(hand=["AH", "TH", "QC", "QH"], actions=["ask", "zolo du"])
    assert choose(samples.view(own=called), Random(1)) == "ask"


def test_a_bot_does_not_hold_up_the_lead() -> None:
    """While the opening lead waits for late doublings it says go on, and without thinking time."""
    strong = samples.late_calls()
    strong["own"]["play"]["hand"] = ["AH", "TC", "TS", "JD"]
    assert choose(View(strong), Random(1)) == "go on"
    assert at_once(View(strong))
    assert not at_once(View(samples.doubled_calls()))


@pytest.mark.parametrize("trumps", TRUMPS)
def test_the_order_of_cards_is_that_of_the_rules(trumps: str) -> None:
    """As in the rules themselves, for each pair of cards."""
    rules = replace(KLASSISCH, trumps=Trumps(trumps))
    order = order_of(trumps)
    for best, card in itertools.permutations(PACK, 2):
        assert order.beats(str(card), str(best)) == (winning_place((best, card), rules) == 1), (best, card)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_four_bots_play_matches_of_every_named_set(rules: str) -> None:
    """What they choose is never refused, and the match ends."""
    for seed in range(10):
        party, rng = Party({"rules": rules, "deals": 8}, seed), Random(seed)
        while party.table.stage is not Stage.OVER:
            choices = [(seat, choice) for seat in range(4) if (choice := choose(party.seen(seat), rng)) is not None]
            wanted = [one for one in choices if one[1] != "rematch"]
            assert wanted or party.table.deadline is not None
            party.act(*rng.choice(wanted)) if wanted else party.time_runs_out()
        assert len(party.match.lines) == 8
