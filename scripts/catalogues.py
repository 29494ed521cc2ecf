"""The catalogues of messages, updated or checked: see `tavola.contract.catalogues`.

python -m scripts.catalogues update [FOLDER…]
python -m scripts.catalogues check [FOLDER…]
"""

import sys

from tavola.contract.catalogues import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
