# On a fresh clone each of these works with nothing else done before; it needs Python 3.11+, a C++ compiler and a package index.
# make run installs what runs errata; everything else adds the tools of developers, in the same .venv.
PYTHON ?= python3
BIN := .venv/bin
# Python compiles a module when it is first imported, and most modules of packages never are.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
ENVIRONMENT := .venv/.environment
RUNNABLE := .venv/.runnable
TOOLS := .venv/.tools
DEPENDENCIES := .venv/.dependencies
CORE := .venv/.core
INSTALLED := .venv/.installed
CORE_SOURCES := CMakeLists.txt src/errata/__init__.py $(wildcard native/*pp native/bindings/*)
SITE_TOOLS := .venv/.site-tools
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal $(TESTS)
# Tests and benchmarks start errata hundreds of times, so compiled modules are kept, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test suite thorough quick lint docs tables screenshots study reproduction page bench soak fuzz wheel-test version clean help

help:
	@echo "make run       score the example corpus and write its page, report.html"
	@echo "make test      lint, type-check and test"
	@echo "make suite     test without linting; TESTS=packages/errata-event tests that distribution alone"
	@echo "make thorough  like make test, with every case of tests that try some of them in make test"
	@echo "make quick     test without what takes long"
	@echo "make lint      lint and type-check only"
	@echo "make docs      build the documentation as a site: open site/index.html"
	@echo "make tables    write tables of settings, names and options into the documentation"
	@echo "make screenshots  take the pictures of the report page and of an event that the documentation shows; needs a Chromium"
	@echo "make study     compare all metrics with public judgments of people, and write docs/metrics-and-people.md; installs errata[errant]"
	@echo "make reproduction  recompute published figures from public data, and write docs/reproduction.md"
	@echo "make page      build the scripts of the report page and of judging; needs Node.js 20+ and npm"
	@echo "make bench     measure, and print ratios and growth"
	@echo "make soak      score ten million sentences, kill programs and servers many times, and attack a server with all its tests"
	@echo "make fuzz      try inputs that nobody expects; SECONDS=600 SEED=7 choose how long and which"
	@echo "make wheel-test  build what is published, twice, compare, and test it with every Python on this machine"
	@echo "make version   write a version wherever it stands: make version NEW=0.3.0, with DATE=2027-01-31 when it is published"
	@echo "make clean     remove what the others made"

run: $(if $(wildcard $(TOOLS)),$(INSTALLED),$(RUNNABLE))
	@$(BIN)/errata score examples/learner.m2 examples/systems/*.txt
	@$(BIN)/errata report examples/learner.m2 examples/systems/*.txt -m maxmatch -m imeasure -m gleu -o report.html
	@echo
	@echo "report.html has every sentence of every system: open it in a browser"

test: lint
	$(PYTEST)

suite: $(INSTALLED)
	$(PYTEST)

# Everything that make test tries a part of, such as simulations and combinations of options; takes about three times as long.
thorough: lint
	ERRATA_THOROUGH=1 $(PYTEST)

quick: $(INSTALLED)
	HYPOTHESIS_PROFILE=quick $(PYTEST) --quiet -m "not slow and not realdata"

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python .ci/check_house.py
	$(BIN)/zizmor --quiet --offline --strict-collection .github

docs: tables $(SITE_TOOLS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

tables: $(INSTALLED)
	$(BIN)/python docs/fill_tables.py

screenshots: $(INSTALLED)
	$(BIN)/python docs/make_screenshots.py

$(SITE_TOOLS): pyproject.toml .ci/list_dependencies.py | $(TOOLS)
	$(BIN)/python .ci/list_dependencies.py docs > .venv/site-tools.txt
	$(PIP) --requirement .venv/site-tools.txt
	@touch $@

# Needs the public data that ERRATA_DATA names, and spaCy; takes some minutes.
study: $(INSTALLED)
	$(PIP) 'errata[errant]'
	$(BIN)/python docs/write_study.py

# Needs the public data that ERRATA_DATA names; takes some minutes.
reproduction: $(INSTALLED)
	$(BIN)/python docs/write_reproduction.py

page:
	cd browser && npm ci && npm run check && npm run build

bench: $(INSTALLED)
	$(BIN)/python benchmarks/run.py

# Ten million sentences, and programs, workers and servers that are killed, many times; takes about half an hour and 2 GB of disk.
soak: $(INSTALLED)
	$(BIN)/python benchmarks/scale.py --thorough
	ERRATA_SOAK=1 $(BIN)/python -m pytest --quiet tests/evidence_files tests/engines packages/errata-event/tests

SECONDS ?= 120
SEED ?= 1
fuzz: $(INSTALLED)
	$(BIN)/python -m fuzz --seconds $(SECONDS) --seed $(SEED)
	ERRATA_THOROUGH=1 $(BIN)/python -m pytest --quiet tests/fuzz

version:
	@$(PYTHON) .ci/set_version.py "$(NEW)" $(DATE)

# What is published, for this machine; takes some minutes, because the core is compiled for two Pythons, twice.
wheel-test: $(INSTALLED)
	$(BIN)/python .ci/list_dependencies.py release > .venv/release.txt
	$(PIP) --requirement .venv/release.txt
	$(BIN)/python distribution/wheel_test.py dist

$(ENVIRONMENT):
	@.ci/check_machine.sh $(PYTHON)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@touch $@

# What runs errata: its packages and the core, built with tools that pip removes afterwards.
$(RUNNABLE): pyproject.toml $(CORE_SOURCES) | $(ENVIRONMENT)
	$(PIP) --editable .
	@touch $(CORE) $@

# The build tools of developers stay, so that a changed header is compiled in seconds.
$(TOOLS): | $(ENVIRONMENT)
	$(PIP) "scikit-build-core>=1.1,<2" "nanobind>=3.1,<4" "cmake>=3.24" ninja
	@touch $@

# Packages are installed while the core is compiled if make may do two things at a time, as with make -j2.
$(DEPENDENCIES): pyproject.toml packages/errata-event/pyproject.toml .ci/list_dependencies.py | $(TOOLS)
	$(BIN)/python .ci/list_dependencies.py dev > .venv/dependencies.txt
	$(PIP) --requirement .venv/dependencies.txt
	@touch $@

$(CORE): pyproject.toml $(CORE_SOURCES) | $(TOOLS)
	$(PIP) --no-build-isolation --no-deps --config-settings cmake.define.ERRATA_WARNINGS_ARE_ERRORS=ON --editable .
	@touch $@

$(INSTALLED): $(DEPENDENCIES) $(CORE) packages/errata-event/pyproject.toml
	$(PIP) --no-build-isolation --no-deps --editable packages/errata-event
	@touch $@

clean:
	rm -rf .venv build dist site browser/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
