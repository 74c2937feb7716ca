#!/usr/bin/env bash
# release.sh [--check] [-o FOLDER]: all artefacts of the commit that is checked out, in FOLDER (build/packages): Debian packages, the wheel, the portable
# archive, the manual's site, what is inside of each (SPDX) and checksums of all. After packaging/setup.sh; needs what deb.sh and portable/ need.
#   --check   makes everything a second time and compares; installs, runs and removes what was made in systems of their own (as root, needs mmdebstrap)
# Steps that are done are kept in FOLDER/.steps and not done again for the same commit: after a failure the same command goes on there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/packages check=''
while [ $# -gt 0 ]; do
  case "$1" in
    --check) check=1 ;;
    -o) out=${2:?-o needs a folder}; shift ;;
    *) echo "release.sh: no option '$1'; there are --check and -o FOLDER" >&2; exit 2 ;;
  esac
  shift
done

python=build/env/bin/python
commit=$(git rev-parse HEAD)
steps=$out/.steps
say() { printf '[release] %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# step NAME FUNCTION [ARGUMENTS]: does it, unless it is done. NAME says what it is.
step() {
  local name=$1 mark began=$SECONDS
  mark=$steps/${name// /-}
  shift
  if [ -e "$mark" ]; then say "$name: done before"; return 0; fi
  say "$name"
  "$@"
  say "$name: $((SECONDS - began)) s"
  touch "$mark"
}

# What comes from the build folder build/release, each into FOLDER.
make_wheel() { "$python" -B packaging/portable/make_wheel.py build/release -o "$1" > /dev/null; }
make_archive() { "$python" -B packaging/portable/make_tarball.py build/release -o "$1" > /dev/null; }
make_manual() {
  local site
  site=$(mktemp -d)
  "$python" -B resources/manual/make_site.py -o "$site/cutaway-manual" > /dev/null
  tar -C "$site" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@1767225600 --mode=u=rwX,go=rX -c cutaway-manual | gzip -n > "$1/cutaway-manual.tar.gz"
  rm -rf "$site"
}

# contents FILE FOLDER: unpacks any of the artefacts.
contents() {
  case "$1" in
    *.deb) dpkg-deb -x "$1" "$2" ;;
    *.whl) "$python" -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$1" "$2" ;;
    *.tar.gz) tar -xzf "$1" -C "$2" ;;
  esac
}

list_contents() {
  local artefact inside name
  for artefact in "$out"/*.deb "$out"/*.whl "$out"/*.tar.gz; do
    inside=$(mktemp -d)
    contents "$artefact" "$inside"
    name=$(basename "$artefact")
    "$python" -B packaging/portable/bill_of_materials.py "$name" "$inside" -o "$out/$name.spdx.json"
    rm -rf "$inside"
  done
}

make_checksums() { (cd "$out" && sha256sum -- *.deb *.whl *.tar.gz *.spdx.json > SHA256SUMS); }

# again MAKE: makes it a second time, and compares with what is there.
again() {
  local folder artefact
  folder=$(mktemp -d)
  "$1" "$folder"
  for artefact in "$folder"/*; do
    cmp "$artefact" "$out/$(basename "$artefact")" || fail "two artefacts of one build differ"
  done
  rm -rf "$folder"
}

if [ "$(cat "$steps/commit" 2> /dev/null)" != "$commit" ]; then
  mkdir -p "$out"
  rm -rf "$steps" "$out"/*.deb "$out"/*.whl "$out"/*.tar.gz "$out"/*.spdx.json "$out"/SHA256SUMS
  mkdir "$steps"
  printf '%s\n' "$commit" > "$steps/commit"
fi

# Compiling is shared through ccache: packages have the release build's flags.
step "programs" packaging/build.sh release
step "wheel" make_wheel "$out"
step "portable archive" make_archive "$out"
step "manual" make_manual "$out"
if [ -n "$check" ]; then
  step "wheel once more" again make_wheel
  step "portable archive once more" again make_archive
  step "manual once more" again make_manual
  step "wheel in a fresh environment" "$python" -B tests/python/check_wheel.py "$out"/cutaway-*.whl
  step "start of the window" packaging/measure_start.py
  step "start of the window from the disk" packaging/measure_start.py --cold
  step "portable archive in bare systems" packaging/portable/check_tarball.sh "$out"/cutaway-*-linux-*.tar.gz
fi
step "Debian packages" packaging/deb.sh -o "$out"
if [ -n "$check" ]; then
  step "Debian packages in a bare system" packaging/deb_check.sh "$out"
  step "Debian packages once more" packaging/deb.sh --twice -o "$out"
fi
step "what is inside" list_contents
step "checksums" make_checksums
if [ -n "$check" ]; then
  (cd "$out" && sha256sum --check --quiet SHA256SUMS)
  say "checked"
fi
(cd "$out" && du -b -- *.deb *.whl *.tar.gz)
