# openral from the command line. Everything here works in a fresh clone: set-up and build are
# done when they are needed and skipped when they are not.
#
#   PYTHON=python3.12   the Python to make the environment with (3.10 to 3.13)

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

STEP := tools/step
ENV := . tools/env.sh &&

# A build belongs to the ROS that it was made with: the sourced one, or the one in .venv.
ROS := $(if $(and $(ROS_DISTRO),$(AMENT_PREFIX_PATH),$(if $(OPENRAL_BARE_ROS),,sourced)),$(ROS_DISTRO),bare)
BUILT := install/.built-with-$(ROS)
# The kernel's own tests take as long to compile as all the rest, and a demo does not run them.
TESTS_BUILT := install/.tests-built-with-$(ROS)
# Without it colcon gives the builder a limit on the load average too, and one of two cores rests.
PARALLEL := MAKEFLAGS=-j$$(nproc) CMAKE_BUILD_PARALLEL_LEVEL=$$(( $$(nproc) + 1 ))
# By the Python that is active: the nodes run with colcon's, and a packaged one sees no virtual one.
COLCON := python3 "$$(command -v colcon)"
# What colcon_defaults.yaml says, since a command line's --cmake-args take its place.
CMAKE_ARGS := -DCMAKE_BUILD_TYPE=Release -DCMAKE_WARN_DEPRECATED=OFF
SOURCES := package.xml setup.py setup.cfg resource/openral colcon_defaults.yaml \
  $(wildcard */__init__.py) \
  $(shell find msg safety_kernel_cpp launch config -not -name '*.pyc' -not -name __pycache__ 2>/dev/null)

PYTHON_CODE := $(wildcard openral reasoner_node perception_node explorer_node skill_runner_node \
  sim_node bench tools/bare_ros tools/*.py safety_kernel_cpp/proof)
CPP_CODE := $(shell find safety_kernel_cpp -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
# A test module is one worker's; those that need the machine to themselves come last (test/conftest.py).
# One worker more than processors: most tests wait for something.
# nproc says 1 once OMP_NUM_THREADS is set.
SIDE_BY_SIDE := --pytest-args -n $$((processors + 1)) --dist loadscope --no-loadscope-reorder
BENCH ?= $(patsubst bench/%.py,%,$(wildcard bench/*.py))

# What `make proof` runs: how many of the core's mutants (0 = all), executions of each fuzz target.
MUTANTS ?= 0
CLOSED_LOOP ?= 200
PROCESS_RUNS ?= 60
REACTIONS ?= 1000
KERNEL_TESTS := test/safety_kernel_cpp
FUZZ ?= 100000000
FUZZ_TARGETS := $(notdir $(wildcard safety_kernel_cpp/fuzz/corpus/*))

.PHONY: help setup setup-tests build demo test proof check lint lint-style lint-format lint-types lint-cpp lint-tools bench lock clean

help: ## what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

setup: ## make this machine ready: ROS 2 wheels and Python packages in .venv (no ROS here), or a check of what is missing
	@tools/setup

# RapidCheck, and a clang with libFuzzer.
setup-tests:
	@tools/setup --tests

build: setup ## build all packages that changed
	@$(MAKE) -s $(BUILT)

$(BUILT): $(SOURCES)
	@find install -maxdepth 1 -name '.built-with-*' -not -name '$(@F)' 2>/dev/null | grep -q . \
	  && rm -rf build install || true
	@$(ENV) $(STEP) "build (first time: one to three minutes)" env $(PARALLEL) $(COLCON) build --event-handlers console_start_end- \
	  $(if $(wildcard $(TESTS_BUILT)),,--cmake-args $(CMAKE_ARGS) -DBUILD_TESTING=OFF)
	@touch $@

$(TESTS_BUILT): $(SOURCES)
	@find install -maxdepth 1 -name '.built-with-*' -not -name '$(notdir $(BUILT))' 2>/dev/null | grep -q . \
	  && rm -rf build install || true
	@$(ENV) $(STEP) "build with tests (first time: three to six minutes)" env $(PARALLEL) $(COLCON) build \
	  --event-handlers console_start_end- --cmake-args $(CMAKE_ARGS) -DBUILD_TESTING=ON
	@touch $(BUILT) $@

demo: build ## one mission in the simulator; PROMPT="put the milk into the basket" SEED=7 MODEL=rules
	@$(ENV) exec openral demo $${PROMPT+--prompt "$$PROMPT"} $${SEED:+--seed "$$SEED"} $${MODEL:+--model "$$MODEL"}

test: setup-tests ## everything that must pass: lint, types, build, unit and system tests
	@$(MAKE) -j2 lint $(TESTS_BUILT)
	@$(MAKE) check

check:
	@$(ENV) processors=$$(nproc) && \
	  export OMP_NUM_THREADS=1 GTEST_BRIEF=1 CTEST_PARALLEL_LEVEL=$${CTEST_PARALLEL_LEVEL:-$$processors} && \
	  if python3 -c "import xdist" 2>/dev/null; then side_by_side="$(SIDE_BY_SIDE)"; fi && \
	  $(STEP) "tests" python3 -I tools/contained.py $(COLCON) test $${side_by_side:-}

lint: lint-style lint-format lint-types lint-cpp ## format, style and types (with -k: all of them, whatever fails)

lint-style: lint-tools
	@$(ENV) $(STEP) "ruff check" ruff check --quiet .

lint-format: lint-tools
	@$(ENV) $(STEP) "ruff format" ruff format --quiet --check .

lint-types: lint-tools
	@$(ENV) $(STEP) "mypy" mypy --no-error-summary $(PYTHON_CODE)

lint-cpp: lint-tools
	@$(ENV) $(STEP) "clang-format" clang-format --dry-run --Werror $(CPP_CODE) </dev/null

lint-tools: setup
	@$(ENV) for tool in ruff mypy clang-format; do command -v $$tool >/dev/null \
	  || { echo "lint: needs $$tool: python3 -m pip install $$tool" >&2; exit 1; }; done

proof: setup-tests ## hours: the kernel's laws with 10^5 cases, 10^8 fuzz executions a target, mutants of its core
	@$(MAKE) -s $(TESTS_BUILT)
	@$(ENV) for name in build/openral_safety_kernel/test_laws_*; do [ ! -x "$$name" ] || \
	  OPENRAL_LAW_CASES=100000 $(STEP) "proof $$(basename "$$name")" "$$name" --gtest_brief=1; done
	@$(ENV) $(STEP) "proof mutants" python3 safety_kernel_cpp/proof/mutation.py --count $(MUTANTS)
	@$(ENV) export OMP_NUM_THREADS=1 OPENRAL_CLOSED_LOOP_RUNS=$(CLOSED_LOOP) \
	  OPENRAL_PROCESS_RUNS=$(PROCESS_RUNS) OPENRAL_REACTION_SAMPLES=$(REACTIONS); \
	  for name in false_stops process_runs reactions; do $(STEP) "proof $$name" \
	  python3 -I tools/contained.py python3 -m pytest -q $(KERNEL_TESTS)/test_$$name.py; done
	@$(MAKE) -k -j$$(nproc) $(FUZZ_TARGETS:%=proof-fuzz-%)

# It ends with the number of executions that were done.
proof-fuzz-%:
	@$(ENV) $(STEP) "proof fuzz_$*" build/openral_safety_kernel/fuzz/fuzz_$* -runs=$(FUZZ) -max_len=400 \
	  -artifact_prefix=build/openral_safety_kernel/ \
	  build/openral_safety_kernel/corpus/$* safety_kernel_cpp/fuzz/corpus/$*

bench: build ## the measurements in bench/, or one of them: BENCH=missions
	@$(ENV) for name in $(BENCH); do $(STEP) "bench $$name" python3 -I tools/contained.py python3 bench/$$name.py; done

lock: setup ## resolve tools/requirements.in into tools/requirements.lock anew
	@$(ENV) tools/lock

clean: ## remove what was built (keeps .venv)
	@rm -rf build install log
