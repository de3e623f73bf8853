#!/bin/sh
# fresh.sh FOLDER [--if-changed]: makes a minimal Debian 12 in FOLDER and runs the two
# commands of README.md in it, from a clean clone of HEAD: also without a network and
# without root, which must say so, from a path with a space and in a virtual environment.
# After success it writes test/fresh.stamp, a hash of what the two depend on;
# --if-changed does nothing while that is as HEAD has it. Ends with 77 where no such
# system can be made. For root.
set -eu
folder=$1
root=$folder/root log=$folder/log
inputs="dev CMakeLists.txt CMakePresets.json cmake tools/CMakeLists.txt tools/install.sh
tools/fresh.sh tools/summary.py test/CMakeLists.txt test/lit.cfg.py test/formats.py"

# shellcheck disable=SC2086
stamp=$(git ls-tree -r HEAD -- $inputs | sha256sum | cut -d ' ' -f 1)
if [ "${2-}" = --if-changed ] && [ "$(cat test/fresh.stamp 2>/dev/null)" = "$stamp" ]; then
  echo "fresh: nothing that the two commands depend on has changed"
  exit 0
fi

cannot() {
  echo "fresh: left out: $1"
  exit 77
}

[ "$(id -u)" = 0 ] || cannot "only root can make a fresh system"
unshare --mount --pid --fork true 2>/dev/null || cannot "unshare is not allowed here"

# Mounts are left to the namespaces of the commands, also if one is killed.
rm -rf --one-file-system "$folder"
mkdir -p "$folder"
echo "fresh: making a minimal Debian 12"
if command -v mmdebstrap >/dev/null; then
  unshare --mount mmdebstrap --variant=minbase --include=git,ca-certificates bookworm "$root" \
    >"$log" 2>&1 || { tail -n 5 "$log"; cannot "mmdebstrap failed"; }
elif command -v debootstrap >/dev/null; then
  mirror=http://deb.debian.org/debian
  unshare --mount debootstrap --variant=minbase --include=git,ca-certificates bookworm "$root" \
    $mirror >"$log" 2>&1 || { tail -n 5 "$log"; cannot "debootstrap failed"; }
  printf 'deb %s %s main\n' $mirror bookworm-updates $mirror-security bookworm-security \
    >>"$root/etc/apt/sources.list"
else
  cannot "neither mmdebstrap nor debootstrap is installed"
fi
cp /etc/resolv.conf "$root/etc/"
git clone -q --no-hardlinks . "$root/opt/a clone"
git clone -q --no-hardlinks . "$root/opt/cute"
mkdir -p "$root/opt/venv/bin"
ln -s /usr/bin/python3 "$root/opt/venv/bin/python3"
echo "home = /usr/bin" >"$root/opt/venv/pyvenv.cfg"

# within CLONE COMMAND [OPTION OF CHROOT ...]: what it prints is in $log, too.
within() {
  clone=$1 command=$2
  shift 2
  # shellcheck disable=SC2016
  env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    unshare --mount --pid --fork --kill-child sh -c '
      root=$1 clone=$2 command=$3
      shift 3
      mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" || exit 77
      exec chroot "$@" "$root" sh -c "cd \"$clone\" && $command"' \
    sh "$root" "$clone" "$command" "$@" >"$log" 2>&1 </dev/null
}

failed() {
  tail -n 60 "$log"
  echo "fresh: FAILED: $1"
  exit 1
}

# must_say TEXT WHAT COMMAND [OPTION ...]: the command has to fail with that text.
must_say() {
  text=$1 what=$2
  shift 2
  ! within "/opt/a clone" "$@" || failed "$what"
  grep -q "$text" "$log" || failed "$what"
  echo "fresh: $what: says so"
}

must_say "network is not reachable" "./dev demo without a network" \
  'unshare --net timeout 20 ./dev demo'
must_say "you are not root" "./dev demo without root" './dev demo' --userspec=65534:65534

within "/opt/a clone" './dev demo' && grep -q 'race:' "$log" ||
  failed "./dev demo"
echo "fresh: ./dev demo: works"
within /opt/cute 'PATH=/opt/venv/bin:$PATH ./dev check' || failed "./dev check"
tail -n 1 "$log" | sed 's/^/fresh: .\/dev check: /'
echo "$stamp" >test/fresh.stamp
rm -rf --one-file-system "$folder"
