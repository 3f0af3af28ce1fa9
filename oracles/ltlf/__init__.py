"""Rules over tool events in linear temporal logic on finite traces (LTLf).

    >>> compile(parse("G(a -> F b)")).accepts([{"a"}, set(), {"b"}])
    True

`compile` is for formulas over plain names; `compile_rule` and `RuleSet` are for rules over events.
Covered: future and past, Declare templates, guards on arguments, results and status, slicing by
`forall`. Not covered: values that one step compares with another's except by `forall`, real time.
"""

from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.batch import Batch, BatchMonitor
from lexgym.oracles.ltlf.compiler import compile, counterexample, entails  # noqa: A004
from lexgym.oracles.ltlf.explanation import Explanation, explain
from lexgym.oracles.ltlf.monitor import RuleMonitor
from lexgym.oracles.ltlf.parser import parse
from lexgym.oracles.ltlf.plain import Automaton, Monitor
from lexgym.oracles.ltlf.planning import Wanted
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import RuleAutomaton, compile_rule
from lexgym.oracles.ltlf.ruleset import RuleSet, RuleSetMonitor
from lexgym.oracles.ltlf.semantics import satisfies
from lexgym.oracles.ltlf.signature import Signature, ToolSignature
from lexgym.oracles.ltlf.syntax import Formula

__all__ = [
    "DFA",
    "RV",
    "Automaton",
    "Batch",
    "BatchMonitor",
    "Explanation",
    "Formula",
    "Monitor",
    "RuleAutomaton",
    "RuleMonitor",
    "RuleSet",
    "RuleSetMonitor",
    "Signature",
    "ToolSignature",
    "Wanted",
    "compile",
    "compile_rule",
    "counterexample",
    "entails",
    "explain",
    "parse",
    "satisfies",
    "to_text",
]
