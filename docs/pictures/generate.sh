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
draw ldmatrix --element=f16 SM75_U32x4_LDSM_N
draw copy '!cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">'
draw tiled_mma '!cute.tiled_mma<"SM80_16x8x8_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;16:1;8:1]">'
draw mma SM80_16x8x8_F32F16F16F32_TN

# All of them on one page, which fits a phone and a screen.
{
  cat <<'TEXT'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pictures of layouts</title>
<style>
body{margin:0 auto;max-width:1500px;padding:16px;font-family:system-ui,sans-serif;background:#fff;color:#0f172a}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr));gap:24px}
figure{margin:0;border:1px solid #94a3b8;border-radius:6px;padding:8px;overflow:hidden}
img{width:100%;height:auto}
figcaption{padding:8px;line-height:1.4}
@media (prefers-color-scheme:dark){body{background:#0f172a;color:#f8fafc}}
</style>
</head>
<body>
<h1>Pictures of layouts</h1>
<p>Drawn by <code>cute-layout show</code>. A tap on a picture shows it alone, with
tooltips that say coordinate, thread and value.</p>
<main>
TEXT
  while read -r name caption; do
    printf '<figure><a href="%s.svg"><img src="%s.svg" alt="%s"></a>\n<figcaption>%s</figcaption></figure>\n' \
      "$name" "$name" "$caption" "$caption"
  done <<'TEXT'
hierarchy A layout of two levels: colours grow with the index, heavier rules stand where an outer coordinate changes.
divided A tiling: rows are the tile, columns are where the tiles are.
banks Shared memory under a swizzle: colours are banks.
mma An MMA atom: A left of C, B above it.
tiled_mma Four warps of it: each has a shade.
ldmatrix ldmatrix.x4: four matrices of 8 x 8, by the threads that have their addresses and by the threads that get them.
copy A tiled copy: each thread moves 16 bytes, one cell.
TEXT
  printf '</main>\n</body>\n</html>\n'
} >"$out/gallery.html"
