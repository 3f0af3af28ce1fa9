"""Which places of an event give the `forall` variables their values.

    pay[payee = p, amount > 5]   binds p to the argument `payee`

An atom binds the variables that it mentions, so an event gives at most one value of each an atom. One
atom of a block at least binds them all; others may bind some of them, or none.
"""

from collections.abc import Iterator

from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.syntax import Atom, Formula, atoms_of


def binding_of(atom: Atom, variables: tuple[str, ...]) -> dict[str, g.Field] | None:
    """Return the place of each variable that an atom gives a value, or None for an atom without variables.

    Raises FormulaError when an atom mentions a variable that it does not bind.
    """
    mentioned = g.variables_of(atom.guard) & frozenset(variables)
    if not mentioned:
        return None
    places: dict[str, g.Field] = {}
    for name, place in _equalities(atom.guard):
        places.setdefault(name, place)
    missing = [name for name in variables if name in mentioned and name not in places]
    if missing:
        raise FormulaError(
            f"the atom {atom} does not bind the variable {missing[0]!r}; "
            f"an atom needs an equality such as 'argument = {missing[0]}' for each variable that it mentions"
        )
    return places


def binds_all(atom: Atom, variables: tuple[str, ...]) -> bool:
    """Whether an atom gives every variable its value, so that a call that matches it begins a slice."""
    return bool(variables) and len(binding_of(atom, variables) or ()) == len(variables)


def _equalities(guard: g.Guard | None) -> Iterator[tuple[str, g.Field]]:
    for conjunct in g.conjuncts(guard):
        match conjunct:
            case g.Compare("=", g.Field() as place, g.Var(name)) | g.Compare("=", g.Var(name), g.Field() as place):
                yield name, place
            case _:
                continue


def check_bindings(variables: tuple[str, ...], body: Formula) -> None:
    """Raise FormulaError for an atom that mentions what it does not bind, or when none binds all variables."""
    atoms = atoms_of(body)
    places = {atom: binding_of(atom, variables) or {} for atom in atoms}
    used = {name for found in places.values() for name in found}
    if not used:
        raise FormulaError(f"no atom uses the variable {variables[0]!r}")
    if not any(len(found) == len(variables) for found in places.values()):
        nearest = max(atoms, key=lambda atom: len(places[atom]))
        missing = next(name for name in variables if name not in places[nearest])
        raise FormulaError(
            f"the atom {nearest} does not bind the variable {missing!r}, and no other atom binds all variables; "
            f"one at least needs an equality such as 'argument = {missing}' for each of {', '.join(variables)}"
        )
