"""What counts as found, weakly found, covered, touched; right, stricter and wrong."""

from lexgym.core import RESTRICTION, Rule
from lexgym.envs.registry import load_domain
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.scoring import Score, score
from lexgym.generators.extraction.toolset import cards_of, signature_of

from .museum import cards

HAND = (
    "forall e. (!(clean_exhibit[exhibit_id = e] | photograph_exhibit[exhibit_id = e])) "
    "W assess_condition[exhibit_id = e, result.sound]"
)


def scored(*formulas: str, hand: str = HAND) -> Score:
    extracted = [Rule(f"x{n}", formula, "", template=RESTRICTION) for n, formula in enumerate(formulas)]
    return score(extracted, [Rule("hand", hand, "", template=RESTRICTION)], signature_of(cards()))


def part(tool: str, guard: str = ", result.sound") -> str:
    return f"forall e. (!{tool}[exhibit_id = e]) W assess_condition[exhibit_id = e{guard}]"


def levels(found: Score) -> tuple[bool, bool, bool, bool]:
    return (bool(found.found), bool(found.covered), bool(found.weakly), bool(found.touched))


def test_an_equivalent_rule_is_found() -> None:
    found = scored(HAND.replace("(!(", "!((!assess_condition[exhibit_id = e, result.sound]) U (").split(" W ")[0])
    assert levels(found) == (True, True, True, True)
    assert found.right == ("x0",)


def test_its_halves_cover_it_without_finding_it() -> None:
    found = scored(part("clean_exhibit"), part("photograph_exhibit"))
    assert levels(found) == (False, True, False, True)
    assert found.right == ("x0", "x1")


def test_one_half_touches_it() -> None:
    found = scored(part("clean_exhibit"))
    assert levels(found) == (False, False, False, True)
    assert (found.right, found.missed) == (("x0",), ())


def test_the_same_tools_with_another_answer_are_weakly_found_and_wrong() -> None:
    found = scored(HAND.replace("result.sound", "result.sound = false"))
    assert levels(found) == (False, False, True, True)
    assert found.wrong == ("x0",)


def test_a_rule_that_asks_for_more_is_stricter() -> None:
    found = scored(part("clean_exhibit"), hand=part("clean_exhibit", ""))
    assert (found.right, found.stricter, found.wrong) == ((), ("x0",), ())


def test_another_rule_is_wrong_and_misses() -> None:
    found = scored("(!lend_exhibit) W check_climate")
    assert (found.wrong, found.missed) == (("x0",), ("hand",))


def test_a_manual_of_ours_gives_a_good_part_of_its_rules() -> None:
    domain = load_domain("finance")
    known = cards_of(domain)
    rules = [candidate.rule() for candidate in read_offline(domain.manual, known) if candidate.kept]
    found = score(rules, domain.rules, signature_of(known))
    assert len(found.found) >= 0.3 * len(found.written)
    assert len(found.right) >= 0.5 * len(found.extracted)
