"""The map of Expedition: the points with their real coordinates, and the lines between them.

The network is invented, its places are real: START, 79 places of research in seven regions, twenty green and twenty red
stations, six border points in three pairs. Coordinates are degrees east and north. A station's are those of its drawn
point, which can be at sea near the town it is named after. A border point has the meridian of the plate's edge, one
full turn from its partner. Codes and order are part of the record format: they must never change.
"""

from typing import Final, NamedTuple


class Point(NamedTuple):
    """A point of the map.

    `kind` is start, place, green, red or border. Only places have a `region`. `pair` is 1 to 3 for a border point and
    joins it to the one across the map; it is 0 for all others.
    """

    code: str
    kind: str
    region: str
    longitude: float
    latitude: float
    pair: int


REGIONS: Final = ("europe", "africa", "orient", "far-east", "north-america", "south-america", "oceans")
WEST_EDGE: Final = -169.0
EAST_EDGE: Final = 191.0

_START = "lisbon -9.14 38.72"
_PLACES: Final = {
    "europe": """
        geysir -20.3 64.31
        stonehenge -1.83 51.18
        mont-blanc 6.87 45.83
        pompeii 14.49 40.75
        delphi 22.5 38.48
        kizhi 35.22 62.07
        north-cape 25.78 71.17
    """,
    "africa": """
        tassili 9.0 25.5
        timbuktu -3.0 16.77
        benin 5.6 6.33
        giza 31.13 29.98
        abu-simbel 31.62 22.34
        lalibela 39.05 12.03
        ruwenzori 29.87 0.39
        kilimanjaro 37.35 -3.07
        victoria-falls 25.86 -17.92
        great-zimbabwe 30.93 -20.27
        table-mountain 18.4 -33.96
        baobabs 44.42 -20.25
    """,
    "orient": """
        cappadocia 34.83 38.64
        petra 35.44 30.33
        babylon 44.42 32.54
        persepolis 52.89 29.94
        marib 45.33 15.43
        samarkand 66.96 39.65
        bamiyan 67.83 34.83
        agra 78.04 27.17
        hampi 76.46 15.34
        sigiriya 80.76 7.96
        everest 86.93 27.99
    """,
    "far-east": """
        lake-baikal 108.0 53.5
        lena-pillars 127.3 61.1
        klyuchevskaya 160.64 56.06
        karakorum 102.8 47.2
        dunhuang 94.8 40.04
        great-wall 117.23 40.68
        tschangan 108.95 34.27
        guilin 110.3 25.2
        bagan 94.86 21.17
        angkor 103.87 13.41
        borobudur 110.2 -7.61
        komodo 119.49 -8.55
        kinabalu 116.56 6.08
        fuji 138.73 35.36
    """,
    "north-america": """
        denali -151.0 63.07
        klondike -139.43 64.06
        haida-gwaii -132.0 53.0
        yellowstone -110.83 44.46
        grand-canyon -112.1 36.1
        cahokia -90.06 38.65
        niagara -79.07 43.08
        vinland -55.53 51.6
        beechey-island -91.85 74.72
        ilulissat -51.1 69.2
        copper-canyon -107.6 27.51
        teotihuacan -98.84 19.69
        chichen-itza -88.57 20.68
    """,
    "south-america": """
        guatavita -73.77 4.98
        angel-falls -62.54 5.97
        chimborazo -78.82 -1.47
        manaus -60.02 -3.1
        machu-picchu -72.55 -13.16
        tiahuanaco -68.67 -16.55
        lencois -43.1 -2.5
        iguazu -54.44 -25.69
        aconcagua -70.01 -32.65
        cave-of-hands -70.66 -47.16
        cape-horn -67.29 -55.98
    """,
    "oceans": """
        uluru 131.04 -25.34
        barrier-reef 147.7 -18.29
        shark-bay 113.5 -26.0
        milford-sound 167.9 -44.6
        nan-madol 158.33 6.84
        sepik 143.0 -4.2
        mauna-kea -155.47 19.82
        easter-island -109.37 -27.12
        galapagos -90.6 -0.6
        tahiti -149.4 -17.65
        kerguelen 69.5 -49.35
    """,
}
_GREEN: Final = """
    indian-ocean 57.5 1.5
    andamans 92.0 9.0
    azores -28.0 38.5
    cape-verde -24.0 15.0
    vienna 17.5 49.5
    urals 60.0 57.0
    novaya-zemlya 54.0 73.5
    lake-chad 15.0 13.5
    luanda 14.0 -9.0
    durban 34.5 -31.0
    altai 84.0 51.0
    okhotsk 146.0 59.0
    shanghai 123.5 30.0
    darwin 131.5 -13.0
    fiji 178.0 -18.0
    winnipeg -97.5 50.5
    bermuda -64.5 32.0
    recife -33.0 -9.0
    juan-fernandez -84.0 -34.0
    south-georgia -38.0 -53.0
"""
_RED: Final = """
    arabian-sea 57.5 16.5
    equator 84.5 -1.0
    canaries -17.5 28.0
    constantinople 29.5 43.0
    baltic 20.0 58.0
    faroes -7.0 61.5
    churchill -96.0 60.0
    new-orleans -89.5 30.0
    san-francisco -124.0 38.5
    panama -80.5 10.5
    cayenne -47.0 9.0
    river-plate -53.5 -36.5
    st-helena -6.5 -15.9
    tristan-da-cunha -13.0 -37.5
    mauritius 60.5 -20.3
    amsterdam-island 86.0 -37.0
    adelaide 136.5 -36.5
    guam 140.5 16.0
    kashgar 79.5 41.0
    taymyr 100.0 75.5
"""
_LINES: Final = """
    lisbon: stonehenge mont-blanc tassili azores canaries faroes
    geysir: ilulissat faroes
    stonehenge: mont-blanc baltic
    mont-blanc: pompeii vienna
    pompeii: delphi tassili vienna
    delphi: giza cappadocia constantinople
    kizhi: north-cape novaya-zemlya baltic
    north-cape: novaya-zemlya faroes
    tassili: timbuktu lake-chad
    timbuktu: benin cape-verde canaries
    benin: ruwenzori lake-chad luanda
    giza: abu-simbel petra
    abu-simbel: lalibela lake-chad
    lalibela: ruwenzori marib
    ruwenzori: kilimanjaro luanda
    kilimanjaro: victoria-falls baobabs indian-ocean
    victoria-falls: great-zimbabwe luanda
    great-zimbabwe: baobabs durban
    table-mountain: durban st-helena tristan-da-cunha
    baobabs: durban mauritius
    cappadocia: petra babylon constantinople
    petra: babylon
    babylon: persepolis marib
    persepolis: bamiyan arabian-sea
    marib: arabian-sea
    samarkand: bamiyan urals kashgar
    bamiyan: agra
    agra: hampi everest
    hampi: sigiriya bagan arabian-sea
    sigiriya: andamans equator
    everest: dunhuang bagan kashgar
    lake-baikal: lena-pillars karakorum altai
    lena-pillars: okhotsk taymyr
    klyuchevskaya: fuji okhotsk border-1-east
    karakorum: dunhuang great-wall
    dunhuang: altai kashgar
    great-wall: tschangan fuji
    tschangan: angkor shanghai
    guilin: kinabalu shanghai
    bagan: angkor andamans
    angkor: kinabalu andamans
    borobudur: komodo kinabalu andamans
    komodo: shark-bay darwin
    kinabalu: guam
    fuji: shanghai border-1-east
    denali: klondike border-1-west
    klondike: haida-gwaii churchill
    haida-gwaii: yellowstone san-francisco
    yellowstone: grand-canyon winnipeg san-francisco
    grand-canyon: cahokia copper-canyon san-francisco
    cahokia: niagara winnipeg new-orleans
    niagara: vinland winnipeg bermuda
    vinland: ilulissat azores
    beechey-island: ilulissat churchill
    copper-canyon: teotihuacan new-orleans
    teotihuacan: chichen-itza galapagos
    chichen-itza: bermuda new-orleans panama
    guatavita: angel-falls chimborazo manaus panama
    angel-falls: manaus cayenne
    chimborazo: machu-picchu galapagos
    manaus: tiahuanaco lencois
    machu-picchu: tiahuanaco
    tiahuanaco: iguazu
    lencois: recife cayenne
    iguazu: aconcagua recife river-plate
    aconcagua: juan-fernandez river-plate
    cave-of-hands: cape-horn juan-fernandez river-plate
    cape-horn: south-georgia
    uluru: barrier-reef shark-bay darwin adelaide
    barrier-reef: sepik darwin fiji
    shark-bay: amsterdam-island adelaide
    milford-sound: adelaide border-3-east
    nan-madol: sepik guam border-2-east
    sepik: darwin
    mauna-kea: san-francisco border-1-west border-2-west
    easter-island: galapagos tahiti juan-fernandez border-3-west
    galapagos: panama
    tahiti: border-2-west border-3-west
    kerguelen: durban amsterdam-island
    indian-ocean: arabian-sea equator
    andamans: equator
    azores: canaries
    cape-verde: canaries cayenne
    vienna: constantinople baltic
    urals: novaya-zemlya altai
    novaya-zemlya: taymyr
    luanda: st-helena
    altai: kashgar
    shanghai: guam
    fiji: border-2-east border-3-east
    winnipeg: churchill
    bermuda: cayenne
    recife: st-helena
    south-georgia: river-plate tristan-da-cunha
    equator: mauritius
    baltic: faroes
    st-helena: tristan-da-cunha
    mauritius: amsterdam-island
"""

_BORDER: Final = {1: 49.0, 2: 8.0, 3: -33.0}  # the latitude of each pair


def _read_points(text: str, kind: str, region: str = "") -> list[Point]:
    rows = (row.split() for row in text.strip().splitlines())
    return [Point(code, kind, region, float(longitude), float(latitude), 0) for code, longitude, latitude in rows]


def _points() -> tuple[Point, ...]:
    places = [point for region in REGIONS for point in _read_points(_PLACES[region], "place", region)]
    border = [
        Point(f"border-{pair}-{side}", "border", "", edge, latitude, pair)
        for pair, latitude in _BORDER.items()
        for side, edge in (("west", WEST_EDGE), ("east", EAST_EDGE))
    ]
    return (
        *_read_points(_START, "start"),
        *places,
        *_read_points(_GREEN, "green"),
        *_read_points(_RED, "red"),
        *border,
    )


POINTS: Final = _points()
POINT_NUMBER: Final = {point.code: number for number, point in enumerate(POINTS)}


def _lines() -> tuple[tuple[int, int], ...]:
    lines = []
    for row in _LINES.strip().splitlines():
        first, others = row.split(":")
        lines += [(POINT_NUMBER[first.strip()], POINT_NUMBER[other]) for other in others.split()]
    return tuple(sorted((min(line), max(line)) for line in lines))


LINES: Final = _lines()  # each once, with the points in the order of POINTS
