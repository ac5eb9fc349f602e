# Two commands matter: `make run` shows seven dataflows on sample data and two devices that share an account book, `make test`
# runs every test. Both install what is missing (Debian packages, through apt), build, and need nothing else than the Swift
# toolchain.

SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: help build run apps groups offload test tests check probes soak lint format plugins install deb fuzz bench packages test-packages bench-packages clean

PREFIX ?= $(HOME)/.local
SECONDS ?= 60
MINUTES ?= 10
ESCROW := .build/release/escrow
# Without that word a program would take libraries from the folder that it lies in, before the system's.
SWIFT_BUILD := swift build -c release --static-swift-stdlib --disable-local-rpath
# The tests have a build of their own: the package manager's way of a release, not optimised. With -O the build alone took 21.7 min in
# place of 9, more than the tests could win back.
TEST_FLAGS := $(file < scripts/test.flags)
TEST_BUILD := scripts/standard && swift build $(TEST_FLAGS) --build-tests
PLUGIN_OUT := .build/plugins
# Python packages that tests compare with live beside the build, not in the system.
WITH_PEERS := PATH="$(CURDIR)/.build/python/bin:$$PATH"

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

packages: ## install the Debian packages that the build needs
	@scripts/packages build

test-packages: ## install what the tests use besides: peers and oracles
	@scripts/packages test

build: packages ## build .build/release/escrow, and escrow-egress beside it
	$(SWIFT_BUILD) --product escrow
	$(SWIFT_BUILD) --product escrow-egress
	$(SWIFT_BUILD) --product escrow-service

plugins: build ## build, pack and sign the plugins into .build/plugins
	@scripts/plugins $(ESCROW) $(PLUGIN_OUT)

run: plugins ## show seven dataflows on the sample data, two devices of a group, and a run on a server; SERVER=no
	@scripts/demo $(ESCROW) $(PLUGIN_OUT)
	@$(MAKE) --no-print-directory groups
	@[ "$(SERVER)" = no ] || { printf '\nNow one on a server beside. This compiles gRPC, once; make run SERVER=no leaves it out.\n'; \
		$(MAKE) --no-print-directory offload; }

apps: plugins test-packages ## run the papers' ten apps, each against its server, and say what was sent
	@$(WITH_PEERS) sh -c 'folder=$$(mktemp -d) && trap "rm -rf $$folder" EXIT && python3 apps/day.py $(ESCROW) $(PLUGIN_OUT) $$folder'

groups: ## let two devices share an account book through three local servers, one of which lies
	@scripts/packages groups
	@for program in escrow escrow-group escrow-share-server; do \
		$(SWIFT_BUILD) --product $$program || exit 1; done
	@scripts/groups .build/release

offload: plugins ## build escrow-server, and escrow-remote beside escrow; show one dataflow on a server
	@scripts/packages offload
	@for program in escrow-remote escrow-server; do \
		$(SWIFT_BUILD) --product $$program || exit 1; done
	@scripts/offload .build/release $(PLUGIN_OUT)

# What tests start and compare with is fetched while they are compiled.
test: ## run every test
	@scripts/packages headers
	@scripts/packages peers & peers=$$!; $(TEST_BUILD); built=$$?; wait $$peers && exit $$built
	@scripts/plugins .build/tests/release/escrow $(PLUGIN_OUT)
	@$(WITH_PEERS) scripts/test .build/test.log

tests: ## build the tests, and all programs that they start
	@scripts/packages headers
	$(TEST_BUILD)

check: tests ## test what a change touches: its modules' suites, and how the modules hang together; BASE=HEAD
	@$(WITH_PEERS) scripts/check .build/check.log $(BASE)

probes: test-packages build ## commit every misdeed outside and inside the sandbox, as root and as nobody
	$(SWIFT_BUILD) --product probes
	.build/release/probes $$([ "$$(id -u)" != 0 ] || echo --as root --as nobody)

soak: plugins tests ## honest and hostile plugins, four at a time, for a long time, MINUTES=10
	ESCROW_RUNS=10000 swift test $(TEST_FLAGS) --skip-build --filter LifetimeTests
	scripts/soak $(ESCROW) $(PLUGIN_OUT) --minutes $(MINUTES)

lint: ## check the format of all Swift files, and how large modules and circles of files are
	git ls-files '*.swift' | xargs swift format lint --strict
	@scripts/sizes

format: ## format all Swift files in place
	git ls-files '*.swift' | xargs swift format -i

fuzz: packages ## fuzz every parser of untrusted bytes, SECONDS=60
	@scripts/packages groups
	@scripts/fuzz $(SECONDS)

bench-packages: packages ## install what the benchmarks measure beside: bwrap, deno, wasmtime, nginx
	@scripts/packages bench

bench: plugins bench-packages ## measure, side by side, what a run costs
	$(SWIFT_BUILD) --package-path Benchmarks
	$(SWIFT_BUILD) --product escrow-share-server
	@scripts/bench

install: plugins ## install escrow, the SDKs and the sample plugins under PREFIX (~/.local)
	@scripts/install $(ESCROW) $(PLUGIN_OUT) "$(PREFIX)"

deb: plugins ## make a Debian package of it in .build
	@scripts/packages deb
	@scripts/deb $(ESCROW) $(PLUGIN_OUT) .build

clean: ## remove everything that was built
	rm -rf .build .build-*
