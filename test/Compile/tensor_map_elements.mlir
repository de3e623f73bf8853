// The device reduces integers of 64 bits through tensor maps as unsigned ones, except minimum and
// maximum, which see the sign.
// RUN: cutec %s --arch=sm_90a --manifest=%t.json -o %t.ptx
// RUN: %python -m json.tool --compact %t.json | FileCheck %s
// CHECK: "tensor":"arg0","element":"ui64"
// CHECK: "tensor":"arg1","element":"i64"
// CHECK: "tensor":"arg2","element":"i64"
!matrix = !cute.tensor<i64, gmem, align<16>, "(?,16):(?{i64 div=2},1)">
gpu.module @maps {
  gpu.func @reduce(%A: !matrix, %B: !matrix, %C: !matrix) kernel attributes {
      known_block_size = array<i32: 32, 1, 1>, cute.grid = ["1"]} {
    %tile = cute.static : !cute.shape<"(8,16)">
    %layout = cute.static : !cute.composed_layout<"S<3,1,3> o 0 o (8,16):(16,1)">
    %s = cute.alloc_smem<i64, 1024> (%layout)
    %add, %mA = cute.make_tma_atom<"SM90_TMA_REDUCE_ADD"> (%A, %layout, %tile)
    %min, %mB = cute.make_tma_atom<"SM90_TMA_REDUCE_MIN"> (%B, %layout, %tile)
    %store, %mC = cute.make_tma_atom<"SM90_TMA_STORE"> (%C, %layout, %tile)
    %at = cute.static : !cute.coord<"(0,0)">
    %gA = cute.local_tile(%mA, %tile, %at)
    %gB = cute.local_tile(%mB, %tile, %at)
    %gC = cute.local_tile(%mC, %tile, %at)
    %s_tile = cute.group_modes<0, 2> (%s)
    %gA_tile = cute.group_modes<0, 2> (%gA)
    %gB_tile = cute.group_modes<0, 2> (%gB)
    %gC_tile = cute.group_modes<0, 2> (%gC)
    %sA, %dA = cute.tma_partition(%add, %s_tile, %gA_tile)
    %sB, %dB = cute.tma_partition(%min, %s_tile, %gB_tile)
    %sC, %dC = cute.tma_partition(%store, %s_tile, %gC_tile)
    cute.copy(%add, %sA, %dA)
    cute.copy(%min, %sB, %dB)
    cute.copy(%store, %sC, %dC)
    gpu.return
  }
}
