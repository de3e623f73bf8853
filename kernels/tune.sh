#!/bin/sh
# Runs the candidates that `./dev tune` has compiled on the GPU of this machine.
#
#   sh tune.sh DIRECTORY [SECONDS] [OPTION...]
#
# DIRECTORY is what `./dev tune` fills: cute-tune, which does the work, tune.json and
# the candidates. What happens goes to results.jsonl in it. A kernel that breaks
# cute-tune is noted and left out by the next one. The script may be stopped, or stop
# itself after some SECONDS, and be started again.
set -u
directory=$1
shift
budget=
case ${1-} in
*[!0-9]* | '') ;;
*)
  budget=$1
  shift
  ;;
esac
results=$directory/results.jsonl
start=$(date +%s)

lines() { wc -l <"$results"; }

# A signal for the script is one for cute-tune, which ends then.
trap : INT TERM
: >>"$results"
while :; do
  before=$(lines)
  left=
  [ ! "$budget" ] || left=--seconds=$((start + budget - $(date +%s)))
  case $left in *=0 | *=-*) exit 3 ;; esac
  "$directory/cute-tune" ${left:+"$left"} "$@" "$directory"
  code=$?
  case $code in
  0)
    echo "all races are done; results are in $results"
    exit
    ;;
  1 | 3) exit $code ;;
  esac
  # It notes what it starts. Where it did not get so far, it never will.
  [ "$(lines)" -gt $((before + 1)) ] || exit 1
done
