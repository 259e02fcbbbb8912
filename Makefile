# Two commands: `make run` and `make test`. Both set up .venv first, when it is not ready.
PYTHON ?= python3
BIN := .venv/bin
BUNDLER := build/bundle-venv/bin/python

.PHONY: run test tests thorough coverage check style types format bench bundle smoke distributions clean

run: ## Start BigMind with its window; print where it is. Without a desktop: the server alone.
	@$(PYTHON) packaging/environment.py run
	@exec $(BIN)/bigmind app

test: ## Every check, and the tests; with TURN=all those too whose turn it is not with this commit.
	@$(PYTHON) packaging/environment.py test
	@$(PYTHON) packaging/node_tools.py
	@$(MAKE) --no-print-directory style
	@$(MAKE) --no-print-directory -j 2 types tests

tests: # beside the types, which know only one core
	@$(BIN)/python -m pytest -n 2 --dist loadgroup --ignore=tests/bench --durations=20 --durations-min=1

thorough: ## The tests once more, with everything that is repeated as often as the issues ask, and the bundles; an hour.
	@$(PYTHON) packaging/environment.py test
	@$(PYTHON) packaging/node_tools.py
	@THOROUGH=1 $(BIN)/python -m pytest -n 2 --dist loadgroup
	@$(MAKE) --no-print-directory bundle
	@$(MAKE) --no-print-directory smoke

coverage: ## The tests once more, with what they reach; a third slower.
	@$(PYTHON) packaging/environment.py test
	@$(PYTHON) packaging/node_tools.py
	@TURN=all $(BIN)/python -m pytest --cov --cov-report=term -n 2 --dist loadgroup --ignore=tests/bench

check: style types ## Style, layers, types.

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types:
	$(BIN)/node tests/node/node_modules/pyright/index.js --pythonpath $(BIN)/python

format: ## Rewrite the code in the house style.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: ## Figures, as ratios to a baseline of the same run, by programs that are tested first.
	@$(PYTHON) packaging/environment.py test
	@$(BIN)/python -m pytest -q tests/bench
	$(BIN)/python -m tests.bench

bundle: ## What an engineer downloads for this system: bundles and packages, in dist/. Ten minutes.
	@$(PYTHON) packaging/environment.py bundle
	@$(BUNDLER) packaging/bundle/build.py
	@$(BUNDLER) packaging/linux/packages.py

smoke: ## Try the bundles and packages that `make bundle` made. As root, for a bare Debian to install them in.
	@$(PYTHON) packaging/environment.py smoke
	@$(BIN)/python packaging/smoke/smoke.py dist/window/bigmind
	@$(BIN)/python packaging/smoke/smoke.py dist/server/bigmind
	@earlier="$$(packaging/smoke/earlier.sh)" && $(BIN)/python packaging/smoke/packages.py $$earlier

distributions: ## What the package index takes, wheel and sdist, and a look at what is in them.
	@$(PYTHON) packaging/environment.py bundle
	@$(BUNDLER) packaging/distributions.py

clean: ## Remove the environment and what tests left.
	rm -rf build dist .venv tests/artefacts tests/node/node_modules .pytest_cache .ruff_cache .hypothesis .coverage*
