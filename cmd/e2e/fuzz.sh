#!/bin/sh
# Runs every fuzz target of the module for $FUZZTIME each.
set -e
for dir in $(grep -rl --include='*_test.go' 'func Fuzz' . | xargs -n1 dirname | sort -u); do
	for target in $(grep -rhoE 'func Fuzz[A-Za-z0-9]+' "$dir"/*_test.go | sed 's/func //' | sort -u); do
		echo "== $dir $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" "$dir"
	done
done
