#!/usr/bin/env bash
# Checks the page's scripts (crates/tailrank-report/assets/js) and bundles them into the report's assets.
#
#   scripts/check/page.sh           check, bundle and replace the committed file
#   scripts/check/page.sh --check   check, bundle and compare: exit 1 if the committed file is not what the source gives
#
# Types by TypeScript, lint and format by Biome, the bundle by esbuild, all from npm; the folder PAGE_TOOLS keeps them from call to
# call. Building the program needs none of them.
set -euo pipefail
cd "$(dirname "$0")/../../crates/tailrank-report/assets"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=${PAGE_TOOLS:-$work/tools}
built=$work/built

mkdir -p "$tools"
(cd "$tools" && npm install --silent --no-audit --no-fund --ignore-scripts typescript@5.9.3 @biomejs/biome@2.6.7 esbuild@0.28.2)
PATH=$tools/node_modules/.bin:$PATH
(cd js && biome ci --colors=off --error-on-warnings . && tsc --noEmit false --removeComments --outDir "$built")
(cd "$built" && esbuild main.js --bundle --format=iife --global-name=tailrank --target=es2023 --charset=utf8 --outfile=report.js --log-level=warning)

if [ "${1:-}" = --check ]; then
  if cmp -s "$built/report.js" report.js; then
    echo "report.js is what its modules give ($(stat -c %s report.js) bytes)"
  else
    echo "report.js is not what its modules give: run scripts/check/page.sh" >&2
    exit 1
  fi
else
  cp "$built/report.js" report.js
  echo "report.js: $(stat -c %s report.js) bytes"
fi
