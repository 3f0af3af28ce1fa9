"""What the commands that ask a model have in common: two options, and what is shown while it answers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import Progress, TaskID

if TYPE_CHECKING:
    from lexgym.asking import ModelLink

MaxTokens: TypeAlias = Annotated[int, typer.Option(min=16, help="Longest answer of the model, in tokens.")]
Timeout: TypeAlias = Annotated[float, typer.Option(min=1, help="Seconds that one answer of the model may take.")]

MAX_TOKENS = 4_096
TIMEOUT = 600.0


def told(console: Console) -> Callable[[str], None]:
    """Return what prints a remark, the same one once."""
    said: set[str] = set()

    def tell(text: str) -> None:
        if text not in said:
            said.add(text)
            console.print(text, markup=False, highlight=False, soft_wrap=True)

    return tell


def watch(link: "ModelLink", progress: Progress, task: TaskID, what: str) -> None:
    """Show how much was asked and answered, after each answer."""

    def show() -> None:
        spent = link.spent
        tokens = spent.prompt_tokens + spent.completion_tokens
        progress.update(task, description=f"{what} ({spent.requests} requests, {tokens:,} tokens)")

    link.progress = show
