"""How long a regulation of two hundred pages takes, all of whose duties differ.

    python benchmarks/extraction_long.py                        # procurement, 3,000 duties, 100,000 words
    python benchmarks/extraction_long.py --domain finance --duties 1000

The text is made from the domain's tools: each duty joins two of them, at some value or from some amount on, in one
of several turns of phrase; explanations stand between. Prints seconds of CPU and the memory that it took at most.
"""

import argparse
import itertools
import random
import resource
import time
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import Progress

from lexgym.envs.registry import load_domain
from lexgym.generators.extraction.extracting import extracted, summary
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.toolset import Card, Cards, cards_of

TURNS = (
    "Before you {act}{of}, you must {other}.",
    "Nobody may {act}{of} until they {other}.",
    "You may {act}{of} only after you {other}.",
    "After you {act}{of}, you must {other}.",
    "Whenever you {act}{of}, {other} without delay.",
)
EXPLANATION = (
    "The department set this down in the {year} revision of the handbook, because the auditors of that year had found "
    "that the matter was understood differently from one office to the next and that nobody could say why."
)


def regulation(cards: Cards, duties: int, seed: int = 0) -> str:
    """Return a text with so many different duties, twenty a section."""
    chance = random.Random(seed)
    lines = ["# Handbook"]
    for number, duty in enumerate(_duties(cards, duties, chance)):
        if number % 20 == 0:
            lines.append(f"\n## {number // 20 + 1}. Part {number // 20 + 1}\n")
        lines.append(duty)
        if number % 3:
            lines.append(EXPLANATION.format(year=chance.randrange(1950, 2025)))
    return "\n".join(lines) + "\n"


def _duties(cards: Cards, count: int, chance: random.Random) -> Iterator[str]:
    names = sorted(cards)
    pairs = [
        (a, b) for a, b in itertools.product(names, names) if a != b and set(cards[a].places) & set(cards[b].arguments)
    ]
    said: set[str] = set()
    while len(said) < count:
        act, other = chance.choice(pairs)
        of = chance.choice(["", *_details(cards[act], chance)])
        duty = chance.choice(TURNS).format(act=act.replace("_", " "), other=other.replace("_", " "), of=of)
        if duty not in said:
            said.add(duty)
            yield duty


def _details(card: Card, chance: random.Random) -> Iterator[str]:
    for place in card.places:
        for value in card.values(place):
            yield f" in the case of {value}"
        if place in ("amount", "result.amount"):
            yield f" of more than {chance.randrange(10, 9000)} euros"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--domain", default="procurement")
    parser.add_argument("--duties", type=int, default=3_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    console = Console()
    cards = cards_of(load_domain(options.domain))
    text = regulation(cards, options.duties, options.seed)
    console.print(f"{options.duties:,} duties, {len(text.split()):,} words, {len(cards)} tools")
    began = time.process_time()
    spent: dict[str, float] = {}
    with Progress(console=Console(stderr=True), transient=True) as progress:

        def tell(what: str) -> Callable[[int, int], None]:
            task = progress.add_task(what, total=None)

            def told(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)
                spent[what] = time.process_time() - began

            return told

        found = extracted(text, cards, read_offline, tell("reading"), tell("comparing"))
    console.print(summary(found.candidates), f"not decided: {len(found.undecided)}", *found.undecided[:2], sep="\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    console.print(
        f"read after {spent['reading']:.0f} s, compared after {spent['comparing']:.0f} s of CPU; {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
