"""The choice of a suite's scenarios out of many candidates, and their splits.

    chosen = choose(recipe, "finance", found)
    chosen.candidates, chosen.splits, chosen.short

The choice is greedy: the candidate that fills most of what is still wanted, the scarcest first, then the one that adds
most variety; then single exchanges, as long as they leave less wanted. No two scenarios of a suite have the same shape,
population or wording. Splits follow iterative stratification (Sechidis et al., 2011): each stratum, rule, tool and
ground is spread over them as their shares say.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lexgym.envs.domain import Domain
from lexgym.errors import SuiteError
from lexgym.generators.candidates import Candidate
from lexgym.generators.recipe import Recipe
from lexgym.generators.traits import Traits

MAX_EXCHANGES = 200
"""Most exchanges after the greedy choice."""

GROUND = 10
"""What a ground that is still wanted is worth, compared with anything else: each stands for a refusal of its own."""


@dataclass(frozen=True)
class Short:
    """Something of which there are fewer scenarios than the recipe asks for, and how many candidates had it."""

    what: str
    wanted: int
    found: int
    candidates: int

    def __str__(self) -> str:
        return f"{self.what}: {self.found} of {self.wanted} ({self.candidates} candidates have it)"


@dataclass(frozen=True)
class Chosen:
    """The scenarios of one domain by seed, the split of each, and what there is too little of."""

    candidates: tuple[Candidate, ...]
    splits: Mapping[str, tuple[Candidate, ...]]
    short: tuple[Short, ...]


def choose(recipe: Recipe, domain: Domain, found: Iterable[Candidate]) -> Chosen:
    """Choose the scenarios of one domain; raise `SuiteError` where there are not enough that differ."""
    differing = distinct(found)
    tags = {item.seed: tags_of(recipe, item.traits) for item in differing if item.traits}
    refusals = refusals_wanted(recipe, differing)
    ordinary = recipe.per_domain - refusals
    for what, number, there in (
        ("lawful refusals", refusals, sum(_refused(item) for item in differing)),
        ("ordinary scenarios", ordinary, sum(not _refused(item) for item in differing)),
    ):
        if there < number:
            raise SuiteError(
                f"{recipe.name}: {domain.name} needs {number} different {what}, {recipe.candidates} candidates have "
                f"{there}: {number - there} too few; raise candidates, or lower per_domain"
            )
    wanted = wanted_of(recipe, domain, differing)
    room = {True: refusals, False: ordinary}
    chosen = _exchange(_greedy(differing, tags, wanted, room), differing, tags, wanted)
    count = Counter(tag for item in chosen for tag in tags[item.seed])
    had = Counter(tag for item in differing for tag in tags[item.seed])
    short = [Short(tag, least, count[tag], had[tag]) for tag, least in wanted.items() if count[tag] < least]
    return Chosen(tuple(chosen), split(recipe, chosen, tags), tuple(short))


def distinct(found: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates by seed, without those that repeat another's shape, population or wording."""
    seen: set[str] = set()
    kept = []
    for item in sorted(found, key=lambda item: item.seed):
        if item.traits is None:
            continue
        wordings = item.scenario.instructions.values()
        marks = {item.traits.shape, item.traits.population, *(" ".join(text.split()) for text in wordings)}
        if not marks & seen:
            kept.append(item)
        seen |= marks
    return kept


def tags_of(recipe: Recipe, traits: Traits) -> tuple[str, ...]:
    """Return everything by which a suite is balanced that a scenario has."""
    rules, tools = [f"rule {rule}" for rule in traits.broken], [f"tool {tool}" for tool in traits.tools]
    return (*recipe.bins(traits), *rules, *tools, *([f"ground {traits.refusal}"] if traits.refusal else []))


def refusals_wanted(recipe: Recipe, found: Sequence[Candidate]) -> int:
    """Return the number of refusals: the recipe's share, or more so that each ground can be given."""
    if not any(map(_refused, found)):
        return 0
    grounds = len({item.traits.refusal for item in found if item.traits} - {""})
    most = int(recipe.refusals_at_most * recipe.per_domain)
    return max(round(recipe.refusals * recipe.per_domain), min(grounds * recipe.at_least.get("ground", 0), most))


def wanted_of(recipe: Recipe, domain: Domain, found: Sequence[Candidate]) -> dict[str, int]:
    """Return how many scenarios the recipe asks for of each tag; of grounds, those that occur."""
    shares = {
        f"{name} {text}": share
        for name in ("length", "rules", "distractors")
        for text, share in getattr(recipe, name).items()
    }
    shares |= {f"kind {kind}": share for kind, share in recipe.kinds.items()}
    wanted = {tag: int(share * recipe.per_domain) for tag, share in shares.items()}
    wanted |= {f"rule {rule.id}": recipe.at_least.get("rule", 0) for rule in domain.rules}
    wanted |= {f"tool {tool}": recipe.at_least.get("tool", 0) for tool in domain.tools}
    grounds = sorted({item.traits.refusal for item in found if item.traits} - {""})
    return wanted | {f"ground {ground}": recipe.at_least.get("ground", 0) for ground in grounds}


Tags = Mapping[int, tuple[str, ...]]


def _greedy(
    found: Sequence[Candidate], tags: Tags, wanted: Mapping[str, int], room: dict[bool, int]
) -> list[Candidate]:
    had = Counter(tag for item in found for tag in tags[item.seed])
    worth = {tag: _weight(tag) * 1000 * least // max(had[tag], 1) for tag, least in wanted.items()}
    count: Counter[str] = Counter()
    chosen: list[Candidate] = []
    left = list(found)

    def gain(item: Candidate) -> int:
        own = tags[item.seed]
        needed = sum(worth[tag] for tag in own if count[tag] < wanted.get(tag, 0))
        return needed * 100 + sum(100 // (1 + count[tag]) for tag in own)

    while sum(room.values()):
        best = max((item for item in left if room[_refused(item)]), key=lambda item: (gain(item), -item.seed))
        left.remove(best)
        chosen.append(best)
        room[_refused(best)] -= 1
        count.update(tags[best.seed])
    return sorted(chosen, key=lambda item: item.seed)


def _exchange(
    chosen: list[Candidate], found: Sequence[Candidate], tags: Tags, wanted: Mapping[str, int]
) -> list[Candidate]:
    """Exchange one scenario for another of its kind while that leaves less wanted."""
    count = Counter(tag for item in chosen for tag in tags[item.seed])
    inside = {item.seed: item for item in chosen}

    def less(out: Candidate, new: Candidate) -> int:
        lost, won = set(tags[out.seed]), set(tags[new.seed])
        filled = sum(_weight(tag) for tag in won - lost if count[tag] < wanted.get(tag, 0))
        return filled - sum(_weight(tag) for tag in lost - won if 0 < wanted.get(tag, 0) >= count[tag])

    for _ in range(MAX_EXCHANGES):
        short = {tag for tag, least in wanted.items() if count[tag] < least}
        useful = [item for item in found if item.seed not in inside and short & set(tags[item.seed])]
        pairs = [(out, new) for new in useful for out in inside.values() if _refused(out) == _refused(new)]
        best = max(pairs, key=lambda pair: (less(*pair), -pair[0].seed, -pair[1].seed), default=None)
        if best is None or less(*best) <= 0:
            break
        out, new = best
        del inside[out.seed]
        inside[new.seed] = new
        count.subtract(tags[out.seed])
        count.update(tags[new.seed])
    return [inside[seed] for seed in sorted(inside)]


def split(recipe: Recipe, chosen: Sequence[Candidate], tags: Tags) -> dict[str, tuple[Candidate, ...]]:
    """Deal scenarios out to the splits, refusals and others apart, so that each tag is spread as the shares say."""
    if not recipe.splits:
        return {}
    found: dict[str, list[Candidate]] = {name: [] for name in recipe.splits}
    total = Counter(tag for item in chosen for tag in tags[item.seed])
    wanted = {name: {tag: share * total[tag] for tag in total} for name, share in recipe.splits.items()}
    room = _sizes(recipe.splits, len(chosen))
    refusals = [item for item in chosen if _refused(item)]
    sizes = _sizes(recipe.splits, len(refusals))
    _deal(refusals, tags, wanted, sizes, found)
    _deal(
        [item for item in chosen if not _refused(item)],
        tags,
        wanted,
        {name: room[name] - sizes[name] for name in room},
        found,
    )
    return {name: tuple(sorted(items, key=lambda item: item.seed)) for name, items in found.items()}


def _deal(
    items: Sequence[Candidate],
    tags: Tags,
    wanted: Mapping[str, dict[str, Fraction]],
    room: Mapping[str, int],
    found: Mapping[str, list[Candidate]],
) -> None:
    """Add each item to the split that still wants most of what it has; those with the rarest tags choose first."""
    left = {item.seed: item for item in items}
    free = dict(room)
    goal = {name: dict(tags_wanted) for name, tags_wanted in wanted.items()}
    while left:
        rest = Counter(tag for seed in left for tag in tags[seed])
        rarest = min(rest, key=lambda tag: (rest[tag], tag), default=None)
        for seed in [seed for seed in left if rarest is None or rarest in tags[seed]]:
            own = tags[seed]
            name = max(
                (name for name in free if free[name]),
                key=lambda name: (
                    sum(wanted[name][tag] / goal[name][tag] for tag in own if goal[name][tag] > 0),
                    Fraction(free[name], room[name]),
                ),
            )
            found[name].append(left.pop(seed))
            free[name] -= 1
            for tag in own:
                wanted[name][tag] -= 1


def _sizes(shares: Mapping[str, Fraction], count: int) -> dict[str, int]:
    """Return how many each split has; what is left over goes to those that lose most by rounding down."""
    sizes = {name: int(share * count) for name, share in shares.items()}
    losing = sorted(shares, key=lambda name: sizes[name] - shares[name] * count)
    for name in losing[: count - sum(sizes.values())]:
        sizes[name] += 1
    return sizes


def _weight(tag: str) -> int:
    return GROUND if tag.startswith("ground ") else 1


def _refused(item: Candidate) -> bool:
    return item.traits is not None and item.traits.refusal != ""
