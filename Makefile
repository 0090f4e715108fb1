# Everything a player, an operator or a developer starts. `make` alone lists it.
# Written for GNU make 3.81 (macOS) and a plain POSIX shell.

VENV := .venv
BIN := $(VENV)/bin
PLAY := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
NPM := tests/node/node_modules/.installed
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help play serve demo demo-tournament test test-long check bench soak bench-bots fuzz docs golden format clean node-packages

help: ## this list
	@echo "Kop online. Arguments go into ARGS: make play ARGS=\"--lan\""
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

play: $(PLAY) ## start a server here and play at a table
	@$(BIN)/kop-server play $(ARGS)

serve: $(PLAY) ## run a server
	@$(BIN)/kop-server serve $(ARGS)

demo: $(PLAY) ## watch a match go by
	@$(BIN)/kop-server demo $(ARGS)

demo-tournament: $(PLAY) ## watch 22 bots play a tournament on two server processes; checked by a replay of all logs
	@$(BIN)/kop-server demo-tournament $(ARGS)

test: $(DEV) node-packages ## every test that must be green, but the long ones
	$(BIN)/python -m pytest -n auto -rs -m "not long" $(ARGS)

test-long: $(DEV) node-packages ## the tests that take minutes
	$(BIN)/python -m pytest -n auto -rs -m long $(ARGS)

check: $(DEV) ## format, lint, types, layers, module sizes, freshness of generated docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m checks.sizes
	$(BIN)/python -m protocol.document --check

bench: $(DEV) ## measure moves beside the plain floor, memory, two processes, starts, thinking, patiences; ARGS="--quick"
	@$(BIN)/python -m tests.bench $(ARGS)

soak: $(DEV) ## ten minutes of play with storms of reconnects; everything has to be as before at the end
	@$(BIN)/python -m tests.bench.soak $(ARGS)

bench-bots: $(DEV) ## measure how well the bots play; takes long
	@$(BIN)/python -m tests.bench.bots $(ARGS)

fuzz: $(DEV) ## look for bad input that does harm, guided by coverage, a minute for each target
	@$(BIN)/python -m tests.bench.fuzz $(ARGS)

docs: $(DEV) ## write the generated pages of docs/ anew
	$(BIN)/python -m protocol.document

golden: $(DEV) ## write the golden files anew; read the difference before you commit it
	$(BIN)/python -m pytest -m "not long" -k golden --update-golden $(ARGS)

format: $(DEV) ## format the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove what was installed and built; players' data stays
	rm -rf $(VENV) tests/node/node_modules build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that is new enough and can make a virtual environment.
$(BIN)/python:
	@new_enough=""; \
	for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11 python3; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	  new_enough="$$python"; \
	  "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || continue; \
	  "$$python" -m venv --clear $(VENV) && exit 0; \
	  echo "$$python -m venv failed; its message stands above." >&2; exit 1; \
	done; \
	if [ -n "$$new_enough" ]; then \
	  echo "$$new_enough has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2; \
	else \
	  echo "Python 3.11 or newer is needed and was not found. Install it, or name it: make PYTHON=/path/to/python3" >&2; \
	fi; \
	exit 1

$(PLAY): $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing into $(VENV); this happens once and takes about half a minute."
	@$(PIP_INSTALL) -e .
	@touch $@

$(DEV): $(BIN)/python pyproject.toml constraints.txt
	@echo "Installing into $(VENV), with the developers' tools; this happens once and takes about half a minute."
	@$(PIP_INSTALL) -e ".[dev]"
	@touch $(PLAY) $@

# The packages of the Node client test; without them pytest skips it, and says so.
node-packages:
	@if command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1; then \
	  $(MAKE) --no-print-directory $(NPM) || echo "The npm packages could not be installed: the Node client test cannot run."; \
	else \
	  echo "node and npm were not found: the Node client test cannot run."; \
	fi

$(NPM): tests/node/package.json
	@cd tests/node && npm install --no-package-lock --no-audit --no-fund --silent
	@touch $@
