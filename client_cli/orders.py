"""Commands to the server about a table and the people there: seats, bots, the pause, votes, talk, options."""

from client_cli.company import votable
from client_cli.meanings import Command, Meaning, Mute, Say, SayPhrase, SeatBot, Settle, Vote
from client_cli.names import named
from client_cli.options import BadOption, Value, changed, parse_setting
from client_cli.presence import Asked
from client_cli.session import Session
from client_cli.talking import PHRASES, to_say
from client_cli.view import Message, View

_ANSWERS = ("start", "finish", "annul")
"""The orders that answer the question of the newest view."""


class Orders:
    """Gives what was typed to the table in focus; `limit`: how long a line waits for its answer."""

    def __init__(self, session: Session, limit: float | None) -> None:
        self._session = session
        self._board = session.board
        self._limit = limit

    async def give(self, meaning: Meaning) -> None:
        """Does what a line means that is about the table."""
        view = self._session.view
        if isinstance(meaning, Mute):
            self._mute(meaning)
        elif view is None:
            await self._without_view(meaning)
        else:
            await self._at(view, meaning)

    async def _at(self, view: View, meaning: Meaning) -> None:
        match meaning:
            case Command(order, seat):
                await self._order(view, order, seat)
            case SeatBot(seat, strength):
                fields: Message = {} if seat is None else {"seat": seat}
                await self._send("seat_bot", fields | ({"strength": strength} if strength else {}))
            case Vote():
                await self._vote(view, meaning)
            case Say(text):
                await self._say_aloud(to_say(self._board.texts, text))
            case SayPhrase(number):
                await self._say_phrase(number)
            case Settle(settings):
                await self._settle(settings)

    async def _without_view(self, meaning: Meaning) -> None:
        """A table whose view is still on its way can be left all the same."""
        if isinstance(meaning, Command) and meaning.seat is None and self._session.focus is not None:
            fields: Message = {"prompt": ""} if meaning.order in _ANSWERS else {}
            await self._send(meaning.order, fields)
        else:
            self._tell("said.no_table")

    async def _order(self, view: View, order: str, seat: int | None) -> None:
        fields: Message = {"prompt": view.prompt} if order in _ANSWERS else {}
        if seat is not None:
            sitter = view.public["seats"][seat]
            if sitter is None:
                self._tell("said.no_seat", who=seat + 1, count=len(view.names))
                return
            fields["player"] = sitter["player"]
        await self._send(order, fields)

    async def _vote(self, view: View, vote: Vote) -> None:
        """On the absence of the seat that was named, else on the first one that the player has a voice in."""
        open_votes = [one for one in votable(view) if vote.seat in (None, one["seat"])]
        if not open_votes:
            self._tell("said.no_vote")
            return
        if len(open_votes) > 1:
            name = named(self._board.texts, view, open_votes[0]["seat"])
            self._tell("said.voted_first", name=name)
        await self._send("vote", {"absence": open_votes[0]["number"], "choice": vote.choice})

    async def _say_phrase(self, number: int) -> None:
        if 0 < number <= len(PHRASES):
            await self._say_aloud({"phrase": PHRASES[number - 1]})
        else:
            self._tell("talk.no_such_phrase", number=number, count=len(PHRASES))

    async def _say_aloud(self, fields: Message | None) -> None:
        if fields is None:
            self._tell("talk.too_long")
        else:
            await self._send("say", fields)

    def _mute(self, mute: Mute) -> None:
        """For this player and this session; nobody else notices."""
        found = self._session.talking.found(mute.who, self._session.view)
        if len(found) != 1:
            self._tell("talk.whom_of_them" if found else "talk.unknown", who=mute.who[:40])
            return
        [(player, name)] = found
        self._session.talking.mute(player, name, on=mute.on)
        self._tell("talk.muted_now" if mute.on else "talk.unmuted_now", name=name)

    async def _settle(self, settings: tuple[str, ...]) -> None:
        """Sends the table's options with some set anew; what they are the table's sheet tells."""
        table, texts = self._session.focus, self._board.texts
        try:
            wanted: dict[str, Value] = dict(parse_setting(texts, setting) for setting in settings)
        except BadOption as fault:
            self._session.tell(self._board.line(str(fault), "warn"))
            return

        def go_on(sheet: Message) -> None:
            self._session.ask("options", {"table": table, "options": changed(sheet["options"], wanted)})

        self._session.ask("sheet", {"table": table}, then=go_on)
        await self._session.rest(self._limit)

    async def _send(self, kind: str, fields: Message) -> Asked:
        asked = self._session.ask(kind, {"table": self._session.focus, **fields})
        if not self._session.connection.up:
            self._tell("said.not_sent")
        await self._session.settle(asked, self._limit)
        return asked

    def _tell(self, key: str, **values: object) -> None:
        self._session.tell(self._board.say(key, **values))
