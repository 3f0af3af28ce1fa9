"""What Gymnasium calls to learn our environments: `lexgym/Finance-v0` and one for every other domain."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexgym.envs.registry import gym_ids, load_domain

if TYPE_CHECKING:
    from lexgym.scenario import Scenario

ENTRY_POINT = "lexgym.registration:make_env"


def register_envs() -> None:
    """Register every domain that is installed; a second call does nothing."""
    from gymnasium.envs.registration import register, registry

    for name, identifier in gym_ids().items():
        if f"lexgym/{identifier}-v0" not in registry:
            register(f"lexgym/{identifier}-v0", entry_point=ENTRY_POINT, kwargs={"domain": name})


def make_env(domain: str, *, suite: "str | Path | None" = None, split: str | None = None, **options: Any) -> Any:
    """Return the environment of a domain whose scenarios are generated from the seed.

    With the folder of a `suite`, they are those of the suite (of one `split`, where it is named), taken in turn by
    seed. Raises `SuiteError` where the suite has none of the domain.
    """
    from lexgym.envs.environment import ComplianceEnv

    if suite is None:
        if split is not None:
            raise ValueError(f"split {split!r} of which suite? name its folder with suite=…")
        return ComplianceEnv(load_domain(domain), lambda seed: scenario(domain, seed), **options)
    from lexgym.suites import read_suite

    held = read_suite(Path(suite)).take(split=split, domain=domain)
    return ComplianceEnv(load_domain(domain), lambda seed: held[seed % len(held)], **options)


@lru_cache(maxsize=4096)
def scenario(domain: str, seed: int) -> "Scenario":
    """Return the generated scenario of a seed."""
    from lexgym.generators.scenarios import generate

    return generate(load_domain(domain), seed)
