"""Formulas as English sentences: `english`."""

from lexgym.oracles.ltlf.english.sentences import MAX_PART, english

__all__ = ["MAX_PART", "english"]
