#!/bin/sh
# build.sh SOURCE PROGRAM: compiles the doorbell where there is a C compiler, and anew only if the source is newer.
# Static, so that it runs in whatever a container runtime calls it in; where the static C library is missing, not.
set -eu
command -v cc >/dev/null || { echo "no cc: the doorbell is not built, the client in Java takes its place" && exit 0; }
[ ! "$2" -nt "$1" ] || exit 0
flags='-std=c11 -O2 -Wall -Wextra -Werror'
mkdir -p "$(dirname "$2")"
cc $flags -static -o "$2.new" "$1" || cc $flags -o "$2.new" "$1"
mv "$2.new" "$2"
