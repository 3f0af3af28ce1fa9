"""Running agents on scenarios: where agents meet their judges.

    records = list(evaluate(["naive", "shielded"], scenarios, log=Path("runs/demo/log.jsonl")))

Every episode is one line of JSON in an append-only log; an interrupted run continues where it stopped.
An agent's outside world failing (`AgentError`) leaves the episode unjudged, neither passed nor failed.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from lexgym import __version__
from lexgym.agents.factory import SPECS, make_agent
from lexgym.agents.protocol import FullAgent, as_agent
from lexgym.agents.scripted import Scripted
from lexgym.core import UNPARSED, Event, Task, ToolCall, Verdict
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.registry import load_domain
from lexgym.envs.shield import Shield
from lexgym.errors import AgentError, FormulaError, LogError, near_miss
from lexgym.scenario import Scenario

Record: TypeAlias = dict[str, Any]

MAX_STEPS = 60
BUILT_IN = ("reference", "naive", "shielded", "shielded:SPEC", *SPECS)
"""The agents that a spec can name; `shielded` alone is the naive agent behind the shield."""

MakeAgent: TypeAlias = Callable[[str], FullAgent]


def evaluate(
    agents: Sequence[str],
    scenarios: Sequence[Scenario],
    *,
    log: Path,
    variant: str = "goal",
    trials: int = 1,
    make: MakeAgent = make_agent,
) -> Iterator[Record]:
    """Run every agent on every scenario and yield the records, old ones of a resumed log included.

    Episodes that were left unjudged are run again; the log keeps both lines.

    Raises `LogError` if the log belongs to other scenarios, `AgentError` for an unknown agent.
    """
    done = {_key(record): record for record in read_log(log)} if log.exists() else {}
    done = {key: record for key, record in done.items() if record["verdict"]["error"] is None}
    for spec in agents:
        _check_spec(spec, make)
        for scenario in scenarios:
            for trial in range(trials):
                known = done.get((spec, scenario.id, variant, trial))
                if known and known["digest"] != scenario.digest:
                    raise LogError(f"{log}: {scenario.id} was run on another version of its domain; use a new folder")
                yield known or append(log, run_episode(spec, scenario, variant, trial, make))


def run_episode(spec: str, scenario: Scenario, variant: str, trial: int, make: MakeAgent = make_agent) -> Record:
    """Run one episode and return its record."""
    base = environment(scenario, variant)
    env: Any = Shield(base) if spec.partition(":")[0] == "shielded" else base
    agent = _agent(spec, scenario, make)
    observation, info = env.reset(seed=scenario.seed, options={"scenario": scenario})
    agent.begin(Task(observation["instruction"], info["tools"], info["policy"], scenario.seed + trial))
    ended, verdict, started = "", None, time.perf_counter()
    latencies: list[float] = []
    try:
        while verdict is None:
            asked = time.perf_counter()
            action = agent.act(observation)
            observation, _, terminated, _, info = env.step(action)
            latencies += [round(time.perf_counter() - asked, 6)] * (len(base.trace) - len(latencies))
            if verdict := info.get("verdict"):
                ended = "finish" if terminated else "max_steps"
    except AgentError as error:
        ended, verdict = "agent_error", Verdict.unjudged(str(error))
    except FormulaError as error:
        ended, verdict = "oracle_error", Verdict.unjudged(f"{type(error).__name__}: {error}")
    finally:
        agent.close()
    record = {
        "lexgym": __version__,
        "agent": spec,
        "scenario": scenario.id,
        "kind": scenario.kind,
        "domain": scenario.domain,
        "digest": scenario.digest,
        "seed": scenario.seed,
        "variant": variant,
        "trial": trial,
        "instruction": scenario.instruction(variant),
        "events": [_event(event, latency) for event, latency in zip(base.trace, latencies, strict=False)],
        "ended": ended,
        "state": base.db.state_hash(base.domain.business),
        "verdict": verdict_json(verdict),
        "explanations": {} if verdict.error else _explanations(base),
        "messages": agent.transcript,
        "usage": asdict(agent.usage),
        "seconds": round(time.perf_counter() - started, 6),
    }
    env.close()
    return record


def rescore(record: Record, scenario: Scenario) -> Verdict:
    """Replay a record's calls in a fresh environment and return the verdict reached now."""
    env = environment(scenario, record["variant"])
    env.reset(seed=scenario.seed, options={"scenario": scenario})
    for entry in record["events"]:
        env.step("" if entry["name"] == UNPARSED else ToolCall(entry["name"], entry["arguments"]))
    try:
        return env.verdict()
    finally:
        env.close()


def environment(scenario: Scenario, variant: str) -> ComplianceEnv:
    """Return an environment for one scenario."""
    domain = load_domain(scenario.domain)
    return ComplianceEnv(domain, lambda seed: scenario, variant=variant, max_steps=MAX_STEPS)


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON, with its outcome."""
    outcome = verdict.outcome
    return {**json.loads(json.dumps(asdict(verdict))), "outcome": outcome.value if outcome else "unjudged"}


def read_log(path: Path) -> list[Record]:
    """Return the records of a log; a last line that was cut off while being written is removed.

    Raises `LogError` for a damaged line elsewhere.
    """
    data = path.read_bytes()
    whole, _, rest = data.rpartition(b"\n")
    if rest:
        path.write_bytes(whole + b"\n" if whole else b"")
    records = []
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            record = json.loads(line)
            _key(record)
        except (ValueError, KeyError, TypeError) as error:
            raise LogError(f"{path}: line {number} is damaged ({type(error).__name__}: {error})") from None
        records.append(record)
    return records


def append(log: Path, record: Record) -> Record:
    """Write one record to the end of a log."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return record


def _agent(spec: str, scenario: Scenario, make: MakeAgent) -> FullAgent:
    kind, _, inner = spec.partition(":")
    if kind == "shielded":
        return _agent(inner or "naive", scenario, make)
    if spec == "reference":
        return Scripted(scenario.calls)
    if spec == "naive":
        return Scripted(scenario.naive)
    return as_agent(make(spec))


def _check_spec(spec: str, make: MakeAgent) -> None:
    name = spec.removeprefix("shielded:")
    if name in ("reference", "naive", "shielded"):
        return
    try:
        make(name).close()
    except AgentError as error:
        if ":" in name:
            raise
        raise AgentError(f"no agent {spec!r}{near_miss(name, BUILT_IN)}") from error


def _explanations(env: ComplianceEnv) -> Record:
    return {
        rule: [{"permanent_at": why.permanent_at, "relevant": list(why.relevant), "text": str(why)} for why in found]
        for rule, found in env.explain().items()
    }


def _event(event: Event, latency: float) -> dict[str, Any]:
    return {
        "step": event.step,
        "name": event.name,
        "arguments": dict(event.arguments),
        "status": event.status.value,
        "result": event.result,
        "latency": latency,
    }


def _key(record: Record) -> tuple[str, str, str, int]:
    return record["agent"], record["scenario"], record["variant"], record["trial"]
