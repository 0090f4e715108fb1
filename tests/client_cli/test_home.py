"""What is kept on this machine."""

import stat
from pathlib import Path

import pytest

from client_cli.home import BadProfile, Profile, Saved, folder


def test_a_token_is_kept_for_its_server_and_for_the_owner_only(tmp_path: Path) -> None:
    """The file has mode 0600, no other file is left, and other fields stay."""
    profile = Profile(tmp_path / "kop")
    profile.change(name="Ola", four_colour=True)
    profile.keep_token("http://a", "secret")
    profile.keep_token("http://b", "other")
    profile.keep_token("http://b", None)
    assert profile.load() == Saved(name="Ola", tokens={"http://a": "secret"}, four_colour=True)
    assert stat.S_IMODE(profile.path.stat().st_mode) == 0o600
    assert [path.name for path in profile.path.parent.iterdir()] == ["default.json"]


def test_profiles_are_apart(tmp_path: Path) -> None:
    """Two players on one machine."""
    Profile(tmp_path, "a").keep_token("http://a", "1")
    assert Profile(tmp_path, "b").load() == Saved()


@pytest.mark.parametrize("contents", ["", "{", "[]", '{"tokens": 3, "name": [], "auto": {"ready": "yes"}}', "\x00"])
def test_a_damaged_file_counts_as_empty(tmp_path: Path, contents: str) -> None:
    """Nobody is kept from playing by it."""
    (tmp_path / "default.json").write_text(contents)
    assert Profile(tmp_path).load() == Saved()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """What cannot be written is not half written."""
    profile = Profile(tmp_path)
    profile.change(name="Ola")
    with pytest.raises(TypeError):
        profile.change(name=object())
    assert profile.load().name == "Ola"
    assert [path.name for path in tmp_path.iterdir()] == ["default.json"]


@pytest.mark.parametrize("name", ["", "../x", "a/b", "x" * 33, "a.b"])
def test_a_profile_is_no_path(tmp_path: Path, name: str) -> None:
    """Its name cannot leave the folder."""
    with pytest.raises(BadProfile):
        Profile(tmp_path, name)


def test_the_folder_follows_the_environment() -> None:
    """KOP_HOME, else XDG_CONFIG_HOME, else ~/.config."""
    assert folder({"KOP_HOME": "/k", "XDG_CONFIG_HOME": "/x"}) == Path("/k")
    assert folder({"XDG_CONFIG_HOME": "/x"}) == Path("/x/kop")
    assert folder({}) == Path.home() / ".config" / "kop"
