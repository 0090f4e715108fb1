"""Does what is typed about tournaments: asks the server, and hands the answers to the board."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from client_cli.fold import fold
from client_cli.invitation import tournament_links
from client_cli.meanings import Confused
from client_cli.options import BadOption
from client_cli.session import Session
from client_cli.tournament.creation import changed_terms, options_of
from client_cli.tournament.draws import Draws
from client_cli.tournament.following import Followed
from client_cli.tournament.meanings import (
    Claim,
    Create,
    Enter,
    Follow,
    Listing,
    Look,
    Meaning,
    Order,
    Seat,
    Tell,
    Unfollow,
    Verify,
    Withdraw,
)
from client_cli.tournament.orders import OF_PEOPLE, Sight, order_of
from client_cli.tournament.people import Person, people_of
from client_cli.tournament.reader import Reader, tournament_id
from client_cli.view import Message

_NAME: Final = re.compile(r"\s*name=(.+)", re.IGNORECASE)
_WITH_CODE: Final = frozenset({"invite", "move"})
"""The orders whose code is then read from the desk's page."""


class Desk:
    """The commands of players, watchers and directors. `limit`: how long a line waits for its answers."""

    def __init__(self, session: Session, limit: float | None) -> None:
        self._session = session
        self._following = session.following
        self._board = session.board.tournament
        self._reader = Reader(session.board.texts)
        self._limit = limit

    async def obey(self, typed: str) -> bool:
        """Does a line that is about tournaments; False where it is about something else."""
        meaning = self._reader.read(typed, bare=self._session.focus is None)
        if meaning is None:
            return False
        if not self._session.connection.up:
            self._say("said.not_sent")
        self._do(meaning)
        await self._session.rest(self._limit)
        return True

    def _do(self, meaning: Meaning) -> None:
        match meaning:
            case Confused(key, values):
                self._say(key, **dict(values))
            case Listing():
                self._list(self._show_list)
            case Create(name, settings):
                self._create(name, settings)
            case Follow(target):
                self._with(target, self._follow)
            case Enter(target):
                self._with(target, lambda id_: self._enter(id_, meaning))
            case Claim(target, code):
                self._with(target, lambda id_: self._claim(id_, code))
            case Tell("help"):
                one = self._following.current
                self._session.tell(self._board.help(directs=one is not None and one.directs))
            case Tell("options"):
                self._session.tell(self._board.options())
            case _:
                self._about_current(meaning)

    def _about_current(self, meaning: Meaning) -> None:
        one, id_ = self._following.current, self._following.focus
        if one is None or id_ is None:
            self._say("tournament.which")
            return
        match meaning:
            case Tell("link"):
                self._links(id_)
            case Tell():
                self._session.tell(self._following.standing)
            case Look():
                self._look(meaning, one, id_)
            case Seat():
                self._seat(one, id_)
            case Withdraw():
                self._session.ask("tournament_withdraw", {"tournament": id_})
            case Unfollow():
                self._following.unfollow()
            case Verify():
                self._verify(one, id_)
            case Order():
                self._order(meaning, one)

    # ---- which tournament

    def _with(self, target: str, then: Callable[[str], None]) -> None:
        """Finds the tournament that is meant; without a word for it, the one that is followed."""
        known = tournament_id(target) if target else self._following.focus
        if known is not None:
            then(known)
        elif not target:
            self._say("tournament.which")
        elif self._following.listed:
            self._found(target, then)
        else:
            self._list(lambda: self._found(target, then))

    def _found(self, target: str, then: Callable[[str], None]) -> None:
        """By its number in the list, or by its name."""
        bare, listed = target.strip().strip('"„“”'), self._following.listed
        if bare.isdecimal():
            found = listed[int(bare[:4]) - 1 : int(bare[:4])] if int(bare[:4]) else []
        else:
            whole = [one for one in listed if fold(one["name"]) == fold(bare)]
            found = whole or [one for one in listed if fold(one["name"]).startswith(fold(bare))]
        if len(found) == 1:
            then(str(found[0]["tournament"]))
        else:
            self._say("tournament.several" if found else "tournament.not_listed", typed=bare[:40])

    def _list(self, then: Callable[[], None]) -> None:
        def take(answer: Message) -> None:
            self._following.listed = list(answer["tournaments"])
            then()

        self._session.ask("tournaments", {}, then=take)

    def _show_list(self) -> None:
        self._session.tell(self._board.pages.listing(self._following.listed))

    # ---- a player's commands

    def _follow(self, id_: str) -> None:
        if id_ in self._following.items:
            self._following.focus = id_
            self._session.tell(self._following.standing)
        else:
            self._following.follow(id_)

    def _enter(self, id_: str, wanted: Enter) -> None:
        """Enters, with bytes of the player's own for the draws, once it is known how the tournament stands."""
        if id_ not in self._following.items:
            self._following.follow(id_, lambda: self._register(id_, wanted), to_enter=True)
        else:
            self._following.focus = id_
            self._register(id_, wanted)

    def _register(self, id_: str, wanted: Enter) -> None:
        session, contribution, draws = self._session, None, self._draws
        try:
            contribution = draws.fresh(id_)
        except OSError:
            self._say("tournament.not_kept")
        fields: Message = {"tournament": id_, "team": wanted.team, "code": wanted.code, "contribution": contribution}

        def entered(answer: Message) -> None:
            one = self._following.items.get(id_)
            asks = one is not None and one.asks(with_code=wanted.code is not None)
            key = "tournament.asked" if asks else "tournament.entered"
            session.tell(session.board.say(key, "good", number=answer["entrant"]))
            if contribution is not None:
                about: Message = {"tournament": id_, "about": "terms", "round": None}
                session.ask("tournament_page", about, quiet=True, then=note)

        def note(answer: Message) -> None:
            with suppress(OSError):
                draws.note(id_, answer["page"]["commitments"])

        session.ask("tournament_register", fields, then=entered)

    @property
    def _draws(self) -> Draws:
        """What this profile keeps about the draws at this server."""
        profile = self._session.profile.path
        return Draws(profile.parent, profile.stem, self._session.connection.server.base)

    def _claim(self, id_: str, code: str) -> None:
        def claimed(answer: Message) -> None:
            self._session.tell(self._session.board.say("tournament.claimed", "good", number=answer["entrant"]))
            if id_ not in self._following.items:
                self._following.follow(id_)

        self._session.ask("tournament_claim", {"tournament": id_, "code": code}, then=claimed)

    def _seat(self, one: Followed, id_: str) -> None:
        self._following.lead_again()
        table = None if one.own is None else one.own["table"]
        if table is not None and self._session.tables.view(table) is None:
            self._session.ask("tournament_seat", {"tournament": id_})

    def _links(self, id_: str) -> None:
        self._session.tell(tournament_links(self._session, id_))

    def _look(self, wanted: Look, one: Followed, id_: str) -> None:
        """Asks for a page, of a round for the newest one unless another was named."""
        newest = max(1, int(one.public["round"]))
        round_ = wanted.round or (newest if wanted.about in ("round", "comparison") else None)

        def show(answer: Message) -> None:
            lines = self._board.page(answer, one.name, one.entrant, one.seats, self._session.now)
            if wanted.about == "round":
                self._following.seated(id_, answer)
            self._session.tell(lines)

        self._following.page(wanted.about, show, round_=round_)

    def _verify(self, one: Followed, id_: str) -> None:
        """Asks for all pages that the draws follow from, one after the other, and does the draws again."""
        wanted: list[tuple[str, int | None]] = [("terms", None), ("standings", None)]
        wanted += [("round", number) for number in range(1, int(one.public["round"]) + 1)]
        pages: list[Message] = []

        def take(answer: Message) -> None:
            pages.append(answer["page"])
            ask()

        def ask() -> None:
            if len(pages) < len(wanted):
                about, number = wanted[len(pages)]
                self._following.page(about, take, round_=number)
            else:
                self._session.tell(self._board.verdict(id_, pages, one.entrant, self._draws))

        ask()

    # ---- a director's commands

    def _create(self, name: str, settings: tuple[str, ...]) -> None:
        try:
            options = options_of(self._session.board.texts, settings)
        except BadOption as fault:
            self._session.tell(self._session.board.line(str(fault), "warn"))
            return

        def created(answer: Message) -> None:
            id_ = str(answer["tournament"])
            self._session.tell(self._session.board.say("tournament.created", "good", name=name))
            self._links(id_)
            self._following.follow(id_)

        self._session.ask("tournament_create", {"name": name, "options": options}, then=created)

    def _order(self, order: Order, one: Followed) -> None:
        if not one.directs:
            self._say("tournament.not_director", player=self._following.player)
        elif order.word == "set":
            self._change(order.rest, one)
        elif order.word == "director" and not order.rest:
            self._say("tournament_how.director", player=self._following.player)
        elif order.word in OF_PEOPLE and order.rest:
            self._following.page("entrants", lambda answer: self._send(order, people_of(answer["page"]), one))
        else:
            self._send(order, [], one)

    def _send(self, order: Order, people: list[Person], one: Followed) -> None:
        made = order_of(order, Sight(people, int(one.public["round"]), self._reader.words))
        if isinstance(made, Confused):
            self._say(made.key, **{"player": self._following.player} | dict(made.values))
            return
        self._following.order(made, lambda _: self._ordered(order, made))

    def _ordered(self, order: Order, made: Message) -> None:
        """The decision comes as news; what is only on the desk is looked up there."""
        if order.word in _WITH_CODE:
            self._following.page("desk", lambda answer: self._code(made, answer["page"]), quiet=True)

    def _code(self, made: Message, page: Message) -> None:
        """Shows the newest invitation, or the newest code for another device."""
        pages = self._board.pages
        if made["order"] == "invite" and page["invitations"]:
            self._session.tell([pages.invitation(page["invitations"][-1])])
            self._say("desk.invited", link=self._session.connection.server.link(self._following.focus or ""))
        for one in page["offers"] if made["order"] == "move" else ():
            if one["entrant"] == made["entrant"]:
                self._session.tell([pages.offer(one, self._session.now)])

    def _change(self, typed: str, one: Followed) -> None:
        """Other terms: what is not named stays as it was agreed."""
        named = _NAME.fullmatch(typed)
        settings = () if named else tuple(typed.split())
        if not typed or not all("=" in setting for setting in settings):
            self._say("tournament_how.set")
            return
        try:
            wanted = options_of(self._session.board.texts, settings)
        except BadOption as fault:
            self._session.tell(self._session.board.line(str(fault), "warn"))
            return

        def change(answer: Message) -> None:
            name = named[1].strip().strip('"„“”') if named else str(one.public["name"])
            options = changed_terms(answer["page"]["options"], wanted)
            self._following.order({"order": "terms", "name": name, "options": options}, lambda _: None)

        self._following.page("terms", change)

    def _say(self, key: str, **values: object) -> None:
        self._session.tell(self._session.board.say(key, **values))
