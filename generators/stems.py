"""Words and their stems, for finding one word in another form of it.

    >>> stem("authentication") == stem("authenticate"), stem("authorised") == stem("authorization")
    (True, True)

A stemmer such as Snowball's keeps `verify` and `verification` apart and knows one spelling; here it is worse to miss
a word than to find one too many.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,:-]\d+)*|[.!?;:]")
_BRITISH = re.compile(r"is(?=(e|ed|es|er|ers|ing|ation|ations|able)$)")
_INFLECTION = re.compile(r"((?<=ss|sh|ch)es|(?<=[xz])es|(?<=i)es|(?<=i)ed|(?<![su])s|ing|ed)$")
_DERIVATION = re.compile(
    r"((?<=if)ication|ation|ition|ator|atory|ative|ate|at|(?<=\w{5})e?ment|ance|ant|ity|able|or|er|(?<=al)ly|al|ion|e)$"
)
_SHORTEST = 4

ENDS = frozenset(".!?;:")
"""The words that end a sentence."""


def words(text: str) -> list[str]:
    """Return the words, numbers and sentence ends of a text, in lower case."""
    return _WORD.findall(text.lower())


def sentences(found: Iterable[str]) -> Iterator[list[str]]:
    """Yield the words of each sentence."""
    sentence: list[str] = []
    for word in found:
        if word in ENDS:
            yield sentence
            sentence = []
        else:
            sentence.append(word)
    yield sentence


def name_words(name: str) -> list[str]:
    """Return the words of a tool's name: those of `check_consent` or of `CheckConsent`."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Return what the forms of a word have in common."""
    found = _BRITISH.sub("iz", word.lower().replace("’", "'").removesuffix("'s"))
    inflected = _INFLECTION.sub("", found)
    found = inflected if len(inflected) > 2 else found
    derived = _DERIVATION.sub("", found)
    found = derived if len(derived) >= _SHORTEST else found
    if len(found) >= _SHORTEST and found[-1] == found[-2] and found[-1] not in "sl":
        found = found[:-1]
    return found[:-1] if len(found) > _SHORTEST and found[-1] in "yi" else found
