"""Passwords are kept as fingerprints only.

>>> fingerprint("correct-horse")
'9dca666eb547'
"""

from hashlib import sha256


def fingerprint(password: str) -> str:
    """Return the first twelve hexadecimal digits of the password's SHA-256."""
    return sha256(password.encode()).hexdigest()[:12]
