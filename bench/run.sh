#!/bin/sh
# Runs the rows of a folder on the GPU of this machine and prints one table: relative
# error against float64 on the host, time, rate, and the ratio to a device copy in the
# same run. Where the folder has beside.txt and libraries.py, and Python
# torch, rows of libraries follow, with the ratio of ours.
#
#   sh run.sh DIRECTORY [PATTERN] [SECONDS]
#
# DIRECTORY is what ./dev gpu or ./dev bench fills: cute-run, kernels and rows.txt. It
# needs a CUDA driver, sh and awk; Python only for rows of libraries. PATTERN selects
# rows; after some SECONDS no more rows begin. LIMIT is how many seconds a row may take
# (60). CUTE_SEED repeats the random numbers of a run, which the last line names. The
# table is also in DIRECTORY/table.txt.
set -uf
pattern=${2-} budget=${3-} limit=${LIMIT-60}
cd "$1" || exit 1
run=./cute-run
seed=${CUTE_SEED-$(date +%s)}
passed=0 failures=0 absent=0
tab=$(printf '\t')

"$run" --has-device || { echo "no CUDA device on this machine" >&2; exit 1; }
device=$("$run" --device-arch) || exit 1

# Cubins are for one architecture, PTX also for later ones.
kind=
[ "$device" != "$(cat arch)" ] && [ "${device}a" != "$(cat arch)" ] || kind=.cubin

# Whether the device, whose architecture is the one with an a if there is such, runs
# code of an architecture: the lines "DEVICE runs ARCH" of archs.
device_runs() { # ARCH
  grep -qx -e "$device runs $1" -e "${device}a runs $1" archs
}

fail() { # LABEL: REASON
  echo "FAILED: $1"
  failures=$((failures + 1))
}

row() { # LABEL ARCH KERNEL ARGUMENTS...
  label=$1 arch=$2 kernel=$3
  shift 3
  if [ "$kernel" = ! ]; then
    fail "$label: $*"
    return
  fi
  if ! device_runs "$arch"; then
    printf '%-36s not on this device: %s\n' "$label" "$arch"
    absent=$((absent + 1))
    return
  fi
  manifest=$kernel$kind.json
  [ -e "$manifest" ] || manifest=$kernel.json
  timeout -k 5 "$limit" "$run" --row="$label" "$manifest" "$@"
  case $? in
  0) passed=$((passed + 1)) ;;
  124 | 137) fail "$label: more than $limit s" ;;
  *) fail "$label" ;;
  esac
}

# Whether there is time for more.
goes_on() {
  [ ! "$budget" ] || [ $(($(date +%s) - start)) -lt "$budget" ] ||
    { echo "stopped after $budget s: $1" >&2; return 1; }
}

# Says on a terminal how many rows have begun and, as far as can be seen, how long the
# others take; the next row is written over it.
progress() { # ROWS BEGUN, ROWS
  [ -t 2 ] && [ "$1" != 0 ] || return 0
  printf '\033[K%s of %s rows, %s s left\r' "$1" "$2" \
    $((($(date +%s) - start) * ($2 - $1) / $1)) >&2
}

libraries() {
  if [ ! -s beside.txt ] || [ ! -e libraries.py ]; then
    :
  elif ! python3 -c 'import torch' 2>/dev/null; then
    echo "There is no torch here."
  elif goes_on "libraries are left out"; then
    timeout -k 5 "${TORCH_LIMIT-240}" python3 libraries.py . "$pattern" ||
      fail "libraries.py"
  fi
}

table() {
  "$run" --header
  start=$(date +%s) begun=0
  rows=$(cut -f 1 rows.of.this.run | grep -cF -e "$pattern")
  while read -r line; do
    case ${line%%"$tab"*} in *"$pattern"*) ;; *) continue ;; esac
    goes_on "${line%%"$tab"*} and what follows are left out" || break
    IFS=$tab
    # shellcheck disable=SC2086
    row $line </dev/null
    unset IFS
    begun=$((begun + 1))
    progress "$begun" "$rows"
  done <rows.of.this.run
  echo "~ of a sample; * not tuned; + tuned for a problem like it"
  libraries
  echo "$passed ok, $failures failed, $absent not on this device ($device), seed $seed"
  [ "$failures" = 0 ] && [ $((passed + absent)) != 0 ]
}

# Each row has its own random numbers: @1, @2 and so on are seeds.
awk -v seed="$seed" '{
  for (i = 1; i <= 9; ++i)
    gsub("@" i, seed + NR + 1000 * (i - 1))
  print
}' rows.txt >rows.of.this.run
rm -f table.txt failed
{ table || echo yes >failed; } | tee table.txt
rm -f rows.of.this.run
[ ! -e failed ] || { rm failed; exit 1; }
