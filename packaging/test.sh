#!/bin/sh
# test.sh FOLDER EXAMPLES ROOT...: installs Debian's packages in FOLDER in a copy of each
# ROOT (of debootstrap, with nothing in it but a minimal system), compiles a kernel and
# runs it on the simulator, takes the packages away again, and looks for what is left;
# then does the same with the archive in FOLDER, unpacked anywhere. For root.
set -eu
[ "${MOUNTS-}" ] || MOUNTS=own exec unshare --mount --fork sh "$0" "$@"
folder=$1 examples=$2
shift 2

fail() {
  echo "$name: $*" >&2
  exit 1
}

# inside COMMAND...: runs it in the root, with an empty environment.
inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    LC_ALL=C chroot "$root" "$@"
}

# All files but the caches and logs that installing anything changes.
files() {
  (cd "$root" && find . -path ./proc -prune -o -path ./tmp -prune \
    -o -path ./var/lib/dpkg -prune -o -path ./var/log -prune \
    -o -path ./var/cache/ldconfig -prune -o -print) | sort
}

# compile_and_run BIN: a kernel of a file through the tools in the folder BIN.
compile_and_run() {
  inside "$1/cutec" /tmp/vector_add.mlir --arch=sm_90 -o /tmp/vector_add.ptx ||
    fail "cutec does not compile"
  grep -q '^.visible .entry vector_add(' "$root/tmp/vector_add.ptx" ||
    fail "no kernel in what cutec wrote"
  inside "$1/cute-run" /tmp/vector_add.mlir --device=sim \
    --check 'C[i] = A[i] + B[i]' 'f32[1000]:normal(1)' 'f32[1000]:normal(2)' \
    'f32[1000]:poison' >"$root/tmp/said" 2>&1 ||
    { cat "$root/tmp/said"; fail "cute-run does not run it"; }
  value=$(inside "$1/cute-layout" eval 'coalesce((2,4):(1,2))')
  [ "$value" = 8:1 ] || fail "cute-layout says $value"
  inside "$1/cute-lsp" --version >"$root/tmp/said" 2>&1 ||
    { cat "$root/tmp/said"; fail "cute-lsp does not start"; }
}

test_package() {
  # shellcheck disable=SC2016
  inside sh -c 'dpkg -i /tmp/packages/*.deb' >"$root/tmp/said" 2>&1 ||
    { cat "$root/tmp/said"; fail "dpkg cannot install them"; }
  compile_and_run /usr/bin
  inside sh -c 'dpkg --purge $(dpkg-query -W -f "\${Package} " "*cute*")' >/dev/null
  ! inside dpkg -s cute >/dev/null 2>&1 || fail "dpkg still knows the package"
  files | diff "$root/tmp/before" - || fail "purging leaves or takes files"
}

test_archive() {
  mkdir "$root/tmp/some where"
  tar xf "$folder"/cute-*.tar.gz --strip-components=1 -C "$root/tmp/some where"
  compile_and_run "/tmp/some where/bin"
  rm -r "$root/tmp/some where"
  files | diff "$root/tmp/before" - || fail "the archive's tools leave files"
}

copies=$(mktemp -d)
trap 'umount "$copies/root/proc" 2>/dev/null || true; rm -rf "$copies"' EXIT
for base; do
  name=$(basename "$base") root=$copies/root
  cp -a "$base" "$root"
  ! find "$root/usr" "$root/lib" | grep -i 'llvm\|mlir' || fail "LLVM is there already"
  mkdir "$root/tmp/packages"
  find "$folder" -maxdepth 1 -name '*.deb' ! -name '*-dbgsym_*' ! -name '*-dev_*' \
    -exec cp {} "$root/tmp/packages" \;
  cp "$examples/vector_add.mlir" "$root/tmp/"
  mount -t proc proc "$root/proc" # where the loader looks for $ORIGIN
  files >"$root/tmp/before"
  test_package
  test_archive
  echo "$name: the packages and the archive work, and leave nothing"
  umount "$root/proc"
  rm -rf "$root"
done
