"""One sentence → the norms in it: what is done, what has to come before or after it, how often it may be.

"Before you pay, establish the payee."      Norm(Kind.PRECEDE, acts="you pay", needs="establish the payee")
"After each payment, enter it in the log."  Norm(Kind.RESPOND, acts="each payment", needs="enter it in the log")
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from lexgym.generators.extraction import patterns as at
from lexgym.generators.extraction import phrases as p
from lexgym.generators.extraction.bounds import measured
from lexgym.generators.extraction.document import Sentence
from lexgym.generators.extraction.tables import Column, Duty


class Kind(StrEnum):
    """What a norm demands."""

    PRECEDE = "comes before"
    RESPOND = "comes after"
    LIMIT = "at most so often"
    FORBID = "never"
    GROUND = "a reason needs its check"


@dataclass(frozen=True, slots=True)
class Norm:
    """What one clause demands.

    `acts` is the regulated act, or the trigger; `needs` what comes before it, or after it; `count` how
    often something is allowed; `when` and `unless` say of which acts; `near` is the text around, for pronouns;
    `either` are further needs of which one is enough.
    """

    kind: Kind
    sentence: Sentence
    acts: str = ""
    needs: str = ""
    count: int = 0
    unless: str = ""
    when: str = ""
    near: tuple[str, ...] = ()
    either: tuple[str, ...] = ()


def norms(sentence: Sentence, verbs: frozenset[str], before: "list[Norm] | None" = None) -> list[Norm]:
    """Return the norms of a sentence; `before` are those of the text above it, for references back."""
    found: list[Norm] = []
    if sentence.duty is not None:
        return _of_table(sentence, sentence.duty)
    for clause in _clauses(sentence):
        unless = ""
        if excepted := at.EXCEPT.search(clause):
            unless, clause = excepted[1], f"{clause[: excepted.start()]}{clause[excepted.end() :]}"
        known = [*(before or []), *found]
        found += [
            _conditional(replace(norm, unless=unless, near=(sentence.section, sentence.label, *norm.near)))
            for norm in _norms(sentence, clause.strip(), verbs, known)
        ]
    return found


def _of_table(sentence: Sentence, duty: Duty) -> list[Norm]:
    """Return the norm that a cell of a table states."""
    match duty.column:
        case Column.BEFORE:
            return [Norm(Kind.PRECEDE, sentence, acts=duty.act, needs=duty.cell)]
        case Column.AFTER:
            case = re.match(r"(?:for|in|where|if)\b\s*(.*?),?\s+(?=an?\b|the\b)", duty.cell, re.IGNORECASE)
            when, needs = (case[1], duty.cell[case.end() :]) if case else ("", duty.cell)
            return [Norm(Kind.RESPOND, sentence, acts=duty.act, needs=needs, when=when)]
        case Column.LIMIT if found := re.search(rf"\b(?:{p.NUMBER}|once|twice)\b", duty.cell, re.IGNORECASE):
            return [Norm(Kind.LIMIT, sentence, acts=duty.act, count=p.number(found[0]))]
        case _:
            return []


def _clauses(sentence: Sentence) -> list[str]:
    """Return the clauses of a sentence; the first has the end of the lead-in before it."""
    lead = at.CLAUSES.split(sentence.lead)[-1]
    first, *others = at.CLAUSES.split(sentence.text)
    return [f"{lead}: {first}" if lead else first, *others]


def _conditional(norm: Norm) -> Norm:
    """Move a condition at the head of what is needed to the acts that it is about."""
    found = re.match(r"\s*(?:also )?(?:if|where|when)\b([^,]*),\s*(.*)", norm.needs, re.IGNORECASE | re.DOTALL)
    return replace(norm, when=found[1].strip(), needs=found[2]) if found else norm


def _norms(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    if at.LOOSE.search(text):
        return
    if at.REASON.search(text) and at.CHECKED.search(text):
        yield Norm(Kind.GROUND, sentence, acts=text)
        return
    limits = list(_limits(sentence, text))
    if limits:
        yield from limits
        return
    for find in (_only, _before, _until, _provided, _after, _recorded, _needs, _forbidden):
        found = list(find(sentence, text, verbs, before))
        if found:
            yield from found
            return


def _limits(sentence: Sentence, text: str) -> Iterator[Norm]:
    failed = at.FAILED.search(text)
    if failed and p.negated(text[failed.end() :]):
        how = "failed in a row" if at.IN_A_ROW.search(text) else "failed"
        yield Norm(Kind.LIMIT, sentence, acts=text, needs=how, count=p.number(failed[1]))
    elif found := at.TIMES.search(text):
        if not measured(text[found.end(1) :]):
            yield Norm(
                Kind.LIMIT, sentence, acts=text[: found.start()] + text[found.end(1) :], count=p.number(found[1])
            )
    elif at.ONCE.search(text):
        yield Norm(Kind.LIMIT, sentence, acts=at.ONCE.sub(" ", text), count=1)


def _before(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    places = list(at.BEFORE.finditer(text))
    if not places:
        if place := at.NO_LATER.search(text):
            front = not text[: place.start()].strip(" ,;:-")
            split = p.split_front(text[place.end() :], verbs) if front else (text[place.end() :], text[: place.start()])
            if split is not None:
                yield Norm(Kind.PRECEDE, sentence, acts=split[0], needs=split[1])
        return
    first = places[0]
    if not text[: first.start()].strip(" ,;:-"):
        split = p.split_front(text, verbs)
        if split is not None:
            act = re.sub(r"^\W*(?:before|prior to)\b", "", split[0], flags=re.IGNORECASE)
            yield from _duty(sentence, act, split[1])
        return
    main, rest = text[: first.start()].strip(" ,;"), text[first.end() :]
    if re.search(r"\bput(?:s|ting)?\b[^,]{0,60}$", main):
        return
    if at.SAME.match(main) and before:
        needed = next((norm.needs for norm in reversed(before) if norm.kind is Kind.PRECEDE), "")
        if needed:
            yield Norm(Kind.PRECEDE, sentence, acts=rest, needs=needed)
        return
    if p.is_negative(main) and not p.is_imperative(main):
        yield Norm(Kind.PRECEDE, sentence, acts=p.without_negation(main), needs=rest)
    elif p.is_directive(main) or ":" in main:
        yield Norm(Kind.PRECEDE, sentence, acts=at.BEFORE.sub(" ", rest), needs=main)


def _duty(sentence: Sentence, act: str, main: str) -> Iterator[Norm]:
    """Yield what a main clause demands before an act."""
    if p.is_negative(main) and not p.is_imperative(main) and not re.search(r"\bestablished\b|\bsee\b", main):
        return
    yield Norm(Kind.PRECEDE, sentence, acts=act, needs=main)


def _only(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    if (place := at.ONLY.search(text)) and not at.STATE.search(text[: place.start()]):
        yield Norm(Kind.PRECEDE, sentence, acts=text[: place.start()], needs=text[place.end() :])


def _until(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    place = re.search(r"\b(?:until|unless)\b", text, re.IGNORECASE)
    if place and place.start() > 0 and p.negated(text[: place.start()]):
        act = p.without_negation(text[: place.start()])
        yield Norm(Kind.PRECEDE, sentence, acts=act, needs=text[place.end() :])


def _provided(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    place = re.search(r",?\s*\b(?:provided that|on condition that|as long as)\b", text, re.IGNORECASE)
    if place and not at.FRONT.match(text):
        yield Norm(Kind.PRECEDE, sentence, acts=text[: place.start()], needs=text[place.end() :])


def _needs(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    place = at.NEEDS.search(text)
    if place and not p.negated(text[: place.start()]):
        yield Norm(Kind.PRECEDE, sentence, acts=text[: place.start()], needs=text[place.end() :])


def _after(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    if later := at.LATER.match(text):
        rest = text[later.end() :]
        heads = _every(rest)
        above = next((norm.acts for norm in reversed(before) if norm.kind in (Kind.PRECEDE, Kind.RESPOND)), "")
        acts = heads[1] if heads else above
        if acts:
            yield Norm(Kind.RESPOND, sentence, acts=acts, needs=heads[0] if heads else rest)
        return
    if front := at.FRONT.match(text):
        split = p.split_front(text, verbs)
        if split is None:
            return
        act, main = split[0][front.end(1) :], split[1]
        loose = front[1].lower() in ("if", "where") and not (p.is_imperative(main) or at.RECORDED.search(main))
        if p.is_directive(main, verbs) and not p.is_negative(main) and not loose:
            yield Norm(Kind.RESPOND, sentence, acts=act, needs=main)
        return
    place = re.search(r"\bafter\b(?!wards)", text, re.IGNORECASE)
    if (
        place
        and not at.SOMEBODY.search(text[: place.start()])
        and p.is_directive(text[: place.start()])
        and not p.negated(text[: place.start()])
    ):
        main, acts = text[: place.start()], re.split(r",?\s+\b(?:and|but)\s+(?:after|before)\b", text[place.end() :])[0]
        yield Norm(Kind.RESPOND, sentence, acts=acts, needs=main, when=main)


def _every(text: str) -> tuple[str, str] | None:
    """Split `Enter in the log every opening and every handover` into what to do and what each of is meant."""
    places = [found.end() for found in at.EVERY.finditer(text)]
    place = re.search(r"\b(?:every|each)\b", text, re.IGNORECASE)
    start = places[0] if places else place.start() if place else 0
    if start and len(text[:start].split()) == 1 and (goal := _GOAL.search(text, start)):
        return text.strip(), text[start : goal.start()]
    if start and p.is_imperative(text) and p.first_word(text) != "have":
        return text[:start].strip(" ,:;"), text[start:]
    return None


_GOAL = re.compile(r"\s(?:before|to|with|into|in|on)\s")
"""Where the thing that something is done to ends, and what is done with it begins."""


def _recorded(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    if p.is_imperative(text) and (heads := _every(text)):
        yield Norm(Kind.RESPOND, sentence, acts=heads[1], needs=heads[0])
        return
    place = at.RECORDED.search(text)
    if place is None or p.negated(text[: place.end()]) or at.SOMEBODY.search(text, place.end()):
        return
    subject, verb, rest = text[: place.start()], place[1].lower(), text[place.end() :]
    if verb in ("told", "notified", "informed", "alerted"):
        acts = re.split(r"\b(?:when|of|that|about|whenever)\b", rest, maxsplit=1)
        if len(acts) > 1:
            about = re.sub(r"\b(?:when|of)\b", " ", acts[1])
            who = subject if re.search(r"\b(?:who|whose)\b", subject) else ""
            acts_of_it = (
                who
                if who and re.match(r"\s*(?:that|this|the)\s+\w+\W*(?:afterwards)?\W*$", about)
                else f"{who}, {about}"
            )
            yield Norm(Kind.RESPOND, sentence, acts=acts_of_it, needs=f"{subject} {verb}")
    else:
        listed = rest.partition(":")[2]
        yield Norm(Kind.RESPOND, sentence, acts=listed or subject, needs=f"{verb} {rest.partition(':')[0]}")


def _forbidden(sentence: Sentence, text: str, verbs: frozenset[str], before: list[Norm]) -> Iterator[Norm]:
    if at.NEVER.search(text) and not at.FRONT.match(text):
        yield Norm(Kind.FORBID, sentence, acts=p.without_negation(text))
