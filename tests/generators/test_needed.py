"""What a trace needs besides a call, where rules speak of part of the values."""

from lexgym.generators.needed import Needed
from lexgym.oracles.ltlf import ToolSignature, compile_rule

TEXT = {"type": "string"}
TOOLS = {
    "pay": ToolSignature({"of": TEXT, "to": TEXT}, required=frozenset({"of", "to"})),
    "open": ToolSignature({"of": TEXT}, required=frozenset({"of"})),
    "settle": ToolSignature({"of": TEXT, "to": TEXT}, required=frozenset({"of", "to"})),
}


def needed(rule: str) -> Needed:
    return Needed(tuple(TOOLS), [compile_rule(rule, TOOLS)])


def test_what_begins_a_slice_needs_what_the_rule_demands_of_it() -> None:
    found = needed("forall a, p. (!pay[of = a, to = p]) W open[of = a]")
    assert found.by("pay") == {"open"}
    assert found.calls("pay") == 2


def test_a_call_about_part_of_the_values_needs_nothing_since_no_slice_may_begin() -> None:
    assert needed("forall a, p. G(open[of = a] -> F settle[of = a, to = p])").by("open") == frozenset()
    assert needed("forall a. G(open[of = a] -> F settle[of = a])").by("open") == {"settle"}
