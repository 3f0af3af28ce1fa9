"""What people and places around the clinic are called."""

import random


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


FIRST_NAMES = _words(
    "Aaliyah Abigail Adrian Aisha Alan Amelia Amir Anita Arjun Beatrice Bernard Bianca Brandon Caleb Carla Carlos "
    "Cecilia Chidi Clara Colin Dalia Damian Daniel Deborah Derek Diego Dolores Edith Elaine Elijah Emeka Esther "
    "Fatima Felix Fiona Francis Gabriel Gloria Grace Guadalupe Hannah Harold Hector Helen Ibrahim Imani Irene Isaac "
    "Jasmine Javier Joanna Joel Joyce Kayla Keiko Kenneth Kwame Lakshmi Latoya Leah Leon Lorraine Lucas Malik Marcus "
    "Margaret Marisol Mei Miguel Miriam Nadia Naomi Nathan Nina Noor Olga Omar Oscar Patrice Paula Priya Quentin "
    "Rachel Ramona Raymond Rosa Ruth Samuel Sanjay Selena Sharon Simone Stella Tamara Theo Thuy Trevor Ursula Valerie "
    "Victor Vivian Walter Wanda Winston Xavier Yolanda Yusuf Zachary Zainab"
)
_MALE = _words(
    "Adrian Alan Amir Arjun Bernard Brandon Caleb Carlos Chidi Colin Damian Daniel Derek Diego Elijah Emeka Felix "
    "Francis Gabriel Harold Hector Ibrahim Isaac Javier Joel Kenneth Kwame Leon Lucas Malik Marcus Miguel Nathan "
    "Omar Oscar Quentin Raymond Samuel Sanjay Theo Trevor Victor Walter Winston Xavier Yusuf Zachary"
)
LAST_NAMES = _words(
    "Abbott Adeyemi Alvarez Andersen Baptiste Barnes Becker Bennett Blackwood Booker Brennan Bui Callahan Campos "
    "Carver Castellano Chambers Chaudhry Cho Coleman Cooper Cruz Dalton Delacroix Desai Donovan Dougherty "
    "Edwards Ellison Espinoza Farrell Fernandez Fitzgerald Fleming Franklin Fuentes Gallagher Garrison Goldberg "
    "Grant Greenfield Gupta Haddad Hansen Harper Hayashi Hendricks Hoang Holloway Hughes Ibarra Ishikawa Jacobs "
    "Jefferson Johansson Kaplan Kapoor Keller Kowalski Lambert Lancaster Lindqvist Lozano MacLeod Maldonado "
    "Marsh Mbeki McCarthy Mendoza Monroe Morales Nakamura Navarro Nguyen Norwood Obi Okafor Oliveira Osborne "
    "Pacheco Park Patel Pemberton Petrov Quinn Ramirez Rashid Reyes Robles Rosenthal Salazar Schneider Shapiro "
    "Sinclair Sorensen Stokes Sullivan Tanaka Thornton Torres Underwood Vance Vargas Villanueva Wallace "
    "Washington Weaver Whitaker Yamamoto Zamora Ziegler"
)
STREETS = _phrases(
    "Alder Street, Beacon Hill Road, Birchwood Avenue, Bluff Street, Canal Street, Cedar Lane, Chestnut Street, "
    "Church Street, Clover Court, College Avenue, Dogwood Drive, Eastgate Road, Elmwood Avenue, Fairview Terrace, "
    "Foundry Street, Garfield Avenue, Grove Street, Harbor View Drive, Hawthorne Street, Hickory Lane, Highland "
    "Avenue, Juniper Court, Kingsley Road, Lakeshore Drive, Laurel Street, Liberty Street, Lincoln Avenue, "
    "Magnolia Street, Maple Avenue, Meadow Lane, Mill Road, Mulberry Street, Oak Ridge Road, Orchard Street, "
    "Park Place, Pearl Street, Pine Street, Prospect Avenue, Quarry Road, River Road, Rosewood Court, Spruce "
    "Street, Summit Avenue, Sycamore Lane, Union Street, Valley Road, Walnut Street, Willow Street"
)
TOWNS = _phrases(
    "Ashford CT 06278, Belmont MA 02478, Brattleboro VT 05301, Concord NH 03301, Cranston RI 02910, Danbury CT 06810, "
    "Dover NH 03820, Easton PA 18042, Fall River MA 02720, Framingham MA 01701, Geneva NY 14456, Greenfield MA 01301, "
    "Hartford CT 06105, Holyoke MA 01040, Ithaca NY 14850, Keene NH 03431, Lowell MA 01850, Manchester NH 03101, "
    "Middletown CT 06457, Nashua NH 03060, New London CT 06320, Northampton MA 01060, Norwich CT 06360, "
    "Pawtucket RI 02860, Portsmouth NH 03801, Providence RI 02906, Rutland VT 05701, Salem MA 01970, Saratoga NY "
    "12866, Springfield MA 01103, Stamford CT 06902, Troy NY 12180, Utica NY 13501, Warwick RI 02886, Worcester "
    "MA 01605"
)
UNITS = _phrases("ward 2 east, ward 2 west, ward 3, ward 4, day clinic, emergency room, outpatients")
SPECIALTIES = _phrases(
    "cardiology, dermatology, endocrinology, family medicine, gastroenterology, internal medicine, nephrology, "
    "neurology, oncology, orthopedics, pulmonology, rheumatology, urology"
)
RELATIONS = _phrases("brother, daughter, father, friend, husband, mother, neighbor, niece, partner, sister, son, wife")
_WOMEN, _MEN = _phrases("daughter, mother, niece, sister, wife"), _phrases("brother, father, husband, son")
DOCUMENTS = _phrases("driver's license, passport, state identity card, military identity card, permanent resident card")

_PLACES = _phrases(
    "Blackstone, Champlain, Connecticut Valley, Eastern Shore, Granite State, Harborview, Hudson, Lakeland, Merrimack, "
    "Mohawk, Narragansett, North River, Pioneer, Quinnipiac, Riverside, Saint Brendan, Saint Lucia, Taconic, Wachusett"
)
_ENDINGS = {
    "hospital": _phrases("General Hospital, Medical Center, Community Hospital, Rehabilitation Hospital"),
    "health plan": _phrases("Health Plan, Mutual Health, Care Alliance, Benefit Trust"),
    "health department": _phrases("County Health Department, District Board of Health, Public Health Office"),
    "court": _phrases("County Superior Court, District Court, Probate Court"),
    "law firm": _phrases("Trial Lawyers, Legal Partners, Injury Attorneys"),
    "employer": _phrases("Machine Works, Paper Mills, Logistics, School District, Shipyard"),
    "life insurer": _phrases("Life Assurance, Life and Annuity, Mutual Life"),
}


def organization(rng: random.Random, kind: str, place: str | None = None) -> str:
    """Return the name of an organization of a kind."""
    return f"{place or rng.choice(_PLACES)} {rng.choice(_ENDINGS[kind])}"


def place(rng: random.Random) -> str:
    """Return a place that organizations are named after."""
    return rng.choice(_PLACES)


def person(rng: random.Random) -> str:
    """Return a first and a last name."""
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"


def fits(first_name: str, relation: str) -> bool:
    """Return whether somebody of this first name can be called that relation."""
    return relation not in (_WOMEN if first_name in _MALE else _MEN)


def address(rng: random.Random) -> str:
    """Return a mailing address."""
    unit = f", Apt {rng.randint(1, 28)}" if rng.random() < 0.4 else ""
    return f"{rng.randint(2, 480)} {rng.choice(STREETS)}{unit}, {rng.choice(TOWNS)}"
