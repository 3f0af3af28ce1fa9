"""Guards: what they say of an event, and what a signature refuses."""

from typing import Any

import pytest

from lexgym.core import Event, Status, ToolCall
from lexgym.errors import FormulaError, SignatureError
from lexgym.oracles.ltlf import Signature, ToolSignature, compile_rule, parse, satisfies


def call(name: str, result: Any = None, status: Status = Status.OK, **arguments: Any) -> Event:
    return Event(ToolCall(name, arguments), result, status, step=1)


def holds(guard: str, event: Event) -> bool:
    formula = parse(f"F a[{guard}]")
    verdict = satisfies(formula, [event])
    monitor = compile_rule(formula).monitor()
    monitor.step(event)
    assert monitor.satisfied is verdict
    return verdict


EVENT = call(
    "a",
    {"ok": True, "tags": ["x", 1], "sub": {"n": 7}},
    n=5,
    s="abc",
    t=True,
    one="1",
    null=None,
    list=[1],
    float=5.0,
    tenth=0.1,
    nan=float("nan"),
    tuple=(1,),
)


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        ("n = 5", True),
        ("n == 5", True),
        ("5 = n", True),
        ("float = 5", True),
        ("n != 5", False),
        ("n != 4", True),
        ("n >= 5 and n <= 5 and !(n < 5) and not n > 5", True),
        ("n < 5 or n > 5", False),
        ('n = 1 | n = 5 & s = "no"', False),
        ("t = 1", False),
        ("t = true", True),
        ("t", True),
        ("!t", False),
        ("one = 1", False),
        ('one = "1"', True),
        ("n = true", False),
        ("n in [1, 5]", True),
        ("n not in [1, 5]", False),
        ("t in [1]", False),
        ("one in [1]", False),
        ('s in ["abc", "d"]', True),
        ('s < "b"', True),
        ('s startswith "ab"', True),
        ('s startswith "b"', False),
        ("list contains 1", True),
        ("list contains true", False),
        ('result.tags contains "x"', True),
        ("result.tags contains true", False),
        ("result.ok", True),
        ("result.sub.n = 7", True),
        ("result.sub.n.m = 7", False),
        ("result is not null", True),
        ("n + 2 * 3 - 1 = 10", True),
        ("(n + 2) * 3 = 21", True),
        ("-n = -5", True),
        ("n < 5.5", True),
        ("n < 4.5 or n <= 4.5 or n > 5.5 or n >= 5.5", False),
        ("n <= 5.5 and n >= 4.5 and -n < -4.5", True),
        ("n > 4.5 and n != 5.5", True),
        ("n = 5.0", True),
        ("n in [5.5, 5.0]", True),
        ("n - 0.5 = 4.5", True),
        ("n * 0.1 = 0.5", True),
        ("float * 2.5 = 12.5", True),
        ("tenth = 0.1", True),
        ("tenth + 0.2 = 0.3", True),
        ("tenth > 0.1 or tenth < 0.1", False),
        ("tenth > 0.09999999999999999999", True),
        ("tenth in [-0.1, 0.1]", True),
        ("tenth = one", False),
        ('tenth = "0.1"', False),
        ("nan = nan", True),
        ("nan = 5.0", False),
        ("nan != 5.5", True),
        ("tuple = list", True),
        ("list contains 1.0", True),
        ("missing = 1", False),
        ("missing != 1", False),
        ("missing < 1", False),
        ("missing in [1]", False),
        ("missing not in [1]", False),
        ("missing contains 1", False),
        ('missing startswith "a"', False),
        ("missing", False),
        ("missing + 1 = 1", False),
        ("missing is null", True),
        ("null is null", True),
        ("null is not null", False),
        ("args.null is null", True),
        ("missing = missing", False),
        ("!(missing = 1)", True),
        ("n is null", False),
        ('status = "ok"', True),
        ('status != "ok"', False),
        ('status in ["refused", "invalid"]', False),
    ],
)
def test_two_valued_meaning(guard: str, expected: bool) -> None:
    if guard.startswith("null "):
        guard = f"args.{guard}"
    assert holds(guard, EVENT) is expected


@pytest.mark.parametrize(
    "guard",
    [
        "nan > 5",
        "nan + 1 = 2",
        "s > 0.5",
        "s > 5",
        'n > "5"',
        "t > 0",
        "n",
        "s",
        's contains "a"',
        'n startswith "a"',
        "s + 1 = 2",
    ],
)
def test_misfits_fail_closed(guard: str) -> None:
    with pytest.raises(FormulaError, match="step 1, a"):
        compile_rule(f"F a[{guard}]").monitor().step(EVENT)


def test_huge_values_in_messages_are_cut() -> None:
    for value in ("x" * 10_000, 10**10_000, [[1] * 10_000]):
        with pytest.raises(FormulaError) as caught:
            compile_rule('F a[v startswith "y", v < 5] | F a[v, v > 5]').monitor().step(call("a", v=value))
        assert len(str(caught.value)) < 300


def test_an_invalid_calls_arguments_cannot_stop_the_judge() -> None:
    rule = compile_rule('G !a[status = "invalid", n > 5]').monitor()
    rule.step(call("a", {"code": "x"}, Status.INVALID, n="many"))
    assert rule.satisfied
    rule.step(call("a", {"code": "x"}, Status.INVALID, n=6))
    assert not rule.satisfied


def test_an_atom_without_status_guard_needs_success() -> None:
    for text, expected in (("F a", False), ("F a[n = 5]", False), ('F a[status = "refused"]', True)):
        monitor = compile_rule(text).monitor()
        monitor.step(call("a", {"code": "no"}, Status.REFUSED, n=5))
        assert monitor.satisfied is expected, text


SIGNATURE: Signature = {
    "pay": ToolSignature(
        {
            "amount": {"type": "integer"},
            "payee": {"type": "string"},
            "kind": {"$ref": "#/$defs/Kind", "$defs": {"Kind": {"enum": ["gift", "loan"], "type": "string"}}},
            "memo": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "urgent": {"type": "boolean"},
            "days": {"type": "array", "items": {"enum": ["mon", "tue"]}},
        },
        {
            "type": "object",
            "properties": {
                "authorized": {"type": "boolean"},
                "parts": {"type": "array", "items": {"type": "string"}},
                "sub": {"anyOf": [{"$ref": "#/$defs/Sub"}, {"type": "null"}]},
            },
            "$defs": {
                "Sub": {"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#/$defs/Sub"}}}
            },
        },
    ),
    "confirm": ToolSignature({"amount": {"type": "integer"}, "payee": {"type": "string"}}, {}),
}


@pytest.mark.parametrize(
    "text",
    [
        "pay & F confirm[result.anything.at.all = 3]",
        'pay[kind = "gift", memo startswith "x", urgent, days contains "mon"]',
        'pay[kind in ["gift"], amount + 1 > 2 * amount, memo is null]',
        "pay[result.authorized, result.sub.next.next.n > 2]",
        'pay[result.parts contains "q"]',
        'pay[status = "refused", result.code = "no_funds"]',
        "forall p, a. (!pay[payee = p, amount = a]) W confirm[payee = p, amount = a]",
    ],
)
def test_rules_that_fit_the_signature(text: str) -> None:
    assert parse(text, SIGNATURE) is parse(text)
    assert compile_rule(parse(text), SIGNATURE) is compile_rule(text, SIGNATURE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("F(pay & confrm)", r"no tool 'confrm'; did you mean 'confirm'\? \(column 9\)"),
        ("pay[amout = 1]", "did you mean 'amount'"),
        ("pay[amount = q]", "no argument 'q'"),
        ("pay[result.authorised]", "did you mean 'authorized'"),
        ("pay[result.sub.m = 1]", "known: n, next"),
        ('pay[result.code = "x"]', "no field 'code'"),
        ('pay[amount = "1"]', "integer.*cannot be compared"),
        ('pay[amount < "1"]', "cannot be compared"),
        ("pay[payee > 3]", "cannot be compared"),
        ("pay[urgent > false]", "no order"),
        ("pay[amount = true]", "cannot be compared"),
        ('pay[kind = "gft"]', "did you mean 'gift'"),
        ('pay[kind in ["gift", "loam"]]', "did you mean 'loan'"),
        ('pay[kind not in ["lone"]]', "did you mean 'loan'"),
        ('pay[days contains "mo"]', "did you mean 'mon'"),
        ("pay[result.parts contains 3]", "lists string, not integer"),
        ("pay[amount contains 3]", "needs array"),
        ('pay[amount startswith "3"]', "needs string"),
        ("pay[amount]", "needs boolean"),
        ("pay[amount + payee > 3]", "needs integer or number"),
        ('pay[status = "refsed"]', "did you mean 'refused'"),
        ("forall p. pay[payee = p] -> confirm[amount = p]", "variable 'p' is string"),
    ],
)
def test_what_does_not_exist_is_refused(text: str, words: str) -> None:
    with pytest.raises(SignatureError, match=words):
        parse(text, SIGNATURE)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("F(pay & confrm)", 9),
        ("F pay[urgent, amout = 1]", 15),
        ("pay[amount = 1, amount = q]", 26),
        ("pay[result.sub.m = 1]", 5),
        ('pay[amount = "1"]', 14),
        ('pay["1" < amount]', 5),
        ('pay[kind in ["gift", "loam"]]', 22),
        ("pay[!(amount + payee > 3)]", 16),
        ("pay[amount = -0.5]", 14),
        ("pay[days contains 3]", 19),
        ("pay[days contains -3]", 19),
        ("forall p. pay[payee = p] -> confirm[amount = p]", 46),
        ("pay[urgent, amount startswith payee]", 13),
    ],
)
def test_signature_errors_point_at_the_place(text: str, column: int) -> None:
    with pytest.raises(SignatureError, match=rf"\(column {column}\)") as caught:
        parse(text, SIGNATURE)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Xpay", "did you mean 'X pay'"),
        ("PAY", "did you mean 'pay'"),
        ("pay[Amount = 1]", "did you mean 'amount'"),
        ("pay[result.Authorized]", "did you mean 'authorized'"),
        ("pay[payee = someone]", "no argument 'someone', and no forall at the beginning binds it"),
        ("pay[amount = 0.5]", r"amount \(integer\) is never 0.5; expected integer"),
        ('pay[amount > "x"]', r"amount \(integer\) cannot be compared with 'x' \(string\); expected integer"),
        ("x" * 10_000, "no tool 'xxx"),
    ],
)
def test_signature_errors_say_the_way_out(text: str, words: str) -> None:
    with pytest.raises(SignatureError, match=words) as caught:
        parse(text, SIGNATURE)
    assert len(str(caught.value)) < 300


def test_decimals_may_be_compared_with_integers_in_order() -> None:
    assert parse("pay[amount > 12.5, amount - 0.5 < 3]", SIGNATURE) is parse("pay[amount > 12.5, amount - 0.5 < 3]")
