# What a developer runs. CI runs .ci/run before a change is accepted, and .ci/nightly before a release.

CORPUS ?= testdata/flake8-golden
FUZZTIME ?= 60s
# What attack tries.
TRIES ?= 100000
SEED ?= 1
# The real flake8 that parity compares with, and our options for it.
PEER ?= flake8-7.5.0-3.15
FOLLOW ?=
ORACLE ?= $(HOME)/.cache/flake8-oracle
PYTHONS ?= $(ORACLE)/3.10/bin/python3 $(ORACLE)/3.11/bin/python3 python3.12 python3.13 $(ORACLE)/3.14/bin/python3 $(ORACLE)/3.15/bin/python3
MODULE ?= $(shell go list -m)
# Packages that start goroutines, and those that such packages share values with. Others of source, parser and lint share
# no more than a sync.OnceValue.
RACE := ./evaluator ./evaluator/judge/internal/behaviour ./internal/guard ./evaluator/judge ./flake8 ./internal/... ./sandbox ./sandbox/internal/codecache ./sandbox/internal/reactor
# Of the command, the tests of its own goroutines: signals, standard input, progress. The others are programs that run the
# packages above, whose sandboxes would be compiled and run by a binary with the race detector for each of a hundred.
RACE_COMMAND := TestSignals|TestGenerate|TestServe
# Of these, some that are ready within a minute on two cores.
RACE_QUICK := ./evaluator ./internal/eval/ask ./flake8 ./internal/util/ordered ./internal/util/lru ./internal/util/atomicfile ./internal/serve/stream
# What is only to compile is compiled without the optimiser, in half the time.
UNOPTIMISED := -gcflags='all=-N -l'
PLATFORMS := darwin/arm64 linux/386 linux/amd64 linux/arm64 windows/amd64
VERSION ?=
PYTHON ?= python3
RESULT_PYTHONS ?= python3.11,python3.12,python3.13,python3.14
WHEEL_DIR ?= dist
# What wheels are built for: GOOS/GOARCH.
WHEELS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

.PHONY: help quick generate attack build test race race-quick vet fmt fuzz bench golden parity tables platforms rename version sandbox syscalls sdist wheel wheels python-test python-real python-heavy python-table release-check licenses playground site pgo results fix-suites upstream

help: ## these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

# The rooms between bytes and findings.
LINTER := ./source/... ./tokenizer ./ast ./rule ./parser/... ./pep8 ./checks/... ./lint ./flake8

quick: ## the linter's tests, without the slow ones: the loop of a change
	.ci/imports
	go vet $(LINTER)
	go test -short $(LINTER)

generate: ## everything that is made from something else in the repository by Go
	go generate ./...

build: ## the binary, static; VERSION=1.2.3 is what it says it is
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w -X $(MODULE)/internal/version.stamped=$(VERSION)' -o codelinter ./cmd/codelinter

# Lint takes 0.97 of the time of build's, on CPython's Lib, and compiling everything anew for the profile two minutes of a
# processor. So no default.pgo is kept: each build, test and vet of the command would pay that.
pgo: ## the binary as build makes it, optimised by a profile of linting the Python files of CORPUS
	mkdir -p dist
	CODELINTER_CORPUS=$(abspath $(CORPUS)) go test -run '^$$' -bench 'Lint/' -benchtime 5s -cpuprofile dist/lint.prof -o dist/lint.test ./lint
	CGO_ENABLED=0 go build -trimpath -pgo=dist/lint.prof -ldflags='-s -w -X $(MODULE)/internal/version.stamped=$(VERSION)' -o codelinter ./cmd/codelinter

test: ## all tests
	CGO_ENABLED=0 go test ./...

race: ## the tests of the packages that start goroutines, with the race detector; needs gcc
	CGO_ENABLED=1 go test -race -short -timeout 30m $(RACE)
	CGO_ENABLED=1 go test -race -short -timeout 30m -run '$(RACE_COMMAND)' ./cmd/codelinter

race-quick: ## the same of a few packages, in a minute
	CGO_ENABLED=1 go test -race -short $(RACE_QUICK)

platforms: ## builds for every system that is supported, and vets for Windows
	for target in $(PLATFORMS); do CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} go build $(UNOPTIMISED) -o /dev/null ./cmd/codelinter || exit 1; done
	GOOS=windows go vet $(UNOPTIMISED) ./...

rename: ## calls the module MODULE everywhere, such as example.org/codelinter
	.ci/rename $(MODULE)

vet: ## go vet, staticcheck and the direction of imports
	go vet ./...
	go tool staticcheck ./...
	.ci/imports

fmt: ## gofmt
	gofmt -w $$(git ls-files '*.go')

fuzz: ## every fuzz target, FUZZTIME each; it goes on after a crash, and fails at the end
	@crashed=; \
	for package in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "$$package $$target"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package || crashed="$$crashed $$package.$$target"; \
	  done; \
	done; \
	[ -z "$$crashed" ] || { echo "failed:$$crashed"; exit 1; }

bench: ## every benchmark, over the Python files of CORPUS
	CODELINTER_CORPUS=$(abspath $(CORPUS)) go test -run '^$$' -bench . -benchmem ./...

golden: ## what the real flake8 and CPython print, recorded anew; needs both, in ORACLE
	FLAKE8_ORACLE=$(ORACLE) testdata/flake8-golden/record
	FLAKE8_ORACLE=$(ORACLE) testdata/flake8-cli/record
	FLAKE8_ORACLE=$(ORACLE) testdata/versions/record
	$(ORACLE)/3.14/bin/python3 testdata/flake8-cli/record-templates
	$(ORACLE)/3.14/bin/python3 testdata/tokens/record
	$(ORACLE)/3.15/bin/python3 testdata/tokens/record
	$(ORACLE)/3.14/bin/python3 testdata/parser/goldens.py
	$(ORACLE)/3.15/bin/python3 testdata/parser/goldens.py
	$(ORACLE)/3.14/bin/python3 testdata/diagnose/record.py
	FLAKE8_ORACLE=$(ORACLE) internal/tasks/openset/record

upstream: ## what is newer than what is followed: asks the package index by pip, and python.org; the program's exit code is 1 for news, 3 where not all could be asked
	@mkdir -p dist && go build -o dist/upstream ./internal/tools/upstream/main.go && dist/upstream

attack: ## answers that pass the guarded verdict and are other programs, looked for in TRIES tries of SEED; needs CPython 3.12 or later
	@mkdir -p dist && go build -o dist/attack ./internal/tools/attack/main.go
	dist/attack -tries $(TRIES) -seed $(SEED) -python $(PYTHON) -o dist/attack.jsonl

parity: build ## compares with the real flake8 over the Python files of CORPUS; needs ORACLE. For another pair: PEER=flake8-3.14 FOLLOW='--flake8-version 7.3.0'
	.ci/parity $(ORACLE)/bin/$(PEER) $(CORPUS) $(FOLLOW)

fix-suites: build ## do the tests of packages of the package index end as before after fix? Takes an hour; PACKAGES names some
	CODELINTER=./codelinter .ci/fix-suites $(PACKAGES)

results: ## docs/results.md, its figures measured anew with the CPythons of RESULT_PYTHONS; RESULTS are more options
	go run ./internal/tools/results/main.go -measure all -pythons $(RESULT_PYTHONS) $(RESULTS)

tables: ## tables of characters, codecs, builtins and star imports, from CPython 3.15 and PYTHONS
	$(ORACLE)/3.15/bin/python3 internal/python/characters/generate.py >internal/python/characters/tables.go
	gofmt -w internal/python/characters/tables.go
	python3 internal/python/characters/additions.py $(PYTHONS) >internal/python/characters/additions.go
	gofmt -w internal/python/characters/additions.go
	$(ORACLE)/3.15/bin/python3 source/internal/codecs/generate.py $(PYTHONS)
	$(ORACLE)/3.15/bin/python3 internal/python/charnames/generate.py >internal/python/charnames/tables.go
	gofmt -w internal/python/charnames/tables.go
	python3 checks/pyflakes/generate_builtins.py $(PYTHONS) >checks/pyflakes/builtins_tables.go
	python3 fix/stars.py $(PYTHONS)

sandbox: ## CPython for the sandbox, from nothing, compared with what is committed; needs Debian bookworm on amd64
	sandbox/internal/cpython/build

wheel: ## the wheel for this machine, in dist/; VERSION as in build
	@echo "make wheel: compiles codelinter and packs it into dist/. The first time this takes some minutes, as all packages are compiled."
	VERSION=$(VERSION) $(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir dist ./python

sdist: ## the source distribution, in dist/, which builds where Go is; RELEASE_HOMEPAGE is the project's address
	VERSION=$(VERSION) $(PYTHON) -m build --sdist --outdir dist python

wheels: ## the wheels for all systems, in WHEEL_DIR
	@echo "make wheels: compiles codelinter for each of: $(WHEELS). The first time this takes some minutes for each."
	for target in $(WHEELS); do VERSION=$(VERSION) CODELINTER_BUILD_TARGET=$$target $(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir $(WHEEL_DIR) ./python || exit 1; done

syscalls: ## the system calls of the sandbox's children over the hostile programs; needs strace
	sandbox/testdata/syscalls

python-test: build ## the client and every adapter, called as its framework calls it; needs what python/requirements-dev.txt names
	cd python && $(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check . && $(PYTHON) -m mypy && $(PYTHON) -m pyright
	cd python && CODELINTER_BINARY=$(CURDIR)/codelinter $(PYTHON) -m pytest -q

PYTHON_REAL := inspect_ai lm_eval ray_files skyrl_episodes verifiers
PYTHON_HEAVY := trl_grpo verl_rewards openrlhf_rollouts slime_rollouts miles_rollouts areal_workflow nemo_gym_server

python-real: wheel ## runs of inspect_ai, lm_eval and verifiers against a model stub, and of SkyRL's environment, in environments of their own; downloads them
	python/tests/real/run $(PYTHON_REAL)

python-heavy: wheel ## the same of what needs torch or a cluster: GRPO by TRL, verl's reward managers, OpenRLHF's executor, rollouts of slime, miles and AReaL, NeMo Gym, 200,000 rows by Ray Data
	python/tests/real/run $(PYTHON_HEAVY) ray_data

python-table: wheel ## the table of docs/frameworks.md, dist/frameworks.md: each framework from nothing, its seconds to install and to the first reward, and its rewards
	python/tests/real/run --table dist/frameworks.md $(PYTHON_REAL) $(PYTHON_HEAVY)

version: ## makes this the checkout of release VERSION, such as 0.2.0
	.ci/version $(VERSION)

release-check: ## all of a release but publishing it, in dist/, and each way to install it; needs goreleaser, npm and Python; the image needs Docker, the bills of materials syft
	VERSION=$(or $(VERSION),$(shell .ci/version)) goreleaser release --snapshot --clean --skip=publish$$(docker info >/dev/null 2>&1 || echo ,docker)$$(command -v syft >/dev/null || echo ,sbom)
	packaging/complete dist
	packaging/check dist

licenses: ## THIRD_PARTY_LICENSES, of what the binary holds
	packaging/licenses

TYPES := cd internal/eval/report/app && npm ci --ignore-scripts --no-audit --no-fund && npx tsc -p . && npx tsc -p ../../../../playground/app

page: ## the pages' scripts and styles, out of their TypeScript and CSS; needs npm
	$(TYPES)
	go run ./internal/tools/bundle/main.go

page-check: ## are these what their sources give?
	$(TYPES)
	go run ./internal/tools/bundle/main.go check

playground: ## the linter as a page of its own, dist/playground.html, which a browser needs nothing else for
	playground/build dist/playground.html

site: ## the documentation as pages with search, dist/site, which any host of files serves; needs Python, and fetches Sphinx
	docs/site/build dist/site
