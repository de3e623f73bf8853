// Copies that move less at once than lies side by side.
// RUN: cute-opt %s --cute-lint 2>&1 >/dev/null | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark: --implicit-check-not=error:

gpu.module @m {
  // The rows begin at multiples of an unknown pitch.
  // CHECK: vectors.mlir:[[@LINE+10]]:5: warning: 'cute.autovec_copy' op source reads 256 sectors of global memory where 16 would do
  // CHECK: vectors.mlir:[[@LINE+9]]:5: warning: 'cute.autovec_copy' op moves 2 bytes at once where 16 lie side by side: the source needs align<16>, and has align<2>, for want of ?{div=8} in the stride of mode 0 of the tensor that it is part of
  // CHECK: note: if it holds, promise it with cute.assume{{$}}
  gpu.func @pitch(%A: !cute.tensor<f16, gmem, align<16>, "(32,8):(?{i64},1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %part = cute.local_partition(%A, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    cute.autovec_copy(%part, %r)
    gpu.return
  }

  // As the message says.
  // CHECK: vectors.mlir:[[@LINE+10]]:5: warning: 'cute.autovec_copy' op source reads 32 sectors of global memory where 16 would do
  gpu.func @pitch_mended(%A: !cute.tensor<f16, gmem, align<16>, "(32,8):(?{i64},1)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %A8 = cute.assume(%A) : !cute.tensor<f16, gmem, align<16>, "(32,8):(?{i64},1)">
        -> !cute.tensor<f16, gmem, align<16>, "(32,8):(?{i64 div=8},1)">
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %part = cute.local_partition(%A8, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    cute.autovec_copy(%part, %r)
    gpu.return
  }

  // The alignment of the whole, and a stride within a thread's part.
  // CHECK: vectors.mlir:[[@LINE+6]]:5: warning: 'cute.autovec_copy' op moves 4 bytes at once where 16 lie side by side: the source needs align<16>, and has align<4>; the source needs ?{div=4} in the stride of mode 1
  // CHECK: note: if it holds, promise it with cute.assume{{$}}
  gpu.func @base(%A: !cute.tensor<f32, gmem, align<4>, "(4,2):(1,?)">) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %layout = cute.static : !cute.layout<"(4,2):(1,4)">
    %s = cute.make_fragment<f32> (%layout)
    cute.autovec_copy(%A, %s)
    gpu.return
  }

  // An atom that is narrower than what its threads have side by side; and
  // copies by elements.
  // CHECK: vectors.mlir:[[@LINE+16]]:5: remark: 'cute.copy' op source reads
  // CHECK: vectors.mlir:[[@LINE+15]]:5: warning: 'cute.copy' op moves 4 bytes at once where 16 lie side by side{{$}}
  // CHECK: note: a copy atom of 128 bits moves as much
  // CHECK: vectors.mlir:[[@LINE+14]]:5: remark: 'cute.basic_copy' op source reads
  // CHECK: vectors.mlir:[[@LINE+13]]:5: warning: 'cute.basic_copy' op moves 4 bytes at once where 16 lie side by side{{$}}
  // CHECK: note: cute.autovec_copy moves as much as it can
  gpu.func @narrow(%A: !cute.tensor<f32, gmem, align<16>, "128:1">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
    %threads = cute.static : !cute.layout<"32:1">
    %values = cute.static : !cute.layout<"4:1">
    %copy = cute.make_tiled_copy(%atom, %threads, %values)
    %part = cute.partition_s(%copy, %A, %thread)
    %r = cute.make_fragment_like(%part)
    cute.copy(%copy, %part, %r)
    cute.basic_copy(%part, %r)
    gpu.return
  }

  // A pitch of 33 leaves the rows unaligned whatever is promised; behind a
  // condition that nobody knows is the way for what is not aligned.
  // CHECK: vectors.mlir:[[@LINE+14]]:7: warning: 'cute.autovec_copy' op source reads 128 sectors
  // CHECK: vectors.mlir:[[@LINE+15]]:5: warning: 'cute.basic_copy' op source reads 128 sectors
  gpu.func @no_help(%A: !cute.tensor<f32, gmem, align<16>, "(32,4):(33,1)">,
                    %B: !cute.tensor<f32, gmem, align<16>, "(32,4):(?,1)">,
                    %aligned: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %threads = cute.static : !cute.layout<"(32,1):(1,0)">
    %part = cute.local_partition(%A, %threads, %thread)
    %part_B = cute.local_partition(%B, %threads, %thread)
    %r = cute.make_fragment_like(%part)
    scf.if %aligned {
    } else {
      cute.autovec_copy(%part_B, %r)
    }
    cute.basic_copy(%part, %r)
    gpu.return
  }
}
