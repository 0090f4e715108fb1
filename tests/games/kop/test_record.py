"""A record replays through the rules and gives the same result; a changed one does not."""

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.record import KopRecord
from server.games.game import Stage
from server.games.kop.happenings import plain_line
from server.games.kop.record import BadRecord, replay
from server.games.kop.ruleset import RULE_SETS
from tests.parties import Party, contributor, played

Record = dict[str, Any]
PAGE = Path(__file__).resolve().parents[3] / "docs" / "records.md"


@cache
def records(rules: str) -> tuple[Record, ...]:
    """The records of some whole matches by a named rule set."""
    return tuple(record for seed in range(6) for record in played({"rules": rules, "deals": 8}, seed))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_named_set_replays(rules: str) -> None:
    """Each deal of matches played by chance replays to the same hands, acts and line."""
    found = records(rules)
    assert len(found) == 48
    for record in found:
        steps = replay(json.loads(json.dumps(record)))
        end = steps[-1].match
        assert end.stage is Stage.BETWEEN
        assert plain_line(end.lines[-1]) == record["line"]
        assert end.deal is not None
        assert [list(act) for act in end.deal.acts] == record["acts"]
        assert list(end.deal.origin.deck) == record["deck"]


def test_the_matches_show_all_kinds_of_acts() -> None:
    """Among them are calls, doublings, passes, questions, time that ran out, and leads taken back."""
    acts = [act for rules in RULE_SETS for record in records(rules) for act in record["acts"]]
    words = {text.split(" ")[0] for _, text in acts}
    assert words == {"ask", "go", "pass", "wesele", "zolo", "double", "play", "time"}
    assert any(seat is None for seat, _ in acts)
    assert any(len([1 for _, text in record["acts"] if text.startswith("play")]) > 16 for record in records("wolsztyn"))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_records_are_as_documented(rules: str) -> None:
    """The model of which the schema is made accepts every record."""
    for record in records(rules):
        assert (
            json.loads(KopRecord.model_validate_json(json.dumps(record)).model_dump_json(exclude_unset=True)) == record
        )


def test_a_record_with_bytes_of_seats_is_as_documented(tmp_path: Path) -> None:
    """Commitments, opened bytes and burned deals stand in the record."""
    party = Party({"deals": 4}, 3, {seat: contributor(tmp_path, seat) for seat in (0, 3)})
    party.deal()
    party.ready()
    party.annul()
    record = party.deal()
    KopRecord.model_validate_json(json.dumps(record))
    assert [bool(part) for part in record["fair"]["opened"]] == [True, False, False, True]
    assert [one["deal"] for one in record["fair"]["burned"]] == [2]
    assert record["deal"] == 3
    replay(record)


def test_the_example_is_a_record() -> None:
    """The record in docs/records.md is one, and replays."""
    text = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    KopRecord.model_validate_json(text)
    assert len(replay(json.loads(text))) > 16


def test_every_field_is_explained() -> None:
    """docs/records.md names every field of a record."""
    table = PAGE.read_text(encoding="utf-8").split("## The fields")[1]
    assert [name for name in KopRecord.model_fields if f"`{name}`" not in table] == []


def swap(items: list[Any], one: int, two: int) -> None:
    items[one], items[two] = items[two], items[one]


CHANGES: dict[str, Callable[[Record], object]] = {
    "deck in another order": lambda r: swap(r["deck"], 0, 1),
    "a card twice": lambda r: r["deck"].__setitem__(0, r["deck"][1]),
    "a card missing": lambda r: r["deck"].pop(),
    "no card": lambda r: r["deck"].__setitem__(0, "XX"),
    "another dealer": lambda r: r.__setitem__("dealer", (r["dealer"] + 1) % 4),
    "no dealer": lambda r: r.__setitem__("dealer", 4),
    "dealer is no number": lambda r: r.__setitem__("dealer", True),
    "no cut": lambda r: r.__setitem__("cut", 16),
    "cut is no number": lambda r: r.__setitem__("cut", "5"),
    "another number": lambda r: r.__setitem__("deal", r["deal"] + 1),
    "an act missing": lambda r: r["acts"].pop(-6),
    "the last act missing": lambda r: r["acts"].pop(),
    "an act too many": lambda r: r["acts"].append([0, "ask"]),
    "acts in another order": lambda r: swap(r["acts"], -1, -2),
    "an act of another seat": lambda r: r["acts"][-5].__setitem__(0, (r["acts"][-5][0] + 1) % 4),
    "an act of no seat": lambda r: r["acts"][-5].__setitem__(0, 9),
    "an act nobody knows": lambda r: r["acts"][-5].__setitem__(1, "dance"),
    "the clock plays": lambda r: r["acts"].insert(0, [None, "play AH"]),
    "the clock at no time": lambda r: r["acts"].insert(0, [None, "time over"]),
    "no acts": lambda r: r.__setitem__("acts", []),
    "acts are no list": lambda r: r.__setitem__("acts", 5),
    "more money": lambda r: r["line"].__setitem__("money", [3, -1, -1, -1]),
    "another winner": lambda r: r["line"].__setitem__("won", "young" if r["line"]["won"] == "old" else "old"),
    "more doublings": lambda r: r["line"].__setitem__("counted", r["line"]["counted"] + 1),
    "no line": lambda r: r.pop("line"),
    "no options": lambda r: r.pop("options"),
    "an option nobody knows": lambda r: r["options"].__setitem__("jokers", 2),
    "other trumps": lambda r: r["options"].__setitem__("trumps", "none"),
    "no fairness": lambda r: r.pop("fair"),
    "fairness is a text": lambda r: r.__setitem__("fair", "yes"),
    "no secret": lambda r: r["fair"].__setitem__("secret", None),
}


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_record_is_caught(change: Callable[[Record], object], rules: str) -> None:
    """Whatever is changed in the deal, its play or its result: `BadRecord`, and no other fault."""
    for record in records(rules)[:6]:
        changed = copy.deepcopy(record)
        change(changed)
        with pytest.raises(BadRecord):
            replay(changed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(["", "play AH", "ask", "AH", "open"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "secret"]), inner, max_size=2),
    max_leaves=6,
)


@given(st.sampled_from(sorted(KopRecord.model_fields)), JSON)
def test_garbage_in_any_field_is_a_bad_record(name: str, value: Any) -> None:
    """A field of any shape makes `BadRecord` or a record that replays, never another fault."""
    try:
        replay({**records("klassisch")[0], name: value})
    except BadRecord:
        return
    unchecked = {"format", "record", "game", "table", "match", "at", "seats", "bots", "acted_for", "cut", "fair"}
    unchecked |= {"tournament"}
    defaults = (name, value) == ("options", {})  # what is not named is that of the rule set
    assert defaults or name in unchecked or value == records("klassisch")[0][name]
