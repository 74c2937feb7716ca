#!/usr/bin/env bash
# test.sh [CTEST OPTIONS]: sets up, builds everything, writes the test data and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packaging/build.sh release
build/env/bin/python tests/conformance/export_cases.py >&2
# Two at a time: most of them use one core, and the largest take 3 GB.
exec build/env/bin/ctest --test-dir build/release --output-on-failure -j2 "$@"
