PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint venv

venv: .venv/.installed

.venv/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip 'setuptools>=77'
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $@

demo: venv
	$(BIN)/lexgym run --domain finance --agents reference,naive,shielded,random,idle --episodes 20 --seed 0 --out runs/demo

test: venv
	$(BIN)/python -m pytest -q -n 2

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p lexgym
	$(BIN)/mypy tests benchmarks
