"""How much of the hand-written rules of the domains extraction finds in their manuals, and how much of it is right.

    python benchmarks/extraction.py                                        # the grammar, all domains
    python benchmarks/extraction.py --domain iot --verbose
    python benchmarks/extraction.py --model NAME --base-url http://127.0.0.1:8000/v1

The table is Markdown, that of docs/extraction.md. Its columns are those of `lexgym.generators.extraction.scoring`:
of the hand-written rules `found`, `covered`, `weakly` and `touched`; of the extracted ones `right` and `stricter`. A
model's answers are kept in runs/extraction-DOMAIN-MODEL.jsonl, so that an interrupted run goes on. With `--part 0.1`
only the first tenth of each manual is read; the rules of the whole manual are counted all the same.
"""

import argparse
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from lexgym.asking import MAX_TOKENS, Limits
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import LexgymError
from lexgym.generators.extraction.extracting import Route, extracted
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.scoring import Score, score
from lexgym.generators.extraction.toolset import cards_of, signature_of
from lexgym.model_route import ModelLink

COLUMNS = ["domain", "rules", "found", "covered", "weakly", "touched", "extracted", "right", "stricter"]


def measure(
    name: str, route: Route, tell: Callable[[str], Callable[[int, int], None]], part: float = 1.0
) -> tuple[Score, float]:
    """Extract the rules of a domain's manual; return how good they are, and the CPU seconds that it took."""
    domain = load_domain(name)
    cards = cards_of(domain)
    began = time.process_time()
    candidates = extracted(
        beginning(domain.manual, part), cards, route, tell(f"{name}: reading"), tell(f"{name}: comparing")
    ).candidates
    took = time.process_time() - began
    rules = [candidate.rule() for candidate in candidates if candidate.kept]
    return score(rules, domain.rules, signature_of(cards), tell(f"{name}: scoring")), took


def beginning(text: str, part: float) -> str:
    """Return the paragraphs that begin in the first part of a text."""
    return text if part >= 1 else text[: max(text.find("\n\n", int(len(text) * part)), 0)]


def linked(name: str, options: argparse.Namespace) -> ModelLink:
    """Return the link to the model that reads one manual, with its own file of answers."""
    plain = re.sub(r"\W+", "-", options.model)
    cache = Path("runs") / f"extraction-{name}-{plain}.jsonl"
    say = Console(stderr=True).print
    return ModelLink(options.model, options.base_url, cache, limits=Limits(options.max_tokens), tell=say)


def share(part: Sequence[str], whole: Sequence[str]) -> str:
    return f"{100 * len(part) / len(whole):.0f} %" if whole else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--domain", choices=domain_names(), action="append", help="only this one; may be repeated")
    parser.add_argument("--model", help="ask this model instead of using the grammar")
    parser.add_argument("--base-url", help="OpenAI-compatible server of the model")
    parser.add_argument("--max-tokens", type=int, default=MAX_TOKENS, help="longest answer of the model")
    parser.add_argument("--part", type=float, default=1.0, help="share of each manual that is read, from its beginning")
    parser.add_argument("--verbose", action="store_true", help="list what was missed and what is wrong")
    options = parser.parse_args()
    console = Console()
    rows: list[list[str]] = []
    scores: list[Score] = []
    costs: list[str] = []
    with Progress(console=Console(stderr=True), transient=True) as progress:

        def tell(what: str) -> Callable[[int, int], None]:
            task = progress.add_task(what, total=None)
            return lambda done, total: progress.update(task, completed=done, total=total)

        for name in options.domain or [name for name in domain_names() if load_domain(name).rules]:
            link = linked(name, options) if options.model else None
            try:
                found, took = measure(name, link.read if link else read_offline, tell, options.part)
            except LexgymError as error:
                raise SystemExit("\n".join([f"error: {name}: {error}", *getattr(error, "__notes__", ())])) from None
            finally:
                if link:
                    link.close()
                    costs.append(f"{name}: {link.cost}")
            scores.append(found)
            rows.append([name, *row(found)])
            costs.append(f"{name}: {took:.0f} s of CPU" + (f", {total_tokens(link):,} tokens" if link else ""))
            if options.verbose:
                console.print(f"{name} missed: {', '.join(found.missed)}\n{name} wrong: {', '.join(found.wrong)}")
    if len(scores) > 1:
        rows.append(["all", *row(total(scores))])
    for cells in (COLUMNS, ["---"] * len(COLUMNS), *rows):
        print(f"| {' | '.join(cells)} |")
    if options.part < 1:
        console.print(f"Of each manual the first {100 * options.part:.0f} % was read.")
    for cost in costs:
        console.print(cost, soft_wrap=True, highlight=False)


def total_tokens(link: ModelLink) -> int:
    """Return the tokens of all answers that were used, also of those that an earlier run paid for."""
    used = link.spent + link.saved
    return used.prompt_tokens + used.completion_tokens


def row(found: Score) -> list[str]:
    """Return the cells of one line: recall of the written rules, precision of the extracted ones."""
    recall = [share(part, found.written) for part in (found.found, found.covered, found.weakly, found.touched)]
    precision = [share(part, found.extracted) for part in (found.right, found.stricter)]
    return [str(len(found.written)), *recall, str(len(found.extracted)), *precision]


def total(scores: Sequence[Score]) -> Score:
    """Return the scores of several domains as one."""
    fields = Score.__dataclass_fields__
    return Score(**{name: tuple(x for one in scores for x in getattr(one, name)) for name in fields})


if __name__ == "__main__":
    main()
