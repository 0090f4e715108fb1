"""`kop record`: lists, shows, replays, exports, shares and verifies the records of finished deals.

Records are private: the server gives them to those who sat there, and by a code to whom one of them
gave it. Files need no server. Every method gives the exit code: 0 done, 1 refused, unreadable or wrong.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from client_cli.cards import Face
from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name
from client_cli.new_files import NotWritten, write_new
from client_cli.open_hands import open_hands
from client_cli.patience.board import PatienceBoard
from client_cli.patience.layout import GAMES
from client_cli.presence import Asked
from client_cli.record_patience import PatienceRecords, of_patience
from client_cli.record_text import RecordTexts
from client_cli.style import Line, Look, dress
from client_cli.verdict import Outcome, worst
from client_cli.verifying import verify
from client_cli.view import Message, grouped
from client_cli.witness import Kept, Key
from server.games.kop import record as kop
from server.games.patience import record as patience

FORMAT: Final = 1
MOST_BYTES: Final = 16 * 1024 * 1024
_NAME: Final = re.compile(r"[a-z0-9]+-[0-9]+-[0-9]+", re.ASCII)


class Asks(Protocol):
    """What of a connection is needed."""

    def post(self, kind: str, **fields: object) -> Asked:
        """Gives a command; its answer comes in the future that is returned."""


class Missing(Exception):
    """A record that cannot be had; the lines say why."""

    def __init__(self, lines: list[Line]) -> None:
        super().__init__()
        self.lines = lines


def needs_server(targets: Sequence[str]) -> bool:
    """Whether any of these is no file, so that a server must be asked."""
    return not all(Path(target).is_file() for target in targets)


class RecordCommand:
    """The subcommands. Without a server (`asks` is None) only files can be read."""

    def __init__(
        self,
        asks: Asks | None,
        texts: Catalogue,
        face: Face,
        show: Callable[[list[Line]], None],
        kept: Callable[[], Mapping[Key, Kept]] = dict,
        board: PatienceBoard | None = None,
    ) -> None:
        """`show` prints lines; `kept` reads what this client noted of the deals at this server.

        `board` draws patiences; without one they are told in sentences.
        """
        self._asks = asks
        self._texts = texts
        self._face = face
        self._say = RecordTexts(texts, face)
        self._patience = PatienceRecords(board or PatienceBoard(texts, Look()))
        self._print = show
        self._kept = kept

    async def listing(self) -> int:
        """The player's newest records, one in a line."""
        try:
            entries = (await self._ask("records"))["records"]
        except Missing as missing:
            return self._fail(missing.lines)
        if not entries:
            self._print(self._say.say("none"))
        self._print([line for entry in entries for line in self._teller(entry).listed(entry)])
        return 0

    async def show(self, target: str) -> int:
        """A whole deal: hands, calls, tricks, result; of a patience its result, and how it lay at its end."""
        return await self._tell(target, lambda record: self._teller(record).whole(record))

    async def replay(self, target: str) -> int:
        """A deal act by act through the rules; fails if the result differs."""
        return await self._tell(target, lambda record: self._teller(record).replayed(record))

    async def export(self, target: str, file: Path | None = None) -> int:
        """Writes a record to a new file, named after the record if no other name is given."""
        try:
            record = (await self._records(target))[0]
        except Missing as missing:
            return self._fail(missing.lines)
        name = str(record["record"])
        if file is None:
            if not _NAME.fullmatch(name):
                return self._fail(self._say.say("unreadable", what=clean(target, 80), why=clean(name, 40)))
            file = Path(f"{name}.json")
        try:
            write_new(file, json.dumps(record, ensure_ascii=False, indent=1) + "\n", self._texts)
        except NotWritten as fault:
            return self._fail([dress(str(fault))])
        self._print(self._say.say("exported", record=clean(name, 64), file=clean(file, 80)))
        return 0

    async def share(self, record: str) -> int:
        """Makes a code under which anybody may read the record."""
        try:
            shared = await self._ask("share", record=record)
        except Missing as missing:
            return self._fail(missing.lines)
        self._print(self._say.say("shared", record=clean(shared["record"], 64), code=grouped(shared["code"])))
        return 0

    async def verify(self, targets: Sequence[str]) -> int:
        """Whether records show that nobody chose the cards; 1 if something in one of them is wrong.

        Of a patience: whether its cards are those of its number, and its moves and result are right.
        """
        records: list[Message] = []
        try:
            for target in targets:
                records += await self._records(target)
            deals = [record for record in records if not of_patience(record)]
            before = await self._before(deals) if deals else []
        except Missing as missing:
            return self._fail(missing.lines)
        verdicts = verify([*deals, *before], self._kept())[: len(deals)] if deals else ()
        of_kop, wrong = iter(verdicts), worst(verdicts) is Outcome.CHEATED
        for record in records:
            if of_patience(record):
                right, lines = self._patience.verdict(record)
                wrong = wrong or not right
                self._print(lines)
            else:
                self._print(self._say.verdict(next(of_kop), _names(record)))
        return int(wrong)

    async def explain(self, target: str) -> int:
        """What each card of a deal was worth, all hands open; the server plays it through."""
        try:
            record = (await self._records(target))[0]
            if of_patience(record):
                name = clean(record["record"], 64)
                return self._fail(self._patience.say("patience_record.no_explain", "warn", record=name))
            by_name = not needs_server([target]) or _NAME.fullmatch(target)
            fields = {"record": record["record"]} if by_name else {"code": target[:32]}
            answer = await self._ask("explain", **fields)
        except Missing as missing:
            return self._fail(missing.lines)
        try:
            self._print(open_hands(record, answer["explanation"], self._texts, self._face))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
            return self._fail(self._say.say("unreadable", "warn", what=clean(target, 80), why=clean(fault, 80)))
        return 0

    # ---- where records come from

    async def _records(self, target: str) -> list[Message]:
        """The record of a name or code, or those in a file.

        Raises:
            Missing
        """
        if not needs_server([target]):
            return self._loaded(Path(target))
        if _NAME.fullmatch(target):
            answer = await self._answer("record", record=target)
            if answer["type"] != "error" or answer["code"] != "no_such_record":
                return [self._checked(target, answer)]
        return [self._checked(target, await self._answer("record", code=target[:32]))]

    async def _before(self, records: Sequence[Message]) -> list[Message]:
        """The player's own records of the deals just before these: dealer and numbers are held against them."""
        if self._asks is None:
            return []
        names = {record["record"] for record in records}
        listed = (await self._ask("records"))["records"]
        wanted: dict[str, None] = {}
        for record in records:
            earlier = [
                one
                for one in listed
                if (one["table"], one["match"]) == (record.get("table"), record.get("match"))
                and isinstance(record.get("deal"), int)
                and one["deal"] < record["deal"]
            ]
            if earlier:
                wanted[max(earlier, key=lambda one: int(one["deal"]))["record"]] = None
        return [self._checked(name, await self._answer("record", record=name)) for name in wanted if name not in names]

    def _loaded(self, path: Path) -> list[Message]:
        what = clean(path, 80)
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError("size")
            plain = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as fault:
            raise Missing(self._say.say("unreadable", "warn", what=what, why=clean(fault, 80))) from None
        found = plain if isinstance(plain, list) else [plain]
        return [self._readable(what, record) for record in found]

    def _checked(self, what: str, answer: Message) -> Message:
        if answer["type"] == "error":
            raise Missing(self._refusal(answer))
        return self._readable(clean(what, 80), answer["record"])

    def _readable(self, what: str, record: object) -> Message:
        if not isinstance(record, dict) or not isinstance(record.get("record"), str):
            raise Missing(self._say.say("unreadable", "warn", what=what, why="record"))
        if record.get("format") != FORMAT or record.get("game") not in ("kop", *GAMES):
            raise Missing(self._say.say("newer", "warn", record=clean(record["record"], 64)))
        return record

    async def _ask(self, kind: str, **fields: object) -> Message:
        answer = await self._answer(kind, **fields)
        if answer["type"] == "error":
            raise Missing(self._refusal(answer))
        return answer

    async def _answer(self, kind: str, **fields: object) -> Message:
        if self._asks is None:
            raise Missing(self._say.say("no_server", "warn"))
        return await self._asks.post(kind, **fields).answer

    def _refusal(self, error: Message) -> list[Line]:
        key = f"error.{error['code']}"
        return [dress(self._texts(key) if key in self._texts else clean(error.get("text", ""), 200), "warn")]

    # ---- what is told

    async def _tell(self, target: str, told: Callable[[Message], list[Line]]) -> int:
        try:
            for record in await self._records(target):
                self._print(told(record))
        except Missing as missing:
            return self._fail(missing.lines)
        except (kop.BadRecord, patience.BadRecord) as fault:
            return self._fail(self._say.say("replay_wrong", "warn", why=clean(fault, 120)))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError) as fault:
            return self._fail(self._say.say("unreadable", "warn", what=clean(target, 80), why=clean(fault, 80)))
        return 0

    def _teller(self, record: Message) -> RecordTexts | PatienceRecords:
        """Who puts a record, or its entry in the list, into words."""
        return self._patience if of_patience(record) else self._say

    def _fail(self, lines: list[Line]) -> int:
        self._print(lines)
        return 1


def _names(record: Message) -> list[str]:
    seats = record.get("seats")
    return [clean_name(name) for name in seats[:4]] if isinstance(seats, list) else []
