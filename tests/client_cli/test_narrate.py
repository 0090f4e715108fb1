"""Happenings as sentences."""

import hashlib
from typing import Any, get_args

import pytest

from client_cli.amounts import eyes
from client_cli.board import Board
from client_cli.cards import face_of
from client_cli.catalogue import LANGUAGES, load
from client_cli.company_text import may_change
from client_cli.narrate import Teller
from client_cli.style import Look, plain
from client_cli.view import View
from protocol.kop import KopHappening
from protocol.server import TableHappening
from tests.client_cli import evenings, samples

HANDS = [["AH", "QC", "JD", "TS"]] * 4
SCORED = {"event": "deal_scored", "line": samples.line(), "hands": HANDS, "secret": "00" * 32}
HAPPENINGS: list[dict[str, Any]] = [
    {"event": "seated", "seat": 2, "player": "p2", "name": "Ewa", "bot": None},
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
    {"event": "options_changed", "options": samples.WOLSZTYN},
    {"event": "absent", "seat": 2},
    {"event": "stand_in", "seat": 2},
    {"event": "returned", "seat": 2},
    {"event": "voted", "seat": 1, "absent": 2, "choice": "bot"},
    {"event": "paused", "seat": 1},
    {"event": "resumed", "seat": None},
    {"event": "paused", "seat": None, "director": True},
    {"event": "resumed", "seat": None, "director": True},
    {"event": "table_closed", "reason": "Jan forfeits."},
    {"event": "time_called"},
    {"event": "time_given", "millis": 12_000},
    {"event": "acted_for", "seat": 1, "by": "clock"},
    evenings.talked("Good evening"),
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
    board, view = Board(load(language), Look()), samples.view(happened=[happening])
    lines = [plain(line) for line in board.happenings(view, None, samples.NOW)]
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
        ({"event": "absent", "seat": 2}, "Ewa is away."),
        ({"event": "absent", "seat": 0}, "You count as away."),
        ({"event": "stand_in", "seat": 2}, "A bot plays for Ewa until Ewa is back."),
        ({"event": "returned", "seat": 2}, "Ewa is back and plays on."),
        ({"event": "voted", "seat": 0, "absent": 2, "choice": "bot"}, "You vote about Ewa: a bot plays."),
        ({"event": "paused", "seat": 1}, "Jan pauses the table."),
        ({"event": "paused", "seat": None}, "Nobody was left at the table: it is paused."),
        ({"event": "paused", "seat": None, "director": True}, "The director pauses the table."),
        (
            {"event": "table_closed", "reason": "Jan forfeits."},
            "The director ends the match at this table: Jan forfeits.",
        ),
        ({"event": "time_called"}, "Time is called: the deal in play is the last."),
        ({"event": "time_given", "millis": 11_500}, "The server was away for a while: all have 12 s more."),
        ({"event": "resumed", "seat": 0}, "You let the table go on."),
        ({"event": "acted_for", "seat": 1, "by": "bot"}, "A bot plays for Jan:"),
        ({"event": "acted_for", "seat": 0, "by": "clock"}, "Your time is over:"),
        ({"event": "fireworks\x1b[2J"}, "Something happened: fireworks[2J."),
    ],
)
def test_a_sentence_names_who_did_what(happening: dict[str, Any], sentence: str) -> None:
    """Others by name, the reader as you; what is not known is named as it is."""
    assert tell(happening) == [sentence]


def test_a_bot_is_always_called_one() -> None:
    """Where it plays, sits down, leaves, and in what it wins; a program too."""
    seats = samples.sitters(Jan="hard", Max="program")
    view = samples.view(seats=seats)
    teller = Teller(load("en"), face_of(load("en"), unicode=True))
    assert teller.tell({"event": "card_played", "seat": 1, "card": "JD"}, view, None) == ["Jan (bot) plays J♦."]
    assert teller.tell(SCORED, view, None)[2].endswith("Ola -2, Jan (bot) +2, Ewa +2, Max (bot) -2.")
    seated = {"event": "seated", "seat": 1, "player": "b", "name": "Jan", "bot": "easy"}
    assert teller.tell(seated, view, None) == ["Jan (bot) takes seat 2, strength: easy."]
    left = {"event": "seat_left", "seat": 1, "name": "Jan"}
    assert teller.tell(left, samples.view(), view) == ["Jan (bot) leaves seat 2."]


def test_changed_options_are_told_with_all_that_differs() -> None:
    """Fields that are as the named set has them are left out."""
    (line,) = tell({"event": "options_changed", "options": samples.WOLSZTYN | {"talk": "off", "clock_seconds": 20}})
    assert line == (
        "The owner has changed what is agreed. Rules: wolsztyn; deals = 16; answer_seconds = none; stake = 0.10; "
        "currency = zł; clock_seconds = 20; talk = off; cap_zolo_du = none."
    )


def test_who_is_asked_after_an_absence_is_told_what_he_may_vote() -> None:
    """Those with a voice; the others hear only that somebody is away."""
    board, gone = Board(load("en"), Look()), [{"event": "absent", "seat": 2}]
    message = samples.away()
    told = board.happenings(View(message | {"happened": gone}), None, samples.NOW)
    assert plain(told[0]) == "Ewa is away."
    assert plain(told[1]).startswith("You have a voice in what becomes of seat 3: vote wait, vote bot or vote end.")
    watching = board.happenings(View(message | {"happened": gone, "own": None}), None, samples.NOW)
    assert [plain(line) for line in watching] == ["Ewa is away."]


def test_a_seat_that_was_given_up_in_a_match_can_be_voted_on_too() -> None:
    """It has no name any more, so its number stands for it."""
    absent = [{"seat": 2, "number": 1, "stand_in": False, "votes": [{"seat": 1, "choice": "end"}]}]
    seats, gone = samples.sitters(("Ola", "Jan", None, "Max")), [{"event": "absent", "seat": 2}]
    view = samples.view(seats=seats, absences=absent, happened=gone)
    board = Board(load("en"), Look())
    told = [plain(line) for line in (*board.happenings(view, None, samples.NOW), *board.standing(view, samples.NOW))]
    assert told[0] == "Seat 3 has nobody now."
    assert told[1].startswith("You have a voice in what becomes of seat 3: ")
    assert told[2] == "Seat 3 has nobody; those who are there vote on it. So far: Jan: end the match."


def test_who_has_voted_is_told_that_he_may_change_it_while_the_vote_is_open() -> None:
    """After his own vote and in the help; with the seat where several are voted on."""
    board, texts = Board(load("en"), Look()), load("en")
    absent = [{"seat": 2, "number": 5, "stand_in": False, "votes": [{"seat": 0, "choice": "bot"}]}]
    voted = [{"event": "voted", "seat": 0, "absent": 2, "choice": "bot"}]
    change = "Your vote on seat 3: bot. You may change it as long as the vote is open: vote wait, vote end."
    view = samples.view(absences=absent, happened=voted)
    told = [plain(line) for line in board.happenings(view, None, samples.NOW)]
    assert told == ["You vote about Ewa: a bot plays.", change]
    assert change in [plain(line) for line in board.help(view, samples.NOW)]
    other = samples.view(absences=absent, happened=[voted[0] | {"seat": 1}])
    assert len(board.happenings(other, None, samples.NOW)) == 1
    decided = samples.view(absences=[absent[0] | {"stand_in": True, "votes": None}], happened=voted)
    assert len(board.happenings(decided, None, samples.NOW)) == 1
    several = samples.view(absences=[*absent, absent[0] | {"seat": 3, "number": 6, "votes": []}])
    assert may_change(several, texts) == [change.replace("wait", "wait 3").replace("end.", "end 3.")]


def test_who_talks_has_the_name_of_his_seat() -> None:
    """A watcher, and who sits there no longer, has the one that he said it under."""
    board, view = Board(load("en"), Look()), samples.view()
    assert plain(board.talked(evenings.talked("hi", name="Max"), view)) == "Jan says: hi"
    assert plain(board.talked(evenings.talked("hi", name="Max", seat=None), view)) == "Max (watching) says: hi"
    assert plain(board.talked(evenings.talked("hi", name="Zed") | {"player": "p8"}, view)) == "Zed says: hi"


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["1 card point", "2 card points", "5 card points", "12 card points", "22 card points"]),
        ("de", ["1 Auge", "2 Augen", "5 Augen", "12 Augen", "22 Augen"]),
        ("pl", ["1 oko", "2 oka", "5 oczek", "12 oczek", "22 oka"]),
    ],
)
def test_card_points_have_the_form_of_their_number(language: str, forms: list[str]) -> None:
    """As people count in each language."""
    assert [eyes(load(language), count) for count in (1, 2, 5, 12, 22)] == forms


def test_talk_is_told_apart_from_what_happens() -> None:
    """By a sign in pictures, by a word in sentences, by a style; escapes do not come through."""
    view = samples.view(happened=[evenings.talked("\x1b[2Jhi, A♥ is mine")])
    [line] = Board(load("en"), Look(rich=True)).happenings(view, None, samples.NOW)
    assert line == [("talk", "Jan ❞ [2Jhi, A♥ is mine")]
    [line] = Board(load("de"), Look()).happenings(view, None, samples.NOW)
    assert plain(line) == "Jan sagt: [2Jhi, A♥ is mine"


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
    assert [plain(line) for line in board.happenings(view, full, samples.NOW)] == ["Ewa leaves seat 3.", hint]
    assert [plain(line) for line in board.happenings(view, view, samples.NOW)] == ["Ewa leaves seat 3."]
    view.public["owner"] = "p1"
    assert [plain(line) for line in board.happenings(view, full, samples.NOW)] == ["Ewa leaves seat 3."]


def test_going_and_coming_back_are_told_once() -> None:
    """A player's first connection is no return; the reader's own connections are not told."""
    board = Board(load("en"), Look())
    here, away = samples.view(), samples.view(here=[False, True, False, True])
    assert board.happenings(here, away, samples.NOW) == []
    assert [plain(line) for line in board.happenings(away, here, samples.NOW)] == [
        "Ewa has lost the connection; the seat is kept."
    ]
    assert [plain(line) for line in board.happenings(here, away, samples.NOW)] == ["Ewa is back."]
    assert board.happenings(here, away, samples.NOW) == []
