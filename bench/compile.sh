#!/bin/sh
# Times the compiler, whole processes: each example from text to PTX, and beside
# it the start-up that every tool on MLIR pays, as mlir-opt does for an empty
# module. Prints medians in milliseconds and the ratio to that start-up.
#
#   bench/compile.sh DIRECTORY-WITH-CUTEC [RUNS]
set -eu
bin=$1
runs=${2-11}
mlir_opt=${CUTE_LLVM_PREFIX-/usr/lib/llvm-22}/bin/mlir-opt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo 'module {}' >"$scratch/empty.mlir"

# The median wall time of a command, in ms.
median() {
  i=0
  while [ $i -lt "$runs" ]; do
    before=$(date +%s%N)
    "$@" >/dev/null 2>&1
    after=$(date +%s%N)
    echo $(((after - before) / 10000))
    i=$((i + 1))
  done | sort -n | sed -n "$(((runs + 1) / 2))p" | sed 's/..$/.&/'
}

baseline=$(median "$mlir_opt" "$scratch/empty.mlir")
printf '%-36s %8.1f ms\n' "mlir-opt, empty module" "$baseline"
report() { # LABEL COMMAND...
  label=$1
  shift
  time=$(median "$@")
  printf '%-36s %8.1f ms   %sx mlir-opt\n' "$label" "$time" \
    "$(echo "$time $baseline" | awk '{printf "%.2f", $1 / $2}')"
}
report "cute-opt, empty module" "$bin/cute-opt" "$scratch/empty.mlir"
for example in "$(dirname "$0")"/../examples/*.mlir; do
  name=$(basename "$example" .mlir)
  report "cute-opt $name" "$bin/cute-opt" "$example"
  report "cutec $name to PTX" "$bin/cutec" "$example" -o "$scratch/$name.ptx"
done
