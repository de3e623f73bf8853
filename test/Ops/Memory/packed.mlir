// Elements below 8 bits share bytes, the first in the lowest bits. Loads take one
// out; stores of one, which are for registers only, leave the others alone; whole
// bytes are moved as such.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @packed {
  // 64 elements of 4 bits, in @shared below.
  // CHECK: llvm.mlir.global internal @shared_smem() {{.*}} : !llvm.array<32 x i8>

  // Element 5 of 4 bits: the upper half of byte 2.
  // CHECK-LABEL: gpu.func @load_static(
  // CHECK: %[[P:.*]] = llvm.getelementptr %{{.*}}[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // CHECK: %[[B:.*]] = llvm.load %[[P]] {alignment = 1 : i64} : !llvm.ptr<1> -> i8
  // CHECK: %[[S:.*]] = arith.constant 4 : i8
  // CHECK: %[[V:.*]] = arith.shrui %[[B]], %[[S]] : i8
  // CHECK: arith.trunci %[[V]] : i8 to i4
  // PTX-LABEL: .entry load_static(
  // PTX: ld.global.b8 %[[B:rs[0-9]+]], [%{{rd[0-9]+}}+2];
  // PTX: shr.u16 %{{rs[0-9]+}}, %[[B]], 4;
  gpu.func @load_static(%t: !cute.tensor<i4, gmem, align<16>, "64:1">, %o: !cute.tensor<i32, gmem, align<4>, "1:0">) kernel {
    %c = cute.static : !cute.coord<"5">
    %v = cute.load(%t, %c)
    %w = arith.extui %v : i4 to i32
    %z = cute.static : !cute.coord<"0">
    cute.store(%w, %o, %z) : i32, !cute.tensor<i32, gmem, align<4>, "1:0">, !cute.coord<"0">
    gpu.return
  }

  // A dynamic coordinate: byte i / 8, bit i % 8.
  // CHECK-LABEL: gpu.func @load_dynamic(
  // CHECK-SAME: %[[T:.*]]: !llvm.ptr<1> {{.*}}, %{{.*}}: !llvm.ptr<1> {{.*}}, %[[I:.*]]: i32
  // CHECK: %[[THREE:.*]] = arith.constant 3 : i32
  // CHECK: %[[BYTE:.*]] = arith.shrsi %[[I]], %[[THREE]] : i32
  // CHECK: %[[P:.*]] = llvm.getelementptr %[[T]][%[[BYTE]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  // CHECK: %[[SEVEN:.*]] = arith.constant 7 : i32
  // CHECK: arith.andi %[[I]], %[[SEVEN]] : i32
  // CHECK: llvm.load %[[P]]
  // CHECK: arith.trunci %{{.*}} : i8 to i1
  gpu.func @load_dynamic(%t: !cute.tensor<ui1, gmem, align<16>, "64:1">, %o: !cute.tensor<i1, gmem, align<1>, "1:0">, %i: i32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
    %v = cute.load(%t, %c)
    %z = cute.static : !cute.coord<"0">
    cute.store(%v, %o, %z) : i1, !cute.tensor<i1, gmem, align<1>, "1:0">, !cute.coord<"0">
    gpu.return
  }

  // A known multiple of 2 needs no shift that is computed.
  // CHECK-LABEL: gpu.func @load_even(
  // CHECK: arith.shrsi
  // CHECK: llvm.getelementptr %{{.*}}[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // CHECK-NOT: arith.muli
  // CHECK: %[[S:.*]] = arith.constant 4 : i8
  // CHECK: arith.shrui %{{.*}}, %[[S]] : i8
  gpu.func @load_even(%t: !cute.tensor<i4, gmem, align<16>, "(64,4):(4,1)">, %o: !cute.tensor<i4, rmem, align<16>, "1:0">, %i: i32) {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?{div=2},3)">
    %v = cute.load(%t, %c)
    %z = cute.static : !cute.coord<"0">
    gpu.return
  }

  // 8 elements of 4 bits are 32 bits: a fragment needs 4 bytes, and is read and
  // written at once.
  // CHECK-LABEL: gpu.func @copy(
  // CHECK: %[[N:.*]] = arith.constant 4 : i32
  // CHECK: llvm.alloca %[[N]] x i8
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  // PTX-LABEL: .entry copy(
  // PTX: ld.global.b32 %[[X:r[0-9]+]], [%{{rd[0-9]+}}+4];
  // PTX: st.global.b32 [%{{rd[0-9]+}}], %[[X]];
  gpu.func @copy(%t: !cute.tensor<ui4, gmem, align<16>, "(8,2):(1,8)">, %o: !cute.tensor<i4, gmem, align<16>, "8:1">) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %r = cute.make_fragment<i4> (%l)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", i4>
    %c = cute.static : !cute.coord<"(_,1)">
    %s = cute.slice(%t, %c)
    cute.copy(%a, %s, %r)
    cute.copy(%a, %r, %o)
    gpu.return
  }

  // Stores to registers read, mask and write; here all becomes one constant,
  // 0x0123 with element 0 lowest.
  // PTX-LABEL: .entry store(
  // PTX: st.global.b16 [%{{rd[0-9]+}}], 291;
  gpu.func @store(%o: !cute.tensor<i4, gmem, align<16>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<i4> (%l)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", i4>
    %c0 = cute.static : !cute.coord<"0">
    %c1 = cute.static : !cute.coord<"1">
    %c2 = cute.static : !cute.coord<"2">
    %c3 = cute.static : !cute.coord<"3">
    %x0 = arith.constant 3 : i4
    %x1 = arith.constant 2 : i4
    %x2 = arith.constant 1 : i4
    %x3 = arith.constant 7 : i4
    %zero = arith.constant 0 : i4
    cute.fill(%r, %x3) : !cute.tensor<i4, rmem, align<16>, "4:1">, i4
    cute.store(%x0, %r, %c0) : i4, !cute.tensor<i4, rmem, align<16>, "4:1">, !cute.coord<"0">
    cute.store(%x1, %r, %c1) : i4, !cute.tensor<i4, rmem, align<16>, "4:1">, !cute.coord<"1">
    cute.store(%x2, %r, %c2) : i4, !cute.tensor<i4, rmem, align<16>, "4:1">, !cute.coord<"2">
    cute.store(%zero, %r, %c3) : i4, !cute.tensor<i4, rmem, align<16>, "4:1">, !cute.coord<"3">
    cute.copy(%a, %r, %o)
    gpu.return
  }

  // A view that begins within a byte: elements 3 to 6 are in bytes 1, 2 and 3.
  // PTX-LABEL: .entry odd(
  // PTX: ld.global.b8 %[[X:rs[0-9]+]], [%[[P:rd[0-9]+]]+1];
  // PTX: ld.global.v2.b8 {{[{]}}%[[Y:rs[0-9]+]], %[[Z:rs[0-9]+]]{{[}]}}, [%[[P]]+2];
  // PTX: shr.u16 %{{rs[0-9]+}}, %[[X]], 4;
  // PTX: shl.b16 %[[W:rs[0-9]+]], %[[Y]], 4;
  // PTX: shl.b16 %{{rs[0-9]+}}, %[[Z]], 12;
  // PTX: and.b16 %{{rs[0-9]+}}, %[[W]], 3840;
  gpu.func @odd(%t: !cute.tensor<i4, gmem, align<16>, "(4,3):(1,3)">, %o: !cute.tensor<i4, gmem, align<16>, "4:1">) kernel {
    %c = cute.static : !cute.coord<"(_,1)">
    %s = cute.slice(%t, %c)
    %l = cute.static : !cute.layout<"4:1">
    %r = cute.make_fragment<i4> (%l)
    %one = cute.static : !cute.copy_atom<"UniversalCopy<uint4_t>", i4>
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint16_t>", i4>
    %v = cute.static : !cute.layout<"(1,4):(0,1)">
    %sp = cute.get_iter(%s)
    %rp = cute.get_iter(%r)
    %s4 = cute.make_tensor(%sp, %v)
    %r4 = cute.make_tensor(%rp, %v)
    cute.copy(%one, %s4, %r4)
    cute.copy(%a, %r, %o)
    gpu.return
  }

  // Shared memory is packed, too.
  // PTX-LABEL: .entry shared(
  // PTX: st.shared.b32
  // PTX: ld.shared.b32
  gpu.func @shared(%t: !cute.tensor<i4, gmem, align<16>, "8:1">) kernel {
    %l = cute.static : !cute.layout<"64:1">
    %s = cute.alloc_smem<i4, 16> (%l)
    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", i4>
    %e = cute.static : !cute.layout<"8:1">
    %sp = cute.get_iter(%s)
    %s8 = cute.make_tensor(%sp, %e)
    cute.copy(%a, %t, %s8)
    gpu.barrier
    cute.copy(%a, %s8, %t)
    gpu.return
  }

  // Elements 6 and 7 as the byte that they are.
  // PTX-LABEL: .entry recast(
  // PTX: ld.global.b8 %[[X:rs[0-9]+]], [%{{rd[0-9]+}}+3];
  // PTX: st.global.b8 [%{{rd[0-9]+}}], %[[X]];
  gpu.func @recast(%t: !cute.tensor<i4, gmem, align<16>, "(2,4):(1,2)">, %o: !cute.tensor<i8, gmem, align<1>, "1:0">) kernel {
    %c = cute.static : !cute.coord<"(_,3)">
    %s = cute.slice(%t, %c)
    %b = cute.recast_tensor<i8> (%s)
    %z = cute.static : !cute.coord<"0">
    %v = cute.load(%b, %z)
    cute.store(%v, %o, %z) : i8, !cute.tensor<i8, gmem, align<1>, "1:0">, !cute.coord<"0">
    gpu.return
  }
}
