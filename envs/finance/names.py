"""What things in the bank are called: people, places, companies, payment texts."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST_NAMES = _words(
    "Aino Alejandro Alicja Amélie Anders Andrea Anneli Antoine Beatriz Bruno Carmen Chiara Cillian Clara Daan "
    "Dorota Elena Emil Eva Fenna Filip Francesca Freya Giulia Greta Hanna Henrik Ilse Inês Ioana Jakub Jana "
    "Joris Katarzyna Lars Lena Liam Lotte Lucía Luka Maeve Marek Margot Marta Mateusz Matteo Mikael Milan "
    "Nadia Niamh Noor Oisín Olga Pablo Petra Rafael Rasmus Rita Saoirse Sofia Stefan Teresa Tomás Ursula "
    "Valentina Viktor Wiebke Yannis Zofia"
)
LAST_NAMES = _words(
    "Almeida Andersson Bakker Bauer Bianchi Bielski Borg Brennan Castillo Claes Conti Costa Declercq Dubois "
    "Ferrari Fischer Fontaine García Gruber Hansen Haugen Heikkinen Horvat Hughes Ionescu Jansen Jensen Kallas "
    "Kamiński Keller Kelly Korhonen Kowalska Lambert Larsen Laurent Leitner Lindqvist López Maas Marino Martens "
    "Mazur Meier Moreau Moretti Murphy Navarro Nielsen Novák Nowak Nyström Olsen Papadakis Pereira Petrov "
    "Popescu Ricci Rossi Santos Schneider Silva Sørensen Svoboda Tamm Torres Vermeulen Virtanen Vogel Walsh "
    "Weber Wójcik Zieliński"
)
CITIES = _words(
    "Aarhus Antwerp Barcelona Bergamo Bologna Bratislava Brno Cork Dublin Gdańsk Ghent Gothenburg Graz Groningen "
    "Hamburg Helsinki Kraków Leipzig Lille Linz Lisbon Ljubljana Lyon Malmö Nantes Porto Riga Rotterdam Salzburg "
    "Seville Tallinn Tampere Turin Utrecht Valencia Vilnius Warsaw Zagreb"
)
COMPANIES = (
    "Alpenblick Reisen",
    "Aurora Energie",
    "Bastide Immobilier",
    "Bergmann Elektro",
    "Brightwater Utilities",
    "Cantina del Porto",
    "Citywohnen",
    "Clínica Santa Clara",
    "Delta Telecom",
    "Eichenhof Kindergarten",
    "Fietsen van Dijk",
    "Fjordlys Kraft",
    "Gartenbau Holler",
    "Green Lane Dental",
    "Harbour Street Lettings",
    "Hermes Kuriér",
    "Insight Tax Advisers",
    "Jardin des Halles",
    "Kirchner Versicherung",
    "Librería Cervantes",
    "Lumen Fitness",
    "Meridian Insurance",
    "Molino Rosso",
    "Nordlicht Strom",
    "Oakfield Nursery",
    "Pension Seeblick",
    "Polaris Mobile",
    "Quercia Mobili",
    "Rhein-Main Gas",
    "Scuola Montessori Verdi",
    "Stadtwerke Lindau",
    "Studio Legale Conti",
    "Tandem Car Sharing",
    "Umzüge Petersen",
    "Vattenhuset",
    "Wasserwerk Nord",
    "Zahnarztpraxis Adler",
)
LEGAL_FORMS = ("AB", "AG", "AS", "BV", "GmbH", "Ltd", "NV", "SA", "Oy", "SARL", "SpA")
EMPLOYERS = (
    "Atelier Nord AB",
    "Baltic Freight OÜ",
    "Contoso Analytics Ltd",
    "Frisia Milk BV",
    "Hospital São Lucas",
    "Iberia Solar SA",
    "Kvarn Software AB",
    "Linea Ceramica SpA",
    "Municipality of Leipzig",
    "Northgate College",
    "Osprey Airlines Ltd",
    "Vistula Logistics SA",
)
MERCHANTS = (
    "Bäckerei Lorenz",
    "Biedronka Market",
    "Bruun Apotek",
    "Café Mokka",
    "Cinema Lumière",
    "Corner Hardware",
    "Dublin Bikes",
    "El Mercado",
    "Esprit Livres",
    "Fuel Stop A7",
    "Hema Utrecht",
    "Lidwina Supermarkt",
    "Nordsee Fisch",
    "Panetteria Rosa",
    "Parking Centrum",
    "Pizzeria Etna",
    "Rail Europe",
    "Sauna Löyly",
    "Shoe Corner",
    "Sushi Hana",
    "Tabac du Pont",
    "Tram & Bus Tickets",
    "Vinyl Kiosk",
    "Zoo Shop",
)
REFERENCES = (
    "Annual membership",
    "April rent",
    "Bicycle repair",
    "Birthday present",
    "Boiler service",
    "Car insurance 2026",
    "Childcare March",
    "Choir trip deposit",
    "Concert tickets",
    "Contract 4471-B",
    "Customer 80213",
    "Dental treatment",
    "Donation spring appeal",
    "Electricity Q1",
    "Flat 12 deposit",
    "Football club fee",
    "Garden work",
    "Gas bill 03/2026",
    "Guitar lessons",
    "Holiday house",
    "Invoice 2026-0187",
    "Invoice 30991",
    "Invoice RE-5520",
    "Kitchen instalment 2",
    "March rent",
    "Moving costs",
    "Music school",
    "Order 77-1204",
    "Parking space",
    "Phone bill March",
    "Plumber",
    "School trip",
    "Share of dinner",
    "Ski course",
    "Tax advice 2025",
    "Tuition spring term",
    "Used bicycle",
    "Vet bill",
    "Water Q1",
    "Window cleaning",
    "Wedding present",
    "Yoga course",
)
PROVIDERS = (
    ("Budgetbird", "NL"),
    ("Cashlens", "IE"),
    ("Finvista", "LT"),
    ("Geldblick", "DE"),
    ("Ledgerly", "SE"),
    ("Monedero Claro", "ES"),
    ("Obolo Pay", "IT"),
    ("Penny Planner", "FI"),
    ("Saldo Express", "PT"),
    ("Tally Tiger", "EE"),
    ("Trésor Facile", "FR"),
    ("Złoty Pulpit", "PL"),
)
DEVICES = ("Fairphone 5", "Galaxy S23", "iPhone 13", "iPhone 15", "Pixel 8", "Xperia 10", "photoTAN reader")
NICKNAMES = _words(
    "amber anchor birch cello cloud comet coral ember falcon fern gamma harbour hazel heron indigo juniper lantern "
    "lark maple meadow nova oak otter pebble pine plum quartz raven river robin saffron sparrow tulip violet willow"
)
MAIL_DOMAINS = ("bluemail.example", "inbox.example", "kurier.example", "mailbox.example", "webpost.example")


def company(base: str, form: str) -> str:
    """Return a company's full name."""
    return f"{base} {form}"


def ascii_name(name: str) -> str:
    """Return a name as it stands in an e-mail address.

    >>> ascii_name("Zofia Wójcik")
    'zofia.wojcik'
    """
    letters = name.lower().translate(_PLAIN)
    return "".join(character if character.isascii() and character.isalnum() else "." for character in letters)


_PLAIN = str.maketrans("áàãäåāćçčéèêëęíìïîłńñňóòôöøőřśšțúùûüůýźżž", "aaaaaaccceeeeeiiiilnnnoooooorsstuuuuuyzzz")
