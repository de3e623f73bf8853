// Reductions and scans over the threads of a warp or block.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @collective(
func.func @collective(%v: vector<2xbf16>, %i: i32, %x: f64, %b: !cute.tensor<f64, smem, align<8>, "4:1">) {
  // GENERIC: "cute.warp_sync"() : () -> ()
  // CHECK: cute.warp_sync{{$}}
  cute.warp_sync
  // GENERIC: "cute.warp_sync"() <{mask = 255 : i32}> : () -> ()
  // CHECK: cute.warp_sync<255>
  cute.warp_sync<255>
  // GENERIC: "cute.warp_reduce"(%{{.*}}) <{kind = "max", width = 4 : i32}> : (vector<2xbf16>) -> vector<2xbf16>
  // CHECK: cute.warp_reduce<"max", 4> (%{{.*}}) : (vector<2xbf16>) -> vector<2xbf16>
  %0 = cute.warp_reduce<"max", 4> (%v)
  // CHECK: cute.warp_reduce<"xor"> (%{{.*}}) : (i32) -> i32
  %1 = cute.warp_reduce<"xor"> (%i) : (i32) -> i32
  // GENERIC: "cute.warp_scan"(%{{.*}}) <{kind = "add"}> : (i32) -> i32
  // CHECK: cute.warp_scan<"add"> (%{{.*}}) : (i32) -> i32
  %2 = cute.warp_scan<"add"> (%i)
  // GENERIC: "cute.block_reduce"(%{{.*}}, %{{.*}}) <{kind = "minnum"}> : (f64, !cute.tensor
  // CHECK: cute.block_reduce<"minnum"> (%{{.*}}, %{{.*}}) : (f64, !cute.tensor<f64, smem, align<8>, "4:1">) -> f64
  %3 = cute.block_reduce<"minnum"> (%x, %b)
  return
}
