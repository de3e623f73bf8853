#!/bin/sh
# Counts the instructions that cutec takes from text to PTX for Hopper, in millions:
# of the kernels by hand, of the plain texts by cute-optimize, and their ratio. Needs
# valgrind.
#
#   bench/plain.sh DIRECTORY-WITH-CUTEC
set -eu
bin=$1
examples=$(dirname "$0")/../examples
command -v valgrind >/dev/null || {
  echo "no valgrind on the PATH" >&2
  exit 1
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The instructions of cutec, in millions.
count() { # KERNEL OPTIONS...
  kernel=$1
  shift
  valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
    "$bin/cutec" "$examples/$kernel.mlir" --arch=sm_90a --no-manifest \
    -o /dev/null "$@" >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
  }
  awk '/I *refs/ {gsub(",", "", $NF); printf "%.0f\n", $NF / 1e6}' "$log"
}

compare() { # LABEL BY-HAND PLAIN OPTIONS...
  label=$1 hand=$(count "$2") plain=$3
  shift 3
  plain=$(count "$plain" --passes=cute-optimize "$@")
  printf '%-24s %10s %10s %8s\n' "$label" "$hand" "$plain" \
    "$(echo "$plain $hand" | awk '{printf "%.2f", $1 / $2}')"
}

printf '%-24s %10s %10s %8s\n' kernel "by hand, M" "plain, M" ratio
compare "GEMM, 128x256" gemm_sm90 gemm_plain -D BN=256
compare "attention, d = 128" attention_sm90 attention_plain
