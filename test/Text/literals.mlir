// Literals in place of operands are ops that make them, before the
// statement.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?,1)">
!atom = !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">

// CHECK-LABEL: func.func @tuples(
// CHECK-SAME: %[[A:[^:]+]]: !cute.tensor{{.*}}, %[[M:[^:]+]]: i32, %[[N:[^:]+]]: index, %[[K:[^:]+]]: i64, %[[Q:[^:]+]]: 
func.func @tuples(%A: !matrix, %m: i32, %n: index, %k: i64, %q: !cute.int_tuple<"?{div=4}">) {
  // The kind is one that the operand admits.
  // CHECK-NEXT: %[[SHAPE:.*]] = cute.static : !cute.shape<"(128,64)">
  // CHECK-NEXT: %[[COORD:.*]] = cute.make_coord(%[[M]], %[[N]]) : (i32, index) -> !cute.coord<"(?,?)">
  // CHECK-NEXT: cute.local_tile (%[[A]], %[[SHAPE]], %[[COORD]])
  %a = cute.local_tile(%A, (128, 64), (%m, %n))
  // On several lines, with `_`, and a value of 64 bits.
  // CHECK-NEXT: cute.static : !cute.shape<"(128,64,32)">
  // CHECK-NEXT: cute.make_coord(%[[M]], %[[K]]) : (i32, i64) -> !cute.coord<"(?,_,?{i64})">
  // CHECK-NEXT: cute.local_tile<"(1,_,1)">
  %b = cute.local_tile<"(1,_,1)"> (%A,
      (128, 64, 32), // a comment
      (%m, _,
       %k))
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape(%[[M]]) : (i32) -> !cute.shape<"(4,?)">
  // CHECK-NEXT: %[[D:.*]] = cute.static : !cute.stride<"(1,4)">
  // CHECK-NEXT: %[[L:.*]] = cute.make_layout(%[[S]], %[[D]])
  %l = cute.make_layout((4,%m), (1,4))
  // Int tuples that are integers: what is known of them stays, and static ones
  // are numbers.
  // CHECK-NEXT: %[[EIGHT:.*]] = cute.static : !cute.int_tuple<"8">
  // CHECK-NEXT: cute.make_int_tuple(%[[Q]], %[[K]]) : (!cute.int_tuple<"?{div=4}">, i64) -> !cute.int_tuple<"(8,?{div=4},(?{i64},-3))">
  // CHECK-NEXT: cute.print
  %eight = cute.static : !cute.int_tuple<"8">
  cute.print((%eight,%q,(%k,-3)))
  // One integer, and the operands of an op that takes several kinds.
  // CHECK-NEXT: cute.static : !cute.coord<"5">
  // CHECK-NEXT: cute.static : !cute.shape<"(4,8)">
  // CHECK-NEXT: cute.crd2idx
  %i = cute.crd2idx(5, (4,8))
  // CHECK-NEXT: cute.static : !cute.coord<"(_,1)">
  // CHECK-NEXT: cute.slice
  %x = cute.slice(%l, (_, 1))
  // A tuple with `_` in a tiler's place is a tile, as in CuTe.
  // CHECK-NEXT: cute.static : !cute.tile<"[_;2:1]">
  // CHECK-NEXT: cute.logical_divide
  %y = cute.logical_divide(%l, (_, 2))
  // CHECK-NEXT: cute.make_tile(%[[M]]) : (i32) -> !cute.tile<"[?:1;_]">
  // CHECK-NEXT: cute.logical_divide
  %z = cute.logical_divide(%l, (%m, _))
  return
}

// CHECK-LABEL: func.func @others(
func.func @others(%A: !matrix, %m: i32) {
  // CHECK: cute.static : !cute.tile<"[128:1;64:2]">
  // CHECK: cute.make_coord
  // CHECK: cute.local_tile
  %h = cute.local_tile(%A, [128:1;64:2], (%m, 0))
  // CHECK: cute.make_tile(%{{.*}}) : (i32) -> !cute.tile<"[?:1;_]">
  cute.print([%m:1;_])
  // CHECK: cute.static : !cute.layout<"(4,8):(1,4)">
  cute.print((4,8):(1,4))
  // CHECK: cute.static : !cute.swizzle<"S<3,4,3>">
  cute.print(S<3,4,3>)
  // A type says all of a value; it may be an alias.
  // CHECK: cute.static : !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
  // CHECK: cute.static : !cute.layout<"(2,2,1):(1,2,0)">
  // CHECK: cute.static : !cute.shape<"(32,32,16)">
  // CHECK: cute.make_tiled_mma
  %mma = cute.make_tiled_mma(!atom, (2,2,1):(1,2,0), (32,32,16))
  // Without strides, as in types, where only a layout fits.
  // CHECK: cute.static : !cute.layout<"(4,8):(1,4)">
  // CHECK: cute.alloc_smem
  %compact = cute.alloc_smem<f32, 16> ((4,8))
  // CHECK: cute.static : !cute.layout<"4:1">
  // CHECK: cute.alloc_smem
  %line = cute.alloc_smem<f32, 16> (4)
  // CHECK: cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
  cute.print(!cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">)
  return
}

// Their values have names of their own.
// CHECK-LABEL: func.func @names(
func.func @names(%$0: i32, %$$1: i32) {
  // CHECK: cute.make_int_tuple(%arg0, %arg1) : (i32, i32) -> !cute.int_tuple<"(?,?)">
  cute.print((%$0,%$$1))
  cute.print(7)
  return
}

// An integer where a tuple is wanted is a literal, too.
// CHECK-LABEL: func.func @integers(
// CHECK-SAME: %[[T:.*]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32, %[[N:[^:]+]]: index
func.func @integers(%t: !cute.tensor<f32, gmem, align<4>, "?:1">, %i: i32, %n: index) {
  // CHECK-NEXT: %[[C:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"?">
  // CHECK-NEXT: cute.load(%[[T]], %[[C]])
  %x = cute.load(%t, %i)
  // CHECK-NEXT: %[[S:.*]] = cute.make_shape(%[[N]]) : (index) -> !cute.shape<"?">
  // CHECK-NEXT: cute.make_layout(%[[S]]) : (!cute.shape<"?">) -> !cute.layout<"?:1">
  %l = cute.make_layout(%n)
  // CHECK: cute.size
  %s = cute.size(%i)
  return
}

// A coordinate after a value makes the operand a slice.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[T:.*]]: !cute.tensor{{.*}}, %[[L:.*]]: !cute.layout{{.*}}, %[[I:.*]]: i32
func.func @slices(%t: !cute.tensor<f32, gmem, align<16>, "(8,4,?):(1,8,?{div=4})">, %l: !cute.layout<"(4,8):(8,1)">, %i: i32) {
  // CHECK-NEXT: %[[C:.*]] = cute.make_coord(%[[I]]) : (i32) -> !cute.coord<"(_,0,?)">
  // CHECK-NEXT: %[[S:.*]] = cute.slice(%[[T]], %[[C]])
  // CHECK-NEXT: %[[F:.*]] = cute.make_fragment_like (%[[S]])
  %f = cute.make_fragment_like(%t[_,0,%i])
  // CHECK-NEXT: %[[C0:.*]] = cute.make_coord(%[[I]])
  // CHECK-NEXT: %[[S0:.*]] = cute.slice(%[[T]], %[[C0]])
  // CHECK-NEXT: %[[C1:.*]] = cute.static : !cute.coord<"_">
  // CHECK-NEXT: %[[S1:.*]] = cute.slice(%[[F]], %[[C1]])
  // CHECK-NEXT: cute.basic_copy(%[[S0]], %[[S1]])
  cute.basic_copy(%t [_, 1, %i], // a comment
      %f[_])
  // CHECK-NEXT: %[[C2:.*]] = cute.static : !cute.coord<"(0,_)">
  // CHECK-NEXT: cute.slice(%[[L]], %[[C2]])
  // CHECK-NEXT: cute.size
  %s = cute.size<[0]> (%l[0,_])
  // CHECK: cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
  %c = cute.cosize(S<3,3,3> o 0 o (8,64):(64,1))
  return
}
