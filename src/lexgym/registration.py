"""What Gymnasium calls to learn our environments: `lexgym/Finance-v0` and one for every other domain."""

from functools import lru_cache
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


def make_env(domain: str, **options: Any) -> Any:
    """Return the environment of a domain whose scenarios are generated from the seed."""
    from lexgym.envs.environment import ComplianceEnv

    return ComplianceEnv(load_domain(domain), lambda seed: scenario(domain, seed), **options)


@lru_cache(maxsize=4096)
def scenario(domain: str, seed: int) -> "Scenario":
    """Return the generated scenario of a seed."""
    from lexgym.generators.scenarios import generate

    return generate(load_domain(domain), seed)
