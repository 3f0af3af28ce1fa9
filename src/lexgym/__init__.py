"""lexgym: Gymnasium environments in which an agent must reach the goal and keep the law.

Importing it registers one environment per domain, such as `lexgym/Finance-v0`.
"""

from lexgym.registration import register_envs

__version__ = "0.1.0"
__all__ = ["__version__", "register_envs"]

register_envs()
