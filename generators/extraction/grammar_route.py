"""The route without a model: the sentences of a regulation, read by grammar, as candidates.

for candidate in read_offline(text, cards): …
"""

from collections.abc import Callable, Iterator
from dataclasses import astuple

from lexgym.generators.extraction.candidates import Candidate, dropped
from lexgym.generators.extraction.document import Sentence, sentences
from lexgym.generators.extraction.drafting import Draft, Drafting
from lexgym.generators.extraction.grounding import Grounding
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.norms import Kind, Norm, norms
from lexgym.generators.extraction.reasons import reasons
from lexgym.generators.extraction.toolset import Cards

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
    above: list[Norm] = []
    grounds: list[tuple[Sentence, str]] = []
    parts = sentences(text)
    for number, sentence in enumerate(parts, 1):
        before = parts[number - 2].text if number > 1 and parts[number - 2].section == sentence.section else ""
        if number > 1 and parts[number - 2].section != sentence.section:
            above = []
        read = norms(sentence, drafting.grounding.verbs, above)
        above += read
        grounds += [(sentence, before) for norm in read if norm.kind is Kind.GROUND]
        if read:
            drafts = memory.recall(f"read {number}", lambda: [astuple(d) for n in read for d in drafting.drafts(n, before)])
            found += _candidates(sentence, [Draft(*draft) for draft in drafts])
        if progress is not None:
            progress(number, len(parts))
    for sentence, draft in reasons(grounds, drafting.grounding, tuple(found)):
        found += _candidates(sentence, [draft], len(found))
    return found


def _candidates(sentence: Sentence, drafts: list[Draft], start: int = 0) -> Iterator[Candidate]:
    for place, draft in enumerate(drafts, start + 1):
        name = f"s{sentence.number}-{place}"
        if draft.why:
            yield dropped(sentence, draft.why, name, draft.formula)
        else:
            yield Candidate(
                name, draft.formula, sentence.whole, sentence.line, sentence.section, sentence.citation, draft.template
            )
