"""lexgym: Gymnasium environments in which an agent must reach the goal and keep the law."""

__version__ = "0.1.0"
