# Needs Python 3.11 or newer and make; everything else is set up here, in .venv.
# PYTHON=python3.12 make test    another Python
# PORT=9000 make play            another port

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' && echo $$p && break; done)
PORT ?= 8000
PIP = .venv/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
BIN = .venv/bin
TYPESCRIPT = 6.0.3
TSC = .venv/typescript/node_modules/.bin/tsc
# Hundreds of processes are started by the tests: each would read all sources anew where bytecode is not to be kept.
export PYTHONDONTWRITEBYTECODE =

.PHONY: play quick test check translated compiled games typescript docs dist soak stress bench clean chromium postgresql machines ray openspiel gpu sb3

play: .venv/play
	@$(BIN)/tavola serve --port $(PORT)

# Three tiers, by the marks that pyproject.toml lists: about two minutes, about eight, and as long as it takes.
# What waits for browsers and servers leaves a core idle: there are more workers than cores.
quick: .venv/test compiled
	$(BIN)/python -m pytest -n 3 --maxschedchunk 4 -m "not browser and not process and not bulk and not soak"

test: chromium postgresql
	@$(MAKE) --no-print-directory --jobs 3 --output-sync games check compiled
	$(BIN)/python -m pytest -n 5 --maxschedchunk 1 -m "not soak" --durations 15

check: .venv/test typescript
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.prose --check

# What a release needs besides green tests: every message translated in every language.
translated: .venv/test
	$(BIN)/python -m scripts.catalogues check --release

# The scripts of the pages, where npm can fetch the compiler.
typescript: .venv/bin/python
	@if ! command -v npm >/dev/null; then echo "The scripts of the pages are not checked: npm is missing"; \
	elif test -x $(TSC) || npm install --silent --no-save --no-package-lock --prefix .venv/typescript typescript@$(TYPESCRIPT); \
	then $(TSC) --project .; else echo "The scripts of the pages are not checked: npm cannot fetch typescript"; fi

soak: .venv/test chromium postgresql machines compiled
	$(BIN)/python -m pytest -n 2 -m "soak or hypothesis" --hypothesis-profile soak --pictures --timeout 7200 --durations 15
	$(BIN)/python -m scripts.stress
	scripts/pythons

# The tests of browsers and processes again and again on a busy machine, on one core and at the lowest priority.
stress: .venv/test chromium postgresql compiled
	$(BIN)/python -m scripts.stress $(if $(RUNS),--runs $(RUNS))

# The guides and the reference, in build/docs.
docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The wheel and the source distribution of the last commit, in dist.
dist: .venv/test
	$(BIN)/python -m scripts.distributions

bench: .venv/play
	$(BIN)/tavola bench

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis test-output
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Tavola needs Python 3.11 or newer: expected python3 to be one" >&2; exit 2; }
	$(PYTHON) -m venv .venv

.venv/play: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) setuptools
	$(PIP) --no-build-isolation --editable .
	@touch $@

.venv/test: .venv/play
	$(PIP) --no-build-isolation --editable '.[test]'
	@touch $@

# Ray is large: its tests run where it is, and are skipped elsewhere.
ray: .venv/test
	@test -e .venv/ray || { $(PIP) --no-build-isolation --editable '.[ray]' && touch .venv/ray; }

# OpenSpiel, with SciPy.
openspiel: .venv/test
	@test -e .venv/openspiel || { $(PIP) --no-build-isolation --editable '.[openspiel]' && touch .venv/openspiel; }

# NVIDIA's compilers for GPUs, as large as Ray.
gpu: .venv/test
	@test -e .venv/gpu || { $(PIP) --no-build-isolation --editable '.[gpu]' && touch .venv/gpu; }

# MaskablePPO of sb3-contrib, with PyTorch.
sb3: .venv/test
	@test -e .venv/sb3 || { $(PIP) --no-build-isolation --editable '.[sb3]' && touch .venv/sb3; }

.venv/docs: .venv/play
	$(PIP) --no-build-isolation --editable '.[docs]'
	@touch $@

# Machine code for the tests is compiled once for a cache, on all cores, and their assertions are rewritten once: tests
# that need them before would wait, and every worker would rewrite them all.
compiled: .venv/test
	@$(BIN)/python -m tests.helpers.compiled

# The games need nothing of the tests: they are compiled while that is installed.
games: .venv/play
	@$(BIN)/python -m tavola warm

# The browser tests drive Debian's Chromium.
chromium:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || scripts/debian chromium-headless-shell

# Rooms are also tried on a PostgreSQL that the tests start for themselves.
postgresql:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || command -v postgres >/dev/null || scripts/debian postgresql

# The soak also builds a container and whole machines, as root.
machines:
	@test "$$(id -u)" != 0 || command -v buildah >/dev/null || scripts/debian buildah
	@test "$$(id -u)" != 0 || command -v debootstrap >/dev/null || scripts/debian debootstrap
	@test "$$(id -u)" != 0 || command -v systemd-nspawn >/dev/null || scripts/debian systemd-container
