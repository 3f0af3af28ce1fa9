"""What Gymnasium calls to learn our environments: `lexgym/Finance-v0` and one for every other domain.

`lexgym/LogiSafety-v0` is for scenarios that `lexgym import logisafety` made.
"""

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexgym.envs.registry import gym_ids, load_domain, toolkit_names
from lexgym.errors import EpisodeError

if TYPE_CHECKING:
    from lexgym.scenario import Scenario

ENTRY_POINT = "lexgym.registration:make_env"
LOGISAFETY = "lexgym/LogiSafety-v0"


def register_envs() -> None:
    """Register every domain that is installed; a second call does nothing."""
    from gymnasium.envs.registration import register, registry

    for name, identifier in gym_ids().items():
        if f"lexgym/{identifier}-v0" not in registry:
            register(f"lexgym/{identifier}-v0", entry_point=ENTRY_POINT, kwargs={"domain": name})
    if LOGISAFETY not in registry:
        register(LOGISAFETY, entry_point="lexgym.registration:make_logisafety")


def make_env(domain: str, *, suite: "str | Path | None" = None, split: str | None = None, **options: Any) -> Any:
    """Return the environment of a domain whose scenarios are generated from the seed.

    With the folder of a `suite`, they are those of the suite (of one `split`, where it is named), taken in turn by
    seed. Raises `SuiteError` where the suite has none of the domain.
    """
    from lexgym.envs.environment import ComplianceEnv

    if suite is None:
        if split is not None:
            raise ValueError(f"split {split!r} of which suite? name its folder with suite=…")
        source = partial(_no_scenario, domain) if domain in toolkit_names() else partial(scenario, domain)
        return ComplianceEnv(load_domain(domain), source, **options)
    from lexgym.suites import read_suite

    held = read_suite(Path(suite)).take(split=split, domain=domain)
    return ComplianceEnv(load_domain(domain), lambda seed: held[seed % len(held)], **options)


def make_logisafety(
    toolkit: str = "bank_manager",
    *,
    profile: str | None = None,
    suite: "str | Path | None" = None,
    **options: Any,
) -> Any:
    """Return the environment of one of LogiSafetyBench's toolkits: `bank_manager`, `teladoc` or `smart_lock`.

    With the folder of an imported `suite`, its scenarios are taken in turn by seed, in the suite's profile;
    without, the profile is `fair` unless it is named, and each reset names its scenario.
    """
    if suite is not None and profile is None:
        from lexgym.suites import read_suite

        profile = read_suite(Path(suite)).source.get("profile")
    return make_env(f"logisafety-{toolkit}_{profile or 'fair'}", suite=suite, **options)


def _no_scenario(domain: str, seed: int) -> "Scenario":
    raise EpisodeError(
        f"{domain!r} makes no scenarios of its own: name the folder of an imported suite with suite=… when the "
        'environment is made, or a scenario with options={"scenario": …} at reset'
    )


@lru_cache(maxsize=4096)
def scenario(domain: str, seed: int) -> "Scenario":
    """Return the generated scenario of a seed."""
    from lexgym.generators.scenarios import generate

    return generate(load_domain(domain), seed)
