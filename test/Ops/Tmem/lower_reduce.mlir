// Loads of tensor memory with a maximum or minimum, which sm_103a and sm_110a have.
// RUN: cutec %s --arch=sm_103a -o - | FileCheck %s
// RUN: cutec %s --arch=sm_110a -o - | FileCheck %s
gpu.module @reduce {
  // CHECK-LABEL: .entry reduces
  gpu.func @reduces(%B: !cute.tensor<f32, gmem, align<16>, "(128,64):(64,1)">, %out: !cute.tensor<f32, gmem, align<16>, "1:1">, %address: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx
    %p = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %T = cute.make_tensor(%p, (128,64):(65536,1))
    %load = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b64x", f32>, %T)
    %tT = cute.partition_s(%load, %T, %thread)
    %gB = cute.partition_d(%load, %B, %thread)
    %r = cute.make_fragment_like(%gB)
    // CHECK: tcgen05.ld.red.sync.aligned.32x32b.x64.max.abs.f32
    %v = cute.tmem_load_reduce<"max.abs"> (%load, %tT[_,0,0], %r[_,0,0])
    cute.tmem_wait<"ld"> (%r)
    cute.autovec_copy(%r, %gB)
    cute.store(%v, %out, 0)
    gpu.return
  }
}
