// A predicated tile is the ops that it is short for.
// RUN: cute-opt %s --cute-expand-tiles | FileCheck %s

!copy = !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">

// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[COPY:[a-z0-9]+]]: !cute.tiled_copy{{.*}}, %[[A:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[AT:[a-z0-9]+]]: !cute.coord<"(?,?,?)">, %[[I:[a-z0-9]+]]: i32)
func.func @tile(%copy: !copy, %A: !matrix, %at: !cute.coord<"(?,?,?)">, %i: i32) -> (!cute.tensor<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{div=128},0)">, !cute.tensor<i1, rmem, align<16>, "(4,1):(1,0)">) {
  // CHECK: %[[TILER:.*]] = cute.static : !cute.shape<"(64,8,64)">
  // CHECK: %[[TILE:.*]] = cute.local_tile<"(1,_,1)"> (%[[A]], %[[TILER]], %[[AT]])
  // CHECK: %[[PART:.*]] = cute.partition_s(%[[COPY]], %[[TILE]], %[[I]])
  // CHECK: %[[ID:.*]] = cute.make_identity_tensor(%[[A]])
  // CHECK: %[[CTILE:.*]] = cute.local_tile<"(1,_,1)"> (%[[ID]], %[[TILER]], %[[AT]])
  // CHECK: %[[CPART:.*]] = cute.partition_s(%[[COPY]], %[[CTILE]], %[[I]])
  // CHECK: %[[FIRST:.*]] = cute.static : !cute.coord<"(0,_,_)">
  // CHECK: %[[COORDS:.*]] = cute.slice(%[[CPART]], %[[FIRST]])
  // CHECK: %[[PREDICATE:.*]] = cute.make_predicate(%[[COORDS]], %[[A]])
  // CHECK-NOT: cute.predicated
  // CHECK: return %[[PART]], %[[PREDICATE]]
  %p, %q = cute.predicated_tile_s<"(1,_,1)"> (%copy, %A, (64,8,64), %at, %i)
  return %p, %q : !cute.tensor<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{div=128},0)">, !cute.tensor<i1, rmem, align<16>, "(4,1):(1,0)">
}

// An atom with several values at places of its own: mode 0 keeps its accesses.
// CHECK-LABEL: func.func @accesses(
func.func @accesses(%A: !cute.tensor<f16, gmem, align<16>, "(?,?{div=8}):(?{div=8},1)">, %i: i32) {
  // CHECK: cute.partition_d
  // CHECK: cute.static : !cute.coord<"((0,_),_,_)">
  %copy = cute.make_tiled_copy(!cute.copy_atom<"UniversalCopy<uint32_t>", f16>, (16,8):(8,1), (1,8):(0,1))
  %p, %q = cute.predicated_tile_d(%copy, %A, (64,64), (0,0), %i)
  cute.clear(%p)
  %v = cute.load_vector(%q)
  return
}

// A tile at an origin: also of the coordinates, and a lower bound where they may be less than 0.
// CHECK-LABEL: func.func @origin(
// CHECK-SAME: %[[COPY:[a-z0-9]+]]: !cute.tiled_copy{{.*}}, %[[A:[a-z0-9]+]]: !cute.tensor{{.*}}, %[[I:[a-z0-9]+]]: i32)
func.func @origin(%copy: !copy, %A: !matrix, %i: i32) {
  // CHECK: %[[ORIGIN:.*]] = cute.make_coord(%[[I]])
  // CHECK: %[[MOVED:.*]] = cute.domain_offset(%[[ORIGIN]], %[[A]])
  // CHECK: cute.local_tile (%[[MOVED]],
  // CHECK: %[[ID:.*]] = cute.make_identity_tensor(%[[A]])
  // CHECK: %[[COORDS:.*]] = cute.domain_offset(%[[ORIGIN]], %[[ID]])
  // CHECK: cute.local_tile (%[[COORDS]],
  // CHECK: %[[LOWER:.*]] = cute.static : !cute.coord<"(0,_)">
  // CHECK: cute.make_predicate(%{{.*}}, %[[A]], %[[LOWER]])
  %p, %q = cute.predicated_tile_s(%copy, %A, (64,64), (0,0), %i, (%i,8))
  cute.clear(%q)
  // CHECK: cute.make_predicate(%{{.*}}, %[[A]]) :
  %r, %s = cute.predicated_tile_d(%copy, %A, (64,64), (0,0), %i, (16,8))
  cute.clear(%s)
  return
}
