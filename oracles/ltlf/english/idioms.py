"""Template-shaped formulas in the words that people use for them.

    (!pay) W check   →   `pay` may not happen before `check`

Two events that share a tool may be one and the same call, which is where templates that usually
agree differ; there the sentence says which is meant, or no idiom is used.
"""

from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.english.phrases import event, events_of
from lexgym.oracles.ltlf.syntax import Always, Eventually, Formula, Implies, Next, Not, Until, WeakNext, WeakUntil


def idiom(formula: Formula) -> str | None:
    """Return a formula as a phrase if it has the shape of a template, None otherwise."""
    return (
        _counted(formula)
        or _exhausted(formula)
        or _in_a_row(formula)
        or _once_or_never(formula)
        or _both(formula)
        or _before(formula)
        or _whenever(formula)
        or _alternate(formula)
        or _edges(formula)
    )


def conjuncts(formula: Formula) -> list[Formula]:
    """Return the parts of a conjunction of conjunctions, but templates that are one whole."""
    found: list[Formula] = []
    stack = [formula]
    while stack:
        part = stack.pop()
        if isinstance(part, s.And) and (part is formula or idiom(part) is None):
            stack += reversed(part.parts)
        else:
            found.append(part)
    return found


def _apart(one: Formula, two: Formula) -> bool:
    """Whether no call can be both events."""
    left, right = events_of(one) or (), events_of(two) or ()
    return not {atom.tool for atom in left} & {atom.tool for atom in right}


def _times(formula: Formula) -> tuple[int, Formula] | None:
    """Return n and the event of "at least n times", as `declare` writes it."""
    count, wanted = 0, None
    while isinstance(formula, Eventually) and formula.bound is None:
        count += 1
        match formula.body:
            case s.And((body, Next(inner))) if event(body) is not None and wanted in (None, body):
                wanted, formula = body, inner
            case body if event(body) is not None and wanted in (None, body):
                return count, body
            case _:
                return None
    return None


def _counted(formula: Formula) -> str | None:
    match formula:
        case s.And((least, Not(most))):
            one, two = _times(least), _times(most)
            if one and two and one[1] is two[1] and two[0] == one[0] + 1:
                return f"{event(one[1])} must happen exactly {_often(one[0])}"
            return None
        case Not(inner) if (found := _times(inner)) and found[0] > 1:
            return f"{event(found[1])} may happen at most {_often(found[0] - 1)}"
        case _ if found := _times(formula):
            return f"{event(found[1])} must happen at least {_often(found[0])}"
        case _:
            return None


def _exhausted(formula: Formula) -> str | None:
    """Say that after some events of one kind another kind may not happen any more."""
    match formula:
        case Not(Eventually(s.And((a, Next(Eventually(_, None) as rest))), None)) if event(a):
            count = 1
            while (inner := _once_more(rest, a)) is not None:
                count, rest = count + 1, inner
            last = event(rest.body)
            often = "" if count == 1 else f" {_often(count)}"
            return last and f"once {event(a)} has happened{often}, {last} may not happen any more"
        case _:
            return None


def _once_more(formula: Eventually, a: Formula) -> Eventually | None:
    match formula:
        case Eventually(s.And((body, Next(Eventually(_, None) as inner))), None) if body is a:
            return inner
        case _:
            return None


def _in_a_row(formula: Formula) -> str | None:
    """Say that after some events of one kind, with none of another in between, a third may not come next."""
    match formula:
        case Not(Eventually(s.And((a, Next(Until(Not(c), _) as rest))), None)) if event(a) and event(c):
            count = 1
            while (inner := _one_more_in_a_row(rest, a, c)) is not None:
                count, rest = count + 1, inner
            last = event(rest.right)
            often = f"{_often(count)} with no {event(c)} in between"
            return last and f"once {event(a)} has happened {often}, {last} may not happen without {event(c)} before it"
        case _:
            return None


def _one_more_in_a_row(formula: Until, a: Formula, c: Formula) -> Until | None:
    match formula:
        case Until(_, s.And((body, Next(Until(Not(other), _) as inner)))) if body is a and other is c:
            return inner
        case _:
            return None


def _often(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _once_or_never(formula: Formula) -> str | None:
    match formula:
        case Not(Eventually(a, None)) | Always(Not(a), None) if event(a):
            return f"{event(a)} may never happen"
        case Eventually(a, int(bound)) if event(a):
            return f"{event(a)} must happen {f'within the first {bound + 1} steps' if bound else 'at the first step'}"
        case s.Or((Eventually(a, None), Eventually(b, None))) if event(a) and event(b):
            return f"{event(a)} or {event(b)} must happen at least once"
        case _:
            return None


def _both(formula: Formula) -> str | None:
    match formula:
        case Implies(Eventually(a, None), Not(Eventually(b, None))) if event(a) and event(b):
            same = "" if _apart(a, b) else ", nor be that same call"
            return f"if {event(a)} happens at any time, {event(b)} may never happen, before or after{same}"
        case Implies(Eventually(a, None), Eventually(b, None)) if event(a) and event(b):
            same = "" if _apart(a, b) else " (one call may be both)"
            return f"if {event(a)} happens at any time, {event(b)} must happen too, before or after{same}"
        case s.Iff(Eventually(a, None), Eventually(b, None)) if event(a) and event(b):
            same = "" if _apart(a, b) else " (one call may be both)"
            return f"if {event(a)} happens at any time, {event(b)} must happen too, and the other way round{same}"
        case Not(s.And((Eventually(a, None), Eventually(b, None)))) if event(a) and event(b):
            return f"{event(a)} and {event(b)} may not both happen in one trace"
        case s.And((s.Or((one, two)), Not(s.And((three, four))))) if (one, two) == (three, four):
            match one, two:
                case Eventually(a, None), Eventually(b, None) if event(a) and event(b):
                    return f"either {event(a)} or {event(b)} must happen, but not both in one trace"
    return None


def _before(formula: Formula) -> str | None:
    match formula:
        case WeakUntil(Not(b), a) if event(a) and event(b):
            aside = "" if _apart(a, b) else " (one call may be both)"
            return f"{event(b)} may not happen before {event(a)}{aside}"
        case Not(Until(Not(a), b)) if event(a) and event(b):
            if _apart(a, b):
                return f"{event(b)} may not happen before {event(a)}"
            return f"{event(b)} may happen only after {event(a)} in an earlier step"
        case Until(Not(b), a) if event(a) and event(b):
            aside = "" if _apart(a, b) else " (one call may be both)"
            return f"{event(a)} must happen, and {event(b)} may not happen before it{aside}"
        case _:
            return None


def _whenever(formula: Formula) -> str | None:
    match formula:
        case Always(Implies(a, then), None) if event(a):
            said = _then(a, then)
            return None if said is None else said.replace("{a}", str(event(a)))
        case _:
            return None


def _then(a: Formula, then: Formula) -> str | None:
    """Return what is asked of a step with `a`; `{a}` stands for it."""
    match then:
        case _ if (parts := _events_in(then)) is not None:
            return _at_once(a, parts)
        case Eventually(b, bound) if event(b) and bound != 0:
            within = "" if bound is None else f" within {bound} step{'' if bound == 1 else 's'}"
            aside = "" if _apart(a, b) else " or be that same call"
            return f"whenever {{a}} happens, {event(b)} must follow{within}{aside}"
        case s.Once(b) if event(b):
            aside = "" if _apart(a, b) else " or be that same call"
            return f"whenever {{a}} happens, {event(b)} must have happened before{aside}"
        case s.Since(Not(c), b) if event(b) and event(c) and _apart(a, b) and _apart(a, c):
            return f"whenever {{a}} happens, {event(b)} must have happened before, with no {event(c)} since"
        case s.Or((s.Once(b), Eventually(c, None))) | s.Or((Eventually(c, None), s.Once(b))) if b is c and event(b):
            aside = "" if _apart(a, b) else ", or be that same call"
            return f"whenever {{a}} happens, {event(b)} must have happened before or must follow{aside}"
        case Not(Eventually(b, None)) if event(b) and _apart(a, b):
            return f"once {{a}} has happened, {event(b)} may not happen any more"
        case Next(b) if event(b):
            return f"whenever {{a}} happens, the very next call must be {event(b)}"
        case Not(Next(b)) if event(b):
            return f"{event(b)} may not come right after {{a}}"
        case Next(Until(Not(c), b)) if c is a and event(b):
            later = "" if _apart(a, b) else " in a later step"
            return f"whenever {{a}} happens, {event(b)} must follow{later}, with no further {{a}} in between"
        case WeakNext(WeakUntil(Not(c), b)) if event(b) and event(c) and _apart(b, c):
            again = "it may not happen again" if c is a else f"{event(c)} may not happen"
            return f"after {{a}} happened, {again} before a new {event(b)}"
        case _:
            return None


def _events_in(then: Formula) -> tuple[Formula, ...] | None:
    """Return the events of which a formula says that one step is all of them."""
    parts = then.parts if isinstance(then, s.And) else (then,)
    return parts if all(event(part) for part in parts) else None


def _at_once(a: Formula, parts: tuple[Formula, ...]) -> str:
    """Say that a call must be something else too, which no call of another tool can be."""
    said = " and ".join(str(event(part)) for part in parts)
    if any(_apart(a, part) for part in parts):
        return f"{{a}} may never happen: no call is {{a}} and {said} at once"
    return f"every {{a}} must be {said}"


def _alternate(formula: Formula) -> str | None:
    match formula:
        case s.And((WeakUntil(Not(b), a), Always(Implies(c, WeakNext(WeakUntil(Not(d), e))), None))):
            if b is c is d and a is e and event(a) and event(b) and _apart(a, b):
                return f"each {event(b)} needs {event(a)} before it, and one of its own since the last {event(b)}"
        case s.And((Always(Implies(Next(b), a), None), Not(c))) if b is c and event(a) and event(b):
            return f"{event(b)} may only come right after {event(a)}"
        case Always(Implies(Next(b), Not(a)), None) if event(a) and event(b):
            return f"{event(b)} may not come right after {event(a)}"
        case Always(Implies(Eventually(b, None), Not(a)), None) if event(a) and event(b) and _apart(a, b):
            return f"once {event(a)} has happened, {event(b)} may not happen any more"
    return None


def _edges(formula: Formula) -> str | None:
    match formula:
        case Eventually(s.And((a, s.Last())), None) if event(a):
            return f"the last call must be {event(a)}"
        case _ if event(formula):
            return f"the first call must be {event(formula)}"
        case _:
            return None
