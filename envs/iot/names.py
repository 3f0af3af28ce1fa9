"""What things in the homes are called: people, streets, devices, interfaces, third parties."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST_NAMES = _words(
    "Ada Agnes Aleksi Amina Anouk Arturo Astrid Aurel Beata Bojan Brigid Camille Casper Catarina Cormac Daria "
    "Desmond Dilan Edda Eero Eleni Emre Esther Fabio Femke Fergus Flora Gaspard Gesa Greta Hamza Hedda Hugo Idris "
    "Imke Ines Isak Jelena Jonas Judit Kaja Karim Kerstin Klaas Leila Levi Lidia Ludo Maja Malik Marit Mirko Nadine "
    "Nils Nora Orla Otto Paula Pekka Quentin Ragna Remy Rosa Samir Sanne Selma Sven Tamar Theo Tilda Ugo Vera Vesna "
    "Wanda Willem Xenia Yara Yusuf Zdena Zeno"
)
SURNAMES = _words(
    "Abel Ahlgren Amsel Aydın Bakke Barros Becker Benedek Bergström Bonnet Brandt Byrne Caruso Černý Christensen "
    "Dahl Delacroix Dijkstra Dobrev Egger Engel Fagan Fiala Fonseca Friis Gallo Gerber Gjergji Greco Halloran Hautala "
    "Hendriks Hofer Holm Ibrahim Ivanova Jablonski Janssens Jovanović Kaya Kessler Koivu Kovács Krause Lacroix Lefèvre "
    "Lind Lorenz Maguire Mancini Markou Mertens Molnár Mota Nagy Neri Nolan Novotná Oberhuber Ojala Olofsson Pace "
    "Pavlović Peeters Pinto Quinn Rautio Reis Ritter Romano Ruiz Rybak Sander Schäfer Seppälä Simón Sokolov Strand "
    "Tavares Thorsen Toft Ulrich Urban Valk Varga Verbeek Vidal Wagner Wiśniewska Yilmaz Zanetti Ziegler"
)
STREETS = (
    "Alder Row",
    "Am Mühlbach",
    "Avenue des Tilleuls",
    "Birch Lane",
    "Boulevard Carnot",
    "Calle Mayor",
    "Canal Walk",
    "Chapel Hill",
    "Dorfstraße",
    "Fishergate",
    "Gartenweg",
    "Granvägen",
    "Harbour View",
    "Heidelaan",
    "Hillcrest",
    "Jernbanegade",
    "Kastanjelaan",
    "Kirchgasse",
    "Kuusitie",
    "Largo do Moinho",
    "Lindenallee",
    "Market Street",
    "Mill Road",
    "Nádorova",
    "Orchard Close",
    "Ostergade",
    "Piazza Nuova",
    "Quai du Port",
    "Quay Street",
    "Rue de la Forge",
    "Rua das Flores",
    "Schulstraße",
    "Station Road",
    "Strandvej",
    "Ulica Lipowa",
    "Via Garibaldi",
    "Via San Marco",
    "Violin Terrace",
    "Weidestraat",
    "Zeedijk",
)
CITIES = _words(
    "Aalborg Annecy Antwerp Bergen Braga Bremen Bruges Cork Delft Dresden Eindhoven Ferrara Freiburg Galway Ghent "
    "Girona Gothenburg Graz Haarlem Innsbruck Jena Kaunas Kiel Kraków Leuven Liège Linz Lucca Lund Maribor Namur "
    "Nantes Olomouc Oulu Parma Piran Poznań Rennes Riga Roskilde Salzburg Tampere Tartu Trieste Turku Uppsala Vigo "
    "Zadar"
)
MAIL_DOMAINS = ("bluemail.example", "inbox.example", "kurier.example", "mailbox.example", "webpost.example")

MODELS = {
    "lock": ("Haven Lock S2", "Keyra Bolt 5", "Portal Door Pro", "Nordlas N1"),
    "camera": ("Kestrel Cam 3", "Argus Mini", "Vigil Dome 2", "Lumen Eye"),
    "oven": ("Ember 60", "Fornello Steam", "Bakehouse X4", "Hearth Combi"),
    "heater": ("Halden 2000", "Calor Panel W", "Sirocco Fan", "Norrsken Eco"),
    "speaker": ("Murmur One", "Echofjord S", "Choral Duo"),
    "hub": ("Linden Hub", "Crossway Bridge", "Atrium Base"),
    "leak sensor": ("Rill Guard", "Drip Watch 2", "Aqua Tell"),
    "vacuum": ("Dustin V8", "Sweepo Max", "Tumble Bot"),
}
"""Models by kind of device."""

FACTORY_PASSWORDS = (
    "12345678",
    "admin123",
    "changeme",
    "default00",
    "guest2020",
    "haven-0000",
    "homehub1",
    "installer",
    "kestrel1",
    "keyra0000",
    "letmein1",
    "master99",
    "password",
    "qwertyui",
    "root-root",
    "service1",
    "smarthome",
    "support01",
    "user1234",
    "welcome1",
)
"""What devices ship with; every model has one of these."""

ROOMS = {
    "lock": ("hall", "garage", "cellar", "back porch", "garden gate", "side entrance"),
    "camera": ("living room", "nursery", "hall", "driveway", "garden", "garage", "front porch", "study"),
    "oven": ("kitchen", "summer kitchen", "basement kitchen"),
    "heater": ("bathroom", "bedroom", "study", "winter garden", "workshop", "guest room", "attic", "nursery"),
    "speaker": ("kitchen", "living room", "bedroom", "study", "attic"),
    "hub": ("hall", "utility room", "study", "cellar"),
    "leak sensor": ("bathroom", "cellar", "kitchen", "laundry room"),
    "vacuum": ("ground floor", "upper floor", "attic"),
}
OUTDOORS = ("driveway", "garden", "front porch")

CATEGORIES = {
    "lock": ("opening history", "key holders"),
    "camera": ("video clips", "motion history", "face profiles"),
    "oven": ("usage history", "saved recipes"),
    "heater": ("presence history", "heating schedule"),
    "speaker": ("voice recordings", "listening history", "contact list"),
    "hub": ("routines", "location history"),
    "leak sensor": ("water usage",),
    "vacuum": ("floor plans", "cleaning history"),
}
"""Personal data that devices of a kind keep."""

INTERFACES = (
    ("SSH", "network"),
    ("Telnet", "network"),
    ("UPnP", "network"),
    ("MQTT bridge", "network"),
    ("Bluetooth pairing", "network"),
    ("local web page", "logical"),
    ("voice skill API", "logical"),
    ("Matter endpoint", "logical"),
    ("webhook API", "logical"),
    ("UART console", "debug"),
    ("JTAG port", "debug"),
)
SERVICES = (
    "alarm relay",
    "energy report",
    "family calendar",
    "heating schedule",
    "holiday lighting",
    "music streaming",
    "voice control",
    "weather routine",
)
DIAGNOSES = ("remote diagnosis", "warranty inspection")
"""Services for which somebody would like a debug interface to be open."""
SECURITY_FIXES = (
    "a login that could be skipped",
    "a memory error in video decoding",
    "a predictable session token",
    "credentials written to the log",
    "expired certificates that were accepted",
    "pairing with unknown phones",
    "stale encryption keys",
)
FIXES = (
    *SECURITY_FIXES,
    "clock drift after winter time",
    "crashes when the network is slow",
    "slow wake-up",
    "the language of voice prompts",
    "wrong battery readings",
)
PARTNERS = (
    ("Aequor Insurance", "home insurance"),
    ("Brightmeter", "energy advice"),
    ("Castellan Security", "alarm monitoring"),
    ("Dwell Analytics", "product research"),
    ("Fennel Recipes", "meal planning"),
    ("Grid & Green", "load balancing"),
    ("Homely Ads", "advertising"),
    ("Kindred Care", "care of elderly people"),
    ("Lares Claims", "damage assessment"),
    ("Nightingale Alarm", "alarm monitoring"),
    ("Plumb & Pipe", "leak repair"),
    ("Voxwerk", "speech research"),
)
PASS_WORDS = _words(
    "anchor basalt cedar comet copper cricket dune ember falcon fjord ginger glacier hazel heron indigo juniper kelp "
    "lantern maple meadow nectar oboe orchid pebble pepper plover quartz raven saffron sparrow tamarind thistle tulip "
    "umber violet walnut willow yarrow zephyr"
)
HOST_NAMES = _words("dns ntp time gate relay edge update mirror proxy resolver clock tunnel")
HOST_DOMAINS = (
    "citynet.example",
    "glasfaser.example",
    "homecore.example",
    "kabelnetz.example",
    "lantern-isp.example",
    "nordlink.example",
    "openclock.example",
    "quietdns.example",
    "stadtnetz.example",
)

_PLAIN = str.maketrans("áàãäåāćčçéèêëęíìïîıłńñňóòôöøőřśšßțúùûüůýźżžæ", "aaaaaaccceeeeeiiiiilnnnoooooorssstuuuuuyzzza")


def ascii_name(name: str) -> str:
    """Return a name as it stands in an e-mail address.

    >>> ascii_name("Wanda Wiśniewska")
    'wanda.wisniewska'
    """
    letters = name.lower().translate(_PLAIN)
    return "".join(character if character.isascii() and character.isalnum() else "." for character in letters)
