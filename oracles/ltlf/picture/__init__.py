"""Automata as pictures: `to_svg`, `to_dot`."""

from lexgym.oracles.ltlf.picture.drawing import MAX_DRAWN, to_dot, to_svg

__all__ = ["MAX_DRAWN", "to_dot", "to_svg"]
