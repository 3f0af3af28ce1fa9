"""The letters of a product as calls in words.

    ["pay[payee = p, amount > 5]", "any other call"]

Variables of different rules that take their value from one place have one name.
"""

from collections.abc import Collection, Sequence

from lexgym.oracles.ltlf.joint.letters import JointLetter, Member
from lexgym.oracles.ltlf.picture.labels import OTHER, cover, letter_text
from lexgym.oracles.ltlf.renaming import renamed
from lexgym.oracles.ltlf.syntax import Atom


def way_texts(members: Sequence[Member], shown: Collection[int], way: Sequence[JointLetter]) -> tuple[str, ...]:
    """Return each letter of a way as the call that it is for the members shown."""
    names = _readable(members)
    return tuple(_letter_text(members, shown, letter, names) for letter in way)


def _readable(members: Sequence[Member]) -> dict[str, str]:
    """Return a name to show for each common name of variables: the first rule's own, made different if need be."""
    found: dict[str, str] = {}
    for member in members:
        for own, common in member.renaming.items():
            if common not in found:
                count = sum(name.rstrip("0123456789_") == own for name in found.values())
                found[common] = own if own not in found.values() else f"{own}_{count + 1}"
    return found


def _letter_text(members: Sequence[Member], shown: Collection[int], letter: JointLetter, names: dict[str, str]) -> str:
    if letter.tool is None:
        return OTHER
    asked: list[tuple[Atom, bool]] = []
    for number in shown:
        renaming = {own: names[common] for own, common in members[number].renaming.items()}
        asked += [
            (Atom(atom.tool, renamed(atom.guard, renaming)), holds)
            for atom, holds in _asked(members[number], letter.tool, letter.masks[number])
        ]
    return letter_text(letter.tool, list(dict.fromkeys(asked)), frozenset(names.values()))


def _asked(member: Member, tool: str, mask: int) -> list[tuple[Atom, bool]]:
    """Return few of a rule's atoms that tell this letter from its other ones, and whether each holds."""
    atoms = {bit: atom for atom, bit in member.automaton.bits.items() if atom.tool == tool}
    possible = {letter.mask for letter in member.automaton.letters if letter.tool == tool} | {0}
    cube = cover([mask], possible, list(atoms))[0]
    return [(atom, bool(cube.value & bit)) for bit, atom in atoms.items() if cube.mask & bit]
