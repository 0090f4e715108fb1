"""How a session begins: opens a table, sits down, watches, lists, or goes back to where the player was."""

from dataclasses import dataclass, field
from typing import Final, Literal

from client_cli.address import Server
from client_cli.invitation import links
from client_cli.own_server import unfinished
from client_cli.patience.layout import Layout
from client_cli.session import Session
from client_cli.tournament.reader import tournament_id
from client_cli.view import Message, grouped

_PATIENCE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Opening:
    """What was asked for on the command line."""

    kind: Literal["create", "join", "watch", "list", "resume", "patience", "tournament"]
    readings: tuple[tuple[str, str], ...] = ()
    seat: int | None = None
    public: bool = False
    options: dict[str, object] = field(default_factory=dict)
    game: str = "kop"
    bots: int = 0
    strength: str = "hard"
    reachable_as: tuple[Server, ...] = ()
    own_server: bool = False
    """The server ends with this client; a table that was not played to its end goes on."""
    line: str = ""
    """What is done first, as if it had been typed."""


async def begin(session: Session, opening: Opening) -> int | None:
    """Does the opening once the server has said welcome; an exit code ends the session, None goes on."""
    await session.greeted.wait()
    match opening.kind:
        case "list":
            answer = await session.settle(session.ask("list", {}), None)
            return 1 if answer is None or answer["type"] == "error" else 0
        case "resume":
            return await _resume(session)
        case "create":
            if not opening.own_server or not await unfinished(session):
                code = await _create(session, opening)
                if code is not None:
                    return code
            await _seat_bots(session, opening)
            return None
        case "patience":
            return await _patience(session, opening)
        case "tournament":
            return None
        case "join" | "watch":
            return await _join(session, opening)


async def _resume(session: Session) -> int | None:
    if session.focus is not None:
        await session.tables.arrived(session.focus, 0)
    elif not session.ended.is_set() and not session.following.any:
        hints(session)
        return 0
    return None


async def _create(session: Session, opening: Opening) -> int | None:
    asked = session.ask("create", {"game": "kop", "private": not opening.public, "options": opening.options})
    reply = await asked.answer
    if reply["type"] == "error":
        return 1
    if opening.public:
        session.tell(session.board.say("link.created_public", table=reply["table"]))
    else:
        session.tell(session.board.say("link.created", code=grouped(reply["code"])))
    meant = grouped(reply["code"]) if reply["code"] else reply["table"]
    session.tell(links(session, meant))
    await _arrive(session, reply)
    return None


async def _patience(session: Session, opening: Opening) -> int | None:
    """Goes back to the player's table for this game, unless he gives terms; else opens one, and deals."""
    table = None if opening.options or opening.public else await _own_table(session, opening.game)
    if table is None:
        fields: Message = {"game": opening.game, "private": not opening.public, "options": opening.options}
        reply = await session.ask("create", fields).answer
        if reply["type"] == "error":
            return 1
        if opening.public:
            session.tell(session.board.say("patience.created", table=reply["table"]))
        await session.tables.arrived(reply["table"], reply["version"])
        session.focus = reply["table"]
    else:
        session.focus = table
    view = session.view
    if view is not None and "ready" in view.actions:
        if (asked := session.act("ready")) is not None:
            await session.settle(asked, _PATIENCE)
    elif table is not None:
        session.tell(session.board.say("patience.resumed"))
        session.look_at(table)
    return None


async def _own_table(session: Session, game: str) -> str | None:
    """Where the player sits at this game: a table whose deal is running rather than one between deals."""
    found: dict[bool, str] = {}
    for one in session.memberships:
        if one["seat"] is not None:
            await session.tables.arrived(one["table"], 0)
            view = session.tables.view(one["table"])
            if view is not None and view.public["game"] == game and view.stage != "over":
                found.setdefault(Layout(view).running, one["table"])
    return found.get(True, found.get(False))


async def _seat_bots(session: Session, opening: Opening) -> None:
    """Bots of the server take free seats at a table of the player's, until there are as many as he wants."""
    for _ in range(opening.bots):
        view = session.view
        if view is None or not view.owns or None not in view.names or len(view.bots) >= opening.bots:
            return
        fields = {"table": view.table, "strength": opening.strength}
        answer = await session.settle(session.ask("seat_bot", fields), _PATIENCE)
        if answer is None or answer["type"] == "error":
            return


async def _join(session: Session, opening: Opening) -> int | None:
    watch = opening.kind == "watch"
    for key, value in opening.readings:
        if key == "table" and (tournament := tournament_id(value)) is not None:
            session.following.follow(tournament)
            return None
    for number, (key, value) in enumerate(opening.readings, start=1):
        fields: Message = {key: value}
        if watch:
            fields["watch"] = True
        elif opening.seat is not None:
            fields["seat"] = opening.seat
        answer = await session.ask("join", fields, quiet=True).answer
        if answer["type"] == "reply":
            if watch:
                session.tell(session.board.say("link.watching"))
            elif answer["seat"] is not None:
                session.tell(session.board.say("link.joined", seat=answer["seat"] + 1))
            await _arrive(session, answer)
            return None
        if answer["code"] == "already_seated" and (table := _where(session, answer, {key: value})):
            session.look_at(table)
            await session.tables.arrived(table, 0)
            return None
        if answer["code"] != "no_such_table" or number == len(opening.readings):
            session.tell(session.board.error(answer))
            return 1
    return 1


async def _arrive(session: Session, reply: Message) -> None:
    session.look_at(reply["table"])
    await session.tables.arrived(reply["table"], reply["version"])


def _where(session: Session, error: Message, reading: dict[str, str]) -> str | None:
    """The table at which the player sits already."""
    seated = [one["table"] for one in session.memberships if one["seat"] is not None]
    for table in (error.get("table"), reading.get("table")):
        if table in seated:
            return table
    return seated[0] if len(seated) == 1 else None


def hints(session: Session) -> None:
    """Says what can be done without a table."""
    for key in (
        "start.nothing",
        "start.hint_how",
        "start.hint_create",
        "start.hint_join",
        "start.hint_watch",
        "start.hint_list",
        "start.hint_rules",
        "start.hint_patience",
        "start.hint_tournament",
    ):
        session.tell(session.board.say(key))
    session.tell(session.board.say("start.hint_bot"))
