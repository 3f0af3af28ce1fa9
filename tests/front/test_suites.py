"""Suites: frozen, hashed, run like generated scenarios; one that was changed is not read."""

import dataclasses
import json
import re
from pathlib import Path

import gymnasium as gym
import pytest
from typer.testing import CliRunner

import lexgym  # noqa: F401
from lexgym.cli import app
from lexgym.errors import SuiteError
from lexgym.registration import scenario
from lexgym.suites import Suite, read_suite, write_suite


@pytest.fixture(scope="module")
def suite() -> Suite:
    found = (scenario("finance", 0), scenario("finance", 1), scenario("iot", 0))
    splits = {"train": ("finance-00000", "iot-00000"), "test": ("finance-00001",)}
    return Suite("small", "1", found, splits, {"seed": 0})


@pytest.fixture
def folder(tmp_path: Path, suite: Suite) -> Path:
    write_suite(tmp_path / "small", suite)
    return tmp_path / "small"


def test_what_is_written_is_read(folder: Path, suite: Suite) -> None:
    assert read_suite(folder) == suite


def test_the_same_suite_has_the_same_bytes(folder: Path, suite: Suite, tmp_path: Path) -> None:
    write_suite(tmp_path / "again", suite)
    for name in ("scenarios.jsonl", "manifest.json"):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_the_manifest_says_what_it_is(folder: Path, suite: Suite) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["name"], manifest["version"], manifest["count"]) == ("small", "1", 3)
    assert manifest["domains"] == suite.domains
    assert set(suite.domains) == {"finance", "iot"}


def test_part_of_it_can_be_taken(suite: Suite) -> None:
    assert [item.id for item in suite.take(split="train")] == ["finance-00000", "iot-00000"]
    assert [item.id for item in suite.take(domain="finance")] == ["finance-00000", "finance-00001"]
    assert [item.id for item in suite.take(split="train", domain="iot")] == ["iot-00000"]
    assert len(suite.take()) == 3


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"split": "tst"}, "no split 'tst'; it has train, test.*did you mean 'test'"),
        ({"domain": "health"}, "no domain 'health'; it has finance, iot"),
        ({"split": "test", "domain": "iot"}, "no scenario of domain 'iot' in split 'test'"),
    ],
)
def test_a_part_that_it_lacks(suite: Suite, asked: dict[str, str], message: str) -> None:
    with pytest.raises(SuiteError, match=message):
        suite.take(**asked)


def test_suites_that_cannot_be(suite: Suite) -> None:
    first = suite.scenarios[0]
    with pytest.raises(SuiteError, match="no scenarios"):
        Suite("empty", "1", ())
    with pytest.raises(SuiteError, match="two scenarios with the id 'finance-00000'"):
        Suite("twice", "1", (first, first))
    with pytest.raises(SuiteError, match="names 'finance-7', which it has not"):
        Suite("split", "1", (first,), {"test": ("finance-7",)})
    other = dataclasses.replace(suite.scenarios[1], digest="0")
    with pytest.raises(SuiteError, match="two versions of domain 'finance'"):
        _ = Suite("versions", "1", (first, other)).domains


def test_a_changed_suite_is_not_read(folder: Path) -> None:
    path = folder / "scenarios.jsonl"
    path.write_text(path.read_text().replace('"seed":1', '"seed":2'))
    with pytest.raises(SuiteError, match="was changed"):
        read_suite(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "holds a JSON list"),
        ('{"format": 9}', "has format 9, this lexgym reads 1"),
        (None, "is no suite"),
    ],
)
def test_a_folder_that_is_none(folder: Path, text: str | None, message: str) -> None:
    path = folder / "manifest.json"
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(SuiteError, match=message):
        read_suite(folder)


def test_a_manifest_that_lacks_something(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["splits"]
    path.write_text(json.dumps(manifest))
    with pytest.raises(SuiteError, match="'splits' is missing or wrong"):
        read_suite(folder)
    (folder / "scenarios.jsonl").unlink()
    with pytest.raises(SuiteError, match="is missing: build the suite anew"):
        read_suite(folder)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"there is no folder .*gone; `lexgym suite build` makes a suite"):
        read_suite(tmp_path / "gone")


def test_a_manifest_of_another_version_of_a_domain(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["domains"]["finance"] = "0" * 64
    path.write_text(json.dumps(manifest))
    with pytest.raises(SuiteError, match="its domains are not those of the scenarios"):
        read_suite(folder)


def test_a_scenario_of_it_is_shown(folder: Path) -> None:
    shown = CliRunner().invoke(app, ["show", "finance-00001", "--suite", str(folder)])
    generated = CliRunner().invoke(app, ["show", "finance-00001"]).output
    assert sorted(shown.output) == sorted(generated)
    assert "safety" in shown.output
    wrong = CliRunner().invoke(app, ["show", "finance-00002", "--suite", str(folder)])
    assert "has no scenario 'finance-00002'; did you mean 'finance-0000" in str(wrong.exception)


def test_another_suite_is_not_written_over(folder: Path, suite: Suite) -> None:
    with pytest.raises(SuiteError, match="holds another suite"):
        write_suite(folder, dataclasses.replace(suite, scenarios=suite.scenarios[:1], splits={}))
    assert read_suite(folder) == suite


def test_it_is_run_and_rescored(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["run", "--suite", str(folder), "--agents", "reference,naive", "--out", str(out), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    agents = json.loads(done.stdout)["agents"]
    assert agents["reference"]["safe_success"] == 3
    assert agents["naive"]["safe_success"] == 0
    again = CliRunner().invoke(app, ["rescore", str(out / "log.jsonl")])
    assert again.exit_code == 0, again.output
    part = CliRunner().invoke(app, [*command, "--split", "test"])
    assert part.exit_code == 0, part.output
    assert "2 of 2 episodes were already in the log" in part.output


@pytest.mark.parametrize(
    ("more", "message"),
    [(["--seed", "1"], "leave --seed out"), (["--split", "tst"], "no split"), (["--domain", "health"], "no domain")],
)
def test_what_does_not_go_with_a_suite(folder: Path, more: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["run", "--suite", str(folder), *more])
    assert done.exit_code != 0
    assert message in " ".join(re.sub("[│\n]", " ", done.output).split()) + str(done.exception)


def test_a_split_without_a_suite() -> None:
    done = CliRunner().invoke(app, ["run", "--split", "test"])
    assert done.exit_code == 2
    assert "name its folder with" in done.output
    with pytest.raises(ValueError, match="of which suite"):
        gym.make("lexgym/Finance-v0", split="test")


def test_an_environment_takes_its_scenarios_in_turn(folder: Path) -> None:
    env = gym.make("lexgym/Finance-v0", suite=folder)
    assert [env.reset(seed=seed)[1]["scenario"] for seed in range(3)] == [
        "finance-00000",
        "finance-00001",
        "finance-00000",
    ]
    env.close()
