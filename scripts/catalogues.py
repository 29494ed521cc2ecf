"""Update, rename, count or check catalogues of translations: see `tavola.contract.catalogues`."""

import sys

from tavola.contract.catalogues import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
