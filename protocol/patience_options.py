"""What may be set for a table of a patience: the `options` of `create`, as they stand in records too."""

from typing import Annotated, Final

from pydantic import Field

from protocol.kop import Part


class PatienceOptions(Part):
    """What every patience has."""

    no_undo: bool = Field(default=False, description="No move is taken back.")
    auto_play: bool = Field(default=False, description="What can never hurt is played at once.")
    number: Annotated[str, Field(pattern="^([1-9][0-9]{0,19})?$")] | None = Field(
        default="", description="The table's first deal, by its number; empty: a hidden one."
    )


class ZopfOptions(PatienceOptions):
    """`options` of a `create` for the game `zopf`; all are variants of the rules.

    `braid_builds` goes with `build_on_sides` only; else it is refused as `options_clash`.
    """

    long_braid: bool = Field(default=False, description="24 cards in the braid instead of 20.")
    either_direction: bool = Field(
        default=False, description="The first card after the base cards decides whether all foundations go up or down."
    )
    single_twins: bool = Field(
        default=False, description="No card lies twice in the braid: the second of a pair goes into the stock."
    )
    build_on_sides: bool = Field(default=False, description="Side cards are built on, down in alternating colours.")
    braid_builds: bool = Field(default=False, description="Cards of braid and corners may go to the sides too.")
    fill_corners: bool = Field(default=True, description="An empty corner takes the braid's last card at once.")


class BurgvoegtinOptions(PatienceOptions):
    """`options` of a `create` for the game `burgvoegtin`; all are variants of the rules."""

    strict: bool = Field(default=False, description="A card of the arch only while no packet's card fits.")
    open_packets: bool = Field(default=False, description="The packets lie open, and the aces stay in the pack.")


class CarpetOptions(PatienceOptions):
    """`options` of a `create` for the game `carpet`; all are variants of the rules."""

    foster: bool = Field(default=False, description="The aces stay in the pack; at first the stock fills the holes.")


class ArchwayOptions(PatienceOptions):
    """`options` of a `create` for the game `archway`; all are variants of the rules."""

    columns_refill: bool = Field(default=False, description="An empty column takes a card of the arch.")
    meet: bool = Field(default=False, description="A card may cross between the two foundations of its suit.")


PATIENCE_OPTIONS: Final[dict[str, type[PatienceOptions]]] = {
    "zopf": ZopfOptions,
    "burgvoegtin": BurgvoegtinOptions,
    "carpet": CarpetOptions,
    "archway": ArchwayOptions,
}
"""The options of each patience."""
