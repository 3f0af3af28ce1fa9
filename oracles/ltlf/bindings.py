"""Which places of an event give the `forall` variables their values.

    pay[payee = p, amount > 5]   binds p to the argument `payee`

Every atom that mentions a variable binds all of them, so an event gives at most one tuple an atom.
"""

from collections.abc import Iterator

from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.syntax import Atom, Formula, atoms_of


def binding_of(atom: Atom, variables: tuple[str, ...]) -> dict[str, g.Field] | None:
    """Return the place that gives each variable its value, or None for an atom without variables.

    Raises FormulaError when an atom mentions variables but does not bind every one.
    """
    if not g.variables_of(atom.guard) & frozenset(variables):
        return None
    places: dict[str, g.Field] = {}
    for name, place in _equalities(atom.guard):
        places.setdefault(name, place)
    missing = [name for name in variables if name not in places]
    if missing:
        raise FormulaError(
            f"the atom {atom} does not bind the variable {missing[0]!r}; "
            f"an atom with variables needs an equality such as 'argument = {missing[0]}' for each of them"
        )
    return places


def _equalities(guard: g.Guard | None) -> Iterator[tuple[str, g.Field]]:
    for conjunct in g.conjuncts(guard):
        match conjunct:
            case g.Compare("=", g.Field() as place, g.Var(name)) | g.Compare("=", g.Var(name), g.Field() as place):
                yield name, place
            case _:
                continue


def check_bindings(variables: tuple[str, ...], body: Formula) -> None:
    """Raise FormulaError for an atom that binds only some variables, or variables that none uses."""
    places = [binding_of(atom, variables) for atom in atoms_of(body)]
    if not any(places):
        raise FormulaError(f"no atom uses the variable {variables[0]!r}")
