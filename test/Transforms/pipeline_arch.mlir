// Stages that an architecture has shared memory for, where allocations after
// the loop take bytes of those before.
// RUN: cute-opt %s --cute-pipeline=arch=sm_86 -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: cute-opt %s --cute-pipeline --cute-share-smem -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: cutec %s --arch=sm_86 --passes=cute-optimize -o /dev/null 2>&1 | FileCheck %s --check-prefix=CODE --implicit-check-not=error:

!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f32>
!bits = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", i4>
!matrix = !cute.tensor<f32, gmem, align<16>, "(128,64,?):(64,1,8192)">
!nibbles = !cute.tensor<i4, gmem, align<16>, "(128,512,?):(512,1,65536)">

gpu.module @m {
  // 32 KiB a stage, and as many after the loop, which reuse a stage.
  // CHECK: pipeline_arch.mlir:[[@LINE+13]]:5: remark: the loop has 3 stages
  // ANY: the loop has 3 stages
  // CODE: the loop has 3 stages
  gpu.func @after(%A: !matrix, %B: !matrix) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = cute.thread_idx
    %s = cute.alloc_smem<f32, 128> ((128,64):(64,1))
    %copy = cute.make_tiled_copy(!async, (8,16):(16,1), (1,4):(0,1))
    %write = cute.partition_d(%copy, %s, %t)
    %read = cute.partition_s(%copy, %s, %t)
    %r = cute.make_fragment_like(%read)
    %sum = cute.make_fragment_like(%read)
    cute.clear(%sum)
    %n = cute.size<[2]> (%A)
    for %k in 0..%n {
      cute.copy(%copy, cute.partition_s(%copy, %A[_,_,%k], %t), %write)
      cute.cp_async_wait_all
      gpu.barrier
      cute.basic_copy(%read, %r)
      %x = cute.load_vector(%r) + cute.load_vector(%sum)
      cute.store_vector(%x, %sum)
      gpu.barrier
    }
    %other = cute.alloc_smem<f32, 128> ((128,64):(64,1))
    cute.basic_copy(%sum, cute.partition_d(%copy, %other, %t))
    gpu.barrier
    cute.basic_copy(cute.partition_s(%copy, %other, %t), cute.partition_d(%copy, %B[_,_,0], %t))
    gpu.return
  }

  // Another loop is around it: what comes after takes no bytes.
  // CHECK: pipeline_arch.mlir:[[@LINE+15]]:7: remark: 3 stages do not fit into the shared memory of sm_86
  // CHECK: pipeline_arch.mlir:[[@LINE+14]]:7: remark: the loop has 2 stages
  // ANY: the loop has 3 stages
  // CODE: the loop has 2 stages
  gpu.func @nested(%A: !matrix, %B: !matrix) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = cute.thread_idx
    %s = cute.alloc_smem<f32, 128> ((128,64):(64,1))
    %copy = cute.make_tiled_copy(!async, (8,16):(16,1), (1,4):(0,1))
    %write = cute.partition_d(%copy, %s, %t)
    %read = cute.partition_s(%copy, %s, %t)
    %r = cute.make_fragment_like(%read)
    %sum = cute.make_fragment_like(%read)
    cute.clear(%sum)
    %n = cute.size<[2]> (%A)
    for %again in 0..2 {
      for %k in 0..%n {
        cute.copy(%copy, cute.partition_s(%copy, %A[_,_,%k], %t), %write)
        cute.cp_async_wait_all
        gpu.barrier
        cute.basic_copy(%read, %r)
        %x = cute.load_vector(%r) + cute.load_vector(%sum)
        cute.store_vector(%x, %sum)
        gpu.barrier
      }
    }
    %other = cute.alloc_smem<f32, 128> ((128,64):(64,1))
    cute.basic_copy(%sum, cute.partition_d(%copy, %other, %t))
    gpu.barrier
    cute.basic_copy(cute.partition_s(%copy, %other, %t), cute.partition_d(%copy, %B[_,_,0], %t))
    gpu.return
  }

  // Elements of 4 bits share no bytes, but are stages, too; no two fit.
  // CHECK: pipeline_arch.mlir:[[@LINE+14]]:5: remark: the loop is not pipelined: 'scf.for' with 2 stages the kernel needs 131072 bytes of shared memory; a block on sm_86 has at most 101376
  // ANY: the loop has 3 stages
  // CODE: takes 32768 bytes of an allocation that is no longer used
  gpu.func @nibbles(%A: !nibbles, %B: !nibbles) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = cute.thread_idx
    %s = cute.alloc_smem<i4, 128> ((128,512):(512,1))
    %s2 = cute.alloc_smem<i4, 128> ((128,512):(512,1))
    %copy = cute.make_tiled_copy(!bits, (8,16):(16,1), (1,32):(0,1))
    %write = cute.partition_d(%copy, %s, %t)
    %write2 = cute.partition_d(%copy, %s2, %t)
    %read = cute.partition_s(%copy, %s, %t)
    %read2 = cute.partition_s(%copy, %s2, %t)
    %n = cute.size<[2]> (%A)
    %r = cute.make_fragment_like(%read)
    for %k in 0..%n {
      cute.copy(%copy, cute.partition_s(%copy, %A[_,_,%k], %t), %write)
      cute.copy(%copy, cute.partition_s(%copy, %B[_,_,%k], %t), %write2)
      cute.cp_async_wait_all
      gpu.barrier
      cute.basic_copy(%read, %r)
      cute.basic_copy(%read2, %r)
      gpu.barrier
    }
    gpu.return
  }
}
