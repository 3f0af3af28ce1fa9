"""What guards say of one another agrees with the automata, and rules that lead back to their beginning are found."""

import itertools
import random

import pytest

from lexgym.generators.extraction.alive import Alive
from lexgym.generators.extraction.containment import contained
from lexgym.generators.extraction.cycles import rounds
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.relations import Relations
from lexgym.generators.extraction.screening import faults
from lexgym.generators.extraction.toolset import signature_of
from lexgym.oracles.ltlf import parse
from lexgym.oracles.ltlf.syntax import Atom, atoms_of

from .museum import cards

SIGNATURE = signature_of(cards())
GUARDS = (
    "", "value > 500", "value > 900", "value >= 900", "value <= 400", "value > 500, value <= 900", "value = 700",
    "value in [600, 700]", "value != 700", 'result.kind = "painting"', 'result.kind in ["painting", "manuscript"]',
    '!(result.kind = "painting")', 'result.kind != "painting"', '!(value in [700, 800])', "!(value > 500)",
    'result.kind = "sculpture", value > 900',
)  # fmt: skip


def atom(guard: str) -> Atom:
    (found,) = atoms_of(parse(f"F lend_exhibit[{guard}]" if guard else "F lend_exhibit"))
    return found


def test_what_guards_say_is_what_automata_say() -> None:
    decided = 0
    for one, other in itertools.product(GUARDS, GUARDS):
        answer = contained(atom(one), atom(other))
        first, second = (f"G !lend_exhibit[{guard}]" if guard else "G !lend_exhibit" for guard in (other, one))
        relations = Relations([first, second], SIGNATURE)
        if answer is not None:
            decided += 1
            assert answer == relations.implies(0, 1), (one, other)
    assert decided > 0.6 * len(GUARDS) ** 2


@pytest.mark.parametrize("seed", range(3))
def test_rules_compared_by_their_guards_are_compared_as_automata_are(seed: int) -> None:
    chance = random.Random(seed)
    shared = ("museum_id = m", "exhibit_id = m, museum_id = m", "exhibit_id = m")
    formulas = []
    for _ in range(8):
        act = ", ".join(filter(None, [chance.choice(shared), chance.choice(GUARDS)]))
        check = chance.choice(["museum_id = m", "museum_id = m, result.insured", "exhibit_id = m"])
        formulas.append(f"forall m. (!lend_exhibit[{act}]) W check_insurance[{check}]")
    relations = Relations(formulas, SIGNATURE)
    for one, other in itertools.permutations(range(len(formulas)), 2):
        (left,), (right,) = relations.parts[one], relations.parts[other]
        assert relations.implies(one, other) == relations.by_automata(left.formula, right.formula), formulas[one]


@pytest.mark.parametrize(
    "formula",
    [
        "(!clean_exhibit) W assess_condition[result.sound]",
        "forall e. G(lend_exhibit[exhibit_id = e] -> F enter_in_register[subject = e, result.entered])",
        "(!lend_exhibit[value > 5, value < 3]) W assess_condition",
        "(!clean_exhibit) W clean_exhibit",
        "absence(2, clean_exhibit)",
        "(!clean_exibit) W assess_condition",
        'G(lend_exhibit[result.kind = "painting", result.kind = "sculpture"] -> F clean_exhibit)',
    ],
)
def test_what_is_surely_sound_has_no_faults(formula: str) -> None:
    sure = Alive(SIGNATURE, Memory()).surely(formula)
    assert not (sure and faults(formula, SIGNATURE))
    assert sure == formula.startswith(("(!clean_exhibit) W assess", "forall e. G(lend"))


def test_rounds_are_found_through_guards_and_values() -> None:
    formulas = [
        "forall e. (!lend_exhibit[exhibit_id = e]) W assess_condition[exhibit_id = e, result.sound]",
        "forall e. (!assess_condition[exhibit_id = e]) W clean_exhibit[exhibit_id = e]",
        "forall e. (!clean_exhibit[exhibit_id = e]) W photograph_exhibit[exhibit_id = e]",
        "(!photograph_exhibit) W assess_condition",
        "G(lend_exhibit -> F clean_exhibit)",
        "G(clean_exhibit -> F lend_exhibit[value > 5])",
    ]
    found = list(rounds(formulas, SIGNATURE))
    assert found == [(3, (1, 2), "photograph_exhibit"), (5, (4,), "clean_exhibit")]


def test_what_only_some_calls_need_makes_no_round() -> None:
    formulas = [
        "(!assess_condition[result.sound]) W clean_exhibit",
        "(!clean_exhibit) W assess_condition[result.sound = false]",
        "G(lend_exhibit -> F clean_exhibit)",
        "G(clean_exhibit -> F take_back_exhibit)",
        "(!take_back_exhibit) W lend_exhibit",
    ]
    assert list(rounds(formulas, SIGNATURE)) == []
