#!/usr/bin/env bash
# release.sh [--check] [-o FOLDER]: all artefacts of the commit that is checked out, in FOLDER (build/packages): Debian packages, the wheel, the portable
# archive, the manual's site, what is inside of each (SPDX) and checksums of all. After packaging/setup.sh; needs what deb.sh and portable/ need.
#   --check   makes everything a second time and compares; installs, runs and removes what was made in systems of their own (as root, needs mmdebstrap)
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
say() { printf '[release] %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# make FOLDER: what comes from the build folder build/release.
make() {
  "$python" -B packaging/portable/make_wheel.py build/release -o "$1"
  "$python" -B packaging/portable/make_tarball.py build/release -o "$1"
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

packaging/build.sh release
mkdir -p "$out"
rm -f "$out"/*.deb "$out"/*.whl "$out"/*.tar.gz "$out"/*.spdx.json "$out"/SHA256SUMS
say "the wheel, the portable archive and the manual"
make "$out" > /dev/null
say "Debian packages"
packaging/deb.sh ${check:+--twice --check} -o "$out"

say "what is inside"
for artefact in "$out"/*.deb "$out"/*.whl "$out"/*.tar.gz; do
  inside=$(mktemp -d)
  contents "$artefact" "$inside"
  name=$(basename "$artefact")
  "$python" -B packaging/portable/bill_of_materials.py "$name" "$inside" -o "$out/$name.spdx.json"
  rm -rf "$inside"
done
(cd "$out" && sha256sum -- *.deb *.whl *.tar.gz *.spdx.json > SHA256SUMS)

if [ -n "$check" ]; then
  again=$(mktemp -d)
  make "$again" > /dev/null
  for artefact in "$again"/*; do
    cmp "$artefact" "$out/$(basename "$artefact")" || fail "two artefacts of one build differ"
  done
  rm -rf "$again"
  "$python" -B tests/python/check_wheel.py build/release
  packaging/portable/check_tarball.sh "$out"/cutaway-*-linux-*.tar.gz
  (cd "$out" && sha256sum --check --quiet SHA256SUMS)
  say "checked"
fi
(cd "$out" && du -b -- *.deb *.whl *.tar.gz)
