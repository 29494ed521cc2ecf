"""The names of the points of the map, and a sentence about each place of research, in the language of the reader."""

import math
from functools import cache
from typing import Final

from tavola.games.expedition.atlas import POINTS, Point
from tavola.show.speech import Say, mark, marks

_REGION: Final = {
    "europe": mark("Europe"),
    "africa": mark("Africa"),
    "orient": mark("Orient and India"),
    "far-east": mark("Far East"),
    "north-america": mark("North America"),
    "south-america": mark("South America"),
    "oceans": mark("Oceans"),
}
_TOLD: Final = {
    "lisbon": marks("Lisbon"),
    "geysir": marks("Geysir", "The spring of Iceland after which all others that leap are named."),
    "stonehenge": marks(
        "Stonehenge", "Great stones set in a ring five thousand years ago, open to the sunrise of midsummer."
    ),
    "mont-blanc": marks("Mont Blanc", "The highest summit of the Alps, first climbed in 1786."),
    "pompeii": marks("Pompeii", "A Roman town that the ashes of Vesuvius have kept since the year 79."),
    "delphi": marks("Delphi", "Here the Greeks asked Apollo’s oracle, at what they held to be the navel of the world."),
    "kizhi": marks("Kizhi", "On an island in Lake Onega a wooden church carries twenty-two domes."),
    "north-cape": marks(
        "North Cape", "A cliff over the Arctic Ocean, where the midnight sun does not set from May to July."
    ),
    "tassili": marks("Tassili", "Rock pictures of herds and hunters, from the time when the Sahara was green."),
    "timbuktu": marks("Timbuktu", "A city of clay at the edge of the desert, once rich in salt, gold and books."),
    "benin": marks("Benin", "The old kingdom whose masters cast heads and plaques in bronze."),
    "giza": marks("Giza", "The great pyramids, the last of the seven ancient wonders that still stands."),
    "abu-simbel": marks("Abu Simbel", "Four seated giants of Ramesses II guard a temple cut into the rock."),
    "lalibela": marks("Lalibela", "Churches hewn downwards, whole, out of the red rock of Ethiopia."),
    "ruwenzori": marks("Ruwenzori", "The Mountains of the Moon, with snow almost on the equator."),
    "kilimanjaro": marks("Kilimanjaro", "The highest mountain of Africa, a single white cone over the savanna."),
    "victoria-falls": marks(
        "Victoria Falls", "The smoke that thunders: the Zambezi falls a hundred metres into a cleft."
    ),
    "great-zimbabwe": marks(
        "Great Zimbabwe", "Walls and a tower of stone without mortar, the seat of kings for three centuries."
    ),
    "table-mountain": marks(
        "Table Mountain", "A mountain as flat as a table over the Cape, often laid with a cloth of cloud."
    ),
    "baobabs": marks("Baobabs", "An avenue of trees with trunks like towers, some a thousand years old."),
    "cappadocia": marks("Cappadocia", "Houses and churches cut into cones of soft stone."),
    "petra": marks("Petra", "A city carved into rose-red rock, at the end of a narrow gorge."),
    "babylon": marks("Babylon", "The city of the tower, and of hanging gardens that nobody has found."),
    "persepolis": marks("Persepolis", "The columns of the palace in which the kings of Persia received the world."),
    "marib": marks("Marib", "The land of Sheba, watered for more than a thousand years by a great dam."),
    "samarkand": marks("Samarkand", "Blue domes and gates of tiles, in the middle of the Silk Road."),
    "bamiyan": marks("Bamiyan", "Two giant Buddhas stood in this cliff for fourteen centuries; the niches remain."),
    "agra": marks("Agra", "The Taj Mahal, white marble that an emperor raised for his dead wife."),
    "hampi": marks("Hampi", "The ruins of Vijayanagara among boulders; its stone chariot has wheels that turned."),
    "sigiriya": marks("Sigiriya", "A palace on top of a rock, reached between two paws of a lion."),
    "everest": marks("Everest", "The highest point of the Earth, reached for the first time in 1953."),
    "lake-baikal": marks(
        "Lake Baikal", "The deepest lake, with a fifth of the water of all fresh lakes, and seals of its own."
    ),
    "lena-pillars": marks("Lena Pillars", "Rows of rock towers two hundred metres high, along the river Lena."),
    "klyuchevskaya": marks("Klyuchevskaya", "The highest volcano that is still active in Asia, on Kamchatka."),
    "karakorum": marks("Karakorum", "The capital of Genghis Khan’s heirs; stone tortoises still mark where it stood."),
    "dunhuang": marks("Dunhuang", "Hundreds of painted caves in the desert, one with a walled-up library."),
    "great-wall": marks("Great Wall", "Thousands of miles of wall, over every ridge between China and the steppe."),
    "tschangan": marks("Tschangan", "The old capital where the Silk Road began, near an army of clay."),
    "guilin": marks("Guilin", "Hills like teeth along the river Li, as on a painted scroll."),
    "bagan": marks("Bagan", "More than two thousand temples in one plain beside the Irrawaddy."),
    "angkor": marks("Angkor", "The towers of the Khmer kings, held by the roots of the forest."),
    "borobudur": marks("Borobudur", "A hill of stone with seventy-two Buddhas under bells of lattice."),
    "komodo": marks("Komodo", "The island of dragons: lizards three metres long."),
    "kinabalu": marks("Kinabalu", "A peak of bare granite over the forests of Borneo."),
    "fuji": marks("Fuji", "The sacred mountain of Japan, drawn more often than any other."),
    "denali": marks("Denali", "The highest mountain of North America, far in the cold."),
    "klondike": marks("Klondike", "A hundred thousand went up this river for gold in 1897; few found any."),
    "haida-gwaii": marks("Haida Gwaii", "Islands of the Haida, whose carved poles look out to sea."),
    "yellowstone": marks(
        "Yellowstone", "Hot springs and geysers; the first park that was made to keep a wild land wild."
    ),
    "grand-canyon": marks(
        "Grand Canyon", "A mile deep, cut by the Colorado through two thousand million years of rock."
    ),
    "cahokia": marks("Cahokia", "The largest town north of Mexico a thousand years ago, built round mounds of earth."),
    "niagara": marks("Niagara", "Four of the Great Lakes pour over one edge."),
    "vinland": marks("Vinland", "Here the Norse landed, five centuries before Columbus."),
    "beechey-island": marks("Beechey Island", "The first winter camp, and the graves, of Franklin’s lost expedition."),
    "ilulissat": marks("Ilulissat", "A glacier that sends mountains of ice into the sea."),
    "copper-canyon": marks(
        "Copper Canyon", "Six gorges joined, deeper than the Grand Canyon, home of the Rarámuri runners."
    ),
    "teotihuacan": marks("Teotihuacan", "The Avenue of the Dead between the pyramids of the Sun and the Moon."),
    "chichen-itza": marks("Chichén Itzá", "At each equinox a serpent of shadow goes down its stairs."),
    "guatavita": marks("Guatavita", "The lake of El Dorado, where a king covered in gold gave gold to the water."),
    "angel-falls": marks("Angel Falls", "The highest waterfall: nearly a thousand metres from a flat mountain."),
    "chimborazo": marks("Chimborazo", "Its summit is further from the middle of the Earth than any other."),
    "manaus": marks("Manaus", "An opera house in the rain forest, where black and brown rivers meet."),
    "machu-picchu": marks("Machu Picchu", "A town of the Incas on a ridge in the clouds, unseen by the conquerors."),
    "tiahuanaco": marks("Tiahuanaco", "The Gate of the Sun, one block of stone, on the plain by Lake Titicaca."),
    "lencois": marks("Lençóis", "White dunes with blue lakes between them, filled by the rain each year."),
    "iguazu": marks("Iguazú", "Two hundred and seventy-five falls side by side in the forest."),
    "aconcagua": marks("Aconcagua", "The highest mountain outside Asia."),
    "cave-of-hands": marks("Cave of Hands", "Hundreds of hands, stencilled on the rock up to nine thousand years ago."),
    "cape-horn": marks("Cape Horn", "The last cape of America, feared by every ship that had to go round it."),
    "uluru": marks("Uluru", "A single red rock in the middle of Australia, sacred to the Anangu."),
    "barrier-reef": marks(
        "Barrier Reef", "The largest thing that living beings have built, two thousand kilometres long."
    ),
    "shark-bay": marks("Shark Bay", "Living stones in shallow water, like those that first made air to breathe."),
    "milford-sound": marks("Milford Sound", "A fjord under walls of rock, where it rains two days out of three."),
    "nan-madol": marks("Nan Madol", "A city of basalt logs on a hundred islets in a lagoon."),
    "sepik": marks("Sepik", "A river of crocodiles, and of spirit houses with painted gables."),
    "mauna-kea": marks("Mauna Kea", "Measured from the floor of the sea, the tallest mountain of all."),
    "easter-island": marks("Easter Island", "Hundreds of stone heads on the loneliest island."),
    "galapagos": marks("Galápagos", "Giant tortoises and finches, from which Darwin learnt."),
    "tahiti": marks("Tahiti", "Here in 1769 Cook watched Venus cross the sun."),
    "kerguelen": marks("Kerguelen", "The Desolation Islands: wind, penguins and a cabbage hardly found elsewhere."),
    "indian-ocean": marks("Indian Ocean"),
    "andamans": marks("Andamans"),
    "azores": marks("Azores"),
    "cape-verde": marks("Cape Verde"),
    "vienna": marks("Vienna"),
    "urals": marks("Urals"),
    "novaya-zemlya": marks("Novaya Zemlya"),
    "lake-chad": marks("Lake Chad"),
    "luanda": marks("Luanda"),
    "durban": marks("Durban"),
    "altai": marks("Altai"),
    "okhotsk": marks("Okhotsk"),
    "shanghai": marks("Shanghai"),
    "darwin": marks("Darwin"),
    "fiji": marks("Fiji"),
    "winnipeg": marks("Winnipeg"),
    "bermuda": marks("Bermuda"),
    "recife": marks("Recife"),
    "juan-fernandez": marks("Juan Fernández"),
    "south-georgia": marks("South Georgia"),
    "arabian-sea": marks("Arabian Sea"),
    "equator": marks("Equator"),
    "canaries": marks("Canaries"),
    "constantinople": marks("Constantinople"),
    "baltic": marks("Baltic"),
    "faroes": marks("Faroes"),
    "churchill": marks("Churchill"),
    "new-orleans": marks("New Orleans"),
    "san-francisco": marks("San Francisco"),
    "panama": marks("Panama"),
    "cayenne": marks("Cayenne"),
    "river-plate": marks("River Plate"),
    "st-helena": marks("St Helena"),
    "tristan-da-cunha": marks("Tristan da Cunha"),
    "mauritius": marks("Mauritius"),
    "amsterdam-island": marks("Amsterdam Island"),
    "adelaide": marks("Adelaide"),
    "guam": marks("Guam"),
    "kashgar": marks("Kashgar"),
    "taymyr": marks("Taymyr"),
}
"""By code what a point is called, and of a place of research a sentence."""


def place_name(point: int, say: Say) -> str:
    """Return what a point is called, by its number in POINTS; both points of a border pair are called alike."""
    code, pair = POINTS[point].code, POINTS[point].pair
    return say("Border {number}", number=pair) if pair else say(_TOLD[code][0])


def printed_name(point: int, say: Say) -> str:
    name = place_name(point, say)
    return name.upper() if POINTS[point].kind == "start" else name


def region_name(region: str, say: Say) -> str:
    return say(_REGION[region])


@cache
def region_of(point: int) -> str:
    """The code of the region in which a point lies: of a place its own, of any other that of the next place."""
    here = POINTS[point]

    def away(place: Point) -> float:
        east = (place.longitude - here.longitude + 180) % 360 - 180
        return math.hypot(east * math.cos(math.radians(here.latitude)), place.latitude - here.latitude)

    return min((place for place in POINTS if place.region), key=away).region


def about_place(point: int, say: Say) -> str:
    """Return a sentence about a place of research."""
    return say(_TOLD[POINTS[point].code][1])
