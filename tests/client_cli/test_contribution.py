"""The client's part in the shuffle: bytes are kept before they are promised, opened once, and never too early."""

from dataclasses import replace
from pathlib import Path

import pytest

from client_cli.contribution import alarms, opening, ready, seat_commitment
from client_cli.contributor import Contributor
from client_cli.kept import KeptFile
from client_cli.view import View
from client_cli.witness import Kept
from server.games.kop import opening as rules
from tests.cheating import CASES, OTHER_SECRET
from tests.parties import SERVER, Party, contributor

ME = 2
KEY = ("t1", 1, 1)


def opened_file(home: Path) -> Contributor:
    """The program started anew: it knows only what is in the file."""
    return contributor(home, ME, seed=99)


def standing(tmp_path: Path, cut: int = 0) -> Party:
    """A table at which seat 2 alone has committed, and whose program has not opened yet."""
    seed = next(seed for seed in range(99) if (Party({"deals": 4}, seed).cutter == ME) == bool(cut))
    party = Party({"deals": 4}, seed, {ME: contributor(tmp_path, ME)})
    party.silent = {ME}
    for seat in range(4):
        words = f"ready {cut}" if cut and seat == ME else "ready"
        client = party.clients.get(seat)
        party.act(seat, words if client is None else client.ready(party.seen(seat), words))
    assert party.match.opening is not None
    return party


def test_ready_becomes_a_commitment_to_bytes_that_are_kept(tmp_path: Path) -> None:
    """The bytes stand in the file before the words are given out, with the seat and the cut."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    words = party.clients[ME].ready(party.seen(ME), "ready")
    own = KeptFile(tmp_path, "p2", SERVER).deals[KEY].own[-1]
    assert words == f"ready {rules.seat_commitment(bytes.fromhex(own.secret), 0)}"
    assert (own.seat, own.cut) == (ME, 0)
    assert rules.is_commitment(words.removeprefix("ready "))


@pytest.mark.parametrize("cut", [1, 7, 15])
def test_the_cut_is_in_the_commitment(cut: int, tmp_path: Path) -> None:
    """Who cuts commits to his cut too, and opens it; nobody sees it before."""
    party = standing(tmp_path, cut)
    client = opened_file(tmp_path)
    action = client.heard(party.seen(ME), 0).action
    assert action is not None
    assert action.endswith(f" {cut}")
    assert party.match.opening is not None
    assert party.match.opening.cut is None
    party.act(ME, action)
    assert party.match.running.origin.cut == cut


def test_nothing_is_committed_to_where_all_tables_play_the_same_cards(tmp_path: Path) -> None:
    """The view says so: *ready* goes out as it is, and nothing is kept for it."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    message = party.seen(ME).message
    there = {**message, "public": {**message["public"], "tournament": {"duplicate": True}}}
    client = party.clients[ME]
    kept = len(client.file.deals)
    assert client.ready(View(there), "ready") == "ready"
    assert len(client.file.deals) == kept


def test_bytes_are_fresh_for_each_ready(tmp_path: Path) -> None:
    """No bytes are promised twice, not even for one deal."""
    party = Party({"deals": 4}, 1)
    client = Contributor(KeptFile(tmp_path, "p2", SERVER))
    words = {client.ready(party.seen(ME), "ready") for _ in range(5)}
    assert len(words) == 5
    assert len({own.secret for own in client.file.deals[KEY].own}) == 5


@pytest.mark.parametrize(
    "action", ["rematch", "ask", "play AH", "ready 0", "ready 16", "ready x", f"ready {'ab' * 32}"]
)
def test_other_actions_are_left_alone(action: str, tmp_path: Path) -> None:
    """Only *ready*, with a cut or without, becomes a commitment."""
    party = Party({"deals": 4}, 1)
    assert contributor(tmp_path, ME).ready(party.seen(ME), action) == action


def test_without_a_deal_on_offer_ready_stays_ready(tmp_path: Path) -> None:
    """A watcher, and a seat before the first match, have nothing to commit to."""
    party = Party({"deals": 4}, 1)
    watching = View({**party.seen(ME).message, "own": None})
    waiting = party.seen(ME)
    waiting.play = None
    for view in (watching, waiting):
        assert ready(view, 0, bytes(32)) is None
        assert contributor(tmp_path, ME).ready(view, "ready") == "ready"


def test_a_full_disk_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """What cannot be kept is not promised: plain *ready*, and the player is told once."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    party = Party({"deals": 4}, 1)
    client = Contributor(KeptFile(blocked, "p2", SERVER))
    assert client.heard(party.seen(ME), 0).alarms == ("not_kept",)
    assert client.ready(party.seen(ME), "ready") == "ready"
    assert client.heard(party.seen(ME), 0).alarms == ()


def test_opened_once_and_noted_before(tmp_path: Path) -> None:
    """In the opening the bytes are sent once; what all have committed to is in the file before."""
    party = standing(tmp_path)
    client = opened_file(tmp_path)
    action = client.heard(party.seen(ME), 0).action
    own = client.file.deals[KEY].own[0]
    assert action == f"open {own.secret}"
    on_disk = KeptFile(tmp_path, "p2", SERVER).deals[KEY]
    assert on_disk.commitments == ("", "", own.commitment, "")
    assert client.heard(party.seen(ME), 0).action is None
    client.refused()
    assert client.heard(party.seen(ME), 0).action == action


def test_a_program_started_anew_finds_its_bytes(tmp_path: Path) -> None:
    """The program died after *ready*; the next one opens, and the deal counts as its own."""
    party = standing(tmp_path)
    party.clients[ME] = opened_file(tmp_path)
    party.silent = set()
    heard = party.clients[ME].heard(party.seen(ME), 0)
    assert heard.action is not None
    party.act(ME, heard.action)
    own = party.kept(ME)[KEY]
    assert party.match.running.origin.opened[ME].hex() == own.own[0].secret
    assert own.opened


def test_the_commitment_that_stands_is_opened(tmp_path: Path) -> None:
    """Of several attempts at *ready* the one that the server took is opened."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    client = party.clients[ME]
    lost, taken = (client.ready(party.seen(ME), "ready") for _ in range(2))
    assert lost != taken
    client.ready(party.seen(ME), "ready")
    party.silent = {ME}
    for seat in range(4):
        party.act(seat, taken if seat == ME else "ready")
    heard = opened_file(tmp_path).heard(party.seen(ME), 0)
    assert heard.action == f"open {client.file.deals[KEY].own[1].secret}"


def test_nothing_is_opened_for_a_server_that_changed_its_commitment(tmp_path: Path) -> None:
    """If the promise is another one than before *ready*, the bytes stay closed and the player is told."""
    party = standing(tmp_path)
    view = party.seen(ME)
    assert view.play is not None
    view.play["commitment"] = "ab" * 32
    heard = opened_file(tmp_path).heard(view, 0)
    assert heard.action is None
    assert heard.alarms == ("commitment_changed",)


def test_nothing_is_opened_when_the_list_has_changed(tmp_path: Path) -> None:
    """Another seat's commitment that changed after it was noted: the bytes stay closed."""
    party = standing(tmp_path)
    client = opened_file(tmp_path)
    client.heard(party.seen(ME), 0)
    view = party.seen(ME)
    assert view.play is not None
    view.play["opening"]["commitments"][0] = "ab" * 32
    assert opening(view, client.file.deals[KEY]) is None
    assert opened_file(tmp_path).heard(view, 0).action is None


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_another_seat_opens_nothing_of_mine(seat: int, tmp_path: Path) -> None:
    """Bytes are opened at the seat for which they were promised only."""
    party = standing(tmp_path)
    client = opened_file(tmp_path)
    view = party.seen(seat)
    assert view.play is not None
    stand = view.play["opening"]["commitments"]
    stand[seat], stand[ME] = stand[ME], ""
    assert client.heard(view, 0).action is None
    assert opening(view, replace(client.file.deals[KEY], commitments=None)) is None


def test_a_missing_commitment_is_told_at_once(tmp_path: Path) -> None:
    """The server took *ready* and now shows an opening without it."""
    party = standing(tmp_path)
    view = party.seen(ME)
    assert view.play is not None
    view.play["opening"]["commitments"][ME] = ""
    heard = opened_file(tmp_path).heard(view, 0)
    assert (heard.action, heard.alarms) == (None, ("own_commitment_missing",))


def test_a_secret_that_was_used_is_told_before_ready(tmp_path: Path) -> None:
    """A commitment that was given for another deal is noticed when it is offered, once."""
    party = Party({"deals": 4}, 5, {ME: contributor(tmp_path, ME)})
    offer = party.match.offer
    assert offer is not None
    party.entropy = lambda: offer.secret
    party.deal()
    assert party.alarms == ["secret_reused"]
    party.deal()
    assert party.alarms == ["secret_reused"] * 2


@pytest.mark.parametrize("name", ["annulled_and_dealt_again"])
def test_a_deal_offered_anew_is_told(name: str, tmp_path: Path) -> None:
    """A server that deals a number again is noticed while it does."""
    case = CASES[name](tmp_path)
    assert len(case.kept["t1", 1, 2].offers) == 2
    party = Party({"deals": 4}, 5, {ME: contributor(tmp_path / "again", ME)})
    view = party.seen(ME)
    deals = {KEY: Kept(KEY, ("ab" * 32,))}
    assert list(alarms(view, deals)) == ["commitment_changed"]
    assert list(alarms(view, {KEY: replace(deals[KEY], returned=True)})) == []


def test_both_sides_hash_alike() -> None:
    """The client's commitment is the server's, for every cut."""
    for cut in range(16):
        assert seat_commitment(OTHER_SECRET, cut) == rules.seat_commitment(OTHER_SECRET, cut)


def test_the_server_takes_what_the_client_makes(tmp_path: Path) -> None:
    """The record has the client's bytes in it."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    record = party.deal()
    assert record["fair"]["opened"][ME] == party.kept(ME)[KEY].own[0].secret
