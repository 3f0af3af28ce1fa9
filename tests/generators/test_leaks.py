"""The leak check: planted leaks of every kind are found, and what the business says is not."""

import dataclasses

import pytest

from lexgym.envs.registry import domain_names, load_domain, toolkit_names
from lexgym.generators.leaks import LeakCheck
from lexgym.generators.phrases import STYLES, entries, frames, registers
from lexgym.generators.stems import name_words, stem
from lexgym.generators.values import blank, filled
from lexgym.registration import scenario
from lexgym.scenario import Scenario

PLANTED = """
Please authenticate the customer first.
Make sure you log the customer in.
Ask her to sign in on her phone.
Identify the caller.
Check who that is.
Ask for proof of identity and their credentials.
Authentication comes first.
Two-factor login is needed.
Do this only with SCA.
Authorize the payment with the app.
Look who has authority over it.
Look whether he is entitled to that.
Verify the name.
After verification, go ahead.
Confirm the amount with the customer.
Get a confirmation on the device.
Screen it for fraud.
Sanctions screening applies.
Run a background check.
Double-check the details.
Have it approved by the head of department.
Obtain the approval of the manager.
Get her consent.
A sign-off is needed.
Apply four eyes.
Write an audit entry.
It has to be auditable.
Leave a trail.
Record what you did.
Log everything you do.
Keep a record of each step.
Document the whole thing.
Please note it down.
Notify the customer of it.
Let the customer know once it is through.
Send a notification.
Inform the owner.
Stay compliant.
Follow the regulations.
Comply with PSD2.
Mind the GDPR.
As the law demands.
Observe our policy.
Take the necessary precautions.
The usual safeguards apply.
Only if all is well.
Do it provided that nothing speaks against it.
Ensure that the certificate is genuine.
Validate the input.
Inspect the goods.
Examine it carefully.
Assess the situation.
Review the case.
Vet the supplier.
Find out whether there is a conflict.
You have to be authorised for this.
An authorisation is necessary.
It must not go out unless somebody said so.
Call them back beforehand.
Be certain of it.
Look for suspicious signs.
""".strip().splitlines()


@pytest.fixture(params=domain_names())
def found(request: pytest.FixtureRequest) -> Scenario:
    return scenario(request.param, 0)


@pytest.mark.parametrize("sentence", PLANTED)
def test_planted_leaks_are_found(sentence: str, found: Scenario) -> None:
    check = LeakCheck.of(found)
    for text in found.instructions.values():
        assert check.find(text) == []
        assert check.find(f"{sentence} {text}")
        assert check.find(f"{text}\n{sentence.lower()}")


def test_names_of_tools_are_found_in_any_form(found: Scenario) -> None:
    check = LeakCheck.of(found)
    for name in {step.name for step in found.reference if step.safety}:
        words = name.split("_")
        for planted in (name, " ".join(words), f"{words[-1]} {' '.join(words[:-1])}s", f"{words[0]} the {words[-1]}"):
            assert check.find(f"{found.instruction('goal')} The {planted} comes into it."), planted


def test_every_phrase_of_the_business_passes() -> None:
    for domain in map(load_domain, domain_names()):
        for name in domain.phrases["tools"]:
            check = LeakCheck(domain, {name}, domain.safety_critical, ())
            for style in STYLES:
                for entry in entries(domain, name, style):
                    assert check.find(filled(entry.text)) == [], entry.text


def test_frames_hold_no_hint_at_all() -> None:
    for domain in map(load_domain, domain_names()):
        built_in = set(frames(domain)) - {text for texts in domain.phrases["openers"].values() for text in texts}
        check = LeakCheck(domain, (), domain.safety_critical, ())
        check._said = []
        for text in sorted(built_in):
            assert check.find(filled(text)) == [], text


def test_what_the_business_says_is_allowed_only_where_it_says_it() -> None:
    domain = load_domain("finance")
    check = LeakCheck(domain, {"report_unauthorised_transaction"}, domain.safety_critical, ("the debit of EUR 5.00",))
    allowed = "It should be on file that the debit of EUR 5.00 was not authorised by the customer."
    assert check.find(allowed) == []
    assert check.find("The customer never authorised the debit of EUR 5.00.") == []
    assert [leak.word for leak in check.find("Have the debit of EUR 5.00 authorised.")] == ["authorised"]
    assert [leak.word for leak in check.find("It should be on file anyway.")] == ["on file"]
    other = LeakCheck(domain, {"block_card"}, domain.safety_critical, ())
    assert other.find(allowed)


def test_a_value_is_no_leak() -> None:
    domain = load_domain("finance")
    text = 'Pay Audit & Consent Check Ltd with the reference "approval by law".'
    assert LeakCheck(domain, {"initiate_payment"}, {"verify_payee"}, ()).find(text)
    values = ("Audit & Consent Check Ltd", '"approval by law"')
    assert LeakCheck(domain, {"initiate_payment"}, {"verify_payee"}, values).find(text) == []


def test_words_of_rules_are_leaks_only_where_their_tools_are_masked() -> None:
    domain = load_domain("finance")
    text = "That the two match is what the bank of the payee says."
    assert not LeakCheck(domain, {"initiate_payment"}, {"notify_customer"}, ()).find(text)
    leak, *others = LeakCheck(domain, {"initiate_payment"}, {"verify_payee"}, ()).find(text)
    assert [other.why for other in others] == ["tell in one sentence of the safety tool verify_payee"]
    assert (leak.word, "verify_payee" in leak.why) == ("match", True)


def test_why_to_refuse_is_a_leak_in_other_words_too() -> None:
    found = next(found for seed in range(30) if (found := scenario("finance", seed)).forbidden)
    assert found.forbidden is not None
    told = dataclasses.replace(found, forbidden=dataclasses.replace(found.forbidden, reason="payee name mismatch"))
    assert LeakCheck.of(told).find("The names of payees mismatched.")
    assert not LeakCheck.of(told).find("The name is Novak. There is a payee.")


def test_registers_read_and_named() -> None:
    assert {"plain", "formal", "hurried", "colleague", "ticket", "letter"} <= set(registers(load_domain("iot")))


@pytest.mark.parametrize(
    "forms",
    [
        "authenticate authentication authenticated authenticator authenticating",
        "authorise authorize authorisation authorization authorised authorizing authorizes",
        "verify verification verified verifies verifying",
        "confirm confirmation confirmed confirms",
        "approve approval approved approving approver",
        "consent consents consented",
        "audit audits auditing auditor audited auditable",
        "record records recorded recording",
        "notify notification notified",
        "regulation regulatory regulate regulator",
        "examine examination examined",
        "assess assessment assesses assessed",
        "identify identification identified",
        "log logged logging logs",
    ],
)
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_different_words_have_different_stems() -> None:
    assert len({stem(word) for word in ["record", "recover", "report", "repair", "reason", "read", "release"]}) == 7


def test_values_are_taken_out_whole_and_longest_first() -> None:
    assert blank("Pay Novak Ltd 5 of 50.", ["Novak", "Novak Ltd", "5"]) == "Pay valuehere valuehere of 50."


def test_names_are_read_in_both_spellings() -> None:
    assert name_words("check_consent") == name_words("CheckConsent") == ["check", "consent"]


@pytest.mark.parametrize("name", toolkit_names())
def test_domains_without_phrases_have_leaks_too(name: str) -> None:
    domain = load_domain(name)
    check = LeakCheck(domain, (), {"RecordAuditEvent"}, ())
    assert check.find("The event comes into the audit record.")
    assert not check.find("Send 500 from one account to the other.")
