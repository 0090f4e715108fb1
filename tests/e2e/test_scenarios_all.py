"""Every fault that was survived elsewhere only after a report has a test of its name here."""

import ast
from pathlib import Path

NAMES = [
    "side_field_leak",
    "silent_refusal",
    "double_answer",
    "half_open_lock_out",
    "seat_theft",
    "stale_or_vanished_listings",
    "own_hand_face_down",
    "reconnect_leak",
    "countdown_griefing",
    "queued_move",
    "nobody_means_everybody",
    "watchers_past_the_door",
    "seeded_by_the_clock",
    "games_without_end",
    "ghosts_after_a_restart",
    "idle_for_ever",
    "only_chat_was_limited",
    "flood_filter_eats_tak_tak",
    "markup_and_escapes_in_names",
    "clock_quarrels",
    "bot_too_soon",
    "leaving_at_every_moment",
    "fresh_hand_by_rejoining",
    "blind_players",
    "the_trick_is_gone_before_it_is_seen",
    "restart_in_a_tournament",
    "odd_fields_and_drop_outs",
    "everybody_gone",
    "who_blocks_the_round",
]


def test_every_scenario_has_its_test() -> None:
    """Each name is that of exactly one test in the modules of scenarios."""
    found = [
        node.name
        for file in Path(__file__).parent.glob("test_scenarios*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert {name: found.count(f"test_{name}") for name in NAMES} == dict.fromkeys(NAMES, 1)
