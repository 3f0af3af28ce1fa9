"""Several rules as one: their product, what one call is for all of them, and which belong together."""

from lexgym.oracles.ltlf.joint.automaton import JointAutomaton, JointState, Way
from lexgym.oracles.ltlf.joint.groups import Group, common_names, grouped
from lexgym.oracles.ltlf.joint.letters import JointLetter, Member

__all__ = ["Group", "JointAutomaton", "JointLetter", "JointState", "Member", "Way", "common_names", "grouped"]
