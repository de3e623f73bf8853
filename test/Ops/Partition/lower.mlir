// local_tile and local_partition become an offset of the pointer.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @partition {
  // Tile (m, n) begins m * 16 rows of 64 and n * 8 columns on.
  // CHECK-LABEL: gpu.func @tile(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[M:.*]]: i32, %[[N:.*]]: i32, %[[X:.*]]: f32
  // CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : i32
  // CHECK-DAG: %[[A:.*]] = arith.muli %[[M]], %[[C1024]]
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
  // CHECK-DAG: %[[B:.*]] = arith.muli %[[N]], %[[C8]]
  // CHECK: %[[S:.*]] = arith.addi %[[A]], %[[B]]
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[S]]]
  // CHECK: %[[R:.*]] = llvm.getelementptr %[[Q]][130]
  // CHECK: llvm.store %[[X]], %[[R]]
  gpu.func @tile(%t: !cute.tensor<f32, gmem, align<4>, "(64,64):(64,1)">, %m: i32, %n: i32, %x: f32) kernel {
    %s = cute.static : !cute.shape<"(16,8)">
    %c = cute.make_coord(%m, %n) : (i32, i32) -> !cute.coord<"(?,?)">
    %a = cute.local_tile (%t, %s, %c)
    %d = cute.static : !cute.coord<"(2,2)">
    cute.store(%x, %a, %d) : f32, !cute.tensor<f32, gmem, align<4>, "(16,8):(64,1)">, !cute.coord<"(2,2)">
    gpu.return
  }

  // A static coordinate is a constant offset: 2 * 16 * 64 + 3 * 8 = 2072.
  // CHECK-LABEL: gpu.func @static_tile(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
  // CHECK-NOT: arith
  // CHECK: llvm.getelementptr %[[P]][2072]
  // PTX-LABEL: .entry static_tile(
  // PTX: st.global.b32 [%{{.*}}+8288], %{{.*}};
  gpu.func @static_tile(%t: !cute.tensor<f32, gmem, align<4>, "(64,64):(64,1)">, %x: f32) kernel {
    %s = cute.static : !cute.shape<"(16,8)">
    %c = cute.static : !cute.coord<"(2,3)">
    %a = cute.local_tile (%t, %s, %c)
    %d = cute.static : !cute.coord<"(0,0)">
    cute.store(%x, %a, %d) : f32, !cute.tensor<f32, gmem, align<4>, "(16,8):(64,1)">, !cute.coord<"(0,0)">
    gpu.return
  }

  // Rows that do not end in memory at a multiple of the tile: the tile reaches
  // past the end, its extent stays.
  // CHECK-LABEL: gpu.func @rest(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>
  // CHECK: llvm.getelementptr %[[P]][8]
  gpu.func @rest(%t: !cute.tensor<f32, gmem, align<4>, "10:1">, %x: f32) kernel {
    %s = cute.static : !cute.shape<"4">
    %c = cute.static : !cute.coord<"2">
    %a = cute.local_tile (%t, %s, %c)
    %d = cute.static : !cute.coord<"0">
    cute.store(%x, %a, %d) : f32, !cute.tensor<f32, gmem, align<4>, "(4):(1)">, !cute.coord<"0">
    gpu.return
  }

  // 8x8 threads, row-major, on column-major data: thread i has row i / 8 and
  // column i % 8, which are 1 and 32 elements apart. i / 8 needs no mask, since
  // there are 64 threads.
  // PTX-LABEL: .entry threads(
  // PTX: mov.u32 %[[T:r[0-9]+]], %tid.x;
  // PTX-DAG: shr.u32 %[[ROW:r[0-9]+]], %[[T]], 3;
  // PTX-DAG: shl.b32 %[[T32:r[0-9]+]], %[[T]], 5;
  // PTX-DAG: and.b32 %[[COL:r[0-9]+]], %[[T32]], 224;
  // PTX: or.b32 %[[AT:r[0-9]+]], %[[COL]], %[[ROW]];
  // PTX: mul.wide.u32 %{{.*}}, %[[AT]], 4;
  // Element 2 of the thread: row 16 on, 64 bytes.
  // PTX: st.global.b32 [%{{.*}}+64]
  gpu.func @threads(%t: !cute.tensor<f32, gmem, align<4>, "(32,8):(1,32)">, %x: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %l = cute.static : !cute.layout<"(8,8):(8,1)">
    %p = cute.local_partition (%t, %l, %i)
    %d = cute.static : !cute.coord<"2">
    cute.store(%x, %p, %d) : f32, !cute.tensor<f32, gmem, align<4>, "(4,1):(8,0)">, !cute.coord<"2">
    gpu.return
  }

  // Coordinates carry the tile's position as values: in tile m, element 3 is at 16 * m + 3.
  // CHECK-LABEL: gpu.func @coordinates(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32, %[[P:.*]]: !llvm.ptr<1>
  // CHECK: %[[C16:.*]] = arith.constant 16 : i32
  // CHECK: %[[B:.*]] = arith.muli %[[M]], %[[C16]]
  // CHECK: %[[C3:.*]] = arith.constant 3 : i32
  // CHECK: %[[C:.*]] = arith.addi %[[B]], %[[C3]]
  // CHECK: arith.cmpi slt, %[[C]], %[[N]] : i32
  gpu.func @coordinates(%m: i32, %s: !cute.shape<"(?)">, %t: !cute.tensor<i1, gmem, align<1>, "1:1">) kernel {
    %id = cute.make_identity_tensor(%s)
    %tile = cute.static : !cute.shape<"(16)">
    %c = cute.make_coord(%m) : (i32) -> !cute.coord<"(?)">
    %a = cute.local_tile (%id, %tile, %c)
    %p = cute.make_predicate(%a, %s)
    %d = cute.static : !cute.coord<"3">
    %v = cute.load(%p, %d)
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %t, %z) : i1, !cute.tensor<i1, gmem, align<1>, "1:1">, !cute.coord<"0">
    gpu.return
  }

  // Threads counted in a shape, the first mode fastest: thread i has row i % 8 and
  // column i / 8 % 4.
  // CHECK-LABEL: gpu.func @shape_of_threads(
  // CHECK-SAME: %[[I:[a-z0-9]+]]: i32
  // CHECK: %[[M:.*]] = arith.remsi %[[I]], %{{.*}} : i32
  // CHECK: %[[D:.*]] = arith.divsi %[[I]], %{{.*}} : i32
  // CHECK: %[[N:.*]] = arith.remsi %[[D]], %{{.*}} : i32
  // CHECK: llvm.getelementptr
  gpu.func @shape_of_threads(%i: i32, %t: !cute.tensor<f32, gmem, align<4>, "(8,8):(8,1)">) kernel {
    %s = cute.static : !cute.shape<"(8,4)">
    %p = cute.local_partition (%t, %s, %i)
    cute.clear(%p)
    gpu.return
  }
}
