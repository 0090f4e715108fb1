"""Whole visits at a tournament, against a server that says what it is told to: what is sent, and what is read."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from client_cli.arguments import make_parser
from client_cli.catalogue import load
from client_cli.home import Saved
from client_cli.main import _opening, _server, _target
from client_cli.opening import Opening
from client_cli.tournament.draws import Draws
from tests.client_cli import samples as tables
from tests.client_cli.fake import TOURNAMENT, FakeServer, Peer
from tests.client_cli.samples import NOW
from tests.client_cli.tournament import samples
from tests.client_cli.visits import RESUME, Script, table, visited

LISTING = Opening("tournament", line="tournament list")
OWN = [TOURNAMENT]
BEFORE = samples.own(**samples.IDLE)
REGISTRATION: dict[str, Any] = {"stage": "registration", "round": 0, "deadline": None, "decisions": 0}


async def answer_page(peer: Peer, about: str, content: dict[str, Any]) -> Any:
    """Hears a question for a page and sends it."""
    asked = await peer.hear_command("tournament_page")
    assert asked.about == about
    await peer.say(samples.page(about, content) | {"id": asked.id})
    return asked


async def test_a_player_is_led_to_his_seat_round_by_round(tmp_path: Path) -> None:
    """From no table at all, and from the table of the round before; the visit goes on between them."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN)
        await peer.say(samples.message(1, **REGISTRATION, own=BEFORE))
        opened = {"event": "round_opened", "round": 1, "tables": 2}
        first = samples.own(table="t1", number=1, seat=1)
        await peer.say(samples.message(2, from_=1, round=1, happened=[opened], own=first))
        await peer.say(table(4, own=tables.own(1)))
        asked = await answer_page(peer, "round", samples.round_() | {"round": 1})
        assert asked.round == 1
        result = {"event": "result", "round": 1, "table": 1, "kind": "played", "small": [14, -2, -2, -10]}
        ended = {"event": "round_ended", "round": 1}
        between = {"stage": "break", "round": 1, "deadline": None, "due": NOW + 40_000}
        await peer.say(samples.message(3, from_=2, **between, happened=[result, ended], own=BEFORE))
        await peer.say(type="closed", table="t1", reason="expired")
        opened = {"event": "round_opened", "round": 2, "tables": 2}
        second = samples.own(table="t2", number=2, seat=3)
        await peer.say(table(1, own=tables.own(3)) | {"table": "t2"})
        await peer.say(samples.message(4, from_=3, round=2, happened=[opened], own=second))
        await answer_page(peer, "round", samples.round_())
        await peer.stay()

    console = Script(("Round 2, table 2", "tables"), ("Your tables", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    told = [line for line in console.printed if line.startswith("Round")]
    assert told[:1] == ["Round 1 is open; tables: 2."]
    assert "Round 1, table 1: you have seat 2, in the east." in told
    assert "Round 1, table 1: Jan +14, Zofia -2, Ewa -2, a bot -10." in told
    assert "Round 1 is over." in told
    assert any(line.startswith("Round 2 opens in") for line in told)
    assert told[-1] == "Round 2, table 2: you have seat 4, in the west."
    assert sum(line.startswith("Deal 3 of 16") for line in console.printed) == 2
    assert "Max (you)" in " ".join(console.printed)


async def test_a_player_enters_by_the_number_in_the_list_and_keeps_his_bytes(tmp_path: Path) -> None:
    """With a team and a code; he follows it first, so that he knows how it stands."""
    contribution = ""

    async def script(peer: Peer) -> None:
        nonlocal contribution
        await peer.greet()
        asked = await peer.hear_command("tournaments")
        await peer.say(samples.tournaments() | {"id": asked.id})
        follow = await peer.hear_command("tournament_follow")
        assert follow.tournament == TOURNAMENT
        await peer.say(samples.message(1, **REGISTRATION))
        await peer.reply_of_tournament(follow, version=1)
        entry = await peer.hear_command("tournament_register")
        assert (entry.team, entry.code) == ("Lech", "ABCDEFGHJKMN")
        contribution = entry.contribution
        entered = {"event": "entered", "entrant": 5, "name": "Zofia", "status": "in"}
        await peer.say(samples.message(2, from_=1, **REGISTRATION, happened=[entered], own=BEFORE))
        await peer.reply_of_tournament(entry, entrant=5)
        await answer_page(peer, "terms", samples.terms())
        await peer.stay()

    console = Script(
        ("Old one", "tournament enter 1 team Lech code ABCD-EFGH-JKMN"),
        ("number 5", "tournament enter 9"),
        ("has no tournament", "quit"),
    )
    async with FakeServer(script) as fake:
        assert await visited(fake.server, LISTING, console, tmp_path) == 0
        draws = Draws(tmp_path, "default", fake.server.base)
    assert draws.of(TOURNAMENT) == [contribution]
    assert draws.commitments(TOURNAMENT) == samples.terms()["commitments"]
    assert len(bytes.fromhex(contribution)) == 32
    assert "You are entered, as number 5." in console.printed


async def test_a_link_leads_to_the_tournament_whatever_command_it_is_given_to(tmp_path: Path) -> None:
    """`kop join` and `kop watch` with the link that was shared: it is followed, and says how to take part."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        follow = await peer.hear_command("tournament_follow")
        await peer.say(samples.message(1, **REGISTRATION))
        await peer.reply_of_tournament(follow, version=1)
        page = await answer_page(peer, "standings", samples.standings())
        assert page.tournament == TOURNAMENT
        await peer.say(
            samples.message(2, from_=1, stage="over", open=False, happened=[{"event": "ended", "ending": "played"}])
        )
        await answer_page(peer, "round", samples.round_())
        await peer.reply_of_tournament(await peer.hear_command("tournament_unfollow"))
        await peer.stay()

    readings = (("table", TOURNAMENT), ("code", TOURNAMENT))
    kinds: tuple[Literal["join", "watch"], ...] = ("join", "watch")
    for number, kind in enumerate(kinds):
        console = Script(
            ("To take part: tournament enter.", "standings"), ("The tournament is over", "tournament unfollow")
        )
        async with FakeServer(script) as fake:
            opening = Opening(kind, readings)
            assert await visited(fake.server, opening, console, tmp_path / str(number)) == 0
        assert "1. Ola: big 8, small +91, rounds won 1, second places 0." in console.printed
        assert "You do not follow Autumn cup any more." in console.printed


async def test_a_director_opens_a_tournament_and_gives_orders(tmp_path: Path) -> None:
    """Each order carries the number of the last decision that he has seen; names are found in the list of entrants."""
    orders: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet()
        create = await peer.hear_command("tournament_create")
        assert create.name == "Autumn cup"
        assert create.options == {"preset": "wolsztyn", "rounds": 5, "seating": "balanced"}
        await peer.reply_of_tournament(create, version=1)
        follow = await peer.hear_command("tournament_follow")
        await peer.say(samples.message(1, **REGISTRATION, own=samples.DIRECTOR))
        await peer.reply_of_tournament(follow, version=1)
        orders.append(await peer.hear_command("tournament_direct"))
        await peer.reply_of_tournament(orders[-1], version=2)
        await answer_page(peer, "desk", samples.desk() | {"invitations": samples.desk()["invitations"][:1]})
        await answer_page(peer, "entrants", samples.entrants())
        await answer_page(peer, "entrants", samples.entrants())
        orders.append(await peer.hear_command("tournament_direct"))
        decided = {"event": "decided"} | samples.decision(1, "called", entrant=6, name="Jan K.", text="Come", round=0)
        await peer.say(
            samples.message(3, from_=1, **REGISTRATION | {"decisions": 1}, happened=[decided], own=samples.DIRECTOR)
        )
        await peer.reply_of_tournament(orders[-1], version=3)
        orders.append(await peer.hear_command("tournament_direct"))
        opened = {"event": "round_opened", "round": 1, "tables": 2}
        await peer.say(samples.message(4, from_=3, round=1, decisions=2, happened=[opened], own=samples.DIRECTOR))
        await peer.reply_of_tournament(orders[-1], version=4)
        await answer_page(peer, "round", samples.round_() | {"round": 1})
        await answer_page(peer, "desk", samples.desk())
        await peer.stay()

    console = Script(
        ("You direct this tournament", "invite Ewa"),
        ("ABCD-EFGH-JKMN", "call ja"),
        ("Which? Give the number", "call Jan K. Come"),
        ("called Jan K.", "tournament open round"),
        ("Round 1 is open", "desk"),
        ("Waits for Jan", "end"),
        ("say why", "quit"),
    )
    opening = Opening("tournament", line='tournament create "Autumn cup" wolsztyn rounds=5 seating=balanced')
    async with FakeServer(script) as fake:
        assert await visited(fake.server, opening, console, tmp_path) == 0
        assert f"To enter: kop tournament enter {fake.server.link(TOURNAMENT)}" in console.printed
    assert [one.after for one in orders] == [0, 0, 1]
    assert [one.order.order for one in orders] == ["invite", "call", "open_round"]
    assert (orders[1].order.entrant, orders[1].order.text) == (6, "Come")


async def test_what_another_director_has_decided_meanwhile_is_shown(tmp_path: Path) -> None:
    """The order is not sent again by itself."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN)
        await peer.say(samples.message(1, own=samples.DIRECTOR, decisions=7))
        await answer_page(peer, "round", samples.round_())
        order = await peer.hear_command("tournament_direct")
        assert order.after == 7
        await peer.refuse(order, "decided_meanwhile")
        await answer_page(peer, "decisions", samples.decisions() | {"decisions": samples.decisions()["decisions"][6:8]})
        await peer.stay()

    console = Script(("You direct", "correct 2 14 -2 -2 -10 misread"), ("give it again", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert any("annulled deal 7 of round 2" in line for line in console.printed)
    assert not any("corrected round 2" in line for line in console.printed)


async def test_who_does_not_direct_sends_no_order(tmp_path: Path) -> None:
    """He is told so, with the id by which a director can name him one."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN)
        await peer.say(samples.message(1, **REGISTRATION, own=BEFORE))
        await peer.stay()

    console = Script(("You take part", "tournament open round"), ("your id: p0", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_terms_are_changed_on_top_of_what_is_agreed(tmp_path: Path) -> None:
    """The rest stays; a wrong value is told before anything is asked."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN)
        await peer.say(samples.message(1, **REGISTRATION, own=samples.DIRECTOR))
        await answer_page(peer, "terms", samples.terms())
        order = await peer.hear_command("tournament_direct")
        assert order.order.name == "Autumn cup"
        assert (order.order.options["rounds"], order.order.options["deals"]) == (4, 32)
        await peer.refuse(order, "bad_option", detail="rounds")
        await peer.stay()

    console = Script(
        ("You direct", "set rounds=99"), ("Possible: 1 to 20", "set rounds=4"), ("does not accept", "quit")
    )  # fmt: skip
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_a_watcher_follows_anew_after_an_outage_and_after_a_gap(tmp_path: Path) -> None:
    """An entrant gets his messages by himself; news that were missed are not told."""
    line = f"tournament {TOURNAMENT}"

    async def first(peer: Peer) -> None:
        await peer.greet()
        follow = await peer.hear_command("tournament_follow")
        await peer.say(samples.message(1, **REGISTRATION))
        await peer.reply_of_tournament(follow, version=1)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet()
        follow = await peer.hear_command("tournament_follow")
        await peer.say(samples.message(5, **REGISTRATION))
        await peer.reply_of_tournament(follow, version=5)
        admitted = {"event": "admitted", "entrant": 2, "name": "Jan"}
        await peer.say(samples.message(9, from_=8, **REGISTRATION, happened=[admitted]))
        follow = await peer.hear_command("tournament_follow")
        await peer.say(samples.message(9, **REGISTRATION))
        await peer.reply_of_tournament(follow, version=9)
        out = {"event": "withdrawn", "entrant": 3, "name": "Ewa"}
        await peer.say(samples.message(10, from_=9, **REGISTRATION, happened=[out]))
        await peer.stay()

    console = Script(("Ewa is out.", "quit"))
    async with FakeServer(first, second) as fake:
        assert await visited(fake.server, Opening("tournament", line=line), console, tmp_path) == 0
    assert "Jan takes part." not in console.printed


async def test_the_last_minutes_of_a_round_are_told(tmp_path: Path) -> None:
    """By the client's own clock, once."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN)
        await peer.say(samples.message(1, deadline=NOW + 300_100, own=BEFORE))
        await answer_page(peer, "round", samples.round_())
        await peer.stay()

    console = Script(("then will be finished", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_who_stays_until_it_is_over_stays_for_all_rounds(tmp_path: Path) -> None:
    """The end of a table's match is not the end while the tournament goes on."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN, tables=[{"table": "t1", "seat": 1}])
        await peer.say(table(4, own=tables.own(1)))
        await peer.say(samples.message(1, own=samples.own(table="t1", number=1)))
        await answer_page(peer, "round", samples.round_())
        await peer.say(table(5, from_=4, stage="over", happened=[{"event": "match_over"}], own=tables.own(1)))
        sheet = await peer.hear_command("sheet")
        await peer.say(tables.sheet() | {"id": sheet.id})
        ended = {"event": "ended", "ending": "played"}
        await peer.say(samples.message(2, from_=1, stage="over", happened=[ended], own=BEFORE))
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path, until_over=True) == 0
    assert any(line.startswith("The tournament is over") for line in console.printed)


async def test_the_way_to_the_own_table_is_asked_for(tmp_path: Path) -> None:
    """`seat` from another table: the server is asked where the table was not seen yet."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN, tables=[{"table": "t9", "seat": 0}])
        await peer.say(table(4) | {"table": "t9"})
        await peer.say(samples.message(1, own=samples.own(table="t1", number=1)))
        await answer_page(peer, "round", samples.round_())
        asked = await peer.hear_command("tournament_seat")
        await peer.say(table(4, own=tables.own(1)))
        await peer.reply(asked, version=4, seat=1)
        await peer.stay()

    console = Script(("you have seat 2", "seat"), ("Jan (you)", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_without_a_tournament_the_commands_ask_which(tmp_path: Path) -> None:
    """Nothing is sent."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=[{"table": "t1", "seat": 0}])
        await peer.say(table(4))
        await peer.stay()

    console = Script(
        ("Deal 3", "standings"), ("Which tournament", "tournament create"), ("Say tournament create", "tour help"),
        ("open one", "tournament options"), ("What can be set", "tournament create Cup rounds=77"),
        ("is no value", "quit"),
    )  # fmt: skip
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_an_entry_without_a_place_for_its_bytes_adds_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk keeps nobody from playing."""

    def full(self: Draws, tournament: str) -> str:
        raise OSError(28, "No space left")

    monkeypatch.setattr(Draws, "fresh", full)

    async def script(peer: Peer) -> None:
        await peer.greet()
        follow = await peer.hear_command("tournament_follow")
        await peer.say(samples.message(1, **REGISTRATION | {"admission": "approval"}))
        await peer.reply_of_tournament(follow, version=1)
        entry = await peer.hear_command("tournament_register")
        assert entry.contribution is None
        await peer.reply_of_tournament(entry, entrant=5)
        await peer.stay()

    console = Script(("the director decides", "quit"))
    async with FakeServer(script) as fake:
        opening = Opening("tournament", line=f"tournament enter {TOURNAMENT}")
        assert await visited(fake.server, opening, console, tmp_path) == 0
    assert any("cannot be kept" in line for line in console.printed)


def test_kept_bytes_survive_a_torn_line(tmp_path: Path) -> None:
    """Each entry has bytes of its own, readable by their owner only."""
    draws = Draws(tmp_path, "default", "http://kop.example")
    first, second = draws.fresh(TOURNAMENT), draws.fresh(TOURNAMENT)
    [file] = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(file.read_bytes() + b'{"tournament": "tour')
    assert draws.of(TOURNAMENT) == [first, second]
    assert first != second
    assert draws.of("tournament2") == []
    assert json.loads(file.read_text().splitlines()[1])["contribution"] == first


@pytest.mark.parametrize(
    ("words", "line", "server"),
    [
        ([], "tournament list", "http://127.0.0.1:5670"),
        (["create", "Autumn cup", "quick", "rounds=4"], 'tournament create "Autumn cup" quick rounds=4', None),
        (["watch", f"http://kop.example/#{TOURNAMENT}"], None, "http://kop.example"),
        (["enter", f"https://kop.example/tournament/{TOURNAMENT}"], None, "https://kop.example"),
    ],
)
def test_the_shells_words_are_a_line_and_a_link_names_its_server(
    words: list[str], line: str | None, server: str | None
) -> None:
    """`kop tournament …` is what one would type inside, quotes put back."""
    given = make_parser().parse_args(["tournament", *words])
    texts = load("en")
    target = _target(given, texts)
    opening = _opening(given, target, texts)
    assert opening.kind == "tournament"
    assert opening.line == (line or f"tournament {' '.join(words)}")
    if server is not None:
        assert _server(given, Saved(), target, texts).base == server


async def test_the_draws_are_done_again_from_the_pages(tmp_path: Path) -> None:
    """All pages are asked for, one after the other; what makes no sense is said."""

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=OWN)
        await peer.say(samples.message(1, round=1, own=BEFORE))
        await answer_page(peer, "round", samples.round_())
        await answer_page(peer, "terms", samples.terms())
        await answer_page(peer, "standings", samples.standings())
        await answer_page(peer, "round", samples.round_())
        await peer.stay()

    console = Script(("You take part", "tournament verify"), ("NOT in order: the secret of round 1", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0


async def test_news_of_several_tournaments_say_of_which(tmp_path: Path) -> None:
    """But one that is over does not count; of it only a line is said at the beginning."""
    other = "tournament2"
    out = {"event": "withdrawn", "entrant": 3, "name": "Ewa"}
    over = {"event": "ended", "ending": "director"}

    async def script(peer: Peer) -> None:
        await peer.greet(tournaments=[TOURNAMENT, other, "tournament3"])
        await peer.say(samples.message(1, **REGISTRATION, own=BEFORE))
        await peer.say(samples.message(1, **REGISTRATION | {"name": "Other"}, own=BEFORE) | {"tournament": other})
        old = samples.message(1, **REGISTRATION | {"name": "Old", "stage": "over"}, own=BEFORE)
        await peer.say(old | {"tournament": "tournament3"})
        await peer.say(samples.message(2, from_=1, **REGISTRATION, happened=[out], own=BEFORE))
        ended = samples.message(2, from_=1, **REGISTRATION | {"stage": "over"}, happened=[over], own=BEFORE)
        await peer.say(ended | {"tournament": other})
        await peer.say(samples.message(3, from_=2, **REGISTRATION, happened=[out], own=BEFORE))
        await peer.stay()

    console = Script(("has ended the tournament", "tour"), ("Ewa is out.", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert "Autumn cup: Ewa is out." in console.printed
    assert "Ewa is out." in console.printed
    assert not [line for line in console.printed if line.startswith("Old")]
