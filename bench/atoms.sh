#!/bin/sh
# Runs a kernel for each MMA atom on the GPU of this machine, D = A * B + C on
# random inputs, and one for each copy atom, B = A, and prints one table: the
# largest error, relative to the largest element of a reference in float64, or of
# one in exact integers, which must be 0. Integers are also added to numbers near
# the largest, so that sums saturate or wrap around. Sparse atoms get random
# metadata, and scaled ones random factors.
#
#   bench/atoms.sh DIRECTORY [PATTERN]
#
# DIRECTORY holds cute-run and atoms/, as `./dev gpu atoms` leaves them in
# build/gpu. PATTERN selects atoms.
set -uf
directory=$1
pattern=${2-}
run=$directory/cute-run
seed=${CUTE_SEED-$(date +%s)}
device=$("$run" --device-arch) || exit 1
failures=0 passed=0 absent=0

# Whether the device has what the architecture has: later ones do, but for those
# of one device alone (sm_120a).
device_has() { # ARCH
  case $1 in
  *a) [ "$1" = "${device}a" ] ;;
  *) [ "${1#sm_}" -le "${device#sm_}" ] ;;
  esac
}

# Random numbers of a type; all integers of up to 16 bits, and of 32 bits for C.
random() { # TYPE OPERAND
  case $2 in
  A) number=$seed ;;
  B) number=$((seed + 1)) ;;
  *) number=$((seed + 2)) ;;
  esac
  case $1:$2 in
  f* | bf* | tf*) echo "normal($number)" ;;
  *64:* | *32:A | *32:B) echo "integers($number)" ;;
  *) echo "bits($number)" ;;
  esac
}

# What is left of a sum in a type; in 64 bits all of these sums have room.
wrapped() { # TYPE SUM
  case $1 in
  i8) echo "$2 - 256 * floor(($2 + 128) / 256)" ;;
  i16) echo "$2 - 65536 * floor(($2 + 32768) / 65536)" ;;
  i32) echo "wrap32($2)" ;;
  ui8) echo "$2 - 256 * floor(($2) / 256)" ;;
  ui16) echo "$2 - 65536 * floor(($2) / 65536)" ;;
  ui32) echo "$2 - 4294967296 * floor(($2) / 4294967296)" ;;
  *) echo "$2" ;;
  esac
}

# The reference of an instruction.
reference() { # INSTRUCTION TYPE-OF-D [PRODUCT]
  case $1 in
  *.xor.popc) sum='sum[k](A[m,k] + B[n,k] - 2 * A[m,k] * B[n,k])' ;;
  *) sum=${3-sum[k](A[m,k] * B[n,k])} ;;
  esac
  case $2:$1 in
  i32:*.satfinite.*)
    echo "D[m,n] = min(max(C[m,n] + $sum, -2147483648), 2147483647)" ;;
  *) echo "D[m,n] = $(wrapped "$2" "C[m,n] + $sum")" ;;
  esac
}

# Sums of 8-bit floats have fewer bits inside the tensor cores than f32.
tolerance() { # TYPE-OF-A TYPE-OF-D
  case $1:$2 in
  *:i* | *:ui*) echo 0 ;;
  *:f64) echo 1e-14 ;;
  *:f16) echo 1e-3 ;;
  *:bf16) echo 8e-3 ;;
  f8* | f6* | f4*) echo 1e-3 ;;
  *) echo 2e-6 ;;
  esac
}

# What an atom takes beside A, B and C, with seeds.
extra() { # TYPE[SHAPE]:GENERATOR...
  number=$((seed + 2))
  for argument; do
    number=$((number + 1))
    echo "$argument($number)"
  done
}

# Prints the error; false if it is too large or the kernel did not run.
check() { # GENERATOR-OF-C FILE M N K TYPES-OF-A-B-C-D INSTRUCTION K-OF-A
  # [PRODUCT EXTRA...]
  generator=$1 file=$2 m=$3 n=$4 k=$5 a=$6 b=$7 c=$8 d=$9
  shift 9
  instruction=$1 kA=$2
  shift 2
  expression=$(reference "$instruction" "$d" ${1+"$1"})
  [ $# = 0 ] || shift
  # shellcheck disable=SC2046
  "$run" --row=x "$directory/atoms/$file.json" \
    --tolerance="$(tolerance "$a" "$d")" --check "$expression" \
    "${a}[${m}x$kA]:$(random "$a" A)" "${b}[${n}x$k]:$(random "$b" B)" \
    "${c}[${m}x$n]:$generator" "${d}[${m}x$n]:poison" $(extra "$@") |
    awk '{ print $2 }'
}

# ATOM FILE ARCH M N K TYPES-OF-A-B-C-D INSTRUCTION K-OF-A [PRODUCT EXTRA...]
row() {
  atom=$1 file=$2 arch=$3 instruction=${11}
  case $atom in *"$pattern"*) ;; *) return ;; esac
  result=ok
  if ! device_has "$arch"; then
    error=- result="not on this device: $arch"
    absent=$((absent + 1))
  else
    shift 3
    seed=$((seed + ($# > 9 ? 6 : 3)))
    error=$(check "$(random "$6" C)" "$file" "$@")
    [ "$error" ] || result=FAILED
    if [ "$6" = i32 ]; then
      [ "$(check "fill(2147483000)" "$file" "$@")" ] || result=FAILED
    fi
    if [ $result = ok ]; then
      passed=$((passed + 1))
    else
      failures=$((failures + 1))
    fi
  fi
  printf '%-58s %-68s %-8s %s\n' "$atom" "$instruction" "${error:--}" "$result"
}

copy_row() { # ATOM FILE ARCH ELEMENTS TYPE INSTRUCTION
  case $1 in *"$pattern"*) ;; *) return ;; esac
  error=- result=ok
  if ! device_has "$3"; then
    result="not on this device: $3"
    absent=$((absent + 1))
  else
    seed=$((seed + 1))
    case $6 in # which add twice
    red.*) copied='B[i] = A[i] + A[i]' before=zeros ;;
    *) copied='B[i] = A[i]' before=poison ;;
    esac
    error=$("$run" --row=x "$directory/atoms/$2.json" --tolerance=0 \
      --check "$copied" "$5[$4]:$(random "$5" A)" "$5[$4]:$before" |
      awk '{ print $2 }')
    if [ "$error" ]; then
      passed=$((passed + 1))
    else
      failures=$((failures + 1)) result=FAILED
    fi
  fi
  printf '%-58s %-68s %-8s %s\n' "$1" "$6" "${error:--}" "$result"
}

printf '%-58s %-68s %-8s %s\n' atom instruction error result
while read -r line; do
  # shellcheck disable=SC2086
  row $line
done <"$directory/atoms/atoms.txt"
while read -r line; do
  # shellcheck disable=SC2086
  copy_row $line
done <"$directory/atoms/copies.txt"
echo "$passed ok, $failures failed, $absent not on this device ($device)"
[ $failures = 0 ] && [ $passed != 0 ]
