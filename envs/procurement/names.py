"""What things in the purchasing department are called: people, departments, goods, suppliers, purposes."""


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
    "Vacuum pump": ("VP-4", "VP-8", "VP-16"),
    "Torque wrench": ("10 Nm", "40 Nm", "200 Nm"),
    "Oscilloscope": ("100 MHz", "350 MHz", "1 GHz"),
    "Fume hood": ("1200", "1500"),
    "Signal generator": ("SG-20", "SG-60"),
    "Climate chamber": ("120 l", "240 l", "600 l"),
    "Soldering station": ("60 W", "120 W"),
    "Laboratory balance": ("220 g", "520 g"),
    "Centrifuge": ("6-place", "12-place", "24-place"),
    "Thermal camera": ("TC-320", "TC-640"),
    "Linear stage": ("100 mm", "300 mm"),
    "Power supply": ("30 V", "80 V", "400 V"),
    "Data logger": ("8-channel", "32-channel"),
    "Network switch": ("24-port", "48-port"),
    "Laser printer": ("A4", "A3"),
    "Office chair": ("standard", "high-back"),
    "Height-adjustable desk": ("140 cm", "180 cm"),
    "Laptop": ("14 inch", "16 inch"),
    "Optical bench": ("1.8 m", "2.4 m"),
    "Pressure gauge": ("0-10 bar", "0-40 bar", "0-250 bar"),
    "Hydraulic press": ("15 t", "40 t"),
    "Cutting insert set": ("CNMG", "DNMG"),
    "Drill press": ("16 mm", "32 mm"),
    "Ultrasonic bath": ("3 l", "10 l"),
    "Microscope": ("stereo", "inverted", "metallurgical"),
    "Flow meter": ("FM-2", "FM-10"),
    "Safety cabinet": ("type 30", "type 90"),
    "Air compressor": ("90 l", "270 l"),
    "Mass spectrometer filament": ("tungsten", "rhenium"),
    "Label printer": ("desktop", "industrial"),
}
HAZARDOUS_ITEMS = {
    "Acetone": ("5 l", "25 l"),
    "Hydrofluoric acid": ("1 l", "2.5 l"),
    "Argon cylinder": ("10 l", "50 l"),
    "Lithium cell": ("18650", "21700"),
    "Isopropanol": ("10 l", "200 l"),
    "Laser module": ("class 3B", "class 4"),
    "Nitric acid": ("1 l", "5 l"),
    "Liquid nitrogen dewar": ("35 l", "120 l"),
}
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
NEEDS = _lines("""
    replacement for a worn-out unit
    second unit for the night shift
    loan unit has to go back
    unit failed its yearly calibration
    new measuring station
    extension of the test bench
    spare for the pilot line
    equipment of a new workplace
    repair would cost more than a new one
    stock for the coming test series
    fitting-out of the new room
    demand of the project partner
    better accuracy needed
    old model no longer supported
    preparation of the move
""")
OCCASIONS = _lines("""
    before the June campaign
    for the vibration tests
    for project Lodestar
    for project Heron
    for the summer school
    for the customer visit in week 27
    before the recertification
    for the endurance run
    for the flight model
    for the new colleagues
    for the field trial in Lapland
    for the joint programme with Delft
    before the annual shutdown
    for the open day
    for the long-term storage study
    for the second cleanroom
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
