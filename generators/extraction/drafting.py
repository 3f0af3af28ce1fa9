"""Norm → formulas: its phrases grounded in tools, in the template that its kind asks for.

PRECEDE   forall p. (!(pay[payee_id = p] | save[payee_id = p])) W verify[payee_id = p, result.matched]
RESPOND   forall x. G(pay[result.payment_id = x] -> F log[subject = x, result.recorded])
LIMIT     forall c. absence(4, login[customer_id = c, result.ok = false])
FORBID    G !enable[result.kind = "debug"]
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lexgym.core import ADHERENCE, RESTRICTION
from lexgym.generators.extraction import binding, conditions
from lexgym.generators.extraction.grounding import THRESHOLD, Grounding, Match, Role
from lexgym.generators.extraction.norms import Kind, Norm
from lexgym.generators.extraction.phrases import pieces
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import stems

_LOOKS = frozenset(
    stem
    for word in ["measure", "examine", "look", "test", "analyse", "assess", "compare", "watch"]
    for stem in stems(word)
)
"""Steps of which only that they are taken is asked, not with which outcome."""

_POINTS = frozenset("it this that them these those one ones such so thereof its their same either".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Draft:
    """A formula, or why none could be made."""

    formula: str = ""
    template: str = "other"
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Act:
    """A tool that a phrase means, with what the phrase says of the call."""

    card: Card
    guards: tuple[str, ...]


class Drafting:
    """Makes formulas of norms, for one set of tools."""

    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding
        self.cards = grounding.cards

    def drafts(self, norm: Norm, above: str = "") -> list[Draft]:
        """Return the formulas of a norm, or one draft that says why there is none; `above` is the sentence before."""
        match norm.kind:
            case Kind.PRECEDE:
                return list(self._precede(norm, above))
            case Kind.RESPOND:
                return list(self._respond(norm, above))
            case Kind.LIMIT:
                return list(self._limit(norm))
            case Kind.FORBID:
                return list(self._forbid(norm))
            case Kind.GROUND:
                return []

    def _precede(self, norm: Norm, above: str) -> Iterator[Draft]:
        check = self._meant(norm.needs, Role.CHECK, norm, above)
        if check is None:
            yield self._ungrounded(norm.needs, Role.CHECK)
            return
        card = self.cards[check.tool]
        acts = self._acts(norm, above, frozenset((card.name,)))
        if not acts:
            yield self._ungrounded(norm.acts, Role.ACTION)
            return
        wanted = _verdict(card, norm.needs)
        for names, group in self._grouped(card, acts):
            yield Draft(_restriction(names, group, card, wanted, norm.sentence.whole, norm.needs), RESTRICTION)

    def _respond(self, norm: Norm, above: str) -> Iterator[Draft]:
        response = self._meant(norm.needs, Role.RESPONSE, norm, above)
        if response is None:
            yield self._ungrounded(norm.needs, Role.RESPONSE)
            return
        card = self.cards[response.tool]
        acts = self._acts(norm, above, frozenset((card.name,)), Role.RESPONSE)
        if not acts:
            yield self._ungrounded(norm.acts, Role.RESPONSE)
            return
        yield from _responses(card, acts, norm)

    def _limit(self, norm: Norm) -> Iterator[Draft]:
        failed = norm.needs == "failed"
        found = self._matches(norm.acts, Role.CHECK if failed else Role.ACTION, (norm.sentence.section,))
        cards = [self.cards[match.tool] for match in found]
        cards = [card for card in cards if card.flag] if failed else cards
        if not cards:
            yield self._ungrounded(norm.acts, Role.CHECK)
            return
        person = _common_argument(cards)
        variables = binding.letters(person)
        atoms = []
        for card in cards:
            guards = [f"{name} = {variables[name]}" for name in person]
            guards += [f"result.{card.flag} = false"] if failed else conditions.amounts(card, norm.acts)
            atoms.append(binding.atom(card.name, guards))
        head = f"forall {', '.join(variables.values())}. " if variables else ""
        yield Draft(f"{head}absence({norm.count + 1}, {' | '.join(atoms)})", "other")

    def _forbid(self, norm: Norm) -> Iterator[Draft]:
        acts = self._acts(norm, "", frozenset())[:1]
        if not acts:
            yield self._ungrounded(norm.acts, Role.ACTION)
        for act in acts:
            if act.guards:
                yield Draft(f"G !{binding.atom(act.card.name, act.guards)}", "other")
            else:
                yield Draft(f"G !{act.card.name}", "other", f"it would forbid every call of {act.card.name}")

    def _meant(self, phrase: str, role: Role, norm: Norm, above: str) -> Match | None:
        near = (norm.sentence.label,) + ((above,) if _points(phrase, self.grounding) else ())
        return self.grounding.best(phrase, role, near)

    def _acts(self, norm: Norm, above: str, but: frozenset[str], role: Role = Role.ACTION) -> list[_Act]:
        """Return the tools that the acts of a norm mean, with the guards that its words ask for."""
        near = (norm.sentence.section, *((above,) if _points(norm.acts, self.grounding) else ()))
        found: dict[str, _Act] = {}
        for piece in pieces(norm.acts, self.grounding.verbs):
            for match in self._matches(piece, role, near):
                card = self.cards[match.tool]
                if card.name not in but and card.name not in found:
                    found[card.name] = _Act(card, _guards(card, f"{piece} {norm.when}", norm, role))
        return list(found.values())

    def _matches(self, phrase: str, role: Role, near: Iterable[str]) -> list[Match]:
        found = self.grounding.ground(phrase, role, near)
        return [match for match in found if match.score >= max(THRESHOLD, 0.97 * found[0].score)]

    def _grouped(
        self, check: Card, acts: Sequence[_Act]
    ) -> Iterator[tuple[tuple[str, ...], list[tuple[_Act, dict[str, str]]]]]:
        """Yield the acts that share the same arguments with a check, together."""
        groups: dict[tuple[str, ...], list[tuple[_Act, dict[str, str]]]] = {}
        for act in acts:
            places = binding.shared(check, act.card)
            groups.setdefault(tuple(places), []).append((act, places))
        yield from groups.items()

    def _ungrounded(self, phrase: str, role: Role) -> Draft:
        found = self.grounding.ground(phrase, role)
        closest = f"; the closest is {found[0].tool}, {found[0].score:.2f} of {THRESHOLD}" if found else ""
        short = " ".join(phrase.split())
        return Draft(why=f"no tool does what {short[:80]!r} says{closest}")


def _points(phrase: str, grounding: Grounding) -> bool:
    """Whether a phrase refers back, so that the sentence before it says what is meant."""
    known = [stem for stem in stems(phrase) if grounding.known(stem)]
    return len(known) < 2 or bool(_POINTS & set(phrase.lower().replace(",", " ").split()[:4]) and len(known) < 3)


def _guards(card: Card, phrase: str, norm: Norm, role: Role) -> tuple[str, ...]:
    guards = [
        *conditions.amounts(card, phrase),
        *conditions.named_values(card, phrase),
        *conditions.named_flags(card, phrase),
    ]
    if norm.unless:
        guards += [f"!({guard})" for guard in conditions.named_values(card, norm.unless)]
        guards += [_denied(guard) for guard in conditions.named_flags(card, norm.unless)]
    return tuple(guards)


def _denied(guard: str) -> str:
    return guard.removesuffix(" = false") if guard.endswith(" = false") else f"{guard} = false"


def _verdict(card: Card, phrase: str) -> str | None:
    """Return the guard on the answer that a check has to give, None for a tool that answers nothing."""
    if card.flag is None:
        return None
    return f"result.{card.flag} = false" if conditions.says(card.flag, phrase) is False else f"result.{card.flag}"


def _restriction(
    names: tuple[str, ...],
    acts: Sequence[tuple[_Act, dict[str, str]]],
    check: Card,
    wanted: str | None,
    text: str,
    needs: str,
) -> str:
    variables = binding.letters(names)
    atoms = [
        binding.atom(act.card.name, [*(f"{places[n]} = {variables[n]}" for n in names), *act.guards])
        for act, places in acts
    ]
    guards = [f"{name} = {variables[name]}" for name in names]
    guards += [
        f'{name} = "{value}"'
        for name in check.arguments
        if name not in names and (value := conditions.asked(check, name, needs) or conditions.asked(check, name, text))
    ]
    left = f"!{atoms[0]}" if len(atoms) == 1 else f"!({' | '.join(atoms)})"
    head = f"forall {', '.join(variables.values())}. " if variables else ""
    return f"{head}({left}) W {binding.atom(check.name, [*guards, *([wanted] if wanted else [])])}"


def _responses(card: Card, acts: Sequence[_Act], norm: Norm) -> Iterator[Draft]:
    """Yield what has to follow the acts, those that share the same values with it in one formula."""
    groups: dict[tuple[str, ...], list[tuple[_Act, dict[str, str]]]] = {}
    subject = binding.about(card)
    for act in acts:
        places = binding.shared(card, act.card)
        if subject is not None and subject not in places:
            place = binding.made(act.card) or _own(act.card, norm.sentence.whole, card)
            places |= {subject: place} if place else {}
        groups.setdefault(tuple(places), []).append((act, places))
    flag = card.flag if card.flag and not (set(stems(norm.needs)[:2]) & _LOOKS) else None
    for names, group in groups.items():
        variables = binding.letters(names)
        triggers = [
            binding.atom(act.card.name, [*(f"{places[n]} = {variables[n]}" for n in names), *act.guards])
            for act, places in group
        ]
        guards = [f"{name} = {variables[name]}" for name in names]
        guards += [
            f'{name} = "{value}"'
            for name in card.arguments
            if name not in names and (value := conditions.asked(card, name, norm.needs))
        ]
        guards += [f"result.{flag}"] if flag else []
        left = triggers[0] if len(triggers) == 1 else f"({' | '.join(triggers)})"
        head = f"forall {', '.join(variables.values())}. " if variables else ""
        yield Draft(f"{head}G({left} -> F {binding.atom(card.name, guards)})", ADHERENCE)


def _own(act: Card, text: str, response: Card) -> str | None:
    """Return the id of the thing that an act is about: its argument of that kind which the response lacks."""
    ids = [name for name in act.arguments if name.endswith("_id") and name not in response.arguments]
    said = set(stems(text))
    return max(ids, key=lambda name: (bool(set(stems(name)) & said), -ids.index(name)), default=None)


def _common_argument(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return the first argument that all of some tools need."""
    names = [name for name in cards[0].arguments if all(name in card.required for card in cards)]
    return tuple(names[:1])
