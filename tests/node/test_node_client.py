"""A client in another language, written from docs/protocol alone, plays against a real server."""

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from protocol.codec import Encoding

FOLDER = Path(__file__).parent
NODE = shutil.which("node")
MISSING = (
    "node is not installed"
    if NODE is None
    else "the npm packages are not installed: run `make test`"
    if not (FOLDER / "node_modules" / "ws").is_dir()
    else None
)
IN_CI = os.environ.get("CI") == "true"
SIDES = {
    "msgpack": [Encoding.MSGPACK] * 4,
    "json": [Encoding.JSON] * 4,
    "mixed": [Encoding.MSGPACK, Encoding.JSON, Encoding.MSGPACK, Encoding.JSON],
}


def test_node_client_is_run_in_ci() -> None:
    """Where every change is checked, nothing that the Node client needs is missing."""
    assert not (IN_CI and MISSING), MISSING


@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
@pytest.mark.parametrize("encodings", SIDES.values(), ids=SIDES.keys())
async def test_node_client_plays_a_deal(server_url: str, encodings: list[Encoding]) -> None:
    """Four connections of a Node client sit down, play a deal without a gap, and agree on its score."""
    summary = await _run(server_url, encodings)
    assert summary["subprotocols"] == list(encodings)
    assert summary["seats"] == [0, 1, 2, 3]
    assert summary["line"]["deal"] == 1
    assert sum(summary["line"]["money"]) == 0


async def _run(server_url: str, encodings: list[Encoding]) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        str(NODE),
        str(FOLDER / "client.mjs"),
        server_url,
        ",".join(encodings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    summary: dict[str, Any] = json.loads(out.decode().splitlines()[-1])
    return summary
