"""Which candidates stay, and why the others go."""

import pytest

from lexgym.generators.extraction import relations, together
from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.extracting import summary
from lexgym.generators.extraction.relations import Relations
from lexgym.generators.extraction.screening import Screening, screened
from lexgym.generators.extraction.toolset import signature_of

from .museum import cards


def screen(*formulas: str) -> list[tuple[str, str]]:
    candidates = [Candidate(f"r{n}", formula, "A sentence.", n, "1") for n, formula in enumerate(formulas, 1)]
    return [(c.status.value, c.why) for c in screened(candidates, cards())]


CHECKED = "(!clean_exhibit) W assess_condition[result.sound]"


def test_names_that_do_not_exist_are_dropped_with_the_closest() -> None:
    (tool, argument, field, value) = screen(
        "(!clean_exibit) W assess_condition",
        "forall e. (!clean_exhibit[exhibitid = e]) W assess_condition[exhibit_id = e]",
        "(!clean_exhibit) W assess_condition[result.sond]",
        'G !lend_exhibit[result.kind = "manuscripts"]',
    )
    for (status, why), word in zip(
        (tool, argument, field, value), ("clean_exhibit", "exhibit_id", "sound", "manuscript"), strict=True
    ):
        assert status == "dropped"
        assert f"did you mean '{word}'?" in why


def test_the_same_formula_is_kept_once() -> None:
    found = screen(*[CHECKED] * 50)
    assert found[0] == ("kept", "")
    assert set(found[1:]) == {("dropped", "the same formula as r1")}


def test_the_same_demand_in_other_words_is_kept_once() -> None:
    found = screen(CHECKED, "!((!assess_condition[result.sound]) U clean_exhibit)")
    assert found == [("kept", ""), ("dropped", "demands the same as r1")]


def test_what_another_rule_implies_is_dropped_whatever_the_order() -> None:
    weak = "(!clean_exhibit) W assess_condition"
    assert screen(weak, CHECKED) == [("dropped", "follows from r2"), ("kept", "")]
    assert screen(CHECKED, weak) == [("kept", ""), ("dropped", "follows from r1")]


def test_a_rule_that_asks_for_more_shared_values_implies_the_other() -> None:
    strict = (
        "forall e, m. (!lend_exhibit[exhibit_id = e, museum_id = m]) W check_insurance[exhibit_id = e, museum_id = m]"
    )
    loose = "forall m. (!lend_exhibit[museum_id = m]) W check_insurance[museum_id = m]"
    assert screen(loose, strict) == [("dropped", "follows from r2"), ("kept", "")]


def test_rules_that_say_nothing_are_dropped() -> None:
    found = screen("G(clean_exhibit -> clean_exhibit)", "F clean_exhibit & G !clean_exhibit")
    assert [status for status, _ in found] == ["dropped", "dropped"]
    assert found[0][1].startswith("Every trace satisfies")


def test_rules_that_shut_each_other_out_are_not_both_kept() -> None:
    found = screen("(!clean_exhibit) W assess_condition", "(!assess_condition) W clean_exhibit")
    assert found[0] == ("kept", "")
    assert found[1][0] == "dropped"
    assert found[1][1] == "cannot be kept together with r1: assess_condition could never be called"
    conflict = screen("F clean_exhibit", "G !clean_exhibit")
    assert conflict == [("kept", ""), ("dropped", "cannot be kept together with r1")]


THREE = [
    "(!lend_exhibit) W assess_condition[result.sound]",
    "(!lend_exhibit) W check_climate[result.steady]",
    "absence(3, lend_exhibit)",
]


def open_questions(*formulas: str) -> list[str]:
    candidates = [Candidate(f"r{n}", formula, "A sentence.", n, "1") for n, formula in enumerate(formulas, 1)]
    screening = Screening(cards())
    screening.run(candidates)
    return screening.undecided


def test_sets_that_were_too_large_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_questions(*THREE) == []
    monkeypatch.setattr(together, "MAX_TOGETHER", 2)
    about = "the 3 rules about lend_exhibit as a set: only 2 of them were looked at together, r3, r1"
    assert open_questions(*THREE) == [about]


def test_sets_that_were_too_many_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "MAX_SETS", 0)
    assert open_questions(*THREE) == ["the 3 rules about lend_exhibit as a set: r3, r1, r2"]


def test_rules_that_were_too_many_to_compare_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MAX_DECIDED", 0)
    found = open_questions("absence(3, lend_exhibit)", "absence(4, lend_exhibit)")
    assert found == ["whether r1, r2 follow from other rules: too many of their kind"]


def test_a_long_round_is_found_however_many_rules_there_are() -> None:
    steps = ["lend_exhibit", "clean_exhibit", "photograph_exhibit", "take_back_exhibit", "assess_condition"]
    formulas = [f"(!{one}) W {two}" for one, two in zip(steps, [*steps[1:], steps[0]], strict=True)]
    found = screen(*formulas)
    assert [status for status, _ in found] == ["kept"] * 4 + ["dropped"]
    assert found[4][1] == "cannot be kept together with r1, r2, r3, r4: assess_condition could never be called"


def test_a_rule_is_compared_part_by_part() -> None:
    act, check = (
        "clean_exhibit[exhibit_id = e] | photograph_exhibit[exhibit_id = e]",
        "assess_condition[exhibit_id = e]",
    )
    both = f"forall e. (!({act})) W {check}"
    one, two = (f"forall e. (!{tool}[exhibit_id = e]) W {check}" for tool in ("clean_exhibit", "photograph_exhibit"))
    relations = Relations([both, one, two], signature_of(cards()))
    assert relations.implies(0, 1)
    assert not relations.implies(1, 0)
    assert relations.follows(0, [1, 2])
    assert not relations.follows(0, [1])
    assert not relations.same(0, 1)


def test_a_rule_about_part_of_the_values_is_compared_whole() -> None:
    acts = "lend_exhibit[exhibit_id = e, museum_id = m]", "clean_exhibit[exhibit_id = e]"
    check = "check_insurance[exhibit_id = e, museum_id = m]"
    both = f"forall e, m. ((!{acts[0]}) W {check}) & G(clean_exhibit[exhibit_id = e] -> F {acts[0]})"
    relations = Relations([both, f"forall e, m. (!{acts[0]}) W {check}"], signature_of(cards()))
    assert [len(parts) for parts in relations.parts] == [1, 1]
    assert relations.implies(0, 1)
    assert not relations.implies(1, 0)


def test_progress_reaches_its_end() -> None:
    seen: list[tuple[int, int]] = []
    candidates = [Candidate("a", CHECKED, "", 1, ""), Candidate("b", "F clean_exhibit", "", 2, "")]
    screened(candidates, cards(), lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (6, 6)


def test_the_summary_counts_reasons() -> None:
    found = [
        Candidate("a", "x", "", 1, ""),
        Candidate("b", "x", "", 1, "", status=Status.DROPPED, why="no tool does what 'x' says"),
        Candidate("c", "x", "", 1, "", status=Status.DROPPED, why="no tool 'y'; did you mean 'x'?"),
    ]
    assert summary(found) == {"kept": 1, "names or forms that cannot be used": 1, "no tool does it": 1}
