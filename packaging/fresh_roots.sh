#!/bin/sh
# fresh_roots.sh FOLDER: makes minimal systems of Debian 12 and Ubuntu 24.04 in FOLDER by
# debootstrap, where they are not there yet, and prints their paths. What cannot be made
# is said and left out. For root.
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

make_root bookworm http://deb.debian.org/debian sid
# Debian has no keys of Ubuntu by itself, and its debootstrap no script named noble.
[ -e "$keyring" ] && key=--keyring=$keyring || key=--no-check-gpg
make_root noble https://archive.ubuntu.com/ubuntu gutsy "$key"
