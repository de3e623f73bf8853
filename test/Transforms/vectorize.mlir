// RUN: cute-opt %s --cute-vectorize 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: cute-opt %s --cute-vectorize --cute-vectorize 2>/dev/null >%t.twice
// RUN: cute-opt %s --cute-vectorize 2>/dev/null | diff - %t.twice

// Eight elements of mode 0 at a time.
// REMARK: vectorize.mlir:[[@LINE+9]]:3: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @values
// CHECK: %[[A:.*]] = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
// CHECK: %[[S:.*]] = cute.composition{{.*}} -> !cute.tensor<f16, gmem, align<16>, "((8,2),4):((1,8),?{div=8})">
// CHECK: %[[D:.*]] = cute.composition{{.*}} -> !cute.tensor<f16, rmem, align<16>, "((8,2),4):((1,8),16)">
// CHECK: cute.copy(%[[A]], %[[S]], %[[D]])
// CHECK-NOT: cute.copy(
func.func @values(%s: !cute.tensor<f16, gmem, align<16>, "((1,16),4):((0,1),?{div=8})">, %d: !cute.tensor<f16, rmem, align<16>, "((1,16),4):((0,1),16)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d)
  return
}

// The mode with stride 1 comes last, so that both are read in another order; the
// alignment of 8 bytes allows 4 elements.
// REMARK: remark: accesses 64 bits at a time
// CHECK-LABEL: func.func @last
// CHECK: cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
// CHECK: cute.select<[2, 1]>
// CHECK: cute.copy({{.*}}gmem, align<8>, "((4,2),4):((1,4),100)">, !cute.tensor<f16, rmem, align<16>, "((4,2),4):((4,16),1)">
func.func @last(%s: !cute.tensor<f16, gmem, align<8>, "(1,4,8):(0,100,1)">, %d: !cute.tensor<f16, rmem, align<16>, "(1,4,8):(0,1,4)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d)
  return
}

// Modes side by side in both memories are taken together.
// REMARK: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @both
// CHECK: cute.copy({{.*}}uint128_t{{.*}}gmem, align<16>, "((4,1),3):((1,0),8)">, !cute.tensor<f32, smem, align<16>, "((4,1),3):((1,0),4)">
func.func @both(%s: !cute.tensor<f32, gmem, align<16>, "(1,2,2,3):(0,1,2,8)">, %d: !cute.tensor<f32, smem, align<16>, "(1,2,2,3):(0,1,2,4)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
  cute.copy(%a, %s, %d)
  return
}

// cp.async has 4, 8 and 16 bytes.
// REMARK: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @async
// CHECK: cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>", f32>
func.func @async(%s: !cute.tensor<f32, gmem, align<16>, "(1,8):(0,1)">, %d: !cute.tensor<f32, smem, align<16>, "(1,8):(0,1)">) {
  %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>", f32>
  cute.copy(%a, %s, %d)
  return
}

// Elements beside each other have one predicate: their coordinates differ in the
// second component only, which like the bound is a multiple of 4.
// REMARK: remark: accesses 64 bits at a time
// CHECK-LABEL: func.func @predicate
// CHECK: %[[Q:.*]] = cute.make_predicate({{.*}}) : (!cute.coord_tensor<"(?,?{div=4})", "(2,2):(4@1,1@0)">
// CHECK: cute.copy({{.*}}, %[[Q]]) :
func.func @predicate(%s: !cute.tensor<f16, gmem, align<16>, "(1,2,8):(0,?{div=4},1)">, %d: !cute.tensor<f16, rmem, align<16>, "(1,2,8):(0,8,1)">, %c: !cute.coord_tensor<"(?,?{div=4})", "(2,8):(1@0,1@1)">, %b: !cute.shape<"(?,?{div=4})">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  %p = cute.make_predicate(%c, %b)
  cute.copy(%a, %s, %d, %p)
  return
}

// A bound that is any number may fall between them.
// REMARK: remark: keeps its accesses of 16 bits: its predicate may differ between them
// CHECK-LABEL: func.func @bound
// CHECK: cute.copy({{.*}}uint16_t
func.func @bound(%s: !cute.tensor<f16, gmem, align<16>, "(1,2,8):(0,?{div=4},1)">, %d: !cute.tensor<f16, rmem, align<16>, "(1,2,8):(0,8,1)">, %c: !cute.coord_tensor<"(?,?{div=4})", "(2,8):(1@0,1@1)">, %b: !cute.shape<"(?,?)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  %p = cute.make_predicate(%c, %b)
  cute.copy(%a, %s, %d, %p)
  return
}

// Registers that are one for all of a mode.
// REMARK: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @one_for_all
// CHECK: vector.shuffle {{.*}} [0, 8] : vector<16xi1>
func.func @one_for_all(%s: !cute.tensor<f16, gmem, align<16>, "(1,8,2):(0,1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(1,8,2):(0,1,8)">, %p: !cute.tensor<i1, rmem, align<16>, "(8,2):(0,1)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d, %p)
  return
}

// REMARK: remark: keeps its accesses of 16 bits: source of UniversalCopy<uint32_t> needs 2 f16 elements side by side, aligned to 4 bytes{{.*}}aligned to 2 bytes
// REMARK: remark: keeps its accesses of 16 bits: {{.*}}the strides of
// REMARK: remark: keeps its accesses of 16 bits: no mode of both tensors has stride 1 in memory
// REMARK: remark: keeps its accesses of 16 bits: {{.*}}swizzle keeps 1 together
// REMARK: remark: keeps its accesses of 32 bits: the modes of source and destination cannot be divided into the same ones
// REMARK: remark: keeps its accesses of 16 bits: the extents of the modes side by side are no multiples of 2, nor multiply to it
// REMARK-NOT: remark
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: cute.copy({{.*}}uint16_t
// CHECK-COUNT-1: cute.copy({{.*}}uint32_t
// CHECK-COUNT-3: cute.copy(
// CHECK-NOT: cute.copy(
func.func @kept(%one: !cute.tensor<f16, gmem, align<2>, "(1,8):(0,1)">, %odd: !cute.tensor<f16, gmem, align<16>, "(1,8,2):(0,1,?)">, %far: !cute.tensor<f16, gmem, align<16>, "(1,8):(0,2)">, %swizzled: !cute.tensor<f16, smem, align<16>, "S<3,0,3> o 0 o (1,8):(0,1)">, %f: !cute.tensor<f32, gmem, align<16>, "(1,6,4):(0,1,8)">, %three: !cute.tensor<f16, gmem, align<16>, "(1,3,3):(0,1,3)">, %wide: !cute.tensor<f16, gmem, align<16>, "(8):(1)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  %b = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f32>
  %w = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
  %l = cute.static : !cute.layout<"(1,8):(0,1)">
  %l2 = cute.static : !cute.layout<"(1,8,2):(0,1,8)">
  %l3 = cute.static : !cute.layout<"(1,4,6):(0,1,5)">
  %l4 = cute.static : !cute.layout<"(8):(1)">
  %r = cute.make_fragment<f16> (%l)
  %r2 = cute.make_fragment<f16> (%l2)
  %r3 = cute.make_fragment<f32> (%l3)
  %l5 = cute.static : !cute.layout<"(1,3,3):(0,1,3)">
  %r5 = cute.make_fragment<f16> (%l5)
  %r4 = cute.make_fragment<f16> (%l4)
  cute.copy(%a, %one, %r)
  cute.copy(%a, %odd, %r2)
  cute.copy(%a, %far, %r)
  cute.copy(%a, %swizzled, %r)
  cute.copy(%b, %f, %r3)
  cute.copy(%a, %three, %r5)
  // As wide as can be, and registers to registers: nothing to say.
  cute.copy(%w, %wide, %r4)
  cute.copy(%a, %r, %r)
  return
}

// Hints for caches stay: words become vectors of four; a prefetch into L2 stays
// what it is.
// REMARK: remark: accesses 128 bits at a time
// REMARK: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @cached
// CHECK: cute.static : !cute.copy_atom<"SM50_LOAD_NC<uint128_t>", f32>
// CHECK: cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_L2_128B<uint128_t>", f32>
func.func @cached(%s: !cute.tensor<f32, gmem, align<16>, "((1,4)):((0,1))">, %r: !cute.tensor<f32, rmem, align<16>, "((1,4)):((0,1))">, %d: !cute.tensor<f32, smem, align<16>, "((1,4)):((0,1))">) {
  %a = cute.static : !cute.copy_atom<"SM50_LOAD_NC<uint32_t>", f32>
  %b = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_L2_128B<uint32_t>", f32>
  cute.copy(%a, %s, %r)
  cute.copy(%b, %s, %d)
  return
}

// Modes of one tensor are divided as those of the other are.
// REMARK: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @divided
// CHECK: cute.copy({{.*}}gmem, align<16>, "((8,1),3):((1,0),16)">, !cute.tensor<f16, smem, align<16>, "((8,1),3):((1,0),8)">
func.func @divided(%s: !cute.tensor<f16, gmem, align<16>, "(1,8,3):(0,1,16)">, %d: !cute.tensor<f16, smem, align<16>, "(1,(2,4),3):(0,(1,2),8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d)
  return
}

// Threes side by side are as many elements as any, in registers where these
// continue, too.
// REMARK: remark: accesses 64 bits at a time
// REMARK: remark: keeps its accesses of 16 bits: the extents of the modes side by side are no multiples of 2, nor multiply to it
// CHECK-LABEL: func.func @threes
// CHECK: cute.copy({{.*}}gmem, align<16>, "((4,3)):((1,4))">, !cute.tensor<f16, rmem, align<16>, "((4,3)):((1,4))">
func.func @threes(%s: !cute.tensor<f16, gmem, align<16>, "(1,3,4):(0,1,3)">, %d: !cute.tensor<f16, rmem, align<16>, "(1,3,4):(0,1,3)">, %e: !cute.tensor<f16, rmem, align<16>, "(1,3,4):(0,1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d)
  cute.copy(%a, %s, %e)
  return
}

// A dynamic extent is divided by what divides it; other ones stay.
// REMARK: remark: accesses 128 bits at a time
// REMARK: remark: accesses 64 bits at a time
// REMARK: remark: accesses 128 bits at a time
// CHECK-LABEL: func.func @dynamic
// CHECK: cute.copy({{.*}}gmem, align<16>, "(8,?):(1,8)">, !cute.tensor<f16, smem, align<16>, "(8,?):(1,8)">
// CHECK: cute.copy({{.*}}gmem, align<16>, "(4,?{div=2}):(1,4)">, !cute.tensor<f16, smem, align<16>, "(4,?):(1,4)">
// CHECK: cute.copy({{.*}}gmem, align<16>, "((8,1),?):((1,0),?{div=8})">
func.func @dynamic(%s: !cute.tensor<f16, gmem, align<16>, "(1,?{div=8}):(0,1)">, %d: !cute.tensor<f16, smem, align<16>, "(1,?{div=8}):(0,1)">, %e: !cute.tensor<f16, smem, align<16>, "(1,?{div=4}):(0,1)">, %g: !cute.tensor<f16, gmem, align<16>, "(1,8,?):(0,1,?{div=8})">, %h: !cute.tensor<f16, smem, align<16>, "(1,8,?):(0,1,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d)
  cute.copy(%a, %s, %e)
  cute.copy(%a, %g, %h)
  return
}

// A predicate has extent 1 for a dynamic one, and is not divided.
// REMARK: remark: keeps its accesses of 16 bits: it has a predicate and a dynamic number of accesses
// CHECK-LABEL: func.func @dynamic_predicate
// CHECK: cute.copy({{.*}}uint16_t
func.func @dynamic_predicate(%s: !cute.tensor<f16, gmem, align<16>, "(1,8,?):(0,1,8)">, %d: !cute.tensor<f16, smem, align<16>, "(1,8,?):(0,1,8)">, %p: !cute.tensor<i1, rmem, align<16>, "(8,1):(0,0)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  cute.copy(%a, %s, %d, %p)
  return
}

// Coordinates are divided as the elements are.
// REMARK: remark: accesses 64 bits at a time
// CHECK-LABEL: func.func @divided_predicate
// CHECK: cute.make_predicate({{.*}}"((2,2)):((4@1,1@0))">
func.func @divided_predicate(%s: !cute.tensor<f16, gmem, align<16>, "(1,8,2):(0,1,8)">, %d: !cute.tensor<f16, rmem, align<16>, "(1,(4,2),2):(0,(1,4),8)">, %c: !cute.coord_tensor<"(?,?{div=4})", "(8,2):(1@1,1@0)">, %b: !cute.shape<"(?,?{div=4})">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", f16>
  %p = cute.make_predicate(%c, %b)
  cute.copy(%a, %s, %d, %p)
  return
}
