"""Spaces say what they are."""

from lexgym.envs.registry import load_domain
from lexgym.envs.spaces import ToolCallSpace, UnicodeText


def test_spaces_have_a_short_form() -> None:
    space = ToolCallSpace(load_domain("finance"))
    assert repr(space) == f"ToolCallSpace('finance', {len(space.names)} names)"
    assert repr(UnicodeText(9)) == "UnicodeText(9)"
