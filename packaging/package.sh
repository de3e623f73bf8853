#!/bin/sh
# package.sh OUTPUT [aarch64]: makes Debian's packages of the working tree, binary and
# source, the archives .tar.gz and .tar.xz and a wheel in OUTPUT, with release notes and
# checksums, for this machine or, by cross-compilation, for aarch64 (binary packages alone). Needs debhelper, dpkg-dev and
# what `./dev deps` installs; for aarch64 also gcc-aarch64-linux-gnu, qemu-user-static,
# which runs what the build makes, and mmdebstrap.
set -eu
cd "$(dirname "$0")/.."
arch=${2-}
mkdir -p "$1"
output=$(cd "$1" && pwd)
rm -f "$output"/cute[_-]*.deb "$output"/libcute*.deb \
  "$output"/cute_[0-9]* "$output"/cute-[0-9]*.tar.* "$output"/cute_compiler-*.whl \
  "$output/SHA256SUMS" "$output/RELEASE_NOTES.md"

version=$(sed -n 's/^#define CUTE_VERSION_[A-Z]* \([0-9][0-9]*\)$/\1/p' \
  include/cute/Version.h | paste -s -d .)
CUTE_REVISION=$(git rev-parse --short HEAD 2>/dev/null || true)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export CUTE_REVISION SOURCE_DATE_EPOCH

# Debian wants debian/ at the top.
unpack_source() {
  rm -rf "$source"
  mkdir -p "$source"
  git ls-files -z | tar --null --files-from=- -c | tar -x -C "$source"
  cp -R packaging/debian "$source"
  cat >"$source/debian/changelog" <<TEXT
cute ($version) unstable; urgency=medium

  * See CHANGELOG.md.

 -- The authors of cute <maintainers@cute.invalid>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
TEXT
}

# An arm64 system of which only files are used: nothing in it runs.
make_sysroot() {
  [ -e "$1" ] || {
    rm -rf "$1.new"
    mmdebstrap --variant=extract --architectures=arm64 --include="libmlir-22-dev,\
llvm-22-dev,zlib1g-dev,libzstd-dev,libjansson-dev,libedit-dev,libbsd-dev,libmd-dev,\
libncurses-dev,libstdc++-12-dev,libc6-dev,python3,libpython3-dev" bookworm "$1.new" \
      "deb http://deb.debian.org/debian bookworm main" \
      "deb http://deb.debian.org/debian-security bookworm-security main"
    mv "$1.new" "$1"
  }
}

options= architecture=
case $arch in
  '') ;;
  aarch64)
    sysroot=$output/sysroot-arm64
    make_sysroot "$sysroot"
    options="-DCMAKE_TOOLCHAIN_FILE=../cmake/aarch64.cmake -DCUTE_SYSROOT=$sysroot \
-DCUTE_LLVM_PREFIX=$sysroot/usr/lib/llvm-22"
    architecture="-aarm64 -d --build=any" ;;
  *) echo "package.sh: no packages for '$arch', only for aarch64 and this machine" >&2
     exit 2 ;;
esac
export CUTE_PACKAGE_OPTIONS="$options" CUTE_SYSROOT="${sysroot-}"

source=$output/source/cute-$version
unpack_source
# shellcheck disable=SC2086
(cd "$source" && dpkg-buildpackage -us -uc $architecture)

# An archive has lib/ where Debian's packages have lib/ARCHITECTURE/.
build=$(echo "$source"/obj-*)
cmake -DCMAKE_INSTALL_LIBDIR=lib "$build" >/dev/null
cmake --build "$build" >/dev/null
for generator in TGZ TXZ; do
  cpack -G $generator --config "$build/CPackConfig.cmake" -B "$output/archives" >/dev/null
done
mv "$output"/archives/cute-*.tar.* "$output"

python3 python/build_backend.py "$output" "$build"

# What was compiled for another architecture compiles as well, and so does its Python.
if [ "$arch" ]; then
  emulated() { qemu-$arch-static -L "$sysroot" "$@"; }
  emulated "$build/bin/cutec" examples/vector_add.mlir -o - |
    grep -q '^.visible .entry vector_add('
  python3 -m zipfile -e "$output"/cute_compiler-*.whl "$output/archives/wheel"
  PYTHONHOME=$sysroot/usr PYTHONPATH=$output/archives/wheel CUTE_DEVICE=sim \
    emulated "$sysroot/usr/bin/python3" test/Python/Inputs/without_arrays.py
fi
rm -rf "$output/archives" "$source"
mv "$output"/source/*.* "$output"
rmdir "$output/source"
sh packaging/release_notes.sh "$version" "$output"
