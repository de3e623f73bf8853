// Every universal atom: one load and one store of its size, in each space.
// RUN: cutec %s -o - | FileCheck %s

gpu.module @universal {
  // CHECK-LABEL: .entry copy_8(
  // CHECK: ld.global.b8 [[X:.*]], [%{{.*}}];
  // CHECK-NEXT: st.shared.b8 [copy_8_smem], [[X]];
  // CHECK-NOT: st.shared
  // CHECK: ld.shared.b8 [[Y:.*]], [%{{.*}}];
  // CHECK: st.global.b8 [%{{.*}}], [[Y]];
  // CHECK-NEXT: ret;
  gpu.func @copy_8(%g: !cute.tensor<i8, gmem, align<1>, "1:1">, %i: i32) kernel {
    %l = cute.static : !cute.layout<"(1,4):(1,1)">
    %s = cute.alloc_smem<i8, 1> (%l)
    %c0 = cute.static : !cute.coord<"(_,0)">
    %ci = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %s0 = cute.slice(%s, %c0)
    %si = cute.slice(%s, %ci)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint8_t>", i8>
    cute.copy_atom_call(%a, %g, %s0)
    gpu.barrier
    cute.copy_atom_call(%a, %si, %g)
    gpu.return
  }

  // CHECK-LABEL: .entry copy_16(
  // CHECK: ld.global.{{(v2.b8|b16)}} [[X:.*]], [%{{.*}}];
  // CHECK-NEXT: st.shared.{{(v2.b8|b16)}} [copy_16_smem], [[X]];
  // CHECK-NOT: st.shared
  // CHECK: ld.shared.{{(v2.b8|b16)}} [[Y:.*]], [%{{.*}}];
  // CHECK: st.global.{{(v2.b8|b16)}} [%{{.*}}], [[Y]];
  // CHECK-NEXT: ret;
  gpu.func @copy_16(%g: !cute.tensor<i8, gmem, align<2>, "2:1">, %i: i32) kernel {
    %l = cute.static : !cute.layout<"(2,4):(1,2)">
    %s = cute.alloc_smem<i8, 2> (%l)
    %c0 = cute.static : !cute.coord<"(_,0)">
    %ci = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %s0 = cute.slice(%s, %c0)
    %si = cute.slice(%s, %ci)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", i8>
    cute.copy_atom_call(%a, %g, %s0)
    gpu.barrier
    cute.copy_atom_call(%a, %si, %g)
    gpu.return
  }

  // CHECK-LABEL: .entry copy_32(
  // CHECK: ld.global.{{(v4.b8|b32)}} [[X:.*]], [%{{.*}}];
  // CHECK-NEXT: st.shared.{{(v4.b8|b32)}} [copy_32_smem], [[X]];
  // CHECK-NOT: st.shared
  // CHECK: ld.shared.{{(v4.b8|b32)}} [[Y:.*]], [%{{.*}}];
  // CHECK: st.global.{{(v4.b8|b32)}} [%{{.*}}], [[Y]];
  // CHECK-NEXT: ret;
  gpu.func @copy_32(%g: !cute.tensor<i8, gmem, align<4>, "4:1">, %i: i32) kernel {
    %l = cute.static : !cute.layout<"(4,4):(1,4)">
    %s = cute.alloc_smem<i8, 4> (%l)
    %c0 = cute.static : !cute.coord<"(_,0)">
    %ci = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %s0 = cute.slice(%s, %c0)
    %si = cute.slice(%s, %ci)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", i8>
    cute.copy_atom_call(%a, %g, %s0)
    gpu.barrier
    cute.copy_atom_call(%a, %si, %g)
    gpu.return
  }

  // CHECK-LABEL: .entry copy_64(
  // CHECK: ld.global.{{(v2.b32|b64)}} [[X:.*]], [%{{.*}}];
  // CHECK-NEXT: st.shared.{{(v2.b32|b64)}} [copy_64_smem], [[X]];
  // CHECK-NOT: st.shared
  // CHECK: ld.shared.{{(v2.b32|b64)}} [[Y:.*]], [%{{.*}}];
  // CHECK: st.global.{{(v2.b32|b64)}} [%{{.*}}], [[Y]];
  // CHECK-NEXT: ret;
  gpu.func @copy_64(%g: !cute.tensor<i8, gmem, align<8>, "8:1">, %i: i32) kernel {
    %l = cute.static : !cute.layout<"(8,4):(1,8)">
    %s = cute.alloc_smem<i8, 8> (%l)
    %c0 = cute.static : !cute.coord<"(_,0)">
    %ci = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %s0 = cute.slice(%s, %c0)
    %si = cute.slice(%s, %ci)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", i8>
    cute.copy_atom_call(%a, %g, %s0)
    gpu.barrier
    cute.copy_atom_call(%a, %si, %g)
    gpu.return
  }

  // CHECK-LABEL: .entry copy_128(
  // CHECK: ld.global.{{(v4.b32|v2.b64)}} [[X:.*]], [%{{.*}}];
  // CHECK-NEXT: st.shared.{{(v4.b32|v2.b64)}} [copy_128_smem], [[X]];
  // CHECK-NOT: st.shared
  // CHECK: ld.shared.{{(v4.b32|v2.b64)}} [[Y:.*]], [%{{.*}}];
  // CHECK: st.global.{{(v4.b32|v2.b64)}} [%{{.*}}], [[Y]];
  // CHECK-NEXT: ret;
  gpu.func @copy_128(%g: !cute.tensor<i8, gmem, align<16>, "16:1">, %i: i32) kernel {
    %l = cute.static : !cute.layout<"(16,4):(1,16)">
    %s = cute.alloc_smem<i8, 16> (%l)
    %c0 = cute.static : !cute.coord<"(_,0)">
    %ci = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
    %s0 = cute.slice(%s, %c0)
    %si = cute.slice(%s, %ci)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", i8>
    cute.copy_atom_call(%a, %g, %s0)
    gpu.barrier
    cute.copy_atom_call(%a, %si, %g)
    gpu.return
  }
}
