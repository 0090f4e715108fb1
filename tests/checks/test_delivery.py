"""What others build and start the project with is whole: Makefile, pins, image, compose file."""

import os
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from checks import sizes
from server.configuration import DEFAULT_PORT, from_environment
from server.endpoint.limits import ConnectionLimits

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PORT = str(DEFAULT_PORT)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    plain: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return plain


def _pins() -> dict[NormalizedName, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = (line.partition(";")[0].strip().split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pins}


def test_every_requirement_is_pinned() -> None:
    """Each requirement has an exact version in constraints.txt that it allows."""
    pins = _pins()
    extras = PROJECT["optional-dependencies"].values()
    for text in [*PROJECT["dependencies"], *(line for lines in extras for line in lines)]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), text


def test_pins_are_what_is_installed() -> None:
    """The tests run with the versions of constraints.txt."""
    installed = {canonicalize_name(each.metadata["Name"]): each.version for each in metadata.distributions()}
    differing = {name for name, pin in _pins().items() if installed.get(name, pin) != pin}
    assert differing == set()


@pytest.mark.parametrize(
    "target", ["play", "serve", "demo", "demo-tournament", "test", "test-long", "check", "bench", "docs", "golden"]
)
def test_make_knows_the_target(target: str) -> None:
    """`make` can plan the target, and passes ARGS to the commands that take them."""
    plan = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", target, "ARGS=--some-argument"],
        cwd=ROOT,
        env={**os.environ, "MAKEFLAGS": ""},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    if target in ("play", "serve", "demo", "demo-tournament"):
        assert f".venv/bin/kop-server {target} --some-argument" in plan


def test_make_alone_lists_the_targets() -> None:
    """`make` without a target says what there is."""
    text = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.search(r"^  make play +\w", text, re.MULTILINE)


def test_ci_runs_every_check() -> None:
    """`.ci/run` is executable, stops at the first failure, and runs the checks and all tests."""
    script = ROOT / ".ci" / "run"
    text = script.read_text(encoding="utf-8")
    assert os.access(script, os.X_OK)
    assert "set -euo pipefail" in text
    assert "export CI=true" in text
    assert [line for line in text.splitlines() if line.startswith("make ")] == [
        "make check",
        "make test",
        "make test-long",
    ]


def test_compose_server_waits_for_a_durable_store(compose: dict[str, Any]) -> None:
    """The server starts when the store answers; the store keeps what it answered, and evicts nothing."""
    server, valkey = compose["services"]["server"], compose["services"]["valkey"]
    assert server["environment"]["KOP_REDIS_URL"] == "redis://valkey:6379/0"
    assert server["depends_on"] == {"valkey": {"condition": "service_healthy"}}
    command = valkey["command"]
    settings = {command[at].removeprefix("--"): command[at + 1] for at in range(1, len(command), 2)}
    assert settings == {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
    volume = valkey["volumes"][0]
    assert volume.split(":")[0] in compose["volumes"]
    assert volume.split(":")[1] == "/data"
    assert valkey["healthcheck"]["test"] == ["CMD", "valkey-cli", "ping"]


def test_compose_scales_the_server(compose: dict[str, Any]) -> None:
    """Nothing of the server clashes when there are several: no published port, no name; all come through the proxy."""
    server, proxy = compose["services"]["server"], compose["services"]["proxy"]
    assert not {"ports", "container_name", "hostname", "volumes", "networks"} & set(server)
    assert proxy["ports"] == [f"{PORT}:80"]
    assert proxy["depends_on"] == {"server": {"condition": "service_healthy"}}
    assert "/readyz" in server["healthcheck"]["test"][-1]
    assert f":{PORT}/" in server["healthcheck"]["test"][-1]
    assert proxy["healthcheck"]["test"][-1].endswith("/healthz")


def test_compose_publishes_only_the_proxy(compose: dict[str, Any]) -> None:
    """Store and metrics are reachable inside the network alone, and only its addresses are believed as proxies."""
    services = compose["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    environment = services["server"]["environment"]
    assert environment["KOP_TRUSTED_PROXIES"] == network["subnet"]
    assert from_environment(environment).metrics_host == "0.0.0.0"


def test_compose_pins_its_images(compose: dict[str, Any]) -> None:
    """Every image that is not built here has a version."""
    images = [service["image"] for service in compose["services"].values() if "image" in service]
    assert len(images) == 2
    assert [image for image in images if not re.search(r":\d[\w.-]*$", image)] == []


def test_the_proxy_leads_to_the_server(compose: dict[str, Any]) -> None:
    """Its file is mounted, names the service and its port, passes websockets and addresses, and is patient enough."""
    (volume,) = compose["services"]["proxy"]["volumes"]
    text = (ROOT / volume.split(":")[0]).read_text(encoding="utf-8")
    (service,) = re.findall(r"set \$kop (\w+);", text)
    assert service in compose["services"]
    assert f"proxy_pass http://$kop:{PORT};" in text
    for header in ("Upgrade $http_upgrade", "Connection $connection_upgrade", "Host $http_host"):
        assert f"proxy_set_header {header};" in text
    assert "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;" in text
    assert "proxy_http_version 1.1;" in text
    for kind in ("read", "send"):
        (seconds,) = re.findall(rf"proxy_{kind}_timeout (\d+)s;", text)
        assert int(seconds) > ConnectionLimits().silence
    assert "listen 80;" in text
    assert text.count("{") == text.count("}")


def _instructions() -> list[tuple[str, str]]:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def test_image_copies_what_is_there() -> None:
    """Every file that the image copies exists, and what the build needs is copied."""
    sources = [name for word, rest in _instructions() if word == "COPY" for name in rest.split()[:-1]]
    assert [name for name in sources if not (ROOT / name).exists()] == []
    packages = {name.removesuffix("*") for name in ("server*", "protocol*", "client_cli*")}
    assert packages | {"pyproject.toml", "constraints.txt", PROJECT["readme"], "LICENSE"} <= set(sources)


def test_image_runs_the_server_as_nobody_special() -> None:
    """The image installs with the pins, drops root before it starts, and shows its health on its port."""
    instructions = _instructions()
    words = [word for word, _ in instructions]
    by_word = dict(instructions)
    assert by_word["FROM"].startswith("python:3.11-slim")
    assert any("pip install" in rest and "-c constraints.txt ." in rest for word, rest in instructions if word == "RUN")
    assert by_word["USER"] == "kop"
    assert words.index("USER") < words.index("CMD")
    assert by_word["EXPOSE"] == PORT
    assert f"127.0.0.1:{PORT}/healthz" in by_word["HEALTHCHECK"]
    assert yaml.safe_load(by_word["CMD"]) == ["kop-server", "serve", "--host", "0.0.0.0"]


def test_sizes_sees_modules_that_are_not_committed_yet() -> None:
    """The size check looks at every module of the checkout."""
    assert {Path("tests/checks/test_delivery.py"), Path("tests/node/client.mjs")} <= set(sizes.modules())


@pytest.mark.parametrize(("lines", "status"), [(500, 0), (501, 1)])
def test_a_module_over_the_limit_fails(tmp_path: Path, lines: int, status: int) -> None:
    """500 lines pass, 501 do not."""
    module = tmp_path / "module.py"
    module.write_text("pass\n" * lines, encoding="utf-8")
    assert sizes.report([module]) == status


def test_long_functions_are_listed(tmp_path: Path) -> None:
    """A function over 40 lines is named, one of 40 is not."""
    module = tmp_path / "module.py"
    body = "    pass\n"
    module.write_text(f"def short():\n{body * 39}\n\ndef long():\n    '''Text.'''\n{body * 40}", encoding="utf-8")
    assert [line.split(": ")[1] for line in sizes.long_functions(module)] == ["long has 41 lines"]
