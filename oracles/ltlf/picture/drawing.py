"""An automaton as a picture: SVG with a layout of its own, and DOT for Graphviz.

    to_svg(compile("G(a -> F b)"))   →   "<svg …>…</svg>"

Colours are verdicts: green satisfied for good, light green satisfied so far, amber violated so far,
red violated for good. Accepting states have a double ring, and the arrow from nowhere points at the
initial one.
"""

import unicodedata
from collections import deque
from html import escape
from itertools import pairwise
from typing import TypeAlias

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.picture.chart import Chart, ChartEdge, ChartState, chart_of
from lexgym.oracles.ltlf.picture.labels import wrapped
from lexgym.oracles.ltlf.picture.layout import Box, Layout, Route, Size, lay_out
from lexgym.oracles.ltlf.plain import Automaton
from lexgym.oracles.ltlf.rule import RuleAutomaton

MAX_DRAWN = 400
"""States that a picture can have."""

_FILL = {RV.PS: "#8fd19e", RV.CS: "#dcf3e0", RV.CV: "#ffdf9e", RV.PV: "#f4a3a0"}
_LINE = {RV.PS: "#2e7d32", RV.CS: "#5a9e68", RV.CV: "#b7791f", RV.PV: "#b3261e"}
_INK, _EDGE = "#1f2933", "#6b7785"

_RADIUS, _LOOP, _MARGIN = 21.0, 24.0, 24.0
_CHAR, _LINE_HEIGHT, _PAD = 6.65, 14.0, 4.0
_SLOT = 180
_MAX_CHARS, _MAX_LINES = 30, 6

_Point: TypeAlias = tuple[float, float]


def to_svg(automaton: Automaton | RuleAutomaton) -> str:
    """Return a self-contained SVG picture; the same automaton gives the same text.

    Raises StateLimitExceeded beyond `MAX_DRAWN` states.
    """
    chart = chart_of(automaton)
    _check(chart)
    edges = [edge for edge in chart.edges if edge.source != edge.target]
    loops = {edge.source: edge for edge in chart.edges if edge.source == edge.target}
    sizes = [_state_size(loops.get(number)) for number in range(len(chart.states))]
    layout = lay_out(sizes, _ranks(chart), [(e.source, e.target) for e in edges], [_label_size(e) for e in edges])
    ports = _ports(layout)
    parts = [_edge(layout, route, edge, ports) for route, edge in zip(layout.routes, edges, strict=True)]
    for number, (state, box) in enumerate(zip(chart.states, layout.boxes, strict=False)):
        parts += [_loop(box, loops[number])] if number in loops else []
        parts.append(_state(box, state, initial=number == 0))
    return _page(chart, layout, parts)


def to_dot(automaton: Automaton | RuleAutomaton) -> str:
    """Return the automaton in Graphviz's language.

    Raises StateLimitExceeded beyond `MAX_DRAWN` states.
    """
    chart = chart_of(automaton)
    _check(chart)
    lines = [
        "digraph automaton {",
        f"  label={_quoted(chart.caption or chart.title)};",
        "  rankdir=LR;",
        '  node [style=filled, fontname="sans-serif"];',
        '  edge [fontname="monospace", fontsize=10];',
        '  start [shape=none, label="", width=0, height=0];',
    ]
    for state in chart.states:
        shape = "doublecircle" if state.accepting else "circle"
        colours = f'fillcolor="{_FILL[state.colour]}", color="{_LINE[state.colour]}"'
        lines.append(f'  {state.name} [shape={shape}, {colours}, tooltip="{state.colour.value}"];')
    lines.append(f"  start -> {chart.states[0].name};")
    for edge in chart.edges:
        ends = f"{chart.states[edge.source].name} -> {chart.states[edge.target].name}"
        label = ", ".join(f"{key}={_quoted(text)}" for key, text in _dot_texts(edge).items())
        lines.append(f"  {ends} [{label}];")
    return "\n".join([*lines, "}", ""])


def _dot_texts(edge: ChartEdge) -> dict[str, str]:
    return {"label": "\n".join(shortened(edge.short)), "tooltip": "\n".join(edge.labels)}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _check(chart: Chart) -> None:
    if len(chart.states) > MAX_DRAWN:
        raise StateLimitExceeded(f"a picture shows at most {MAX_DRAWN} states, this automaton has {len(chart.states)}")


def shortened(labels: tuple[str, ...]) -> list[str]:
    """Return the lines of a label: whole texts while there is room for them, and how many are left out."""
    lines: list[str] = []
    for number, text in enumerate(labels):
        more = wrapped(text, _MAX_CHARS)
        room = _MAX_LINES - len(lines) - (number + 1 < len(labels))
        if len(more) > room and lines:
            return [*lines, f"… {len(labels) - number} more"]
        lines += more if len(more) <= room else [*more[: room - 1], f"{more[room - 1][: _MAX_CHARS - 1]}…"]
    return lines


def _text_width(text: str) -> float:
    return _CHAR * sum(2 if unicodedata.east_asian_width(letter) in "FW" else 1 for letter in text)


def _label_size(edge: ChartEdge) -> Size:
    lines = shortened(edge.short)
    half, tall = max(map(_text_width, lines)) / 2 + _PAD, len(lines) * _LINE_HEIGHT / 2 + _PAD / 2
    return Size(half, half, tall, tall)


def _state_size(loop: ChartEdge | None) -> Size:
    if loop is None:
        return Size(_RADIUS, _RADIUS, _RADIUS, _RADIUS)
    label = _label_size(loop)
    half = max(_RADIUS, label.left)
    return Size(half, half, _RADIUS + _LOOP + 2 * label.top, _RADIUS)


def _ranks(chart: Chart) -> list[int]:
    """Return the layer of each state: its distance from the initial one, but settled states come last."""
    after: dict[int, list[int]] = {}
    for edge in chart.edges:
        after.setdefault(edge.source, []).append(edge.target)
    ranks = {0: 0}
    queue = deque([0])
    while queue:
        source = queue.popleft()
        for target in after[source]:
            if target not in ranks:
                ranks[target] = ranks[source] + 1
                queue.append(target)
    for number, state in enumerate(chart.states):
        if number and state.colour in (RV.PS, RV.PV):
            before = [ranks[e.source] for e in chart.edges if e.target == number != e.source]
            ranks[number] = 1 + max(before)
    return [ranks[number] for number in range(len(chart.states))]


def _ports(layout: Layout) -> dict[tuple[int, int, int], float]:
    """Return how far above or below a state's centre an edge meets its rim, by state, next box and route."""
    ports = {}
    states = {end for route in layout.routes for end in (route.boxes[0], route.boxes[-1])}
    ends: dict[tuple[int, bool], list[tuple[float, int, int]]] = {}
    for number, route in enumerate(layout.routes):
        for state, near in ((route.boxes[0], route.boxes[1]), (route.boxes[-1], route.boxes[-2])):
            right = layout.boxes[near].column > layout.boxes[state].column
            ends.setdefault((state, right), []).append((layout.boxes[near].y, near, number))
    for state in sorted(states):
        for right in (False, True):
            met = sorted(ends.get((state, right), []))
            reach = min(_RADIUS * 0.75, 7.0 * (len(met) - 1) / 2)
            for place, (_, near, number) in enumerate(met):
                share = 0.0 if len(met) == 1 else 2 * place / (len(met) - 1) - 1
                ports[state, near, number] = share * reach
    return ports


def _rim(layout: Layout, state: int, near: int, shift: float) -> tuple[_Point, _Point]:
    """Return where an edge leaves a state, and the point at the column's side that it runs level to."""
    box = layout.boxes[state]
    sides = layout.columns[box.column]
    across = (_RADIUS**2 - shift**2) ** 0.5
    if layout.boxes[near].column > box.column:
        return (box.x + across, box.y + shift), (sides[1], box.y + shift)
    return (box.x - across, box.y + shift), (sides[0], box.y + shift)


def _points(layout: Layout, route: Route, number: int, ports: dict[tuple[int, int, int], float]) -> list[_Point]:
    """Return the points of an edge; from one to the next it runs level or in a curve across a gap."""
    first, last = route.boxes[0], route.boxes[-1]
    start = _rim(layout, first, route.boxes[1], ports[first, route.boxes[1], number])
    end = _rim(layout, last, route.boxes[-2], ports[last, route.boxes[-2], number])
    points = list(start)
    came = start[1][0]
    for index in route.boxes[1:-1]:
        box, sides = layout.boxes[index], layout.columns[layout.boxes[index].column]
        enter, leave = (sides[0], sides[1]) if came <= sides[0] else (sides[1], sides[0])
        turns = layout.boxes[first].column == layout.boxes[last].column
        points += [(enter, box.y), (enter if turns else leave, box.y)]
        came = points[-1][0]
    return [*points, end[1], end[0]]


def _edge(layout: Layout, route: Route, edge: ChartEdge, ports: dict[tuple[int, int, int], float]) -> str:
    points = _points(layout, route, layout.routes.index(route), ports)
    path = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 == y1 or x0 == x1:
            path.append(f"L{x1:.1f},{y1:.1f}")
        else:
            middle = (x0 + x1) / 2
            path.append(f"C{middle:.1f},{y0:.1f} {middle:.1f},{y1:.1f} {x1:.1f},{y1:.1f}")
    label = layout.boxes[route.label]
    line = f'<path class="edge" d="{" ".join(path)}" marker-end="url(#head)"/>'
    return f"<g>{_tooltip(edge.labels)}{line}{_text(label.x, label.y, edge.short)}</g>"


def _tooltip(labels: tuple[str, ...]) -> str:
    return f"<title>{escape(chr(10).join(labels))}</title>"


def _text(x: float, y: float, labels: tuple[str, ...]) -> str:
    """Return a label centred on a point, on a ground of its own."""
    lines = shortened(labels)
    width, height = max(map(_text_width, lines)) + _PAD, len(lines) * _LINE_HEIGHT
    ground = f'<rect class="ground" x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}"'
    rows = [
        f'<text class="label" x="{x:.1f}" y="{y - height / 2 + (i + 0.76) * _LINE_HEIGHT:.1f}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    return f'{ground} height="{height:.1f}"/>{"".join(rows)}'


def _loop(box: Box, edge: ChartEdge) -> str:
    x, y = box.x, box.y
    reach, foot = 9.0, (_RADIUS**2 - 81.0) ** 0.5
    top = y - _RADIUS - _LOOP - 8
    curve = (
        f"M{x - reach:.1f},{y - foot:.1f} C{x - 19:.1f},{top:.1f} {x + 19:.1f},{top:.1f} {x + reach:.1f},{y - foot:.1f}"
    )
    above = y - _RADIUS - _LOOP - _label_size(edge).top + 2
    line = f'<path class="edge" d="{curve}" marker-end="url(#head)"/>'
    return f"<g>{_tooltip(edge.labels)}{line}{_text(x, above, edge.short)}</g>"


def _state(box: Box, state: ChartState, *, initial: bool) -> str:
    x, y, r = box.x, box.y, _RADIUS
    fill, line = _FILL[state.colour], _LINE[state.colour]
    parts = [f"<title>{state.name}: {state.colour.value}</title>"]
    if initial:
        parts.append(f'<path class="edge" d="M{x - r - 26:.1f},{y:.1f} L{x - r:.1f},{y:.1f}" marker-end="url(#head)"/>')
    parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" stroke="{line}" stroke-width="1.6"/>')
    if state.accepting:
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r - 4:.1f}" fill="none" stroke="{line}"/>')
    parts.append(f'<text class="name" x="{x:.1f}" y="{y + 4.5:.1f}">{state.name}</text>')
    return f"<g>{''.join(parts)}</g>"


_STYLE = (
    ".edge{fill:none;stroke:#6b7785;stroke-width:1.3}.ground{fill:#fff}"
    ".label{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2933;text-anchor:middle}"
    ".name{font:600 13px system-ui,'DejaVu Sans',sans-serif;fill:#1f2933;text-anchor:middle}"
    ".key{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#4a5560}"
)


def _page(chart: Chart, layout: Layout, parts: list[str]) -> str:
    left = _MARGIN + 26
    colours = [colour for colour in RV if any(state.colour is colour for state in chart.states)]
    width = max(
        left + layout.width + _MARGIN, _MARGIN * 2 + _SLOT * len(colours), _MARGIN * 2 + _text_width(chart.caption)
    )
    height = layout.height + 2 * _MARGIN + 34 + (_LINE_HEIGHT + 6 if chart.caption else 0)
    caption = f'<text class="key" x="0" y="{-_LINE_HEIGHT - 2:.0f}">{escape(chart.caption)}</text>' * bool(
        chart.caption
    )
    key = [
        f'<circle cx="{_SLOT * i + 7}" cy="0" r="6" fill="{_FILL[c]}" stroke="{_LINE[c]}"/>'
        f'<text class="key" x="{_SLOT * i + 19}" y="4">{c.value} ({c.name})</text>'
        for i, c in enumerate(colours)
    ]
    head = (
        '<marker id="head" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0,0.6 L8,4 L0,7.4 Z" fill="{_EDGE}"/></marker>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img"><title>{escape(chart.title)}</title><defs>{head}'
        f"<style>{_STYLE}</style></defs>"
        f'<rect width="100%" height="100%" fill="#fff"/><g transform="translate({left:.0f},{_MARGIN:.0f})">'
        f'{"".join(parts)}</g><g transform="translate({_MARGIN:.0f},{height - 26:.0f})">'
        f"{caption}{''.join(key)}</g></svg>\n"
    )
