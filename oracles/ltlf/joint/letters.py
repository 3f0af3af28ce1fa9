"""What one call can be for several rules at once.

    G(pay[amount > 5] -> F note), absence(1, pay[amount > 9]):
    pay is neither, only the first, or both; never only the second

Where two guards could exclude each other, Z3 says which combinations exist.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.joint.conditions import Conditions, MemberConditions
from lexgym.oracles.ltlf.rule import RuleAutomaton

Move: TypeAlias = tuple[int, int, bool]
"""A member, the column of its letter, and whether its slice has begun after it in any case."""

MAX_COMBINATIONS = 4_096


@dataclass(frozen=True, eq=False)
class Member:
    """A rule in a product; `names` are its variables as the product calls them, in its own order."""

    automaton: RuleAutomaton
    names: tuple[str, ...] = ()

    @cached_property
    def renaming(self) -> dict[str, str]:
        """The product's name of each variable."""
        return dict(zip(self.automaton.variables, self.names, strict=True))

    def harmless(self, tools: Collection[str]) -> frozenset[str | None]:
        """Return the tools, None for all that no rule names, whose calls never make matters worse."""
        found = {tool for tool in tools if all(map(self._good, self._options(tool)))}
        return frozenset(found | {None}) if self._good((0, False)) else frozenset(found)

    def _options(self, tool: str | None) -> list[tuple[int, bool]]:
        bound = self.automaton.begin_bits
        mine = [(x.column, bool(x.mask & bound)) for x in self.automaton.letters if x.tool == tool]
        return mine or [(0, False)]

    def _good(self, option: tuple[int, bool]) -> bool:
        """Whether a letter never turns satisfied into not satisfied, nor anything into lost."""
        column, binds = option
        dfa = self.automaton.dfa
        for state, row in enumerate(dfa.rows):
            if dfa.colours[state] is not RV.PV:
                if dfa.colours[row[column]] is RV.PV:
                    return False
                if (binds or dfa.accepting[state]) and not dfa.accepting[row[column]]:
                    return False
        return True

    def satisfiable_by(self, tools: Collection[str | None]) -> bool:
        """Whether calls of the tools alone lead from every state that is not lost to a satisfied one."""
        dfa = self.automaton.dfa
        columns = {column for tool in tools for column, _ in self._options(tool)}
        good = {state for state in range(len(dfa)) if dfa.accepting[state]}
        grown = True
        while grown:
            more = {s for s, row in enumerate(dfa.rows) if s not in good and any(row[c] in good for c in columns)}
            grown = bool(more)
            good |= more
        return all(state in good or dfa.colours[state] is RV.PV for state in range(len(dfa)))


@dataclass(frozen=True, slots=True)
class JointLetter:
    """A call of `tool` as the members see it: those it moves, and their atoms as bits.

    `binds` says that it belongs to the slice of a member with variables, `ok` that a successful call
    which belongs to this slice, or to none, can be this letter: one that begins no slice but this.
    """

    tool: str | None
    moves: tuple[Move, ...]
    masks: tuple[int, ...]
    ok: bool
    binds: bool


def letters_of(members: Sequence[Member], tool: str | None) -> tuple[JointLetter, ...]:
    """Return the different letters of a tool, the one that moves least first."""
    found: dict[tuple[Move, ...], JointLetter] = {}
    for options, ok in _combinations(members, tool):
        moves = tuple(
            (index, option.column, option.begins)
            for index, option in enumerate(options)
            if option.column is not None and (option.begins or not members[index].automaton.idle_columns[option.column])
        )
        begins = any(option.begins for option in options)
        own = any(option.belongs for option in options)
        elsewhere = any(option.begins_other if own else option.column is None for option in options)
        masks = tuple(option.mask for option in options)
        letter = JointLetter(tool, moves, masks, ok and (begins or not elsewhere), own)
        known = found.get(moves)
        if known is None or (letter.ok and not known.ok):
            found[moves] = letter
    return tuple(sorted(found.values(), key=lambda letter: len(letter.moves)))


class _Option(NamedTuple):
    """What a call is for one member: a column (None: no step of this slice) and the atoms that hold.

    It belongs to the slice if it gives some of its values, begins it if all, and begins another if all of that.
    """

    column: int | None = 0
    mask: int = 0
    belongs: bool = False
    begins: bool = False
    begins_other: bool = False


_IMPOSSIBLE = _Option(-1)
"""What a rule's own compilation ruled out."""


def _combinations(members: Sequence[Member], tool: str | None) -> Iterator[tuple[tuple[_Option, ...], bool]]:
    concerned = [index for index, member in enumerate(members) if tool in member.automaton.readers]
    rest = [_Option()] * len(members)
    if not concerned:
        yield tuple(rest), True
        return
    for chosen, ok in _choices([members[index] for index in concerned], str(tool)):
        options = list(rest)
        for index, option in zip(concerned, chosen, strict=True):
            options[index] = option
        yield tuple(options), ok


def _choices(members: list[Member], tool: str) -> Iterator[tuple[tuple[_Option, ...], bool]]:
    conditions = Conditions([(m.automaton, m.renaming) for m in members], tool)
    seen: dict[tuple[_Option, ...], bool] = {}
    for truth, ok in conditions.possible(MAX_COMBINATIONS):
        chosen = tuple(_option(m, c, truth) for m, c in zip(members, conditions.members, strict=True))
        if _IMPOSSIBLE in chosen:
            continue
        seen[chosen] = seen.get(chosen, False) or ok
    yield from seen.items()


def _option(member: Member, conditions: MemberConditions, truth: Sequence[bool]) -> _Option:
    free = sum(bit for bit, number in conditions.free if truth[number])
    bound = sum(bit for bit, number in conditions.bound if truth[number])
    mask, other = free | bound, any(truth[number] for number in conditions.whole)
    if mask not in member.automaton.columns:
        return _IMPOSSIBLE
    if bound:
        begins = bool(bound & member.automaton.begin_bits)
        return _Option(member.automaton.columns[mask], mask, True, begins, other and not begins)
    if any(truth[number] for number in conditions.elsewhere):
        return _Option(None, begins_other=other)
    return _Option(member.automaton.columns[free], free)
