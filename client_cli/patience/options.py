"""What may be set for a table of a patience, as people type it."""

from collections.abc import Mapping
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.options import HOUSE_OPTIONS, Option

COMFORT: Final = (
    Option("no_undo", flag=True),
    Option("auto_play", flag=True),
    Option("number", form=r"[1-9][0-9]{0,19}", nothing=True),
)
VARIANTS: Final[dict[str, tuple[Option, ...]]] = {
    game: tuple(Option(name, flag=True) for name in names)
    for game, names in {
        "carpet": ("foster",),
        "zopf": (
            "long_braid",
            "either_direction",
            "single_twins",
            "build_on_sides",
            "braid_builds",
            "fill_corners",
        ),
        "burgvoegtin": ("strict", "open_packets"),
        "archway": ("columns_refill", "meet"),
    }.items()
}
NAMES: Final = {one.name: one for one in (*(one for some in VARIANTS.values() for one in some), *COMFORT)}
"""Every option of a patience by name."""


def variant_word(texts: Catalogue, name: str) -> str:
    """A variant that is not as usual, in the player's words: corners that fill themselves are usual."""
    if name == "fill_corners":
        return texts("picture.own_corners")
    return texts(f"option_name.{name}") if name in NAMES else clean(name, 24)


def variant_words(texts: Catalogue, rules: Mapping[str, object]) -> list[str]:
    """The variants in which these rules differ from the usual ones."""
    return [variant_word(texts, name) for name in rules if bool(rules[name]) != (name == "fill_corners")]


def options_of(game: str) -> dict[str, Option]:
    """What may be set at a table of this patience."""
    return {one.name: one for one in (*VARIANTS[game], *COMFORT, *HOUSE_OPTIONS)}
