#!/bin/sh
# Installs the real engines, in the versions that testdata/engines pins, into
# the folder $1, which may be thrown away, and runs the tests of them; the other
# arguments are for `go test`. Nothing but the installation needs a network: the
# tests have one of their own, with the loopback only, where the system allows
# it.
set -e
cd "$(dirname "$0")/../.."
command -v npm >/dev/null 2>&1 || { echo "make engines: npm is missing (install Node.js, then run it again)" >&2; exit 1; }
mkdir -p "$1/bin"
dir=$(cd "$1" && pwd)
shift
if ! cmp -s cmd/e2e/testdata/engines/package.json "$dir/package.json"; then
	cp cmd/e2e/testdata/engines/package.json "$dir/wanted.json"
	rm -f "$dir/package.json" && cp "$dir/wanted.json" "$dir/package.json"
	# Install scripts are not run: what they would do is done below.
	npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --package-lock=false || { rm -f "$dir/package.json"; exit 1; }
fi
modules=$dir/node_modules
for native in "$modules"/@anthropic-ai/claude-code-*/claude "$modules"/node-*/bin/node; do
	[ -x "$native" ] && ln -sf "$native" "$dir/bin/$(basename "$native")"
done
for name in codex kimi; do ln -sf "$modules/.bin/$name" "$dir/bin/$name"; done
inside=""
for way in "unshare -n" "unshare -rn"; do
	$way ip link set lo up 2>/dev/null && inside=$way && break
done
if [ -z "$inside" ]; then
	echo "make engines: this system gives no network of their own to the engines" >&2
fi
export MOORAGE_ENGINES="$dir/bin"
# shellcheck disable=SC2086
exec $inside sh -c 'ip link set lo up 2>/dev/null; exec "$@"' sh \
	go test -tags engines -count=1 -timeout 25m -parallel 1 -run RealEngine "$@" ./cmd/e2e
