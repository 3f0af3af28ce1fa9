"""Running agents on scenarios: where agents meet their judges.

    records = list(evaluate(["naive", "shielded"], scenarios, log=Path("runs/demo/log.jsonl")))

Every episode is one line of JSON in an append-only log; an interrupted run continues where it stopped.
An agent's outside world failing (`AgentError`) leaves the episode unjudged, neither passed nor failed.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from lexgym import __version__
from lexgym.agents.factory import make_agent
from lexgym.agents.protocol import FullAgent, as_agent
from lexgym.agents.scripted import Scripted
from lexgym.core import UNPARSED, Event, Task, ToolCall, Verdict
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.registry import load_domain
from lexgym.envs.shield import Shield
from lexgym.errors import AgentError, ContextExceeded, FormulaError, LogError, near_miss
from lexgym.log import Key, Record, append, key, mend, read_log
from lexgym.oracles.ltlf import Explanation
from lexgym.roster import AGENTS, has_model, require_distinct
from lexgym.scenario import Scenario

MAX_STEPS = 60
"""Calls that an agent has for one episode."""

MakeAgent: TypeAlias = Callable[[str], FullAgent]


def evaluate(
    agents: Sequence[str],
    scenarios: Sequence[Scenario],
    *,
    log: Path,
    variant: str = "goal",
    trials: int = 1,
    make: MakeAgent = make_agent,
    settings: Mapping[str, Any] | None = None,
) -> Iterator[Record]:
    """Run every agent on every scenario and yield the records, old ones of a resumed log included.

    Episodes that were left unjudged are run again; the log keeps both lines. `settings` are those with which
    `make` makes agents that ask a model; they are kept in the records.

    Raises `LogError` if the log belongs to other scenarios or settings, `AgentError` for an unknown agent.
    """
    check_agents(agents, make)
    done = judged(log)
    if log.exists():
        mend(log)
    for spec in agents:
        chosen = dict(settings or {}) if has_model(spec) else {}
        for scenario in scenarios:
            for trial in range(trials):
                known = done.get((spec, scenario.id, variant, trial))
                if known:
                    _require_same(known, scenario, chosen, log)
                    yield known
                else:
                    record = run_episode(spec, scenario, variant, trial, make)
                    yield append(log, record | {"settings": chosen})


def judged(log: Path) -> dict[Key, Record]:
    """Return the episodes of a log that need not be run again."""
    records = read_log(log) if log.exists() else []
    return {key(record): record for record in records if record["verdict"]["error"] is None}


def check_agents(agents: Sequence[str], make: MakeAgent = make_agent) -> None:
    """Raise `AgentError` where none is named, one is named twice, or there is no such agent."""
    require_distinct(agents)
    for spec in agents:
        _check_spec(spec, make)


def run_episode(spec: str, scenario: Scenario, variant: str, trial: int, make: MakeAgent = make_agent) -> Record:
    """Run one episode and return its record."""
    base = environment(scenario, variant)
    env: Any = Shield(base) if spec.partition(":")[0] == "shielded" else base
    agent = _agent(spec, scenario, make)
    ended, verdict, started = "", None, time.perf_counter()
    latencies: list[float] = []
    try:
        observation, info = env.reset(seed=scenario.seed, options={"scenario": scenario})
        agent.begin(Task(observation["instruction"], info["tools"], info["policy"], scenario.seed + trial))
        while verdict is None:
            asked = time.perf_counter()
            action = agent.act(observation)
            observation, _, terminated, _, info = env.step(action)
            latencies += [round(time.perf_counter() - asked, 6)] * (len(base.trace) - len(latencies))
            if verdict := info.get("verdict"):
                ended = "finish" if terminated else "max_steps"
    except ContextExceeded as error:
        ended, verdict = "context", base.verdict() if base.trace else Verdict.unjudged(str(error))
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
    try:
        env.reset(seed=scenario.seed, options={"scenario": scenario})
        for entry in record["events"]:
            env.step("" if entry["name"] == UNPARSED else ToolCall(entry["name"], entry["arguments"]))
        return env.verdict()
    except FormulaError as error:
        return Verdict.unjudged(f"{type(error).__name__}: {error}")
    finally:
        env.close()


def environment(scenario: Scenario, variant: str) -> ComplianceEnv:
    """Return an environment for one scenario."""
    domain = load_domain(scenario.domain)
    return ComplianceEnv(domain, lambda seed: scenario, variant=variant, max_steps=MAX_STEPS)


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON, with its outcome; what was judged apart is in it where there is any."""
    outcome = verdict.outcome
    data = json.loads(json.dumps(asdict(verdict)))
    if not data["apart"]:
        del data["apart"]
    return {**data, "outcome": outcome.value if outcome else "unjudged"}


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
        raise AgentError(f"no agent {spec!r}{near_miss(name, AGENTS)}") from error


def _require_same(known: Record, scenario: Scenario, settings: Mapping[str, Any], log: Path) -> None:
    """A record of a version that did not keep its settings is taken to have the same."""
    if known["digest"] != scenario.digest:
        raise LogError(f"{log}: {scenario.id} was run on another version of its domain; use a new folder")
    before = known.get("settings", settings)
    if before != settings:
        raise LogError(f"{log}: {known['agent']} was run with {before}, not with {dict(settings)}; use a new folder")


def _explanations(env: ComplianceEnv) -> Record:
    return {rule: [_explanation(why) for why in found] for rule, found in env.explain().items()}


def _explanation(why: Explanation) -> Record:
    return {
        "permanent_at": why.permanent_at,
        "relevant": list(why.relevant),
        "text": str(why),
        "repair": " and ".join(map(str, why.repair.edits)) if why.repair else None,
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
