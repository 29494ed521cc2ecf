"""Draw the map of Expedition: the land from Natural Earth, the relief, the network, and the places of names.

    python -m scripts.atlas land PATH/land-50m.json    picture/land.svg, the outline on our projection
    python -m scripts.atlas layout                     picture/layout.json, the places of points, drawings and names
    python -m scripts.atlas plate                      picture/map.svg, the whole map

PATH is the folder of the npm package world-atlas 2.0.2; `picture/land.md` has its origin, licence and hashes. The
extras `atlas` and `test` are needed (names are measured in a browser). Everything is deterministic.
"""
