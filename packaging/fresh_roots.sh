#!/bin/sh
# fresh_roots.sh FOLDER: makes minimal systems of Debian and Ubuntu, back to the oldest
# glibc that packages are tried with, in FOLDER by debootstrap, unless they are there, and
# prints their paths. It names what cannot be made and leaves it out. For root.
set -eu
folder=$1
keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
mkdir -p "$folder"

# make_root SUITE MIRROR SCRIPT [OPTION]
make_root() {
  root=$folder/$1
  if [ ! -e "$root" ]; then
    echo "making $root" >&2
    if ! debootstrap --variant=minbase ${4-} "$1" "$root.new" "$2" "$3" \
      >"$root.log" 2>&1; then
      tail -n 3 "$root.log" >&2
      echo "left out, as debootstrap cannot make it: $1" >&2
      rm -rf "$root.new"
      return
    fi
    mv "$root.new" "$root"
  fi
  echo "$root"
}

for suite in bullseye bookworm; do
  make_root $suite http://deb.debian.org/debian sid
done
# Debian has no keys of Ubuntu by itself, and its debootstrap no script for each suite.
[ -e "$keyring" ] && key=--keyring=$keyring || key=--no-check-gpg
for suite in focal jammy noble; do
  make_root $suite https://archive.ubuntu.com/ubuntu gutsy "$key"
done
