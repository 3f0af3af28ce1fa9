"""Letters: the combinations of atoms that a call can be, with Z3 and without."""

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
from lexgym.errors import FormulaError, StateLimitExceeded
from lexgym.oracles.ltlf import Signature, ToolSignature, compile_rule, parse, satisfies
from lexgym.oracles.ltlf.combinations import combinations
from lexgym.oracles.ltlf.possible import solved_letters
from lexgym.oracles.ltlf.samples import sampled_letters
from lexgym.oracles.ltlf.syntax import Atom, atoms_of

TOOL = ToolSignature(
    {
        "n": {"type": "integer", "minimum": 0, "maximum": 9},
        "r": {"type": "number", "exclusiveMinimum": 0.5},
        "s": {"type": "string"},
        "e": {"enum": ["p", "pq", 3]},
        "b": {"type": "boolean"},
        "l": {"type": "array", "items": {"type": "integer"}},
    },
    {
        "type": "object",
        "properties": {
            "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "d": {"type": "object", "properties": {"b": {"type": "boolean"}}},
        },
    },
)
SIGNATURE: Signature = {"a": TOOL}


def atoms(text: str) -> dict[Atom, int]:
    return {atom: 1 << i for i, atom in enumerate(atoms_of(parse(text)))}


def states(text: str, signature: Signature | None = None) -> int:
    found = atoms(text)
    return len(combinations(found, (), 4096, signature=None if signature is None else signature["a"]).every)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("F(a[x > 5] & a[x < 3])", 1),
        ("F a[x > 5, x < 3]", 1),
        ("F a[x = 0.5, x > 0.5]", 1),
        ("F(a[x > 5] & a[x < 7])", 2),
        ('F(a[x = 1] & a[x = "1"])', 1),
        ("F(a[x = 1.0] & !a[x = 1])", 1),
        ('F(a & a[status = "refused"])', 1),
        ('F(a[s startswith "xy"] & !a[s startswith "x"])', 1),
        ('F(a[s startswith "xy"] & a[s = "xz"])', 1),
        ('F a[s < ""]', 1),
        ('F(a[s > "x"] & a[s < "x\\u0000"])', 1),
        ('F(a[s = "\\\\u{41}", s = t] & a[t = "A"])', 1),
        ("F a[d is null, d.x = 1]", 1),
        ("F a[result is null, result.d.x = y]", 1),
        ("F a[l contains 1, l is null]", 1),
        ("F(a[l contains 1, m contains y] & !a[l contains y, y != 1])", 2),
        ("F(a[l contains y, y = 1] & !a[l contains 1])", 1),
        ("F(a[l contains y, y = 2] & !a[l contains 1])", 2),
        ("F(a[x + 1 = y] & a[y - 0.5 < x])", 1),
        ("forall p. F(a[u = p, n > 5] & a[u = p, n < 3])", 1),
        ("F(a[x * y = 2] & !a[x * y = 2])", 1),
    ],
)
def test_impossible_letters_are_dropped_before_colouring(text: str, count: int) -> None:
    assert len(compile_rule(text).dfa) == count


@pytest.mark.parametrize(
    ("text", "without", "knowing"),
    [
        ("a[n < 0.5] | a[n = 0]", 3, 2),
        ("a[n > 9.5] | a[n > 3]", 3, 2),
        ("a[r > 0.5] | a[r > 0.25]", 3, 2),
        ("a[n + r > 10] | a[r < 0.6, n > 9.5]", 4, 2),
        ('a[e = "p"] | a[e startswith "p"]', 3, 3),
        ('a[e startswith "pq"] | a[e = "pq"]', 3, 2),
        ("a[result.n > 1] | a[result.n >= 2]", 3, 2),
        ("a[result.n < 1] | a[result.n = y, y < 1, y > 0]", 3, 2),
        ('a[status = "invalid", n > 20] | a[n > 3]', 3, 3),
        ('a[status = "refused", n > 20] | a[n > 3]', 3, 2),
    ],
)
def test_what_the_signature_knows(text: str, without: int, knowing: int) -> None:
    assert (states(text), states(text, SIGNATURE)) == (without, knowing)


def test_arguments_of_invalid_calls_may_be_anything() -> None:
    rule = compile_rule('G !a[status = "invalid", n > 20]', SIGNATURE)
    monitor = rule.monitor()
    monitor.step(Event.invalid(ToolCall("a", {"n": 21}), "bad_arguments", ""))
    assert not monitor.satisfied


GUARDED = st.sampled_from(
    [
        "n = 1", "n != 1", "n > 1", "n <= 1.5", "n in [0, 3]", "n not in [0, 3]", "n is null", "r > 1.5", "r = n",
        "r < n + 1", "n * n > r", "s = e", 's < "b"', 's startswith "a"', "s startswith e", 'e = "p"', "e = 3",
        'e in ["p", "pq"]', "b", "b = true", "b != result.d.b", "l contains 1", "l contains n", "l is not null",
        "result.n = n", "result.n > 0", "result.d.b", "result.d is null", "result is null", 'status = "ok"',
        'status != "ok"', "s = x", "n = x", "result.n != x", "l contains x",
    ]
)  # fmt: skip
CONDITIONS = st.recursive(
    GUARDED,
    lambda inner: st.one_of(
        inner.map(lambda guard: f"!({guard})"),
        st.tuples(inner, st.sampled_from([" and ", " or "]), inner).map(lambda parts: f"({''.join(parts)})"),
    ),
    max_leaves=4,
)
ANYTHING: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        2,
        20,
        -1,
        0.1,
        1.0,
        1.5,
        float("nan"),
        float("inf"),
        "",
        "a",
        "ab",
        "p",
        [],
        [1],
        [True],
        {},
    ]
)
FITTING: dict[str, st.SearchStrategy[Any]] = {
    "n": st.sampled_from([None, 0, 1, 3, 9, 1.0]),
    "r": st.sampled_from([None, 1, 2, 0.6, 1.5, 1.0]),
    "s": st.sampled_from([None, "", "a", "ab", "p", "b"]),
    "e": st.sampled_from([None, "p", "pq", 3]),
    "b": st.sampled_from([None, True, False]),
    "l": st.sampled_from([None, [], [1], [0, 3]]),
}
RESULTS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"n": st.sampled_from([None, -1, 1, 5]), "d": st.sampled_from([{"b": True}, {"b": None}, {}])}
    ),
)


def events() -> st.SearchStrategy[Event]:
    fitting = st.fixed_dictionaries({}, optional=FITTING)
    anyhow = st.fixed_dictionaries({}, optional=dict.fromkeys(FITTING, ANYTHING))
    failure = {"code": "c", "message": "m"}
    return st.one_of(
        st.builds(lambda a, r: Event(ToolCall("a", a), r, Status.OK), fitting, RESULTS),
        st.builds(lambda a: Event(ToolCall("a", a), failure, Status.REFUSED), fitting),
        st.builds(lambda a: Event(ToolCall("a", a), failure, Status.INVALID), anyhow),
    )


@settings(max_examples=150, deadline=None)
@given(st.lists(CONDITIONS, min_size=1, max_size=3), st.lists(events(), min_size=1, max_size=6), st.booleans())
def test_no_letter_that_occurs_is_dropped(guards: list[str], trace: list[Event], known: bool) -> None:
    """An event that makes a combination true which was dropped would raise here."""
    bound = any("x" in guard.replace("max", "") for guard in guards)
    inner = " & ".join(f"F a[{'s = x, ' if bound else ''}{guard}]" for guard in guards)
    formula = parse(f"forall x. {inner}" if bound else inner)
    monitor = compile_rule(formula, SIGNATURE if known and not bound else None).monitor()
    try:
        expected = satisfies(formula, trace)
    except FormulaError:
        return
    for event in trace:
        monitor.step(event)
    assert monitor.satisfied is expected


SINGLE = st.sampled_from(
    [
        "x > 1", "x <= 1.5", "x = 2", "x != 1", "x in [1, 1.5]", 'x = "a"', 'x < "ab"', 'x startswith "a"', 'x > ""',
        "x is null", "x", "x = true", "x not in [1]", "n > 5", "n < 9", "n >= 9.5", "r = 0.5", "e = 3", 'e < "pz"',
        "result.d.b", 'status = "ok"',
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(SINGLE, min_size=1, max_size=4), st.booleans(), st.sampled_from(Status))
def test_samples_and_solver_find_the_same_letters(guards: list[str], known: bool, status: Status) -> None:
    found = atoms(" & ".join(f"a[{guard}]" for guard in guards))
    signature = TOOL if known else None
    sampled = sampled_letters(found, signature, status)
    solved = solved_letters(found, (), 4096, signature, status, inside=False)
    assert sampled is not None
    assert sampled <= solved
    if status is Status.INVALID:  # where nothing is a misfit
        assert sampled == solved


@pytest.mark.parametrize(
    "text",
    [
        " | ".join(f"a[x{i} = 1]" for i in range(40)),
        " | ".join(f"a[x{i} + x{i + 1} > {i}]" for i in range(40)),
        " | ".join(f"a[l contains {i}]" for i in range(13)),
        " | ".join(f"a[x{i} < x{j}]" for i in range(8) for j in range(i)),
    ],
)
def test_too_many_letters_are_refused(text: str) -> None:
    with pytest.raises(StateLimitExceeded, match="the guards of 'a' make"):
        compile_rule(text, max_letters=500)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        (" | ".join(f"a[x = {i}]" for i in range(200)), 202),
        (" | ".join(f'a[s startswith "{"ab" * i}"]' for i in range(50)), 52),
        (" | ".join(f'a[s < "{"ab" * i}"]' for i in range(50)), 51),
        ("a[" + "*".join(["x"] * 45) + " > 3] | a[" + "*".join(["x"] * 44) + " > 3]", 5),
        ("a[" + " or ".join(f"x = {i}" for i in range(5_000)) + "]", 3),
    ],
)
def test_many_guards_on_one_place_are_no_danger(text: str, letters: int) -> None:
    assert len(compile_rule(text).letters) == letters


def test_guards_are_solved_in_many_threads() -> None:
    texts = [f"F(a[x > y + {i}] & a[x < y - {j}])" for i in range(2) for j in range(2)]
    sizes: dict[str, int] = {}

    def work() -> None:
        for text in texts:
            sizes[text] = len(compile_rule(text).dfa)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(sizes.values()) == {1}
