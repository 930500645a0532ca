#!/bin/sh
# Installs the build into a fresh folder, builds examples/ against that alone, and runs them.
# Usage: tests/install_test.sh BUILD CMAKE CXX
set -eu
build=$1 cmake=$2 cxx=$3
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix

"$cmake" --install "$build" --prefix "$prefix" >"$folder/log" || { cat "$folder/log"; exit 1; }
# Public headers alone, and each of them compiles by itself without any flag of this build.
test "$(ls "$prefix/include")" = thixo
(cd "$prefix/include" && find thixo -name '*.h' | sed 's/.*/#include <&>/' | sort) >"$folder/all.cpp"
"$cxx" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I"$prefix/include" "$folder/all.cpp"

"$cmake" -S "$source/examples" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx" >"$folder/log" 2>&1 &&
    "$cmake" --build "$folder/build" >>"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
if grep -rq --include=flags.make --include=build.ninja -e "-march" "$folder/build"; then
    echo "the processor of this build has reached other programs" >&2
    exit 1
fi

set -x
"$prefix/bin/thixo" --version
cd "$folder"
"$folder/build/run_scene" "$prefix/share/thixo/scenes/fluid/splash_2d.json" out 2 particles.spacing=0.05
test -s out/2.ply
"$prefix/bin/thixo" info out/checkpoint >/dev/null
"$folder/build/scene_in_code" | tail -n 1
"$folder/build/push_particles" | tail -n 1
if "$folder/build/run_scene" "$prefix/share/thixo/scenes/fluid/splash_2d.json" out 1 particles.spcing=1 2>message; then exit 1; fi
grep -q 'did you mean "spacing"' message
