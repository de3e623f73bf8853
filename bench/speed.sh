#!/bin/sh
# One table of speeds on the GPU of this machine: relative error against float64 on
# the host, time, rate, and the ratio to cuBLAS or to a device copy in the same run.
# Kernels whose size the tuner has not seen are marked with *.
#
#   sh speed.sh DIRECTORY [PATTERN]
#
# DIRECTORY is what `./dev bench gpu` fills; PATTERN selects rows. Where Python has
# torch and Triton, their rows follow.
set -uf
directory=$1
pattern=${2-}
run=$directory/cute-run
failures=0
tab=$(printf '\t')

# row LABEL MANIFEST OPTIONS... -- ARGUMENTS...
row() {
  label=$1 manifest=$2
  shift 2
  count=$#
  while [ "$count" -gt 0 ]; do
    [ "$1" = -- ] || set -- "$@" "$1"
    shift
    count=$((count - 1))
  done
  "$run" --row="$label" --bench "$directory/$manifest" "$@" ||
    { echo "FAILED: $label"; failures=$((failures + 1)); }
}

"$run" --has-device || { echo "no CUDA device on this machine" >&2; exit 1; }
"$run" --header
while read -r line; do
  case ${line%%"$tab"*} in *"$pattern"*) ;; *) continue ;; esac
  IFS=$tab
  # shellcheck disable=SC2086
  row $line </dev/null
  unset IFS
done <"$directory/rows.txt"
if python3 -c 'import torch, triton' 2>/dev/null; then
  python3 "$directory/triton_baseline.py" "$pattern" || failures=$((failures + 1))
fi
[ "$failures" = 0 ] || { echo "$failures rows failed" >&2; exit 1; }
