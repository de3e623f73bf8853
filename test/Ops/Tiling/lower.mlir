// Divides and products with dynamic leaves in a kernel.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // m rows in tiles of 4: ceil(m / 4) of them. Element (3,(i,1)) of ((4,2),(m',4))
  // : ((8,1),(32,2)) lies at 3 * 8 + i * 32 + 2.
  // CHECK-LABEL: gpu.func @zipped_divide(
  // CHECK-SAME: %[[M:.*]]: i32, %[[I:.*]]: i32,
  // CHECK: %[[TILES:.*]] = arith.ceildivsi %[[M]], %c4_i32 : i32
  // CHECK-NEXT: llvm.store %[[TILES]],
  // CHECK: %[[I32:.*]] = arith.muli %[[I]], %c32_i32 : i32
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[I32]], %c26_i32 : i32
  // CHECK-NEXT: llvm.store %[[AT]],
  gpu.func @zipped_divide(%m: i32, %i: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
    %d = cute.static : !cute.stride<"(8,1)">
    %l = cute.make_layout(%s, %d)
    %t = cute.static : !cute.tile<"[4;2]">
    %z = cute.zipped_divide(%l, %t)
    %shape = cute.get_shape(%z)
    %tiles = cute.get_scalars<{only_dynamic}>(%shape)
    llvm.store %tiles, %out : i32, !llvm.ptr<1>
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(3,(?,1))">
    %r = cute.layout_eval(%c, %z)
    %x = cute.get_scalars(%r)
    llvm.store %x, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // All forms have the same tile counts and strides: 24 elements of stride d in
  // tiles of n are ceil(24 / n) tiles, n * d apart.
  // CHECK-LABEL: gpu.func @forms(
  // CHECK-SAME: %[[N:.*]]: i32, %[[D:.*]]: i32,
  // CHECK-DAG: %[[TILES:.*]] = arith.ceildivsi %c24_i32, %[[N]] : i32
  // CHECK-DAG: %[[STEP:.*]] = arith.muli %[[N]], %[[D]] : i32
  // CHECK-COUNT-4: llvm.store %[[TILES]],
  // CHECK-COUNT-4: llvm.store %[[STEP]],
  gpu.func @forms(%n: i32, %d: i32, %out: !llvm.ptr<1>) kernel {
    %s = cute.static : !cute.shape<"(24)">
    %t = cute.make_stride(%d) : (i32) -> !cute.stride<"(?)">
    %l = cute.make_layout(%s, %t)
    %tiler = cute.make_shape(%n) : (i32) -> !cute.shape<"(?)">
    %logical = cute.logical_divide(%l, %tiler)
    %zipped = cute.zipped_divide(%l, %tiler)
    %tiled = cute.tiled_divide(%l, %tiler)
    %flat = cute.flat_divide(%l, %tiler)
    %a:4 = cute.get_scalars<{only_dynamic}>(%logical)
    %b:4 = cute.get_scalars<{only_dynamic}>(%zipped)
    %c:4 = cute.get_scalars<{only_dynamic}>(%tiled)
    %e:4 = cute.get_scalars<{only_dynamic}>(%flat)
    llvm.store %a#1, %out : i32, !llvm.ptr<1>
    llvm.store %b#1, %out : i32, !llvm.ptr<1>
    llvm.store %c#1, %out : i32, !llvm.ptr<1>
    llvm.store %e#1, %out : i32, !llvm.ptr<1>
    llvm.store %a#3, %out : i32, !llvm.ptr<1>
    llvm.store %b#3, %out : i32, !llvm.ptr<1>
    llvm.store %c#3, %out : i32, !llvm.ptr<1>
    llvm.store %e#3, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Blocks of 15 elements repeated (m,n) times with strides (1,d): d * 15 apart.
  // CHECK-LABEL: gpu.func @products(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i32, %[[D:.*]]: i32,
  // CHECK: %[[STEP:.*]] = arith.muli %[[D]], %c15_i32 : i32
  // CHECK: llvm.store %[[M]],
  // CHECK-NEXT: llvm.store %[[N]],
  // CHECK-NEXT: llvm.store %[[STEP]],
  // CHECK-NEXT: llvm.store %[[M]],
  // CHECK-NEXT: llvm.store %[[N]],
  // CHECK-NEXT: llvm.store %[[STEP]],
  gpu.func @products(%m: i32, %n: i32, %d: i32, %out: !llvm.ptr<1>) kernel {
    %block = cute.static : !cute.layout<"(5,3):(3,1)">
    %s = cute.make_shape(%m, %n) : (i32, i32) -> !cute.shape<"(?,?)">
    %t = cute.make_stride(%d) : (i32) -> !cute.stride<"(1,?)">
    %times = cute.make_layout(%s, %t)
    %logical = cute.logical_product(%block, %times)
    %a:3 = cute.get_scalars<{only_dynamic}>(%logical)
    llvm.store %a#0, %out : i32, !llvm.ptr<1>
    llvm.store %a#1, %out : i32, !llvm.ptr<1>
    llvm.store %a#2, %out : i32, !llvm.ptr<1>
    %blocked = cute.blocked_product(%block, %times)
    %b:3 = cute.get_scalars<{only_dynamic}>(%blocked)
    llvm.store %b#0, %out : i32, !llvm.ptr<1>
    llvm.store %b#1, %out : i32, !llvm.ptr<1>
    llvm.store %b#2, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Blocks of 4x8 over (m,16), the first mode fastest: ceil(m / 4) blocks, and
  // that many blocks of 32 elements to the next column of blocks.
  // CHECK-LABEL: gpu.func @tile_to_shape(
  // CHECK-SAME: %[[M:.*]]: i32,
  // CHECK-DAG: %[[BLOCKS:.*]] = arith.ceildivsi %[[M]], %c4_i32 : i32
  // CHECK-DAG: %[[COLUMN:.*]] = arith.muli %[[BLOCKS]], %c32_i32 : i32
  // CHECK: llvm.store %[[BLOCKS]],
  // CHECK-NEXT: llvm.store %[[COLUMN]],
  gpu.func @tile_to_shape(%m: i32, %out: !llvm.ptr<1>) kernel {
    %block = cute.static : !cute.layout<"(4,8):(8,1)">
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,16)">
    %r = cute.tile_to_shape(%block, %s)
    %x:2 = cute.get_scalars<{only_dynamic}>(%r)
    llvm.store %x#0, %out : i32, !llvm.ptr<1>
    llvm.store %x#1, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Block i begins at 8 i in all forms of a product, as does its element (1,2) at
  // 1 * 4 + 2 * 1 further on.
  // CHECK-LABEL: gpu.func @product_forms(
  // CHECK-SAME: %[[N:.*]]: i32, %[[I:.*]]: i32,
  // CHECK: %[[I8:.*]] = arith.muli %[[I]], %c8_i32 : i32
  // CHECK-NEXT: llvm.store %[[I8]],
  // CHECK-NEXT: llvm.store %[[I8]],
  // CHECK-NEXT: llvm.store %[[I8]],
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[I8]], %c6_i32 : i32
  // CHECK-NEXT: llvm.store %[[AT]],
  gpu.func @product_forms(%n: i32, %i: i32, %out: !llvm.ptr<1>) kernel {
    %l = cute.static : !cute.layout<"(2,4):(4,1)">
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"?">
    %d = cute.static : !cute.stride<"1">
    %t = cute.make_layout(%s, %d)
    %pair = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,?)">
    %triple = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,0,?)">
    %zipped = cute.zipped_product(%l, %t)
    %0 = cute.layout_eval(%pair, %zipped)
    %x0 = cute.get_scalars(%0)
    llvm.store %x0, %out : i32, !llvm.ptr<1>
    %tiled = cute.tiled_product(%l, %t)
    %1 = cute.layout_eval(%pair, %tiled)
    %x1 = cute.get_scalars(%1)
    llvm.store %x1, %out : i32, !llvm.ptr<1>
    %flat = cute.flat_product(%l, %t)
    %2 = cute.layout_eval(%triple, %flat)
    %x2 = cute.get_scalars(%2)
    llvm.store %x2, %out : i32, !llvm.ptr<1>
    %raked = cute.raked_product(%l, %t)
    %inside = cute.make_coord(%i) : (i32) -> !cute.coord<"((?,1),2)">
    %3 = cute.layout_eval(%inside, %raked)
    %x3 = cute.get_scalars(%3)
    llvm.store %x3, %out : i32, !llvm.ptr<1>
    gpu.return
  }
}
