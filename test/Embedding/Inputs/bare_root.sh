# bare_root.sh ROOT: puts glibc into a root, and nothing else.
set -e
mkdir -p "$1/lib" "$1/lib64" "$1/tmp"
for library in libc.so.6 libm.so.6; do
  cp "$(gcc -print-file-name=$library)" "$1/lib"
done
cp "$(gcc -print-file-name=ld-linux-x86-64.so.2)" "$1/lib64"
