"""Reasons that have to be true: a step that states a reason comes after the check that the reason rests on.

    "The reason is stated only after that has been established."
    with   refuse(reason: "item in stock" | …)   and   check_stock → in_stock
    gives  (!refuse[request_id = r, reason = "item in stock"]) W check_stock[request_id = r, result.in_stock]

The sentence says that reasons need their checks; which reasons there are, the tools' schemas say.
"""

from collections.abc import Iterator, Sequence

from lexgym.core import RESTRICTION
from lexgym.generators.extraction import binding, conditions
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.document import Sentence
from lexgym.generators.extraction.drafting import Draft
from lexgym.generators.extraction.grounding import Grounding, Role
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import stems

LEAST = 0.2
"""Least score of a reason's check: reasons are short, and the values shared with it speak for it too."""

LEAD = 1.15
"""How much better than the next check it must be."""


def reasons(
    grounds: Sequence[tuple[Sentence, str]], grounding: Grounding, others: Sequence[Candidate]
) -> Iterator[tuple[Sentence, Draft]]:
    """Yield a rule for each reason that a tool can state and a check can show, with the sentence that asks for it."""
    if not grounds:
        return
    merged: dict[tuple[str, str, tuple[str, ...]], list[tuple[Card, str, dict[str, str]]]] = {}
    for card in grounding.cards.values():
        for place in card.arguments:
            if not set(stems(place)) & {"reason", "ground", "caus"}:
                continue
            for value in card.values(place):
                check = _check_of(value, card, grounding)
                if check is not None:
                    places = binding.shared(check, card)
                    merged.setdefault((check.name, value, tuple(places)), []).append((card, place, places))
    for (name, value, names), acts in merged.items():
        check = grounding.cards[name]
        sentence = _speaks_of(value, check, grounds)
        variables = binding.letters(names)
        atoms = [
            binding.atom(card.name, [*(f"{places[n]} = {variables[n]}" for n in names), f'{place} = "{value}"'])
            for card, place, places in acts
        ]
        left = f"!{atoms[0]}" if len(atoms) == 1 else f"!({' | '.join(atoms)})"
        guards = [*(f"{n} = {variables[n]}" for n in names), _outcome(value, check, others)]
        guards[len(names) : len(names)] = [
            f'{n} = "{v}"'
            for n in check.arguments
            if n not in names and (v := conditions.asked(check, n, f"{value} {sentence.text}"))
        ]
        yield (
            sentence,
            Draft(f"forall {', '.join(variables.values())}. ({left}) W {name}[{', '.join(guards)}]", RESTRICTION),
        )


def _check_of(value: str, card: Card, grounding: Grounding) -> Card | None:
    """Return the check that shows whether a reason is true, None where none does or several may."""
    found = []
    for match in grounding.ground(value, Role.CHECK, (card.description.split("\n")[0],)):
        check = grounding.cards[match.tool]
        if check.flag and binding.shared(check, card) and check.name != card.name:
            found.append(match)
    if not found or found[0].score < LEAST or (len(found) > 1 and found[0].score < LEAD * found[1].score):
        return None
    return grounding.cards[found[0].tool]


def _outcome(value: str, check: Card, others: Sequence[Candidate]) -> str:
    """Return the guard on the answer that makes a reason true: as the reason says it, or not what allows the act."""
    flag = str(check.flag)
    said = conditions.says(flag, value)
    if said is None:
        allowed = [one.formula for one in others if one.kept and f" W {check.name}[" in one.formula]
        said = any(f"result.{flag} = false" in formula for formula in allowed)
    return f"result.{flag}" if said else f"result.{flag} = false"


def _speaks_of(value: str, check: Card, grounds: Sequence[tuple[Sentence, str]]) -> Sentence:
    """Return the sentence that speaks of a reason most, the last general one where none does."""
    wanted = set(stems(value)) | set(stems(check.name))
    scored = [
        (len(wanted & set(stems(f"{s.whole} {before} {s.section}"))), -place)
        for place, (s, before) in enumerate(grounds)
    ]
    return grounds[-max(scored)[1]][0]
