# Two targets do it all: `make run` and `make test`. The others are their parts.

GO      ?= go
BIN     := bin/moorage
BUILD   := $(shell git describe --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.build=$(BUILD)
FUZZTIME ?= 30s

.PHONY: run build test persistence engines test-deps lint cross bench bench-libvterm fuzz soak clean

run: build
	@$(BIN)

build:
	@mkdir -p bin
	$(GO) build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/moorage

# Everything, with the race detector: first the packages, then, with the machine
# to itself, the end-to-end suite over real SSH.
test: test-deps
	$(GO) test -race -count=1 $$($(GO) list ./... | grep -v /e2e$$)
	$(GO) test -race -count=1 -timeout 25m -parallel 1 ./cmd/e2e

# What survives what: the table of the README, row by row, twice on one home; then
# every fault point of the host, and every way to cut the ring.
persistence: test-deps
	$(GO) test -race -count=1 -timeout 25m -v -run 'WhatSurvives|FiftyTabs|PowerCut|Shutdown' ./cmd/e2e
	MOORAGE_THOROUGH=1 $(GO) test -race -count=1 -timeout 25m ./ptyhost ./ptyhost/freeze

# The real Claude Code, Codex and Kimi Code, as npm has them, against model APIs of
# our own: that their badges, conversations and resumes are right. It downloads
# half a gigabyte into ENGINES, and runs them without a network.
ENGINES ?= bin/engines
engines:
	@sh cmd/e2e/engines.sh $(ENGINES)

# What the tests need beside Go. Root installs it; others are told.
test-deps:
	@sh cmd/e2e/deps.sh

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt would change:"; echo "$$out"; exit 1; fi
	@out=$$($(GO) tool gofumpt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofumpt would change:"; echo "$$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags engines ./cmd/e2e
	$(GO) tool staticcheck ./...
	$(GO) tool staticcheck -tags engines ./cmd/e2e

cross:
	GOOS=linux $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) build -o /dev/null ./cmd/moorage
	GOOS=windows $(GO) build -o /dev/null ./cmd/moorage

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# The emulator beside libvterm (Debian's libvterm-dev), in one run.
bench-libvterm:
	@mkdir -p bin
	$(CC) -O2 -o bin/libvterm ptyhost/vt/testdata/libvterm.c -lvterm
	MOORAGE_LIBVTERM=$(CURDIR)/bin/libvterm $(GO) test -run '^$$' -bench Libvterm -benchtime 1x ./ptyhost/vt

# Each fuzz target for FUZZTIME, one after the other.
fuzz:
	@FUZZTIME=$(FUZZTIME) sh cmd/e2e/fuzz.sh

# What `make test` does for a moment only, for as long as it takes: 10 GiB of
# random output through the emulator, and the end-to-end suite at its longest.
soak:
	MOORAGE_SOAK=1 $(GO) test -count=1 -timeout 6h -run 'MemoryBound' -v ./ptyhost/vt
	MOORAGE_SOAK=1 $(GO) test -count=1 -timeout 6h -parallel 1 ./cmd/e2e

clean:
	rm -rf bin
