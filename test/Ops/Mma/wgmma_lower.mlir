// Products of a warpgroup: a descriptor is made once of each tile in shared
// memory, and an instruction adds what its step along K is away; sums are tied,
// and stay in registers through loops, which are not unrolled.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not="= cute." --implicit-check-not="{{^ *}}cute."
// RUN: cutec %s --arch=sm_90a -o - | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ cutec %s --arch=sm_90a -o %t.ptx %}
// RUN: %if ptxas %{ %ptxas -v -arch=sm_90a -o /dev/null %t.ptx 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: not cutec %s --arch=sm_90 -o - 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: SM90_64x16x16_F32F16F16_SS<K,K> needs sm_90a, but the code is for sm_90

// PTXAS-NOT: C75
// PTXAS: 0 bytes spill stores

!operand = !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">

gpu.module @products {
  // 1 << 62 (128 bytes), 64 << 32 (8 rows are 1024 bytes), 1 << 16.
  // CHECK-LABEL: gpu.func @steps(
  // CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i32
  // CHECK: arith.shrui %[[ADDRESS]], %{{.*}} : i32
  // CHECK: arith.andi
  // CHECK: arith.extui
  // CHECK: %[[UPPER:.*]] = arith.constant 4611686293305360384 : i64
  // CHECK: arith.ori %{{.*}}, %[[UPPER]] : i64
  // CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
  // CHECK: llvm.inline_asm has_side_effects {cute.tied, cute.tied_adds} "{{.*}}setp.ne.b32 added, $18, 0;{{.*}}wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $16, $17, added, 1, 1, 0, 0;{{.*}}", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,l,l,r"
  // CHECK: llvm.inline_asm has_side_effects {cute.tied} "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $16, $17, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,l,l"
  // PTX-LABEL: .entry steps(
  // PTX: $[[LOOP:L__BB0_[0-9]]]:
  // PTX: .pragma "nounroll";
  // PTX: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {[[SUMS:[^}]*]]}, %{{rd[0-9]+}}, %{{rd[0-9]+}}, added, 1, 1, 0, 0;
  // PTX: or.b64 %{{rd[0-9]+}}, %{{rd[0-9]+}}, 2;
  // PTX: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {[[SUMS]]},
  // PTX: wgmma.commit_group.sync.aligned;
  // PTX-NOT: mov.b32
  // PTX: bra $[[LOOP]];
  gpu.func @steps(%C: !cute.tensor<f32, gmem, align<16>, "(64,16):(16,1)">, %n: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
    %shapeA = cute.static : !cute.shape<"(64,64,4)">
    %shapeB = cute.static : !cute.shape<"(16,64,4)">
    %layoutA = cute.tile_to_shape(%tile, %shapeA)
    %layoutB = cute.tile_to_shape(%tile, %shapeB)
    %sA = cute.alloc_smem<f16, 1024> (%layoutA)
    %sB = cute.alloc_smem<f16, 1024> (%layoutB)
    %atom = cute.static : !cute.mma_atom<"SM90_64x16x16_F32F16F16_SS<K,K>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %dA = cute.make_fragment_a(%mma, %tA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %stage = arith.andi %k, %c3 : i32
      %at = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
      %dA_k = cute.slice(%dA, %at)
      %dB_k = cute.slice(%dB, %at)
      %later = arith.cmpi ne, %k, %c0 : i32
      cute.warpgroup_fence()
      cute.gemm(%mma, %rC, %dA_k, %dB_k, %rC, %later)
      cute.warpgroup_commit
      cute.warpgroup_wait<1> ()
    }
    cute.warpgroup_wait<0> (%rC)
    cute.autovec_copy(%rC, %tC)
    gpu.return
  }

  // A in registers, B with N contiguous: the last flag alone is left.
  // CHECK-LABEL: gpu.func @registers(
  // CHECK: llvm.inline_asm has_side_effects {cute.tied} "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, 1, 1, 1, 1;", "=r,=r,=r,=r,0,1,2,3,r,r,r,r,l"
  // PTX-LABEL: .entry registers(
  // PTX: wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}, {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}}, %{{rd[0-9]+}}, 1, 1, 1, 1;
  gpu.func @registers(%A: !cute.tensor<f16, gmem, align<16>, "(64,16):(16,1)">, %C: !cute.tensor<f16, gmem, align<16>, "(64,16):(16,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %layoutB = cute.static : !cute.composed_layout<"S<1,3,3> o 0 o (16,(8,2)):(1,(16,128))">
    %sB = cute.alloc_smem<f16, 256> (%layoutB)
    %atom = cute.static : !cute.mma_atom<"SM90_64x16x16_F16F16F16_RS<K,MN>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %tA = cute.partition_a(%mma, %A, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %rA = cute.make_fragment_a(%mma, %tA)
    cute.autovec_copy(%tA, %rA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)
    cute.clear(%rC)
    cute.warpgroup_fence(%rC, %rA)
    cute.gemm(%mma, %rC, %rA, %dB, %rC)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%rC)
    cute.autovec_copy(%rC, %tC)
    gpu.return
  }

  // A constant false: the first instruction reads no sums, and what they held
  // before is not kept for it.
  // CHECK-LABEL: gpu.func @overwritten(
  // CHECK: llvm.inline_asm has_side_effects "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, 0, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,l,l" %{{[^,]*}}, %{{[^,]*}} :
  // CHECK: llvm.inline_asm has_side_effects {cute.tied} "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $16, $17, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,l,l"
  gpu.func @overwritten(%C: !cute.tensor<f32, gmem, align<16>, "(64,16):(16,1)">) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %thread = arith.index_cast %t : index to i32
    %tile = cute.static : !cute.composed_layout<"S<2,3,3> o 0 o (8,32):(32,1)">
    %shapeA = cute.static : !cute.shape<"(64,32)">
    %shapeB = cute.static : !cute.shape<"(16,32)">
    %layoutA = cute.tile_to_shape(%tile, %shapeA)
    %layoutB = cute.tile_to_shape(%tile, %shapeB)
    %sA = cute.alloc_smem<f16, 512> (%layoutA)
    %sB = cute.alloc_smem<f16, 512> (%layoutB)
    %atom = cute.static : !cute.mma_atom<"SM90_64x16x16_F32F16F16_SS<K,K>">
    %one = cute.static : !cute.layout<"(1,1,1):(0,0,0)">
    %mma = cute.make_tiled_mma(%atom, %one)
    %tA = cute.partition_a(%mma, %sA, %thread)
    %tB = cute.partition_b(%mma, %sB, %thread)
    %tC = cute.partition_c(%mma, %C, %thread)
    %dA = cute.make_fragment_a(%mma, %tA)
    %dB = cute.make_fragment_b(%mma, %tB)
    %rC = cute.make_fragment_c(%mma, %tC)
    %false = arith.constant false
    cute.warpgroup_fence()
    cute.gemm(%mma, %rC, %dA, %dB, %rC, %false)
    cute.warpgroup_commit
    cute.warpgroup_wait<0> (%rC)
    cute.autovec_copy(%rC, %tC)
    gpu.return
  }
}
