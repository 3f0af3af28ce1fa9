"""Who can be named as an agent, and what each of them is.

>>> split_agents("naive, shielded:openai:m")
('naive', 'shielded:openai:m')
>>> about("shielded:openai:m")
'the model m, behind the shield'
"""

from collections.abc import Sequence

from lexgym.errors import AgentError

AGENTS = {
    "reference": "the lawful calls",
    "naive": "only the business calls",
    "shielded": "the naive agent behind the shield",
    "random": "valid random calls",
    "idle": "finishes at once",
    "openai:MODEL": "a model behind an OpenAI-compatible server",
    "shielded:AGENT": "another agent behind the shield",
}
"""What an agent's name can be, and the agent in a phrase."""


def split_agents(text: str) -> tuple[str, ...]:
    """Return the agents of a comma-separated list; raise `AgentError` for none, or for one named twice."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    require_distinct(names)
    return names


def require_distinct(names: Sequence[str]) -> None:
    """Raise `AgentError` where no agent is named, or one is named twice."""
    if not names:
        raise AgentError(f"no agent is named; there are {', '.join(AGENTS)}")
    for name in names:
        if names.count(name) > 1:
            raise AgentError(f"agent {name!r} is named twice: name it once; several runs of each scenario are trials")


def about(name: str) -> str:
    """Return an agent in a phrase, or an empty text for one that is not built in."""
    kind, _, rest = name.partition(":")
    if name in AGENTS:
        return AGENTS[name]
    if kind == "shielded" and rest:
        return f"{about(rest) or rest}, behind the shield"
    return f"the model {rest}" if kind == "openai" else ""


def has_model(name: str) -> bool:
    """Whether a model server is asked, so that the settings of the conversation matter."""
    return name.removeprefix("shielded:").startswith("openai:")
