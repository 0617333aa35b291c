# One command per target; scripts/bootstrap.py makes .venv and is quick when nothing changed.
BIN := .venv/bin

.PHONY: setup reproduce report bench docs test lint clean

setup:
	@python3 scripts/bootstrap.py

reproduce: setup
	@$(BIN)/mcbench reproduce

report: setup
	@$(BIN)/mcbench report

bench: setup
	@$(BIN)/mcbench bench

docs: setup
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

test: setup
	@$(BIN)/python -m pytest -n 2

lint: setup
	@$(BIN)/python scripts/lint.py

clean:
	rm -rf .venv build docs/_build docs/_generated *.egg-info solvers/core/*.c solvers/core/*.so
