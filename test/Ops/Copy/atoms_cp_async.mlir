// Every cp.async atom: instruction, size, and what a false predicate does. With
// ZFILL it makes the instruction write zeros, otherwise it is jumped over.
// RUN: cutec %s -o - | FileCheck %s
// RUN: cute-opt %s --cute-lower | FileCheck %s --check-prefix=NVVM

!bound = !cute.shape<"?">

gpu.module @cp_async {
  // NVVM-LABEL: gpu.func @ca_4(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca :
  // CHECK-LABEL: .entry ca_4(
  // CHECK: cp.async.ca.shared.global [[[S:.*]]], [[[G:%.*]]], 4;
  // CHECK: @%{{p[0-9]+}} bra [[END:.*]];
  // CHECK-NEXT: cp.async.ca.shared.global [[[S]]], [[[G]]], 4;
  // CHECK-NEXT: [[END]]:
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @ca_4(%g: !cute.tensor<f16, gmem, align<4>, "2:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"2:1">
    %s = cute.alloc_smem<f16, 4> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @ca_8(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca :
  // CHECK-LABEL: .entry ca_8(
  // CHECK: cp.async.ca.shared.global [[[S:.*]]], [[[G:%.*]]], 8;
  // CHECK: @%{{p[0-9]+}} bra [[END:.*]];
  // CHECK-NEXT: cp.async.ca.shared.global [[[S]]], [[[G]]], 8;
  // CHECK-NEXT: [[END]]:
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @ca_8(%g: !cute.tensor<f16, gmem, align<8>, "4:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %s = cute.alloc_smem<f16, 8> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @ca_16(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = ca :
  // CHECK-LABEL: .entry ca_16(
  // CHECK: cp.async.ca.shared.global [[[S:.*]]], [[[G:%.*]]], 16;
  // CHECK: @%{{p[0-9]+}} bra [[END:.*]];
  // CHECK-NEXT: cp.async.ca.shared.global [[[S]]], [[[G]]], 16;
  // CHECK-NEXT: [[END]]:
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @ca_16(%g: !cute.tensor<f16, gmem, align<16>, "8:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @cg_16(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg :
  // CHECK-LABEL: .entry cg_16(
  // CHECK: cp.async.cg.shared.global [[[S:.*]]], [[[G:%.*]]], 16;
  // CHECK: @%{{p[0-9]+}} bra [[END:.*]];
  // CHECK-NEXT: cp.async.cg.shared.global [[[S]]], [[[G]]], 16;
  // CHECK-NEXT: [[END]]:
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @cg_16(%g: !cute.tensor<f16, gmem, align<16>, "8:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @zfill_ca_4(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca :
  // CHECK-LABEL: .entry zfill_ca_4(
  // CHECK: cp.async.ca.shared.global [[[S:.*]]], [[[G:%.*]]], 4;
  // CHECK-NOT: bra
  // CHECK: not.pred %none, %{{p[0-9]+}}; cp.async.ca.shared.global [[[S]]], [[[G]]], 4, %none; }
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @zfill_ca_4(%g: !cute.tensor<f16, gmem, align<4>, "2:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"2:1">
    %s = cute.alloc_smem<f16, 4> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @zfill_ca_8(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca :
  // CHECK-LABEL: .entry zfill_ca_8(
  // CHECK: cp.async.ca.shared.global [[[S:.*]]], [[[G:%.*]]], 8;
  // CHECK-NOT: bra
  // CHECK: not.pred %none, %{{p[0-9]+}}; cp.async.ca.shared.global [[[S]]], [[[G]]], 8, %none; }
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @zfill_ca_8(%g: !cute.tensor<f16, gmem, align<8>, "4:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %s = cute.alloc_smem<f16, 8> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @zfill_ca_16(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = ca :
  // CHECK-LABEL: .entry zfill_ca_16(
  // CHECK: cp.async.ca.shared.global [[[S:.*]]], [[[G:%.*]]], 16;
  // CHECK-NOT: bra
  // CHECK: not.pred %none, %{{p[0-9]+}}; cp.async.ca.shared.global [[[S]]], [[[G]]], 16, %none; }
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @zfill_ca_16(%g: !cute.tensor<f16, gmem, align<16>, "8:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }

  // NVVM-LABEL: gpu.func @zfill_cg_16(
  // NVVM: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg :
  // CHECK-LABEL: .entry zfill_cg_16(
  // CHECK: cp.async.cg.shared.global [[[S:.*]]], [[[G:%.*]]], 16;
  // CHECK-NOT: bra
  // CHECK: not.pred %none, %{{p[0-9]+}}; cp.async.cg.shared.global [[[S]]], [[[G]]], 16, %none; }
  // CHECK: cp.async.commit_group;
  // CHECK: cp.async.wait_group {{ *}}0;
  gpu.func @zfill_cg_16(%g: !cute.tensor<f16, gmem, align<16>, "8:1">, %n: !bound) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %a = cute.static : !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", f16>
    %c = cute.static : !cute.coord_tensor<"0", "(1):(0)">
    %p = cute.make_predicate(%c, %n)
    cute.copy_atom_call(%a, %g, %s)
    cute.copy_atom_call(%a, %g, %s, %p)
    cute.cp_async_commit
    cute.cp_async_wait<0>
    gpu.return
  }
}
