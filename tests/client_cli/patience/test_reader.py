"""What lines typed at a patience mean."""

import pytest

from client_cli.catalogue import LANGUAGES, load
from client_cli.meanings import Command, Confused, Do, GoTo, Quit, Say, Show
from client_cli.patience.layout import Layout
from client_cli.patience.meanings import Again, Ask, GiveUp, Meaning, Moves, NewDeal, Onward, Which, Yes
from client_cli.patience.reader import Reader
from tests.client_cli.patience.deals import Deals


def read(typed: str, deals: Deals, language: str = "en") -> Meaning:
    """The meaning of a line."""
    return Reader(load(language)).read(typed, Layout(deals.view))


WORDS: list[tuple[str, str, Meaning]] = [
    ("en", "d", Do("draw")),
    ("en", "", Do("draw")),
    ("de", "ziehen", Do("draw")),
    ("pl", "dobierz", Do("draw")),
    ("en", "u", Do("undo")),
    ("de", "zurück", Do("undo")),
    ("pl", "cofnij", Do("undo")),
    ("en", "redo", Do("redo")),
    ("en", "a", Do("auto")),
    ("en", "h", Ask("hint")),
    ("de", "hinweis", Ask("hint")),
    ("pl", "podpowiedź", Ask("hint")),
    ("en", "line", Ask("line")),
    ("de", "weg", Ask("line")),
    ("en", "solve", Ask("solve")),
    ("de", "lösen", Ask("solve")),
    ("de", "ask_solver", Ask("solve")),
    ("pl", "rozwiąż", Ask("solve")),
    ("en", "winnable", Ask("winnable")),
    ("en", "daily", Ask("daily")),
    ("de", "tagesspiel", Ask("daily")),
    ("en", "results", Ask("results")),
    ("pl", "wyniki", Ask("results")),
    ("en", "all results", Ask("all_results")),
    ("en", "ranking", Ask("ranking")),
    ("de", "rangliste gestern", Ask("yesterday")),
    ("en", "ranking 2025-12-31", Ask("ranking", "2025-12-31")),
    ("en", "ranking soon", Confused("patience.ranking_how")),
    ("en", "again", Again()),
    ("en", "restart", Again()),
    ("de", "nochmal", Again()),
    ("en", "new", NewDeal()),
    ("en", "number 17", NewDeal("number 17")),
    ("en", "new number 17", NewDeal("number 17")),
    ("de", "nummer 17", NewDeal("number 17")),
    ("en", "number", Confused("patience.number_how")),
    ("en", "number 017", Confused("patience.number_how")),
    ("en", "number 17 keep_twins", NewDeal("number 17 keep_twins")),
    ("en", "give up", GiveUp()),
    ("de", "aufgeben", GiveUp()),
    ("pl", "poddaję", GiveUp()),
    ("en", "m", Moves()),
    ("en", "y", Yes()),
    ("de", "j", Yes()),
    ("pl", "tak", Yes()),
    ("en", "?", Show("help")),
    ("en", "how", Show("how")),
    ("de", "regeln", Show("rules")),
    ("en", "sheet", Command("sheet")),
    ("en", "leave", Command("leave")),
    ("en", "quit", Quit()),
    ("en", "tables 2", GoTo(2)),
    ("en", '"Hello', Say("Hello")),
    ("en", "gibberish", Confused("said.wrong", (("typed", "gibberish"),))),
]


@pytest.mark.parametrize(("language", "typed", "meaning"), WORDS)
def test_words(language: str, typed: str, meaning: Meaning) -> None:
    """In each language; English ones always."""
    assert read(typed, Deals("carpet").dealt(1), language) == meaning


CARPET: list[tuple[str, Meaning]] = [
    ("2d", Do("move carpet2 foundation")),
    ("2♦", Do("move carpet2 foundation")),
    ("A2", Do("move carpet2 foundation")),
    ("d1", Do("move carpet16 foundation")),
    ("2s f", Do("move carpet16 foundation")),
    ("10h", Confused("patience.not_free", (("card", "10h"),))),
    ("b1", Do("move carpet6 foundation")),
    ("7h", Do("move carpet6 foundation")),
    ("b1 c1", Do("move carpet6 carpet11")),
    ("w", Confused("error.pile_empty")),
]


@pytest.mark.parametrize(("typed", "meaning"), CARPET)
def test_cards_and_places_of_carpet(typed: str, meaning: Meaning) -> None:
    """What is offered is done; what is not is asked of the server, which says why not."""
    assert read(typed, Deals("carpet").dealt(1)) == meaning


def test_a_hole_is_filled_by_its_name_or_by_the_waste() -> None:
    """From the stock while the waste is empty; holes are as good as each other."""
    deals = Deals("carpet").dealt(1)
    deals.act("move carpet2 foundation")
    assert read("a2", deals) == Do("move stock carpet2")
    assert read("d a2", deals) == Do("move stock carpet2")
    deals.act("move carpet16 foundation")
    deals.act("draw")
    assert read("a2", deals) == Do("move waste carpet2")
    assert read("w d1", deals) == Do("move waste carpet16")
    assert read("w > d1", deals) == Do("move waste carpet16")
    assert read("w", deals) == Do("move waste carpet2")


def test_the_braid_and_its_corners() -> None:
    """`b` is the braid; what goes nowhere is refused by the server."""
    deals = Deals("zopf").dealt(1)
    assert read("b", deals) == Do("move braid foundation")
    assert read("b s1", deals) == Do("move braid side1")
    assert read("c4", deals) == Do("move corner4 foundation")
    assert read("", deals) == Do("draw")


def test_enter_does_not_turn_the_waste_over() -> None:
    """It says how that is done."""
    deals = Deals("zopf").dealt(1)
    while "draw" in deals.actions:
        deals.act("draw")
    assert read("", deals) == Confused("patience.redeal_first")
    assert read("r", deals) == Do("redeal")


def test_ranks_of_the_arch() -> None:
    """Suits do not matter in Burgvögtin: a rank is enough, though its letter be a command elsewhere."""
    deals = Deals("burgvoegtin").dealt(1)
    assert read("r", deals) == Confused("said.wrong", (("typed", "r"),))
    assert read("2", deals) == Do("move arch2.1 foundation")
    assert read("2s", deals) == Do("move arch2.1 foundation")
    assert read("q", deals) == Do("move archQ.1 foundation")  # a slip must not leave the terminal
    assert read("d", deals, "de") == Do("move archQ.1 foundation")
    assert read("j", deals, "de") == Yes()
    assert read("t", deals) == Show("table")
    assert read("a", deals) == Do("auto")
    assert read("p1", deals) == Do("move packet1 foundation")
    assert read("k", deals) == Do("move archK.1 foundation")


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("en", "table t moves m results ranking sheet rules how ? quit leave again new winnable daily solve "
         "line redo u a h"),
        ("de", "tisch t züge m ergebnisse rangliste zettel regeln anleitung ? ende aufstehen nochmal neu gewinnbar "
         "tagesspiel aufgeben lösen weg redo u a h"),
        ("pl", "stół ruchy m wyniki ranking zapis zasady jak ? koniec wstaję nowe wygrywalne dzienne poddaj rozwiąż "
         "droga redo u a h"),
    ],
)  # fmt: skip
def test_what_the_help_names_is_understood(language: str, named: str) -> None:
    """Every command word of the help, which stands there."""
    deals, texts = Deals("zopf").dealt(1), load(language)
    told = " ".join(text for key, text in texts.texts.items() if key.startswith(("patience.help", "patience.key")))
    for word in named.split():
        assert word in told
        assert not isinstance(read(word, deals, language), Confused), word


def test_a_card_of_packet_and_arch_is_asked_back() -> None:
    """Each choice is an action."""
    for number in range(1, 60):
        deals = Deals("burgvoegtin").dealt(number)
        layout = Layout(deals.view)
        tops = {pile.top: pile.name for pile in layout.of("packet") if pile.top and pile.top[0] == "2"}
        arch = {card: place for place, card in enumerate(layout.piles["arch2"].cards, start=1)}
        both = [card for card in tops if card in arch]
        if both:
            meaning = read(both[0], deals)
            assert isinstance(meaning, Which)
            assert set(meaning.actions) == {
                f"move {tops[both[0]]} foundation",
                f"move arch2.{arch[both[0]]} foundation",
            }
            return
    raise AssertionError("no such deal")


def test_archway_says_up_or_down() -> None:
    """Where one is possible, it is done; several cards of a rank are asked back."""
    deals = Deals("archway").dealt(1)
    two = read("2", deals)
    assert isinstance(two, Which)
    assert len(two.actions) == 3  # of twins only the first
    assert read("2c", deals) == read("2c up", deals) == read("2c u", deals)
    down = read("2c down", deals)
    assert isinstance(down, Do)
    assert down.action.endswith(" down")  # the server says why not
    assert read("2c góra", deals, "pl") == read("2c auf", deals, "de") == read("2c", deals)


@pytest.mark.parametrize("language", LANGUAGES)
def test_between_deals_enter_deals(language: str) -> None:
    """Moves are not possible then."""
    deals = Deals("carpet")
    assert read("", deals, language) == Do("ready")
    assert read("r", deals, language) == Do("ready")
    assert read("2d", deals, language) == Confused("patience.no_deal")
    deals.dealt(1)
    deals.act("give_up")
    assert read("", deals, language) == read("d", deals, language) == Onward("ready")  # it was meant for drawing
    assert read("r", deals, language) == read("ready", deals, language) == Do("ready")
    assert read("2d", deals, language) == Confused("patience.no_deal")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["carpet", "zopf", "burgvoegtin", "archway"])
def test_every_move_that_is_offered_can_be_typed(game: str, language: str) -> None:
    """By the short names and faces that people see, for a whole deal."""
    from client_cli.board import Board
    from client_cli.style import Look

    namer = Board(load(language), Look()).patience.namer
    deals, reader = Deals(game).dealt(11), Reader(load(language))
    for _ in range(60):
        layout = Layout(deals.view)
        for step in layout.steps:
            source = layout.piles[step.source]
            what = namer.face(str(step.card)) if source.kind == "arch" else namer.typed(source)
            where = step.target if step.out else layout.piles[step.target].short
            meaning = reader.read(f"{what} {where}", layout)
            actions = meaning.actions if isinstance(meaning, Which) else (meaning.action,)  # type: ignore[union-attr]
            assert step.card in {layout.step(action).card for action in actions}  # type: ignore[union-attr]
            assert {layout.step(action).target for action in actions} == {step.target}  # type: ignore[union-attr]
        offered = [step.action for step in layout.steps if step.out] or [
            action for action in deals.actions if action in ("draw", "redeal") or action.startswith("move ")
        ]
        if not offered:
            return
        deals.act(offered[0])
