#!/bin/sh
# Starts the program of this name. Where the system's C library is older than NEWEST_GLIBC, which the programs ask for, with the one that lies beside them.
name=$(basename "$0")
link=$(readlink -f "$0")
root=$(dirname "$(dirname "$link")")
case "$link" in */lib/cutaway/*) root=$(dirname "$root") ;; esac
version=$(getconf GNU_LIBC_VERSION 2> /dev/null | sed 's/^glibc 2\.//')
if [ "${version:-0}" -ge NEWEST_GLIBC ] 2> /dev/null && [ -z "${CUTAWAY_OWN_GLIBC:-}" ]; then
  exec "$root/program/$name" "$@"
fi
exec "$root/glibc/ld-linux-x86-64.so.2" --library-path "$root/glibc:$root/lib/portable" --argv0 "$0" "$root/program/$name" "$@"
