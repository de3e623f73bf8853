# For ./dev: installs Debian packages that are missing, and shows how far long commands
# are.

is_installed() {
  dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}

# Installs the named packages that are missing.
need() {
  missing=
  for package; do
    is_installed "$package" || missing="$missing $package"
  done
  [ "$missing" ] || return 0
  command -v apt-get >/dev/null ||
    cannot_install "there is no apt-get; CUTE_LLVM_PREFIX=/path/to/llvm-22 builds without it"
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif command -v sudo >/dev/null; then
    sudo=sudo
  else
    cannot_install "you are not root, and there is no sudo"
  fi
  has_network || cannot_install "the network is not reachable"
  install_missing
}

cannot_install() {
  echo "./dev: $1. These packages are missing:" >&2
  # shellcheck disable=SC2086
  printf '  apt-get install --no-install-recommends%s\n' "$missing" >&2
  exit 1
}

# Tells whether the name of the first server of packages resolves: apt-get would try
# for minutes. A proxy resolves names itself.
has_network() {
  [ ! "${http_proxy-}${https_proxy-}" ] || return 0
  ! apt-config dump 2>/dev/null | grep -qi '^Acquire::https\?::Proxy' || return 0
  server=$(apt-get update --print-uris 2>/dev/null |
    sed -n "s|^'https*://\([^/:]*\).*|\1|p" | head -n 1)
  [ ! "$server" ] || timeout 5 getent hosts "$server" >/dev/null
}

install_missing() {
  apt="env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=1
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20"
  # shellcheck disable=SC2086
  set -- $missing
  echo "installing $*"
  # shellcheck disable=SC2086
  with_progress "package lists" 0 $sudo $apt update
  # shellcheck disable=SC2086
  plan=$($sudo $apt install --no-install-recommends --assume-no "$@" 2>&1 || true)
  echo "$plan" | sed -n '/^Need to get/p; /^After this/p'
  steps=$(echo "$plan" | sed -n 's/.*, \([0-9]*\) newly installed.*/\1/p')
  # shellcheck disable=SC2086
  with_progress packages $((${steps:-0} * 3)) \
    $sudo $apt install --no-install-recommends -y "$@" ||
    cannot_install "apt-get failed, as shown above"
}

# with_progress WHAT STEPS COMMAND ...: runs the command and shows how far it is: each
# line of its output is a step, or says the step as ninja does; the whole output if it
# fails.
with_progress() {
  progress_of=$1 progress_steps=$2
  shift 2
  progress_log=$(mktemp)
  { "$@" 2>&1 || echo "$?" >"$progress_log.failed"; } | tee "$progress_log" | show_progress
  if [ -e "$progress_log.failed" ]; then
    cat "$progress_log" >&2
    rm -f "$progress_log" "$progress_log.failed"
    return 1
  fi
  rm -f "$progress_log"
}

# On a terminal one line that changes, elsewhere a line for each fifth.
show_progress() {
  lines=0 shown=0
  while IFS= read -r line; do
    lines=$((lines + 1))
    case $line in
    '['[0-9]*/[0-9]*']'*)
      line=${line%%']'*}
      lines=${line#'['} progress_steps=${line#*/}
      lines=${lines%/*}
      ;;
    esac
    [ "$progress_steps" -gt 0 ] || continue
    percent=$((lines * 100 / progress_steps))
    [ $percent -le 100 ] || percent=100
    [ $percent -gt "$shown" ] || continue
    if [ -t 1 ]; then
      shown=$percent
      printf '\r  %s: %s %%' "$progress_of" "$percent"
    elif [ $((percent / 20)) -gt $((shown / 20)) ]; then
      shown=$percent
      printf '  %s: %s %%\n' "$progress_of" "$percent"
    fi
  done
  [ ! -t 1 ] || [ "$shown" = 0 ] || echo
}
