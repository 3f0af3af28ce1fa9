"""The command `lexgym reword`: a suite's instructions, written by one model and criticised by another."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lexgym.cli_model import MAX_TOKENS, TIMEOUT, MaxTokens, Timeout, told, watch

_console = Console(emoji=False)
_errors = Console(stderr=True, emoji=False)


def reword_command(
    suite: Annotated[Path, typer.Argument(file_okay=False, help="Folder of the suite.")],
    model: Annotated[str, typer.Option(help="The model that writes.")],
    out: Annotated[Path | None, typer.Option(file_okay=False, show_default="SUITE-reworded")] = None,
    critic: Annotated[str | None, typer.Option(help="The model that criticises.", show_default="the same")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible server.")] = None,
    critic_url: Annotated[str | None, typer.Option(help="The critic's server.", show_default="the same")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Times that the writer is asked for one scenario.")] = 3,
    max_tokens: MaxTokens = MAX_TOKENS,
    timeout: Timeout = TIMEOUT,
) -> None:
    """Have a model write the instructions of a suite anew; an interrupted run continues when started again.

    A wording that gives a safety step away, leaves a value out, or is not read as the same calls keeps its old text.

      lexgym reword suites/core --model gpt-4o-mini
      lexgym reword suites/core --model a --critic b --base-url http://127.0.0.1:8000/v1 --out suites/said
    """
    from lexgym.asking import Limits, ModelLink
    from lexgym.envs.judge import require_version
    from lexgym.rewording import reword, reworded_suite, write_notes
    from lexgym.scenario import VARIANTS
    from lexgym.suites import read_suite, write_suite

    held = read_suite(suite)
    for scenario in held.scenarios:
        require_version(scenario)
    folder = out or suite.with_name(f"{suite.resolve().name}-reworded")
    limits, tell = Limits(max_tokens, timeout), told(_errors)
    writer = ModelLink(model, base_url, folder / "answers.jsonl", limits=limits, tell=tell)
    reader = ModelLink(
        critic or model, critic_url or base_url, folder / "answers-critic.jsonl", limits=limits, tell=tell
    )
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    found = []
    try:
        with Progress(*columns, console=_errors, transient=True) as progress:
            task = progress.add_task("Rewording", total=len(held.scenarios))
            watch(writer, progress, task, "Rewording")
            for each in reword(held.scenarios, writer, reader, rounds):
                found.append(each)
                progress.advance(task)
    finally:
        writer.close()
        reader.close()
        for link in (writer, reader):
            _errors.print(link.cost, markup=False, highlight=False, soft_wrap=True)
    source: dict[str, object] = {"writer": model, "critic": critic or model, "rounds": rounds}
    write_suite(folder, reworded_suite(held, found, source))
    write_notes(folder, found)
    kept = [(each.scenario.id, variant, why) for each in found for variant, why in each.kept.items()]
    for name, variant, why in kept:
        _console.print(f"{name}: the {variant} wording is kept: {why}", markup=False, highlight=False, soft_wrap=True)
    total = len(VARIANTS) * len(found)
    _console.print(
        f"{total - len(kept)} of {total} wordings are new; the suite is in {folder}", markup=False, soft_wrap=True
    )
    if len(kept) == total:
        raise typer.Exit(1)
