#!/bin/sh
# Runs the candidates that `./dev tune` has compiled on the GPU of this machine.
#
#   sh tune.sh DIRECTORY [SECONDS]
#
# DIRECTORY is what `./dev tune` fills: cute-run, the candidates, and list.txt, whose
# lines are ID, a size or "check" and a size, tolerance, reference and arguments, with tabs
# between. Each run adds a line of JSON to results.jsonl. A candidate that fails to
# load, to launch or in its results is noted and left out. Runs that are noted
# already are skipped, so that the script may be stopped, or stop itself after some
# SECONDS, and be started again.
set -uf
directory=$1
budget=${2-}
run=$directory/cute-run
results=$directory/results.jsonl
tab=$(printf '\t')
limit=120 # seconds for one run

"$run" --has-device || { echo "no CUDA device on this machine" >&2; exit 1; }

start=$(date +%s)
total=$(wc -l <"$directory/list.txt")
done=0 ran=0 failures=0 bad= best=

# One line of JSON; what is in a message must not end its string.
note() { # ID SIZE KEY VALUE
  printf '{"id": %s, "size": "%s", "%s": %s}\n' "$@" >>"$results"
}

quote() {
  printf '"%s"' "$(tr -d '"\\' | tr '[:cntrl:]' ' ' | cut -c 1-300)"
}

bar() {
  now=$(date +%s)
  [ "$ran" -gt 0 ] || return
  left=$(((now - start) * (total - done) / ran))
  filled=$((30 * done / total))
  printf '\r[%s%s] %d/%d, %d failed, %d:%02d left %s ' \
    "$(printf '%*s' $filled '' | tr ' ' '#')" \
    "$(printf '%*s' $((30 - filled)) '' | tr ' ' '.')" \
    "$done" "$total" "$failures" $((left / 60)) $((left % 60)) "$best" >&2
}

run_one() { # ID SIZE TOLERANCE REFERENCE ARGUMENTS
  id=$1 size=$2 tolerance=$3 reference=$4
  # shellcheck disable=SC2086
  set -- $5
  case $size in
  check*) set -- "--tolerance=$tolerance" --check "$reference" "$@" ;;
  *) set -- --bench "$@" ;;
  esac
  if timeout "$limit" "$run" --json "$directory/$id.json" "$@" \
    >"$directory/out" 2>"$directory/messages"; then
    note "$id" "$size" result "$(cat "$directory/out")"
  else
    code=$?
    [ $code != 124 ] || echo "took more than $limit s" >"$directory/messages"
    note "$id" "$size" failed "$(quote <"$directory/messages")"
    failures=$((failures + 1))
    bad=$id
  fi
}

while IFS=$tab read -r id size tolerance reference arguments; do
  done=$((done + 1))
  [ "$id" != "$bad" ] || continue
  if noted=$(grep -F "{\"id\": $id, \"size\": \"$size\", " "$results"); then
    case $noted in *'"failed": '*) bad=$id ;; esac
    continue
  fi
  run_one "$id" "$size" "$tolerance" "$reference" "$arguments" </dev/null
  ran=$((ran + 1))
  bar
  if [ "$budget" ] && [ $(($(date +%s) - start)) -ge "$budget" ]; then
    echo "stopped after $budget s; start again to go on" >&2
    exit 3
  fi
done <"$directory/list.txt"
echo >&2
rm -f "$directory/out" "$directory/messages"
echo "$done runs, $failures candidates failed; results are in $results"
