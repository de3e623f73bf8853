#!/bin/sh
# One table of speeds on the GPU of this machine: relative error against float64 on
# the host, time, rate, and the ratio to cuBLAS or to a device copy in the same run.
# Where DIRECTORY has triton_baseline.py, and Python torch and Triton, their rows follow,
# with the ratio of ours.
#
#   sh speed.sh DIRECTORY [PATTERN] [SECONDS]
#
# DIRECTORY is what `./dev bench gpu` or `./dev bench variants` fills; PATTERN selects
# rows. After some SECONDS no more rows begin. LIMIT is how many seconds a row may take
# (60). The table is also in DIRECTORY/table.txt.
set -uf
directory=$1
pattern=${2-}
budget=${3-}
run=$directory/cute-run
limit=${LIMIT-60}
failures=0
tab=$(printf '\t')

"$run" --has-device || { echo "no CUDA device on this machine" >&2; exit 1; }

# Cubins are for one architecture, PTX also for later ones.
kind=
[ "$("$run" --device-arch)" != "$(cat "$directory/arch")" ] || kind=.cubin

# Where the system has no cuBLAS, torch may bring one.
if [ ! "${CUTE_CUBLAS-}" ] && [ ! -e /usr/local/cuda/lib64/libcublas.so ] &&
  ! ldconfig -p 2>/dev/null | grep -q libcublas.so; then
  folder=$(python3 -c 'import glob, os, sys
for place in sys.path:
    for file in glob.glob(place + "/nvidia/*/lib/libcublas.so.*"):
        print(os.path.dirname(file))' 2>/dev/null | head -n 1)
  folders=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder
  [ ! "$folder" ] || export LD_LIBRARY_PATH="$folders"
fi

fail() { # LABEL: REASON
  echo "FAILED: $1"
  failures=$((failures + 1))
}

# row LABEL KERNEL OPTIONS... -- ARGUMENTS...
row() {
  label=$1 kernel=$2
  shift 2
  if [ "$kernel" = ! ]; then
    fail "$label: $*"
    return
  fi
  manifest=$directory/$kernel$kind.json
  [ -e "$manifest" ] || manifest=$directory/$kernel.json
  count=$#
  while [ "$count" -gt 0 ]; do
    [ "$1" = -- ] || set -- "$@" "$1"
    shift
    count=$((count - 1))
  done
  timeout -k 5 "$limit" "$run" --row="$label" --bench "$manifest" "$@"
  case $? in
  0) ;;
  124 | 137) fail "$label: more than $limit s" ;;
  *) fail "$label" ;;
  esac
}

# Whether there is time for more.
goes_on() {
  [ ! "$budget" ] || [ $(($(date +%s) - start)) -lt "$budget" ] ||
    { echo "stopped after $budget s: $1" >&2; return 1; }
}

table() {
  "$run" --header
  start=$(date +%s)
  while read -r line; do
    case ${line%%"$tab"*} in *"$pattern"*) ;; *) continue ;; esac
    goes_on "${line%%"$tab"*} and what follows are left out" || break
    IFS=$tab
    # shellcheck disable=SC2086
    row $line </dev/null
    unset IFS
  done <"$directory/rows.txt"
  echo "~ of a sample; * not tuned; + tuned for a problem like it"
  if [ ! -e "$directory/triton_baseline.py" ]; then
    :
  elif ! python3 -c 'import torch, triton' 2>/dev/null; then
    echo "There is no torch with Triton here."
  elif goes_on "Triton and torch are left out"; then
    timeout -k 5 "${TORCH_LIMIT-240}" python3 "$directory/triton_baseline.py" \
      "$directory/table.txt" "$pattern" || fail "triton_baseline.py"
  fi
  [ "$failures" = 0 ] || { echo "$failures rows failed" >&2; return 1; }
}

rm -f "$directory/table.txt" "$directory/failed"
{ table || echo yes >"$directory/failed"; } | tee "$directory/table.txt"
[ ! -e "$directory/failed" ] || { rm "$directory/failed"; exit 1; }
