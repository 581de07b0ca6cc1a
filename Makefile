# Everlore. Two commands are all a new user needs: make up, make test.
PYTHON ?= python3
BIN := .venv/bin
SOURCES := memory_core api viewer workers agents benchmarks tests manage.py

.PHONY: up test test-fast lint format messages browser lock docs clean help

help:            ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/: *[^#]*## */\t/' | expand -t 16

up: .venv/.run   ## install what is missing and run everything on port 3111
	$(BIN)/everlore up

test: .venv/.dev browser lint test-fast ## install what is missing, lint, and run every test
	$(BIN)/python -m pytest -m slow

test-fast: .venv/.dev ## the tests that take less than two seconds each
	$(BIN)/python -m pytest -m "not slow"

lint: .venv/.dev ## style, types, and the import contract
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy memory_core api viewer workers agents benchmarks
	$(BIN)/lint-imports

format: .venv/.dev ## write the code as ruff has it
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

messages: .venv/.dev ## collect the texts to translate and compile the catalogues
	DJANGO_SETTINGS_MODULE=tests.settings $(BIN)/python -m tests.messages

browser:         ## Debian's chromium for the tests of the pages; elsewhere, and without root, they use the one there is
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  { apt-get install -y -q chromium fonts-noto-cjk >/dev/null 2>&1 || \
	    { apt-get update -q >/dev/null 2>&1 && apt-get install -y -q chromium fonts-noto-cjk >/dev/null 2>&1; }; } || \
	  echo "no chromium: the tests of the pages are skipped"; }

lock: .venv/.dev ## resolve the dependencies anew
	$(BIN)/python workers/install.py --lock

docs: .venv/.run ## write .env.example and docs/settings.md anew from the table of settings
	$(BIN)/python -c "from pathlib import Path; from memory_core.domain import configuration as c; \
	  Path('.env.example').write_text(c.example_file()); Path('docs/settings.md').write_text(c.settings_page())"

clean:           ## remove the environment and caches; data stays
	rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache

.venv/.run: pyproject.toml requirements/run.lock workers/install.py
	$(PYTHON) workers/install.py
	@touch $@

.venv/.dev: pyproject.toml requirements/dev.lock workers/install.py
	$(PYTHON) workers/install.py --dev
	@touch $@ .venv/.run
