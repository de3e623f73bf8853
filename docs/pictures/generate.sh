#!/bin/sh
# Draws the pictures of docs/pictures.md into a folder with the cute-layout on
# the PATH: sh docs/pictures/generate.sh docs/pictures
set -eu
out=$1

draw() { # NAME ARGUMENTS...
  name=$1
  shift
  cute-layout show --svg "$@" -o "$out/$name.svg"
}

draw hierarchy '((2,2),(2,4)):((1,4),(2,8))'
draw divided 'zipped_divide((8,6):(1,8), (2,3))'
draw banks --element=f16 'S<2,3,3> o 0 o (8,32):(32,1)'
draw ldmatrix --element=f16 SM75_U32x1_LDSM_N
draw mma SM80_16x8x8_F32F16F16F32_TN
