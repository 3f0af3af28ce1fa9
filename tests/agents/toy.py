"""A toy business of two tools, and the loop that an environment would run."""

import json
from typing import Annotated, Any, TypedDict

from pydantic import Field

from lexgym.agents.protocol import FullAgent
from lexgym.core import FINISH, Event, Task
from lexgym.errors import MalformedCall, Refused
from lexgym.tools.calls import parse_call
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema
from lexgym.tools.toolbox import Toolbox

SQL = "CREATE TABLE accounts (number TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT;"


class Balance(TypedDict):
    account: str
    balance: int


def get_balance(db: Database, *, account: Annotated[str, Field(pattern=r"^A-\d+$")]) -> Balance:
    """Return the balance of an account in cents."""
    row = db.one("SELECT number AS account, balance FROM accounts WHERE number = ?", account)
    if row is None:
        raise Refused("no_such_account", f"there is no account {account}")
    return Balance(account=row["account"], balance=row["balance"])


def close_account(db: Database, *, account: str, reason: str | None = None) -> bool:
    """Close an account."""
    return True


TOOLBOX = Toolbox.of([get_balance, close_account])
POLICY = "Art. 7: before an account is closed, its balance is to be read."
TASK = Task("Please close account A-1, the customer asked for it.", TOOLBOX.schemas, POLICY, seed=11)


def play(agent: FullAgent, task: Task = TASK, *, limit: int = 10) -> list[Event]:
    """Run one episode and return its events, `finish` excluded."""
    schema = Schema(SQL)
    db = Database(schema)
    db.insert("accounts", number="A-1", balance=100)
    events: list[Event] = []
    result = ""
    agent.begin(task)
    for step in range(limit):
        action: Any = agent.act({"instruction": task.instruction, "result": result, "step": step})
        if _finishes(action):
            break
        events.append(TOOLBOX.attempt(db, action, step=step + 1))
        result = json.dumps({"status": events[-1].status, "result": events[-1].result})
    return events


def _finishes(action: Any) -> bool:
    try:
        return parse_call(action).name == FINISH
    except MalformedCall:
        return False
