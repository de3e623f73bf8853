// Parameters that are read in a loop and never written, beside others that are.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

!row = !cute.tensor<f32, gmem, align<16>, "?:1">

gpu.module @m {
  // CHECK: read_only.mlir:[[@LINE+2]]:3: remark: 'gpu.func' op only reads parameter 0, in a loop, and writes others: if these do not overlap, promise it with {llvm.noalias, llvm.readonly}
  // CHECK: note: it is read by ld.global.nc then, and loads may come before stores to others
  gpu.func @scale(%A: !row, %B: !row, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c32 = arith.constant 32 : i32
    scf.for %i = %thread to %n step %c32 : i32 {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %x = cute.load(%A, %at)
      %y = arith.addf %x, %x : f32
      cute.store(%y, %B, %at)
    }
    gpu.return
  }

  // The promise is made; what is also written, or what goes elsewhere, is not
  // only read; and outside loops it matters little.
  gpu.func @promised(%A: !row {llvm.noalias, llvm.readonly}, %B: !row, %C: !row, %D: !row, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = cute.thread_idx<"x">
    %c32 = arith.constant 32 : i32
    %zero = cute.static : !cute.coord<"0">
    %pointer = cute.to_llvm_ptr(%C, %zero) : (!row, !cute.coord<"0">) -> !llvm.ptr<1>
    %me = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
    %d = cute.load(%D, %me)
    scf.for %i = %thread to %n step %c32 : i32 {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      %x = cute.load(%A, %at)
      %y = cute.load(%B, %at)
      %z = cute.load(%C, %at)
      %xy = arith.addf %x, %y : f32
      %xyz = arith.addf %xy, %z : f32
      %sum = arith.addf %xyz, %d : f32
      cute.store(%sum, %B, %at)
    }
    gpu.return
  }
}
