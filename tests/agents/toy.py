"""A toy business of two tools, and the loop that an environment would run."""

import json
from typing import Annotated, TypedDict

from pydantic import Field

from lexgym.agents.protocol import FullAgent
from lexgym.core import Event, Task
from lexgym.errors import Refused
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
    db = Database(Schema(SQL))
    db.insert("accounts", number="A-1", balance=100)
    events: list[Event] = []
    result = ""
    agent.begin(task)
    for step in range(limit):
        action = agent.act({"instruction": task.instruction, "result": result, "step": step})
        event = TOOLBOX.attempt(db, action, step=step + 1)
        if event is None:
            break
        events.append(event)
        result = json.dumps({"status": event.status, "result": event.result})
    return events
