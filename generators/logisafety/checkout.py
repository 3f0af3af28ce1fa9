"""Reading a user's checkout of the authors' repository: tasks, states, rules and policy texts, as they are there.

checkout = read_checkout(Path("LOGISAFETYGEN"))
checkout.tasks["teladoc"][0].goal
checkout.skipped        # entries that hold no task, each with its reason
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexgym.core import ADHERENCE, RESTRICTION
from lexgym.errors import CheckoutError
from lexgym.scenario import OwnRule

ORIGIN = "https://github.com/dasong-sd/LOGISAFETYGEN"

REGULATIONS = {"bank_manager": "psd2", "teladoc": "hipaa", "smart_lock": "esti"}
"""The toolkits, and the folder of the regulation that each is under."""

_TEMPLATES = {"operational restriction": RESTRICTION, "instruction adherence": ADHERENCE}
_LFS = b"version https://git-lfs.github.com/spec/"
_TASK = ("ground_truth_program", "variable_def_instruction", "goal_instruction", "workflow_instruction", "init_block")


@dataclass(frozen=True, slots=True)
class Task:
    """A task in two wordings, its states, and the program that is its reference."""

    id: str
    toolkit: str
    variables: str
    descriptions: str
    goal: str
    workflow: str
    program: str
    initial: Mapping[str, Any]
    final: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Checkout:
    """What a checkout holds, by toolkit; `files` has the SHA-256 of each file that was read."""

    tasks: Mapping[str, tuple[Task, ...]]
    rules: Mapping[str, tuple[OwnRule, ...]]
    policies: Mapping[str, str]
    skipped: tuple[str, ...]
    files: Mapping[str, str]


def read_checkout(root: Path) -> Checkout:
    """Read a checkout; raise `CheckoutError`, which names the file and the entry, for what is missing or broken."""
    if not _is_checkout(root):
        near = next(filter(_is_checkout, [*root.resolve().parents, *_folders(root)]), None)
        what = "it has no results/benchmark_data" if root.is_dir() else "there is no such folder"
        hint = f"did you mean {near}?" if near else f"clone {ORIGIN} and name its folder"
        raise CheckoutError(f"{root} is no checkout of LOGISAFETYGEN: {what}; {hint}")
    reader = _Reader(root)
    tasks = {toolkit: reader.tasks(toolkit) for toolkit in REGULATIONS}
    return Checkout(
        tasks=tasks,
        rules={toolkit: reader.rules(folder) for toolkit, folder in REGULATIONS.items()},
        policies={toolkit: reader.policy(folder) for toolkit, folder in REGULATIONS.items()},
        skipped=tuple(reader.skipped),
        files=dict(sorted(reader.files.items())),
    )


def _is_checkout(root: Path) -> bool:
    return (root / "results" / "benchmark_data").is_dir()


def _folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []


class _Reader:
    """Reads the files of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, str] = {}
        self.skipped: list[str] = []

    def tasks(self, toolkit: str) -> tuple[Task, ...]:
        states = self._states(toolkit)
        name = f"results/benchmark_data/labeled_{toolkit}_dataset.json"
        found, seen = [], set()
        for number, entry in enumerate(_list(self._json(name), name), 1):
            where = f"{name}: entry {number}"
            if not any(_object(entry, where).values()):
                self.skipped.append(f"{where} is empty")
                continue
            key = _text(entry, "trace_id", where)
            if key in seen:
                raise CheckoutError(f"{where}: {key!r} is there twice")
            if key not in states:
                raise CheckoutError(f"{where}: there are no states of {key!r} among the ground truth")
            program, descriptions, goal, workflow, variables = (_text(entry, field, where) for field in _TASK)
            initial, final = states[key]
            seen.add(key)
            found.append(Task(key, toolkit, variables, descriptions, goal, workflow, program, initial, final))
        if not found:
            raise CheckoutError(f"{name} holds no task")
        return tuple(found)

    def rules(self, folder: str) -> tuple[OwnRule, ...]:
        name = f"ltl_generator/results/{folder}/7_label_ltl_rules.json"
        entries = _list(_object(self._json(name), name).get("valid_ltl_rules"), f"{name}: valid_ltl_rules")
        if not entries:
            raise CheckoutError(f"{name}: there are no rules in it")
        return tuple(_rule(entry, number, f"{name}: rule {number}") for number, entry in enumerate(entries, 1))

    def policy(self, folder: str) -> str:
        """Return the policy texts as paragraphs, each under its source."""
        name = f"ltl_generator/results/{folder}/0_relevant_policies.json"
        entries = _list(_object(self._json(name), name).get("relevant_policies"), f"{name}: relevant_policies")
        paragraphs = []
        for number, entry in enumerate(entries, 1):
            policy = _object(_object(entry, f"{name}: policy {number}").get("policy"), f"{name}: policy {number}")
            texts = [policy.get(field) for field in ("policy_description", "scope", "definition")]
            paragraphs.append("\n".join([f"[{_source(policy)}]", *(text for text in texts if isinstance(text, str))]))
        return "\n\n".join(paragraphs)

    def _states(self, toolkit: str) -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]]:
        name = f"results/ground_truth_data/{toolkit}_ground_truth_cases.json"
        cases = _list(_object(self._json(name), name).get("test_cases"), f"{name}: test_cases")
        found: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}
        for number, entry in enumerate(cases, 1):
            case = _object(entry, f"{name}: case {number}")
            where = f"{name}: {case.get('trace_id', f'case {number}')}"
            initial, final = (
                _object(case.get(which), f"{where}: {which}") for which in ("initial_state", "final_state")
            )
            found[_text(case, "trace_id", where)] = (initial, final)
        return found

    def _json(self, name: str) -> Any:
        path = self.root / name
        again = f"; `git checkout -- {name}` in the checkout brings it back"
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise CheckoutError(f"the checkout has no {name}: {path} does not exist{again}") from None
        except OSError as error:
            raise CheckoutError(f"{path} cannot be read: {error.strerror}") from None
        if data.startswith(_LFS):
            raise CheckoutError(
                f"{path} is a pointer of Git LFS, not the file: `git lfs pull` in the checkout fetches it"
            )
        try:
            found = json.loads(data, parse_constant=_no_constant)
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeError as error:
            raise CheckoutError(f"{path} is no text in UTF-8: {error}{again}") from None
        except (ValueError, RecursionError) as error:
            raise CheckoutError(f"{path} is no JSON: {error}{again}") from None
        self.files[name] = hashlib.sha256(data).hexdigest()
        return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _rule(entry: Any, number: int, where: str) -> OwnRule:
    rule = _object(entry, where)
    policy = _object(rule.get("source_policy", {}), where)
    text = policy.get("policy_description")
    category = str(rule.get("risk_category", "")).lower()
    return OwnRule(
        id=f"rule-{number}",
        formula=_text(rule, "final_ltl_rule", where),
        text=text if isinstance(text, str) else "",
        source=_source(policy),
        template=_TEMPLATES.get(category, "other"),
    )


def _source(policy: Mapping[str, Any]) -> str:
    reference = policy.get("reference")
    return str(reference.get("source_id", "")) if isinstance(reference, Mapping) else ""


def _text(entry: Mapping[str, Any], field: str, where: str) -> str:
    value = entry.get(field)
    if not isinstance(value, str) or not value.strip():
        raise CheckoutError(f"{where}: {field!r} is {str(value)[:40]!r}, not a text")
    return value


def _object(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise CheckoutError(f"{where}: expected an object, found {str(value)[:40]!r}")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise CheckoutError(f"{where}: expected a list, found {str(value)[:40]!r}")
    return value
