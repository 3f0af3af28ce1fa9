"""How good extracted rules are, measured against rules that people wrote for the same text.

    recall, of the hand-written rules
        found      an extracted rule demands the same (their automata are equivalent)
        covered    the extracted rules together imply it, however they are cut
        weakly     an extracted rule has the same template and names exactly the same tools
        touched    an extracted rule has the same template and joins two of its tools in the same parts
                   (for rules about one kind of call: names one of its tools)
    precision, of the extracted rules
        right      it demands the same as a hand-written rule, or hand-written rules together imply it
        stricter   it is not right, but implies a hand-written rule: it asks for more than that one

`found` is part of `covered` and of `weakly`, which is part of `touched`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lexgym.core import Rule
from lexgym.generators.extraction.relations import Relations
from lexgym.oracles.ltlf import Signature
from lexgym.oracles.ltlf import syntax as s


@dataclass(frozen=True, slots=True)
class Score:
    """Which hand-written rules were found, and which extracted rules are right, by id."""

    written: tuple[str, ...]
    found: tuple[str, ...]
    covered: tuple[str, ...]
    weakly: tuple[str, ...]
    touched: tuple[str, ...]
    extracted: tuple[str, ...]
    right: tuple[str, ...]
    stricter: tuple[str, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """The hand-written rules that no extracted rule touches."""
        return tuple(name for name in self.written if name not in self.touched)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The extracted rules that are neither right nor stricter."""
        return tuple(name for name in self.extracted if name not in (*self.right, *self.stricter))


def score(
    extracted: Sequence[Rule],
    written: Sequence[Rule],
    signature: Signature | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Score:
    """Compare extracted rules with hand-written ones; raise `FormulaError` for a rule that cannot be used."""
    relations = Relations([rule.formula for rule in (*written, *extracted)], signature)
    first = len(written)
    own, theirs = range(first), range(first, first + len(extracted))
    found, covered, weakly, touched = [], [], [], []
    for done, hand in enumerate(own, 1):
        rule = written[hand]
        alike = [t for t in theirs if extracted[t - first].template == rule.template]
        if any(relations.same(hand, one) for one in theirs):
            found.append(rule.id)
        if rule.id in found or relations.follows(hand, theirs):
            covered.append(rule.id)
        if rule.id in found or any(relations.automata[hand].tools == relations.automata[t].tools for t in alike):
            weakly.append(rule.id)
        parts = _parts(relations.automata[hand].formula)
        if rule.id in weakly or any(parts & _parts(relations.automata[t].formula) for t in alike):
            touched.append(rule.id)
        if progress is not None:
            progress(done, first + len(extracted))
    right, stricter = [], []
    for done, one in enumerate(theirs, first + 1):
        name = extracted[one - first].id
        if relations.follows(one, own):
            right.append(name)
        elif any(relations.implies(one, hand) for hand in own):
            stricter.append(name)
        if progress is not None:
            progress(done, first + len(extracted))
    ids = [tuple(rule.id for rule in rules) for rules in (written, extracted)]
    return Score(
        written=ids[0],
        found=tuple(found),
        covered=tuple(covered),
        weakly=tuple(weakly),
        touched=tuple(touched),
        extracted=ids[1],
        right=tuple(right),
        stricter=tuple(stricter),
    )


def _parts(formula: s.Formula) -> frozenset[tuple[str, ...]]:
    """Return what a rule joins: (act, check) of a restriction, (trigger, response), or one tool alone."""
    body = formula.body if isinstance(formula, s.Forall) else formula
    found: set[tuple[str, ...]] = set()
    for part in s.postorder(body):
        match part:
            case s.WeakUntil(s.Not(act), check):
                found |= {(one, two) for one in _tools(act) for two in _tools(check)}
            case s.Implies(trigger, response):
                found |= {(one, two) for one in _tools(trigger) for two in _tools(response)}
    return frozenset(found or {(tool,) for tool in _tools(body)})


def _tools(formula: s.Formula) -> set[str]:
    return {atom.tool for atom in s.atoms_of(formula)}
