// Copies lower to accesses of the atom's size, predicates to branches.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @copies {
  // Four accesses of four floats, 32 elements apart in memory, side by side in
  // registers.
  // CHECK-LABEL: gpu.func @vectors(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64}, %[[Q:.*]]: !llvm.ptr<1>
  // CHECK: llvm.load %[[P]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: %[[P1:.*]] = llvm.getelementptr %[[P]][32] {{.*}}, f32
  // CHECK: %[[F1:.*]] = llvm.getelementptr %{{[0-9]+}}[4] {{.*}}, f32
  // CHECK: %[[V:.*]] = llvm.load %[[P1]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: llvm.store %[[V]], %[[F1]] {
  // PTX-LABEL: .entry vectors(
  // PTX: ld.global.v4.b32
  // PTX: ld.global.v4.b32 {{.*}}+128];
  // PTX: ld.global.v4.b32 {{.*}}+256];
  // PTX: ld.global.v4.b32 {{.*}}+384];
  // PTX-COUNT-4: st.global.v4.b32
  // PTX-NOT: st.global
  gpu.func @vectors(%s: !cute.tensor<f32, gmem, align<16>, "(4,4):(1,32)">, %d: !cute.tensor<f32, gmem, align<16>, "(4,4):(1,4)">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    %f = cute.make_fragment_like (%s)
    cute.copy(%a, %s, %f)
    cute.copy(%a, %f, %d)
    gpu.return
  }

  // The fragment's modes lie the other way round than memory's: what is one load
  // is put into registers element by element.
  // CHECK-LABEL: gpu.func @scattered(
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
  // CHECK: %[[E0:.*]] = llvm.extractelement %[[V]][
  // CHECK: llvm.store %[[E0]], %[[F:[0-9]+]] {alignment = 4 : i64} : f32
  // CHECK: %[[E1:.*]] = llvm.extractelement %[[V]][
  // CHECK: %[[G:.*]] = llvm.getelementptr %[[F]][3]
  // CHECK: llvm.store %[[E1]], %[[G]] {alignment = 4 : i64} : f32
  gpu.func @scattered(%s: !cute.tensor<f32, gmem, align<8>, "(2,3):(1,2)">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    %l = cute.static : !cute.layout<"(2,3):(3,1)">
    %f = cute.make_fragment<f32> (%l)
    cute.copy(%a, %s, %f)
    gpu.return
  }

  // One predicate for each access; a false one leaves the destination alone.
  // CHECK-LABEL: gpu.func @predicated(
  // CHECK: %[[P0:.*]] = llvm.load %[[P:[0-9]+]] {alignment = 1 : i64} : !llvm.ptr -> i1
  // CHECK: scf.if %[[P0]] {
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: {{^ *[}]}}
  // CHECK: %[[A1:.*]] = llvm.getelementptr %[[P]][1]
  // CHECK: %[[P1:.*]] = llvm.load %[[A1]] {alignment = 1 : i64} : !llvm.ptr -> i1
  // CHECK: scf.if %[[P1]] {
  // CHECK: scf.if
  // CHECK-NOT: scf.if
  // PTX-LABEL: .entry predicated(
  // PTX-NOT: .local
  // PTX: setp.{{(lt|gt|eq)}}.s32 %{{p[0-9]+}}, %[[N:r[0-9]+]], {{[01]}};
  // PTX: ret;
  gpu.func @predicated(%s: !cute.tensor<f16, gmem, align<4>, "(2,3):(1,2)">, %d: !cute.tensor<f16, gmem, align<4>, "(2,3):(1,2)">, %n: !cute.shape<"?">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "3:1">
    %p = cute.make_predicate(%c, %n)
    %f = cute.make_fragment_like (%s)
    cute.clear(%f)
    cute.copy(%a, %s, %f, %p)
    cute.copy(%a, %f, %d)
    gpu.return
  }

  // A tiled copy of 64 elements by 16 threads, two each: thread t has elements
  // 2 t and 2 t + 1, and those 32 on.
  // CHECK-LABEL: gpu.func @tiled(
  // PTX-LABEL: .entry tiled(
  // PTX: mov.u32 %[[T:r[0-9]+]], %tid.x;
  // PTX: shl.b32 %[[T2:r[0-9]+]], %[[T]], 1;
  // PTX: mul.wide.u32 %{{.*}}, %[[T2]], 4;
  // PTX: ld.global.{{(v2.b32|b64)}} {{.*}}, [%[[A:rd[0-9]+]]];
  // PTX: ld.global.{{(v2.b32|b64)}} {{.*}}, [%[[A]]+128];
  // PTX: st.global.{{(v2.b32|b64)}} [%[[B:rd[0-9]+]]],
  // PTX: st.global.{{(v2.b32|b64)}} [%[[B]]+128],
  // PTX: ret;
  gpu.func @tiled(%s: !cute.tensor<f32, gmem, align<16>, "(64):(1)">, %d: !cute.tensor<f32, gmem, align<16>, "(64):(1)">) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    %t = cute.static : !cute.layout<"16:1">
    %v = cute.static : !cute.layout<"2:1">
    %c = cute.make_tiled_copy(%a, %t, %v)
    %ps = cute.partition_s(%c, %s, %i)
    %pd = cute.partition_d(%c, %d, %i)
    %f = cute.make_fragment_like (%ps)
    cute.copy(%c, %ps, %f)
    cute.copy(%c, %f, %pd)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @groups(
  // CHECK-NEXT: nvvm.cp.async.commit.group
  // CHECK-NEXT: nvvm.cp.async.wait.group 2
  // CHECK-NEXT: gpu.return
  gpu.func @groups() kernel {
    cute.cp_async_commit
    cute.cp_async_wait<2>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @wait_all(
  // CHECK-NEXT: llvm.inline_asm has_side_effects "cp.async.wait_all;"
  // CHECK-NEXT: gpu.return
  // PTX-LABEL: .entry wait_all(
  // PTX: cp.async.wait_all;
  gpu.func @wait_all() kernel {
    cute.cp_async_wait_all
    gpu.return
  }

  // As @tiled, from the layout that its threads and values make.
  // CHECK-LABEL: gpu.func @by_layout_tv(
  // PTX-LABEL: .entry by_layout_tv(
  // PTX: ld.global.{{(v2.b32|b64)}} {{.*}}, [%[[A:rd[0-9]+]]];
  // PTX: ld.global.{{(v2.b32|b64)}} {{.*}}, [%[[A]]+128];
  gpu.func @by_layout_tv(%s: !cute.tensor<f32, gmem, align<16>, "(64):(1)">, %d: !cute.tensor<f32, gmem, align<16>, "(64):(1)">, %i: i32) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    %l = cute.static : !cute.layout<"(16,2):(2,1)">
    %tile = cute.static : !cute.shape<"(32)">
    %c = cute.make_tiled_copy(%a, %l, %tile)
    %t = cute.static : !cute.layout<"16:1">
    %v = cute.static : !cute.layout<"2:1">
    %ctv = cute.make_tiled_copy_tv(%a, %t, %v)
    %ps = cute.partition_s(%c, %s, %i)
    %pd = cute.partition_d(%ctv, %d, %i)
    %f = cute.make_fragment_like (%ps)
    cute.copy(%c, %ps, %f)
    cute.copy(%ctv, %f, %pd)
    gpu.return
  }

  // copy_if is a predicated copy; its predicate has one element for all rests.
  // CHECK-LABEL: gpu.func @broadcast_predicate(
  // CHECK-COUNT-3: scf.if
  // CHECK-NOT: scf.if
  // PTX-LABEL: .entry broadcast_predicate(
  // PTX: setp
  // PTX-NOT: setp
  // PTX: ret;
  gpu.func @broadcast_predicate(%s: !cute.tensor<f16, gmem, align<16>, "(8,3):(1,64)">, %d: !cute.tensor<f16, gmem, align<16>, "(8,3):(1,8)">, %n: !cute.shape<"?">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "3:0">
    %p = cute.make_predicate(%c, %n)
    %p0 = cute.get_iter(%p)
    %all = cute.static : !cute.layout<"(1,3):(0,0)">
    %q = cute.make_tensor(%p0, %all)
    cute.copy_if(%a, %q, %s, %d)
    gpu.return
  }

  // A loop over dynamic extents, of two accesses each.
  // CHECK-LABEL: gpu.func @dynamic(
  // CHECK: scf.for
  // CHECK-COUNT-2: llvm.load {{.*}} -> vector<4xf32>
  // CHECK-NOT: llvm.load
  // CHECK: gpu.return
  // PTX-LABEL: .entry dynamic(
  // PTX: ld.global.v4.b32
  // PTX: ld.global.v4.b32
  gpu.func @dynamic(%s: !cute.tensor<f32, gmem, align<16>, "((4,2),?):((1,4),?{div=4})">, %d: !cute.tensor<f32, gmem, align<16>, "((4,2),?):((1,4),8)">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    cute.copy(%a, %s, %d)
    gpu.return
  }

  // Two dynamic modes, and a predicate that is the same for all of them.
  // CHECK-LABEL: gpu.func @dynamic_predicated(
  // CHECK-SAME: %{{.*}}: !llvm.ptr<1> {{[^,]*}}, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[DM:.*]]: i32, %[[DN:.*]]: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32) kernel
  // CHECK: %[[MN:.*]] = arith.muli %[[M]], %[[N]]
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: arith.remsi %[[I]], %[[M]]
  // CHECK: llvm.load {{.*}} -> i1
  // CHECK: scf.if
  // CHECK: nvvm.cp.async.shared.global
  // CHECK-NOT: nvvm.cp.async.shared.global
  // PTX-LABEL: .entry dynamic_predicated(
  // PTX: cp.async.ca.shared.global
  gpu.func @dynamic_predicated(%s: !cute.tensor<f32, gmem, align<4>, "(1,?,?):(1,?,?)">, %l: !cute.layout<"(1,?,?):(0,1,2)">, %n: !cute.shape<"?">) kernel {
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", f32>
    %m = cute.static : !cute.layout<"16:1">
    %memory = cute.alloc_smem<f32, 16> (%m)
    %d0 = cute.get_iter(%memory)
    %d = cute.make_tensor(%d0, %l)
    %c = cute.static : !cute.coord_tensor<"0", "(1,1,1):(0,0,0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy(%a, %s, %d, %p)
    gpu.return
  }

  // Five modes, counted from the first; the other side has two.
  // CHECK-LABEL: gpu.func @rank5(
  // CHECK: llvm.load %arg0 {alignment = 8 : i64}
  // CHECK: llvm.getelementptr %arg0[100]
  // CHECK: llvm.getelementptr %arg1[4]
  // CHECK: llvm.getelementptr %arg0[200]
  // CHECK: llvm.getelementptr %arg1[8]
  // CHECK: llvm.getelementptr %arg0[20]
  // CHECK: llvm.getelementptr %arg1[12]
  // CHECK-COUNT-9: llvm.load
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry rank5(
  gpu.func @rank5(%s: !cute.tensor<f16, gmem, align<8>, "(4,3,2,1,2):(1,100,20,7,400)">, %d: !cute.tensor<f16, gmem, align<8>, "(4,12):(1,4)">) kernel {
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
    cute.copy(%a, %s, %d)
    gpu.return
  }

  // Atoms that take as much as they can at once.
  // CHECK-LABEL: gpu.func @whole(
  // CHECK-COUNT-4: llvm.load {{.*}} -> f16
  // CHECK: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
  // CHECK: llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf16>
  // CHECK-COUNT-2: llvm.load {{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
  // CHECK-NOT: llvm.load
  // PTX-LABEL: .entry whole(
  gpu.func @whole(%s: !cute.tensor<f16, gmem, align<8>, "4:1">, %u: !cute.tensor<f16, gmem, align<2>, "4:1">, %d: !cute.tensor<f16, gmem, align<16>, "4:1">) kernel {
    %one = cute.static : !cute.copy_atom<"DefaultCopy", f16>
    cute.copy(%one, %s, %d)
    %auto = cute.static : !cute.copy_atom<"AutoVectorizingCopy", f16>
    cute.copy(%auto, %s, %d)
    %assumed = cute.static : !cute.copy_atom<"AutoVectorizingCopyWithAssumedAlignment<64>", f16>
    cute.copy(%assumed, %u, %d)
    %narrow = cute.static : !cute.copy_atom<"AutoVectorizingCopyWithAssumedAlignment<32>", f16>
    cute.copy(%narrow, %u, %d)
    gpu.return
  }

  // A predicate makes these go element by element.
  // CHECK-LABEL: gpu.func @whole_predicated(
  // CHECK-COUNT-2: scf.if
  // CHECK-NOT: scf.if
  // PTX-LABEL: .entry whole_predicated(
  gpu.func @whole_predicated(%s: !cute.tensor<f16, gmem, align<8>, "2:1">, %d: !cute.tensor<f16, gmem, align<16>, "2:1">, %n: !cute.shape<"?">) kernel {
    %auto = cute.static : !cute.copy_atom<"AutoVectorizingCopy", f16>
    %c = cute.static : !cute.coord_tensor<"0", "2:1">
    %p = cute.make_predicate(%c, %n)
    cute.copy_if(%auto, %p, %s, %d)
    gpu.return
  }

  // A and B through ldmatrix in the order in which the MMA reads them, C as pairs
  // of neighbours: a 32x16 tile of either is one x4 for a warp, C has 8 values in
  // 4 pairs.
  // CHECK-LABEL: gpu.func @for_mma(
  // CHECK-COUNT-2: nvvm.ldmatrix {{.*}}num = 4
  // CHECK-NOT: nvvm.ldmatrix
  // CHECK-COUNT-2: nvvm.mma.sync
  // CHECK-NOT: nvvm.mma.sync
  // CHECK: gpu.return
  // PTX-LABEL: .entry for_mma(
  // PTX-COUNT-2: ldmatrix.sync.aligned.m8n8.x4
  // PTX-COUNT-2: mma.sync.aligned.m16n8k16
  // PTX-COUNT-4: st.global.v2
  gpu.func @for_mma(%C: !cute.tensor<f32, gmem, align<16>, "(32,32):(32,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
    %l = cute.static : !cute.layout<"(32,16):(16,1)">
    %A = cute.alloc_smem<f16, 16> (%l)
    %B = cute.alloc_smem<f16, 16> (%l)
    %ld = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    %pA = cute.partition_a(%m, %A, %i)
    %rA = cute.make_fragment_a(%m, %pA)
    %cA = cute.make_tiled_copy_a(%ld, %m)
    %sA = cute.partition_s(%cA, %A, %i)
    %dA = cute.retile(%cA, %rA)
    cute.copy(%cA, %sA, %dA)
    %pB = cute.partition_b(%m, %B, %i)
    %rB = cute.make_fragment_b(%m, %pB)
    %cB = cute.make_tiled_copy_b(%ld, %m)
    %sB = cute.partition_s(%cB, %B, %i)
    %dB = cute.retile(%cB, %rB)
    cute.copy(%cB, %sB, %dB)
    %pC = cute.partition_c(%m, %C, %i)
    %rC = cute.make_fragment_c(%m, %pC)
    cute.clear(%rC)
    cute.gemm(%m, %rC, %rA, %rB, %rC)
    %st = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
    %cC = cute.make_tiled_copy_c(%st, %m)
    %dC = cute.partition_d(%cC, %C, %i)
    %sC = cute.retile(%cC, %rC)
    cute.copy(%cC, %sC, %dC)
    gpu.return
  }

  // The indices of a thread are 16 bits in each of two rows, of its quad's half of
  // the columns.
  // CHECK-LABEL: gpu.func @metadata(
  // CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<1> -> i16
  // CHECK-NOT: llvm.load {{.*}} : !llvm.ptr<1>
  // CHECK: gpu.return
  gpu.func @metadata(%E: !cute.tensor<ui2, gmem, align<16>, "(16,16):(16,1)">, %i: i32) kernel {
    %m = cute.static : !cute.tiled_mma<"SM80_SPARSE_16x8x32_F32F16F16F32_TN", "(1,1,1):(0,0,0)", "[_;_;_]">
    %ld = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", ui2>
    %p = cute.partition_operand<"E"> (%m, %E, %i)
    %r = cute.make_fragment_operand<"E"> (%m, %p)
    %c = cute.make_tiled_copy_operand<"E"> (%ld, %m)
    %s = cute.partition_s(%c, %E, %i)
    %d = cute.retile(%c, %r)
    cute.copy(%c, %s, %d)
    gpu.return
  }
}
