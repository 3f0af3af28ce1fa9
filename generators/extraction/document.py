"""A regulation in Markdown → its sentences, each with its line, its section and the lead-in it hangs on.

    ## 3. Payments
    Before every payment:
    - have the payee's name matched (Art. 5).

gives one sentence: line 3, section "3. Payments", lead "Before every payment", citation "Art. 5".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from lexgym.errors import ExtractionError
from lexgym.generators.extraction.tables import Duty, duties

MAX_CHARACTERS = 4_000_000
"""Longest text that is read: about 1,500 pages."""

ANY = " one of the following"
"""Added to the lead-in of a list whose items are joined by `or`."""

MAX_SENTENCE = 2_000
"""Characters of one sentence that are looked at."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a regulation.

    `lead` is the unfinished sentence above a list (without its colon); `label` the words in bold that
    head an item; `citation` what the sentence cites, or else its own section and paragraph; `paragraph` the
    number of its paragraph; `duty` the cell of a table that it stands for.
    """

    number: int
    line: int
    section: str
    text: str
    lead: str = ""
    label: str = ""
    citation: str = ""
    paragraph: str = ""
    duty: Duty | None = None

    @property
    def whole(self) -> str:
        """The sentence with its lead-in."""
        return f"{self.lead}: {self.text}" if self.lead else self.text

    @property
    def place(self) -> str:
        """Where it stands, for a person."""
        return f"line {self.line}" + (f", {self.section}" if self.section else "")


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph or an item: its lines, the first of which has the number `line`."""

    line: int
    section: str
    lines: tuple[str, ...]
    item: bool
    paragraph: str
    table: bool = False

    @property
    def text(self) -> str:
        return " ".join(self.lines)

    def line_at(self, offset: int) -> int:
        """Return the line that a place of the text stands on."""
        for number, line in enumerate(self.lines, self.line):
            if offset <= len(line):
                return number
            offset -= len(line) + 1
        return self.line + len(self.lines) - 1


_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)]|\([a-z]{1,4}\))\s+(.*)$")
_PARAGRAPH = re.compile(r"^\s*\((\d{1,3})\)\s+(.*)$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_NUMBER = re.compile(r"^(?:(?:Art(?:icle|\.)|Section|Chapter|§+)\s*)?(\d+(?:\.\d+)*[a-z]?)\.?(?:\s|$)")
_CITATION = re.compile(
    r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?=[\s.,;:!?]|$)",
)
_CITES = re.compile(
    r"\b(?:Art|Arts|Article|Articles|Section|Sections|section|sections|Sec|§|Clause|Provision|Annex|Chapter|chapter"
    r"|paragraph|Paragraph|CFR|U\.S\.C|USC|Regulation|Directive|Rule|Recital|Nos?)\b\.?|§|^\d+(?:\.\d+)+"
)
_REFERENCE = re.compile(
    r",?\s*\b(?:as|see|under|in the sense of|according to)(?: in| under)? (?:sections?|chapters?|articles?|paragraphs?)"
    r" [\d(][\d.()]*(?:(?:,| and| or| to) [\d(][\d.()]*)*(?: (?:says?|provides?|requires?))?(?: so)?",
    re.IGNORECASE,
)
"""A reference to another place of the text; what it says is read there."""

_LABEL = re.compile(r"^\*\*([^*]{1,60}?)(?:[.:]\*\*|\*\*[.:])\s+(?=\S)")
_ABBREVIATION = re.compile(
    r"\b(?:Art|Arts|No|Nos|Sec|Secs|Para|Paras|e\.g|i\.e|etc|cf|vs|approx|Mr|Mrs|Ms|Dr|St|U\.S\.C|U\.S|pp?)\.$", re.I
)
_END = re.compile(r"[.!?][”\"')\]]*(?=\s+[A-Z“\"'(\[]|\s*$)")


_EMPTY = "is empty; give a regulation in prose, plain text or Markdown"


def read_regulation(data: bytes, where: str) -> str:
    """Return the text of a regulation; raise `ExtractionError` for what is no text, empty or too long."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text or sum(not (c.isprintable() or c in "\n\r\t\f") for c in text[:4_000]) > 40:
        raise ExtractionError(f"{where} is no UTF-8 text; convert it to plain text or Markdown first")
    if not text.strip():
        raise ExtractionError(f"{where} {_EMPTY}")
    if len(text) > MAX_CHARACTERS:
        raise ExtractionError(
            f"{where} has {len(text):,} characters, the limit is {MAX_CHARACTERS:,}; extract its parts one by one"
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    if not any(_blocks(text)):
        raise ExtractionError(f"{where} {_EMPTY}")
    return text


def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a Markdown text, numbered from 1."""
    found: list[Sentence] = []
    lead = ""
    above = section = ""
    blocks = [*_blocks(text)]
    for block, after in zip_longest(blocks, blocks[1:]):
        listed = after is not None and after.item and after.section == block.section
        lead = lead if block.item else ""
        above = above if block.section == section else ""
        section = block.section
        if block.table:
            found += [replace(row, number=len(found) + n) for n, row in enumerate(_rows(block), 1)]
            continue
        for place, sentence in enumerate(_split(block)):
            if items := _enumerated(sentence):
                found += [replace(item, number=len(found) + n) for n, item in enumerate(items, 1)]
                continue
            bare = sentence.text.rstrip()
            if not block.item and (bare.endswith(":") or (listed and bare[-1:].isalpha())):
                lead = above = _continued(bare.rstrip(":").strip(), above)
                if listed or (after is not None and after.table):
                    continue
            hung = replace(sentence, lead=lead if block.item and place == 0 else "", number=len(found) + 1)
            found.append(hung)
    return tuple(found)


_POINTS = re.compile(r"[;,]?\s*(?:\b(?:and|or)\b)?\s*\((?:[a-h]|i{1,3}|iv|v|[1-9])\)\s+", re.IGNORECASE)


def _enumerated(sentence: Sentence) -> list[Sentence]:
    """Return the items of a list that stands within a sentence: `… only if (a) …, and (b) …`."""
    lead, *items = _POINTS.split(sentence.text)
    if len(items) < 2 or not lead.strip():
        return []
    joint = lead.strip().rstrip(":").strip() + (ANY if re.search(r"\bor\s*\(", sentence.text) else "")
    return [replace(sentence, lead=joint, text=item.strip(" ;,")) for item in items]


def _continued(lead: str, above: str) -> str:
    """Return a lead-in; one that only goes on from the one above (`Then it depends on …`) is that one."""
    return above if above and re.match(r"(?:then|next|moreover|further|in addition)\b", lead, re.IGNORECASE) else lead


def _rows(block: _Block) -> Iterator[Sentence]:
    """Yield the duties of a table as sentences."""
    cited = _cited(block)
    for duty in duties(block.lines):
        yield Sentence(0, block.line + duty.place, block.section, duty.text, citation=cited, duty=duty)


def _cited(block: _Block) -> str:
    """Return the number of a block's section and paragraph."""
    own = own_number(block.section)
    return f"{own}({block.paragraph})" if own and block.paragraph else own


def own_number(section: str) -> str:
    """Return the number that a heading begins with, empty where it has none."""
    found = _NUMBER.match(section)
    return found[1] if found else ""


def _blocks(text: str) -> Iterator[_Block]:
    """Yield paragraphs and list items, their lines joined."""
    section, lines, first, item, paragraph, fenced, table = "", list[str](), 0, False, "", False, False

    def flush() -> Iterator[_Block]:
        if lines:
            yield _Block(first, section, tuple(lines), item and not table, paragraph, table)
            lines.clear()

    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            yield from flush()
            fenced = not fenced
            continue
        if fenced or line.lstrip().startswith("<!--") or re.fullmatch(r"\s*([-*_=]\s*){3,}", line):
            yield from flush()
            continue
        if line.lstrip().startswith("|") != table:
            yield from flush()
            table = not table
        if table:
            first = first if lines else number
            lines.append(line)
            continue
        heading, point, own = _HEADING.match(line), _ITEM.match(line), _PARAGRAPH.match(line)
        if heading or not line.strip():
            yield from flush()
            section = heading[2].strip() if heading else section
            paragraph = "" if heading else paragraph
            item = False
            continue
        if own or point:
            yield from flush()
        if own:
            paragraph, item = own[1], False
        elif point:
            item = True
        if not lines:
            first = number
        lines.append((own[2] if own else point[1] if point else line).strip().lstrip("> "))
    yield from flush()


def _split(block: _Block) -> Iterator[Sentence]:
    """Yield the sentences of a block; a semicolon at the end of an item ends one too."""
    label = ""
    text = block.text
    begin = 0
    if found := _LABEL.match(text):
        label, begin = found[1].strip(), found.end()
    cited = _cited(block)
    for start, part in _ends(text, begin):
        bare, citations = _without_citations(part.replace("**", "").replace("`", "").replace("__", ""))
        bare = re.sub(r"(?<!\w)[*_]([^*_\n]+)[*_](?!\w)", r"\1", bare).strip().rstrip(";").strip()
        if bare:
            line = block.line_at(start + len(part) - len(part.lstrip()))
            yield Sentence(0, line, block.section, bare[:MAX_SENTENCE], "", label, citations or cited, block.paragraph)


def _ends(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text from a place on, each with where it begins."""
    for end in _END.finditer(text, start):
        if _ABBREVIATION.search(text[start : end.end()]) and end.end() < len(text.rstrip()):
            continue
        yield start, text[start : end.end()]
        start = end.end()
    if text[start:].strip():
        yield start, text[start:]


def _without_citations(text: str) -> tuple[str, str]:
    """Return a sentence without the references in brackets, and these."""
    cited: list[str] = []

    def take(match: re.Match[str]) -> str:
        if _CITES.search(match[1]) and re.search(r"\d", match[1]):
            cited.append(match[1])
            return ""
        return match[0]

    bare = _REFERENCE.sub("", _CITATION.sub(take, text))
    return " ".join(bare.split()), "; ".join(cited)
