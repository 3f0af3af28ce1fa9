"""The choice of a suite: what a recipe asks for is chosen, nothing is twice, splits are alike and apart."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from lexgym.core import RESTRICTION, Rule, ToolCall
from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError, SuiteError
from lexgym.generators import candidates as making
from lexgym.generators.candidates import Candidate, candidates
from lexgym.generators.distractors import distractors
from lexgym.generators.fingerprint import code, content_of
from lexgym.generators.kept import kept
from lexgym.generators.kinds import COUNTING, FORALL, STEPS, kinds_of
from lexgym.generators.recipe import Recipe, read_recipe
from lexgym.generators.suite import choose, distinct, refusals_wanted, split, tags_of
from lexgym.generators.traits import Observer, Traits, canonical, refusal_of
from lexgym.oracles.ltlf import compile_rule
from lexgym.registration import scenario
from lexgym.scenario import Scenario

RECIPE = """
name = "toy"
version = "1"
domains = ["finance"]
seed = 0
per_domain = 10
candidates = 40
refusals = 0.2
refusals_at_most = 0.4
splits = {train = 0.5, dev = 0.2, test = 0.3}
at_least = {rule = 0, tool = 0, ground = 1}
length = {"1-9" = 0.3, "10-" = 0.3}
kinds = {counting = 0.2}
"""
BARE = Traits(8, (), (), (), (), "", 0, "", "", "")


def recipe(**changes: Any) -> Recipe:
    return dataclasses.replace(read_recipe(RECIPE, "toy.toml"), **changes)


def made(seed: int, **changes: Any) -> Candidate:
    """A candidate with its own wording and state, as if it had been generated."""
    texts = {"goal": f"goal {seed}", "workflow": f"steps {seed}"}
    found = dataclasses.replace(scenario("finance", 0), id=f"finance-{seed}", instructions=texts, initial={}, target={})
    own = {"form": f"form {seed}", "shape": f"shape {seed}", "population": f"state {seed}"}
    return Candidate(seed, found.to_json(), dataclasses.replace(BARE, **(own | changes)))


def varied(count: int = 40) -> list[Candidate]:
    """Candidates of which every tenth counts and every fourth is a refusal, on one of three grounds."""
    return [
        made(
            seed,
            length=5 + seed % 12,
            kinds=("counting",) if seed % 10 == 0 else (),
            refusal=f"pay / check {seed % 3}" if seed % 4 == 1 else "",
            broken=(f"rule {seed % 7}",),
        )
        for seed in range(count)
    ]


def test_what_the_recipe_asks_for_is_chosen() -> None:
    chosen = choose(recipe(), load_domain("finance"), varied())
    traits = [item.traits for item in chosen.candidates if item.traits]
    assert len(traits) == 10
    assert chosen.short == ()
    assert {item.refusal for item in traits} - {""} == {"pay / check 0", "pay / check 1", "pay / check 2"}
    assert sum("counting" in item.kinds for item in traits) >= 2
    assert sum(item.length <= 9 for item in traits) >= 3
    assert sum(item.length >= 10 for item in traits) >= 3
    assert {name: len(items) for name, items in chosen.splits.items()} == {"train": 5, "dev": 2, "test": 3}


def test_the_order_of_the_candidates_does_not_matter() -> None:
    domain = load_domain("finance")
    assert choose(recipe(), domain, varied()) == choose(recipe(), domain, reversed(varied()))


def test_a_quota_that_cannot_be_met_is_named_with_its_numbers() -> None:
    found = [made(seed, length=20, kinds=("counting",) if seed == 3 else ()) for seed in range(20)]
    chosen = choose(recipe(refusals=Fraction(0)), load_domain("finance"), found)
    assert [str(item) for item in chosen.short] == [
        "length 1-9: 0 of 3 (0 candidates have it)",
        "kind counting: 1 of 2 (1 candidates have it)",
    ]
    assert 3 in {item.seed for item in chosen.candidates}


@pytest.mark.parametrize(
    ("count", "missing"), [(6, "10 different ordinary scenarios, 40 candidates have 6: 4 too few")]
)
def test_too_few_candidates(count: int, missing: str) -> None:
    found = [made(seed) for seed in range(count)] + [Candidate(99, problem="no trace")]
    with pytest.raises(SuiteError, match=missing):
        choose(recipe(), load_domain("finance"), found)


@pytest.mark.parametrize("what", ["shape", "population"])
def test_nothing_is_twice(what: str) -> None:
    found = [made(seed, **{what: "same"} if seed in (2, 5) else {}) for seed in range(8)]
    assert [item.seed for item in distinct(found)] == [0, 1, 2, 3, 4, 6, 7]


def test_no_wording_is_twice() -> None:
    found = [made(0), made(1)]
    twin = found[0].scenario.instructions
    copied = dataclasses.replace(found[1].scenario, instructions={"goal": "other", "workflow": twin["workflow"] + " "})
    assert [item.seed for item in distinct([found[0], dataclasses.replace(found[1], text=copied.to_json())])] == [0]


def test_refusals_follow_the_grounds_up_to_a_limit() -> None:
    found = [made(seed, refusal=f"pay / check {seed}") for seed in range(8)]
    assert refusals_wanted(recipe(), found) == 4  # eight grounds, but at most 40 % of ten
    assert refusals_wanted(recipe(), found[:1]) == 2  # one ground: the share
    assert refusals_wanted(recipe(), [made(1)]) == 0


def test_every_ground_comes_before_other_wants() -> None:
    rules = load_domain("finance").rules
    common = [made(seed, refusal="pay / check", broken=(rules[seed].id, rules[seed + 1].id)) for seed in range(8)]
    rare = [made(20 + seed, refusal=f"pay / other {seed}") for seed in range(3)]
    plain = [made(40 + seed) for seed in range(8)]
    wanted = recipe(at_least={"rule": 2, "ground": 1}, length={}, kinds={})
    chosen = choose(wanted, load_domain("finance"), [*common, *rare, *plain])
    assert len({item.traits.refusal for item in chosen.candidates if item.traits} - {""}) == 4


def test_exchanges_fill_what_the_first_choice_left() -> None:
    many = [made(seed, broken=("a", "b", "c", "d", "e", "f")) for seed in range(12)]
    domain = load_domain("finance")
    chosen = choose(
        recipe(refusals=Fraction(0), kinds={"counting": Fraction(1, 2)}),
        domain,
        many + [made(seed, kinds=("counting",), length=12) for seed in range(20, 25)],
    )
    assert sum("counting" in item.traits.kinds for item in chosen.candidates if item.traits) == 5


def test_splits_are_alike() -> None:
    found = varied()
    tags = {item.seed: tags_of(recipe(), item.traits) for item in found if item.traits}
    parts = split(recipe(), found, tags)
    assert {name: len(items) for name, items in parts.items()} == {"train": 20, "dev": 8, "test": 12}
    assert Counter(item.seed for items in parts.values() for item in items) == Counter(range(40))
    for name, share in recipe().splits.items():
        for tag, total in Counter(tag for own in tags.values() for tag in own).items():
            own = sum(tag in tags[item.seed] for item in parts[name])
            assert abs(own - share * total) <= 2, (name, tag)


def test_refusals_are_spread_although_each_has_a_ground_of_its_own() -> None:
    found = [
        made(seed, refusal=f"pay / check {seed}" if seed % 4 == 0 else "", length=5 + seed % 9) for seed in range(80)
    ]
    tags = {item.seed: tags_of(recipe(), item.traits) for item in found if item.traits}
    parts = split(recipe(), found, tags)
    refused = {name: sum(item.seed % 4 == 0 for item in items) for name, items in parts.items()}
    assert refused == {"train": 10, "dev": 4, "test": 6}
    for name, share in recipe().splits.items():
        assert len(parts[name]) == share * 80
        short = sum(item.traits.length <= 9 for item in parts[name] if item.traits)
        assert abs(short - share * sum(5 + seed % 9 <= 9 for seed in range(80))) <= 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "toy"', "name = 3", "name cannot be 3"),
        ('name = "toy"', 'name = "../../toy"', "name '../../toy' names a folder: letters, digits"),
        ('version = "1"', 'version = ""', "version '' names a folder"),
        ('version = "1"', "", "'version' is missing"),
        ("seed = 0", "sed = 0", "unknown key 'sed'; did you mean 'seed'"),
        ("candidates = 40", "candidates = 4", "4 candidates for 10 scenarios of each domain are too few"),
        ("per_domain = 10", "per_domain = true", "per_domain cannot be True"),
        ("refusals = 0.2", "refusals = 2", "refusals is a share between 0 and 1, not 2"),
        ("refusals = 0.2", "refusals = 0.5", "refusals is more than refusals_at_most"),
        ("dev = 0.2", "dev = 0.1", "the splits add up to 0.9, not to 1"),
        ("dev = 0.2", "dev = 0.7", "the shares of splits add up to 1.5, more than 1"),
        ('"1-9" = 0.3', '"1-9" = 0.8', "the shares of length add up to 1.1"),
        ('"1-9"', '"9-1"', "'9-1' is no range; write 9-14, 20- or 3"),
        ("counting = 0.2", "counted = 0.2", "unknown 'counted'; did you mean 'counting'"),
        ("rule = 0", "rules = 0", "unknown 'rules'; did you mean 'rule'"),
        ('["finance"]', '["finance", "finance"]', "names one twice"),
        ('["finance"]', "[]", "domains cannot be"),
        ("seed = 0", "seed = ", "is not TOML"),
    ],
)
def test_a_wrong_recipe(old: str, new: str, message: str) -> None:
    assert old in RECIPE
    with pytest.raises(SuiteError, match=message) as caught:
        read_recipe(RECIPE.replace(old, new), "toy.toml")
    assert "toy.toml" in str(caught.value)


def test_a_recipe_for_other_numbers() -> None:
    smaller = recipe(at_least={"rule": 4}).scaled(per_domain=5)
    assert (smaller.name, smaller.per_domain, smaller.candidates, smaller.at_least) == ("toy-5", 5, 20, {"rule": 2})
    assert recipe().scaled(domains=("iot",), per_domain=2).name == "toy-iot-2"
    assert recipe().scaled(domains=("finance",), per_domain=10) == recipe()


def test_a_recipe_is_json() -> None:
    assert recipe().to_json()["splits"] == {"train": "1/2", "dev": "1/5", "test": "3/10"}


@pytest.mark.parametrize("name", ["core", "small"])
def test_our_recipes_can_be_read(name: str) -> None:
    path = Path(__file__).parents[2] / "src" / "lexgym" / "data" / "suites" / f"{name}.toml"
    assert read_recipe(path.read_text(encoding="utf-8"), name).name == name


def test_core_is_what_it_is_to_be() -> None:
    path = Path(__file__).parents[2] / "src" / "lexgym" / "data" / "suites" / "core.toml"
    core = read_recipe(path.read_text(encoding="utf-8"), "core")
    assert core.per_domain * len(core.domains) >= 320
    assert core.splits == {"train": Fraction(1, 2), "dev": Fraction(3, 20), "test": Fraction(7, 20)}


def test_candidates_are_kept_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "finance.jsonl"
    first = list(candidates("finance", [1, 2], path))
    assert [item.scenario for item in first] == [scenario("finance", 1), scenario("finance", 2)]

    def refuse(*args: Any) -> Any:
        raise GenerationError("no more")

    monkeypatch.setattr(making, "generate", refuse)
    again = list(candidates("finance", [1, 2, 3], path))
    assert again[:2] == first
    assert again[2].problem == "no more"
    with pytest.raises(GenerationError, match="no more"):
        _ = again[2].scenario
    monkeypatch.setattr(making, "GENERATOR", -1)
    assert [item.problem for item in candidates("finance", [1], path)] == ["no more"]


def doubled(value: int) -> str:
    return str(2 * value)


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_kept_comes_in_order(tmp_path: Path, processes: int) -> None:
    path = tmp_path / "deep" / "work.jsonl"
    wanted = {str(number): number for number in (3, 1, 2)}
    assert list(kept(path, "mark", wanted, doubled, processes=processes)) == ["6", "2", "4"]
    assert path.read_text() == '"mark"\n["3", "6"]\n["1", "2"]\n["2", "4"]\n'


def test_what_was_cut_off_is_done_again(tmp_path: Path) -> None:
    path, done = tmp_path / "work.jsonl", []

    def work(value: int) -> str:
        done.append(value)
        return str(value)

    wanted = {str(number): number for number in range(4)}
    interrupted = kept(path, "mark", wanted, work)
    assert [next(interrupted), next(interrupted)] == ["0", "1"]
    interrupted.close()
    with path.open("a") as file:
        file.write('["2", "wro')
    assert list(kept(path, "mark", wanted, work)) == ["0", "1", "2", "3"]
    assert done == [0, 1, 2, 3]
    assert list(kept(path, "another mark", {"3": 3}, work)) == ["3"]
    assert done == [0, 1, 2, 3, 3]


def test_the_hashes_are_those_of_the_files() -> None:
    finance, iot = load_domain("finance"), load_domain("iot")
    assert content_of(finance) == content_of(finance) != content_of(iot)
    assert len(code()) == 64


@pytest.mark.parametrize(
    ("formula", "kinds"),
    [
        ("(!pay) W check", set()),
        ("G(pay -> F note)", set()),
        ("absence(3, pay)", {COUNTING}),
        ("forall p. (!pay[to = p]) W check[to = p]", {FORALL}),
        ("G(open -> F (shut & F note))", {STEPS}),
        ("G((pay | send) -> F note)", set()),
    ],
)
def test_kinds_of_rules(formula: str, kinds: set[str]) -> None:
    rule = Rule("r", formula, "", template=RESTRICTION)
    assert kinds_of(rule, compile_rule(formula)) == {"operational restriction"} | kinds


@pytest.fixture(scope="module")
def observer() -> Observer:
    return Observer(load_domain("finance"))


def test_traits_are_those_of_the_run(observer: Observer) -> None:
    found = scenario("finance", 0)
    traits = observer.traits(found)
    assert traits.length == len(found.reference)
    assert {step.name for step in found.reference} <= set(traits.tools)
    assert set(traits.broken) & set(traits.active)
    assert Traits.from_json(traits.to_json()) == traits


def test_a_refusal_is_known_by_tool_and_ground(observer: Observer) -> None:
    refusal = next(found for found in (scenario("finance", seed) for seed in range(20)) if found.forbidden)
    assert refusal.forbidden
    assert observer.traits(refusal).refusal == refusal_of(refusal)
    assert refusal.forbidden.name in observer.traits(refusal).tools


def test_one_request_refused_on_two_grounds_is_two_requests(observer: Observer) -> None:
    refusal = next(found for found in (scenario("finance", seed) for seed in range(20)) if found.forbidden)
    assert refusal.forbidden
    other = dataclasses.replace(refusal, forbidden=dataclasses.replace(refusal.forbidden, check="another check"))
    one, two = observer.traits(refusal), observer.traits(other)
    assert (one.form, one.shape) != (two.form, two.shape)


def renamed(found: Scenario) -> Scenario:
    """The same scenario about a person with another number."""
    text = found.to_json()
    for number in range(1, 40):
        text = text.replace(f"CUS-{number:06d}", f"CUS-{number + 500000:06d}")
    return Scenario.from_json(text)


def test_the_form_forgets_the_names_of_rows(observer: Observer) -> None:
    found = scenario("finance", 0)
    one, other = observer.traits(found), observer.traits(renamed(found))
    assert (one.form, one.shape) == (other.form, other.shape)
    assert one.population != other.population


def test_the_shape_forgets_amounts_and_the_form_does_not() -> None:
    domain, found = load_domain("finance"), scenario("finance", 0)

    def told(amount: int, *, values: bool) -> Sequence[Any]:
        call = ToolCall("initiate_payment", {"payee_id": "BEN-000001", "amount": amount})
        return canonical(domain, found, [call, call], values=values)

    assert told(1, values=True) != told(2, values=True)
    assert told(1, values=False) == told(2, values=False)
    assert told(1, values=True)[0] == ("initiate_payment", [("amount", 1), ("payee_id", "payees 1")])


def test_distractors_are_rows_with_nearly_the_same_words() -> None:
    domain = load_domain("finance")
    counts = [distractors(domain, scenario("finance", seed)) for seed in range(12)]
    assert min(counts) == 0
    assert max(counts) > 0
    assert distractors(dataclasses.replace(domain, phrases={"tools": {}}), scenario("finance", 0)) == 0


def test_a_row_that_looks_like_the_one_meant_is_a_distractor() -> None:
    domain = load_domain("finance")
    found = next(
        item
        for item in (scenario("finance", seed) for seed in range(40))
        if any("payee_id" in call.arguments for call in item.naive) and distractors(domain, item) == 0
    )
    key = next(call.arguments["payee_id"] for call in found.naive if "payee_id" in call.arguments)
    row = next(row for row in found.initial["payees"] if row["id"] == key)
    name = " ".join(["Zoe", *row["name"].split()[1:]])
    twin = {**row, "id": "BEN-900000", "name": name, "iban": "IE00TEST00000000000001"}
    more = dataclasses.replace(found, initial={**found.initial, "payees": [*found.initial["payees"], twin]})
    assert distractors(domain, more) == 1
