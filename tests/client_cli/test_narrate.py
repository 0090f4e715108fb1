"""Happenings as sentences."""

import hashlib
from typing import Any, get_args

import pytest

from client_cli.board import Board
from client_cli.cards import face_of
from client_cli.catalogue import LANGUAGES, load
from client_cli.narrate import Teller
from client_cli.style import Look, plain
from protocol.kop import KopHappening
from protocol.server import TableHappening
from tests.client_cli import samples

HANDS = [["AH", "QC", "JD", "TS"]] * 4
SCORED = {"event": "deal_scored", "line": samples.line(), "hands": HANDS, "secret": "00" * 32}
HAPPENINGS: list[dict[str, Any]] = [
    {"event": "seated", "seat": 2, "player": "p2", "name": "Ewa"},
    {"event": "seat_left", "seat": 2, "name": "Ewa"},
    {"event": "seat_removed", "seat": 2, "name": "Ewa"},
    {"event": "owner_changed", "player": "p1"},
    {"event": "ready", "seat": 1},
    {"event": "match_started", "match": 1},
    {"event": "opening_begun", "commitments": ["ab" * 32, "", "", ""], "cut": None},
    {"event": "opened", "seat": 0},
    {"event": "lead_taken_back", "seat": 1, "card": "TH"},
    {"event": "deal_annulled", "deal": 3, "hands": HANDS, "secret": "00" * 32},
    {"event": "dealt", "deal": 3, "dealer": 0, "leader": 1, "cut": 8, "unopened": []},
    {"event": "said", "seat": 1, "say": "ask"},
    {"event": "answer_time_over"},
    {"event": "card_played", "seat": 1, "card": "JD"},
    {"event": "trick_taken", "seat": 1, "eyes": 27},
    SCORED,
    {"event": "deal_offered", "deal": 4, "dealer": 1, "commitment": ""},
    {"event": "match_over"},
]


def tell(happening: dict[str, Any], language: str = "en", **changes: Any) -> list[str]:
    """The sentences, to the reader at seat 0."""
    texts = load(language)
    return Teller(texts, face_of(texts, unicode=True)).tell(happening, samples.view(**changes), None)


def test_every_happening_of_the_contract_has_a_sentence() -> None:
    """None is told as something unknown."""
    models = [*get_args(get_args(KopHappening)[0]), *get_args(get_args(TableHappening)[0])]
    contract = {get_args(model.model_fields["event"].annotation)[0] for model in models}
    assert contract == {happening["event"] for happening in HAPPENINGS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("happening", HAPPENINGS, ids=lambda happening: str(happening["event"]))
def test_a_happening_is_told_in_words(language: str, happening: dict[str, Any]) -> None:
    """In each language, without a placeholder left; that a seat opens what it committed to needs no words."""
    lines = tell(happening, language)
    assert lines or happening["event"] == "opened"
    assert not any(mark in line for line in lines for mark in "{}")
    assert load(language)("happened.other", event=happening["event"]) not in lines


@pytest.mark.parametrize(
    ("happening", "sentence"),
    [
        ({"event": "card_played", "seat": 1, "card": "JD"}, "Jan plays J♦."),
        ({"event": "card_played", "seat": 0, "card": "TH"}, "You play 10♥."),
        ({"event": "trick_taken", "seat": 0, "eyes": 27}, "You take the trick: 27 card points."),
        ({"event": "said", "seat": 1, "say": "double 2"}, "Jan: re!"),
        ({"event": "said", "seat": 1, "say": "double 9"}, "Jan: double 9!"),
        ({"event": "said", "seat": 2, "say": "wesele JH"}, "Ewa calls wesele with J♥!"),
        ({"event": "said", "seat": 0, "say": "zolo du"}, "You call zolo du!"),
        ({"event": "said", "seat": 2, "say": "go on"}, "Ewa: go on."),
        ({"event": "said", "seat": 2, "say": "pass"}, "Ewa passes."),
        ({"event": "said", "seat": 0, "say": "pass"}, "You pass."),
        ({"event": "lead_taken_back", "seat": 1, "card": "TH"}, "Jan takes 10♥ back; everybody has seen it."),
        ({"event": "lead_taken_back", "seat": 0, "card": "TH"}, "You take 10♥ back; everybody has seen it."),
        ({"event": "owner_changed", "player": "p0"}, "You are the table's owner now."),
        ({"event": "answer_time_over"}, "The time for answers is over; Jan may lead."),
        ({"event": "fireworks\x1b[2J"}, "Something happened: fireworks[2J."),
    ],
)
def test_a_sentence_names_who_did_what(happening: dict[str, Any], sentence: str) -> None:
    """Others by name, the reader as you; what is not known is named as it is."""
    assert tell(happening) == [sentence]


def test_a_scored_deal_tells_side_value_and_money() -> None:
    """Base × doublings = value, and who pays whom."""
    assert tell(SCORED) == [
        "Deal 3, ordinary game: the Young win, boki (52:52).",
        "Old: Ola and Max, 52 of 104 card points.",
        "Value: 1 × 2 = 2. Ola -2, Jan +2, Ewa +2, Max -2.",
    ]
    assert tell(SCORED | {"line": samples.alone()})[0] == "Deal 4, zolo du: Ewa loses alone."


def test_a_secret_that_does_not_fit_its_promise_is_told() -> None:
    """The commitment seen before the deal is compared with the secret after it."""
    texts = load("en")
    teller = Teller(texts, face_of(texts, unicode=True))
    promised = samples.view(play=samples.play(commitment=hashlib.sha256(bytes(32)).hexdigest()))
    other = samples.view(play=samples.play(commitment="ab" * 32))
    warning = texts("scored.secret_wrong")
    assert warning not in teller.tell(SCORED, promised, promised)
    assert warning in teller.tell(SCORED, other, other)
    assert warning in teller.tell(SCORED | {"secret": "zz"}, promised, promised)
    assert warning not in teller.tell(SCORED, other, samples.view(play=samples.play(deal=2)))


def test_an_annulled_deal_is_laid_open_and_its_secret_held_against_the_promise() -> None:
    """Its number, its hands; a secret that was not promised is told."""
    texts = load("en")
    annulled = {"event": "deal_annulled", "deal": 3, "hands": HANDS, "secret": "00" * 32}
    lines = tell(annulled)
    assert lines[0] == "Deal 3 is annulled: it does not count, and its number is not used again."
    assert "Ola: A♥ Q♣ J♦ 10♠; Jan: " in lines[1]
    teller = Teller(texts, face_of(texts, unicode=True))
    other = samples.view(play=samples.play(commitment="ab" * 32))
    assert texts("scored.secret_wrong") in teller.tell(annulled, other, other)


def test_the_end_of_the_pause_for_late_calls_needs_no_words() -> None:
    """Only the answer time in open calls is about a lead."""
    assert tell({"event": "answer_time_over"}, play=samples.play(phase="play", turn=2)) == []


def test_an_owner_is_told_when_a_seat_is_empty_in_a_deal() -> None:
    """What he can do about it, once; others are told only that the seat is empty."""
    board = Board(load("en"), Look())
    left = [{"event": "seat_left", "seat": 2, "name": "Ewa"}]
    full, view = samples.view(), samples.view(seats=samples.sitters(("Ola", "Jan", None, "Max")), happened=left)
    hint = load("en")("need.annul")
    assert [plain(line) for line in board.happenings(view, full)] == ["Ewa leaves seat 3.", hint]
    assert [plain(line) for line in board.happenings(view, view)] == ["Ewa leaves seat 3."]
    view.public["owner"] = "p1"
    assert [plain(line) for line in board.happenings(view, full)] == ["Ewa leaves seat 3."]


def test_going_and_coming_back_are_told_once() -> None:
    """A player's first connection is no return; the reader's own connections are not told."""
    board = Board(load("en"), Look())
    here, away = samples.view(), samples.view(here=[False, True, False, True])
    assert board.happenings(here, away) == []
    assert [plain(line) for line in board.happenings(away, here)] == ["Ewa has lost the connection; the seat is kept."]
    assert [plain(line) for line in board.happenings(here, away)] == ["Ewa is back."]
    assert board.happenings(here, away) == []
