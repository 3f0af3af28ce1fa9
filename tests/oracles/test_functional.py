"""The functional oracle: states are equal up to the names of generated ids, and differences can be read."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.oracles import functional
from lexgym.oracles.functional import AmbiguousStateError, FunctionalOracle, TableShape

Dump: TypeAlias = dict[str, list[dict[str, Any]]]

SHAPES = {
    "accounts": TableShape(("number",), ignored=frozenset({"seen"})),
    "payees": TableShape(("id",), generated=True, references={"heir": "payees"}),
    "payments": TableShape(("id",), generated=True, references={"payee": "payees", "account": "accounts"}),
    "parts": TableShape(("payment", "place"), references={"payment": "payments"}),
}
OWNERS = {
    "payees": {"id": "payees", "heir": "payees"},
    "payments": {"id": "payments", "payee": "payees"},
    "parts": {"payment": "payments"},
}
INITIAL: Dump = {
    "accounts": [{"number": "A-1", "balance": 100, "seen": 0}],
    "payees": [{"id": "E-0", "name": "Ada", "heir": None}],
}


def payee(number: str, name: str, heir: str | None = None) -> dict[str, Any]:
    return {"id": number, "name": name, "heir": heir}


def payment(number: str, to: str, cents: int) -> dict[str, Any]:
    return {"id": number, "payee": to, "account": "A-1", "cents": cents}


def state(payees: list[dict[str, Any]], payments: list[dict[str, Any]], parts: list[dict[str, Any]]) -> Dump:
    return {**INITIAL, "payees": [*INITIAL["payees"], *payees], "payments": payments, "parts": parts}


TARGET = state(
    [payee("E-1", "Bob"), payee("E-2", "Eve", "E-1")],
    [payment("P-1", "E-1", 10), payment("P-2", "E-2", 20), payment("P-3", "E-0", 30)],
    [{"payment": "P-1", "place": 1}, {"payment": "P-2", "place": 1}],
)


def compare(actual: Dump, target: Dump = TARGET) -> tuple[str, ...]:
    return FunctionalOracle(SHAPES, INITIAL, target).compare(actual)


def renamed(dump: Dump, names: Mapping[tuple[str, Any], Any]) -> Dump:
    """Rename ids: `names` maps (table, id) to the new id."""
    return {
        table: [
            {column: names.get((OWNERS.get(table, {}).get(column, ""), value), value) for column, value in row.items()}
            for row in rows
        ]
        for table, rows in dump.items()
    }


def swap(table: str, one: str, other: str) -> dict[tuple[str, Any], Any]:
    return {(table, one): other, (table, other): one}


def edited(table: str, row: int, **cells: Any) -> Dump:
    rows = [dict(entry) for entry in TARGET[table]]
    rows[row] |= cells
    return {**TARGET, table: rows}


def test_the_same_state_is_reached() -> None:
    assert compare(TARGET) == ()
    assert compare({table: rows[::-1] for table, rows in TARGET.items()}) == ()
    assert compare({}, {}) == ()


def test_the_order_of_columns_does_not_matter() -> None:
    assert compare({table: [dict(reversed(row.items())) for row in rows] for table, rows in TARGET.items()}) == ()


def test_volatile_columns_are_not_compared() -> None:
    assert compare(edited("accounts", 0, seen=99)) == ()
    assert compare(edited("accounts", 0, balance=99)) == ("accounts A-1: balance is 99, not 100",)


def test_generated_ids_may_have_other_names_in_every_table() -> None:
    names = {("payees", "E-1"): "E-77", ("payees", "E-2"): "E-1", ("payments", "P-1"): "P-3", ("payments", "P-3"): "x"}
    assert compare(renamed(TARGET, names)) == ()


@pytest.mark.parametrize("ids", [("payees", "E-1", "E-2"), ("payments", "P-1", "P-2"), ("payments", "P-2", "P-3")])
def test_two_ids_may_be_swapped_if_everywhere(ids: tuple[str, str, str]) -> None:
    assert compare(renamed(TARGET, swap(*ids))) == ()


def test_a_swap_in_one_table_only_is_a_difference() -> None:
    actual = {**TARGET, "payments": renamed(TARGET, swap("payees", "E-1", "E-2"))["payments"]}
    assert compare(actual)


def test_ids_that_existed_at_the_start_keep_their_names() -> None:
    assert compare(renamed(TARGET, swap("payees", "E-0", "E-1")))
    assert compare(renamed(TARGET, {("payees", "E-0"): "E-9"}))


def test_two_ids_cannot_become_one() -> None:
    target = state([payee("E-1", "Bob"), payee("E-2", "Bob")], [payment("P", "E-1", 1), payment("Q", "E-2", 1)], [])
    actual = state([payee("E-1", "Bob"), payee("E-2", "Bob")], [payment("P", "E-1", 1), payment("Q", "E-1", 1)], [])
    assert compare(target, target) == ()
    assert compare(actual, target)
    assert compare(target, actual)


def test_an_unexpected_row_is_shown() -> None:
    lines = compare({**TARGET, "payments": [*TARGET["payments"], payment("P-9", "E-0", 7)]})
    assert len(lines) == 1
    assert lines[0].startswith("payments: unexpected {")
    assert "cents: 7" in lines[0]
    assert "id: P-9" in lines[0]


def test_a_missing_row_is_shown() -> None:
    lines = compare({**TARGET, "parts": TARGET["parts"][:1], "payments": TARGET["payments"]})
    assert len(lines) == 1
    assert lines[0].startswith("parts: missing {")


def test_missing_and_unexpected_rows_are_told_exactly() -> None:
    paid = {**INITIAL, "payments": [payment("P-9", "E-0", 7)]}
    cells = "account: 'A-1', cents: 7, id: P-9, payee: 'E-0'"
    assert compare({**INITIAL, "accounts": []}, INITIAL) == ("accounts: missing {balance: 100, number: 'A-1'}",)
    assert compare(paid, INITIAL) == (f"payments: unexpected {{{cells}}}",)


def test_twins_are_counted() -> None:
    two = state([], [payment("P-1", "E-0", 1), payment("P-2", "E-0", 1)], [])
    assert compare(state([], [payment("P-5", "E-0", 1), payment("P-6", "E-0", 1)], []), two) == ()
    assert compare(state([], [payment("P-5", "E-0", 1)], []), two)


def test_a_missing_table_is_all_its_rows() -> None:
    lines = compare({table: rows for table, rows in TARGET.items() if table != "parts"})
    assert [line.partition(" {")[0] for line in lines] == ["parts: missing", "parts: missing"]


def test_a_changed_row_says_column_and_both_values() -> None:
    assert compare(edited("payees", 1, name="Bert")) == ("payees E-1: name is 'Bert', not 'Bob'",)
    assert compare(edited("payments", 2, cents=31)) == ("payments P-3: cents is 31, not 30",)
    assert compare(edited("payments", 2, payee="E-1")) == ("payments P-3: payee is E-1, not 'E-0'",)


def test_a_change_is_found_under_other_names_too() -> None:
    lines = compare(renamed(edited("payments", 2, cents=31), swap("payments", "P-1", "P-2")))
    assert lines == ("payments P-3: cents is 31, not 30",)


def ring(*lengths: int) -> Dump:
    """Payees in rings of heirs: every payee looks the same."""
    payees: list[dict[str, Any]] = []
    for length in lengths:
        start = len(payees)
        payees += [payee(f"E-{start + i + 1}", "Bob", f"E-{start + (i + 1) % length + 1}") for i in range(length)]
    return state(payees, [], [])


def shuffled(dump: Dump, rng: random.Random) -> Dump:
    """Give every generated id a random new name."""
    names: dict[tuple[str, Any], Any] = {}
    for table, ids in new_ids(dump).items():
        names |= {
            (table, old): new for old, new in zip(ids, rng.sample([f"N-{i}" for i in ids], len(ids)), strict=True)
        }
    return renamed(dump, names)


def new_ids(dump: Dump) -> dict[str, list[str]]:
    """The generated ids of a state by table, also those that are only referred to."""
    found: dict[str, set[str]] = {"payees": set(), "payments": set()}
    for table, rows in dump.items():
        for row in rows:
            for column, owner in OWNERS.get(table, {}).items():
                if row[column] not in (None, "E-0"):
                    found[owner].add(row[column])
    return {table: sorted(ids) for table, ids in found.items()}


def test_symmetric_states_terminate() -> None:
    rng = random.Random(7)
    alike = state([payee(f"E-{i}", "Bob") for i in range(1, 41)], [], [])
    assert compare(shuffled(alike, rng), alike) == ()
    for lengths in ((12,), (6, 6), (3, 4, 5), (2,) * 10):
        assert compare(shuffled(ring(*lengths), rng), ring(*lengths)) == ()


def test_symmetric_states_that_differ_are_told_apart() -> None:
    for one, other in (((6,), (3, 3)), ((20,), (10, 10)), ((3, 5), (4, 4))):
        assert compare(ring(*one), ring(*other))


def test_no_decision_within_the_limit_is_an_error_not_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functional, "SEARCH_LIMIT", 3)
    with pytest.raises(AmbiguousStateError, match="no decision after 3 assignments"):
        compare(ring(20), ring(10, 10))


# The same question asked by brute force: is there any renaming at all?


def bijections(left: list[str], right: list[str]) -> Iterator[dict[str, str]]:
    for order in permutations(right):
        yield dict(zip(left, order, strict=True))


def rows_of(dump: Dump) -> Counter[tuple[str, tuple[tuple[str, Any], ...]]]:
    return Counter(
        (table, tuple((k, v) for k, v in sorted(row.items()) if k != "seen"))
        for table, rows in dump.items()
        for row in rows
    )


def brute_force(actual: Dump, target: Dump) -> bool:
    left, right = new_ids(actual), new_ids(target)
    if any(len(left[table]) != len(right[table]) for table in left):
        return False
    goal = rows_of(target)
    for payees in bijections(left["payees"], right["payees"]):
        for payments in bijections(left["payments"], right["payments"]):
            names = {("payees", k): v for k, v in payees.items()} | {("payments", k): v for k, v in payments.items()}
            if rows_of(renamed(actual, names)) == goal:
                return True
    return False


@st.composite
def states(draw: st.DrawFn) -> Dump:
    """Small states with many symmetries."""
    ids = [f"E-{i + 1}" for i in range(draw(st.integers(0, 4)))]
    anyone = st.sampled_from(["E-0", *ids])
    payees = [payee(i, draw(st.sampled_from("ab")), draw(st.none() | anyone)) for i in ids]
    numbers = [f"P-{i + 1}" for i in range(draw(st.integers(0, 3)))]
    payments = [payment(i, draw(anyone), draw(st.integers(1, 2))) for i in numbers]
    parts = [{"payment": i, "place": place} for i in numbers for place in (1, 2) if draw(st.booleans())]
    return state(payees, payments, parts)


@settings(deadline=None)
@given(states(), st.randoms(use_true_random=False))
def test_any_renaming_compares_equal(dump: Dump, rng: random.Random) -> None:
    other = shuffled(dump, rng)
    for rows in other.values():
        rng.shuffle(rows)
    assert compare(other, dump) == ()
    assert compare(dump, other) == ()


@settings(max_examples=200, deadline=None)
@given(states(), states())
def test_a_brute_force_judge_agrees(actual: Dump, target: Dump) -> None:
    assert (compare(actual, target) == ()) is brute_force(actual, target)


@settings(max_examples=200, deadline=None)
@given(states(), st.randoms(use_true_random=False), st.data())
def test_a_brute_force_judge_agrees_on_near_misses(dump: Dump, rng: random.Random, data: st.DataObject) -> None:
    other = shuffled(dump, rng)
    rows = [row for table in ("payees", "payments") for row in other[table] if row["id"] != "E-0"]
    if rows:
        row = data.draw(st.sampled_from(rows))
        column = "heir" if "heir" in row else "payee"
        row[column] = data.draw(st.sampled_from(["E-0", *new_ids(other)["payees"]]))
    assert (compare(other, dump) == ()) is brute_force(other, dump)
