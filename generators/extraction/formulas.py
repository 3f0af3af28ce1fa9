"""Acts and checks → the text of a formula, in the template that a norm asks for.

restriction(("payee_id",), acts, [(verify_payee, "the name matches")], norm)
    →  "forall p. (!pay[payee_id = p]) W verify_payee[payee_id = p, result.matched]"
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lexgym.core import ADHERENCE
from lexgym.generators.extraction import binding, bounds, conditions, outcomes
from lexgym.generators.extraction.norms import Norm
from lexgym.generators.extraction.toolset import Card, Cards


@dataclass(frozen=True, slots=True)
class Draft:
    """A formula, or why none could be made; `remark` says what of the text is not in the formula."""

    formula: str = ""
    template: str = "other"
    why: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """A tool that a phrase means, with what the phrase says of the call."""

    card: Card
    guards: tuple[str, ...]
    score: float


Group = list[tuple[Act, dict[str, str]]]
"""Acts, each with the place of every value that it shares."""


def grouped(check: Card, acts: Sequence[Act], wanted: Sequence[str]) -> dict[tuple[str, ...], Group]:
    """Return the acts by the values that they share with a check, of which only some may be wanted.

    An act that shares none is left out where the check is about something.
    """
    groups: dict[tuple[str, ...], Group] = {}
    for act in acts:
        places = binding.shared(check, act.card)
        chosen = {name: place for name, place in places.items() if name in wanted} or places
        if chosen or (check.flag and not check.arguments):
            groups.setdefault(tuple(chosen), []).append((act, chosen))
    return groups


def sharing_of(check: Card, acts: Sequence[Act]) -> float:
    """Return a factor that is larger the more of a check's values the acts have."""
    if not check.arguments or not acts:
        return 1.0
    shares = [len(binding.shared(check, act.card)) / len(check.arguments) for act in acts if act.card is not check]
    return (0.6 + 0.4 * (sum(shares) / len(shares))) * (1 + 0.08 * (len(check.arguments) - 1)) if shares else 0.6


def naming(check: Card, phrase: str) -> float:
    """Return a larger factor where a phrase names a listed value of an argument in full."""
    return 1.25 if any(conditions.asked(check, name, phrase, 1.0) for name in check.arguments) else 1.0


def guards_of(card: Card, phrase: str, unless: str) -> tuple[str, ...]:
    """Return the guards that a phrase asks of a call, and those that keep it out of an exemption."""
    guards = [
        *bounds.amounts(card, phrase),
        *conditions.named_values(card, phrase),
        *conditions.named_flags(card, phrase),
    ]
    guards += outside(card, unless)
    return tuple(dict.fromkeys(guards))


def outside(card: Card, unless: str) -> list[str]:
    """Return the guards that keep a call out of an exemption."""
    if not unless:
        return []
    return [
        *(_opposite(guard) for guard in bounds.amounts(card, unless)),
        *(f"!({guard})" for guard in conditions.named_values(card, unless)),
        *(_denied(guard) for guard in conditions.named_flags(card, unless)),
    ]


def _opposite(guard: str) -> str:
    """Return what holds of a number of which a comparison does not."""
    place, operator, value = guard.split()
    return f"{place} {_OPPOSITES[operator]} {value}"


_OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _denied(guard: str) -> str:
    return guard.removesuffix(" = false") if guard.endswith(" = false") else f"{guard} = false"


def restriction(names: tuple[str, ...], acts: Group, checks: Sequence[tuple[Card, str]], norm: Norm) -> str:
    """Return that acts need one of some checks before them, each with the phrase that asks for it."""
    variables = binding.letters(names)
    left = _any_of([_bound(act, places, variables) for act, places in acts])
    right = []
    for check, needs in checks:
        wanted = binding.verdict(check, needs)
        asked = [*_asked(check, names, needs, norm.sentence.whole), *([wanted] if wanted else [])]
        right.append(binding.atom(check.name, [*(f"{name} = {variables[name]}" for name in names), *asked]))
    return f"{forall(variables.values())}(!{left}) W {_any_of(right)}"


def _any_of(atoms: Sequence[str]) -> str:
    return atoms[0] if len(atoms) == 1 else f"({' | '.join(atoms)})"


def responses(card: Card, acts: Sequence[Act], norm: Norm) -> Iterator[Draft]:
    """Yield what has to follow the acts, those that share the same values with it in one formula."""
    groups: dict[tuple[str, ...], Group] = {}
    subject = binding.about(card)
    whole = norm.sentence.whole
    said = (norm.needs, whole, f"{whole} {norm.sentence.label} {norm.sentence.section}")
    for act in acts:
        places = binding.shared(card, act.card)
        if subject is not None and subject not in places:
            place = binding.topic(act.card, card, norm.sentence.whole)
            places |= {subject: place} if place else {}
        if places or not card.arguments:
            groups.setdefault(tuple(places), []).append((act, places))
    flag = card.flag if card.flag and not binding.looks(card) and outcomes.meaning(card) else None
    remark = "" if binding.looks(card) else outcomes.unsure(card, "")
    if not groups:
        yield Draft(why=f"{card.name} was understood as what follows {acts[0].card.name}, but shares no value with it")
    for names, group in groups.items():
        variables = binding.letters(names)
        triggers = [_bound(act, places, variables) for act, places in group]
        guards = [f"{name} = {variables[name]}" for name in names]
        guards += [*_asked(card, names, *said), *([f"result.{flag}"] if flag else [])]
        left = triggers[0] if len(triggers) == 1 else f"({' | '.join(triggers)})"
        yield Draft(
            f"{forall(variables.values())}G({left} -> F {binding.atom(card.name, guards)})", ADHERENCE, remark=remark
        )


def _bound(act: Act, places: dict[str, str], variables: "binding.Variables") -> str:
    return binding.atom(
        act.card.name, [*(f"{place} = {variables[name]}" for name, place in places.items()), *act.guards]
    )


def _asked(card: Card, names: Sequence[str], *texts: str) -> Iterator[str]:
    """Yield the guards on listed values that are named, in the first text that names one."""
    for name in card.arguments:
        if name not in names:
            found = (conditions.asked(card, name, text) for text in texts)
            value = next((one for one in found if one), None)
            if value:
                yield f'{name} = "{value}"'


def forall(variables: Iterable[str]) -> str:
    """Return the head of a formula, empty where it has no variables."""
    names = ", ".join(variables)
    return f"forall {names}. " if names else ""


def in_a_row(cards: Sequence[Card], bound: Sequence[list[str]], count: int) -> str:
    """Return that after so many failures without a success between them no further attempt is made."""
    tried = _any_of([binding.atom(card.name, own) for card, own in zip(cards, bound, strict=True)])
    done, failed = (
        _any_of([binding.atom(c.name, [*own, f"result.{c.flag}{end}"]) for c, own in zip(cards, bound, strict=True)])
        for end in ("", " = false")
    )
    row = f"((!{done}) S {failed})"
    for _ in range(count - 1):
        row = f"((!{done}) S ({failed} & Y{row}))"
    return f"G({tried} -> !Y{row})"


def of_the_kind(card: Card, person: Sequence[str], cards: Cards) -> list[Card]:
    """Return the other tools that ask the same person and can have the same outcomes."""
    outcomes = {card.values(f"result.{name}") for name in card.fields} - {()}
    return [
        other
        for other in cards.values()
        if other is not card
        and other.asks
        and set(person) <= set(other.arguments)
        and any(set(other.values(f"result.{name}")) & set(some) for name in other.fields for some in outcomes)
    ]


def common_argument(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the first argument of the first tool that is needed and that most of the tools have."""
    names = [n for n in cards[0].arguments if 2 * sum(n in card.required for card in cards) > len(cards)]
    return tuple(names[:1])
