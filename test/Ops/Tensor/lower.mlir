// Tensors lower to a pointer in the space's address space; layouts to nothing.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @tensors {
  // A view of the pointer at a stride: element (i, 3) is i + 3 * 8 elements on.
  // CHECK-LABEL: gpu.func @view(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64}, %[[I:.*]]: i32, %[[X:.*]]: f32
  // CHECK: %[[E:.*]] = llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  // CHECK: %[[F:.*]] = llvm.getelementptr %[[E]][24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  // CHECK: llvm.store %[[X]], %[[F]] {alignment = 4 : i64} : f32, !llvm.ptr<1>
  // PTX-LABEL: .entry view(
  // PTX: st.global.b32 [%{{.*}}+96], %{{.*}};
  gpu.func @view(%p: !cute.ptr<f32, gmem, align<16>>, %i: i32, %x: f32) kernel {
    %l = cute.static : !cute.layout<"(8,4):(1,8)">
    %t = cute.make_tensor(%p, %l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,3)">
    cute.store(%x, %t, %c) : f32, !cute.tensor<f32, gmem, align<16>, "(8,4):(1,8)">, !cute.coord<"(?,3)">
    gpu.return
  }

  // The pointer of a tensor, seen in another way.
  // CHECK-LABEL: gpu.func @recast_view(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
  // CHECK: llvm.getelementptr %[[P]][7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  gpu.func @recast_view(%t: !cute.tensor<f32, gmem, align<16>, "(8,4):(1,8)">) kernel {
    %p = cute.get_iter(%t)
    %l = cute.static : !cute.layout<"(8,4):(4,1)">
    %u = cute.make_tensor(%p, %l)
    %c = cute.static : !cute.coord<"(1,3)">
    %v = cute.load(%u, %c)
    cute.store(%v, %u, %c) : f32, !cute.tensor<f32, gmem, align<16>, "(8,4):(4,1)">, !cute.coord<"(1,3)">
    gpu.return
  }

  // The origin of coordinates is integers: that of a part is the thread's.
  // CHECK-LABEL: gpu.func @origin(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{.*}}, %[[I:.*]]: i32)
  // CHECK: %[[C:.*]] = arith.constant 8 : i32
  // CHECK: %[[X:.*]] = arith.muli %[[I]], %[[C]]
  // CHECK: llvm.store %[[X]],
  // PTX-LABEL: .entry origin(
  // PTX: shl.b32 %[[X:.*]], %{{.*}}, 3;
  // PTX: st.global.b32 [{{.*}}], %[[X]];
  gpu.func @origin(%t: !cute.tensor<i32, gmem, align<4>, "1:0">, %i: i32) kernel {
    %s = cute.static : !cute.shape<"(64,4)">
    %c = cute.make_identity_tensor(%s)
    %tile = cute.static : !cute.shape<"(8,4)">
    %at = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
    %part = cute.local_tile(%c, %tile, %at)
    %o = cute.get_iter(%part)
    %row, %column = cute.get_scalars (%o)
    %z = cute.static : !cute.coord<"0">
    cute.store(%row, %t, %z) : i32, !cute.tensor<i32, gmem, align<4>, "1:0">, !cute.coord<"0">
    gpu.return
  }

  // Fragments are stack slots of all elements, which LLVM turns into registers.
  // CHECK-LABEL: gpu.func @fragment(
  // CHECK: %[[N:.*]] = arith.constant 8 : i32
  // CHECK: llvm.alloca %[[N]] x bf16 {alignment = 16 : i64} : (i32) -> !llvm.ptr
  // PTX-LABEL: .entry fragment(
  // PTX-NOT: .local
  // PTX: st.global.b16
  gpu.func @fragment(%t: !cute.tensor<bf16, gmem, align<4>, "?:1">) kernel {
    %s = cute.static : !cute.shape<"(4,2)">
    %f = cute.make_fragment<bf16> (%s)
    cute.clear(%f)
    %c = cute.static : !cute.coord<"(1,1)">
    %v = cute.load(%f, %c)
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %t, %z) : bf16, !cute.tensor<bf16, gmem, align<4>, "?:1">, !cute.coord<"0">
    gpu.return
  }

  // An allocation is a part of one global of shared memory.
  // CHECK-LABEL: gpu.func @shared(
  // CHECK: %[[B:.*]] = llvm.mlir.addressof @shared_smem : !llvm.ptr<3>
  // CHECK: llvm.getelementptr %[[B]][%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
  // PTX-LABEL: .entry shared(
  // PTX: st.shared.b16
  // PTX: ld.shared.b16 %{{.*}}, [shared_smem+14];
  gpu.func @shared(%x: f16, %i: i32, %t: !cute.tensor<f16, gmem, align<2>, "64:1">) kernel {
    %l = cute.static : !cute.layout<"64:1">
    %s = cute.alloc_smem<f16, 128> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.store(%x, %s, %c) : f16, !cute.tensor<f16, smem, align<128>, "64:1">, !cute.coord<"?">
    gpu.barrier
    %d = cute.static : !cute.coord<"7">
    %v = cute.load(%s, %d)
    cute.store(%v, %t, %c) : f16, !cute.tensor<f16, gmem, align<2>, "64:1">, !cute.coord<"?">
    gpu.return
  }

  // Swizzled shared memory: S<2,0,3> xors bits 3-4 of the index into bits 0-1,
  // also at a dynamic coordinate.
  // CHECK-LABEL: gpu.func @swizzled(
  // CHECK: %[[B:.*]] = llvm.mlir.addressof @swizzled_smem
  // CHECK: %[[M:.*]] = arith.constant 24 : i32
  // CHECK: %[[A:.*]] = arith.andi %[[I:.*]], %[[M]]
  // CHECK: %[[S:.*]] = arith.constant 3 : i32
  // CHECK: %[[H:.*]] = arith.shrui %[[A]], %[[S]]
  // CHECK: %[[X:.*]] = arith.xori %[[I]], %[[H]]
  // CHECK: llvm.getelementptr %[[B]][%[[X]]]
  gpu.func @swizzled(%x: f32, %i: i32) kernel {
    %l = cute.static : !cute.composed_layout<"S<2,0,3> o 0 o 32:1">
    %s = cute.alloc_smem<f32, 128> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    cute.store(%x, %s, %c) : f32, !cute.tensor<f32, smem, align<128>, "S<2,0,3> o 0 o 32:1">, !cute.coord<"?">
    gpu.return
  }

  // What lies above the bits of a swizzle stays outside of it, though nothing is
  // known of the index: elements a multiple of 32 apart share the xor.
  // PTX-LABEL: .entry swizzled_alike(
  // PTX-COUNT-1: xor.b32
  // PTX-NOT: xor.b32
  // PTX: st.shared.b32 [%[[P:[a-z0-9]+]]],
  // PTX: st.shared.b32 [%[[P]]+128],
  // PTX: st.shared.b32 [%[[P]]+384],
  gpu.func @swizzled_alike(%x: f32, %i: i32) kernel {
    %l = cute.static : !cute.composed_layout<"S<2,0,3> o 0 o 128:1">
    %s = cute.alloc_smem<f32, 128> (%l)
    %c32 = arith.constant 32 : i32
    %c96 = arith.constant 96 : i32
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %t = cute.domain_offset(%c, %s)
    %d1 = cute.static : !cute.coord<"0">
    %d2 = cute.static : !cute.coord<"32">
    %d3 = cute.static : !cute.coord<"96">
    cute.store(%x, %t, %d1)
    cute.store(%x, %t, %d2)
    cute.store(%x, %t, %d3)
    gpu.return
  }

  // An assumption costs nothing and lets 16 bytes move at once.
  // CHECK-LABEL: gpu.func @assume(
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // PTX-LABEL: .entry assume(
  // PTX: ld.global.v4.b32
  gpu.func @assume(%t: !cute.tensor<f32, gmem, align<4>, "(4,?):(1,?)">, %u: !cute.tensor<f32, gmem, align<16>, "4:1">, %i: i32) kernel {
    %a = cute.assume(%t) : !cute.tensor<f32, gmem, align<4>, "(4,?):(1,?)"> -> !cute.tensor<f32, gmem, align<16>, "(4,?):(1,?{div=4})">
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %s = cute.slice(%a, %c)
    %f = cute.make_fragment_like (%s)
    %atom = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
    cute.copy(%atom, %s, %f)
    cute.copy(%atom, %f, %u)
    gpu.return
  }

  // The layout of a tensor is its parameters, an element of the identity its
  // coordinate: here column 2 of row 1 is compared with the bound.
  // CHECK-LABEL: gpu.func @layout_and_coords(
  // CHECK-SAME: !llvm.ptr<1>{{.*}}, %[[M:.*]]: i32, %[[D:.*]]: i32, %[[B:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>
  // CHECK: llvm.store %[[M]], %[[OUT]]
  // CHECK: llvm.store %[[D]], %[[OUT]]
  // CHECK: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: arith.cmpi slt, %[[C2]], %[[B]] : i32
  gpu.func @layout_and_coords(%t: !cute.tensor<f32, gmem, align<4>, "(?,4):(1,?)">, %bound: !cute.shape<"(4,?)">, %out: !llvm.ptr<1>) kernel {
    %l = cute.get_layout(%t)
    %x:2 = cute.get_scalars<{only_dynamic}> (%l)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    %s = cute.static : !cute.shape<"(2,3)">
    %i = cute.make_identity_tensor(%s)
    %p = cute.make_predicate(%i, %bound)
    %c = cute.static : !cute.coord<"(1,2)">
    %v = cute.load(%p, %c)
    llvm.store %v, %out : i1, !llvm.ptr<1>
    gpu.return
  }

  // An offset moves the pointer, that of a swizzled tensor the coordinates.
  // CHECK-LABEL: gpu.func @domain_offset(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[D:.*]]: i32, %[[I:.*]]: i32
  // CHECK: %[[O:.*]] = arith.muli %[[I]], %[[D]] : i32
  // CHECK: llvm.getelementptr %[[P]][%[[O]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  // CHECK: llvm.getelementptr %{{.*}}[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  gpu.func @domain_offset(%t: !cute.tensor<f32, gmem, align<4>, "(8,4):(?,1)">, %i: i32, %x: f32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,2)">
    %r = cute.domain_offset(%c, %t)
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %r, %z) : f32, !cute.tensor<f32, gmem, align<4>, "(8,4):(?,1)">, !cute.coord<"0">
    gpu.return
  }

  // Two halves at once.
  // CHECK-LABEL: gpu.func @recast_tensor(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[X:.*]]: i32
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  // CHECK: llvm.store %[[X]], %[[Q]] {alignment = 4 : i64} : i32, !llvm.ptr<1>
  gpu.func @recast_tensor(%t: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,8)">, %x: i32) kernel {
    %r = cute.recast_tensor<i32> (%t)
    %c = cute.static : !cute.coord<"(1,1)">
    cute.store(%x, %r, %c) : i32, !cute.tensor<i32, gmem, align<16>, "(4,4):(1,4)">, !cute.coord<"(1,1)">
    gpu.return
  }

  // Of a number below 128 the quotient and remainder by 8 are bits, and their
  // swizzle is without a sign.
  // CHECK-LABEL: gpu.func @assume_range(
  // CHECK-SAME: %[[I:.*]]: i32, %[[OUT:.*]]: !llvm.ptr<1>)
  // CHECK-NOT: arith.remsi
  // CHECK-NOT: arith.divsi
  // CHECK-DAG: arith.andi %[[I]], %{{.*}} : i32
  // CHECK-DAG: arith.shrui %[[I]], %{{.*}} : i32
  // CHECK: gpu.return
  gpu.func @assume_range(%i: i32, %out: !llvm.ptr<1>) kernel {
    %w = cute.assume_range<0, 127> (%i)
    %s = cute.static : !cute.shape<"(8,16)">
    %c = cute.idx2crd(%w, %s)
    %x:2 = cute.get_scalars(%c) : !cute.coord<"(?,?)">
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
