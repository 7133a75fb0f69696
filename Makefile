# Everything a developer or an operator of one machine does. `make help` lists it.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
PYTEST := $(BIN)/python -m pytest
# Many tests wait, for a browser or a server: one process more than cores uses these better, and one that is done takes
# tests from another. Each has a start and several hundred megabytes of its own, so that there are six at most.
CORES := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
IN_PARALLEL := -n $(shell echo $$(($(CORES) < 6 ? $(CORES) + 1 : 6))) --dist worksteal
BESIDE := -n 2 --dist worksteal
# The processes of the tests, and the servers they start, compile each module once, even where nothing may be written
# beside the sources: otherwise each of them spends seconds on it.
COMPILED_ONCE := $(if $(PYTHONDONTWRITEBYTECODE),PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/var/bytecode)
# What makes a release, and an environment with what an installation has and nothing else.
RELEASE := var/release
RELEASE_TOOLS := $(RELEASE)/tools/bin/python
# A Python without the global interpreter lock. Of two packages it has no wheels: psycopg uses the system's libpq instead
# (Debian's libpq5), and autobahn is compiled.
FREE_THREADED := python3.14t
FREE_THREADS := var/free-threads
# Tests of the pages use packages of npm. npm writes this file when it has installed them.
NPM_PACKAGES := tests/tools/node_modules/.package-lock.json
# Python compiles a module when it is first used. Compiling all of them here takes half of the time and 90 MB.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(PYTHONDONTWRITEBYTECODE),,--no-compile)

.DEFAULT_GOAL := help
.PHONY: help run setup test test-sqlite test-servers check types style format bench bench-beacon bench-beside free-threads bench-integrity bench-guarantee integrity-day desk-day judge rates storm fuzz fuzz-rest audit rush cup crowd walk shots paper mutants texts client-types vectors up images roll release dist puzzles verdicts release-check sign image

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/runtime.stamp ## install what is missing, migrate, serve (PORT=8000 HOST=127.0.0.1)
	@exec $(MANAGE) serve --host $(HOST) --port $(PORT)

setup: $(VENV)/tools.stamp $(NPM_PACKAGES) ## make .venv with the server and every development tool

test: $(VENV)/tools.stamp $(NPM_PACKAGES) ## the whole suite: on SQLite, and beside it on PostgreSQL and Redis
	@$(MAKE) --no-print-directory --jobs 2 test-sqlite test-servers

test-sqlite: $(VENV)/tools.stamp $(NPM_PACKAGES)
	$(COMPILED_ONCE) $(PYTEST) $(IN_PARALLEL) -m "not servers"

test-servers: $(VENV)/tools.stamp $(NPM_PACKAGES)
	@mkdir -p var
	@echo "On PostgreSQL and Redis beside it: printed at the end, until then in var/servers.log"
	@$(COMPILED_ONCE) $(BIN)/python -m tests.with_servers $(PYTEST) $(BESIDE) > var/servers.log 2>&1; \
		code=$$?; cat var/servers.log; exit $$code

check: $(VENV)/tools.stamp $(NPM_PACKAGES) ## everything CI does; mypy runs beside the tests, some of which wait
	$(MAKE) --no-print-directory style
	$(MAKE) --no-print-directory --jobs 3 types test-sqlite test-servers

types: $(VENV)/tools.stamp
	$(BIN)/mypy

style: $(VENV)/tools.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	PYTHONPATH=. $(BIN)/lint-imports

texts: $(VENV)/tools.stamp ## bring the catalogues of translations up to date, and compile them (needs gettext)
	$(BIN)/python -m tests.texts

format: $(VENV)/tools.stamp ## format the code and repair what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/tools.stamp ## measure and print a table
	$(BIN)/python -m tests.bench
	$(BIN)/python -m tests.with_servers --fsync $(BIN)/python -m tests.bench live player_day doors ending

bench-beside: $(VENV)/tools.stamp ## measure a player's day beside Colyseus, which npm installs (needs Node)
	$(BIN)/python -m tests.with_servers --fsync $(BIN)/python -m tests.bench.beside

free-threads: ## fail if a package needs the interpreter's lock, and measure without it (FREE_THREADED=python3.14t)
	@test -x $(FREE_THREADS)/bin/python || $(FREE_THREADED) -m venv $(FREE_THREADS)
	@sed -E '/^psycopg-binary|^-r /d; s/\[binary,pool\]/[pool]/' requirements*.txt > $(FREE_THREADS)/requirements.txt
	$(FREE_THREADS)/bin/python -m pip install --quiet --no-deps -r $(FREE_THREADS)/requirements.txt
	$(FREE_THREADS)/bin/python -m tests.free_threads
	$(FREE_THREADS)/bin/python -m tests.bench threads

bench-beacon: $(VENV)/tools.stamp ## simulate midnights of deals that depend on a beacon (NIGHTS=10000 SEED=20261120)
	$(BIN)/python -m tests.bench.midnights $(if $(NIGHTS),--nights $(NIGHTS)) $(if $(SEED),--seed $(SEED))

bench-integrity: $(VENV)/tools.stamp ## judge the detectors on simulated people and cheats (DEALS= ACCOUNTS= CHEATS= GAMES= SEED= JOBS=)
	@SEED=$(SEED) DEALS=$(DEALS) PLAYS=$(PLAYS) ACCOUNTS=$(ACCOUNTS) CHEATS=$(CHEATS) GAMES=$(GAMES) JOBS=$(JOBS) \
		$(BIN)/python -m tests.bench.integrity.bench

bench-guarantee: $(VENV)/tools.stamp ## simulate the lists of a million accounts, and make them (ACCOUNTS=1000000 RUNS=100 DEALS=12 SEED=)
	@ACCOUNTS=$(ACCOUNTS) RUNS=$(RUNS) DEALS=$(DEALS) SEED=$(SEED) JOBS=$(JOBS) \
		$(BIN)/python -m tests.bench.integrity.million
	@ACCOUNTS=$(ACCOUNTS) $(BIN)/python -m tests.with_servers $(BIN)/python -m tests.bench.integrity.closing

integrity-day: $(VENV)/tools.stamp ## plant a bot, a scout and a copyist among simulated players, and print the queue (PLAYERS=1000 DAYS=14)
	@PLAYERS=$(PLAYERS) DAYS=$(DAYS) SEED=$(SEED) $(BIN)/python -m tests.bench.integrity.day

desk-day: $(VENV)/tools.stamp ## decide a populated day at the desk of the reviewers by keyboard, with pictures in var/desk (PEOPLE=1000 DAYS=14)
	@PEOPLE=$(PEOPLE) DAYS=$(DAYS) $(BIN)/python -m tests.bench.desk_day

judge: $(VENV)/runtime.stamp ## judge the accounts of a corpus of records (CORPUS=folder JOBS=)
	@test -n "$(CORPUS)" || { echo "Say which folder: make judge CORPUS=folder (docs/judging.md)." >&2; exit 2; }
	@$(MANAGE) judge "$(CORPUS)" $(if $(JOBS),--jobs $(JOBS))

rates: $(VENV)/tools.stamp ## reproduce published win rates on 20,000 deals a row, known verdicts and plain searches (SOLVER_POSITIONS=200)
	SOLVER_POSITIONS=$(or $(SOLVER_POSITIONS),200) $(PYTEST) -n 2 \
		tests/games/solver/test_agrees_with_plain_search.py tests/games/solver/test_known_answers.py
	$(BIN)/python -m tests.bench.win_rates

storm: $(VENV)/tools.stamp ## play while servers die, networks are divided, clocks jump and disks are full (FAULTS=1000 SEED=... KIND=...)
	@FAULTS=$(FAULTS) SEED=$(SEED) KIND="$(KIND)" \
		$(BIN)/python -m tests.with_servers $(BIN)/python -m tests.chaos

fuzz: $(VENV)/tools.stamp ## send hostile frames to games (FRAMES=1000000 SEED=...), and try every property (EXAMPLES=500)
	@$(BIN)/python -m tests.fuzzing $(or $(FRAMES),1000000) $(SEED)
	PROPERTY_EXAMPLES=$(or $(EXAMPLES),500) $(PYTEST) -n 2 -m "hypothesis and not servers"

fuzz-rest: $(VENV)/tools.stamp ## send many requests made from the OpenAPI document, on either database (REST_EXAMPLES=200)
	REST_EXAMPLES=$(or $(REST_EXAMPLES),200) $(PYTEST) tests/games/doors/test_rest_fuzz.py -n 2
	REST_EXAMPLES=$(or $(REST_EXAMPLES),200) $(BIN)/python -m tests.with_servers $(PYTEST) tests/games/doors/test_rest_fuzz.py -n 2

audit: ## look the pinned packages up in the list of known vulnerabilities (needs the internet)
	@test -x var/audit/bin/pip-audit || { $(PYTHON) -m venv var/audit && var/audit/bin/pip install --quiet pip-audit==2.9.0; }
	@var/audit/bin/pip-audit --strict --no-deps --disable-pip -r requirements-dev.txt

rush: $(VENV)/tools.stamp ## many start, end and expire at once (RUSH_PLAYERS=10000 RUSH_SECONDS=60 RUSH_ENDS=2000 RUSH_ENDS_PER_SECOND=500)
	@RUSH_PLAYERS=$(RUSH_PLAYERS) RUSH_SECONDS=$(RUSH_SECONDS) RUSH_ENDS=$(RUSH_ENDS) \
		RUSH_ENDS_PER_SECOND=$(RUSH_ENDS_PER_SECOND) \
		$(BIN)/python -m tests.with_servers --fsync $(BIN)/python -m tests.bench.rush

cup: $(VENV)/tools.stamp ## play a cup in each round of which a process is killed (ENTRANTS=2000)
	@$(BIN)/python -m tests.with_servers --fsync $(BIN)/python -m tests.bench.cup $(if $(ENTRANTS),--entrants $(ENTRANTS))

crowd: $(VENV)/tools.stamp ## hold many sockets with open games, and kill one of two processes (PLAYERS=20000 MINUTES=60)
	@$(BIN)/python -m tests.with_servers --fsync $(BIN)/python -m tests.bench.crowd \
		$(if $(PLAYERS),--players $(PLAYERS)) $(if $(MINUTES),--minutes $(MINUTES))

walk: $(VENV)/tools.stamp $(NPM_PACKAGES) ## look at every page by day and by night, and at every table in all viewports
	$(COMPILED_ONCE) WALK=everything $(PYTEST) $(IN_PARALLEL) tests/browser/test_every_page.py tests/browser/test_german.py tests/browser/test_every_table.py tests/browser/test_desk.py

client-types: $(VENV)/tools.stamp $(NPM_PACKAGES) ## write the generated types of the clients
	$(MANAGE) client_types
	node tests/tools/node_modules/tsc/bin/tsc -p tests/tools/tsconfig.client.json

vectors: $(VENV)/tools.stamp ## write the test vectors of docs/vectors
	DJANGO_SETTINGS_MODULE=pyramid_server.settings $(BIN)/python -m tests.vectors

shots: $(VENV)/tools.stamp ## pictures of every page at three sizes, in var/shots, after some days of play (DAYS=4)
	@DAYS=$(DAYS) $(BIN)/python -m tests.browser.shots var/shots

paper: $(VENV)/tools.stamp ## print docs/paper.md as var/paper.pdf (needs Chromium)
	@$(BIN)/python -m tests.documents.print_paper var/paper.pdf

mutants: $(VENV)/tools.stamp ## list small faults that no test would notice (MUTANTS=games.play.session JOBS=2 EVERY=1)
	@MUTANTS_JOBS=$(JOBS) MUTANTS_EVERY=$(EVERY) $(BIN)/python -m tests.mutation $(MUTANTS)

up: ## build and start the containers of docker-compose.yml, and wait until all are healthy
	docker compose up --build --detach --wait

images: ## pin the images of docker-compose.yml and Dockerfile by the digests that their tags have now (needs the internet)
	@for image in $$(sed -En 's/^( *image:|FROM) ([a-z]+:[^@ ]+).*/\2/p' docker-compose.yml Dockerfile); do \
		digest=$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' $$image) && \
			echo "$$digest" | grep -Eqx 'sha256:[0-9a-f]{64}' || { echo "The digest of $$image cannot be had." >&2; exit 1; }; \
		sed -Ei "s#^( *image:|FROM) $$image(@sha256:[0-9a-f]+)?\$$#\1 $$image@$$digest#" docker-compose.yml Dockerfile; \
		echo "$$image is $$digest"; \
	done

roll: ## bring the containers to this version, one node after the other, while games go on
	docker compose build
	docker compose run --rm migrate
	for service in web-1 web-2 worker; do docker compose up --no-deps --force-recreate --detach --wait $$service || exit; done

release: $(RELEASE)/runtime.stamp ## commit a version, build it twice and try what was built (VERSION=1.2.0; docs/releasing.md)
	@$(RELEASE_TOOLS) -m tests.release prepare "$(VERSION)"
	@$(MAKE) --no-print-directory release-check
	@$(RELEASE_TOOLS) -m tests.release next

dist: $(RELEASE)/runtime.stamp ## build the packages, the chart and their hashes from the last commit into dist/
	@$(RELEASE_TOOLS) -m tests.release build dist $(RELEASE)/runtime

puzzles: $(VENV)/runtime.stamp ## find a million puzzles for a release, some hours of computing that can be interrupted (PUZZLES=1000000 JOBS=2)
	@mkdir -p var
	@$(MANAGE) find_puzzles --count $(or $(PUZZLES),1000000) --jobs $(or $(JOBS),2) --out var/pyramid-puzzles.txt
	@gzip --best --no-name --keep --force var/pyramid-puzzles.txt

verdicts: $(VENV)/runtime.stamp ## judge all deals of docs/family.md for a release, some hours of computing that can be interrupted (JOBS=2)
	@mkdir -p var
	@$(MANAGE) rates --jobs $(or $(JOBS),2) --out var/pyramid-verdicts.csv
	@$(BIN)/python -m tests.release verdicts var/pyramid-verdicts.csv var/pyramid-verdicts.txt.gz

release-check: dist $(VENV)/tools.stamp ## build again elsewhere, install what is in dist/ outside the clone, and play (HELM=helm)
	@HELM="$(HELM)" $(BIN)/python -m tests.with_servers $(PYTEST) -q -rs tests/release/artefacts.py

image: ## build the image of the Dockerfile (IMAGE=registry.example/pyramid-server:1.2.0 ENGINE=docker, podman or buildah)
	$(or $(ENGINE),docker) build --tag "$(or $(IMAGE),pyramid-server)" .

sign: ## sign the hashes in dist/ (KEY=~/.ssh/id_ed25519)
	@test -n "$(KEY)" || { echo "Say with which key: make sign KEY=~/.ssh/id_ed25519 (docs/releasing.md)." >&2; exit 2; }
	ssh-keygen -Y sign -n pyramid-release -f "$(KEY)" dist/SHA256SUMS

$(RELEASE)/tools.stamp: tests/release/requirements.lock
	@echo "Installing what builds a release into $(RELEASE)/tools ..." >&2
	@$(PYTHON) -m venv --clear $(RELEASE)/tools
	@$(RELEASE_TOOLS) -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(RELEASE)/runtime.stamp: requirements.lock $(RELEASE)/tools.stamp
	@echo "Installing what the server needs into $(RELEASE)/runtime ..." >&2
	@$(PYTHON) -m venv --clear --without-pip $(RELEASE)/runtime
	@$(RELEASE_TOOLS) -m pip --python $(RELEASE)/runtime/bin/python install --quiet --disable-pip-version-check \
		--no-compile --require-hashes -r $<
	@touch $@

$(VENV)/runtime.stamp: requirements.txt $(BIN)/python
	@echo "Installing the server's packages into $(VENV); the first time this takes a minute or two ..." >&2
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(VENV)/tools.stamp: requirements-dev.txt requirements.txt $(BIN)/python
	@echo "Installing the server and the development tools into $(VENV) ..."
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@ $(VENV)/runtime.stamp

# Without them a few tests are skipped, so this never fails.
$(NPM_PACKAGES): tests/tools/package-lock.json
	@echo "Installing the packages of npm that tests use into tests/tools/node_modules ..." >&2
	@npm ci --prefix tests/tools --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 >/dev/null 2>&1 && touch $@ || \
		echo "npm is missing or its registry does not answer: tests that need its packages are skipped until 'make setup' succeeds." >&2

# What is left of an environment that is broken or half made would fail the next `make` in the same place.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 to 3.14 is needed, and there is no $(PYTHON) on the PATH (try: make PYTHON=python3.13)."; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit((3, 11) > v or v > (3, 14))' || \
		{ echo "Python 3.11 to 3.14 is needed, but $(PYTHON) is $$($(PYTHON) -V 2>&1) (try: make PYTHON=python3.13)."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)."; exit 1; }
	@echo "Creating $(VENV) ..." >&2
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
