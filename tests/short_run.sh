#!/bin/sh
# Every command of the program once, on a scene of seconds with four threads: something for the sanitizers to
# watch. Usage: tests/short_run.sh THIXO
set -eu
thixo=$1
scene=$(dirname "$0")/../scenes/fluid/splash.json
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

set -x
"$thixo" check "$scene" --set particles.spacing=0.06 --threads 4
"$thixo" run "$scene" --set particles.spacing=0.06 --set 'output.particles=["ply", "vtu", "bgeo"]' \
    --set output.checkpoint_every=1 --threads 4 --frames 2 --out "$folder/run"
"$thixo" run "$scene" --set particles.spacing=0.06 --threads 4 --frames 4 --out "$folder/run" --resume
for file in "$folder/run" "$folder"/run/particles/0002.*; do
    "$thixo" info "$file" >/dev/null
done
"$thixo" surface "$folder/run" --threads 4
for format in usd gltf obj vtp; do
    "$thixo" export "$folder/run" --to $format --frames 0:4:4 --out "$folder/$format"
done
"$thixo" foam "$folder/run" --threads 4 --speed 0.5
"$thixo" render "$folder/run" --width 160 --height 90 --samples 2 --threads 4
test -s "$folder/run/pictures/contact_sheet.png"
test "$(wc -l <"$folder/run/stats.csv")" -eq 6
