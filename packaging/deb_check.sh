#!/usr/bin/env bash
# deb_check.sh FOLDER: installs the packages of FOLDER in a bare Debian of their own, which has no GPU, runs the command line and the window under Xvfb there, and removes them. As root; needs mmdebstrap.
# The Debian is made from this machine's own package sources. Its bare system is kept in build/debian.tar for the next time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=$(cd "${1:?deb_check.sh needs the folder with the packages}" && pwd)
release=${CUTAWAY_DEBIAN:-bookworm}
base=${CUTAWAY_DEBIAN_TAR:-build/debian.tar}
sources=(/etc/apt/sources.list.d/debian.sources)
[ -f "${sources[0]}" ] || sources=(/etc/apt/sources.list)

say() { printf '[deb check] %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

if [ ! -f "$base" ]; then
  say "making a bare Debian $release"
  mmdebstrap --quiet --variant=apt --mode=root "$release" "$base" "${sources[@]}"
fi
place=$(mktemp -d)
inside() { chroot "$place" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
leave() {
  umount "$place/proc" "$place/dev/shm" 2> /dev/null || true
  rm -rf --one-file-system "$place"
}
trap leave EXIT
tar -x -f "$base" -C "$place"
mount -t proc proc "$place/proc"
mkdir -p "$place/dev/shm"
mount -t tmpfs tmpfs "$place/dev/shm"
cp /etc/resolv.conf /etc/hosts "$place/etc/" 2> /dev/null || true
mkdir "$place/packages"
cp "$packages"/*.deb "$place/packages/"
inside apt-get update -qq

# What is there besides: afterwards the same again must be.
files() { (cd "$place" && find usr etc -xdev \( -type f -o -type l \) | grep -v -e '\.cache$' -e '^usr/share/icons/hicolor/index' | sort); }

say "tools of the check itself: Xvfb"
inside apt-get install -y -qq --no-install-recommends xvfb xdotool > /dev/null
before=$(files)

say "the command line alone"
inside bash -c 'apt-get install -y -qq --no-install-recommends ./packages/cutaway-cli_*.deb' > /dev/null
inside cutaway-cli --version
inside cutaway-cli check /usr/share/cutaway/samples > /dev/null || fail "check of the samples failed"
inside cutaway-cli inspect /usr/share/cutaway/samples/digits_mlp/model.onnx > /dev/null || fail "inspect failed"

say "all packages"
began=$(date +%s%N)
inside bash -c 'apt-get install -y -qq --no-install-recommends ./packages/cutaway*.deb' > "$place/install.log" 2>&1 || { cat "$place/install.log" >&2; fail "the packages could not be installed"; }
installed=$(date +%s%N)
inside mkdir /check
inside bash -c '
  cd /check
  Xvfb :7 -screen 0 1280x800x24 -fbdir . > /dev/null 2>&1 & server=$!
  sleep 1
  export DISPLAY=:7
  began=$(date +%s%N)
  cutaway /usr/share/cutaway/samples/digits_cnn/model.onnx > window.log 2>&1 & window=$!
  for i in $(seq 600); do xdotool search --onlyvisible --pid $window > /dev/null 2>&1 && break; sleep 0.1; done
  xdotool search --onlyvisible --pid $window > /dev/null || { echo "no window came:"; cat window.log; exit 1; }
  echo $((($(date +%s%N) - began) / 1000000)) > window.ms
  sleep 5
  kill -0 $window || { echo "the window ended:"; cat window.log; exit 1; }
  cp Xvfb_screen0 window.xwd
  kill $window $server' || fail "the window did not open"
installing=$(((installed - began) / 1000000)) opening=$(cat "$place/check/window.ms")
say "from apt-get install, with what the packages need fetched, to the first window: $((installing + opening)) ms, of which the window took $opening"
[ -z "${CUTAWAY_DEB_PICTURE:-}" ] || cp "$place/check/window.xwd" "$CUTAWAY_DEB_PICTURE"
inside test -s /usr/share/cutaway/manual.html || fail "the manual is not there"
inside test -s /usr/share/man/man1/cutaway-cli-run.1.gz || fail "manual pages are not there"
if ls "$packages"/cutaway-openvino_*.deb > /dev/null 2>&1; then
  inside cutaway-cli run /usr/share/cutaway/samples/digits_mlp/model.onnx --random 1 --providers openvino,cpu > /dev/null || fail "OpenVINO does not run"
fi
# The module is there and its device is not: that is said, and the rest works.
if ls "$packages"/cutaway-cuda_*.deb > /dev/null 2>&1; then
  inside test -s /usr/lib/cutaway/libcutaway_cuda.so || fail "the CUDA module is not where programs look for it"
  said=$(inside cutaway-cli providers) || fail "providers fails beside the CUDA module"
  grep -q "^cuda cannot be used here: there is no NVIDIA driver" <<< "$said" || fail "providers does not say that there is no GPU: $said"
  inside cutaway-cli partition /usr/share/cutaway/samples/digits_cnn/model.onnx --providers cuda,cpu > /dev/null || fail "cuda does not plan without a GPU"
  inside cutaway-cli run /usr/share/cutaway/samples/digits_cnn/model.onnx --random 1 --providers cuda,cpu > "$place/check/cuda.log" 2>&1 || { cat "$place/check/cuda.log" >&2; fail "a list with cuda does not run without a GPU"; }
  grep "^cuda cannot run here: there is no NVIDIA driver" "$place/check/cuda.log" >&2 || fail "a run with cuda does not say that there is no GPU"
fi

say "removing them"
inside bash -c 'apt-get purge -y -qq $(dpkg-query -W -f "\${Package} " "cutaway*") && apt-get autoremove --purge -y -qq' > /dev/null 2>&1 || fail "the packages could not be removed"
left=$(comm -13 <(printf '%s\n' "$before") <(files))
[ -z "$(printf '%s' "$left" | grep -i cutaway || true)" ] || fail "left after removing: $left"
say "installed, run and removed"
