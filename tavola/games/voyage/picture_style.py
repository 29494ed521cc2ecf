"""The picture's look: an old chart that the voyage colours, tile by tile; by day and by night; and its motion."""

from tavola.games.voyage.components import SEATS
from tavola.show.prints import printed
from tavola.show.svg import MOTION, palette

DAY = {
    "paper": "#f5ead3",
    "panel": "#efe0c2",
    "print": "#2a2731",
    "faint": "#6b5d4c",
    "ink": "#2a2731",
    "halo": "#fff8e8",
    "table": "#b7a27c",
    "parchment": "#ead7ac",
    "hatch": "#dcc491",
    "pencil": "#86694a",
    "rubric": "#ad5540",
    "mist": "#c3ced0",
    "wisp": "#eef2ef",
    "haze": "#8d9ca3",
    "sea": "#5fa9b5",
    "deep": "#2f6f80",
    "foam": "#fffaf0",
    "shallow": "#b9e2d2",
    "sand": "#f3d79b",
    "grass": "#a9c27a",
    "leaf": "#5f8f4e",
    "rock": "#8b8580",
    "wood": "#b9773f",
    "sail": "#fffdf6",
    "cross": "#c5301f",
    "dusk": "#6b5aa8",
    "fairy": "#d9c8f5",
    "glow": "#ffdf5a",
    "gold": "#f0b429",
    "navy": "#24405f",
    "waves": "#8fb6c9",
    "cardboard": "#fff8e8",
    "white": "#fffdf6",
    "black": "#2a2731",
    "alarm": "#c5301f",
}
NIGHT = {
    "paper": "#221f24",
    "panel": "#2f2a2f",
    "print": "#f3e7cd",
    "faint": "#b5a78f",
    "halo": "#f3e7cd",
    "table": "#17151b",
    "parchment": "#6d5b41",
    "hatch": "#5f4f38",
    "pencil": "#e2caa0",
    "rubric": "#ffb39c",
    "mist": "#4d5a63",
    "wisp": "#75858c",
    "haze": "#a3b3b8",
    "sea": "#2c6c80",
    "deep": "#12303f",
    "foam": "#cfe3dc",
    "shallow": "#3f8d97",
    "sand": "#c9a86b",
    "grass": "#7d9a5a",
    "leaf": "#476f39",
    "dusk": "#4a3d84",
    "fairy": "#b7a3e0",
    "alarm": "#ff8a70",
}

ROLE_PAINT = ("#24405f", "#2f7a78", "#8a5a13", "#8f2530", "#3f6b34", "#2a61ad")
"""The ground of each role's card; its emblem is printed on it in the colour of sails, by day and by night."""

_roles = "".join(f".voyage .role-{role}{{--own:{paint}}}" for role, paint in enumerate(ROLE_PAINT))
_turns = "".join(f".voyage .late-{seat}{{--late:{seat * 0.06:.2f}s}}" for seat in range(SEATS))

STYLE = f"""{MOTION}
{palette("voyage", DAY, NIGHT)}
{printed("voyage")}
{_roles}
{_turns}
.voyage text.on-white{{fill:var(--black)}}
.voyage text.on-black{{fill:var(--white)}}
.voyage text.faded{{fill:var(--faint)}}
.voyage text.light{{font-weight:400}}
.voyage text.big{{font-size:25px}}
.voyage text.title{{font-family:Georgia,"Palatino Linotype","DejaVu Serif",serif;letter-spacing:1px}}
.voyage .line{{fill:none;stroke:var(--ink);stroke-width:2.4;stroke-linejoin:round;stroke-linecap:round}}
.voyage .table{{fill:var(--table)}}
.voyage .white{{fill:var(--white)}}
.voyage .black{{fill:var(--black)}}
.voyage .rule{{fill:none;stroke:var(--faint);stroke-width:1.6;stroke-opacity:.5}}
.voyage .plate{{fill:var(--cardboard);stroke:var(--ink);stroke-width:2.4}}
.voyage .plate.acting{{fill:var(--gold);stroke-width:3.4}}
.voyage .chip{{stroke:var(--print);stroke-width:2}}
.voyage .ring{{fill:none;stroke:var(--print);stroke-width:7}}
.voyage .ring-inner{{fill:none;stroke:var(--gold);stroke-width:3.6}}
.voyage .way{{fill:none;stroke-linejoin:round;stroke-linecap:round}}
.voyage .way.wake-edge{{stroke:var(--deep);stroke-width:5.4;opacity:.7}}
.voyage .way.wake{{stroke:var(--foam);stroke-width:2.8}}
.voyage .way.leg-edge{{stroke:var(--edge,var(--halo));stroke-width:11}}
.voyage .way.leg{{stroke:var(--ink);stroke-width:5}}
.voyage .leg-head{{fill:var(--ink);stroke:var(--edge,var(--halo));stroke-width:6;stroke-linejoin:round}}
.voyage .leg-head{{paint-order:stroke}}
.voyage .secret .leg{{stroke-dasharray:1 10}}
.voyage .lost .leg{{stroke:var(--cross)}}
.voyage .lost .leg-head{{fill:var(--cross)}}
.voyage .danger{{fill:var(--cross)}}
.voyage text.on-danger{{fill:var(--white)}}
.voyage .cover{{fill:var(--panel)}}
.voyage .goal{{fill:var(--halo);fill-opacity:.2;stroke:var(--ink);stroke-width:3;stroke-dasharray:9 6}}
.voyage .goal-edge{{fill:none;stroke:var(--edge,var(--halo));stroke-width:8}}
.voyage .clickable{{--edge:var(--glow);--edge-width:11}}
.voyage .clickable .goal{{fill:var(--glow);fill-opacity:.28}}
.voyage .pointed,.voyage .clickable:hover{{--edge:#fff}}
.voyage .pointed .goal,.voyage .clickable:hover .goal{{fill:#fff;fill-opacity:.6}}
.voyage .ship{{transition-delay:.7s;transition-duration:1.1s}}
.voyage .marker{{transition-delay:1.6s}}
.voyage .shine{{transform-box:fill-box;transform-origin:center;animation:voyage-shine 6s linear 3}}
.voyage .back{{transform:scaleX(0)}}
.voyage .turned .back{{animation:voyage-hide .22s ease-in calc(var(--late,0s) + .3s) both}}
.voyage .turned .face{{animation:voyage-show .3s ease-out calc(var(--late,0s) + .52s) both}}
.voyage .fresh .back{{animation:voyage-hide .26s ease-in 1.7s both}}
.voyage .fresh .face{{animation:voyage-show .34s ease-out 1.96s both}}
.voyage .deal{{animation:voyage-deal .5s ease-out both}}
.voyage .told{{animation:voyage-tell .5s ease-out 1.2s both}}
.voyage .asked{{animation:voyage-tell .4s ease-out .2s both}}
.voyage .after{{animation:voyage-tell .4s ease-out 2.2s both}}
@keyframes voyage-shine{{50%{{transform:rotate(12deg) scale(1.06)}}}}
@keyframes voyage-hide{{from{{transform:scaleX(1)}}to{{transform:scaleX(0)}}}}
@keyframes voyage-show{{from{{transform:scaleX(0)}}}}
@keyframes voyage-deal{{from{{transform:translateY(40px);opacity:0}}}}
@keyframes voyage-tell{{from{{opacity:0}}}}
"""
