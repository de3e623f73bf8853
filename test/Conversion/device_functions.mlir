// Functions of a gpu.module that kernels call are lowered with them; in PTX there are
// none left whose calls are all inlined.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - --emit=ptx | FileCheck %s --check-prefix=PTX --implicit-check-not=.func

gpu.module @m {
  // CHECK: func.func @at(%{{.*}}: !llvm.struct<(struct<(i32, i32)>, struct<(i32, i32)>)>, %{{.*}}: i32) -> i32
  func.func @at(%l: !cute.layout<"(?,?):(?,?)">, %c: !cute.coord<"?">) -> !cute.int_tuple<"?"> {
    %0 = cute.layout_eval(%c, %l) : (!cute.coord<"?">, !cute.layout<"(?,?):(?,?)">) -> !cute.int_tuple<"?">
    return %0 : !cute.int_tuple<"?">
  }
  // CHECK: gpu.func @kernel
  // CHECK: func.call @at(%{{.*}}, %{{.*}}) : (!llvm.struct<(struct<(i32, i32)>, struct<(i32, i32)>)>, i32) -> i32
  // CHECK: llvm.getelementptr
  // PTX: .entry kernel
  gpu.func @kernel(%t: !cute.tensor<i32, gmem, align<4>, "64:1">, %l: !cute.layout<"(?,?):(?,?)">, %i: i32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %r = func.call @at(%l, %c) : (!cute.layout<"(?,?):(?,?)">, !cute.coord<"?">) -> !cute.int_tuple<"?">
    %v = cute.get_scalars (%r) : !cute.int_tuple<"?">
    cute.store(%v, %t, %c) : i32, !cute.tensor<i32, gmem, align<4>, "64:1">, !cute.coord<"?">
    gpu.return
  }
}
