"""LogiSafetyBench as a suite: a user's checkout of the authors' repository, its references run, its tasks imported.

    found = import_checkout(Path("LOGISAFETYGEN"), "fair")

Source: arXiv 2601.08196, https://github.com/dasong-sd/LOGISAFETYGEN (GPL-3.0). Nothing of that repository is kept here.
"""

from lexgym.generators.logisafety.importing import PROFILES, Imported, import_checkout

__all__ = ["PROFILES", "Imported", "import_checkout"]
