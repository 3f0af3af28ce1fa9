"""What things in the purchasing department are called and cost: people, departments, goods, suppliers, purposes."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


FIRST_NAMES = _words(
    "Agnes Ahmed Alba Amir Anja Anton Astrid Aylin Bela Birgit Bojan Camille Carlos Catarina Celine Daria David "
    "Dilan Dominik Edith Elif Emre Enzo Erik Esra Fabian Farah Fiona Florian Frida Gabor Georg Gesa Goran Hana "
    "Hassan Helene Hugo Ida Igor Imke Ines Ismail Jasper Jelena Jonas Julia Kamil Karim Kerstin Klara Kofi Laila "
    "Leo Linnea Louis Lucie Magnus Malin Marco Mareike Miriam Mohamed Nele Nikola Nora Oskar Paula Per Quentin "
    "Rania Robin Ruth Samira Selma Simon Sven Tamara Thea Timo Tove Ulla Vera Wim Yara Yusuf Zeynep"
)
LAST_NAMES = _words(
    "Aalto Abel Albrecht Almqvist Arslan Baumann Becker Bergström Blanc Bosch Brandt Carvalho Çelik Dahl Demir "
    "Diallo Duval Eriksen Esposito Falk Farkas Fernandes Fiala Frank Gallo Garnier Hahn Halloran Hoffmann Holm "
    "Ibrahim Ivanova Jacobs Janssen Jovanović Kaiser Karlsson Kaya Klein Kovács Kruse Lang Lefèvre Lehtonen Lind "
    "Lorenz Mancini Marković Mendes Meyer Mensah Molnár Morel Nagy Neumann Nilsen Novotná Okafor Öztürk Pavlov "
    "Peeters Pfeiffer Quist Rahimi Reyes Richter Romano Roth Sanz Sauer Schulte Seidel Smit Strand Szabó Toft "
    "Urban Vasile Visser Wagner Winkler Yilmaz Zanetti Zimmermann"
)
DEPARTMENTS = {
    "integration lab": _words(
        "Avionics Sensor Battery Robotics Satellite Telemetry Powertrain Photonics Payload Drive"
    ),
    "laboratory": _words(
        "Cryogenics Polymer Optics Genomics Corrosion Spectroscopy Acoustics Metrology Catalysis Soil"
    ),
    "workshop": _words("Prototype Welding Glass Milling Electronics Vehicle Carpentry Tooling"),
    "office": _words("Finance Personnel Estates Library Communications Safety Legal Training"),
}
KIND_NAMES = {
    "integration lab": "Integration Lab",
    "laboratory": "Laboratory",
    "workshop": "Workshop",
    "office": "Office",
}
SITES = _words("Northfield Riverside Harbourgate Millbrook Westhill Oakridge Eastquay Stonebridge")
JOBS = _lines("""
    technician
    research engineer
    laboratory assistant
    project coordinator
    test engineer
    storekeeper
    scientist
    office manager
    design engineer
    safety adviser
    doctoral researcher
""")
ITEMS = {
    "Vacuum pump": {"VP-4": 2_900, "VP-8": 4_400, "VP-16": 7_800},
    "Torque wrench": {"10 Nm": 140, "40 Nm": 190, "200 Nm": 320},
    "Oscilloscope": {"100 MHz": 1_300, "350 MHz": 6_200, "1 GHz": 14_500},
    "Fume hood": {"1200": 9_400, "1500": 11_800},
    "Signal generator": {"SG-20": 3_600, "SG-60": 8_900},
    "Climate chamber": {"120 l": 11_500, "240 l": 15_900, "600 l": 27_000},
    "Soldering station": {"60 W": 210, "120 W": 480},
    "Laboratory balance": {"220 g": 1_900, "520 g": 2_600},
    "Centrifuge": {"6-place": 1_700, "12-place": 3_900, "24-place": 8_200},
    "Thermal camera": {"TC-320": 9_200, "TC-640": 18_400},
    "Linear stage": {"100 mm": 1_600, "300 mm": 2_900},
    "Power supply": {"30 V": 420, "80 V": 1_250, "400 V": 3_300},
    "Data logger": {"8-channel": 780, "32-channel": 2_400},
    "Network switch": {"24-port": 560, "48-port": 1_150},
    "Laser printer": {"A4": 340, "A3": 1_450},
    "Office chair": {"standard": 210, "high-back": 340},
    "Height-adjustable desk": {"140 cm": 520, "180 cm": 640},
    "Laptop": {"14 inch": 1_250, "16 inch": 1_690},
    "Optical bench": {"1.8 m": 12_200, "2.4 m": 16_500},
    "Pressure gauge": {"0-10 bar": 85, "0-40 bar": 95, "0-250 bar": 130},
    "Hydraulic press": {"15 t": 10_500, "40 t": 19_800},
    "Cutting insert set": {"CNMG": 75, "DNMG": 80},
    "Drill press": {"16 mm": 980, "32 mm": 4_100},
    "Ultrasonic bath": {"3 l": 450, "10 l": 1_100},
    "Microscope": {"stereo": 1_800, "inverted": 13_900, "metallurgical": 17_500},
    "Flow meter": {"FM-2": 620, "FM-10": 1_050},
    "Safety cabinet": {"type 30": 1_900, "type 90": 3_200},
    "Air compressor": {"90 l": 890, "270 l": 2_700},
    "Mass spectrometer filament": {"tungsten": 180, "rhenium": 390},
    "Label printer": {"desktop": 290, "industrial": 1_700},
}
"""Catalogue items by size, with what one piece costs in euros."""

HAZARDOUS_ITEMS = {
    "Acetone": {"5 l": 45, "25 l": 160},
    "Hydrofluoric acid": {"1 l": 95, "2.5 l": 190},
    "Argon cylinder": {"10 l": 110, "50 l": 290},
    "Lithium cell": {"18650": 6, "21700": 9},
    "Isopropanol": {"10 l": 70, "200 l": 740},
    "Laser module": {"class 3B": 2_800, "class 4": 11_400},
    "Nitric acid": {"1 l": 40, "5 l": 130},
    "Liquid nitrogen dewar": {"35 l": 1_400, "120 l": 2_900},
}
DEAR = 9_000
"""Equipment of which a piece costs this many euros or more can bring a request into the highest value bands."""

WORKPLACE = frozenset(
    ("Network switch", "Laser printer", "Office chair", "Height-adjustable desk", "Laptop", "Label printer")
)
SUPPLIES = frozenset(
    (
        "Cutting insert set",
        "Mass spectrometer filament",
        *HAZARDOUS_ITEMS.keys() - {"Laser module", "Liquid nitrogen dewar"},
    )
)
WAREHOUSES = _lines("""
    Central Store
    North Depot
    Harbour Store
    Hall 7 Store
    Chemicals Store
    Spare Parts Depot
    River Store
    Hill Depot
""")
SUPPLIERS = _lines("""
    Adler Messtechnik
    Arctis Instruments
    Belvedere Laboratory
    Birkmann Werkzeuge
    Cadenza Optics
    Caldera Thermal
    Dornier & Falk
    Eisvogel Vakuum
    Fennec Robotics
    Galvano Sistemas
    Granit Industrie
    Halcyon Scientific
    Ibis Electronics
    Juno Office Supply
    Kestrel Data
    Lagertha Nordic
    Lindwurm Chemie
    Magnolia Furniture
    Merkur Elektrik
    Nimbus Gas
    Novalux Laser
    Orca Marine Tools
    Palisade Safety
    Quadrant Metrology
    Rhenus Apparate
    Sabine Pumps
    Sirocco Air
    Tessera Components
    Umbra Imaging
    Vesta Furnaces
    Wolfram Parts
    Xenon Light
    Ypsilon Systems
    Zephyr Test
""")
LEGAL_FORMS = _words("GmbH AG BV SAS SpA Ltd Oy AB Srl NV")
COUNTRIES = _words(
    "Austria Belgium Czechia Denmark Finland France Germany Ireland Italy Netherlands Poland Spain Sweden"
)
NEEDS = {
    "any": _lines("""
        demand of the project partner
        start of a new project
        addition to what is there
        need of a second team
        need of the evening shift
        work with a partner team
        restart of an old project
        more participants than expected
    """),
    "equipment": _lines("""
        replacement for a worn-out unit
        second unit for the night shift
        loan unit has to go back
        unit failed its yearly calibration
        new measuring station
        extension of the test bench
        spare for the pilot line
        repair would cost more than a new one
        better accuracy needed
        old model no longer supported
    """),
    "workplace": _lines("""
        equipment of a new workplace
        fitting-out of the new room
        replacement for a broken one
        old model no longer supported
        larger team
        second workplace for part-time staff
        refurbishment of the office
        preparation of the move
    """),
    "supplies": _lines("""
        stock for the coming test series
        last batch nearly used up
        monthly consumption
        supplies of the pilot line
        higher throughput
        cleaning and maintenance
        second series of samples
        consumption of the new process
    """),
}
"""Why something is needed, by the kind of thing that it is."""

OCCASIONS = _lines("""
    before the June campaign
    before the end of May
    for project Lodestar
    for project Heron
    for the summer school
    for the customer visit in week 27
    before the recertification
    for the second half of the year
    for the guest scientists
    from the first of June on
    for the field trial in Lapland
    for the joint programme with Delft
    before the annual shutdown
    for the open day
    for the next intake of trainees
    for the second floor
""")
PREVIOUS_USERS = _lines("""
    the former Plasma Group
    Building 12
    the closed Munich branch
    the Neutron Programme
    the Ariel project
    the training workshop
    the old cleanroom
    the Marine Division
    the dissolved Pilot Plant
    the Radar Group
""")
INTERESTS = _lines("""
    spouse works there
    holds shares
    former employee until last year
    paid speaker at their conference
    brother is managing director
    sits on their advisory board
""")
INCIDENTS = ("danger to people", "loss of samples", "standstill of operations", "order of an authority")
NO_INCIDENTS = ("late planning", "end of the budget year", "attractive discount")
GROUNDS = ("only manufacturer", "compatibility with installed equipment", "exclusive right")
NO_GROUNDS = ("good experience so far", "short of time", "wish of the requester")
MAIL_DOMAINS = _words("sales.example orders.example office.example trade.example")


def kind(item: str) -> str:
    """Return what kind of thing an item is: equipment, workplace or supplies."""
    base = next(base for base in (*ITEMS, *HAZARDOUS_ITEMS) if item.startswith(f"{base} "))
    return "workplace" if base in WORKPLACE else "supplies" if base in SUPPLIES else "equipment"
