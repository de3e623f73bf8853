// Atoms that take registers: which register goes where.
// RUN: cutec %s --arch=sm_90 -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=NVVM

gpu.module @registers {
  // Four registers of pairs, in order, to the row that the thread names.
  // NVVM-LABEL: gpu.func @stmatrix(
  // NVVM: nvvm.stmatrix %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
  // CHECK-LABEL: .entry stmatrix(
  // CHECK: ld.global.v4.b32 {%[[R0:r[0-9]+]], %[[R1:r[0-9]+]], %[[R2:r[0-9]+]], %[[R3:r[0-9]+]]}, [
  // CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%{{.*}}], {%[[R0]], %[[R1]], %[[R2]], %[[R3]]};
  gpu.func @stmatrix(%g: !cute.tensor<f16, gmem, align<16>, "(8,32):(1,8)">) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %l = cute.static : !cute.layout<"(8,32):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %from = cute.slice(%g, %c)
    %row = cute.slice(%s, %c)
    %f = cute.make_fragment_like(%from)
    cute.autovec_copy(%from, %f)
    %a = cute.static : !cute.copy_atom<"SM90_U32x4_STSM_N", f16>
    cute.copy_atom_call(%a, %f, %row)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @stmatrix_trans(
  // NVVM: nvvm.stmatrix {{.*}}layout = #nvvm.mma_layout<col>
  // CHECK-LABEL: .entry stmatrix_trans(
  // CHECK: stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [stmatrix_trans_smem], {%{{r[0-9]+}}};
  gpu.func @stmatrix_trans(%g: !cute.tensor<f16, gmem, align<4>, "2:1">) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %f = cute.make_fragment_like(%g)
    cute.autovec_copy(%g, %f)
    %a = cute.static : !cute.copy_atom<"SM90_U16x2_STSM_T", f16>
    cute.copy_atom_call(%a, %f, %s)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @movmatrix(
  // CHECK-LABEL: .entry movmatrix(
  // CHECK: ld.global.b32 %[[X:r[0-9]+]], [
  // CHECK: movmatrix.sync.aligned.m8n8.trans.b16 %[[Y:r[0-9]+]], %[[X]];
  // CHECK: st.global.b32 [%{{.*}}], %[[Y]];
  gpu.func @movmatrix(%g: !cute.tensor<f16, gmem, align<4>, "2:1">) kernel {
    %f = cute.make_fragment_like(%g)
    %r = cute.make_fragment_like(%g)
    cute.autovec_copy(%g, %f)
    %a = cute.static : !cute.copy_atom<"SM75_U32x1_MOVM_T", f16>
    cute.copy_atom_call(%a, %f, %r)
    cute.autovec_copy(%r, %g)
    gpu.return
  }

  // Lanes without bit 2 keep their first register and send their second.
  // NVVM-LABEL: gpu.func @shuffle(
  // NVVM: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
  // NVVM: %[[Y:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
  // NVVM: %[[L:.*]] = nvvm.read.ptx.sreg.laneid
  // NVVM: %[[B:.*]] = arith.andi %[[L]], %[[M:.*]] : i32
  // NVVM: %[[U:.*]] = arith.cmpi ne, %[[B]],
  // NVVM: %[[S:.*]] = arith.select %[[U]], %[[X]], %[[Y]]
  // NVVM: %[[G:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[S]], %[[M]],
  // NVVM: %[[V0:.*]] = arith.select %[[U]], %[[G]], %[[X]]
  // NVVM: llvm.store %[[V0]], %[[R:[0-9]+]] {
  // NVVM: %[[V1:.*]] = arith.select %[[U]], %[[Y]], %[[G]]
  // NVVM: %[[R1:.*]] = llvm.getelementptr %[[R]][1]
  // NVVM: llvm.store %[[V1]], %[[R1]]
  // CHECK-LABEL: .entry shuffle(
  // CHECK: and.b32 %{{.*}}, %{{.*}}, 4;
  // CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 4, 31, -1;
  gpu.func @shuffle(%g: !cute.tensor<i32, gmem, align<8>, "2:1">) kernel {
    %f = cute.make_fragment_like(%g)
    %r = cute.make_fragment_like(%g)
    cute.autovec_copy(%g, %f)
    %a = cute.static : !cute.copy_atom<"SM50_Shuffle_U32_2x2Trans_XOR4", i32>
    cute.copy_atom_call(%a, %f, %r)
    cute.autovec_copy(%r, %g)
    gpu.return
  }

  // Pairs of f16 are added at once, and four f32 from sm_90 on; f64 as they are.
  // NVVM-LABEL: gpu.func @add(
  // NVVM: llvm.inline_asm has_side_effects "red.global.add.noftz.f16x2 [$0], $1;", "l,r,~{memory}" %{{.*}}, %{{.*}} : (!llvm.ptr<1>, i32)
  // NVVM: llvm.inline_asm has_side_effects "red.global.add.f64 [$0], $1;", "l,d,~{memory}" %{{.*}}, %{{.*}} : (!llvm.ptr<1>, f64)
  // CHECK-LABEL: .entry add(
  // CHECK: red.global.add.noftz.f16x2 [%{{.*}}], %{{r[0-9]+}};
  // CHECK: red.global.add.f64 [%{{.*}}], %{{[a-z0-9]+}};
  gpu.func @add(%g: !cute.tensor<f16, gmem, align<4>, "2:1">, %d: !cute.tensor<f64, gmem, align<8>, "1:1">) kernel {
    %f = cute.make_fragment_like(%g)
    cute.autovec_copy(%g, %f)
    %a = cute.static : !cute.copy_atom<"SM60_RED_ADD_F16x2", f16>
    cute.copy_atom_call(%a, %f, %g)
    %e = cute.make_fragment_like(%d)
    cute.autovec_copy(%d, %e)
    %b = cute.static : !cute.copy_atom<"SM60_RED_ADD_F64", f64>
    cute.copy_atom_call(%b, %e, %d)
    gpu.return
  }

  // NVVM-LABEL: gpu.func @add_vectors(
  // NVVM: llvm.inline_asm has_side_effects "red.global.add.v4.f32 [$0], {$1, $2, $3, $4};", "l,f,f,f,f,~{memory}"
  // CHECK-LABEL: .entry add_vectors(
  // CHECK: red.global.add.v4.f32 [%{{.*}}], {%{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}, %{{r[0-9]+}}};
  // CHECK: red.global.add.v2.f32 [%{{.*}}], {%{{r[0-9]+}}, %{{r[0-9]+}}};
  gpu.func @add_vectors(%g: !cute.tensor<f32, gmem, align<16>, "4:1">, %h: !cute.tensor<f32, gmem, align<8>, "2:1">) kernel {
    %f = cute.make_fragment_like(%g)
    cute.autovec_copy(%g, %f)
    %a = cute.static : !cute.copy_atom<"SM90_RED_ADD_F32x4", f32>
    cute.copy_atom_call(%a, %f, %g)
    %e = cute.make_fragment_like(%h)
    cute.autovec_copy(%h, %e)
    %b = cute.static : !cute.copy_atom<"SM90_RED_ADD_F32x2", f32>
    cute.copy_atom_call(%b, %e, %h)
    gpu.return
  }
}
