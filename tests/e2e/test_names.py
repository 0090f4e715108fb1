"""Names: visible characters only, in one form; markup is text, escapes are refused."""

import pytest

from tests.wire import RefusedError, Wire

BAD = {
    "empty": "",
    "blank": "   ",
    "no-break blanks": "\u00a0\u00a0",
    "too long": "x" * 25,
    "line feed": "Ada\nBolek",
    "tab": "Ada\tBolek",
    "null": "Ada\0",
    "terminal escape": "\x1b[31mAda",
    "one-byte escape": "\x9b31mAda",
    "delete": "Ada\x7f",
    "right-to-left override": "Ada\u202egnp",
    "direction isolate": "\u2066Ada\u2069",
    "direction mark": "Ada\u200f",
    "zero-width blank": "Ada\u200b",
    "zero-width joiner": "A\u200dda",
    "byte order mark": "\ufeffAda",
    "soft hyphen": "A\u00adda",
    "word joiner": "A\u2060da",
    "tag letters": "Ada\U000e0041",
    "line separator": "Ada\u2028Bolek",
    "wide blank": "Ada\u3000Bolek",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "noncharacter": "Ada\uffff",
    "filler that shows nothing": "\u3164",
    "half-width filler": "\uffa0\uffa0",
    "empty Braille": "\u2800",
    "invisible joiner": "Ada\u034f",
    "zalgo": "A\u0301\u0302\u0303\u0304da",
    "a mark alone": "\u0301Ada",
}


async def greet(url: str, name: str) -> str:
    """The name under which the server greets a new player."""
    async with Wire(url, name) as wire:
        welcome = next(message for message in wire.heard if message["type"] == "welcome")
        return str(welcome["name"])


@pytest.mark.parametrize("name", BAD.values(), ids=BAD.keys())
async def test_what_cannot_be_seen_is_no_name(server_url: str, name: str) -> None:
    """Control, direction, invisible and stacked characters are refused as `bad_name`."""
    wire = Wire(server_url, name)
    with pytest.raises(RefusedError, match="bad_name"):
        await wire.open()
    wire.name = "Ada"
    await wire.send({"type": "hello", "protocol": 1, "instance": wire.instance, "name": "Ada"})
    await wire.wait(lambda message: message["type"] == "welcome")
    await wire.close()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada   B. ", "Ada B."),
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("Z\u0307o\u0301\u0142w", "Żółw"),
        ("李小龍", "李小龍"),
        ("O'Neill & Söhne", "O'Neill & Söhne"),
        ("<script>alert(1)</script"[:24], "<script>alert(1)</script"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("'; DROP TABLE kop; --", "'; DROP TABLE kop; --"),
        ("{{7*7}} ${7*7} %s", "{{7*7}} ${7*7} %s"),
        ("♥ 🂡", "♥ 🂡"),
        ("x" * 24, "x" * 24),
    ],
)
async def test_markup_and_escapes_in_names_are_text(server_url: str, name: str, shown: str) -> None:
    """Markup of every kind goes through unchanged, as text; blanks and accents get one form."""
    assert await greet(server_url, name) == shown


async def test_a_known_player_can_take_another_name_and_no_bad_one(server_url: str) -> None:
    """A name beside the token renames; a bad one is refused and the old name stays."""
    async with Wire(server_url, "Ada") as wire:
        hello = {"type": "hello", "protocol": 1, "instance": wire.instance, "token": wire.token}
        for name, answer in (("Ada\u202e", "bad_name"), ("Bolek", "Bolek")):
            await wire.drop()
            await wire.connect()
            since = len(wire.heard)
            await wire.send({**hello, "name": name})
            heard = await wire.wait(lambda message: message["type"] in ("welcome", "error"), since)
            assert heard.get("name", heard.get("code")) == answer
        assert (await wire.reopen())["name"] == "Bolek"
