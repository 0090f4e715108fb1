"""What all messages of clients are made of."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

TableId = Annotated[str, Field(min_length=1, max_length=32, pattern="^[a-z0-9]+$")]
CommandId = Annotated[int, Field(ge=1, le=2**53 - 1, description="Counts upward for one client instance.")]
SeatNumber = Annotated[int, Field(ge=0, le=15, description="Seats are numbered clockwise from 0.")]
OptionValue = Annotated[str, Field(max_length=200)] | Annotated[int, Field(ge=-(2**53), le=2**53)] | bool | None
Options = Annotated[dict[Annotated[str, Field(max_length=32)], OptionValue], Field(max_length=64)]


class ClientMessage(BaseModel):
    """Base of everything a client sends: unknown fields and wrong types are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
