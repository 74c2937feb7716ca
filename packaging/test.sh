#!/usr/bin/env bash
# test.sh [CTEST OPTIONS]: sets up, builds everything, writes the test data and runs every test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packaging/build.sh release
build/env/bin/python tests/conformance/export_cases.py >&2
exec build/env/bin/ctest --test-dir build/release --output-on-failure "$@"
