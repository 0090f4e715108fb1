"""The evening: all matches of a table, with changing people, in both ledgers and in numbers (docs/protocol)."""

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from server.games.game import Seat
from server.games.kop.match import Match
from server.games.kop.tally import NUMBERS
from server.table import codec, sheets
from server.table.commands import TakeSeat
from server.table.evening import MOST_MATCHES, MatchScore, PersonScore, added, with_match
from server.table.events import Sitter
from server.table.ids import PlayerId
from tests.games.kop.scenes import four
from tests.table.scenes import Log, seated

ORDINARY = "TS JD AD QC / QD QH TH AS / AH AC TC TD / JS JC JH QS"
WESELE = "JS AH TC AD / TH QH AS TD / QC QS JC AC / QD JH JD TS"
Evening = dict[str, Any]


def whole_match(log: Log) -> Log:
    """Four quiet deals."""
    for _ in range(4):
        log.ready().play_on()
    return log


def person(evening: Evening, name: str) -> dict[str, Any]:
    """Somebody's sums."""
    [found] = [one for one in evening["people"] if one["name"] == name]
    return dict(found)


def check_sums(evening: Evening) -> None:
    """Money sums to 0 in each match and in all; the sums are those of the matches; the debts settle them."""
    totals: Counter[tuple[str, str]] = Counter()
    money: dict[str, Decimal] = {}
    for match in evening["matches"]:
        assert sum(Decimal(one["money"]) for one in match["people"]) == 0
        assert sum(one["deals"] for one in match["people"]) == 4 * match["deals"]
        for one in match["people"]:
            for name in NUMBERS:
                if name != "money":
                    totals[one["player"], name] += one[name]
            money[one["player"]] = money.get(one["player"], Decimal(0)) + Decimal(one["money"])
    for one in evening["people"]:
        assert Decimal(one["money"]) == money[one["player"]]
        assert all(one[name] == totals[one["player"], name] for name in NUMBERS if name != "money")
        sides = (f"{side}_{outcome}" for side in ("old", "young", "alone") for outcome in ("won", "lost"))
        assert sum(one[name] for name in sides) == one["deals"]
    owed = {one["name"]: Decimal(one["money"]) for one in evening["people"]}
    for debt in evening["debts"]:
        assert Decimal(debt["amount"]) > 0
        owed[debt["debtor"]] += Decimal(debt["amount"])
        owed[debt["creditor"]] -= Decimal(debt["amount"])
    assert set(owed.values()) <= {Decimal(0)}
    assert len(evening["debts"]) < max(1, len(evening["people"]))


def test_an_evening_without_a_deal_is_empty() -> None:
    """Before the first deal is scored there is nothing to tell."""
    for log in (Log().open(), seated(), seated().ready()):
        assert sheets.evening(log.table) == {"stake": "1 pts", "matches": [], "people": [], "debts": []}


def test_the_running_match_counts_too() -> None:
    """From its first scored deal on; it says the same as the sheet."""
    log = seated(stake="0.50", currency="zł").ready().play_on()
    evening, sheet = sheets.evening(log.table), sheets.sheet(log.table)
    [match] = evening["matches"]
    assert (match["first"], match["last"], match["deals"], evening["stake"]) == (1, 1, 1, "0.50 zł")
    assert [one["money"] for one in match["people"]] == sheet["ledger"]["money"]
    assert [one["points"] for one in match["people"]] == sheet["ledger"]["points"]
    assert evening["debts"] == sheet["debts"]
    check_sums(evening)


def test_matches_stand_one_after_the_other() -> None:
    """A rematch does not take its sheet away: the last match is kept when the next begins."""
    log = whole_match(seated(deals=4))
    before = sheets.evening(log.table)
    log.ready()
    assert sheets.evening(log.table) == before
    whole_match(log)
    evening = sheets.evening(log.table)
    assert [(one["first"], one["deals"]) for one in evening["matches"]] == [(1, 4), (2, 4)]
    assert evening["matches"][:1] == before["matches"]
    assert [one["deals"] for one in evening["people"]] == [8] * 4
    check_sums(evening)


def test_people_come_and_go_between_and_in_matches() -> None:
    """Money goes with the person, into whatever seat: who sat where stands at each match."""
    log = whole_match(seated(deals=4)).leave("d").sit("e")
    log.ready().ready().play_on().leave("b").leave("c").sit("b", 2).sit("d", 1).ready().play_on()
    log.ready().play_on().ready().play_on()
    evening = sheets.evening(log.table)
    check_sums(evening)
    first, second = evening["matches"]
    assert {one["name"][0]: one["seats"] for one in first["people"]} == {"A": [0], "B": [1], "C": [2], "D": [3]}
    seats = {one["name"][0]: one["seats"] for one in second["people"]}
    assert seats == {"A": [0], "B": [1, 2], "C": [2], "E": [3], "D": [1]}
    assert {one["name"][0]: one["deals"] for one in evening["people"]} == {"A": 8, "B": 8, "C": 5, "D": 7, "E": 4}
    assert person(evening, "D-name")["seats"] == [1, 3]
    money = [line["line"]["money"] for line in sheets.sheet(log.table)["lines"]]
    b_second = money[0][1] + sum(line[2] for line in money[1:])
    assert Decimal(next(one["money"] for one in second["people"] if one["player"] == "b")) == b_second


def test_bots_have_their_part() -> None:
    """Each bot is somebody of its own and is marked; a stand-in plays for the person, whose deals they are."""
    log = seated(deals=4, on_absence="bot").ready().away("b").play_on().leave("c").back("b")
    log.ready().play_on()
    evening = sheets.evening(log.table)
    check_sums(evening)
    assert [(one["name"][0], one["bot"], one["deals"]) for one in evening["people"][:4]] == [
        ("A", False, 2),
        ("B", False, 2),
        ("C", False, 1),
        ("D", False, 2),
    ]
    assert [(one["bot"], one["deals"]) for one in evening["people"][4:]] == [(True, 1)]


def test_statistics_add_up_against_a_count_by_hand() -> None:
    """Two deals by hand: an ordinary game that is even, and a wesele with kontra by seat 3 and re by seat 2."""
    log = Log(dealing=[(four(ORDINARY), 3), (four(WESELE), 0)]).open(None, deals=4).sit("bcd").ready()
    log.say("0 ask, 1 go on, 2 go on, 3 go on").play_on()
    log.ready().say("1 ask, 2 wesele, 3 double 1, 2 double 2, 1 ask").play_on()
    lines = [line["line"] for line in sheets.sheet(log.table)["lines"]]
    assert [line["game"] for line in lines] == ["ordinary", "wesele"]
    assert (lines[0]["old"], lines[1]["old"]) == ([0, 3], [0, 2])
    by_hand = {seat: Counter[str]() for seat in range(4)}
    for line, said in zip(lines, ([], [3, 2]), strict=True):
        for seat in range(4):
            side = "old" if seat in line["old"] else "young"
            won = line["won"] == side
            by_hand[seat][f"{side}_{'won' if won else 'lost'}"] += 1
            by_hand[seat][f"doublings_{'won' if won else 'lost'}"] += said.count(seat)
    for seat, letter in enumerate("ABCD"):
        found = person(sheets.evening(log.table), f"{letter}-name")
        assert {name: found[name] for name in NUMBERS[3:]} == {name: by_hand[seat][name] for name in NUMBERS[3:]}
        assert found["points"] == sum(line["points"][seat] for line in lines)
        assert Decimal(found["money"]) == sum(line["money"][seat] for line in lines)
    assert sum(by_hand[3].values()) == 3
    assert sum(by_hand[1].values()) == 2


def test_who_plays_alone_is_counted_apart() -> None:
    """A zolo: its caller alone against three."""
    log = Log(dealing=[(four(ORDINARY), 3)]).open(None, deals=4).sit("bcd").ready()
    log.say("0 ask, 1 zolo, 0 ask").play_on()
    found = person(sheets.evening(log.table), "B-name")
    assert (found["alone_won"] + found["alone_lost"], found["old_won"] + found["old_lost"]) == (1, 0)
    others = [person(sheets.evening(log.table), f"{letter}-name") for letter in "ACD"]
    assert [one["young_won"] + one["young_lost"] for one in others] == [1, 1, 1]


def test_who_changes_his_name_is_the_same_person() -> None:
    """The id counts; the newest name is shown."""
    log = whole_match(seated(deals=4)).leave("b")
    log.do(TakeSeat(Sitter(PlayerId("b"), "Bruno"), None))
    whole_match(log.ready())
    assert person(sheets.evening(log.table), "Bruno")["deals"] == 8
    assert len(sheets.evening(log.table)["people"]) == 4


# --- a very long evening ------------------------------------------------------------------------------------------


def score(number: int, *people: str) -> MatchScore:
    """A match that brought each of two people one deal, and money from the second to the first."""
    numbers = ({"deals": 1, "money": number}, {"deals": 1, "money": -number})
    return MatchScore(
        number,
        number,
        1,
        tuple(
            PersonScore(PlayerId(one), one.upper(), bot=False, seats=(Seat(number % 4),), numbers=part)
            for one, part in zip(people, numbers, strict=True)
        ),
    )


@pytest.mark.parametrize("matches", [1, MOST_MATCHES - 1, MOST_MATCHES, MOST_MATCHES + 1, 3 * MOST_MATCHES])
def test_of_a_very_long_evening_the_oldest_matches_are_joined(matches: int) -> None:
    """No more than so many are told apart; nothing is lost of the sums, nor of the numbers of the matches."""
    evening: tuple[MatchScore, ...] = ()
    for number in range(1, matches + 1):
        evening = with_match(evening, score(number, *("ab" if number % 2 else "ca")))
    assert len(evening) == min(matches, MOST_MATCHES)
    assert evening[0].first == 1
    assert sum(one.deals for one in evening) == matches
    assert [evening[0].first, *(one.last + 1 for one in evening)] == [*(one.first for one in evening), matches + 1]
    assert all(one.first == one.last for one in evening[1:])
    sums = {one.player: one.numbers for one in added(evening)}
    odd, even = sum(range(1, matches + 1, 2)), sum(range(2, matches + 1, 2))
    assert sums[PlayerId("a")] == {"deals": matches, "money": odd - even}
    assert sums[PlayerId("b")]["money"] == -odd
    if matches > 1:
        assert sums[PlayerId("c")]["money"] == even


def test_numbers_that_a_release_did_not_have_count_as_nothing() -> None:
    """An evening that began under an older server goes on under a newer one."""
    old = MatchScore(1, 1, 1, (PersonScore(PlayerId("a"), "A", bot=False, seats=(Seat(0),), numbers={"deals": 2}),))
    assert added([old, score(2, "a", "b")])[0].numbers == {"deals": 3, "money": 2}


def test_the_evening_survives_a_snapshot() -> None:
    """It stands in the state of the table: matches whose entries are gone still count."""
    log = whole_match(whole_match(seated(deals=4)).ready())
    read = codec.decode_snapshot(codec.encode_snapshot(log.table))
    assert sheets.evening(read) == sheets.evening(log.table)
    assert isinstance(read.play, Match)
