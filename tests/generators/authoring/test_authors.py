"""The pair of authors: good answers are taken, bad ones go back with the reason, our checks have the last word."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from lexgym.envs.registry import load_domain
from lexgym.generators.authoring.authors import Authors
from lexgym.generators.authoring.prompting import criticism, tool_parameters, writing
from lexgym.generators.authoring.reconstruction import differences, read_calls
from lexgym.generators.wording import Spoken, anchors, requests, write
from lexgym.registration import scenario
from lexgym.scenario import Scenario


def found() -> Scenario:
    return next(one for seed in range(20) if len(requests(one := scenario("finance", seed))) == 2)


def new_texts(base: Scenario, seed: int = 1) -> dict[str, str]:
    """Other wordings of the same requests."""
    return write(load_domain(base.domain), requests(base), anchors(base)[0], random.Random(seed))


def as_read(spoken: Sequence[Spoken], **extra: Any) -> str:
    """What a critic answers who understands everything."""
    domain = load_domain("finance")
    calls = [
        {
            "tool": step.call.name,
            "arguments": [
                {"name": p.name, "value": step.values[p.name]}
                for p in tool_parameters(domain, step.call.name)
                if p.name in step.values
            ],
        }
        for step in spoken
    ]
    return json.dumps({"calls": calls, "unclear": [], "hints": [], **extra})


class Scripted:
    """A model that gives these answers in turn, the last one again and again, and remembers what it was asked."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = answers, list[list[dict[str, str]]]()

    def __call__(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> str:
        self.asked.append(messages)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


def test_good_wordings_are_taken_at_once() -> None:
    base = found()
    texts = new_texts(base)
    writer, critic = Scripted(json.dumps(texts)), Scripted(as_read(requests(base)))
    done = Authors(writer, critic).reword(base)
    assert (dict(done.scenario.instructions), dict(done.kept), done.rounds) == (texts, {}, 1)
    assert (len(writer.asked), len(critic.asked)) == (1, 2)


def test_the_writer_sees_no_safety_step() -> None:
    base = found()
    text = json.dumps(writing(anchors(base)[0], requests(base), base.instructions, random.Random(0)))
    text += json.dumps(criticism(load_domain("finance"), base.instruction("goal")))
    for step in base.reference:
        assert step.safety is False or step.name not in text


BAD: dict[str, Callable[[dict[str, str]], str]] = {
    "prose": lambda texts: "I would rather write a poem.",
    "nothing": lambda texts: "",
    "a list": lambda texts: json.dumps([texts]),
    "other keys": lambda texts: json.dumps({"text": texts["goal"]}),
    "numbers": lambda texts: json.dumps({"goal": 1, "workflow": None}),
    "a leak": lambda texts: json.dumps({key: f"{text} Verify it first." for key, text in texts.items()}),
    "left out": lambda texts: json.dumps(dict.fromkeys(texts, "Please do what is needed.")),
    "endless": lambda texts: json.dumps({key: text * 99 for key, text in texts.items()}),
}
REASONS = {
    "a leak": "do not write 'verify'",
    "left out": "it has to name",
    "endless": "more than 4000",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_answer_goes_back_and_a_good_one_is_taken(kind: str) -> None:
    base = found()
    texts = new_texts(base)
    writer, critic = Scripted(BAD[kind](texts), json.dumps(texts)), Scripted(as_read(requests(base)))
    done = Authors(writer, critic).reword(base)
    assert (dict(done.scenario.instructions), done.rounds) == (texts, 2)
    assert REASONS.get(kind, "there is no such text") in writer.asked[1][-1]["content"]


@pytest.mark.parametrize("kind", BAD)
def test_what_never_gets_better_keeps_its_wording_and_says_why(kind: str) -> None:
    base = found()
    writer, critic = Scripted(BAD[kind](new_texts(base))), Scripted(as_read(requests(base)))
    done = Authors(writer, critic, rounds=2).reword(base)
    assert done.scenario == base
    assert set(done.kept) == {"goal", "workflow"}
    assert REASONS.get(kind, "there is no such text") in done.kept["goal"]
    assert (len(writer.asked), critic.asked) == (2, [])


def test_one_wording_may_be_new_and_the_other_stay() -> None:
    base = found()
    texts = {**new_texts(base), "workflow": "Do it."}
    done = Authors(Scripted(json.dumps(texts)), Scripted(as_read(requests(base)))).reword(base)
    assert done.scenario.instruction("goal") == texts["goal"]
    assert done.scenario.instruction("workflow") == base.instruction("workflow")
    assert set(done.kept) == {"workflow"}


def test_what_a_reader_takes_wrongly_is_not_taken() -> None:
    base = found()
    texts = json.dumps(new_texts(base))
    for answer, why in (
        (as_read(requests(base)[:1]), "does not find the request"),
        (as_read([*requests(base), requests(base)[0]]), "which is none"),
        ("prose", "no usable answer"),
    ):
        done = Authors(Scripted(texts), Scripted(answer), rounds=1).reword(base)
        assert why in done.kept["goal"]
    turned = as_read(requests(base)[::-1])
    done = Authors(Scripted(texts), Scripted(turned), rounds=1).reword(base)
    assert set(done.kept) == {"workflow"}
    assert "another order" in done.kept["workflow"]


def test_what_the_critic_remarks_counts_while_rounds_are_left() -> None:
    base = found()
    writer = Scripted(json.dumps(new_texts(base)))
    done = Authors(writer, Scripted(as_read(requests(base), unclear=["which one?"])), rounds=2).reword(base)
    assert (done.kept, done.rounds) == ({}, 2)
    assert "unclear: which one?" in writer.asked[1][-1]["content"]


def test_arguments_are_compared_by_what_people_call_things() -> None:
    domain, base = load_domain("finance"), found()
    spoken = requests(base)
    right = read_calls(json.loads(as_read(spoken)))
    assert differences(domain, spoken, right, in_order=True) == []
    name = next(n for n, a in right if a)
    wrong = [(n, dict.fromkeys(a, "something else") if n == name else a) for n, a in right]
    assert any("a reader takes 'something else'" in each for each in differences(domain, spoken, wrong, in_order=True))


@pytest.mark.parametrize(
    "answer", [{}, {"calls": 3}, {"calls": [3, {"tool": 5}, {"tool": "x", "arguments": "y"}]}, {"calls": [{"a": 1}]}]
)
def test_calls_of_another_form_are_left_out(answer: dict[str, Any]) -> None:
    assert all(arguments == {} for _, arguments in read_calls(answer))
