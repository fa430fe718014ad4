# `make` alone lists the targets. Recipes call scripts/ for anything longer than three lines.

# Build tools, by version, in a folder that all clones of this user share.
export VINCULA_TOOLS ?= $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/vincula/tools
export CARGO_LEPTOS := 0.3.10
export CARGO_MACHETE := 0.9.2
# The same version as in Cargo.toml.
export WASM_BINDGEN := 0.2.129
# For the tests in Firefox.
export GECKODRIVER := 0.37.1
export PATH := $(VINCULA_TOOLS)/cargo-leptos-$(CARGO_LEPTOS)/bin:$(VINCULA_TOOLS)/cargo-machete-$(CARGO_MACHETE)/bin:$(VINCULA_TOOLS)/wasm-bindgen-$(WASM_BINDGEN)/bin:$(CURDIR)/islands-react/node_modules/.bin:$(PATH)

# Scripts expect Cargo's default folders, and React's tests its development build.
unexport CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR CARGO_BUILD_TARGET NODE_ENV

BUILD := rust node wasm-bindgen islands-react
TESTS := end2end example chromium engines

.DEFAULT_GOAL := help
.PHONY: help run dev test check e2e states build dist try bench types format lint clean

help:
	@echo "Vincula: bank accounts for accountants, linked over Open Finance"; echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Set up, build and start on the embedded sandbox; prints links to open
	@WIDGET_API_URL=sandbox target/run/vincula

dev: ## Live reload of Rust, React and CSS on the embedded sandbox
	@scripts/setup.sh $(BUILD) cargo-leptos
	@WIDGET_API_URL=sandbox cargo leptos watch

test: ## Install what the tests need and run all of them
	@scripts/setup.sh $(BUILD) cargo-leptos $(TESTS)
	@scripts/check.sh rust react example dist browser engines

check: ## Exactly what CI runs: format, lints, docs, all tests, generated types, size budgets
	@scripts/setup.sh $(BUILD) cargo-leptos $(TESTS) cargo-machete shellcheck
	@scripts/check.sh lint rust react example generated dist browser engines budgets watch

e2e: ## Build dist/ and test it in Chromium; BASE_URL=https://… tests a deployed product
	@scripts/setup.sh $(if $(BASE_URL),node,$(BUILD) cargo-leptos) end2end example chromium
	@scripts/check.sh $(if $(BASE_URL),,dist) browser

states: ## Build dist/ and check each state of the screens; leaves a report with pictures of all
	@scripts/setup.sh $(BUILD) cargo-leptos end2end chromium
	@scripts/check.sh dist
	@npm --prefix end2end run --silent states

build: ## Set up and build (debug) into target/run/
	@scripts/setup.sh $(BUILD)
	@scripts/build.sh

dist: ## Build dist/, a directory for Linux with glibc 2.34 or newer
	@scripts/setup.sh $(BUILD) cargo-leptos
	@scripts/dist.sh

try: ## Pluggy's own Connect with a test bank, on your PLUGGY_CLIENT_ID and PLUGGY_CLIENT_SECRET; prints a link
	@scripts/setup.sh node && node scripts/try.mjs check
	@[ -n "$(VINCULA_BIN)" ] || $(MAKE) --no-print-directory build
	@scripts/setup.sh example && node scripts/try.mjs

bench: dist ## Measure the time from the link to a usable consent on a slow phone
	@scripts/setup.sh end2end chromium && node bench/bench.mjs

types: ## Generate the TypeScript types of what crosses to React
	@cargo test --quiet --workspace --target host-tuple --lib export_bindings

format: ## Format everything
	@scripts/setup.sh node islands-react
	@cargo fmt && biome check --write

lint: ## Format, clippy, documentation, TypeScript types and lints
	@scripts/setup.sh $(BUILD) end2end example cargo-machete shellcheck
	@scripts/check.sh lint

clean: ## Remove all build output
	@cargo clean && rm -rf dist scripts/small-wasm-bindgen/target
	@rm -rf islands-react/node_modules end2end/node_modules examples/widget-api/node_modules
