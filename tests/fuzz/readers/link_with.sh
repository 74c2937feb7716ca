#!/bin/sh
# link_with.sh COMPILER OTHER ARGUMENTS: links with COMPILER what the build would link with OTHER.
compiler=$1
shift 2
exec "$compiler" "$@"
