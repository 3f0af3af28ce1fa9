"""`lexgym suite`: built, continued, frozen, shown and audited from the command line."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lexgym import frozen, recipes
from lexgym.cli import app, main
from lexgym.envs.domain import Domain
from lexgym.errors import LexgymError, SuiteError
from lexgym.generators import candidates as making
from lexgym.registration import scenario
from lexgym.scenario import Scenario
from lexgym.suites import read_suite

RECIPE = """
name = "tiny"
version = "1"
domains = ["finance"]
seed = 0
per_domain = 3
candidates = 5
refusals = 0.4
splits = {train = 0.7, test = 0.3}
length = {"90-" = 0.5}
"""


def suite(*words: Any) -> Result:
    return CliRunner().invoke(app, ["suite", *map(str, words)])


def built(folder: Path, *words: Any) -> dict[str, Any]:
    done = suite("build", "--recipe", folder / "tiny.toml", "--processes", 1, "--json", *words)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(autouse=True)
def generated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what was generated in this process already not generated again."""
    monkeypatch.setattr(making, "generate", lambda domain, seed: scenario(domain.name, seed))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(RECIPE)
    return tmp_path


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny suite that tests read and do not change."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "tiny.toml").write_text(RECIPE)
    built(folder, "-o", folder / "suites" / "tiny")
    return folder


def test_a_suite_is_built_from_a_recipe(place: Path) -> None:
    found = built(place)
    assert (found["folder"], found["count"], found["frozen"]) == ("suites/tiny", 3, None)
    assert found["short"] == ["finance: length 90-: 0 of 1 (0 candidates have it)"]
    held = read_suite(place / "suites" / "tiny")
    assert sum(item.kind == "refusal" for item in held.scenarios) == 1
    assert {name: len(ids) for name, ids in held.splits.items()} == {"train": 2, "test": 1}
    assert (held.source["generator"], held.source["recipe"]["seed"]) == (making.GENERATOR, 0)
    assert not (place / "suites" / "tiny.candidates").exists()


def test_the_same_recipe_gives_the_same_bytes_however_many_work_on_it(once: Path, place: Path) -> None:
    done = suite("build", "--recipe", "tiny.toml", "--processes", 2, "-o", "other")
    assert done.exit_code == 0, done.output
    assert "1 quotas of the recipe are not met" in done.output
    assert "not frozen yet" in done.output
    for name in ("scenarios.jsonl", "manifest.json"):
        assert (place / "other" / name).read_bytes() == (once / "suites" / "tiny" / name).read_bytes()


def test_an_interrupted_build_continues(place: Path, once: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def generate(domain: Domain, seed: int) -> Scenario:
        made.append(seed)
        return scenario(domain.name, seed)

    def interrupted(domain: Domain, seed: int) -> Scenario:
        if len(made) == 3:
            raise KeyboardInterrupt
        return generate(domain, seed)

    monkeypatch.setattr(making, "generate", interrupted)
    assert suite("build", "--recipe", "tiny.toml", "--processes", 1).exit_code != 0
    assert not (place / "suites" / "tiny").exists()
    monkeypatch.setattr(making, "generate", generate)
    built(place)
    assert made == [0, 1, 2, 3, 4]
    written = (place / "suites" / "tiny" / "scenarios.jsonl").read_bytes()
    assert written == (once / "suites" / "tiny" / "scenarios.jsonl").read_bytes()


def test_a_suite_is_frozen_and_compared(place: Path) -> None:
    assert built(place, "--freeze")["frozen"] is True
    path = place / "tiny.json"
    held = json.loads(path.read_text())
    assert (held["count"], len(held["scenarios"]), held["generator"]) == (3, 3, making.GENERATOR)
    assert "initial" not in path.read_text()
    again = suite("build", "--recipe", "tiny.toml", "--processes", 1)
    assert "these are the frozen scenarios, byte for byte" in again.output
    first = min(held["scenarios"])
    held["scenarios"][first] = held["sha256"] = "0"
    held["domains"]["finance"]["content"] = "0"
    path.write_text(json.dumps(held))
    other = suite("build", "--recipe", "tiny.toml", "--processes", 1)
    assert other.exit_code == 1
    assert "domain finance: its files changed" in other.output
    assert f"1 scenarios differ, such as {first}" in other.output


def test_what_differs_is_named(once: Path, tmp_path: Path) -> None:
    held, path = read_suite(once / "suites" / "tiny"), tmp_path / "tiny.json"
    frozen.freeze(held, path)
    assert frozen.differences(held, path) == ()
    data = json.loads(path.read_text())

    def differences(**changes: Any) -> str:
        path.write_text(json.dumps({**data, "sha256": "0", **changes}))
        return "; ".join(frozen.differences(held, path))

    assert f"generator: {making.GENERATOR}, frozen 0" in differences(generator=0)
    assert "the recipe is another" in differences(recipe={})
    assert "domain finance: " in differences(domains={"finance": {"digest": "abc"}})
    assert ", frozen abc" in differences(domains={"finance": {"digest": "abc"}})
    assert differences(splits={}) == "the splits differ"
    assert "3 scenarios differ" in differences(scenarios={})
    for text in ("{", "[]", '{"format": 1}'):
        path.write_text(text)
        with pytest.raises(SuiteError, match="--freeze"):
            frozen.differences(held, path)


def fails(*words: Any) -> str:
    done = suite(*words)
    assert done.exit_code not in (0, 1) or isinstance(done.exception, LexgymError)
    return " ".join(done.output.split()) + str(done.exception)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build",), "name one of ours, or a file with --recipe"),
        (("build", "core", "--recipe", "tiny.toml"), "name one of ours, or a file with --recipe"),
        (("build", "cor"), "no recipe 'cor'; did you mean 'core'?"),
        (("build", "--recipe", "none.toml"), "none.toml"),
        (("build", "--recipe", "tiny.toml", "--domain", "finanse"), "no domain 'finanse'; did you mean 'finance'?"),
        (("build", "--recipe", "tiny.toml", "--domain", ","), "no domain is named"),
        (("build", "--recipe", "tiny.toml", "--per-domain", 2, "--freeze"), "only a recipe as it is written"),
        (("audit", "nothing"), "no suite 'nothing'"),
        (("audit", "core"), "`lexgym suite build core` makes it"),
        (("audit", "."), "is no suite: it has no manifest.json"),
        (("show", "smal"), "no suite 'smal'; did you mean 'small'?"),
    ],
)
def test_bad_input(place: Path, words: tuple[Any, ...], message: str) -> None:
    assert message in fails(*words)


def test_too_few_candidates_are_kept(place: Path) -> None:
    text = RECIPE.replace("refusals = 0.4", "refusals = 0.9")
    (place / "tiny.toml").write_text(text)
    assert "needs 3 different lawful refusals, 5 candidates have" in fails("build", "--recipe", "tiny.toml")
    assert len((place / "suites" / "tiny.candidates" / "finance.jsonl").read_text().splitlines()) == 6


def test_another_suite_is_not_written_over(once: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("nothing is to be generated")

    monkeypatch.setattr(recipes, "candidates", never)
    folder = once / "suites" / "tiny"
    other = ("build", "--recipe", "tiny.toml", "--per-domain", 2, "-o", folder)
    assert "holds a suite of another recipe: use another folder" in fails(*other)
    manifest = json.loads((folder / "manifest.json").read_text())
    old = place / "old"
    old.mkdir()
    (old / "manifest.json").write_text(json.dumps({**manifest, "domains": {"finance": "0"}}))
    same = ("build", "--recipe", "tiny.toml", "-o", old)
    assert "was built with another version of domain 'finance'" in fails(*same)
    (old / "manifest.json").write_text("{")
    assert "is damaged" in fails(*same)


def test_a_good_suite_is_audited(once: Path, place: Path) -> None:
    folder, page = once / "suites" / "tiny", place / "deep" / "audit.html"
    done = suite("audit", folder, "--html", page, "--processes", 1)
    assert done.exit_code == 0, done.output
    assert "3 of 3 (100.0 %)" in done.output
    assert "0 errors" in done.output
    text = page.read_text(encoding="utf-8")
    assert "nothing wrong" in text
    assert "src=" not in text
    assert "href=" not in text
    assert len(text) < 200_000
    assert not list((place / "runs").iterdir())


def test_a_bad_suite_is_audited(once: Path, place: Path) -> None:
    folder = place / "bad"
    folder.mkdir()
    lines = (once / "suites" / "tiny" / "scenarios.jsonl").read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    first["instructions"]["goal"] += " Mind <script> and confirm_sca."
    first["target"]["customers"] = []
    text = "\n".join([json.dumps(first), *lines[1:], ""]).encode()
    (folder / "scenarios.jsonl").write_bytes(text)
    manifest = json.loads((once / "suites" / "tiny" / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "sha256": sha256(text).hexdigest()}))
    done = suite("audit", folder, "--json", "--html", "bad.html", "--processes", 1)
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    wrong = {item["kind"] for item in found["findings"] if item["severity"] == "error"}
    assert {"reference fails", "wording"} <= wrong
    assert found["error"] == sum(item["severity"] == "error" for item in found["findings"])
    assert "reference fails" in (place / "bad.html").read_text(encoding="utf-8")
    said = suite("audit", folder, "--processes", 1)
    assert said.exit_code == 1
    assert "reference fails (1)" in said.output
    assert first["id"] in said.output


def test_a_changed_suite_is_an_error(once: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = place / "changed"
    folder.mkdir()
    (folder / "scenarios.jsonl").write_text("\n")
    (folder / "manifest.json").write_bytes((once / "suites" / "tiny" / "manifest.json").read_bytes())
    assert "was changed" in fails("audit", folder)
    monkeypatch.setattr("sys.argv", ["lexgym", "suite", "audit", str(folder)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2


def test_a_suite_is_shown(once: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(once)
    assert "3 scenarios, two wordings each" in suite("show", "tiny").output
    shown = json.loads(suite("show", "tiny", "--json").stdout)
    assert shown["counts"] == {"finance": {"all": 3, "train": 2, "test": 1}}
    assert shown["source"]["recipe"]["name"] == "tiny"


def test_what_there_is_is_shown(place: Path) -> None:
    shown = suite("show").output
    assert "core" in shown
    assert "not built" in shown
