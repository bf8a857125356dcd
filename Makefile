# One door for people, CI and hooks. Each target does its own set-up: Python 3.11+ is all it needs.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEVELOPED := $(VENV)/.developed
BENCHED := $(VENV)/.benched

.PHONY: demo test check bench format constraints clean
.DEFAULT_GOAL := demo

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Refdesk needs Python 3.11 or newer; none was found on the PATH."; exit 2; }
	@echo "Making the environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing …"
	@$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	@touch $@

$(DEVELOPED): $(INSTALLED)
	@$(BIN)/python -m pip install --quiet -c constraints.txt --group dev -e .
	@touch $@

$(BENCHED): $(DEVELOPED)
	@$(BIN)/python -m pip install --quiet -c constraints.txt --group bench
	@touch $@

demo: $(INSTALLED) ## Ask the bundled handbook: ASK="…" asks once, NOW=2026-11-30 sets the day
	@$(BIN)/refdesk demo $(if $(ASK),--ask "$(ASK)") $(if $(NOW),--now "$(NOW)")

test: $(DEVELOPED) ## The test suite
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile $(ARGS)

check: $(DEVELOPED) ## Format, lint, types, import contracts, tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile $(ARGS)

bench: $(BENCHED) ## Numbers; ONLY=name for one of them
	@$(BIN)/python -m tests.benchmarks $(if $(ONLY),--only "$(ONLY)") $(if $(OPTIONS),$(OPTIONS))

format: $(DEVELOPED) ## Format and fix what can be fixed
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

constraints: $(BIN)/python ## Pin the versions anew
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
		--no-emit-find-links --all-extras --group dev --group bench pyproject.toml -o constraints.txt

clean:
	@rm -rf $(VENV) build dist
