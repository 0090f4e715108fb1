"""Whatever a record file holds, `kop record` tells what it is, or that it is none; nothing is thrown at anybody."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.client_cli.patience.test_records import played as patience
from tests.client_cli.test_record_command import Told
from tests.fuzz import strange, trees
from tests.fuzz.script import Script
from tests.parties import played

SCRIPTS = st.binary(max_size=120)
SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@cache
def records() -> tuple[dict[str, Any], ...]:
    """Records that are right, of each game."""
    return (
        *played({"deals": 4}, 1)[:2],
        *(patience(game, 12) for game in ("zopf", "burgvoegtin", "carpet", "archway")),
    )


def nearly(script: Script) -> bytes:
    """A file with records, something in it changed."""
    one: Any = script.one_of(records())
    match script.below(8):
        case 0:
            return script.take(64)
        case 1:
            return strange.spoilt(json.dumps(one).encode(), script)
        case 2:
            one = [one, trees.changed(one, script, strange.VALUES)]
        case _:
            one = trees.changed(one, script, strange.VALUES)
    return json.dumps(one, default=repr).encode()


async def told(file: Path) -> None:
    """Everything that can be done with a file is done or refused, and something is said."""
    for what in ("verify", "show", "replay"):
        reader = Told(None)
        code = await (
            reader.command.verify([str(file)]) if what == "verify" else getattr(reader.command, what)(str(file))
        )
        assert code in (0, 1)
        assert reader.text.strip()
        assert "Traceback" not in reader.text
        assert not any(sign in reader.text for sign in ("\x1b", "\x07", "\0"))


@SETTINGS
@given(script=SCRIPTS)
@example(script=b"")
async def test_a_record_that_is_nearly_right_is_told_or_refused(tmp_path: Path, script: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(nearly(Script(script)))
    await told(file)


@pytest.mark.long
@settings(SETTINGS, max_examples=3000)
@given(script=SCRIPTS)
async def test_many_records_that_are_nearly_right(tmp_path: Path, script: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(nearly(Script(script)))
    await told(file)
