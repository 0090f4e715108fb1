"""The table in sentences: for pipes, for screen readers, and for games this client cannot draw."""

from client_cli.amounts import amounts, number
from client_cli.cards import Face, faces
from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.company import absence
from client_cli.company_text import standing
from client_cli.names import all_named, named, named_inside
from client_cli.narrate import GAMES, doubling_name
from client_cli.view import View


def heading(view: View, texts: Catalogue) -> list[str]:
    """Which deal of the match it is, its number if annulled ones make that another, rules (`*`: changed), and more."""
    play, watchers = view.play, int(view.message["watchers"])
    watching = [texts("table.watchers", count=watchers)] if watchers else []
    if play is None:
        return [texts("table.head_none"), *watching]
    deal, deals = view.deals_counted
    facts = [texts("table.head_open", deal=deal) if deals is None else texts("table.head", deal=deal, deals=deals)]
    if view.phase != "over" and play["deal"] != deal:
        facts.append(texts("table.number", number=play["deal"]))
    return [
        *facts,
        clean(play["rules"], 16) + ("*" if play["house_rules"] else ""),
        texts("table.dealer", name=named(texts, view, play["dealer"])),
        texts("table.stake", stake=number(texts, play["stake"])),
        *watching,
    ]


def shown(view: View, texts: Catalogue, face: Face) -> str:
    """The cards that the leader took back, which all have seen; empty if none."""
    cards = faces(face, view.shown)
    return texts("table.shown", name=named(texts, view, view.leader), cards=cards) if cards else ""


def standing_game(view: View, texts: Catalogue) -> str:
    """The called game and its caller; empty while none is called."""
    play = view.play
    if play is None or play["game"] is None or view.stage != "deal":
        return ""
    return texts("table.game", game=texts(f"game.{play['game']}"), name=named(texts, view, play["caller"]))


def factor(view: View, texts: Catalogue) -> str:
    """What the doublings are worth to this reader: `×4`, or `up to ×4`."""
    times, exact = view.doubling
    return texts("table.factor" if exact else "table.factor_up_to", factor=times)


def doublings(view: View, texts: Catalogue) -> str:
    """The doublings of the standing game with who said them, and their worth; empty if none."""
    seats = view.doublings_said
    if not seats or view.stage != "deal":
        return ""
    names = view.doubling_names
    said = [
        texts("table.said_by", what=names[n] if n < len(names) else str(n + 1), name=named_inside(texts, view, seat))
        for n, seat in enumerate(seats)
    ]
    return f"{', '.join(said)}: {factor(view, texts)}"


def last_words(view: View, texts: Catalogue) -> dict[int, str]:
    """Per seat, what it said last in the calls of this deal."""
    if view.play is None or view.stage != "deal":
        return {}
    return {said["seat"]: spoken(view, texts, said["say"]) for said in view.play["said"]}


def spoken(view: View, texts: Catalogue, say: str) -> str:
    """One utterance as it is spoken at the table."""
    if say in ("ask", "go on", "pass"):
        return texts({"ask": "table.ask", "go on": "table.go_on", "pass": "table.pass"}[say])
    if say.startswith("double "):
        return doubling_name(view, say)
    game = " ".join(say.split()[:1]) if say.startswith("wesele") else say
    return texts(f"game.{GAMES[game]}") if game in GAMES else say


def table(view: View, texts: Catalogue, face: Face, now: int) -> list[str]:
    """Everything that is to be seen, one fact in a sentence. `now`: the server's time in ms."""
    lines = [", ".join(heading(view, texts)) + "."]
    lines += [_seat(view, texts, seat) for seat in range(len(view.names))]
    lines += standing(view, texts, now)
    play, seconds = view.play, view.seconds(now)
    if play is not None and view.stage == "deal":
        if game := standing_game(view, texts):
            lines.append(texts("table.called", game=game))
        if said := doublings(view, texts):
            lines.append(texts("table.doublings", said=said))
        if play["question"]:
            waved = texts.join([named(texts, view, seat) for seat in play["waved"]])
            lines.append(texts("table.question", names=waved) if waved else texts("table.question_open"))
        if seconds is not None:
            lines.append(texts("need.answer_time", seconds=seconds))
        if seen := shown(view, texts, face):
            lines.append(seen + ".")
        if view.phase == "opening":
            lines.append(texts("table.shuffling"))
        if play["phase"] == "play":
            cards = [
                texts("table.said_by", what=face(lying["card"]), name=named_inside(texts, view, lying["seat"]))
                for lying in play["trick"]
            ]
            lines.append(texts("table.trick", cards=", ".join(cards)) if cards else texts("table.trick_empty"))
    if play is not None:
        lines.append(ledger(view, texts))
    if view.hand:
        lines.append(texts("need.hand", cards=faces(face, view.hand)))
    return lines


def ledger(view: View, texts: Catalogue) -> str:
    """Both ledgers of the match so far."""
    assert view.play is not None
    names, both = all_named(texts, view), view.play["ledger"]
    points = amounts(texts, names, both["points"], sign=False)
    return texts("table.ledger", points=points, money=amounts(texts, names, both["money"]))


def tricks(view: View, texts: Catalogue, face: Face) -> list[str]:
    """The gathered tricks that are in sight."""
    gathered = view.play["tricks"] if view.play else []
    hidden = (sum(view.play["taken"]) if view.play and view.stage == "deal" else 4) - len(gathered)
    lines = []
    for place, trick in enumerate(gathered):
        cards = [
            texts("table.said_by", what=face(played["card"]), name=named_inside(texts, view, played["seat"]))
            for played in trick["cards"]
        ]
        shown = {"number": hidden + place + 1, "cards": ", ".join(cards), "eyes": trick["eyes"]}
        lines.append(texts("tricks.line", name=named(texts, view, trick["winner"]), **shown))
    return lines or [texts("tricks.none")]


def _seat(view: View, texts: Catalogue, seat: int) -> str:
    play = view.play
    if view.names[seat] is None:
        return texts("table.seat", seat=seat + 1, facts=texts("table.empty"))
    facts = [_who(view, texts, seat), *_attention(view, texts, seat)]
    if view.stage != "deal" or play is None:
        facts += [texts("table.ready")] if view.public["ready"][seat] else []
        return texts("table.seat", seat=seat + 1, facts=", ".join(facts))
    if side := view.sides[seat]:
        facts.append(texts(f"side.{side}"))
    if play["turn"] == seat:
        facts.append(texts("table.turn"))
    facts.append(texts("table.cards_left", count=play["cards"][seat]))
    if play["eyes"] is None:
        facts.append(texts("table.taken_hidden", taken=play["taken"][seat]))
    else:
        facts.append(texts("table.taken", taken=play["taken"][seat], eyes=play["eyes"][seat]))
    return texts("table.seat", seat=seat + 1, facts=", ".join(facts))


def _who(view: View, texts: Catalogue, seat: int) -> str:
    """The name; of a bot how well it plays, of the reader that it is he."""
    bot = view.bot(seat)
    if bot is not None:
        return texts("table.bot_name", name=view.name(seat), strength=texts(f"strength.{bot}"))
    return texts("table.you_name", name=view.name(seat)) if seat == view.seat else view.name(seat)


def _attention(view: View, texts: Catalogue, seat: int) -> list[str]:
    """Whether the player is there, and who plays meanwhile."""
    gone = absence(view, seat)
    if gone is not None:
        return [texts("table.stand_in" if gone["stand_in"] else "table.absent")]
    return [] if view.here(seat) else [texts("table.away")]
