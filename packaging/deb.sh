#!/usr/bin/env bash
# deb.sh [--twice] [--check] [-o FOLDER]: Debian packages of the commit that is checked out, in FOLDER (build/packages). After packaging/setup.sh; needs debhelper and lintian.
#   --twice   builds them again in a folder of another name and at another time, and compares byte by byte (diffoscope says where they differ, where it is installed)
#   --check   installs, runs and removes them in a Debian of their own (packaging/deb_check.sh; as root, needs mmdebstrap)
# CUTAWAY_WITHOUT_CUDA=1 in the environment leaves the package cutaway-cuda out, as does a machine without the toolkit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/packages twice='' check=''
while [ $# -gt 0 ]; do
  case "$1" in
    --twice) twice=1 ;;
    --check) check=1 ;;
    -o) out=${2:?-o needs a folder}; shift ;;
    *) echo "deb.sh: no option '$1'; there are --twice, --check and -o FOLDER" >&2; exit 2 ;;
  esac
  shift
done

say() { printf '[deb] %s\n' "$*" >&2; }

for tool in dh lintian dpkg-buildpackage; do
  command -v "$tool" > /dev/null || { say "there is no $tool: apt-get install debhelper lintian dpkg-dev"; exit 1; }
done
if [ ! -x build/env/bin/cmake ] || [ ! -d build/deps/onnx ]; then say "run packaging/setup.sh first"; exit 1; fi

# The same places as packaging/cmake/CutawayCuda.cmake looks in.
if ! command -v nvcc > /dev/null && [ ! -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; then CUTAWAY_WITHOUT_CUDA=1; fi
[ -z "${CUTAWAY_WITHOUT_CUDA:-}" ] || { export CUTAWAY_WITHOUT_CUDA; say "without cutaway-cuda"; }

root=$PWD
commit=$(git rev-parse --short=12 HEAD)
linker=-Wl,-z,relro,-z,now

# build FOLDER: the commit's sources in FOLDER, and its packages beside it. What setup.sh made is taken from here. Packages that are there already are kept,
# and a build that was broken off goes on.
build() {
  local source=$1 wanted="$commit${CUTAWAY_WITHOUT_CUDA:+ without CUDA}"
  if [ "$(cat "$source.packed" 2> /dev/null)" = "$wanted" ]; then return 0; fi
  if [ "$(cat "$source.unpacked" 2> /dev/null)" != "$wanted" ]; then
    rm -rf "$source" "$source.packed" "$source.unpacked" "$(dirname "$source")"/*.deb
    mkdir -p "$source/build"
    git archive "$commit" | tar -x -C "$source"
    ln -s "$root/build/env" "$source/build/env"
    ln -s "$root/build/deps" "$source/build/deps"
    printf '%s\n' "$wanted" > "$source.unpacked"
  fi
  rm -rf "$source/debian"
  cp -r packaging/debian "$source/debian"
  (
    cd "$source"
    # The same as packaging/build.sh, so that ccache knows the sources.
    export PATH="$root/build/env/bin:$PATH" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 CCACHE_BASEDIR="$source"
    # debhelper gives the build a home of its own, where ccache would begin with nothing.
    CCACHE_DIR=$(ccache --get-config cache_dir)
    export CCACHE_DIR
    export CCACHE_SLOPPINESS=time_macros,include_file_mtime,include_file_ctime,pch_defines CCACHE_IGNOREOPTIONS="-Werror -Wno-error=*"
    export CUTAWAY_CMAKE_OPTIONS="-DCMAKE_BUILD_TYPE=Release -DCUTAWAY_BATCHES=ON -DCUTAWAY_BUILD_TESTS=OFF -DCUTAWAY_KNOWS_BUILD=OFF -DCUTAWAY_COMMIT=$commit -DCUTAWAY_INSTALL_OPENVINO=ON ${CUTAWAY_WITHOUT_CUDA:+-DCUTAWAY_CUDA=OFF} -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_EXE_LINKER_FLAGS=$linker -DCMAKE_MODULE_LINKER_FLAGS=$linker"
    export DEB_BUILD_OPTIONS=noautodbgsym
    dpkg-buildpackage -b -d -us -uc > ../build.log 2>&1 || { tail -n 40 ../build.log >&2; exit 1; }
  )
  printf '%s\n' "$wanted" > "$source.packed"
}

work=$root/build/deb-work
say "building packages of $commit"
build "$work/cutaway-source"
mkdir -p "$out"
rm -f "$out"/*.deb
cp "$work"/*.deb "$out/"

say "lintian"
lintian --fail-on error,warning --suppress-tags-from-file packaging/debian/explained.lintian "$out"/*.deb

if [ -n "$twice" ]; then
  say "building them again, elsewhere and later"
  first=$(cd "$out" && sha256sum -- *.deb)
  mkdir -p "$work/again"
  build "$work/again/a-folder-of-another-name"
  second=$(cd "$work/again" && sha256sum -- *.deb)
  if [ "$first" != "$second" ]; then
    say "the two builds differ:"
    diff <(printf '%s\n' "$first") <(printf '%s\n' "$second") >&2 || true
    if command -v diffoscope > /dev/null; then
      for package in "$out"/*.deb; do diffoscope --max-report-size 20000 "$package" "$work/again/$(basename "$package")" >&2 || true; done
    fi
    exit 1
  fi
  say "both builds are the same, byte by byte"
fi

(cd "$out" && du -b -- *.deb)
[ -z "$check" ] || packaging/deb_check.sh "$out"
