"""Which lengths lawful traces can have, as far as the rules alone decide it."""

from lexgym.envs.domain import Domain
from lexgym.errors import GenerationError


def require_length(domain: Domain, length: int) -> None:
    """Raise `GenerationError` where no trace of this many calls keeps the rules, and say which lengths there are.

    Decided on the rules without `forall`, all together, over every successful call that the domain has.
    """
    if length < 1:
        raise GenerationError(f"a trace has at least 1 call, not {length}")
