#!/bin/sh
# precompile.sh [ccache] COMPILER ARGUMENTS: the compiler launcher of the targets cutaway_headers_*.
#
# Beside a precompiled header FILE.gch it writes FILE.gch.sum, the checksum of the text that went into it. No two runs of g++
# give the same bytes; with CCACHE_PCH_EXTSUM=1 ccache takes the checksum for the header, so sources that use it are
# found in the cache from every clone, and a quarter of a gigabyte need not be read for each.
set -e
out=
for argument in "$@"; do
  [ "$previous" != -o ] || out=$argument
  previous=$argument
done

# Prints what the header's text comes to, macros included, with the command line "$@" less its -o.
expand() {
  count=$#
  while [ "$count" -gt 0 ]; do
    if [ "$1" = -o ]; then
      shift 2
      count=$((count - 2))
    else
      set -- "$@" "$1"
      shift
      count=$((count - 1))
    fi
  done
  "$@" -E -P -dD -MF /dev/null
}

case "$out" in
  *.gch)
    rm -f "$out" "$out.sum"  # or g++ would read the old one
    expand "$@" > "$out.text"
    "$@"
    sha256sum < "$out.text" > "$out.sum"
    rm -f "$out.text"
    ;;
  *) exec "$@" ;;
esac
