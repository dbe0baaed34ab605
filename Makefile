# Start with `make play` and `make test`; both install what they need.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
# The first installed Python that is new enough.
PYTHON ?= $(shell for each in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$each -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$each && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
# Arguments for `make play`, such as ARGS="--port 8200".
ARGS ?=

.PHONY: help play run test slow same check lint types lock bench leaks golden clean

help:  ## List the targets.
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 10

play: $(VENV)/.run  ## Play in a browser, without a Discord account.
	@echo "Starting Kontor…"
	@$(BIN)/python -m bot play $(ARGS)

run: $(VENV)/.run  ## Run the bot on Discord, with the settings of .env.
	$(BIN)/python -m bot

TESTED := $(BIN)/python -m pytest -n auto --dist worksteal --durations 10

test: $(VENV)/.dev  ## Run all tests except the slow ones.
	$(TESTED) --longest 15

slow: $(VENV)/.dev  ## Run all tests, including the slow ones.
	$(TESTED) -m ''

same: $(VENV)/.dev  ## Compare the output of recorded games with tests/same.json.
	$(BIN)/python -m tests.same

lint: $(VENV)/.dev  ## Check style.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev  ## Check types.
	$(BIN)/mypy

check: lint types same slow  ## What CI runs.

# Locked for the platform of the image, not of this machine.
LOCKED := $(BIN)/uv pip compile --quiet --upgrade --generate-hashes --no-emit-index-url --no-annotate \
	--python-version 3.12 --python-platform x86_64-manylinux_2_28 --custom-compile-command "make lock"
BUILT_BY := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])

lock: $(VENV)/.dev  ## Update the versions and hashes that the Dockerfile installs.
	$(LOCKED) pyproject.toml --extra postgres --output-file requirements.lock
	$(BIN)/python -c '$(BUILT_BY)' | $(LOCKED) - --output-file requirements-build.lock

bench: $(VENV)/.dev  ## Measure speed; ARGS="--against TREE" compares with another checkout.
	$(BIN)/python -m tools.bench $(ARGS)

leaks: $(VENV)/.dev  ## Check that players' views don't depend on others' secrets.
	$(BIN)/python -m tests.leaks

RECORDED := tests/render tests/text/test_transcripts.py tests/policy/test_answers.py

golden: $(VENV)/.dev  ## Refresh the golden pictures, texts and answers; review every change.
	GOLDEN=refresh $(BIN)/python -m pytest -m '' $(RECORDED)
	GOLDEN=refresh $(BIN)/python -m tests.same

clean:  ## Remove what the targets created, except your games.
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name yours with make PYTHON=..."; exit 1; }
	@echo "Making a Python environment in $(VENV)…"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Kontor into $(VENV): about a minute…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing Kontor and its tools into $(VENV): about two minutes…"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.run
