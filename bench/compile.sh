#!/bin/sh
# Times the compiler, whole processes: each example from text to PTX, and beside
# it the start-up that every tool on MLIR pays, as mlir-opt does for an empty
# module. Prints medians in milliseconds and the ratio to that start-up. Then, where
# there is a ptxas, kernels from text to PTX beside ptxas on that PTX, with the
# ratio of both, and from text to cubin, with ptxas.
#
#   bench/compile.sh DIRECTORY-WITH-CUTEC [RUNS]
set -eu
bin=$1
runs=${2-11}
mlir_opt=${CUTE_LLVM_PREFIX-/usr/lib/llvm-22}/bin/mlir-opt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo 'module {}' >"$scratch/empty.mlir"

# The wall time of a command, in ms.
elapsed() {
  before=$(date +%s%N)
  "$@" >/dev/null 2>&1
  after=$(date +%s%N)
  echo "$before $after" | awk '{printf "%.2f\n", ($2 - $1) / 1e6}'
}

# The median of several.
median() {
  i=0
  while [ $i -lt "$runs" ]; do
    elapsed "$@"
    i=$((i + 1))
  done | sort -n | sed -n "$(((runs + 1) / 2))p"
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

ptxas=$(PATH=$PATH:${CUDA_HOME-/usr/local/cuda}/bin command -v ptxas) || {
  echo "no ptxas on the PATH or in \$CUDA_HOME/bin: nothing to compare with"
  exit 0
}
# Runs take turns, so that what else the machine does falls on all of them.
beside_ptxas() { # NAME FILE ARCH
  rm -f "$scratch"/times.*
  i=0
  while [ $i -lt "$runs" ]; do
    elapsed "$bin/cutec" "$2" --arch="$3" -o "$scratch/k.ptx" >>"$scratch/times.1"
    elapsed "$ptxas" -arch="$3" "$scratch/k.ptx" -o "$scratch/k.cubin" \
      >>"$scratch/times.2"
    elapsed "$bin/cutec" "$2" --arch="$3" --emit=cubin -o "$scratch/k.cubin" \
      >>"$scratch/times.3"
    i=$((i + 1))
  done
  middle="$(((runs + 1) / 2))p"
  for i in 1 2 3; do
    sort -n "$scratch/times.$i" | sed -n "$middle"
  done | paste -s -d ' ' | awk -v name="$1 $3" '{
    printf "%-28s %8.1f ms PTX  %8.1f ms ptxas  %5.2fx ptxas  %8.1f ms cubin\n",
           name, $1, $2, $1 / $2, $3}'
}
root=$(dirname "$0")/..
for name in gemm_sm80 conv2d_plain; do
  beside_ptxas $name "$root/examples/$name.mlir" sm_80
done
template() { # LABEL ARCH TEMPLATE [PARAMETERS...]
  label=$1 arch=$2
  shift 2
  python3 "$root/kernels/kernel.py" "$@" -o "$scratch/$label.mlir" &&
    beside_ptxas "$label" "$scratch/$label.mlir" "$arch"
}
template attention_sm80 sm_80 attention_sm80
template softmax sm_80 softmax
template gemm_256x128 sm_90 gemm_sm80 bm=256 warps_m=4 arch=sm_90
