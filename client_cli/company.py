"""Who looks after which seat, the pause, and the clocks, as they stand in a view. Pure: it finds, and says nothing."""

from dataclasses import dataclass

from client_cli.view import Message, View


@dataclass(frozen=True, slots=True)
class Left:
    """The seconds that a seat has left: for the decision that is awaited, and in its bank."""

    seconds: int
    bank: int


def absence(view: View, seat: int) -> Message | None:
    """The absence of a seat; None while somebody looks after it."""
    return next((one for one in view.public["absences"] if one["seat"] == seat), None)


def without_own(view: View) -> View:
    """The view as it is once the reader, who has just connected, has his seat back: his absence left out."""
    others = [one for one in view.public["absences"] if one["seat"] != view.seat]
    return View(view.message | {"public": view.public | {"absences": others}})


def votable(view: View) -> list[Message]:
    """The absences that the reader has a voice in."""
    if view.seat is None:
        return []
    return [one for one in view.public["absences"] if one["votes"] is not None and one["seat"] != view.seat]


def own_vote(view: View, one: Message) -> str | None:
    """What the reader has voted for."""
    return next((str(vote["choice"]) for vote in one["votes"] or () if vote["seat"] == view.seat), None)


def left(view: View, seat: int, now: int) -> Left | None:
    """What a seat's clock shows while it runs; None while it stands. `now`: the server's time in ms."""
    clock = view.public["clock"]
    if clock is None or clock["due"][seat] is None:
        return None
    whole, bank = view.until(clock["due"][seat], now), -(-int(clock["bank"][seat]) // 1000)
    return Left(max(0, whole - bank), min(whole, bank))


def resumes_in(view: View, now: int) -> int | None:
    """In how many seconds the reader may let a paused table go on; None if he may not, or it is not paused."""
    pause = view.pause
    if pause is None or view.seat is None or pause.get("director"):
        return None
    if view.owns or pause["seat"] is None:
        return 0
    return max(0, -(-(int(pause["anyone_from"]) - now) // 1000))


def owner(view: View) -> int | None:
    """The seat of the table's owner."""
    for seat, sitter in enumerate(view.public["seats"]):
        if sitter is not None and sitter["player"] == view.public["owner"]:
            return seat
    return None


def other_people(view: View) -> list[int]:
    """The seats of the other persons, without bots of the server."""
    sitters = enumerate(view.public["seats"])
    return [seat for seat, one in sitters if one is not None and one["bot"] in (None, "program") and seat != view.seat]
