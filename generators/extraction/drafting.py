"""Norm → formulas: its phrases grounded in tools, in the template that its kind asks for.

PRECEDE   forall p. (!(pay[payee_id = p] | save[payee_id = p])) W verify[payee_id = p, result.matched]
RESPOND   forall x. G(pay[result.payment_id = x] -> F log[subject = x, result.recorded])
LIMIT     forall c. absence(4, login[customer_id = c, result.ok = false])
FORBID    G !enable[result.kind = "debug"]
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lexgym.core import RESTRICTION
from lexgym.generators.extraction import binding, bounds, outcomes
from lexgym.generators.extraction import patterns as at
from lexgym.generators.extraction.formulas import (
    Act,
    Draft,
    common_argument,
    forall,
    grouped,
    guards_of,
    in_a_row,
    naming,
    of_the_kind,
    outside,
    responses,
    restriction,
    sharing_of,
)
from lexgym.generators.extraction.grounding import (
    CHECKING,
    CONTEXT,
    LOOKING,
    REFUSING,
    THRESHOLD,
    Grounding,
    Match,
    Role,
)
from lexgym.generators.extraction.norms import Kind, Norm
from lexgym.generators.extraction.phrases import pieces
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import listed, stems

_POINTS = listed("it this that them these those one ones such so thereof its their same either")

_BACK = re.compile(r"\b(?:it|its|them|their|one|these|those|such)\b", re.IGNORECASE)
"""Signs that an act is about what was named before it."""

_FOUND = re.compile(
    r"\b(?:finds?|found|turns? out|proves? to|shows?|fails?|failed|has not|is not|are not)\b", re.IGNORECASE
)
"""Signs that an act is a look at something, and that its outcome matters."""

_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|be)\b"
    r"|^\W*(?:you |they )?(?:check|verify|establish|ask|have|confirm|obtain|make)\b",
    re.IGNORECASE,
)
"""Signs that a phrase has a verb of its own."""

RELATIVE = 0.45
"""How well an act of a list has to fit, as a share of how well the best one does."""


class _UnboundedError(Exception):
    """The acts of a norm have a bound that no tool can show: without it the rule would forbid what is lawful."""


def _told(act: Act) -> bool:
    return any(guard.startswith("result.") for guard in act.guards)


def _bounded(acts: list[Act], norm: Norm) -> list[Act]:
    """Return acts with the bounds of their norm; one that stands in a clause of its own is about all of them."""
    for bound in bounds.bounds(f"{norm.acts} {norm.when}") if acts else ():
        shown = {act.card.name: bounds.guard(act.card, bound) for act in acts}
        if any(shown[act.card.name] in act.guards for act in acts):
            continue
        acts = [replace(act, guards=(*act.guards, guard)) for act in acts if (guard := shown[act.card.name])]
        if not acts:
            raise _UnboundedError(bound.text)
    return acts


class Drafting:
    """Makes formulas of norms, for one set of tools."""

    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding
        self.cards = grounding.cards

    def drafts(self, norm: Norm, above: str = "") -> list[Draft]:
        """Return the formulas of a norm, or one draft that says why there is none; `above` is the sentence before."""
        try:
            return list(self._drafts(norm, above))
        except _UnboundedError as error:
            return [Draft(why=f"no tool has the number that {str(error)!r} is about")]

    def _drafts(self, norm: Norm, above: str) -> Iterator[Draft]:
        match norm.kind:
            case Kind.PRECEDE:
                yield from self._precede(norm, above)
            case Kind.RESPOND:
                yield from self._respond(norm, above)
            case Kind.LIMIT:
                yield from self._limit(norm, above)
            case Kind.FORBID:
                yield from self._forbid(norm)
            case Kind.GROUND:
                return

    def _precede(self, norm: Norm, above: str) -> Iterator[Draft]:
        acts = self._acts(norm, above, Role.ACTION)
        if norm.either:
            yield self._one_of(norm, acts, above)
            return
        parts = self._several(norm, acts)
        if len(parts) > 1:
            for part in parts:
                yield from self._precede(part, above)
            return
        if parts and parts[0].either:
            yield self._one_of(parts[0], acts, above)
            return
        check = self._check(norm, acts, above)
        if check is None:
            yield self._ungrounded(norm.needs, Role.CHECK)
            return
        acts = [act for act in acts if act.card is not check]
        if not acts:
            yield self._ungrounded(norm.acts, Role.ACTION)
            return
        acts, remark = self._exempt(norm, acts)
        groups = grouped(check, acts, binding.pointed(check, norm.needs))
        if not groups:
            named = ", ".join(act.card.name for act in acts)
            yield Draft(why=f"{check.name} was understood as the check for {named}, but shares no value with it")
        for names, group in groups.items():
            loose = [f"{bound.text!r} is not in the rule" for bound in bounds.bounds(norm.needs)]
            told = "; ".join(filter(None, (remark, outcomes.unsure(check, norm.needs), *loose)))
            yield Draft(restriction(names, group, [(check, norm.needs)], norm), RESTRICTION, remark=told)

    def _several(self, norm: Norm, acts: list[Act]) -> list[Norm]:
        """Return a norm that asks for several checks, joined by `and` or `or`, as one for each, or as one of them."""
        halves = re.split(r",?\s+\b(and|or)\b\s+", norm.needs, maxsplit=1)
        if len(halves) != 3:
            return []
        needs = [replace(norm, needs=half) for half in halves[::2]]
        if not all(_CLAUSE.search(half) for half in halves[::2]):
            return []
        checks = [self._check(part, acts, "") for part in needs]
        best = [next(iter(self.grounding.ground(half, Role.CHECK)), None) for half in halves[::2]]
        if any(m is None or c is None or m.tool != c.name for m, c in zip(best, checks, strict=True)):
            return []
        if None in checks or checks[0] is checks[1] or not all(check.asks for check in checks if check):
            return []
        return needs if halves[1] == "and" else [replace(needs[0], either=(halves[2],))]

    def _one_of(self, norm: Norm, acts: list[Act], above: str) -> Draft:
        """Return the formula of a norm that is content with one of several checks."""
        checks: list[tuple[Card, str]] = []
        for needs in (norm.needs, *norm.either):
            check = self._check(replace(norm, needs=needs, either=()), acts, above)
            if check is None:
                return self._ungrounded(needs, Role.CHECK)
            checks.append((check, needs))
        acts = [act for act in acts if all(act.card is not check for check, _ in checks)]
        acts, remark = self._exempt(norm, acts)
        if not acts:
            return self._ungrounded(norm.acts, Role.ACTION)
        places = [set(binding.shared(check, act.card)) for check, _ in checks for act in acts]
        names = tuple(name for name in checks[0][0].arguments if all(name in some for some in places))
        if not names and any(check.arguments for check, _ in checks):
            named = " and ".join(dict.fromkeys(check.name for check, _ in checks))
            return Draft(why=f"{named} were understood as checks for {acts[0].card.name}, but share no value with it")
        group = [(act, {name: binding.shared(checks[0][0], act.card)[name] for name in names}) for act in acts]
        unsure = [outcomes.unsure(check, needs) for check, needs in checks]
        told = "; ".join(filter(None, (remark, *unsure)))
        return Draft(restriction(names, group, checks, norm), RESTRICTION, remark=told)

    def _exempt(self, norm: Norm, acts: list[Act]) -> tuple[list[Act], str]:
        """Return the acts without those that an exemption names, and a remark where it cannot be followed."""
        if not norm.unless:
            return acts, ""
        tools = {match.tool for match in self._matches(norm.unless, Role.ACTION, (), CONTEXT)}
        said = frozenset(stems(norm.unless)[:1])
        rest = [a for a in acts if a.card.name not in tools and not self.grounding.verbs_of(a.card.name) & said]
        if rest and len(rest) < len(acts):
            return rest, ""
        followed = tools - {act.card.name for act in acts} or any(outside(act.card, norm.unless) for act in acts)
        return acts, "" if followed else f"no tool shows the exemption {norm.unless[:120]!r}"

    def _check(self, norm: Norm, acts: Sequence[Act], above: str) -> Card | None:
        """Return the tool that a phrase of checking means; one that shares its values with the acts comes first."""
        empty = set(stems(norm.needs)) <= {CHECKING}
        phrase = above if empty else norm.needs
        near = [norm.sentence.label, norm.acts, *self._before(norm, above)]
        found = self.grounding.ground(phrase, Role.CHECK, near, 0.15)
        as_act = {act.card.name: act.score for act in acts}
        ranked = [
            (
                match.score * sharing_of(self.cards[match.tool], acts) * naming(self.cards[match.tool], phrase),
                match.tool,
            )
            for match in found
            if match.score > as_act.get(match.tool, 0.0) and (empty or not self._weak(phrase, match.tool))
        ]
        if stems(norm.needs)[:1] == [CHECKING]:
            ranked = [(score if self.cards[tool].flag else 0.5 * score, tool) for score, tool in ranked]
        score, tool = max(ranked, default=(0.0, ""))
        return self.cards[tool] if score >= 0.8 * THRESHOLD else None

    def _respond(self, norm: Norm, above: str) -> Iterator[Draft]:
        if _POINTS.intersection(norm.acts.lower().split()[:1]) and self._points(norm.needs):
            yield Draft(why=f"what {' '.join(norm.acts.split())[:60]!r} refers to is not said in the sentence")
            return
        finding = _FOUND.search(norm.acts) is not None
        acts = self._acts(norm, above, Role.FINDING if finding else Role.ACTION)
        if not acts:
            yield self._ungrounded(norm.acts, Role.ACTION)
            return
        near = [norm.sentence.label, norm.acts, *self._before(norm, above)]
        ranked = [
            replace(m, score=m.score * naming(self.cards[m.tool], norm.needs))
            for m in self.grounding.ground(norm.needs, Role.RESPONSE, near, 0.4)
        ]
        ranked.sort(key=lambda m: (-m.score, m.tool))
        if len(acts) > 1 and ranked:
            acts = [act for act in acts if act.card.name != ranked[0].tool]
        refused = {act.card.name for act in acts if REFUSING in self.grounding.verbs_of(act.card.name)}
        if refused and ranked and REFUSING in self.grounding.verbs_of(ranked[0].tool):
            yield self._ungrounded(norm.needs, Role.RESPONSE)
            return
        triggers = {act.card.name for act in acts}
        found = [m for m in ranked if m.tool not in triggers and not self._weak(norm.needs, m.tool)]
        if not found or found[0].score < max(THRESHOLD, ranked[0].score / 1.3):
            yield self._ungrounded(norm.needs, Role.RESPONSE)
            return
        if finding and any(outcomes.unsure(act.card, norm.acts) and not _told(act) for act in acts):
            yield Draft(why=f"which answer {norm.acts.strip()[:80]!r} means is not said")
            return
        if finding:
            acts = [replace(act, guards=binding.finding(act.card, norm.acts, act.guards)) for act in acts]
        yield from responses(self.cards[found[0].tool], acts, norm)

    def _limit(self, norm: Norm, above: str) -> Iterator[Draft]:
        failed = norm.needs.startswith("failed")
        cards = [act.card for act in self._acts(norm, "", Role.CHECK if failed else Role.ACTION)]
        if failed:
            also = self._acts(replace(norm, acts=above), "", Role.CHECK, bounded=False)
            every = dict.fromkeys([*cards, *(act.card for act in also)])
            cards = [card for card in every if outcomes.meaning(card) and binding.about(card) is None]
        if not cards:
            yield self._ungrounded(norm.acts, Role.CHECK if failed else Role.ACTION)
            return
        person = common_argument(cards)
        if failed and at.OF_ANY_KIND.search(norm.sentence.text):
            cards = [*cards, *of_the_kind(cards[0], person, self.cards)]
        cards = [card for card in cards if set(person) <= set(card.arguments)]
        variables = binding.letters(person)
        atoms = []
        for card in cards:
            guards = [f"{name} = {variables[name]}" for name in person]
            guards += [f"result.{card.flag} = false"] if failed else bounds.amounts(card, norm.acts)
            atoms.append(binding.atom(card.name, guards))
        head = forall(variables.values())
        if norm.needs == "failed in a row":
            bound = [[f"{name} = {variables[name]}" for name in person] for _ in cards]
            yield Draft(head + in_a_row(cards, bound, norm.count), "other")
        else:
            yield Draft(f"{head}absence({norm.count + 1}, {' | '.join(atoms)})", "other")

    def _forbid(self, norm: Norm) -> Iterator[Draft]:
        acts = self._acts(norm, "", Role.ACTION)[:1]
        if not acts:
            yield self._ungrounded(norm.acts, Role.ACTION)
        for act in acts:
            if act.guards:
                yield Draft(f"G !{binding.atom(act.card.name, act.guards)}", "other")
            else:
                yield Draft(f"G !{act.card.name}", "other", f"it would forbid every call of {act.card.name}")

    def _acts(self, norm: Norm, above: str, role: Role, *, bounded: bool = True) -> list[Act]:
        """Return the tools that the acts of a norm mean, with the guards that its words ask for."""
        near = (norm.sentence.section, norm.sentence.label, *((above,) if self._points(norm.acts) else ()))
        found: dict[str, Act] = {}
        last = ""
        for piece in pieces(norm.acts, self.grounding.verbs):
            back = _BACK.search(piece) is not None
            said = f"{piece} {norm.when} {(last or above) if back else ''}"
            context, weight = ((last,), 0.6) if back and last else (near, CONTEXT)
            for match in self._matches(piece, role, context, weight):
                known = found.get(match.tool)
                if known is None or match.score > known.score:
                    card = self.cards[match.tool]
                    found[match.tool] = Act(card, guards_of(card, said, norm.unless), match.score)
            last = piece
        if role is Role.ACTION and not LOOKING.intersection(stems(norm.acts)):
            found = {name: act for name, act in found.items() if not (act.card.asks and binding.looks(act.card))}
        best = max((act.score for act in found.values()), default=0.0)
        acts = [act for act in found.values() if act.score >= RELATIVE * best]
        return _bounded(acts, norm) if bounded else acts

    def _matches(self, phrase: str, role: Role, near: Iterable[str], weight: float) -> list[Match]:
        if not self.grounding.known(phrase) and not _BACK.search(phrase):
            return []
        found = self.grounding.ground(phrase, role, near, weight)
        if not found or found[0].score < THRESHOLD or self._weak(phrase, found[0].tool):
            return []
        more = self.grounding.alike(phrase, found[0].tool)
        tied = [m for m in found if m.score >= max(THRESHOLD, 0.97 * found[0].score)]
        if len(tied) > 2 and not more and len(set(self.grounding.known(phrase))) < 2:
            return []
        return [m for m in found if m in tied or m.tool in more]

    def _before(self, norm: Norm, above: str) -> list[str]:
        """Return the sentence before, where the needs of a norm point to it and its own acts name nothing."""
        own = self.grounding.known(norm.acts)
        return [above] if self._points(norm.needs) and (len(own) < 2 or self._points(norm.acts)) else []

    def _weak(self, phrase: str, tool: str) -> bool:
        return _BACK.search(phrase) is None and self.grounding.weak(bounds.without(phrase), tool)

    def _points(self, phrase: str) -> bool:
        """Whether a phrase refers back, so that the sentence before it says what is meant."""
        known = self.grounding.known(phrase)
        words = phrase.lower().replace(",", " ").split()[:4]
        return len(known) < 2 or (len(known) < 3 and bool(_POINTS.intersection(words)))

    def _ungrounded(self, phrase: str, role: Role) -> Draft:
        found = self.grounding.ground(phrase, role)
        closest = f"; the closest is {found[0].tool}, {found[0].score:.2f} of {THRESHOLD}" if found else ""
        short = " ".join(phrase.split())
        return Draft(why=f"no tool does what {short[:80]!r} says{closest}")
