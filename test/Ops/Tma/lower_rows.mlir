// Four rows of a matrix at once, whose numbers the copy reads: the map's boxes
// have one row, and the coordinates are a column and four rows.
// RUN: cute-opt %s --cute-lower | FileCheck %s
// RUN: cutec %s --arch=sm_100a -o %t.ptx --manifest=%t.json
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %python -m json.tool --compact %t.json | FileCheck %s --check-prefix=MAP
// RUN: not cutec %s --arch=sm_120a -o - 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cutec %s --arch=sm_90a -o - 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: %if ptxas %{ ptxas -arch=sm_100a %t.ptx -o %t.cubin %}
// RUN: %if ptxas %{ cutec %s --arch=sm_103f -o %t.ptx && ptxas -arch=sm_103f %t.ptx -o %t.cubin %}
// RUN: %if ptxas %{ cutec %s --arch=sm_110a -o %t.ptx && ptxas -arch=sm_110a %t.ptx -o %t.cubin %}
// RUN: sed '/^  .. ROWS OF/,/^  .. END/d' %s > %t.own.mlir
// RUN: cutec %t.own.mlir --arch=sm_120f -o %t.ptx && FileCheck %s --check-prefix=OWN < %t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_120f %t.ptx -o %t.cubin %}

// OTHER: SM100_TMA_2SM_LOAD_MULTICAST_GATHER4 needs one of sm_100a, {{.*}}sm_110f, but the code is for sm_120a
// OLD: SM100_TMA_LOAD_GATHER4 needs one of sm_100a, {{.*}}sm_121f, but the code is for sm_90a

!x = !cute.tensor<f16, gmem, align<16>, "(?,128):(128,1)">
!rows = !cute.tensor<i32, gmem, align<4>, "?:1">

gpu.module @rows {
  // CHECK-LABEL: gpu.func @own(
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%[[X:.*]], %[[R0:.*]], %{{.*}}, %{{.*}}, %{{.*}}] l2_cache_hint = %{{.*}} {isCTAOnly = true, mode = #nvvm.tma_load_mode<tile_gather4>} : !llvm.ptr<3>
  // PTX-LABEL: .entry own(
  // PTX: ld.global.b32 %[[R:r[0-9]+]], [%rd{{[0-9]+}}];
  // PTX: cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes.L2::cache_hint [own_smem], [%{{.*}}, {%{{.*}}, %[[R]], %{{.*}}, %{{.*}}, %{{.*}}}], [{{.*}}], %
  // PTX: cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4{{.*}} [own_smem+512], [
  // OWN-COUNT-2: cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4
  // MAP: "name":"own"
  // MAP-SAME: {"hidden":true,"passed_as":[{"kind":"tensor_map","bytes":128,"align":64,"tensor":"arg0","element":"f16","dims":["128","arg0.shape[0]"],"strides":["128 * 2"],"box":[64,1],"element_strides":[1,1],"interleave":"none","swizzle":"128B"
  gpu.func @own(%X: !x, %rows: !rows, %at: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %tile = cute.static : !cute.shape<"(4,128)">
    %part = cute.static : !cute.composed_layout<"S<3,3,3> o 0 o (4,(64,2)):(64,(1,256))">
    %load, %mX = cute.make_tma_atom<"SM100_TMA_LOAD_GATHER4"> (%X, %part, %tile)
    %s = cute.alloc_smem<f16, 1024> (%part)
    %tiles = cute.local_tile(%mX, %tile, (%at,0))
    %to, %from = cute.tma_partition(%load, cute.group_modes<0, 2> (%s), cute.group_modes<0, 2> (%tiles))
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    %four = cute.with_rows(%load, %rows)
    %copy = cute.with_barrier<"evict_last"> (%four, cute.get_iter(%barriers))
    cute.copy(%copy, %from, %to)
    gpu.return
  }

  // ROWS OF PAIRS, and of several blocks.
  // PTX-LABEL: .entry pair(
  // PTX: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2 [%{{.*}}], [%{{.*}}, {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}}], [{{.*}}], %
  // PTX: cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%{{.*}}, {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}}], [pair_smem]
  gpu.func @pair(%X: !x, %rows: !rows) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>} {
    %layout = cute.static : !cute.layout<"(4,128):(128,1)">
    %tile = cute.static : !cute.shape<"(4,128)">
    %mask = arith.constant 15 : i16
    %load, %mX = cute.make_tma_atom<"SM100_TMA_2SM_LOAD_MULTICAST_GATHER4"> (%X, %layout, %tile)
    %store, %mY = cute.make_tma_atom<"SM100_TMA_STORE_SCATTER4"> (%X, %layout, %tile)
    %s = cute.alloc_smem<f16, 1024> (%layout)
    %tiles = cute.local_tile(cute.make_identity_tensor((4,128)), %tile, (0,0))
    %to, %from = cute.tma_partition(%load, cute.group_modes<0, 2> (%s), cute.group_modes<0, 2> (%tiles))
    %barriers = cute.alloc_smem<i64, 8> (1:1)
    cute.copy(cute.with_barrier(cute.with_rows(%load, %rows), cute.get_iter(%barriers), %mask), %from, %to)
    cute.copy(cute.with_rows(%store, %rows), %to, %from)
    gpu.return
  }
  // END
}
