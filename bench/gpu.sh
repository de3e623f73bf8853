#!/bin/sh
# Runs the example kernels on the GPU of this machine and prints one table:
# relative error against float64 on the host, time, rate, and the ratio to cuBLAS
# or to a device copy in the same run.
#
#   bench/gpu.sh DIRECTORY [PATTERN]
#
# DIRECTORY holds cute-run and, for each example, its .ptx and .json, as
# `./dev gpu` leaves them in build/gpu. Nothing else is needed, so the directory
# can be copied to a machine that has only a CUDA driver. PATTERN selects rows.
# Of large results a sample is checked, as a ~ behind the error says.
set -u
directory=$1
pattern=${2-}
run=$directory/cute-run
failures=0
seed=${CUTE_SEED-$(date +%s)}

# row LABEL EXAMPLE OPTIONS... -- ARGUMENTS...
row() {
  label=$1 example=$2
  shift 2
  case $label in *"$pattern"*) ;; *) return ;; esac
  "$run" --row="$label" --sample=1048576,"$seed" \
    "$directory/$example.json" "$@" ||
    { echo "FAILED: $label"; failures=$((failures + 1)); }
}

next_seed() { seed=$((seed + 1)); }

gemm() { # M N K [options]
  m=$1 n=$2 k=$3
  shift 3
  next_seed
  row "gemm_sm80 ${m}x${n}x${k}" gemm_sm80 --check 'C[m,n] = A[m,k] * B[n,k]' \
    "f16[${m}x${k}]:normal($seed)" "f16[${n}x${k}]:normal($((seed + 1000)))" \
    "f16[${m}x${n}]:poison" "$@"
}

# The plain loop, and what cute-optimize makes of it; K and N multiples of 8.
plain_gemm() { # M N K [options]
  m=$1 n=$2 k=$3
  shift 3
  next_seed
  for example in gemm_plain gemm_optimized; do
    row "$example ${m}x${n}x${k}" $example --check 'C[m,n] = A[m,k] * B[n,k]' \
      "f16[${m}x${k}]:normal($seed)" "f16[${n}x${k}]:normal($((seed + 1000)))" \
      "f16[${m}x${n}]:poison" "$@"
  done
}

pitched_gemm() { # M N K, then the row pitches of A, B and C
  next_seed
  row "gemm_sm80 ${1}x${2}x${3} pitch $4,$5,$6" gemm_sm80 \
    --check 'C[m,n] = A[m,k] * B[n,k]' "f16[($1,$3):($4,1)]:normal($seed)" \
    "f16[($2,$3):($5,1)]:normal($((seed + 1000)))" "f16[($1,$2):($6,1)]:poison"
}

gemm_f64() { # M N K, row pitch of A and B, of C [options]
  m=$1 n=$2 k=$3 in=$4 out=$5
  shift 5
  next_seed
  row "gemm_f64 ${m}x${n}x${k}" gemm_f64 --tolerance=1e-12 \
    --check 'C[m,n] = A[m,k] * B[n,k]' "f64[($m,$k):($in,1)]:normal($seed)" \
    "f64[($n,$k):($in,1)]:normal($((seed + 1000)))" \
    "f64[($m,$n):($out,1)]:poison" "$@"
}

# C is zero in the beginning; runs that are timed add to it again.
gemm_split_k() { # M N K SPLITS [options]
  m=$1 n=$2 k=$3 splits=$4
  shift 4
  next_seed
  row "gemm_split_k ${m}x${n}x${k} / $splits" gemm_split_k --tolerance=1e-5 \
    --check 'C[m,n] = A[m,k] * B[n,k]' "f16[${m}x${k}]:normal($seed)" \
    "f16[${n}x${k}]:normal($((seed + 1000)))" "f32[${m}x${n}]:zeros" "$splits" "$@"
}

transpose() { # M N [options]
  m=$1 n=$2
  shift 2
  next_seed
  row "transpose ${m}x${n}" transpose --check 'B[n,m] = A[m,n]' --tolerance=0 \
    "f16[${m}x${n}]:normal($seed)" "f16[${n}x${m}]:poison" "$@"
}

pointers() { # M N
  next_seed
  row "pointers ${1}x${2}" pointers --check 'B[n,m] = A[m,n]' --tolerance=0 \
    "f32[${1}x${2}]:normal($seed)" "f32[${2}x${1}]:poison"
}

vector_add() { # N [options]
  n=$1
  shift
  next_seed
  row "vector_add $n" vector_add --check 'C[i] = A[i] + B[i]' --tolerance=1e-7 \
    "f32[$n]:normal($seed)" "f32[$n]:uniform($seed)" "f32[$n]:poison" "$@"
}

# The length of the kernel for rows of N elements.
longest() { # N
  for length in 512 1024 2048 3072 4096 5120 6144 8192 10240 12288 16384; do
    [ "$1" -gt "$length" ] || break
  done
  echo "$length"
}

softmax() { # M N [options]
  m=$1 n=$2
  shift 2
  next_seed
  row "softmax ${m}x${n}" softmax --kernel="softmax_$(longest "$n")" \
    --check "$softmax_reference" "f16[${m}x${n}]:normal($seed)" \
    "f16[${m}x${n}]:poison" "$@"
}

layernorm() { # M N [options]
  m=$1 n=$2
  shift 2
  next_seed
  row "layernorm ${m}x${n}" layernorm --kernel="layernorm_$(longest "$n")" \
    --check "$layernorm_reference" "f16[${m}x${n}]:normal($seed)" \
    "f16[$n]:normal($((seed + 1000)))" "f16[$n]:normal($((seed + 2000)))" 1e-5 \
    "f16[${m}x${n}]:poison" "$@"
}

rmsnorm() { # M N [options]
  m=$1 n=$2
  shift 2
  next_seed
  row "rmsnorm ${m}x${n}" rmsnorm --kernel="rmsnorm_$(longest "$n")" \
    --check 'D[m,n] = A[m,n] / sqrt(mean[k](A[m,k] * A[m,k]) + 1e-5) * B[n]' \
    "f16[${m}x${n}]:normal($seed)" "f16[$n]:normal($((seed + 1000)))" 1e-5 \
    "f16[${m}x${n}]:poison" "$@"
}

sum_over() { # KERNEL, SHAPE:STRIDE of A, shape of B [options]
  kernel=$1 a=$2 b=$3
  shift 3
  next_seed
  row "$kernel $a" reduce --kernel="$kernel" --tolerance=1e-5 \
    --check 'B[i,k] = A[i,j,k]' "f32[$a]:normal($seed)" "f32[$b]:poison" "$@"
}

# Steps of the tutorial, which have one of three forms.
step_add() { # STEP, SHAPE [options]
  step=$1 shape=$2
  shift 2
  next_seed
  row "tutorial/$step $shape" "tutorial/$step" --tolerance=1e-7 \
    --check "$(case $shape in *x*) echo 'C[i,j] = A[i,j] + B[i,j]' ;;
      *) echo 'C[i] = A[i] + B[i]' ;; esac)" "f32[$shape]:normal($seed)" \
    "f32[$shape]:normal($((seed + 1000)))" "f32[$shape]:poison" "$@"
}

step_gemm() { # STEP M N K [options]
  step=$1 m=$2 n=$3 k=$4
  shift 4
  next_seed
  row "tutorial/$step ${m}x${n}x${k}" "tutorial/$step" \
    --check 'C[m,n] = A[m,k] * B[n,k]' "f16[${m}x${k}]:normal($seed)" \
    "f16[${n}x${k}]:normal($((seed + 1000)))" "f16[${m}x${n}]:poison" "$@"
}

step_transpose() { # M N [options]
  m=$1 n=$2
  shift 2
  next_seed
  row "tutorial/04_transpose ${m}x${n}" tutorial/04_transpose --tolerance=0 \
    --check 'B[n,m] = A[m,n]' "f32[${m}x${n}]:normal($seed)" \
    "f32[${n}x${m}]:poison" "$@"
}

# The same arguments for the kernel with layouts and for the one by hand, if it was
# compiled, whose results must be equal.
addresses() { # KERNEL ARGUMENTS...
  name=$1
  shift
  result=$(mktemp --suffix=.npy)
  row "addresses/$name" "addresses/$name" "$@" --output "1=$result"
  [ ! -e "$directory/addresses/${name}_by_hand.json" ] ||
    row "addresses/${name}_by_hand" "addresses/${name}_by_hand" "$@" \
      --reference "1=$result" --tolerance=0
  rm -f "$result"
}

tutorial() {
  next_seed
  row "tutorial/01_layout 4x8" tutorial/01_layout --check 'B[i,j] = A[i,j]' \
    --tolerance=0 "f32[4x8]:normal($seed)" 'f32[(4,8):(1,4)]:poison'
  step_add 02_tensor 1
  step_add 02_tensor 777
  step_add 02_tensor 134217728 --bench --baseline=copy
  step_add 03_tiles 96x160
  step_add 03_tiles 8192x16384 --bench --baseline=copy
  step_transpose 64 96
  step_transpose 16384 8192 --bench --baseline=copy
  row "tutorial/05_mma_atom 16x8x16" tutorial/05_mma_atom --tolerance=1e-6 \
    --check 'C[m,n] = A[m,k] * B[n,k]' "f16[16x16]:normal($seed)" \
    "f16[8x16]:normal($((seed + 1000)))" 'f32[16x8]:poison'
  step_gemm 06_tiled_mma 128 256 192
  for step in 07_predicates 08_cp_async 09_registers; do
    step_gemm $step 1 1 8
    step_gemm $step 777 333 136
  done
  step_gemm 10_epilogue 1 8 8
  step_gemm 10_epilogue 777 336 136
  for step in 06_tiled_mma 07_predicates 08_cp_async 09_registers 10_epilogue; do
    step_gemm $step 4096 4096 4096 --bench --baseline=cublas
  done
}

# O = softmax(scale Q K^T) V. Of normal numbers no exponential overflows in float64.
attention() { # D BATCH HEADS ROWS COLUMNS CAUSAL [options]
  d=$1 b=$2 h=$3 m=$4 n=$5 causal=$6
  shift 6
  next_seed
  attend "${b}x${h}x${m}x${n}x${d}" --check "$(attention_reference)" \
    "f16[${b}x${h}x${m}x${d}]:normal($seed)" \
    "f16[${b}x${h}x${n}x${d}]:normal($((seed + 1000)))" \
    "f16[${b}x${h}x${n}x${d}]:normal($((seed + 2000)))" \
    "f16[${b}x${h}x${m}x${d}]:poison" 0.1 "$causal" "$@"
}

# The same of tensors that are (batch, row, head, D) in memory.
attention_bshd() { # D BATCH HEADS ROWS COLUMNS CAUSAL
  d=$1 b=$2 h=$3 m=$4 n=$5 causal=$6
  q="f16[($b,$h,$m,$d):($((m * h * d)),$d,$((h * d)),1)]"
  k="f16[($b,$h,$n,$d):($((n * h * d)),$d,$((h * d)),1)]"
  next_seed
  attend "${b}x${m},${n}x${h}x${d}" --check "$(attention_reference)" \
    "$q:normal($seed)" "$k:normal($((seed + 1000)))" \
    "$k:normal($((seed + 2000)))" "$q:poison" 0.1 "$causal"
}

# Rows that begin anywhere.
attention_any() { # D BATCH HEADS ROWS COLUMNS CAUSAL
  d=$1 b=$2 h=$3 m=$4 n=$5 causal=$6
  q="f16[($b,$h,$m,$d):($((m * h * (d + 1))),$((m * (d + 1))),$((d + 1)),1)]"
  k="f16[($b,$h,$n,$d):($((n * h * (d + 3))),$((n * (d + 3))),$((d + 3)),1)]"
  next_seed
  row "attention_any ${b}x${h}x${m},${n}x${d} $causal" attention_any_d$d \
    --check "$(attention_reference)" "$q:normal($seed)" \
    "$k:normal($((seed + 1000)))" "$k:normal($((seed + 2000)))" "$q:poison" \
    0.1 "$causal"
}

attention_bench() { # D BATCH HEADS ROWS CAUSAL, FLOPs for each row and column
  d=$1 b=$2 h=$3 m=$4 causal=$5
  tensor="f16[${b}x${h}x${m}x${d}]"
  next_seed
  attend "${b}x${h}x${m}x${d}" --bench --sample="65536,$seed" \
    --check "$(attention_reference)" \
    --flops="$6 * $d * $b * $h * arg0.shape[2] * arg1.shape[2]" \
    "$tensor:normal($seed)" "$tensor:normal($((seed + 1000)))" \
    "$tensor:normal($((seed + 2000)))" "$tensor:poison" 0.1 "$causal"
}

attend() { # SIZE ARGUMENTS...
  label="attention $1"
  [ "$causal" = 0 ] || label="$label causal"
  example=attention_sm80
  [ "$d" = 128 ] || example=attention_sm80_d$d
  shift
  row "$label" "$example" "$@"
}

attention_reference() {
  seen=
  [ "$causal" = 0 ] || seen=' + 1e4 * min(m - n, 0)'
  p="exp(0.1 * sum[k](A[b,h,m,k] * B[b,h,n,k])$seen)"
  echo "D[b,h,m,d] = sum[n]($p * C[b,h,n,d]) / sum[n]($p)"
}

# With a border of zeros the sum is over all pixels of A, and what is not the one
# that belongs to r and s counts 0 times.
conv2d() { # N H W C K R S STRIDE PAD DILATION
  case $9 in
  0) check="C[n,p,q,k] = A[n, $8*p + ${10}*r, $8*q + ${10}*s, c] * B[k,r,s,c]" ;;
  *)
    check="C[n,p,q,k] = A[n,h,w,c] * B[k,r,s,c]"
    check="$check * max(0, 1 - abs($8 * p + ${10} * r - $9 - h))"
    check="$check * max(0, 1 - abs($8 * q + ${10} * s - $9 - w))"
    ;;
  esac
  convolve "$@" --check "$check"
}

# Too large to be checked.
conv2d_bench() { # N H W C K R S STRIDE PAD DILATION
  flops='2 * arg1.shape[1] * arg1.shape[2] * arg1.shape[3]'
  flops="$flops * arg2.shape[0] * arg2.shape[1] * arg2.shape[2] * arg2.shape[3]"
  convolve "$@" --bench --flops="$flops"
}

convolve() { # as conv2d, then options
  a=${1}x${2}x${3}x${4} b=${5}x${6}x${7}x${4} stride=$8 pad=$9 dilation=${10}
  p=$(((${2} + 2 * pad - dilation * (${6} - 1) - 1) / stride + 1))
  q=$(((${3} + 2 * pad - dilation * (${7} - 1) - 1) / stride + 1))
  c=${1}x${p}x${q}x${5}
  shift 10
  next_seed
  row "conv2d $a by $b $stride,$pad,$dilation" conv2d_sm80 "f16[$a]:normal($seed)" \
    "f16[$b]:normal($((seed + 1000)))" "f16[$c]:poison" \
    "$stride" "$pad" "$dilation" "$@"
}

# Expressions are one line.
layernorm_reference='E[m,n] = (A[m,n] - mean[k](A[m,k])) /'
layernorm_reference="$layernorm_reference sqrt(mean[k](pow(A[m,k] -"
layernorm_reference="$layernorm_reference mean[j](A[m,j]), 2)) + 1e-5) * B[n] + C[n]"
softmax_reference='B[m,n] = exp(A[m,n] - max[k](A[m,k])) '
softmax_reference="$softmax_reference / sum[k](exp(A[m,k] - max[j](A[m,j])))"

"$run" --has-device || { echo "no CUDA device on this machine" >&2; exit 1; }
"$run" --header
vector_add 1
vector_add 1000
vector_add 134217728 --bench --baseline=copy
transpose 1 1
transpose 777 333
transpose 16384 16384 --bench --baseline=copy
pointers 1 1
pointers 777 333
for kernel in softmax layernorm rmsnorm; do
  $kernel 3 8
  $kernel 77 512
  $kernel 100 777
  $kernel 1001 1000
  $kernel 9 2040
  $kernel 33 4104
  $kernel 16 16384
  $kernel 7 16392
  $kernel 5 40001
  $kernel 131072 512 --bench --baseline=copy
  $kernel 65536 1024 --bench --baseline=copy
  $kernel 65536 1536 --bench --baseline=copy
  $kernel 65536 2048 --bench --baseline=copy
  $kernel 32768 3072 --bench --baseline=copy
  $kernel 32768 4096 --bench --baseline=copy
  $kernel 16384 5000 --bench --baseline=copy
  $kernel 16384 6144 --bench --baseline=copy
  $kernel 16384 8192 --bench --baseline=copy
  $kernel 16384 10240 --bench --baseline=copy
  $kernel 16384 11264 --bench --baseline=copy
  $kernel 16384 12288 --bench --baseline=copy
  $kernel 16384 16384 --bench --baseline=copy
done
softmax 1 1
sum_over sum_inner '(777,333,1):(333,1,0)' 777x1
sum_over sum_inner '(33,129,65):(8385,65,1)' 33x65
sum_over sum_inner '(16384,16384,1):(16384,1,0)' 16384x1 --bench --baseline=copy
sum_over sum_inner '(5,1040,3):(1040,1,5200)' 5x3
sum_over sum_inner '(1048576,512,1):(512,1,0)' 1048576x1 --bench --baseline=copy
sum_over sum_outer '(1,777,333):(0,333,1)' 1x333
sum_over sum_outer '(3,300,132):(132,396,1)' 3x132
sum_over sum_outer '(1,16384,16384):(0,16384,1)' 1x16384 --bench --baseline=copy
sum_over sum_outer '(33,129,65):(8385,65,1)' 33x65
sum_over sum_outer '(128,512,4096):(2097152,4096,1)' 128x4096 --bench --baseline=copy
gemm 1 1 1
gemm 128 128 32
gemm 256 384 512
gemm 777 333 129
gemm 1000 1000 1000 --bench --baseline=cublas
pitched_gemm 200 136 72 80 96 136
pitched_gemm 65 130 100 104 112 131
gemm 2048 2048 2048 --bench --baseline=cublas
gemm 4096 4096 4096 --bench --baseline=cublas
gemm 8192 8192 512 --bench --baseline=cublas
gemm_f64 1 1 1 1 1
gemm_f64 128 256 64 64 256
gemm_f64 777 333 129 129 333
gemm_f64 200 136 71 75 139
gemm_f64 4096 4096 4096 4096 4096 --bench
gemm_split_k 1 1 8 4
gemm_split_k 128 256 4096 8
gemm_split_k 77 333 1000 5
gemm_split_k 256 256 32768 1 --bench --tolerance=2e-4
gemm_split_k 256 256 32768 32 --bench --tolerance=2e-4
plain_gemm 1 8 8
plain_gemm 128 128 64
plain_gemm 128 128 128
plain_gemm 200 136 192
plain_gemm 777 336 264
plain_gemm 1024 1024 1000 --bench --baseline=cublas
plain_gemm 2048 2048 2048 --bench --baseline=cublas
plain_gemm 4096 4096 4096 --bench --baseline=cublas
plain_gemm 8192 8192 512 --bench --baseline=cublas
tutorial
addresses transpose "f32[96x160]:normal($seed)" 'f32[160x96]:poison'
addresses gather "f32[(256,7,5):(35,5,1)]:normal($seed)" \
  'f32[(256,7,5):(1,256,1792)]:poison'
addresses ldmatrix "f16[64x64]:normal($seed)" \
  'f16[(8,2,4,64):(1,512,1024,8)]:poison'
for d in 64 128; do
  attention $d 1 1 1 1 0
  attention $d 1 2 128 64 0
  attention $d 2 3 200 333 0
  attention $d 1 2 77 1000 0
  attention $d 1 2 130 7 1
  attention $d 2 2 300 300 1
  attention $d 1 2 257 511 1
  attention_bshd $d 2 3 129 200 0
  attention_bshd $d 2 3 200 200 1
  attention_any $d 2 2 200 333 0
  attention_any $d 2 1 130 150 1
  attention $d 1 4 2048 2048 0 --bench
  attention_bench $d 4 16 4096 0 4
  attention_bench $d 4 16 4096 1 2
done
conv2d 1 8 16 64 128 1 1 1 0 1
conv2d 2 11 21 72 136 3 3 1 0 1
conv2d 1 6 5 8 8 3 2 1 0 1
conv2d 1 17 19 40 16 5 3 2 0 1
conv2d 2 33 35 128 256 3 3 1 0 2
conv2d 1 9 7 8 8 3 3 1 1 1
conv2d 1 12 13 16 24 5 3 2 2 1
conv2d 1 14 11 8 16 3 3 1 2 2
conv2d_bench 32 56 56 256 256 3 3 1 1 1
conv2d_bench 32 28 28 512 512 3 3 1 1 1
[ "$failures" = 0 ] || { echo "$failures rows failed" >&2; exit 1; }
