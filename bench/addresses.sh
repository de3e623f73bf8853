#!/bin/sh
# What layouts cost: compiles kernels with tensors beside the same kernels in CUDA C
# with addresses by hand, and counts integer instructions of both.
#
#   bench/addresses.sh [BIN] [ARCH]
#
# BIN holds cutec (build/release/bin), ARCH is that of both (sm_80). It needs nvcc and
# ptxas, in PATH or /usr/local/cuda/bin; with nvdisasm the instructions of the machine
# (SASS) are counted, too. Arithmetic, logic, shifts, conversions and comparisons of
# integers count; moves, special registers and changes of address space do not. The
# exit code says whether layouts never needed more in PTX.
set -eu
bin=${1-build/release/bin}
arch=${2-sm_80}
PATH=$PATH:/usr/local/cuda/bin
sources=$(dirname "$0")/addresses
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
worse=0

# Integer instructions of PTX: an opcode of the list, of integers.
count_ptx() {
  grep -cE '^\s+(@!?%p[0-9]+ )?(add|sub|mul|mad|fma|div|rem|abs|neg|min|max|shl|shr|shf|and|or|xor|not|lop3|bfe|bfi|prmt|cvt|setp|selp|slct|cnot|clz|popc|vadd|dp4a)(\.[a-z0-9]+)*\.[subp](red|8|16|32|64)\s' "$1" ||
    true
}

# The same of SASS. IMAD.MOV is a move, as are MOV, UMOV, S2R and ULDC.
count_sass() {
  nvdisasm -c "$1" |
    grep -E '^\s+/\*[0-9a-f]+\*/' |
    grep -vE 'IMAD\.MOV' |
    grep -cE '\s(U?IADD3?|U?IMAD|U?LEA|U?SHF|U?SHL|U?SHR|U?LOP3?|U?ISETP|U?SEL|IMNMX|VIMNMX|U?PRMT|U?BFE|BFI|XMAD|IABS|I2I|U?BMSK|U?SGXT|U?POPC|U?FLO|LOP32I|IADD32I|U?PLOP3)[. ]' ||
    true
}

print() { printf '%-12s %-8s %8s %8s %6s\n' "$@"; }

compare() { # KERNEL, KIND, OURS, BY HAND
  print "$1" "$2" "$3" "$4" "$(echo "$3 $4" | awk '{printf "%.2f", $1 / $2}')"
  [ "$2" != PTX ] || [ "$3" -le "$4" ] || worse=1
}

print kernel of layouts 'by hand' ratio
for name in transpose gather ldmatrix; do
  "$bin/cutec" "$sources/$name.mlir" --arch="$arch" --no-manifest \
    -o "$work/layouts.ptx"
  nvcc -ptx -arch="$arch" "$sources/$name.cu" -o "$work/hand.ptx"
  compare $name PTX "$(count_ptx "$work/layouts.ptx")" \
    "$(count_ptx "$work/hand.ptx")"
  command -v nvdisasm >/dev/null || continue
  for by in layouts hand; do
    ptxas -arch="$arch" "$work/$by.ptx" -o "$work/$by.cubin"
  done
  compare $name SASS "$(count_sass "$work/layouts.cubin")" \
    "$(count_sass "$work/hand.cubin")"
done
exit $worse
