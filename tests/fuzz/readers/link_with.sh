#!/bin/sh
# link_with.sh COMPILER OTHER ARGUMENTS: links with COMPILER what the build would link with OTHER, without the libraries
# that are compiled once more as a whole (instrumented.cmake). Protobuf twice in a program registers its messages twice.
compiler=$1
shift 2
for argument; do
  shift
  case $argument in
    */libonnx.a | */libonnx_proto.a | */libprotobuf.so* | */libprotobuf.a) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "$compiler" "$@"
