#!/usr/bin/env bash
# The one way to build, serve, test and measure pgknee. Needs Go and Node.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  cat <<'EOF'
usage: ./build.sh COMMAND

  build        compile the engine, bundle the page, compile bin/pgknee
  serve        build, then serve the page on this machine and open it
  edge         build, then build the edge worker in cmd/edge/out
  edge-serve   the same, then run it under workerd on http://127.0.0.1:8787
  test         build, then run every check and test
  bench        build, then measure size, speed, memory and calibration
  pictures     build, then make anew the pictures of the README, and those that the tests compare the page with
EOF
}

# packages installs the page's packages where the lock file is newer than what is there. None of them may run code of its own.
packages() {
  if [ ! site/node_modules/.package-lock.json -nt site/package-lock.json ]; then
    (cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  fi
}

build() {
  packages
  go run ./cmd/build
  go build -trimpath -o bin/pgknee ./cmd/pgknee
}

edge() {
  build
  go run ./cmd/build edge
}

# edge_serve runs the worker as its host does; workerd comes from npm.
edge_serve() {
  edge
  local workerd
  workerd=$(cd site && node -p "require('workerd').default")
  echo "the edge worker is at http://127.0.0.1:8787/ (Ctrl-C ends it)"
  cd cmd/edge/out && exec "$workerd" serve --experimental config.capnp
}

# needs installs the programs that the tests drive, where this machine's user may.
needs() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  command -v firefox-esr >/dev/null || command -v firefox >/dev/null || missing+=(firefox-esr)
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql postgresql-contrib)
  if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
    else
      echo "build.sh: the tests need: ${missing[*]}" >&2
      return 1
    fi
  fi
}

run_tests() {
  needs
  edge
  local unformatted
  unformatted=$(go tool gofumpt -l analysis cmd data site wasm)
  [ -z "$unformatted" ] || { echo "build.sh: not formatted with gofumpt:" "$unformatted" >&2; return 1; }
  go vet ./...
  GOOS=js GOARCH=wasm go vet ./wasm ./cmd/edge
  go tool staticcheck ./...
  (cd site && node_modules/.bin/tsc --noEmit -p .)
  go test ./...
  (cd site && node --test test/*.test.mjs)
}

# run_benchmarks measures what the promises say, on the page with the files named too; then everything that has a Go benchmark; then
# what verdicts and intervals are worth (minutes: the tables are simulations).
run_benchmarks() {
  build
  node site/bench/bench.mjs "$@"
  go test -run '^$' -bench . -benchtime 1s ./...
  go test -timeout 60m -v -run Calibration ./analysis/compare -calibrate 2000
  go test -timeout 90m -v -run Coverage ./analysis/model -coverage 2000
  go test -timeout 30m -v -run AdviceOnNothing ./analysis -nulls 500
}

case "${1-}" in
  build) build ;;
  edge) edge ;;
  edge-serve) edge_serve ;;
  serve) build && exec bin/pgknee serve -open ;;
  test) run_tests ;;
  bench) run_benchmarks "${@:2}" ;;
  pictures) build && node site/test/pictures.mjs && UPDATE=1 node --test site/test/look.test.mjs ;;
  *) usage; [ "${1-}" = "" ] || exit 2 ;;
esac
