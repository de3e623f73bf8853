#!/bin/sh
# Builds the site: build.sh [--check], from the root of the repository.
# build/site/html can be opened from files or copied to any server. With --check its
# program is compared with build/release/bin/cute-layout, in Node and in Chromium.
set -eu
out=build/site
mkdir -p $out
export NODE_PATH=/usr/share/nodejs # where emcc looks for acorn
emcmake cmake -S . -B $out/wasm -G Ninja -DCUTE_ALGEBRA_ONLY=ON \
  -DCMAKE_BUILD_TYPE=MinSizeRel >$out/cmake.log 2>&1 || { cat $out/cmake.log; exit 1; }
ninja -C $out/wasm cute-layout
[ -x $out/venv/bin/mkdocs ] || python3 -m venv $out/venv
$out/venv/bin/pip install --quiet --requirement site/requirements.txt
rm -rf $out/docs $out/html
python3 site/stage.py . $out
cp $out/wasm/bin/cute-layout.js $out/docs/assets/
$out/venv/bin/mkdocs build --quiet --strict --config-file $out/mkdocs.yml
[ "${1-}" != --check ] ||
  python3 site/check.py $out/html build/release/bin/cute-layout
echo $out/html/index.html
