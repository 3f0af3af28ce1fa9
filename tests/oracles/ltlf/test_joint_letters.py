"""What one call can be for several rules: read off samples, and by Z3."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lexgym.core import Status
from lexgym.envs.judge import safety_oracle
from lexgym.envs.registry import domain_names
from lexgym.oracles.ltlf import ToolSignature
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.joint import truths as joint
from lexgym.oracles.ltlf.joint.letters import letters_of
from lexgym.oracles.ltlf.joint.possible import solved_truths
from lexgym.oracles.ltlf.joint.sampling import Asked, sampled_truths
from lexgym.oracles.ltlf.parser import parse
from lexgym.oracles.ltlf.syntax import Forall, atoms_of

TOOL = ToolSignature(
    {
        "u": {"type": "string"},
        "w": {"type": "integer", "minimum": 0},
        "n": {"type": "integer", "minimum": 0, "maximum": 9},
        "e": {"enum": ["p", "q"]},
    },
    {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}, "id": {"type": "string"}, "d": {"anyOf": [{"type": "null"}, {}]}},
        "required": ["ok", "id"],
    },
    frozenset({"u", "n"}),
)

GUARDS = st.sampled_from(
    [
        "u = x", "u = x, n > 5", "u = x, n < 3", "w = y", "w = y, w > 0", 'e = "p"', 'e in ["p", "q"]', "e is null",
        "n >= 5", "n = 5, result.ok", "result.ok", "!result.ok", "result.id = z", "result.id = z, result.ok",
        "result.d is null", 'u = "a"', 'u = x, u != "a"', 'status = "refused"', 'status != "ok", n > 5', "u = x, w = y",
        'result.id = z, status = "ok"',
    ]
)  # fmt: skip


def asked(guards: list[str], elsewhere: list[bool]) -> dict[int, Asked]:
    """Return each guard as a condition on the slice's values or, where `elsewhere`, on a call's own."""
    found: dict[int, Asked] = {}
    for number, (guard, other) in enumerate(zip(dict.fromkeys(guards), elsewhere, strict=False)):
        variables = sorted({"x", "y", "z"} & set(guard.replace(",", " ").split()))
        formula = parse((f"forall {', '.join(variables)}. " if variables else "") + f"F a[{guard}]")
        atom = next(iter(atoms_of(formula.body if isinstance(formula, Forall) else formula)))
        places = binding_of(atom, tuple(variables)) if variables else None
        found[1 << number] = (atom, places if other else None)
    return found


@settings(max_examples=80, deadline=None)
@given(
    st.lists(GUARDS, min_size=1, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.sampled_from(Status),
    st.booleans(),
    st.booleans(),
)
def test_samples_and_solver_find_the_same(
    guards: list[str], elsewhere: list[bool], status: Status, usual: bool, known: bool
) -> None:
    conditions = asked(guards, elsewhere)
    awake = {bit: each for bit, each in conditions.items() if status is Status.OK or g.mentions_status(each[0].guard)}
    if not awake:
        return
    signature = TOOL if known else None
    sampled = sampled_truths(awake, signature, status, usual=usual)
    assume(sampled is not None)
    assert sampled is not None
    solved = set(solved_truths(awake, ("x", "y", "z"), signature, 4096, status, usual=usual))
    assert sampled <= solved
    if known or status is Status.INVALID:  # where no guard is asked of a value that it does not fit
        assert sampled == solved


@pytest.mark.parametrize(
    "guards",
    [["u = x", "w = x"], ["u = x, w > x"], ["u = x", "w = n"], ["result.id = z, u != z"]],
    ids=", ".join,
)
def test_where_samples_cannot_tell_the_solver_is_asked(guards: list[str]) -> None:
    conditions = asked(guards, [False] * 4)
    assert sampled_truths(conditions, TOOL, Status.OK, usual=True) is None
    names = ("x", "z")
    found = set(joint.truths(list(conditions.values()), names, TOOL, 4096, usual=True))
    solved = solved_truths(conditions, names, TOOL, 4096, Status.OK, usual=True)
    assert found == {tuple(bool(letter >> n & 1) for n in range(len(conditions))) for letter in solved}


@pytest.mark.parametrize("name", domain_names())
def test_the_rules_of_a_domain_have_the_letters_that_the_solver_finds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the tool of which most rules speak, in each group of rules that can be lost together."""
    wanted = {}
    for group in (group.joint for group in safety_oracle(name).compiled.trapping):
        tool = max(group.tools, key=lambda tool: sum(tool in m.automaton.readers for m in group.members))
        wanted[group, tool] = letters_of(group.members, tool)
    monkeypatch.setattr(joint, "sampled_truths", lambda *args, **kwargs: None)
    for (group, tool), letters in wanted.items():
        solved = letters_of(group.members, tool)
        assert {(x.moves, x.ok, x.binds) for x in letters} == {(x.moves, x.ok, x.binds) for x in solved}
