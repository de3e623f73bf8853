// One lane down in tensor memory: which targets have it, and that the simulator refuses it by name.
// RUN: cutec %s --arch=sm_100a -o - | FileCheck %s --check-prefix=PTX
// RUN: sed 's/shift<1>/shift<2>/; s/commit<1>/commit<2>/' %s > %t.mlir && cutec %t.mlir --arch=sm_103a -o - | FileCheck %s --check-prefix=TWO
// RUN: %if ptxas %{ cutec %s --arch=sm_100a -o %t.ptx && ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
// RUN: %if ptxas %{ cutec %t.mlir --arch=sm_110a -o %t.ptx && ptxas -arch=sm_110a %t.ptx -o %t.cubin %}
// RUN: not cutec %s --arch=sm_100f -o %t.ptx 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cutec %s --arch=sm_120a -o %t.ptx 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cute-run %s --arch=sm_100a --device=sim 'i64[1]:zeros' 2>&1 | FileCheck %s --check-prefix=SIMULATOR

// PTX: tcgen05.shift.cta_group::1.down [%r{{[0-9]+}}];
// PTX: tcgen05.commit.cta_group::1
// TWO: tcgen05.shift.cta_group::2.down
// OTHER: error: cute.tmem_shift needs one of sm_100a, sm_101a, sm_103a, sm_110a, but the code is for sm_{{100f|120a}}
// SIMULATOR: error: the simulator does not know llvm.nvvm.tcgen05.shift.down.cg1

gpu.module @m {
  gpu.func @shift(%O: !cute.tensor<i64, gmem, align<8>, "1:1">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %address = cute.thread_idx
    %slots = cute.alloc_smem<i64, 8> (1:1)
    %p = cute.make_ptr(%address) : (i32) -> !cute.ptr<f32, tmem, align<16>>
    cute.tmem_shift<1> (%p)
    %barrier = cute.get_iter(%slots)
    cute.tcgen05_commit<1> (%barrier)
    gpu.return
  }
}
