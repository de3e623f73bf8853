// Lanes that exchange numbers through shared memory wait for one another.
// RUN: cutec %s --arch=sm_80 -o - | FileCheck %s
// RUN: cute-run --device=sim %s --grid=1 'i32[32]:poison' --check 'A[i] = 31 - i'
// RUN: sed /warp_sync/d %s > %t.mlir
// RUN: not cute-run --device=sim %t.mlir --grid=1 'i32[32]:poison' 2>&1 | FileCheck %s --check-prefix=RACE

// CHECK: st.shared.b32
// CHECK: bar.warp.sync -1;
// CHECK: ld.shared.b32
// CHECK: bar.warp.sync 65535;
// RACE: race: {{.*}}
// RACE: cute.warp_sync, if only lanes of one warp share it

gpu.module @m {
  gpu.func @k(%A: !cute.tensor<i32, gmem, align<4>, "32:1">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c31 = arith.constant 31 : i32
    %c16 = arith.constant 16 : i32
    %lane = cute.lane_idx
    %s = cute.alloc_smem<i32, 16> (32:1)
    cute.store(%lane, %s, %lane)
    cute.warp_sync
    %other = arith.subi %c31, %lane : i32
    %x = cute.load(%s, %other)
    cute.store(%x, %A, %lane)
    %is_low = arith.cmpi slt, %lane, %c16 : i32
    scf.if %is_low {
      cute.warp_sync<65535>
    }
    gpu.return
  }
}
