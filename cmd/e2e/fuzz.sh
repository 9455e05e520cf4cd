#!/bin/sh
# Runs every fuzz target of the module for $FUZZTIME each, as many at a time as
# there are processors.
if [ $# -eq 2 ]; then # one of them: a directory and a target
	status=0
	out=$(go test -run '^$' -parallel 1 -fuzz "^$2\$" -fuzztime "${FUZZTIME:-30s}" "$1" 2>&1) || status=$?
	printf '== %s %s\n%s\n' "$1" "$2" "$out"
	exit $status
fi
for dir in $(grep -rl --include='*_test.go' 'func Fuzz' . | xargs -n1 dirname | sort -u); do
	for target in $(grep -rhoE 'func Fuzz[A-Za-z0-9]+' "$dir"/*_test.go | sed 's/func //' | sort -u); do
		echo "$dir $target"
	done
done | xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 2 sh "$0"
