"""Reasons that have to be true: a step that states a reason comes after the check that the reason rests on.

    "The reason is stated only after that has been established."
    with   refuse(reason: "item in stock" | …)   and   check_stock → in_stock
    gives  (!refuse[request_id = r, reason = "item in stock"]) W check_stock[request_id = r, result.in_stock]

The sentence says that reasons need their checks; which reasons there are, the tools' schemas say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lexgym.core import RESTRICTION
from lexgym.generators.extraction import binding, conditions
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.document import Sentence
from lexgym.generators.extraction.formulas import Draft
from lexgym.generators.extraction.grounding import Grounding, Role
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import stem_set, stems

Grounds: TypeAlias = Sequence[tuple[Sentence, str]]
"""The sentences that ask for true reasons, each with the one before it."""

LEAST = 0.22
"""Least score of a reason's check: reasons are short, and the values shared with it speak for it too."""

LEAD = 1.28
"""How much better than the next check it must be."""


@dataclass(frozen=True)
class _Reason:
    """A reason that a tool can state, and the check that shows whether it is true."""

    card: Card
    place: str
    value: str
    check: Card
    outcome: str

    @property
    def places(self) -> dict[str, str]:
        return binding.shared(self.check, self.card)


def reasons(grounds: Grounds, grounding: Grounding, others: Sequence[Candidate]) -> Iterator[tuple[Sentence, Draft]]:
    """Yield a rule for each reason that a tool can state and a check can show, with the sentence that asks for it."""
    if not grounds:
        return
    merged: dict[tuple[str, str, str, tuple[str, ...]], list[_Reason]] = {}
    for reason in _all(grounding, grounds, others):
        value = "" if _only(reason, grounding, grounds, others) else reason.value
        key = (reason.check.name, value, reason.outcome, tuple(reason.places))
        if not value and key in merged and merged[key][0].card is reason.card:
            continue
        merged.setdefault(key, []).append(reason)
    for (_, value, outcome, names), found in merged.items():
        check = found[0].check
        sentence = _speaks_of(found[0].value, check, grounds)
        variables = binding.letters(names)
        atoms = []
        for reason in found:
            shared = [f"{reason.places[name]} = {variables[name]}" for name in names]
            atoms.append(binding.atom(reason.card.name, [*shared, *([f'{reason.place} = "{value}"'] if value else [])]))
        left = f"!{atoms[0]}" if len(atoms) == 1 else f"!({' | '.join(atoms)})"
        asked = [
            f'{name} = "{said}"'
            for name in check.arguments
            if name not in names and (said := conditions.asked(check, name, f"{value} {sentence.text}"))
        ]
        guards = [*(f"{name} = {variables[name]}" for name in names), *asked, outcome]
        head = f"forall {', '.join(variables.values())}. "
        yield sentence, Draft(f"{head}({left}) W {binding.atom(check.name, guards)}", RESTRICTION)


def _all(grounding: Grounding, grounds: Grounds, others: Sequence[Candidate]) -> Iterator[_Reason]:
    for card in grounding.cards.values():
        for place in card.arguments:
            if not set(stems(place)) & _REASON:
                continue
            for value in card.values(place):
                check = _check_of(value, card, grounding, grounds)
                if check is not None:
                    yield _Reason(card, place, value, check, _outcome(value, check, others))


def _only(reason: _Reason, grounding: Grounding, grounds: Grounds, others: Sequence[Candidate]) -> bool:
    """Whether every reason that a tool can state rests on the same answer of the same check."""
    checks = [_check_of(value, reason.card, grounding, grounds) for value in reason.card.values(reason.place)]
    return len(checks) > 1 and all(
        check is reason.check and _outcome(value, reason.check, others) == reason.outcome
        for check, value in zip(checks, reason.card.values(reason.place), strict=True)
    )


_REASON = stem_set("reason ground cause")


def _check_of(value: str, card: Card, grounding: Grounding, grounds: Grounds) -> Card | None:
    """Return the check that shows whether a reason is true, None where none does or several may."""
    found = []
    near = _speaks_of(value, None, grounds)
    context = (card.description.split("\n")[0], near.whole if stem_set(value) <= stem_set(near.whole) else "")
    for match in grounding.ground(value, Role.CHECK, context):
        check = grounding.cards[match.tool]
        places = binding.shared(check, card)
        if check.asks and places and check.name != card.name:
            found.append((match.score * (0.6 + 0.4 * len(places) / len(check.arguments)), check))
    found.sort(key=lambda pair: (-pair[0], pair[1].name))
    if not found or found[0][0] < LEAST or (len(found) > 1 and found[0][0] < LEAD * found[1][0]):
        return None
    return found[0][1]


def _outcome(value: str, check: Card, others: Sequence[Candidate]) -> str:
    """Return the guard on the answer that makes a reason true: as the reason says it, or not what allows the act."""
    flag = str(check.flag)
    said = conditions.says(flag, value)
    if said is None:
        allowed = [one.formula for one in others if one.kept and f" W {check.name}[" in one.formula]
        said = any(f"result.{flag} = false" in formula for formula in allowed)
    return f"result.{flag}" if said else f"result.{flag} = false"


def _speaks_of(value: str, check: Card | None, grounds: Grounds) -> Sentence:
    """Return the sentence that speaks of a reason most, the first of several."""
    wanted = stem_set(value) | (stem_set(check.name) if check else frozenset())
    scored = [
        (len(wanted & stem_set(f"{sentence.whole} {before} {sentence.section}")), -place)
        for place, (sentence, before) in enumerate(grounds)
    ]
    return grounds[-max(scored)[1]][0]
