// Every ldmatrix atom: instruction, and that its registers hold pairs of values
// in order. Each thread names the row of 8 elements with its number.
// RUN: cutec %s --arch=sm_75 -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=NVVM

gpu.module @ldmatrix {
  // NVVM-LABEL: gpu.func @x1(
  // NVVM: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry x1(
  // CHECK: shl.b32 %[[O:r[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK: add.s32 %[[A:r[0-9]+]], %[[O]], %{{r[0-9]+}};
  // CHECK: cvt.u64.u32 %[[Q:rd[0-9]+]], %[[A]];
  // CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{[{]}}%[[R0:r[0-9]+]]}, [%[[Q]]];
  // CHECK: st.global.b32 [%[[P:.*]]], %[[R0]];
  gpu.func @x1(%g: !cute.tensor<f16, gmem, align<16>, "(2,32):(1,2)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %row = cute.slice(%s, %c)
    %v = cute.static : !cute.layout<"2:1">
    %f = cute.make_fragment<f16> (%v)
    %a = cute.static : !cute.copy_atom<"SM75_U32x1_LDSM_N", f16>
    cute.copy_atom_call(%a, %row, %f)
    %u = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %to = cute.slice(%g, %c)
    cute.copy_atom_call(%u, %f, %to)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @x2(
  // NVVM: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry x2(
  // CHECK: shl.b32 %[[O:r[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK: add.s32 %[[A:r[0-9]+]], %[[O]], %{{r[0-9]+}};
  // CHECK: cvt.u64.u32 %[[Q:rd[0-9]+]], %[[A]];
  // CHECK: ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{[{]}}%[[R0:r[0-9]+]], %[[R1:r[0-9]+]]}, [%[[Q]]];
  // CHECK: st.global.v2.b32 [%{{.*}}], {%[[R0]], %[[R1]]};
  gpu.func @x2(%g: !cute.tensor<f16, gmem, align<16>, "(4,32):(1,4)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %row = cute.slice(%s, %c)
    %v = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f16> (%v)
    %a = cute.static : !cute.copy_atom<"SM75_U32x2_LDSM_N", f16>
    cute.copy_atom_call(%a, %row, %f)
    %u = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
    %to = cute.slice(%g, %c)
    cute.copy_atom_call(%u, %f, %to)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @x4(
  // NVVM: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry x4(
  // CHECK: shl.b32 %[[O:r[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK: add.s32 %[[A:r[0-9]+]], %[[O]], %{{r[0-9]+}};
  // CHECK: cvt.u64.u32 %[[Q:rd[0-9]+]], %[[A]];
  // CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{[{]}}%[[R0:r[0-9]+]], %[[R1:r[0-9]+]], %[[R2:r[0-9]+]], %[[R3:r[0-9]+]]}, [%[[Q]]];
  // CHECK: st.global.v4.b32 [%{{.*}}], {%[[R0]], %[[R1]], %[[R2]], %[[R3]]};
  gpu.func @x4(%g: !cute.tensor<f16, gmem, align<16>, "(8,32):(1,8)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %row = cute.slice(%s, %c)
    %v = cute.static : !cute.layout<"8:1">
    %f = cute.make_fragment<f16> (%v)
    %a = cute.static : !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
    cute.copy_atom_call(%a, %row, %f)
    %u = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %to = cute.slice(%g, %c)
    cute.copy_atom_call(%u, %f, %to)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @x1_trans(
  // NVVM: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry x1_trans(
  // CHECK: shl.b32 %[[O:r[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK: add.s32 %[[A:r[0-9]+]], %[[O]], %{{r[0-9]+}};
  // CHECK: cvt.u64.u32 %[[Q:rd[0-9]+]], %[[A]];
  // CHECK: ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {{[{]}}%[[R0:r[0-9]+]]}, [%[[Q]]];
  // CHECK: st.global.b32 [%[[P:.*]]], %[[R0]];
  gpu.func @x1_trans(%g: !cute.tensor<f16, gmem, align<16>, "(2,32):(1,2)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %row = cute.slice(%s, %c)
    %v = cute.static : !cute.layout<"2:1">
    %f = cute.make_fragment<f16> (%v)
    %a = cute.static : !cute.copy_atom<"SM75_U16x2_LDSM_T", f16>
    cute.copy_atom_call(%a, %row, %f)
    %u = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", f16>
    %to = cute.slice(%g, %c)
    cute.copy_atom_call(%u, %f, %to)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @x2_trans(
  // NVVM: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry x2_trans(
  // CHECK: shl.b32 %[[O:r[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK: add.s32 %[[A:r[0-9]+]], %[[O]], %{{r[0-9]+}};
  // CHECK: cvt.u64.u32 %[[Q:rd[0-9]+]], %[[A]];
  // CHECK: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {{[{]}}%[[R0:r[0-9]+]], %[[R1:r[0-9]+]]}, [%[[Q]]];
  // CHECK: st.global.v2.b32 [%{{.*}}], {%[[R0]], %[[R1]]};
  gpu.func @x2_trans(%g: !cute.tensor<f16, gmem, align<16>, "(4,32):(1,4)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %row = cute.slice(%s, %c)
    %v = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f16> (%v)
    %a = cute.static : !cute.copy_atom<"SM75_U16x4_LDSM_T", f16>
    cute.copy_atom_call(%a, %row, %f)
    %u = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f16>
    %to = cute.slice(%g, %c)
    cute.copy_atom_call(%u, %f, %to)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @x4_trans(
  // NVVM: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry x4_trans(
  // CHECK: shl.b32 %[[O:r[0-9]+]], %{{r[0-9]+}}, 4;
  // CHECK: add.s32 %[[A:r[0-9]+]], %[[O]], %{{r[0-9]+}};
  // CHECK: cvt.u64.u32 %[[Q:rd[0-9]+]], %[[A]];
  // CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {{[{]}}%[[R0:r[0-9]+]], %[[R1:r[0-9]+]], %[[R2:r[0-9]+]], %[[R3:r[0-9]+]]}, [%[[Q]]];
  // CHECK: st.global.v4.b32 [%{{.*}}], {%[[R0]], %[[R1]], %[[R2]], %[[R3]]};
  gpu.func @x4_trans(%g: !cute.tensor<f16, gmem, align<16>, "(8,32):(1,8)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %row = cute.slice(%s, %c)
    %v = cute.static : !cute.layout<"8:1">
    %f = cute.make_fragment<f16> (%v)
    %a = cute.static : !cute.copy_atom<"SM75_U16x8_LDSM_T", f16>
    cute.copy_atom_call(%a, %row, %f)
    %u = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f16>
    %to = cute.slice(%g, %c)
    cute.copy_atom_call(%u, %f, %to)
    gpu.return
  }
}
