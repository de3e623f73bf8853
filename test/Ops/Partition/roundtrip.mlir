// Pretty and generic forms of local_tile and local_partition, and their types.
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

!matrix = !cute.tensor<f16, gmem, align<16>, "(?,?):(?,1)">

// The tile of A of a tile (M,N,K) is all along K: (M,K,k), with k steps of 32.
// CHECK-LABEL: func.func @tile_of_a
func.func @tile_of_a(%t: !matrix, %c: !cute.coord<"(?,?,_)">) {
  %s = cute.static : !cute.shape<"(128,64,32)">
  // CHECK: cute.local_tile<"(1,_,1)"> (%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}, !cute.shape<"(128,64,32)">, !cute.coord<"(?,?,_)">) -> !cute.tensor<f16, gmem, align<2>, "(128,32,?):(?,1,32)">
  // GENERIC: "cute.local_tile"({{.*}}) <{proj = "(1,_,1)"}>
  %a = cute.local_tile<"(1,_,1)"> (%t, %s, %c)
  // CHECK: cute.local_tile<"(_,1,1)"> ({{.*}}) : ({{.*}}) -> !cute.tensor<f16, gmem, align<2>, "(64,32,?):(?,1,32)">
  %b = cute.local_tile<"(_,1,1)"> (%t, %s, %c)
  // CHECK: cute.local_tile<"(1,1,_)"> ({{.*}}) : ({{.*}}) -> !cute.tensor<f16, gmem, align<2>, "(128,64):(?,1)">
  %d = cute.local_tile<"(1,1,_)"> (%t, %s, %c)
  return
}

// Alignment of the tile: what the known stride of the steps leaves over. Rows of
// 64 elements are multiples of 128 bytes, columns 8 apart of 16 bytes.
// CHECK-LABEL: func.func @alignment
func.func @alignment(%t: !cute.tensor<f16, gmem, align<128>, "(?,64):(64,1)">, %c: !cute.coord<"(?,?)">) {
  %s = cute.static : !cute.shape<"(4,8)">
  // CHECK: cute.local_tile ({{.*}}) : ({{.*}}) -> !cute.tensor<f16, gmem, align<16>, "(4,8):(64,1)">
  %a = cute.local_tile (%t, %s, %c)
  %z = cute.static : !cute.coord<"(0,0)">
  // CHECK: cute.local_tile ({{.*}}) : ({{.*}}) -> !cute.tensor<f16, gmem, align<128>, "(4,8):(64,1)">
  %b = cute.local_tile (%t, %s, %z)
  %o = cute.static : !cute.coord<"(1,3)">
  // Element (4, 24) is 280 elements on, 560 bytes: a multiple of 16.
  // CHECK: cute.local_tile ({{.*}}) : ({{.*}}) -> !cute.tensor<f16, gmem, align<16>, "(4,8):(64,1)">
  %d = cute.local_tile (%t, %s, %o)
  return
}

// Coordinates are tiled like data: tile (m, n) starts at (16 m, 8 n).
// CHECK-LABEL: func.func @coordinates
func.func @coordinates(%t: !cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">) {
  %s = cute.static : !cute.shape<"(16,8)">
  %c = cute.static : !cute.coord<"(2,3)">
  // CHECK: cute.local_tile ({{.*}}) : ({{.*}}) -> !cute.coord_tensor<"(32,24)", "(16,8):(1@0,1@1)">
  %a = cute.local_tile (%t, %s, %c)
  return
}

// Thread i of 8x8, row-major: rows and columns 8 apart.
// CHECK-LABEL: func.func @threads
func.func @threads(%t: !cute.tensor<f32, smem, align<16>, "(32,8):(8,1)">, %i: i32) {
  %l = cute.static : !cute.layout<"(8,8):(8,1)">
  // CHECK: cute.local_partition (%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}, !cute.layout<"(8,8):(8,1)">, i32) -> !cute.tensor<f32, smem, align<4>, "(4,1):(64,0)">
  // GENERIC: "cute.local_partition"(%{{.*}}, %{{.*}}, %{{.*}}) : (!cute.tensor<f32, "smem", 16 : i64, "(32,8):(8,1)">, !cute.layout<"(8,8):(8,1)">, i32) -> !cute.tensor<f32, "smem", 4 : i64, "(4,1):(64,0)">
  %p = cute.local_partition (%t, %l, %i)
  %nine = cute.static : !cute.int_tuple<"9">
  // CHECK: cute.local_partition (%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}, !cute.int_tuple<"9">) -> !cute.tensor<f32, smem, align<4>, "(4,1):(64,0)">
  %q = cute.local_partition (%t, %l, %nine)
  %m = cute.static : !cute.layout<"(8,2,4):(8,4,1)">
  // A shape is its compact layout.
  // CHECK: cute.local_partition (%{{.*}}, %{{.*}}, %{{.*}}) : ({{.*}}, !cute.shape<"(8,4)">, i32) -> !cute.tensor<f32, smem, align<4>, "(4,2):(64,4)">
  %threads = cute.static : !cute.shape<"(8,4)">
  %o = cute.local_partition (%t, %threads, %i)
  // CHECK: cute.local_partition<"(1,_,1)"> ({{.*}}) : ({{.*}}) -> !cute.tensor<f32, smem, align<4>, "(4,2):(64,4)">
  %r = cute.local_partition<"(1,_,1)"> (%t, %m, %i)
  return
}
