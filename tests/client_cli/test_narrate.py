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
    {"event": "dealt", "deal": 3, "dealer": 0, "leader": 1, "cut": 8},
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
    """In each language, without a placeholder left."""
    lines = tell(happening, language)
    assert lines
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


def test_going_and_coming_back_are_told_once() -> None:
    """A player's first connection is no return; the reader's own connections are not told."""
    board = Board(load("en"), Look())
    here, away = samples.view(), samples.view(here=[False, True, False, True])
    assert board.happenings(here, away) == []
    assert [plain(line) for line in board.happenings(away, here)] == ["Ewa has lost the connection; the seat is kept."]
    assert [plain(line) for line in board.happenings(here, away)] == ["Ewa is back."]
    assert board.happenings(here, away) == []
