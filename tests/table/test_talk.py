"""What is said at a table: free, by phrases, or not at all; seats to everybody, watchers to watchers."""

import pytest

from server.games.game import Seat
from server.table import codec, view
from server.table.commands import Say
from server.table.events import Talked
from server.table.ids import PlayerId
from server.table.talk import MOST_KEPT, PHRASES, heard
from tests.games.kop.scenes import WHOLE_DEAL
from tests.table.scenes import Log, dealt, seated

B, W = PlayerId("b"), PlayerId("w")


@pytest.mark.parametrize(
    ("talk", "text", "phrase", "code"),
    [
        ("free", "tak", "", None),
        ("free", "", "hello", None),
        ("free", "", "", "nothing_said"),
        ("free", "tak", "hello", "nothing_said"),
        ("free", "", "howdy", "no_such_phrase"),
        ("phrases", "tak", "", "phrases_only"),
        ("phrases", "", "hello", None),
        ("phrases", "", "howdy", "no_such_phrase"),
        ("phrases", "", "", "nothing_said"),
        ("off", "tak", "", "talk_off"),
        ("off", "", "hello", "talk_off"),
    ],
)
@pytest.mark.parametrize("player", [B, W], ids=["seat", "watcher"])
def test_what_may_be_said(talk: str, text: str, phrase: str, code: str | None, player: PlayerId) -> None:
    """As it was agreed, for seats and watchers alike."""
    assert seated(talk=talk).refused(Say(player, "name", text, phrase)) == code
    assert dealt(WHOLE_DEAL, talk=talk).refused(Say(player, "name", text, phrase)) == code


@pytest.mark.parametrize("phrase", sorted(PHRASES))
def test_every_phrase_can_be_said(phrase: str) -> None:
    """By its name: each client says it in its reader's language."""
    [said] = seated(talk="phrases").do(Say(B, "B-name", "", phrase))
    assert (said.seat, said.text, said.phrase) == (1, "", phrase)


def test_everybody_hears_a_seat() -> None:
    """It is a happening for all, with who said it and when; nothing else changes."""
    log = dealt(WHOLE_DEAL)
    before = view.public(log.table)
    log.talk("b", "tak, tak")
    [said] = log.lines[-1].events
    told = view.happening(log.table, said)
    assert told == {
        "event": "talked",
        "seat": 1,
        "player": "b",
        "name": "B-name",
        "text": "tak, tak",
        "phrase": "",
        "at": log.now,
    }
    assert list(view.watchers_only([said])) == []
    assert view.public(log.table) == before


def test_watchers_are_heard_by_watchers_only() -> None:
    """To the seats nothing has happened, then and later."""
    log = dealt(WHOLE_DEAL).talk("w", "he has both queens")
    [said] = log.lines[-1].events
    assert said.seat is None
    assert view.happening(log.table, said) is None
    [told] = view.watchers_only([said])
    assert told["text"] == "he has both queens"
    log.talk("b", "hm")
    assert [one.text for one in heard(log.table, by_seat=True)] == ["hm"]
    assert [one.text for one in heard(log.table, by_seat=False)] == ["he has both queens", "hm"]


def test_who_sits_down_speaks_as_a_seat() -> None:
    """What he said as a watcher stays among the watchers; who has left is a watcher."""
    log = Log().open().talk("b", "one").sit("b").talk("b", "two").leave("b").talk("b", "three")
    assert [one.text for one in heard(log.table, by_seat=True)] == ["two"]
    assert [one.text for one in heard(log.table, by_seat=False)] == ["one", "two", "three"]


def test_the_same_may_be_said_again() -> None:
    """Short repeats are no fault."""
    log = seated().talk("b", "tak").talk("b", "tak").talk("c", "tak")
    assert [one.text for one in heard(log.table, by_seat=True)] == ["tak"] * 3


def test_the_memory_of_talk_is_bounded() -> None:
    """The last sayings of the seats are kept, and as many of the watchers', whoever talks more."""
    log = seated().talk("b", "early")
    for number in range(MOST_KEPT + 5):
        log.talk("w", f"w{number}")
    assert [one.text for one in heard(log.table, by_seat=True)] == ["early"]
    for number in range(MOST_KEPT):
        log.talk("c", f"c{number}")
    assert [one.text for one in heard(log.table, by_seat=True)] == [f"c{number}" for number in range(MOST_KEPT)]
    watchers = [one.text for one in heard(log.table, by_seat=False) if one.seat is None]
    assert watchers == [f"w{number}" for number in range(5, MOST_KEPT + 5)]
    assert codec.decode_snapshot(codec.encode_snapshot(log.table)) == log.table


def test_talk_is_told_in_its_order() -> None:
    """Seats and watchers together, for who hears both."""
    log = seated()
    for number in range(2 * MOST_KEPT):
        log.talk("bw"[number % 2], str(number))
    assert [one.text for one in heard(log.table, by_seat=False)] == [str(number) for number in range(2 * MOST_KEPT)]
    log.talk("w", "last")
    assert heard(log.table, by_seat=False)[-1] == Talked(None, W, "W-name", "last", "", log.moment().now)
    assert heard(log.table, by_seat=False)[0].seat == Seat(1)


def test_talk_outlives_a_match() -> None:
    """It belongs to the table."""
    log = seated(deals=4).talk("b", "good luck")
    for _ in range(4):
        log.ready().play_on()
    log.ready()
    assert [one.text for one in heard(log.table, by_seat=True)] == ["good luck"]
