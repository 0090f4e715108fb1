"""The opening: who committed opens, nobody else; what is wrong is refused; the deadline deals without the rest."""

import random

import pytest

from server.games.game import RuleViolation, Seat
from server.games.kop.decisions import DEFAULT_CUT
from server.games.kop.fair import cut_deck, shuffled
from server.games.kop.opening import OPENING_MILLIS, is_commitment, seat_commitment
from server.table.commands import Act, LeaveSeat, StartDeal
from server.table.ids import PlayerId
from tests.parties import Party

BYTES = {seat: bytes([0xA1 + seat]) * 32 for seat in range(4)}


def opened(cut: int = 0, committed: tuple[int, ...] = (0, 1, 2, 3), seed: int = 1) -> Party:
    """A table at which these seats have committed and the opening has begun."""
    party = Party({"deals": 4}, seed)
    for seat in range(4):
        own = cut if seat == party.cutter else 0
        party.act(seat, f"ready {seat_commitment(BYTES[seat], own)}" if seat in committed else "ready")
    return party


def open_seat(party: Party, seat: int, cut: int = 0) -> None:
    """A seat opens its bytes."""
    party.act(seat, f"open {BYTES[seat].hex()} {cut}" if cut else f"open {BYTES[seat].hex()}")


def refusal(party: Party, seat: int, action: str) -> str:
    """The code with which an action is refused."""
    with pytest.raises(RuleViolation) as caught:
        party.act(seat, action)
    return caught.value.code


def expected(party: Party, parts: dict[int, bytes], cut: int) -> tuple[str, ...]:
    """The deck that these bytes must give."""
    offer = party.match.offer
    assert offer is not None
    four = [parts.get(seat, b"") for seat in range(4)]
    return cut_deck(shuffled(offer.secret, four, f"t1/1/{offer.number}"), cut)


def test_all_open_and_the_deck_is_of_all_bytes() -> None:
    """When the last seat has opened, in any order, the cards are out, and every seat's bytes are in them."""
    party = opened()
    for seat in (2, 0, 3, 1):
        assert party.match.opening is not None
        open_seat(party, seat)
    deal = party.match.running
    assert deal.origin.deck == expected(party, BYTES, DEFAULT_CUT)
    assert deal.origin.opened == tuple(BYTES.values())


def test_nobody_committed_no_opening() -> None:
    """Without any commitment the cards are out at once, from the server's secret alone."""
    party = opened(committed=())
    assert party.match.opening is None
    assert party.match.running.origin.deck == expected(party, {}, DEFAULT_CUT)


def test_only_those_who_committed_open() -> None:
    """A seat that said ready alone has nothing to open, and the deal does not wait for it."""
    party = opened(committed=(1, 3))
    assert refusal(party, 0, f"open {BYTES[0].hex()}") == "nothing_to_open"
    open_seat(party, 1)
    open_seat(party, 3)
    assert party.match.running.origin.opened == (b"", BYTES[1], b"", BYTES[3])


def test_the_commitments_and_an_open_cut_are_shown_before_anybody_opens() -> None:
    """In the opening all see what each seat has committed to, the open cut, and who has opened, not the bytes."""
    party = Party({"deals": 4}, 1)
    words = {seat: seat_commitment(BYTES[seat], 0) for seat in range(4) if seat != party.cutter}
    for seat in range(4):
        party.act(seat, f"ready {words[seat]}" if seat in words else "ready 7")
    first = min(words)
    open_seat(party, first)
    play = party.seen(party.cutter).play
    assert play is not None
    assert play["phase"] == "opening"
    assert play["opening"] == {"commitments": [words.get(seat, "") for seat in range(4)], "cut": 7, "opened": [first]}
    assert BYTES[first].hex() not in str(party.seen(party.cutter).message)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (f"open {'00' * 32}", "opening_wrong"),
        (f"open {BYTES[0].hex().upper()}", "unknown_action"),
        (f"open {BYTES[0].hex()} ", "unknown_action"),
        (f"open {BYTES[0].hex()[:-2]}", "unknown_action"),
        (f"open {BYTES[0].hex()} 0", "unknown_action"),
        (f"open {BYTES[0].hex()} 16", "unknown_action"),
        ("open", "unknown_action"),
        ("ready", "unknown_action"),
        ("ask", "unknown_action"),
    ],
)
def test_a_wrong_opening_is_refused(action: str, code: str) -> None:
    """What is not what the seat committed to, or no opening at all, changes nothing."""
    party = opened(seed=next(seed for seed in range(50) if Party({"deals": 4}, seed).cutter == 1))
    assert refusal(party, 0, action) == code
    assert party.match.opening is not None
    assert party.match.opening.opened == ()


def test_nobody_opens_for_another_or_twice() -> None:
    """Another seat's bytes are refused, and so are one's own a second time."""
    party = opened()
    assert refusal(party, 0, f"open {BYTES[1].hex()}") == "opening_wrong"
    open_seat(party, 0)
    assert refusal(party, 0, f"open {BYTES[0].hex()}") == "nothing_to_open"


def test_what_is_not_opened_in_time_counts_as_empty() -> None:
    """After five seconds the cards are out without the bytes of those who have not opened, and all can see it."""
    party = opened()
    open_seat(party, 2)
    begun = party.match.opening
    assert begun is not None
    assert begun.deadline - party.now <= OPENING_MILLIS
    party.time_runs_out()
    origin = party.match.running.origin
    assert origin.opened == (b"", b"", BYTES[2], b"")
    assert all(origin.commitments)
    assert origin.deck == expected(party, {2: BYTES[2]}, DEFAULT_CUT)
    party.play_out()
    assert party.records[-1]["fair"]["opened"] == ["", "", BYTES[2].hex(), ""]


def test_the_committed_cut_is_used() -> None:
    """The cut in the commitment of the dealer's right neighbour is the one that counts."""
    party = opened(cut=11)
    for seat in range(4):
        open_seat(party, seat, 11 if seat == party.cutter else 0)
    assert party.match.running.origin.cut == 11
    assert party.match.running.origin.deck == expected(party, BYTES, 11)


def test_another_cut_than_the_committed_one_is_refused() -> None:
    """Who cuts cannot choose anew when he has seen others open."""
    party = opened(cut=11)
    mine = BYTES[party.cutter].hex()
    for words in (f"open {mine} 12", f"open {mine}"):
        assert refusal(party, party.cutter, words) == "opening_wrong"


def test_a_committed_cut_that_is_not_opened_is_lost() -> None:
    """Then eight cards are cut."""
    party = opened(cut=11)
    for seat in range(4):
        if seat != party.cutter:
            open_seat(party, seat)
    party.time_runs_out()
    assert party.match.running.origin.cut == DEFAULT_CUT


def test_only_who_cuts_has_a_cut_in_his_commitment() -> None:
    """Another seat that hid a cut in its commitment cannot open it."""
    party = Party({"deals": 4}, 1)
    other = (party.cutter + 1) % 4
    for seat in range(4):
        party.act(seat, f"ready {seat_commitment(BYTES[seat], 5 if seat == other else 0)}")
    assert refusal(party, other, f"open {BYTES[other].hex()} 5") == "unknown_action"
    assert refusal(party, other, f"open {BYTES[other].hex()}") == "opening_wrong"


def test_who_leaves_in_the_opening_holds_up_nobody() -> None:
    """A seat that is given up in the opening cannot open; the deadline deals without it."""
    party = opened()
    party.do(LeaveSeat(PlayerId("p3")))
    with pytest.raises(RuleViolation):
        party.do(Act(PlayerId("p3"), party.table.prompt, f"open {BYTES[3].hex()}"))
    for seat in (0, 1, 2):
        open_seat(party, seat)
    party.time_runs_out()
    assert party.match.running.origin.opened == (BYTES[0], BYTES[1], BYTES[2], b"")


def test_the_owner_deals_without_those_who_are_not_ready() -> None:
    """`start` counts who is not ready as one without a part; the others open."""
    party = Party({"deals": 4}, 1)
    party.act(2, f"ready {seat_commitment(BYTES[2], 0)}")
    party.do(StartDeal(party.table.owner, party.table.prompt))
    open_seat(party, 2)
    assert party.match.running.origin.opened == (b"", b"", BYTES[2], b"")


def test_words_that_are_no_commitment() -> None:
    """A commitment is 64 small hexadecimal digits and nothing else."""
    good = seat_commitment(random.Random(1).randbytes(32), 0)
    assert is_commitment(good)
    bad = [good.upper(), good[1:], good + "0", good + "\n", good[:-1] + "g", "", "٣" * 64]
    assert not any(map(is_commitment, bad))
    party = Party({"deals": 4}, 1)
    for word in bad[:3]:
        assert refusal(party, Seat(0), f"ready {word}") == "not_your_cut"
