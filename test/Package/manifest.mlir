// The manifest: parameters in order with what they are passed as, blocks, grids.
// RUN: cutec %s --arch=sm_90 -o %t.ptx --manifest=%t.json
// RUN: %python %S/Inputs/check_manifest.py %t.json manifest.mlir.tmp.ptx
// Next to the output, if no other place is named; none for standard output.
// RUN: rm -rf %t.folder && mkdir %t.folder
// RUN: cutec %s --arch=sm_90 -o %t.folder/k.ptx
// RUN: %python %S/Inputs/check_manifest.py %t.folder/k.json k.ptx
// RUN: cutec %s --no-manifest -o %t.folder/l.ptx
// RUN: not ls %t.folder/l.json

gpu.module @kernels {
  gpu.func @all(%t: !cute.tensor<bf16, gmem, align<8>, "(?,(4,?{i64})):(?{i64 div=4},(1,?))">, %i: i16, %f: f64, %n: index, %s: !cute.shape<"(?,2)">, %x: !cute.layout<"(4,2):(1,4)">) kernel
      attributes {known_block_size = array<i32: 32, 4, 1>, cute.grid = ["arg1", "ceil_div(arg0.shape[0], 2)"]} {
    gpu.return
  }
  gpu.func @none() kernel {
    gpu.return
  }
  // No kernel: not in the manifest.
  gpu.func @helper(%i: i32) {
    gpu.return
  }
}
