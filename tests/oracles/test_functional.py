"""The functional oracle against a brute-force judge, and its readable differences."""

import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.oracles.functional import FunctionalOracle, TableShape

SHAPES = {
    "payees": TableShape(("id",), generated=True),
    "payments": TableShape(
        ("id",), generated=True, references={"payee": "payees", "after": "payments"}, ignored=frozenset({"at"})
    ),
    "accounts": TableShape(("number",)),
}
ACCOUNT = {"number": "A", "balance": 100}
START: dict[str, list[dict[str, Any]]] = {"accounts": [ACCOUNT], "payees": [{"id": "P0", "name": "x"}], "payments": []}


def payment(number: str, payee: str, amount: int = 1, after: str | None = None, at: int = 0) -> dict[str, Any]:
    return {"id": number, "payee": payee, "amount": amount, "after": after, "at": at}


def compare(actual: dict[str, Any], target: dict[str, Any]) -> tuple[str, ...]:
    return FunctionalOracle(SHAPES, START, {**START, **target}).compare({**START, **actual})


def test_equal_states_and_volatile_columns() -> None:
    assert compare({}, {}) == ()
    assert compare({"payments": [payment("M1", "P0", at=5)]}, {"payments": [payment("M1", "P0", at=9)]}) == ()


def test_column_order_does_not_matter() -> None:
    row = payment("M1", "P0")
    assert compare({"payments": [dict(reversed(row.items()))]}, {"payments": [row]}) == ()


def test_generated_ids_may_be_renamed_together_with_their_references() -> None:
    actual = {"payees": [*START["payees"], {"id": "P8", "name": "y"}], "payments": [payment("M7", "P8")]}
    target = {"payees": [*START["payees"], {"id": "P1", "name": "y"}], "payments": [payment("M1", "P1")]}
    assert compare(actual, target) == ()
    swapped = {**actual, "payments": [payment("M7", "P0")]}
    assert compare(swapped, target) != ()


def test_ids_that_were_there_keep_their_names() -> None:
    assert compare({"payees": [{"id": "P5", "name": "x"}]}, {}) != ()


@pytest.mark.parametrize(
    ("actual", "line"),
    [
        ({"accounts": [{"number": "A", "balance": 99}]}, "accounts A: balance is 99, not 100"),
        ({"accounts": []}, "accounts: missing {balance: 100, number: 'A'}"),
        ({"payments": [payment("M1", "P0")]}, "payments: unexpected {amount: 1, id: M1, payee: 'P0'}"),
    ],
)
def test_differences_are_readable(actual: dict[str, Any], line: str) -> None:
    assert compare(actual, {}) == (line,)


def test_twins_are_counted() -> None:
    two = {"payments": [payment("M1", "P0"), payment("M2", "P0")]}
    assert compare(two, {"payments": [payment("M5", "P0"), payment("M6", "P0")]}) == ()
    assert compare(two, {"payments": [payment("M5", "P0")]}) != ()


def test_many_indistinguishable_rows_are_decided() -> None:
    left = [payment(f"M{i}", "P0") for i in range(40)]
    right = [payment(f"N{i}", "P0") for i in range(40)]
    assert compare({"payments": left}, {"payments": right}) == ()


IDS = ["M1", "M2", "M3", "M4"]


@st.composite
def payments(draw: st.DrawFn) -> list[dict[str, Any]]:
    ids = IDS[: draw(st.integers(0, 4))]
    after = st.sampled_from([None, *ids])
    return [payment(i, "P0", draw(st.integers(1, 2)), draw(after)) for i in ids]


def brute_force(actual: list[dict[str, Any]], target: list[dict[str, Any]]) -> bool:
    """Try every renaming."""
    mine, theirs = [row["id"] for row in actual], [row["id"] for row in target]
    goal = Counter(tuple(sorted(row.items(), key=str)) for row in target)
    for order in itertools.permutations(theirs):
        names = dict(zip(mine, order, strict=False))
        renamed = [{**r, "id": names.get(r["id"]), "after": names.get(r["after"])} for r in actual]
        if len(mine) == len(theirs) and Counter(tuple(sorted(r.items(), key=str)) for r in renamed) == goal:
            return True
    return False


@settings(max_examples=300, deadline=None)
@given(payments(), payments())
def test_agrees_with_brute_force(actual: list[dict[str, Any]], target: list[dict[str, Any]]) -> None:
    assert (compare({"payments": actual}, {"payments": target}) == ()) == brute_force(actual, target)


@settings(max_examples=100, deadline=None)
@given(payments(), st.permutations(IDS))
def test_every_renaming_is_equal(target: list[dict[str, Any]], order: list[str]) -> None:
    names = dict(zip(IDS, order, strict=True))
    renamed = [{**r, "id": names[r["id"]], "after": names.get(r["after"])} for r in reversed(target)]
    assert compare({"payments": renamed}, {"payments": target}) == ()
