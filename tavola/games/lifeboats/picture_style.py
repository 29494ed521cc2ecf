"""The picture's look: the colours of a sea chart printed by hand, by day and by night, and its motion."""

from tavola.games.lifeboats.components import COLOURS, SEATS
from tavola.show.prints import printed
from tavola.show.svg import MOTION, palette

PAINTS = {
    "red": ("#c5301f", "#fff8e8"),
    "green": ("#35733a", "#fff8e8"),
    "violet": ("#7b4397", "#fff8e8"),
    "yellow": ("#f2bd2e", "#2a2731"),
    "blue": ("#2a61ad", "#fff8e8"),
    "white": ("#fffdf6", "#2a2731"),
    "black": ("#2a2731", "#fff8e8"),
}
"""The paint of each colour, and what is printed on it. The pieces are painted wood: the same by day and by night."""

DAY = {
    "paper": "#f5ead3",
    "panel": "#efe0c2",
    "print": "#2a2731",
    "faint": "#6b5d4c",
    "ink": "#2a2731",
    "halo": "#fff8e8",
    "sea": "#4f95a3",
    "shallow": "#b9e2d2",
    "foam": "#fffaf0",
    "stroke": "#2f6f80",
    "sand": "#f3d79b",
    "grass": "#a9c27a",
    "leaf": "#5f8f4e",
    "wood": "#e9c891",
    "plank": "#cfa566",
    "water": "#5cabd8",
    "gold": "#f0b429",
    "navy": "#24405f",
    "wreck": "#3a3a40",
    "rust": "#a8402c",
    "glow": "#ffdf5a",
    "alarm": "#c5301f",
    "cardboard": "#fff8e8",
    "drop": "#eef9ff",
    "waves": "#8fb6c9",
}
NIGHT = {
    "paper": "#221f24",
    "panel": "#2f2a2f",
    "print": "#f3e7cd",
    "faint": "#b5a78f",
    "halo": "#f3e7cd",
    "sea": "#14384a",
    "shallow": "#2f7383",
    "foam": "#cfe3dc",
    "stroke": "#3f8090",
    "sand": "#bd9d62",
    "grass": "#69834c",
    "leaf": "#38602f",
    "wood": "#c9a56d",
    "plank": "#b58e58",
    "wreck": "#0d1319",
    "rust": "#8a3423",
    "alarm": "#ff8a70",
}

_paints = "".join(
    f".lifeboats .{name}{{--own:{own};--mark:{mark}}}"
    for name, (own, mark) in [*PAINTS.items(), ("plain", ("#56708a", "#fff8e8"))]
)
_turns = "".join(f".lifeboats .turn-{seat}{{--late:{seat * 0.16:.2f}s}}" for seat in range(SEATS))

STYLE = f"""{MOTION}
{palette("lifeboats", DAY, NIGHT)}
{printed("lifeboats")}
{_paints}
{_turns}
.lifeboats .flow{{fill:none;stroke:var(--print);stroke-width:4;stroke-linecap:round;stroke-linejoin:round}}
.lifeboats text.on-paint{{fill:var(--mark)}}
.lifeboats text.big{{font-size:27px}}
.lifeboats text.ship{{font-family:Georgia,"Palatino Linotype","DejaVu Serif",serif;font-size:23px;letter-spacing:3px}}
.lifeboats .line{{fill:none;stroke:var(--ink);stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round}}
.lifeboats .navy{{fill:var(--navy)}}
.lifeboats .line.thin{{stroke-width:1.5}}
.lifeboats .sea,.lifeboats .flood{{fill:var(--sea)}}
.lifeboats .shoal{{fill:var(--shallow);fill-opacity:.24}}
.lifeboats .strokes{{fill:none;stroke:var(--stroke);stroke-width:2.4;stroke-linecap:round;opacity:.6}}
.lifeboats .lanes{{stroke:var(--foam);stroke-width:2;stroke-dasharray:2 12;stroke-linecap:round;opacity:.7}}
.lifeboats .crest{{fill:none;stroke:var(--foam);stroke-width:4;stroke-linecap:round}}
.lifeboats .swell{{fill:none;stroke:var(--stroke);stroke-width:4;opacity:.7}}
.lifeboats .surf{{fill:var(--foam);opacity:.6}}
.lifeboats .sand{{fill:var(--sand)}}
.lifeboats .grass{{fill:var(--grass)}}
.lifeboats .leaf{{fill:var(--leaf)}}
.lifeboats .trunk{{fill:none;stroke:var(--ink);stroke-width:4.5;stroke-linecap:round}}
.lifeboats .board{{fill:#fff4d8}}
.lifeboats .rock{{fill:#6d6a6c}}
.lifeboats .rust,.lifeboats .pennant{{fill:var(--rust)}}
.lifeboats .hull{{fill:var(--wreck)}}
.lifeboats text.ship{{fill:#fff4d8}}
.lifeboats .steam{{fill:none;stroke:var(--foam);stroke-width:9;stroke-linecap:round;opacity:.75}}
.lifeboats .plank{{fill:var(--plank)}}
.lifeboats text.on-wood{{fill:var(--ink)}}
.lifeboats .ring{{fill:none;stroke:var(--faint);stroke-width:2}}
.lifeboats .rose{{fill:var(--faint)}}
.lifeboats .plate{{fill:var(--own);stroke:var(--ink);stroke-width:2.4}}
.lifeboats .plate.acting{{stroke:var(--print);stroke-width:4}}
.lifeboats .spent{{opacity:.22}}
.lifeboats .creature{{fill:none;stroke:var(--stroke);stroke-width:3;stroke-linejoin:round;stroke-linecap:round}}
.lifeboats .facet{{fill:#4d4a4f}}
.lifeboats .gash{{fill:#0d1319}}
.lifeboats .rail{{fill:none;stroke:#fff4d8;stroke-width:2.4;opacity:.8}}
.lifeboats .porthole{{fill:var(--gold)}}
.lifeboats .splash{{fill:none;stroke:var(--foam);stroke-width:2.6}}
.lifeboats .flag{{fill:var(--alarm);stroke:var(--print);stroke-width:2}}
.lifeboats .disc{{fill:#17151b;stroke:var(--halo);stroke-width:3}}
.lifeboats .helm{{fill:none;stroke:#fff8e8;stroke-width:1.8}}
.lifeboats .weight{{fill:var(--glow);stroke:var(--ink);stroke-width:2}}
.lifeboats .chip{{stroke:var(--print);stroke-width:2.4}}
.lifeboats .wreck .line{{stroke:var(--print)}}
.lifeboats .chosen{{fill:none;stroke:var(--print);stroke-width:3.4}}
.lifeboats .crossed{{fill:none;stroke:var(--alarm);stroke-width:5;stroke-linecap:round}}
.lifeboats .buoy{{fill:#fff4d8}}
.lifeboats .clickable{{--edge:var(--glow);--edge-width:12}}
.lifeboats .through.clickable{{--edge-width:8}}
.lifeboats .pointed,.lifeboats .clickable:hover{{--edge:#fff}}
.lifeboats .sunk{{opacity:.4}}
.lifeboats .bubble{{fill:none;stroke:var(--foam);stroke-width:3}}
.lifeboats .berth{{fill:var(--foam);fill-opacity:.22;stroke:var(--foam);stroke-width:4;stroke-dasharray:10 8}}
.lifeboats .pointed .berth,.lifeboats .clickable:hover .berth{{fill-opacity:.7}}
.lifeboats .clickable .berth{{stroke:var(--glow);fill-opacity:.4}}
.lifeboats .ghost{{opacity:.6}}
.lifeboats .alarm-edge{{fill:none;stroke:var(--paper);stroke-width:11}}
.lifeboats .alarm{{fill:none;stroke:var(--alarm);stroke-width:6;stroke-dasharray:16 9;stroke-linecap:round}}
.lifeboats .march{{animation:lifeboats-march 1.4s linear infinite}}
.lifeboats .rise{{animation:lifeboats-rise 2.4s ease-in 3}}
.lifeboats .pop{{transform-box:fill-box;transform-origin:center;animation:lifeboats-pop .6s ease-out both}}
.lifeboats .deal{{animation:lifeboats-deal .5s ease-out var(--late) both}}
.lifeboats .turned .back{{transform:scaleX(0)}}
.lifeboats .turned .back{{animation:lifeboats-hide .22s ease-in calc(var(--late) + .5s) both}}
.lifeboats .turned .face{{animation:lifeboats-show .3s ease-out calc(var(--late) + .72s) both}}
.lifeboats .told{{animation:lifeboats-tell .5s ease-out 1.9s both}}
@keyframes lifeboats-march{{to{{stroke-dashoffset:-50}}}}
@keyframes lifeboats-rise{{from{{transform:translateY(8px);opacity:.9}}to{{transform:translateY(-16px);opacity:0}}}}
@keyframes lifeboats-pop{{0%{{transform:scale(2.2);opacity:0}}60%{{transform:scale(.85);opacity:1}}}}
@keyframes lifeboats-deal{{from{{transform:translateX(-60px)}}}}
@keyframes lifeboats-hide{{from{{transform:scaleX(1)}}to{{transform:scaleX(0)}}}}
@keyframes lifeboats-show{{from{{transform:scaleX(0)}}}}
@keyframes lifeboats-tell{{from{{opacity:0;transform:translateY(10px)}}}}
"""

assert tuple(PAINTS) == COLOURS
