// What a message about narrow copies asks for is what makes them wide.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

!in = !cute.tensor<f16, gmem, align<16>, "(32,16):(?{i64},1)">
!in8 = !cute.tensor<f16, gmem, align<16>, "(32,16):(?{i64 div=8},1)">
!out = !cute.tensor<f16, gmem, align<16>, "(32,16):(16,1)">

gpu.module @m {
  // CHECK: promises.mlir:[[@LINE+10]]:5: warning: 'cute.autovec_copy' op moves 2 bytes at once where 16 lie side by side: the source needs align<16>, and has align<2>, for want of ?{div=8} in the stride of mode 0
  // PTX-LABEL: .entry narrow(
  // PTX: ld.global.{{[bu]}}16
  gpu.func @narrow(%A: !in, %B: !out) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %from = cute.local_partition(%A, %threads, %thread)
    %to = cute.local_partition(%B, %threads, %thread)
    %r = cute.make_fragment_like(%from)
    cute.autovec_copy(%from, %r)
    cute.autovec_copy(%r, %to)
    gpu.return
  }

  // PTX-LABEL: .entry wide(
  // PTX-NOT: ld.global.{{[bu]}}16
  // PTX: ld.global.v{{[24]}}
  gpu.func @wide(%A: !in, %B: !out) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %A8 = cute.assume(%A) : !in -> !in8
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %from = cute.local_partition(%A8, %threads, %thread)
    %to = cute.local_partition(%B, %threads, %thread)
    %r = cute.make_fragment_like(%from)
    cute.autovec_copy(%from, %r)
    cute.autovec_copy(%r, %to)
    gpu.return
  }
}
