"""Markdown into sentences: lines, sections, lists, references, and texts that are none."""

import pytest

from lexgym.errors import ExtractionError
from lexgym.generators.extraction.document import MAX_CHARACTERS, read_regulation, sentences

TEXT = """# Policy

Intro text (see Art. 3 and No. 5) goes on
over two lines. It ends here! "Quoted" end.

## 2.1 Payments

(3) The amount is checked (Section 4(2)), as section 7.1 says. E.g. this one.

Do this first:

1. **Payee.** Check the payee;
2. check the amount.

| a table | is skipped |
|---|---|

```
so is code. Truly.
```
"""


def test_sentences_have_line_section_and_citation() -> None:
    found = [(s.line, s.section, s.text, s.lead, s.label, s.citation) for s in sentences(TEXT)]
    assert found == [
        (3, "Policy", "Intro text goes on over two lines.", "", "", "see Art. 3 and No. 5"),
        (4, "Policy", "It ends here!", "", "", ""),
        (4, "Policy", '"Quoted" end.', "", "", ""),
        (8, "2.1 Payments", "The amount is checked.", "", "", "Section 4(2)"),
        (8, "2.1 Payments", "E.g. this one.", "", "", "2.1(3)"),
        (12, "2.1 Payments", "Check the payee", "Do this first", "Payee", "2.1(3)"),
        (13, "2.1 Payments", "check the amount.", "Do this first", "", "2.1(3)"),
    ]
    assert [s.number for s in sentences(TEXT)] == list(range(1, 8))


def test_a_lead_in_ends_with_its_list() -> None:
    found = sentences("Before you pay:\n- check it.\n\nA new paragraph.\n- A lone item.")
    assert [(s.lead, s.text) for s in found] == [
        ("Before you pay", "check it."),
        ("", "A new paragraph."),
        ("", "A lone item."),
    ]


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00", b"\xff\xfe\x00\x01", bytes(range(1, 32)) * 10])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(ExtractionError, match=r"manual\.pdf is no UTF-8 text; convert it"):
        read_regulation(data, "manual.pdf")


@pytest.mark.parametrize("data", [b"", b" \n\t\n", "﻿".encode()])
def test_an_empty_text_is_refused(data: bytes) -> None:
    with pytest.raises(ExtractionError, match="empty"):
        read_regulation(data, "x")


def test_a_text_past_the_limit_is_refused() -> None:
    with pytest.raises(ExtractionError, match="the limit is"):
        read_regulation(b"a" * (MAX_CHARACTERS + 1), "x")


def test_other_line_ends_are_read() -> None:
    assert read_regulation(b"One.\r\nTwo.\rThree.", "x") == "One.\nTwo.\nThree."
