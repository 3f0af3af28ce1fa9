"""Automata as pictures: well-formed, complete, without labels on top of one another."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from lexgym.envs.registry import load_domain
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import Automaton, RuleAutomaton, compile, compile_rule  # noqa: A004
from lexgym.oracles.ltlf.picture import to_dot, to_svg
from lexgym.oracles.ltlf.picture.chart import chart_of
from lexgym.oracles.ltlf.picture.labels import wrapped

FINANCE = {rule.id: rule.formula for rule in load_domain("finance").rules}
FORMULAS = [
    "true",
    "false",
    "G(a -> F b)",
    "precedence(check, pay[amount > 50000])",
    "alternate_succession(a, b)",
    "exclusive_choice(a, b)",
    "absence(6, a)",
    "F(a & X(c & X(F(b & X(d)))))",
    "G(a -> F x) & G(b -> F y) & G(c -> F z)",
    "G(pay[amount > 5] -> F note) & G(pay[amount > 9] -> F check)",
    'G("a<b>&\\"c\\"" -> F "日本")',
    FINANCE["card-settings"],
    FINANCE["failed-attempts"],
    FINANCE["traceability"],
]
SVG = "{http://www.w3.org/2000/svg}"


def automata() -> list[Automaton | RuleAutomaton]:
    return [
        *map(compile_rule, FORMULAS),
        compile("G(a -> X b)"),
        compile("G(a -> X b)", events="multi"),
        compile("(a & b) U c", events="multi"),
    ]


@pytest.mark.parametrize("automaton", automata(), ids=lambda automaton: str(automaton.formula)[:40])
def test_the_picture_is_well_formed_and_names_every_state(automaton: Automaton | RuleAutomaton) -> None:
    root = ElementTree.fromstring(to_svg(automaton))
    names = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "name"]
    assert sorted(map(str, names)) == sorted(f"s{i}" for i in range(len(automaton.dfa)))
    rings = [circle for circle in root.iter(f"{SVG}circle") if circle.get("fill") == "none"]
    assert len(rings) == sum(automaton.dfa.accepting)
    tips = [title.text for title in root.iter(f"{SVG}title")]
    for edge in chart_of(automaton).edges:
        assert "\n".join(edge.labels) in tips


@pytest.mark.parametrize("automaton", automata(), ids=lambda automaton: str(automaton.formula)[:40])
def test_labels_and_states_lie_apart_and_inside(automaton: Automaton | RuleAutomaton) -> None:
    root = ElementTree.fromstring(to_svg(automaton))
    boxes = []
    for rect in root.iter(f"{SVG}rect"):
        if rect.get("class") == "ground":
            x, y, w, h = (float(rect.get(key, "")) for key in ("x", "y", "width", "height"))
            boxes.append((x, y, x + w, y + h))
    for circle in root.iter(f"{SVG}circle"):
        r = float(circle.get("r", ""))
        if r > 20:
            x, y = float(circle.get("cx", "")), float(circle.get("cy", ""))
            boxes.append((x - r, y - r, x + r, y + r))
    for one, two in combinations(boxes, 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
    width, height = (float(root.get(key, "")) for key in ("width", "height"))
    assert all(x0 >= -50 and y0 >= -24 and x1 <= width - 50 and y1 <= height - 24 for x0, y0, x1, y1 in boxes)


@pytest.mark.parametrize("automaton", automata(), ids=lambda automaton: str(automaton.formula)[:40])
def test_dot_names_every_state_and_edge(automaton: Automaton | RuleAutomaton) -> None:
    text = to_dot(automaton)
    assert re.findall(r"^  (s\d+) \[", text, re.M) == [f"s{i}" for i in range(len(automaton.dfa))]
    assert len(re.findall(r"^  s\d+ -> s\d+ \[", text, re.M)) == len(chart_of(automaton).edges)
    assert text.count("doublecircle") == sum(automaton.dfa.accepting)
    unquoted = re.sub(r'"(\\.|[^"\\])*"', "", text)
    assert '"' not in unquoted
    assert unquoted.count("[") == unquoted.count("]")


def test_the_same_automaton_gives_the_same_picture() -> None:
    for text in FORMULAS:
        assert to_svg(compile_rule(text)) == to_svg(compile_rule(text))


def test_letters_are_merged_into_few_words() -> None:
    chart = chart_of(compile_rule("G(pay[amount > 5] -> F note) & G(pay[amount > 9] -> F check)"))
    labels = {(edge.source, edge.target): edge.labels for edge in chart.edges}
    assert labels[0, 0] == ("any other call",)
    assert sorted(labels[0, target] for target in (1, 2)) == [
        ("pay[amount > 5, amount <= 9]",),
        ("pay[amount > 9]",),
    ]
    assert chart_of(compile_rule("absence(login)")).edges[-1].labels == ("any call",)
    multi = chart_of(compile("a & b", events="multi"))
    assert {edge.labels for edge in multi.edges if edge.source == 0} == {("a & b",), ("!a", "!b")}


def test_long_labels_are_shortened_and_whole_in_the_tooltip() -> None:
    svg = to_svg(compile_rule(f"G(!({' | '.join(f'tool_with_a_long_name_{i}' for i in range(9))}))"))
    assert "… 4 more" in svg
    assert "tool_with_a_long_name_8" in svg


def test_what_all_labels_share_is_said_once() -> None:
    automaton = compile_rule(FINANCE["failed-attempts"])
    svg = to_svg(automaton)
    drawn = re.findall(r'<text class="label"[^>]*>(.*?)</text>', svg)
    assert "for each customer_id c" in svg
    assert not any("customer_id" in line or "…" in line for line in drawn)
    assert {"result.authenticated = false]", "confirm_remote_action["} <= set(drawn)
    assert 'label="for each customer_id c"' in to_dot(automaton)
    assert "for each" not in to_svg(compile_rule("G(a -> F b)"))


def test_the_legend_has_the_four_verdicts_words_and_codes() -> None:
    svg = to_svg(compile_rule("(a -> F b) & (G !c)"))
    for words in ("satisfied so far (CS)", "violated so far (CV)", "violated for good (PV)"):
        assert svg.count(words) == 1
    assert "satisfied for good (PS)" in to_svg(compile_rule("F a"))


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("pay[amount > 5, to = 3]", 40, ["pay[amount > 5, to = 3]"]),
        ("pay[amount > 5, to = 3]", 12, ["pay[", "amount > 5,", "to = 3]"]),
        ("pay[amount > 5000000]", 10, ["pay[amount", "> 5000000]"]),
        ("a_long_name.of_a_tool", 8, ["a_long_", "name.of_", "a_tool"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
    ],
)
def test_labels_are_broken_where_they_can_be(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines


def test_too_many_states_are_not_drawn() -> None:
    huge = compile(" & ".join(f"G(a{i} -> F b{i})" for i in range(9)))
    with pytest.raises(StateLimitExceeded, match="400"):
        to_svg(huge)
    with pytest.raises(StateLimitExceeded, match="400"):
        to_dot(huge)
