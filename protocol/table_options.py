"""What a host may set for every table, whatever its game: these stand in `options` beside the game's own."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.kop import Part


class TableOptions(Part):
    """Part of the `options` of a `create`, for every game.

    `on_absence` *clock* and a `clock_bank` need `clock_seconds`; else they are refused as `options_clash`.
    """

    on_absence: Literal["wait", "bot", "vote", "clock"] = Field(
        default="vote",
        description="What happens with the seat of who is away longer than the grace, or leaves in a match.",
    )
    clock_seconds: Annotated[int, Field(ge=3, le=600)] | None = Field(
        default=None, description="Time for each decision; null: no clocks."
    )
    clock_bank: Annotated[int, Field(ge=0, le=3600)] = Field(
        default=0, description="Seconds beyond that for each seat, in all of a match."
    )
    talk: Literal["free", "phrases", "off"] = Field(default="free", description="What may be said at the table.")
