"""Where states, edges and their labels go in a drawing: a layered layout, left to right.

    columns:   s0 | labels | s1 s2 | labels | s3

A label is a box with a place of its own in the column between two layers, and an edge over several
layers has a place in each, so that no label lies on another; curves move up or down only in the
gaps between columns (Sugiyama, Tagawa, Toda, "Methods for visual understanding", 1981).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

GAP_X, GAP_Y = 44.0, 12.0
SWEEPS = 12


@dataclass(frozen=True, slots=True)
class Size:
    """A box around an anchor: to the left and right of it, above and below it, in pixels."""

    left: float
    right: float
    top: float
    bottom: float


@dataclass(slots=True)
class Box:
    """A box with a place: a state, a label, or a point of a long edge that only passes through."""

    size: Size
    column: int
    x: float = 0.0
    y: float = 0.0
    order: int = 0
    near: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Route:
    """An edge as the boxes that it runs through, from its source to its target; `label` is one of them."""

    boxes: tuple[int, ...]
    label: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes with their places (the states first), routes, and each column's left and right side."""

    boxes: list[Box]
    routes: list[Route]
    columns: list[tuple[float, float]]
    width: float
    height: float


def lay_out(
    states: Sequence[Size], ranks: Sequence[int], edges: Sequence[tuple[int, int]], labels: Sequence[Size]
) -> Layout:
    """Place states by rank, and edges between different states with one label each."""
    boxes = [Box(size, 2 * rank) for size, rank in zip(states, ranks, strict=True)]
    routes = [_route(boxes, edge, label) for edge, label in zip(edges, labels, strict=True)]
    columns = [[i for i, box in enumerate(boxes) if box.column == c] for c in range(max(b.column for b in boxes) + 1)]
    _sort(boxes, columns)
    _settle(boxes, columns)
    sides = _spread(boxes, columns)
    top = min(box.y - box.size.top for box in boxes)
    for box in boxes:
        box.y -= top
    return Layout(boxes, routes, sides, sides[-1][1], max(box.y + box.size.bottom for box in boxes))


def _route(boxes: list[Box], edge: tuple[int, int], label: Size) -> Route:
    source, target = edge
    start, end = boxes[source].column, boxes[target].column
    step = 1 if end >= start else -1
    through = range(start + step, end, step) if start != end else range(start + 1, start + 2)
    point = Size(0, 0, 2, 2)
    chain = [source]
    for column in through:
        boxes.append(Box(label if column == start + step else point, column))
        chain.append(len(boxes) - 1)
    chain.append(target)
    for one, two in pairwise(chain):
        boxes[one].near.append(two)
        boxes[two].near.append(one)
    return Route(tuple(chain), chain[1])


def _sort(boxes: list[Box], columns: list[list[int]]) -> None:
    """Order each column by the mean place of its neighbours, keeping the order with fewest crossings."""
    _number(boxes, columns)
    best, fewest = [list(column) for column in columns], _crossings(boxes, columns)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else columns[::-1]:
            side = -1 if forward else 1
            places = {i: _mean(boxes, i, side) for i in column}
            column.sort(key=lambda i, places=places: (places[i], boxes[i].order))  # type: ignore[misc]
            _number(boxes, [column])
        crossings = _crossings(boxes, columns)
        if crossings < fewest:
            best, fewest = [list(column) for column in columns], crossings
    columns[:] = best
    _number(boxes, columns)


def _number(boxes: list[Box], columns: Sequence[Sequence[int]]) -> None:
    for column in columns:
        for order, index in enumerate(column):
            boxes[index].order = order


def _mean(boxes: list[Box], index: int, side: int) -> float:
    box = boxes[index]
    there = [boxes[i].order for i in box.near if boxes[i].column == box.column + side]
    return sum(there) / len(there) if there else box.order


def _crossings(boxes: list[Box], columns: list[list[int]]) -> int:
    total = 0
    for column in columns:
        lines = [
            (boxes[i].order, boxes[j].order) for i in column for j in boxes[i].near if boxes[j].column > boxes[i].column
        ]
        total += sum((a < c and b > d) or (a > c and b < d) for n, (a, b) in enumerate(lines) for c, d in lines[:n])
    return total


def _settle(boxes: list[Box], columns: list[list[int]]) -> None:
    """Move boxes level with their neighbours as far as the order and the gaps allow."""
    for column in columns:
        _pack(boxes, column, [0.0] * len(column))
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            _pack(boxes, column, [_level(boxes, i) for i in column])


def _level(boxes: list[Box], index: int) -> float:
    near = boxes[index].near
    return sum(boxes[i].y for i in near) / len(near) if near else boxes[index].y


def _pack(boxes: list[Box], column: list[int], wanted: list[float]) -> None:
    """Place a column's boxes in order, as near as possible to where they are wanted (least squares)."""
    offset, offsets = 0.0, []
    for place, index in enumerate(column):
        if place:
            offset += boxes[column[place - 1]].size.bottom + GAP_Y + boxes[index].size.top
        offsets.append(offset)
    blocks: list[tuple[float, int]] = []
    for want, gone in zip(wanted, offsets, strict=True):
        blocks.append((want - gone, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (one, n), (two, m) = blocks[-2:]
            blocks[-2:] = [((one * n + two * m) / (n + m), n + m)]
    places = [value for value, count in blocks for _ in range(count)]
    for index, base, gone in zip(column, places, offsets, strict=True):
        boxes[index].y = base + gone


def _spread(boxes: list[Box], columns: list[list[int]]) -> list[tuple[float, float]]:
    """Give each column its place from left to right; the label of an edge within a layer keeps to the left."""
    sides, x = [], 0.0
    for column in columns:
        left = max((boxes[i].size.left for i in column), default=0.0)
        right = max((boxes[i].size.right for i in column), default=0.0)
        for i in column:
            turns = boxes[i].column % 2 == 1 and all(boxes[j].column < boxes[i].column for j in boxes[i].near)
            boxes[i].x = x + (boxes[i].size.left if turns else left)
        sides.append((x, x + left + right))
        x += left + right + GAP_X
    return sides
