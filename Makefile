# `make` alone lists the targets. Recipes call scripts/ for anything longer than three lines.

# Build tools, by version, in a folder that all clones of this user share.
export VINCULA_TOOLS ?= $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/vincula/tools
CARGO_LEPTOS := 0.3.10
# The same version as in Cargo.toml.
WASM_BINDGEN := 0.2.129
# For the tests in Firefox, from crates.io.
GECKODRIVER := 0.37.1
# For `make contract`, from PyPI.
SCHEMATHESIS := 4.32.5
export PATH := $(VINCULA_TOOLS)/cargo-leptos-$(CARGO_LEPTOS)/bin:$(VINCULA_TOOLS)/wasm-bindgen-$(WASM_BINDGEN)/bin:$(CURDIR)/islands-react/node_modules/.bin:$(PATH)
export CARGO_LEPTOS WASM_BINDGEN GECKODRIVER SCHEMATHESIS

.DEFAULT_GOAL := help
.PHONY: help run try dev build dist test unit react-test e2e engines check lint types format bench load replicas contract watch same-release fresh setup setup-dev setup-tests clean

help:
	@echo "Vincula: bank accounts for accountants, linked over Open Finance"; echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Set up, build and start on the embedded sandbox; prints links to open
	@WIDGET_API_URL=sandbox target/run/vincula

try: ## Pluggy's own Connect with a test bank, on your PLUGGY_CLIENT_ID and PLUGGY_CLIENT_SECRET; prints a link
	@scripts/setup.sh node && node scripts/try.mjs check
	@[ -n "$(VINCULA_BIN)" ] || $(MAKE) --no-print-directory build
	@scripts/setup.sh example && node scripts/try.mjs

dev: setup setup-dev ## Live reload of Rust, React and CSS on the embedded sandbox
	@WIDGET_API_URL=sandbox cargo leptos watch

build: setup ## Set up and build (debug) into target/run/
	@node scripts/build/quick.mjs debug target/run

dist: setup ## Build dist/, a directory that runs anywhere
	@scripts/dist.sh

test: setup-tests ## Install what the tests need and run all of them
	@scripts/check.sh rust react example dist browser engines

unit: setup ## Unit and router tests
	@scripts/check.sh rust

react-test: setup ## Tests of the React islands
	@scripts/check.sh react

e2e: $(if $(BASE_URL),,setup-tests) ## Build dist/, and test it in Chromium; BASE_URL=https://… tests a deployed product
	@$(if $(BASE_URL),scripts/setup.sh node end2end example chromium && scripts/check.sh browser,scripts/check.sh dist browser)

engines: setup-tests ## Build dist/, and test it in WebKit and Firefox
	@scripts/check.sh dist engines

check: setup-tests setup-dev ## Exactly what CI runs: format, lints, docs, all tests, generated types, size budgets
	@scripts/check.sh lint rust react example generated dist browser engines budgets watch

lint: setup-tests ## Format, clippy, documentation, TypeScript types and lints
	@scripts/check.sh lint

format: setup ## Format everything
	@cargo fmt && biome check --write

types: ## Generate the TypeScript types of crates/domain and of the actions
	@cargo test --quiet --workspace --target host-tuple --lib export_bindings

# Not part of check: the following targets take minutes, or need root or further programs.

bench: dist setup-tests ## Measure the time to a usable consent on a slow phone, against a static page and an SPA (Linux, root)
	@bench/run.sh

load: dist ## Load test with a faulty widget API: CLIENTS=500 MINUTES=3 FAULTS=0.1
	@node scripts/load.mjs

replicas: dist ## Test two replicas behind HAProxy, one of which stops during every step (needs haproxy)
	@node scripts/replicas.mjs

contract: dist ## Test sandbox and example against docs/widget-api.openapi.yaml with schemathesis (needs Python)
	@scripts/setup.sh example schemathesis
	@node scripts/contract.mjs

watch: setup-tests setup-dev ## Test `cargo leptos watch` and `end-to-end` in a clean clone, and time the first page and four edits
	@scripts/check.sh watch

same-release: setup setup-dev ## Check in a clean clone that `cargo leptos build --release` makes the same files as `make dist`
	@node scripts/same-release.mjs

fresh: ## Time `make run`, `make test` and `cargo leptos watch` on a bare Debian (root, debootstrap; before a release)
	@scripts/fresh.sh run test
	@scripts/fresh.sh watch

setup: ## Install what a build needs (other targets run it)
	@scripts/setup.sh rust node wasm-bindgen islands-react

setup-dev: setup
	@scripts/setup.sh cargo-leptos

setup-tests: setup
	@scripts/setup.sh end2end example chromium engines shellcheck

clean: ## Remove all build output
	@cargo clean && rm -rf dist scripts/small-wasm-bindgen/target
	@rm -rf islands-react/node_modules end2end/node_modules examples/widget-api/node_modules
