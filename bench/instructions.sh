#!/bin/sh
# Counts the instructions that cutec takes from text to PTX, and ptxas on that PTX, in
# millions: numbers that repeat whatever else a machine does, to a percent. Prints the
# PTX's lines, too, the registers, the bytes spilled and the instructions of the main
# loop. Needs valgrind and ptxas.
#
#   bench/instructions.sh DIRECTORY-WITH-CUTEC sm_XX KERNEL.mlir ...
#   PTXAS=-O2 bench/instructions.sh ...      with options for ptxas
set -eu
bin=$1 arch=$2
shift 2
ptxas=$(PATH=$PATH:${CUDA_HOME-/usr/local/cuda}/bin command -v ptxas) || {
  echo "no ptxas on the PATH or in \$CUDA_HOME/bin" >&2
  exit 1
}
command -v valgrind >/dev/null || {
  echo "no valgrind on the PATH" >&2
  exit 1
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The instructions of a command, in millions.
count() {
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
    "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    exit 1
  }
  awk '/I *refs/ {gsub(",", "", $NF); printf "%.0f\n", $NF / 1e6}' "$scratch/log"
}

printf '%-24s %8s %8s %8s\n' kernel "cutec, M" "ptxas, M" lines
for kernel; do
  name=$(basename "$kernel" .mlir)
  compile=$(count "$bin/cutec" "$kernel" --arch="$arch" --no-manifest \
    -o "$scratch/k.ptx")
  # shellcheck disable=SC2086
  assemble=$(count "$ptxas" -arch="$arch" ${PTXAS-} "$scratch/k.ptx" \
    -o "$scratch/k.cubin")
  printf '%-24s %8s %8s %8s\n' "$name" "$compile" "$assemble" \
    "$(wc -l <"$scratch/k.ptx")"
  "$bin/cutec" "$kernel" --arch="$arch" --no-manifest -o "$scratch/k.ptx" \
    ${PTXAS:+"--ptxas=$PTXAS"} --report 2>/dev/null |
    grep -E '^  (registers|spills|main loop)'
done
