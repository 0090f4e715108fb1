"""Settings: each that can be used takes effect, each that cannot is refused in one line that names it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.configuration import BadSetting, from_environment
from server.main import main

WRONG = [
    ("KOP_PORT", ["x", "-1", "65536", "5670 ", "", "\u0663", "9" * 5_000, "1.5"]),
    ("KOP_REDIS_URL", ["store", "store:6379", "http://store", "redis:store", "redis://s:port", "redis://s:70000"]),
    ("KOP_REDIS_URL", ["redis://[::1", "redis://s?db=first", "redis://s?flavour=1"]),
    ("KOP_TRUSTED_PROXIES", ["nonsense", "10.0.0.0/33", "::1, x"]),
    ("KOP_METRICS_PORT", ["x", "-1", "65536", ""]),
    ("KOP_LOG", ["", "loud", "0", "warning\nerror"]),
    ("KOP_LIMIT_PLACES", ["0", "-1", "1.5", "many", "", "9" * 5_000]),
    ("KOP_LIMIT_PER_ADDRESS", ["0", "nan"]),
    ("KOP_LIMIT_MESSAGES_PER_SECOND", ["0", "-0.5", "nan", "inf", "-inf", "1,5", "1e999"]),
    ("KOP_LIMIT_HANDSHAKE", ["0.0", "soon"]),
    ("KOP_KEEP_MATCH_MS", ["0", "-1", "1.5", "nan", "14d"]),
    ("KOP_KEEP_FLUSH_TIMEOUT_MS", ["0"]),
    ("KOP_LIMIT_SOCKETS", ["1"]),
    ("KOP_LIMIT_NOTHING", ["1"]),
    ("KOP_KEEP_MATCH", ["1"]),
    ("KOP_KEEP_LIFETIME_MS", ["1"]),
    ("KOP_PROT", ["5670"]),
    ("KOP_", ["1"]),
]
ROWS = [(name, value) for name, values in WRONG for value in values]


pytestmark = pytest.mark.timeout(20)


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in tuple(os.environ):
        if name.startswith("KOP_"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize(("name", "value"), ROWS, ids=[f"{name}={value[:12]!r}" for name, value in ROWS])
def test_a_wrong_setting_ends_the_program_with_one_line(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, and the name of the setting; for every command alike."""
    monkeypatch.setenv(name, value)
    for command in ("serve", "play", "demo", "demo-tournament"):
        assert main([command]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("kop-server: ")
        assert name in line


@pytest.mark.parametrize("value", ["x", "-1", "65536", ""])
def test_a_wrong_port_as_an_argument_is_named_too(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--port` is no better than `KOP_PORT`."""
    assert main(["serve", f"--port={value}"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "--port" in line


def test_no_password_is_repeated() -> None:
    """Whatever is wrong with the URL of the store, its password does not get into a log."""
    for url in ("http://user:secret@store", "redis://user:secret@store:port", "secret@store"):
        with pytest.raises(BadSetting) as refused:
            from_environment({"KOP_REDIS_URL": url})
        assert "secret@" not in str(refused.value)
        assert ":secret" not in str(refused.value)


def test_a_wrong_setting_in_a_program_of_its_own(tmp_path: Path) -> None:
    """`kop-server serve`: exit code 1, one line, no traceback, and nothing was started."""
    done = subprocess.run(
        [sys.executable, "-m", "server.main", "serve", "--data-dir", str(tmp_path / "data")],
        env={**os.environ, "KOP_LIMIT_PLACES": "none"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "kop-server: KOP_LIMIT_PLACES must be a number above 0, not 'none'\n"
    assert not (tmp_path / "data").exists()


def test_what_is_set_takes_effect() -> None:
    """Each kind of setting, and names of the client and of others, which the server leaves alone."""
    found = from_environment(
        {
            "KOP_HOST": "::1",
            "KOP_PORT": "0",
            "KOP_REDIS_URL": "rediss://user:word@store:6380/2",
            "KOP_DATA_DIR": "/srv/kop",
            "KOP_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
            "KOP_LOG": "Info",
            "KOP_METRICS_HOST": "0.0.0.0",
            "KOP_METRICS_PORT": "0",
            "KOP_LIMIT_PLACES": "3",
            "KOP_LIMIT_OWNER_AWAY_SECONDS": "1.5",
            "KOP_LIMIT_PER_ADDRESS": "7",
            "KOP_LIMIT_HANDSHAKE": "2",
            "KOP_KEEP_ENDED_MS": "3600000",
            "KOP_HOME": "/home/ola",
            "KOP_SERVER": "http://elsewhere",
            "KOPPEL": "1",
        }
    )
    assert (found.host, found.port, found.redis_url) == ("::1", 0, "rediss://user:word@store:6380/2")
    assert (found.data_dir, found.log_level) == (Path("/srv/kop"), "INFO")
    assert (found.metrics_host, found.metrics_port) == ("0.0.0.0", 0)
    assert [str(one) for one in found.trusted_proxies] == ["10.0.0.0/8", "::1/128"]
    assert (found.limits.places, found.limits.owner_away_seconds) == (3, 1.5)
    assert (found.limits.sockets.per_address, found.limits.sockets.handshake) == (7, 2.0)
    assert found.store.ended == 3_600_000


def test_what_is_not_set_has_its_default() -> None:
    """An empty environment is a server for this machine with a store of its own."""
    found = from_environment({"KOP_REDIS_URL": "", "KOP_DATA_DIR": "", "XDG_DATA_HOME": "/data"})
    assert (found.host, found.port, found.redis_url) == ("127.0.0.1", 5670, None)
    assert (found.data_dir, found.log_level, found.trusted_proxies) == (Path("/data/kop-server"), "WARNING", ())
    assert (found.metrics_host, found.metrics_port) == ("127.0.0.1", 5671)
