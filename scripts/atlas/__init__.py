"""Draws the plate of Expedition: the land from Natural Earth, the relief, the network, and where names find room.

    python -m scripts.atlas land PATH/land-50m.json    picture/land.svg, the outline on our projection
    python -m scripts.atlas layout                     picture/layout.json, where points, drawings and names lie
    python -m scripts.atlas plate                      picture/map.svg, the whole plate

PATH is the folder of the npm package world-atlas 2.0.2; `picture/land.md` has its origin, licence and hashes. Needed
are the extras `atlas` and `test` (names are measured in a browser). Everything is deterministic.
"""
