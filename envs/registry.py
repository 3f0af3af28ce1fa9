"""Finding domains: the folder is the registry.

    >>> "finance" in domain_names()
    True

A built-in domain is a folder beside this file that holds a `domain.toml`; a third party's is a package
named by an entry point of the group `lexgym.domains`. A folder one level deeper is a toolkit, such as
`logisafety-teladoc_fair`: it can be loaded, but makes no scenarios of its own and so is not among the domains.
Nothing is imported until a domain is loaded.
"""

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from lexgym.errors import DomainError, near_miss

if TYPE_CHECKING:
    from lexgym.envs.domain import Domain

GROUP = "lexgym.domains"
_HERE = Path(__file__).parent


def domain_names() -> tuple[str, ...]:
    """Return the names of all domains that make scenarios, sorted."""
    return tuple(sorted(_packages()))


def toolkit_names() -> tuple[str, ...]:
    """Return the names of the toolkits that imported scenarios are played on, sorted."""
    return tuple(sorted(_toolkits()))


def gym_ids() -> dict[str, str]:
    """Return the Gymnasium name of each domain, such as `{"finance": "Finance"}`.

    One whose folder is wrong is left out, so that it stands in the way of no other; `load_domain` says what is wrong.
    """
    found = {}
    for name, package in sorted(_packages().items()):
        with suppress(DomainError, OSError, tomllib.TOMLDecodeError, KeyError):
            found[name] = tomllib.loads((_folder(package) / "domain.toml").read_text(encoding="utf-8"))["id"]
    return found


@cache
def load_domain(name: str) -> "Domain":
    """Load a domain or toolkit by name; raise `DomainError` if there is none or its folder is wrong."""
    from lexgym.envs.domain import read_domain

    packages = {**_packages(), **(toolkits := _toolkits())}
    if name not in packages:
        known = _packages() if "-" not in name else packages
        raise DomainError(f"no domain {name!r}{near_miss(name, known)}")
    folder = _folder(packages[name])
    return read_domain(folder, packages[name], name if name in toolkits else None)


def _packages() -> Mapping[str, str]:
    built_in = {path.parent.name: f"{__package__}.{path.parent.name}" for path in _HERE.glob("*/domain.toml")}
    return built_in | {point.name: point.value for point in entry_points(group=GROUP)}


def _toolkits() -> Mapping[str, str]:
    folders = [path.parent for path in _HERE.glob("*/*/domain.toml")]
    return {f"{path.parent.name}-{path.name}": f"{__package__}.{path.parent.name}.{path.name}" for path in folders}


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise DomainError(f"the domain package {package!r} cannot be found")
    return Path(next(iter(spec.submodule_search_locations)))
