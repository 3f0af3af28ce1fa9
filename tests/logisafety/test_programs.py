"""Reference programs are carried out by our own reader: what it does, and that it does nothing else."""

from typing import Any

import pytest

from lexgym.errors import CheckoutError
from lexgym.generators.logisafety.programs import MAX_PROGRAM, quoted, run


def calls(program: str) -> list[tuple[str, dict[str, Any]]]:
    made: list[tuple[str, dict[str, Any]]] = []

    def call(name: str, arguments: dict[str, Any]) -> dict[str, int]:
        made.append((name, arguments))
        return {"number": len(made)}

    run(program, ("Bank",), call, "task 7")
    return made


def test_values_variables_and_results_are_carried_on() -> None:
    program = """
a = {'list': ['x', None, True], 'sum': -2.5}
b = Bank.First(words=a['list'], sum=a['sum'])
Bank.Second(number=b['number'], part=a['list'][0])
"""
    assert calls(program) == [
        ("First", {"words": ["x", None, True], "sum": -2.5}),
        ("Second", {"number": 1, "part": "x"}),
    ]


@pytest.mark.parametrize(
    ("bare", "whole"),
    [
        ("f(a=P-012345)", "f(a='P-012345')"),
        ("f(a=001-0203-0405, b=[gid_guest_3])", "f(a='001-0203-0405', b=['guest_3'])"),
        ("f(a='D-0101 and 111-2222-3333', b=D-0101)", "f(a='D-0101 and 111-2222-3333', b='D-0101')"),
        ("x = -5", "x = -5"),
        ("x = '2025-12-01'", "x = '2025-12-01'"),
        (r"x = 'it\'s P-1'", r"x = 'it\'s P-1'"),
    ],
)
def test_ids_that_lost_their_quotation_marks(bare: str, whole: str) -> None:
    assert quoted(bare) == whole


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import os", "task 7, line 1: Import is not understood"),
        ("x = 1\nwhile x: pass", "task 7, line 2: While is not understood"),
        ("x = __import__('os')", "line 1: Call is not understood"),
        ("x = open('f')", "Call is not understood"),
        ("x = 1 + 1", "BinOp is not understood"),
        ("x = [y for y in 'ab']", "ListComp is not understood"),
        ("x, y = 1, 2", "Assign is not understood"),
        ("x = Bank.Pay.__globals__", "Attribute is not understood"),
        ("x = (lambda: 1)()", "Call is not understood"),
        ("x = Bank.Pay(1)", "Call is not understood"),
        ("x = Bank.Pay(**{'a': 1})", "Call is not understood"),
        ("x = {**{}}", "Dict is not understood"),
        ("x = {[1]: 2}", "Dict is not understood"),
        ("x = f'{1}'", "JoinedStr is not understood"),
        ("x = b'1'", "Constant is not understood"),
        ("x = 'a'[0:1]", "Slice is not understood"),
        ("x = Shop.Pay()", "calls 'Shop', the toolkit is 'Bank'"),
        ("x = y", "the variable 'y' has no value"),
        ("x = {'a': 1}['b']", "there is no 'b' in {'a': 1}"),
        ("x = 5['b']", "there is no 'b' in 5"),
        ("x = (", "line 1: not a program"),
        ("x = '\0'", "not a program"),
        ("x = " + "[" * 5000, "not a program"),
        ("x = y" + "[0]" * 20000, "not a program|nested too deeply"),
        ("#" * (MAX_PROGRAM + 1), "the limit is 100,000"),
    ],
)
def test_anything_else_is_refused_by_name(program: str, message: str) -> None:
    with pytest.raises(CheckoutError, match=message):
        calls(program)
