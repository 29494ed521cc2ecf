"""The names of the points of the map, and a sentence about each place of research, in the reader's language."""

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
_PLACES: Final = (
    marks("Geysir", "The hot spring in Iceland that gave all other geysers their name."),
    marks("Stonehenge", "Great stones set in a ring five thousand years ago, open to the midsummer sunrise."),
    marks("Mont Blanc", "The highest summit in the Alps, first climbed in 1786."),
    marks("Pompeii", "A Roman town preserved under the ash of Vesuvius since the year 79."),
    marks("Delphi", "Here, at what they believed was the navel of the world, the Greeks consulted Apollo’s oracle."),
    marks("Kizhi", "A wooden church with twenty-two domes, on an island in Lake Onega."),
    marks("North Cape", "A cliff above the Arctic Ocean, where the sun doesn’t set from May to July."),
    marks("Tassili", "Rock paintings of herds and hunters, from the days when the Sahara was green."),
    marks("Timbuktu", "A mud-brick city at the edge of the desert, once rich in salt, gold and books."),
    marks("Benin", "An old kingdom whose masters cast heads and plaques in bronze."),
    marks("Giza", "The great pyramids, the last of the seven ancient wonders still standing."),
    marks("Abu Simbel", "Four seated colossi of Ramesses II guard a temple cut into the rock."),
    marks("Lalibela", "Churches carved downwards into the red rock of Ethiopia, each from a single block."),
    marks("Ruwenzori", "The Mountains of the Moon, with snow almost on the equator."),
    marks("Kilimanjaro", "Africa’s highest mountain, a single white cone above the savanna."),
    marks("Victoria Falls", "The smoke that thunders: the Zambezi plunges a hundred metres into a chasm."),
    marks("Great Zimbabwe", "Walls and a tower of stone without mortar, for three centuries the seat of kings."),
    marks("Table Mountain", "A mountain above the Cape, as flat as a table and often spread with a cloth of cloud."),
    marks("Baobabs", "An avenue of trees with trunks like towers, some a thousand years old."),
    marks("Cappadocia", "Houses and churches carved into cones of soft rock."),
    marks("Petra", "A city carved into rose-red rock, at the end of a narrow gorge."),
    marks("Babylon", "The city of the Tower, and of hanging gardens that no one has ever found."),
    marks("Persepolis", "The columns of the palace where the kings of Persia received the world."),
    marks("Marib", "The land of Sheba, watered by a great dam for more than a thousand years."),
    marks("Samarkand", "Blue domes and tiled gates, halfway along the Silk Road."),
    marks("Bamiyan", "Two giant Buddhas stood in this cliff for fourteen centuries. Their niches remain."),
    marks("Agra", "The Taj Mahal, the white marble tomb that an emperor built for his wife."),
    marks("Hampi", "The ruins of Vijayanagara among boulders, with a stone chariot whose wheels once turned."),
    marks("Sigiriya", "A palace on top of a rock, entered between the paws of a stone lion."),
    marks("Everest", "The highest point on Earth, first reached in 1953."),
    marks(
        "Lake Baikal", "The deepest lake on Earth, with a fifth of the world’s fresh lake water and seals of its own."
    ),
    marks("Lena Pillars", "Rows of rock towers two hundred metres high along the Lena River."),
    marks("Klyuchevskaya", "Asia’s highest active volcano, in Kamchatka."),
    marks("Karakorum", "The capital of Genghis Khan’s heirs. Stone tortoises still mark where it stood."),
    marks("Dunhuang", "Hundreds of painted caves in the desert, one of them hiding a walled-up library."),
    marks("Great Wall", "Thousands of miles of wall along the ridges between China and the steppe."),
    marks("Tschangan", "The old capital where the Silk Road began, close to an army of clay."),
    marks("Guilin", "Hills like teeth along the Li River, as if painted on a scroll."),
    marks("Bagan", "More than two thousand temples on a single plain beside the Irrawaddy."),
    marks("Angkor", "The towers of the Khmer kings, in the grip of the forest’s roots."),
    marks("Borobudur", "A temple like a hill of stone, with seventy-two Buddhas under latticed bells."),
    marks("Komodo", "The island of dragons: lizards three metres long."),
    marks("Kinabalu", "A bare granite peak above the forests of Borneo."),
    marks("Fuji", "Japan’s sacred mountain, drawn more often than any other."),
    marks("Denali", "The highest mountain in North America, far up in the cold."),
    marks("Klondike", "In 1897 a hundred thousand people went up this river for gold. Few found any."),
    marks("Haida Gwaii", "The islands of the Haida, whose carved poles look out to sea."),
    marks("Yellowstone", "Hot springs and geysers in the first park ever made to keep wild land wild."),
    marks("Grand Canyon", "A mile deep, carved by the Colorado through two billion years of rock."),
    marks("Cahokia", "A thousand years ago the largest town north of Mexico, built around mounds of earth."),
    marks("Niagara", "Four of the Great Lakes pour over a single edge."),
    marks("Vinland", "The Norse landed here five centuries before Columbus."),
    marks("Beechey Island", "The first winter camp of Franklin’s lost expedition, and its graves."),
    marks("Ilulissat", "A glacier that sends mountains of ice out to sea."),
    marks("Copper Canyon", "Six linked gorges, deeper than the Grand Canyon, home of the Rarámuri runners."),
    marks("Teotihuacan", "The Avenue of the Dead, between the pyramids of the Sun and the Moon."),
    marks("Chichén Itzá", "At each equinox, a serpent of shadow glides down its steps."),
    marks("Guatavita", "The lake of El Dorado, where a king covered in gold cast gold into the water."),
    marks("Angel Falls", "The highest waterfall on Earth: nearly a thousand metres down from a flat-topped mountain."),
    marks("Chimborazo", "Its summit is further from the centre of the Earth than any other."),
    marks("Manaus", "An opera house in the rainforest, where a black river meets a brown one."),
    marks("Machu Picchu", "An Inca town on a ridge in the clouds, never seen by the conquerors."),
    marks("Tiahuanaco", "The Gate of the Sun, carved from a single block of stone, on the plain by Lake Titicaca."),
    marks("Lençóis", "White dunes with blue lakes between them, filled by the rain each year."),
    marks("Iguazú", "Two hundred and seventy-five waterfalls side by side in the forest."),
    marks("Aconcagua", "The highest mountain outside Asia."),
    marks("Cave of Hands", "Hundreds of hands stencilled on the rock up to nine thousand years ago."),
    marks("Cape Horn", "The last cape of America, feared by every ship that had to round it."),
    marks("Uluru", "A single red rock in the heart of Australia, sacred to the Anangu."),
    marks("Barrier Reef", "The largest structure ever built by living things, two thousand kilometres long."),
    marks("Shark Bay", "Living stones in shallow water, like the ones that first gave the air its oxygen."),
    marks("Milford Sound", "A fjord between walls of rock, where it rains two days out of three."),
    marks("Nan Madol", "A city built of basalt logs on a hundred islets in a lagoon."),
    marks("Sepik", "A river of crocodiles and of spirit houses with painted gables."),
    marks("Mauna Kea", "Measured from the sea floor, the tallest mountain of all."),
    marks("Easter Island", "Hundreds of stone heads on the world’s loneliest island."),
    marks("Galápagos", "Giant tortoises, and the finches that set Darwin thinking."),
    marks("Tahiti", "Here, in 1769, Cook watched Venus cross the sun."),
    marks("Kerguelen", "The Desolation Islands: wind, penguins and a cabbage found almost nowhere else."),
)
"""Name of each place of research, in the order of the map's places, and a sentence about it."""
_STATIONS: Final = (
    *marks("Indian Ocean", "Andamans", "Azores", "Cape Verde", "Vienna", "Urals", "Novaya Zemlya"),
    *marks("Lake Chad", "Luanda", "Durban", "Altai", "Okhotsk", "Shanghai", "Darwin"),
    *marks("Fiji", "Winnipeg", "Bermuda", "Recife", "Juan Fernández", "South Georgia"),
    *marks("Arabian Sea", "Equator", "Canaries", "Constantinople", "Baltic", "Faroes", "Churchill"),
    *marks("New Orleans", "San Francisco", "Panama", "Cayenne", "River Plate", "St Helena", "Tristan da Cunha"),
    *marks("Mauritius", "Amsterdam Island", "Adelaide", "Guam", "Kashgar", "Taymyr"),
)
_NAMES: Final = (mark("Lisbon"), *(name for name, _ in _PLACES), *_STATIONS)
"""Name of each point in the order of the map, without the border points at its end."""


def place_name(point: int, say: Say) -> str:
    """Return the name of a point, by its number in POINTS; both points of a border pair have the same name."""
    pair = POINTS[point].pair
    return say("Border {number}", number=pair) if pair else say(_NAMES[point])


def printed_name(point: int, say: Say) -> str:
    name = place_name(point, say)
    return name.upper() if POINTS[point].kind == "start" else name


def region_name(region: str, say: Say) -> str:
    return say(_REGION[region])


@cache
def region_of(point: int) -> str:
    """Return the code of a point's region: a place's own, or that of the nearest place."""
    here = POINTS[point]

    def away(place: Point) -> float:
        east = (place.longitude - here.longitude + 180) % 360 - 180
        return math.hypot(east * math.cos(math.radians(here.latitude)), place.latitude - here.latitude)

    return min((place for place in POINTS if place.region), key=away).region


def about_place(point: int, say: Say) -> str:
    """Return a sentence about a place of research."""
    return say(_PLACES[point - 1][1])
