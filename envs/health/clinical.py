"""What stands in charts: titles and texts of records by category, medications, wishes, emergencies.

wish(rng)     # "the pain began in 2019, not last month"
"""

import random


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


_TITLES = {
    "laboratory results": _phrases(
        "Lipid panel, Complete blood count, Basic metabolic panel, Thyroid panel, Hemoglobin A1c, Liver panel, "
        "Urinalysis, Iron studies, Coagulation panel, Vitamin D level, Hepatitis B serology, Troponin series, "
        "Blood culture, Stool culture, Allergy panel, Cortisol level, Lyme serology, PSA level"
    ),
    "imaging reports": _phrases(
        "Chest X-ray, CT of the abdomen, MRI of the lumbar spine, Ultrasound of the thyroid, Mammogram, "
        "Echocardiogram, MRI of the left knee, CT of the head, Bone density scan, Ultrasound of the liver, "
        "X-ray of the right wrist, MRI of the shoulder, CT angiogram, Carotid ultrasound"
    ),
    "progress notes": _phrases(
        "Admission note, Discharge summary, Follow-up on hypertension, Pre-operative assessment, Physical therapy "
        "evaluation, Diabetes review, Wound care note, Asthma review, Cardiac rehabilitation note, Pain clinic note, "
        "Falls assessment, Migraine follow-up, Post-operative note, Anticoagulation review, Nutrition consult"
    ),
    "immunization records": _phrases(
        "Influenza vaccination, Tetanus booster, Hepatitis B series, MMR vaccination, Pneumococcal vaccination, "
        "Shingles vaccination, HPV series, Travel vaccinations, Varicella vaccination, COVID-19 vaccination"
    ),
    "billing statements": _phrases(
        "Statement for the winter quarter, Statement for the spring quarter, Statement for the autumn quarter, "
        "Itemized bill of the admission, Emergency room bill, Outpatient surgery bill, Laboratory charges, "
        "Imaging charges, Physical therapy charges, Ambulance bill"
    ),
    "psychotherapy notes": _phrases(
        "Session notes on grief, Session notes on panic, Session notes on the divorce, Session notes on sleep, "
        "Session notes on work, Session notes on the accident, Notes of the group session, Notes of the couple session"
    ),
}
_OPENINGS = _phrases("Reviewed with the team, Entered from the paper form, Discussed by phone, Filed after the visit")
_FINDINGS = {
    "laboratory results": _phrases(
        "within the reference range, slightly above the reference range, below the reference range, unchanged since "
        "the last sample, nothing unusual"
    ),
    "imaging reports": _phrases(
        "no acute finding, mild degenerative change, unchanged since the last study, small finding without consequence"
    ),
    "progress notes": _phrases(
        "improved since the last visit, unchanged since the last visit, treatment tolerated well, no complications, "
        "dose adjusted"
    ),
    "immunization records": _phrases("tolerated well, no reaction, given in the left arm, given in the right arm"),
    "billing statements": _phrases("sent to the plan, paid in part, open, corrected once, paid in full"),
    "psychotherapy notes": _phrases(
        "improved since the last session, a difficult session, exercises agreed, unchanged since the last session"
    ),
}
_AFTER_BILLS = _phrases("discussed with the patient, a reminder follows, nothing more to do")
_NEXT_STEPS = _phrases("discussed with the patient, follow-up in three months, to be looked at again in six weeks")
_COURSES = _phrases("unchanged since yesterday, better than yesterday, no complications, discussed with the patient")
MEDICATIONS = _phrases(
    "amlodipine 5 mg, amlodipine 10 mg, amoxicillin 500 mg, apixaban 5 mg, atorvastatin 20 mg, atorvastatin 40 mg, "
    "azithromycin 250 mg, bisoprolol 2.5 mg, budesonide inhaler 200 mcg, cephalexin 500 mg, citalopram 20 mg, "
    "clopidogrel 75 mg, doxycycline 100 mg, duloxetine 30 mg, empagliflozin 10 mg, escitalopram 10 mg, "
    "ferrous sulfate 325 mg, fluticasone spray 50 mcg, furosemide 40 mg, gabapentin 300 mg, hydrochlorothiazide 25 mg, "
    "ibuprofen 600 mg, insulin glargine 100 units/mL, lamotrigine 100 mg, levothyroxine 50 mcg, levothyroxine 75 mcg, "
    "lisinopril 10 mg, lisinopril 20 mg, losartan 50 mg, metformin 500 mg, metformin 850 mg, metoprolol 50 mg, "
    "montelukast 10 mg, naproxen 500 mg, nitrofurantoin 100 mg, omeprazole 20 mg, pantoprazole 40 mg, prednisone "
    "10 mg, ramipril 5 mg, rosuvastatin 10 mg, salbutamol inhaler 100 mcg, sertraline 50 mg, sitagliptin 100 mg, "
    "spironolactone 25 mg, sumatriptan 50 mg, tamsulosin 0.4 mg, topiramate 50 mg, trazodone 50 mg, warfarin 5 mg"
)
_WISHES = (
    "the allergy is to {drug}, not to penicillin",
    "the {side} side was examined, not the other one",
    "the smoking history should say that the patient stopped in {year}",
    "the date of the operation is wrong; it was in {year}",
    "{drug} was never taken",
    "the family history should mention a stroke at {age}",
    "the pain began in {year}, not last month",
    "the weight was entered in the wrong unit",
    "the referral came from another practice in {year}",
    "the patient has drunk no alcohol since {year}",
    "the fall happened at home on the {side} side",
    "the dose of {drug} was taken twice a day",
)
_EMERGENCIES = (
    "unconscious for {age} minutes, {place}",
    "chest pain for {age} minutes with falling blood pressure, {place}",
    "severe allergic reaction after {drug}, {place}",
    "seizure lasting {age} minutes, {place}",
    "heavy bleeding after a fall, {place}",
    "suspected overdose of {drug}, {age} minutes ago",
    "stroke signs for {age} minutes, {place}",
    "breathing stopped briefly, {place}",
    "brought in after a car crash, {place}, allergies unknown",
    "blood sugar not measurable for {age} minutes, {place}",
)
_SPOTS = _phrases(
    "resuscitation bay, ambulance entrance, ward corridor, waiting room, day clinic, parking garage, lobby"
)
_NOTES = (
    "Slept {age} minutes at a time, {course}",
    "Dressing changed on the {side} side, {course}",
    "Walked {age} yards with a frame, {course}",
    "Tolerates {drug}, {course}",
    "Asked about {drug}, {course}",
    "Temperature settled after {age} minutes, {course}",
    "Weight down since {year}, {course}",
    "Pain on the {side} side, {course}",
)
_NOTE_TITLES = _phrases(
    "Evening round, Morning round, Night observation, Physiotherapy round, Dietician's visit, Wound inspection, "
    "Handover note, Pain score, Fluid balance, Mobility check, Blood pressure log, Family talk, Social work "
    "note, Swallowing test, Catheter care, Discharge planning, Medication round, Skin inspection"
)


def titles(category: str) -> tuple[str, ...]:
    """Return the titles that records of a category have."""
    return _TITLES[category]


def text(rng: random.Random, category: str) -> str:
    """Return the text of a record of a category: how it came in, what was found, what is next."""
    follow = _AFTER_BILLS if category == "billing statements" else _NEXT_STEPS
    opening = "Written after the session" if category == "psychotherapy notes" else rng.choice(_OPENINGS)
    return f"{opening}; {rng.choice(_FINDINGS[category])}; {rng.choice(follow)}."


def wish(rng: random.Random) -> str:
    """Return what a patient wants to have amended."""
    return _fill(rng, rng.choice(_WISHES))


def emergency(rng: random.Random) -> str:
    """Return what an emergency is, as it is called in."""
    return _fill(rng, rng.choice(_EMERGENCIES))


def note(rng: random.Random) -> str:
    """Return the text of a progress note as it is dictated."""
    return _fill(rng, rng.choice(_NOTES))


def note_title(rng: random.Random) -> str:
    """Return the heading of a progress note."""
    return f"{rng.choice(_NOTE_TITLES)} {rng.choice(('A', 'B', 'C'))}{rng.randint(1, 40)}"


def _fill(rng: random.Random, pattern: str) -> str:
    return pattern.format(
        drug=rng.choice(MEDICATIONS),
        side=rng.choice(("left", "right")),
        year=rng.randint(1988, 2024),
        age=rng.randint(5, 58),
        place=rng.choice(_SPOTS),
        course=rng.choice(_COURSES),
    )
