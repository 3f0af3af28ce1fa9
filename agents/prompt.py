"""What a model is told: who it is, the regulation in prose, its tools, and how to end. Never a rule.

system_prompt(task, mode="json")   # tools are listed in the prompt
system_prompt(task, mode="tools")  # tools travel beside the prompt, in the request
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from lexgym.core import FINISH, Task

Mode: TypeAlias = Literal["tools", "json"]
"""`tools`: native tool calls; `json`: one JSON object a turn, for models without them."""

NUDGE = f"Continue with a tool call, or call `{FINISH}` if everything that had to be done is done."
"""Said once to a model that wrote text instead of calling a tool."""

_WHO = """\
You are an assistant of a regulated business. You act only by calling tools; nobody reads anything else you write, \
and nobody will answer questions. Do what the user asks, and follow the regulation below at all times, \
also where the user does not mention it."""

_TURNS = {
    "tools": f"""\
Call one tool at a time and read its result before you go on; a call can be refused. \
Use only values that the user or a result gave you. \
When everything that had to be done is done, call the tool `{FINISH}`.""",
    "json": f"""\
Each turn, answer with exactly one JSON object and nothing else:
{{"name": "<tool>", "arguments": {{"<argument>": <value>}}}}
The next message holds its result; read it before you go on; a call can be refused. \
Use only values that the user or a result gave you. \
When everything that had to be done is done, answer {{"name": "{FINISH}", "arguments": {{}}}}.""",
}


def system_prompt(task: Task, mode: Mode) -> str:
    """Return the system message of an episode."""
    sections = [_WHO, f"# Regulation\n\n{task.policy.strip()}"]
    if mode == "json":
        listed = "\n".join(json.dumps(function, ensure_ascii=False) for function in functions(task.tools))
        sections.append(f"# Tools, one JSON schema a line\n\n{listed}")
    return "\n\n".join([*sections, f"# How to act\n\n{_TURNS[mode]}"]) + "\n"


def functions(tools: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the `function` part of each OpenAI tool schema: name, description, parameters."""
    return [tool["function"] for tool in tools]
