"""The route without a model: the sentences of a regulation, read by grammar, as candidates.

for candidate in read_offline(text, cards): …
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from functools import partial

from lexgym.generators.extraction.candidates import Candidate, dropped
from lexgym.generators.extraction.document import Sentence, sentences
from lexgym.generators.extraction.drafting import Drafting
from lexgym.generators.extraction.exemptions import exempted, exemption
from lexgym.generators.extraction.formulas import Draft
from lexgym.generators.extraction.grounding import Grounding
from lexgym.generators.extraction.lists import joined
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.norms import Kind, Norm, norms
from lexgym.generators.extraction.reasons import reasons
from lexgym.generators.extraction.references import referring
from lexgym.generators.extraction.toolset import Cards
from lexgym.generators.extraction.unread import EXEMPTION, GROUNDS, is_deontic, why

Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""


def read_offline(
    text: str, cards: Cards, progress: Progress | None = None, memory: Memory | None = None
) -> list[Candidate]:
    """Return a candidate for every norm of a text, those that no tool can break dropped with the reason.

    What a memory holds of the same text and tools is not worked out again.
    """
    drafting = Drafting(Grounding(cards))
    memory = memory or Memory()
    found: list[Candidate] = []
    grounds: list[tuple[Sentence, str]] = []
    alone = list(_read(sentences(text), drafting.grounding.verbs))
    known = {sentence.number for sentence, norms_of_it in alone if norms_of_it}
    read = exempted(joined(alone))
    stated = frozenset(norm.unless for _, norms_of_it in read for norm in norms_of_it)
    for number, (sentence, norms_of_it) in enumerate(read, 1):
        last = read[number - 2][0] if number > 1 else None
        before = last.text if last is not None and last.section == sentence.section else ""
        grounds += [(sentence, before) for norm in norms_of_it if norm.kind is Kind.GROUND]
        if norms_of_it:
            drafts = memory.recall(f"read {number}", partial(_drafts, drafting, norms_of_it, before))
            found += _candidates(sentence, [Draft(*draft) for draft in drafts])
        elif sentence.number not in known and (reason := _unread(sentence, stated)):
            found.append(dropped(sentence, reason, f"s{sentence.number}-1"))
        if progress is not None:
            progress(number, len(read))
    for sentence, draft in reasons(grounds, drafting.grounding, tuple(found)):
        found += _candidates(sentence, [draft], len(found))
    seen = {candidate.id.partition("-")[0] for candidate in found}
    for sentence, _ in grounds:
        if (name := f"s{sentence.number}") not in seen:
            seen.add(name)
            found.append(dropped(sentence, GROUNDS, f"{name}-1"))
    return found


def _unread(sentence: Sentence, stated: frozenset[str]) -> str:
    """Return why a sentence in which no norm was found is not read, empty where it demands nothing, or was used."""
    if not is_deontic(sentence.whole):
        return ""
    if (out := exemption(sentence.text)) is None:
        return why(sentence.whole)
    return "" if any(out.case in unless for unless in stated) else EXEMPTION


def _read(parts: Sequence[Sentence], verbs: frozenset[str]) -> Iterator[tuple[Sentence, list[Norm]]]:
    """Yield each sentence with its norms, which may lean on those before it in the same section."""
    above: list[Norm] = []
    section = ""
    for sentence in parts:
        above = above if sentence.section == section else []
        section = sentence.section
        if exemption(sentence.text) is not None:
            yield sentence, []
            continue
        found = referring(sentence, above) or norms(sentence, verbs, above)
        above += found
        yield sentence, found


def _drafts(drafting: Drafting, found: Sequence[Norm], before: str) -> list[tuple[str, ...]]:
    return [astuple(draft) for norm in found for draft in drafting.drafts(norm, before)]


def _candidates(sentence: Sentence, drafts: list[Draft], start: int = 0) -> Iterator[Candidate]:
    for place, draft in enumerate(drafts, start + 1):
        name = f"s{sentence.number}-{place}"
        if draft.why:
            yield dropped(sentence, draft.why, name, draft.formula)
        else:
            yield Candidate(
                name, draft.formula, sentence.whole, sentence.line, sentence.section, sentence.citation, draft.template,
                why=draft.remark,
            )  # fmt: skip
