"""The command line: `lexgym rules extract` and `lexgym rules review`."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from lexgym.cli_model import MAX_TOKENS, TIMEOUT, MaxTokens, Timeout, told, watch
from lexgym.errors import ExtractionError

if TYPE_CHECKING:
    from lexgym.generators.extraction.extracting import Extraction, Route
    from lexgym.generators.extraction.toolset import Cards
    from lexgym.model_route import ModelLink

_console = Console(emoji=False)
_errors = Console(stderr=True, emoji=False)

EXTRACT = """Examples:

lexgym rules extract manual.md --tools finance -o rules.yaml

lexgym rules extract policy.md --tools schema.json -o rules.yaml --regulation "Travel policy"

lexgym rules extract policy.md --tools schema.json -o rules.yaml --model gpt-4o-mini

lexgym rules extract policy.md --tools t.json -o r.yaml --model m --base-url http://127.0.0.1:8000/v1"""

REVIEW = """Examples:

lexgym rules review rules.yaml

lexgym rules review rules.yaml --all < answers.txt"""


def extract_command(
    regulation: Annotated[Path, typer.Argument(help="The regulation, Markdown or plain text.")],
    tools: Annotated[str, typer.Option(help="A domain, or a JSON list of OpenAI tool schemas.")],
    out: Annotated[Path, typer.Option("--out", "-o", dir_okay=False, help="File of rules to write (YAML).")],
    name: Annotated[str, typer.Option("--regulation", help="What the rules cite; by default the file's title.")] = "",
    model: Annotated[str | None, typer.Option(help="Ask this model; without it, no model is used.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible server of the model.")] = None,
    max_tokens: MaxTokens = MAX_TOKENS,
    timeout: Timeout = TIMEOUT,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace rules that a person reviewed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """Read the rules of a regulation in prose; exits 1 where no rule was kept, 2 where nothing can be read.

    Beside the rules it writes a review file, RULES.review.jsonl: every candidate with its sentence, and why
    it was kept or dropped. An interrupted run continues when started again.
    """
    from lexgym.generators.extraction.document import read_regulation
    from lexgym.generators.extraction.extracting import extracted, require_english, summary
    from lexgym.generators.extraction.grammar_route import read_offline
    from lexgym.generators.extraction.memory import Journal
    from lexgym.generators.extraction.review_file import Review, review_path, write_review, write_rules
    from lexgym.generators.extraction.toolset import spelled_out

    if base_url is not None and model is None:
        raise typer.BadParameter("a server needs a model: --model NAME", param_hint="--base-url")
    cards = cards_named(tools)
    text = read_regulation(_bytes(regulation), str(regulation))
    review = review_path(out)
    if not overwrite:
        _require_free(out, review)
    link = None if model is None else _link(model, base_url, out, max_tokens, timeout)
    if link is None:
        require_english(text)
    journal = Journal.beside(out, [text, spelled_out(cards)])
    route: Route = partial(read_offline, memory=journal) if link is None else link.read
    with _progress(quiet=as_json) as progress:
        reading = progress.add_task("Reading the regulation", total=None)
        screening = progress.add_task("Comparing rules", total=None, visible=False)

        def read(done: int, total: int) -> None:
            progress.update(reading, completed=done, total=total)

        def screen(done: int, total: int) -> None:
            progress.update(screening, completed=done, total=total, visible=True)

        if link is not None:
            watch(link, progress, reading, "Reading the regulation")
        try:
            found = extracted(text, cards, route, read, screen, journal)
        except KeyboardInterrupt:
            done = f"{journal.path} keeps what was done; the same command goes on from there"
            _tell(_errors, f"interrupted: {done}" + ("" if link is None else f". {link.kept}"))
            sys.exit(130)
        finally:
            if link is not None:
                link.close()
    candidates = list(found.candidates)
    about = name or _title(text) or regulation.stem
    kept = write_rules(out, candidates, about)
    used = {} if link is None else {"model": str(model), **link.usage}
    notes = {**used, **({"undecided": list(found.undecided)} if found.undecided else {})}
    write_review(review, Review(about, _lasting(tools), tuple(candidates), notes))
    journal.remove()
    counts = summary(candidates)
    if as_json:
        head = {"rules": kept, "candidates": len(candidates), "counts": counts, "out": str(out), "review": str(review)}
        sys.stdout.write(json.dumps({**head, **notes}, ensure_ascii=False) + "\n")
    else:
        if journal.remembered:
            _tell(_console, f"{journal.remembered} steps of an interrupted run were taken over")
        _say(found, counts, out, review)
        if link is not None:
            _tell(_console, link.cost)
    if not kept:
        raise typer.Exit(1)


def cards_named(tools: str) -> "Cards":
    """Return the tools that a word of the command line means: a domain's, or those of a file of schemas."""
    from lexgym.envs.registry import domain_names, load_domain
    from lexgym.errors import near_miss
    from lexgym.generators.extraction.toolset import cards_of, read_tools

    if tools in domain_names():
        return cards_of(load_domain(tools))
    path = Path(tools)
    if not path.is_file():
        kind = "is a folder" if path.is_dir() else "is no domain and no file"
        raise ExtractionError(f"--tools: {tools!r} {kind}{near_miss(tools, domain_names())}")
    try:
        return read_tools(path.read_text(encoding="utf-8-sig"), f"--tools: {path}")
    except (OSError, UnicodeDecodeError) as error:
        raise ExtractionError(f"--tools: {path} cannot be read: {error}") from None


def _link(model: str, base_url: str | None, out: Path, max_tokens: int, timeout: float) -> "ModelLink":
    from lexgym.asking import Limits
    from lexgym.model_route import ModelLink

    cache = out.with_name(f"{out.stem}.cache.jsonl")
    return ModelLink(model, base_url, cache, limits=Limits(max_tokens, timeout), tell=told(_errors))


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise ExtractionError(f"{path} is a folder; name the file of the regulation")
    return path.read_bytes()


def _lasting(tools: str) -> str:
    """Return how a later review finds the tools again, from whatever folder."""
    path = Path(tools)
    return str(path.resolve()) if path.is_file() else tools


def _title(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.lstrip("# ").strip()[:80] if first.startswith("#") else ""


def _require_free(out: Path, review: Path) -> None:
    """Refuse to write over rules of a person's: written by hand, or reviewed."""
    from lexgym.generators.extraction.review_file import read_review

    if out.exists() and not review.exists():
        raise ExtractionError(
            f"{out} is there already and was not extracted; choose another --out, or pass --overwrite"
        )
    if review.exists() and (done := read_review(review).reviewed):
        raise ExtractionError(
            f"{review} holds {done} reviewed candidate{'' if done == 1 else 's'}, which would be lost; choose another "
            "--out, or pass --overwrite"
        )


def _say(found: "Extraction", counts: dict[str, int], out: Path, review: Path) -> None:
    table = Table("candidates", "", box=box.SIMPLE_HEAD, show_edge=False)
    for kind, count in counts.items():
        table.add_row(kind if kind == "kept" else f"dropped: {kind}", str(count))
    _console.print(table)
    remarks = [candidate for candidate in found.candidates if candidate.kept and candidate.why]
    for candidate in remarks[:5]:
        _tell(_console, f"{candidate.id}: {candidate.why}")
    for sentence in found.undecided[:3]:
        _tell(_console, f"not decided: {sentence}")
    if more := len(found.undecided[3:]):
        _tell(_console, f"not decided: {more} more, listed in the first line of {review}")
    _tell(_console, f"Rules: {out}   Review: {review}")
    _tell(_console, f"Go through them with: lexgym rules review {out}")


def _tell(console: Console, sentence: str) -> None:
    console.print(sentence, markup=False, soft_wrap=True, highlight=False)


def _progress(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=_errors, transient=True, disable=quiet or not _errors.is_terminal)


def review_command(
    file: Annotated[Path, typer.Argument(help="A file of extracted rules, or its review file.")],
    everything: Annotated[bool, typer.Option("--all", help="Show the dropped candidates too.")] = False,
) -> None:
    """Go through extracted rules: accept, edit, reject, note, quit; answers may come from standard input.

    Every answer is saved at once, so that a review goes on where it stopped.
    """
    from lexgym.generators.extraction.review_file import read_review, review_path
    from lexgym.review import Walk, rules_path

    review = file if file.name.endswith(".review.jsonl") else review_path(file)
    if not review.is_file():
        raise ExtractionError(f"no review file {str(review)!r}; `lexgym rules extract` writes one beside its rules")
    found = read_review(review)
    walk = Walk(found, cards_named(found.tools), review, rules_path(review), _console)
    walk.run(everything=everything)
