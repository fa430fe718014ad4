# `make` alone lists the targets. Recipes call scripts/ for anything longer than three lines.

# Build tools, by version, in a folder that all clones of this user share.
export VINCULA_TOOLS ?= $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)/vincula/tools
CARGO_LEPTOS := 0.3.10
# The same version as in Cargo.toml.
WASM_BINDGEN := 0.2.129
export PATH := $(VINCULA_TOOLS)/cargo-leptos-$(CARGO_LEPTOS)/bin:$(VINCULA_TOOLS)/wasm-bindgen-$(WASM_BINDGEN)/bin:$(CURDIR)/islands-react/node_modules/.bin:$(PATH)
# For `make contract` and `make deploy-check`, from PyPI.
SCHEMATHESIS := 4.32.5
KUBERNETES_VALIDATE := 1.37.0
export CARGO_LEPTOS WASM_BINDGEN SCHEMATHESIS KUBERNETES_VALIDATE

.DEFAULT_GOAL := help
.PHONY: help run dev build dist test unit react-test e2e engines check lint types consent-text screenshots pictures bench lighthouse bench-server bench-polls soak memory-limit attack fuzz model contract standalone replicas deploy-check poll-cost doctor setup setup-dev setup-tests fresh same-pages scripts-test format clean

help: ## Explain the targets
	@echo "Vincula: bank accounts for accountants, linked over Open Finance"; echo
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## Set up, build and start on the embedded sandbox; prints links to open
	@target/run/vincula

dev: setup setup-dev ## Live reload of Rust, React and CSS on the embedded sandbox
	@scripts/dev.sh

build: setup ## Set up and build (debug) into target/run/
	@node scripts/build/assemble.mjs debug target/run

dist: setup ## Build dist/, a directory that runs anywhere
	@scripts/dist.sh

test: scripts-test unit react-test e2e engines ## Install what the tests need and run all of them
	@scripts/summary.sh scripts rust react browser engines

scripts-test: setup-tests ## Tests of the scripts that set a machine up
	@scripts/tests.sh scripts node --test --test-reporter=tap scripts/tests/

unit: setup ## Unit and router tests
	@scripts/tests.sh rust cargo test --locked --workspace --target host-tuple

react-test: setup ## Tests of the React islands
	@scripts/tests.sh react npm --prefix islands-react test

e2e: setup-tests dist ## Tests in Chromium against dist/
	@scripts/tests.sh browser npm --prefix end2end test

engines: setup-tests dist ## Tests in WebKit and Firefox against dist/
	@scripts/tests.sh engines npm --prefix end2end run engines

check: ## Exactly what CI runs: format, lints, docs, all tests, generated types, size budgets
	@$(MAKE) --no-print-directory lint scripts-test unit react-test
	@scripts/say.sh "checking that generated types are committed" scripts/unchanged.sh islands-react/src/generated
	@$(MAKE) --no-print-directory e2e engines
	@scripts/say.sh "checking size budgets" node scripts/budgets.mjs
	@scripts/summary.sh scripts rust react browser engines

lint: setup-tests ## Format, clippy, documentation, TypeScript types and lints
	@scripts/lint.sh

types: ## Write the TypeScript twins of crates/domain/src/wire.rs
	@cargo test --quiet --package vincula-domain --target host-tuple --lib export_bindings

consent-text: setup ## Write docs/consent/, the consent's texts by their SHA-256, after its words changed
	@node scripts/consent-text.mjs

screenshots: dist setup-tests ## Pictures of every screen into screenshots/, with axe and layout checks (not part of check)
	@npm --prefix end2end run screenshots

pictures: build ## Take README's pictures from the running product, into docs/pictures/ (not part of check)
	@scripts/setup.sh end2end chromium
	@node scripts/pictures.mjs

bench: dist setup-tests ## Compare with a static page and two SPAs on a slow phone, into docs/performance.md (root, Linux)
	@bench/run.sh
	@node bench/navigations.mjs

lighthouse: dist setup-tests ## Lighthouse for phones on every screen, into docs/performance.md (not part of check)
	@node bench/lighthouse.mjs

bench-server: dist ## Processor time of a page and a call beside nginx, into docs/performance.md (needs nginx and wrk)
	@node bench/server.mjs

bench-polls: dist ## 1,000 open accounts screens for five minutes: errors, memory, processor time (not part of check)
	@node bench/polls.mjs

soak: dist ## 500 clients poll for three minutes with a faulty upstream (not part of check)
	@node scripts/soak.mjs

memory-limit: dist ## Try to bring the release over the memory limit of deploy/ (not part of check; root for the limit)
	@node scripts/memory-limit.mjs

fuzz: ## Fuzz untrusted input, FUZZ_SECS=300 for each target (not part of check; nightly Rust and cargo-fuzz)
	@scripts/fuzz.sh $(or $(FUZZ_SECS),300)

attack: dist setup-tests ## Every attack and fault of which check tries a sample, with a table (not part of check; minutes)
	@node scripts/attack.mjs

model: ## Run SEQUENCES=20000 random sequences of tabs, links and late responses on the session (not part of check)
	@MODEL_SEQUENCES=$(or $(SEQUENCES),20000) cargo test --locked --target host-tuple --lib session_model

contract: dist ## Test the sandbox against docs/widget-api.openapi.yaml with schemathesis (not part of check)
	@scripts/setup.sh schemathesis
	@node scripts/contract.mjs

standalone: dist ## Complete a journey on dist/ in a read-only root without anything else (not part of check)
	@node scripts/standalone.mjs

replicas: dist ## Two replicas behind HAProxy, one of which ends in the middle of every step (not part of check; needs haproxy)
	@node scripts/replicas.mjs

poll-cost: dist ## Measure what one poll of the accounts costs, for docs/operations.md (not part of check)
	@node scripts/poll-cost.mjs

deploy-check: dist ## Check deploy/: systemd unit, Kubernetes, alerts (needs systemd and prometheus)
	@scripts/setup.sh kubernetes-validate
	@scripts/deploy-check.sh

format: setup ## Format everything
	@cargo fmt && npm --prefix islands-react run --silent format

fresh: ## Try README's two commands on a bare Debian root, with times (root, debootstrap; before a release)
	@scripts/fresh.sh run test

same-pages: build setup-tests setup-dev ## Check that make dev and make run give the same pages (not part of check)
	@node scripts/same-pages.mjs

doctor: ## Print what this machine lacks, with the commands that install it
	@scripts/doctor.sh

setup: ## Install what a build needs (other targets run it)
	@scripts/setup.sh rust node wasm-bindgen islands-react

setup-dev: setup
	@scripts/setup.sh cargo-leptos

setup-tests: setup ## Install what the browser tests need (other targets run it)
	@scripts/setup.sh end2end chromium engines

clean: ## Remove all build output
	@cargo clean && rm -rf dist fuzz/target islands-react/node_modules end2end/node_modules
