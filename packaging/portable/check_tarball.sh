#!/usr/bin/env bash
# check_tarball.sh ARCHIVE [RELEASE...]: unpacks the portable archive in bare systems of other Debian releases, which have none of its libraries, and runs the
# command line and the window there; then here with its own C library, and how soon its window shows something. As root; needs mmdebstrap. RELEASE: bullseye (of
# 2021, whose C library is too old for the programs), bookworm and trixie where none is named.
set -euo pipefail

archive=$(readlink -f "${1:?check_tarball.sh needs the archive}")
shift
releases=("$@")
[ $# -gt 0 ] || releases=(bullseye bookworm trixie)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mirror=${CUTAWAY_DEBIAN_MIRROR:-}
name=$(basename "$archive" .tar.gz)

say() { printf '[portable check] %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# try RUNNER... : the programs of the unpacked archive by RUNNER, in the folder /opt of what it runs in.
try() {
  local cli=/opt/$name/bin/cutaway-cli sample=/opt/$name/share/cutaway/samples/digits_mlp/model.onnx began ended
  "$@" "$cli" --version > /dev/null || fail "cutaway-cli does not start"
  began=$(date +%s%N)
  "$@" "$cli" --version > /dev/null
  ended=$(date +%s%N)
  say "cutaway-cli --version, warm: $(((ended - began) / 1000000)) ms"
  "$@" "$cli" inspect "$sample" > /dev/null || fail "inspect fails"
  "$@" "$cli" run "$sample" --random 1 --providers onednn,cpu > /dev/null || fail "run fails"
  "$@" "$cli" check "/opt/$name/share/cutaway/samples" || fail "check of the samples fails"
  "$@" env QT_QPA_PLATFORM=offscreen "/opt/$name/bin/cutaway" --tour /tmp "$sample" > /dev/null 2>&1 || fail "the window fails"
}

for release in "${releases[@]}"; do
  place=$(mktemp -d)
  trap 'umount "$place/proc" 2> /dev/null || true; rm -rf --one-file-system "$place"' EXIT
  say "a bare Debian $release"
  # shellcheck disable=SC2086  # a mirror that is not named is no word
  mmdebstrap --quiet --variant=minbase --mode=root "$release" "$place" $mirror
  mount -t proc proc "$place/proc"
  tar -xzf "$archive" -C "$place/opt"
  try chroot "$place" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8
  umount "$place/proc"
  rm -rf --one-file-system "$place"
done
trap - EXIT

say "with its own C library"
mkdir -p /opt
[ ! -e "/opt/$name" ] || fail "/opt/$name is there already"
trap 'rm -rf "/opt/$name"' EXIT
tar -xzf "$archive" -C /opt
try env CUTAWAY_OWN_GLIBC=1
"$repository/packaging/measure_start.py" "/opt/$name/bin/cutaway" --runs 5 >&2
CUTAWAY_OWN_GLIBC=1 "$repository/packaging/measure_start.py" "/opt/$name/bin/cutaway" --runs 5 >&2
say "runs on ${releases[*]}, and with its own C library"
