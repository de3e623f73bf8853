// Tensor memory in PTX: a tile goes there and comes back.
// RUN: cutec %s --arch=sm_100a -o - | FileCheck %s
// RUN: %if ptxas %{ cutec %s --arch=sm_100a -o %t.ptx && ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
// RUN: %if ptxas %{ cutec %s --arch=sm_103a -o %t.ptx && ptxas -arch=sm_103a %t.ptx -o %t.cubin %}
// RUN: not cutec %s --arch=sm_90a -o %t.ptx 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not cutec %s --arch=sm_120a -o %t.ptx 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: error: cute.tmem_alloc needs one of sm_100a, sm_100f, {{.*}}sm_110f, but the code is for sm_{{90a|120a}}

gpu.module @tmem {
  // CHECK: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
  // CHECK: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32
  // CHECK: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned
  // CHECK: tcgen05.st.sync.aligned.16x256b.x4.b32
  // CHECK: tcgen05.st.sync.aligned.16x256b.x4.b32
  // CHECK: tcgen05.wait::st.sync.aligned
  // CHECK: tcgen05.ld.sync.aligned.32x32b.x32.b32
  // CHECK: tcgen05.wait::ld.sync.aligned
  // CHECK: tcgen05.fence::before_thread_sync
  // CHECK: tcgen05.fence::after_thread_sync
  // CHECK: tcgen05.dealloc.cta_group::1.sync.aligned.b32
  gpu.func @commit(%B: !cute.tensor<f32, gmem, align<16>, "(1):(1)">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %barrier = cute.get_iter(%barriers)
    cute.tcgen05_commit<1> (%barrier)
    gpu.return
  }
  gpu.func @roundtrip(%A: !cute.tensor<f32, gmem, align<16>, "(128,32):(32,1)">, %B: !cute.tensor<f32, gmem, align<16>, "(128,32):(32,1)">) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = cute.thread_idx
    %slots = cute.alloc_smem<i32, 16> (1:1)
    %slot = cute.get_iter(%slots)
    %c32 = arith.constant 32 : i32
    %isWarp0 = arith.cmpi ult, %thread, %c32 : i32
    scf.if %isWarp0 {
      cute.tmem_alloc<32, 1> (%slot)
      cute.tmem_relinquish<1>
    }
    gpu.barrier
    %address = cute.load(%slots, 0)
    %p = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    %T = cute.make_tensor(%p, (128,32):(65536,1))
    %load = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_LOAD_32dp32b32x", f32>, %T)
    %store = cute.make_tmem_copy(!cute.copy_atom<"SM100_TMEM_STORE_16dp256b4x", f32>, %T)
    %gA = cute.partition_s(%store, %A, %thread)
    %tS = cute.partition_d(%store, %T, %thread)
    %r = cute.make_fragment_like(%gA)
    cute.basic_copy(%gA, %r)
    cute.copy(%store, %r, %tS)
    cute.tmem_wait<"st"> ()
    %tL = cute.partition_s(%load, %T, %thread)
    %gB = cute.partition_d(%load, %B, %thread)
    %q = cute.make_fragment_like(%gB)
    cute.copy(%load, %tL, %q)
    cute.tmem_wait<"ld"> (%q)
    cute.autovec_copy(%q, %gB)
    cute.tcgen05_fence<"before">
    gpu.barrier
    cute.tcgen05_fence<"after">
    scf.if %isWarp0 {
      cute.tmem_dealloc<32, 1> (%p)
    }
    gpu.return
  }
}
