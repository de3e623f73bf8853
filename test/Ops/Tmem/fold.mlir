// A copy of tensor memory is a constant where the tensor's layout is static.
// RUN: cute-opt %s --cute-fold-static | FileCheck %s

// CHECK-LABEL: func.func @copy
// CHECK-NOT: cute.make_tmem_copy
// CHECK: cute.static : !cute.tiled_copy<"SM100_TMEM_LOAD_32dp32b8x", f32, "((32,4),(8,32)):((0,1),(128,4))", "[(4,32):(32,1);8:1]">
func.func @copy(%t: !cute.tensor<f32, tmem, align<16>, "(128,64):(65536,1)">) -> !cute.tiled_copy<"SM100_TMEM_LOAD_32dp32b8x", f32, "((32,4),(8,32)):((0,1),(128,4))", "[(4,32):(32,1);8:1]"> {
  %a = cute.static : !cute.copy_atom<"SM100_TMEM_LOAD_32dp32b8x", f32>
  %c = cute.make_tmem_copy(%a, %t)
  return %c : !cute.tiled_copy<"SM100_TMEM_LOAD_32dp32b8x", f32, "((32,4),(8,32)):((0,1),(128,4))", "[(4,32):(32,1);8:1]">
}
