// Accesses are as wide as layout and alignment allow; choices are shuffles.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX --implicit-check-not=.local

gpu.module @vectors {
  // Elements of 4 bits share bytes; elements of 6 bits have a byte each.
  // CHECK-LABEL: gpu.func @small_floats(
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK: arith.bitcast %{{.*}} : vector<32xi4> to vector<32xf4E2M1FN>
  // CHECK: arith.extui %{{.*}} : vector<32xi6> to vector<32xi8>
  // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<16xi8>, !llvm.ptr<1>
  // CHECK: gpu.return
  gpu.func @small_floats(%a: !cute.tensor<f4E2M1FN, gmem, align<16>, "32:1">, %b: !cute.tensor<f6E2M3FN, gmem, align<16>, "32:1">) kernel {
    %v = cute.load_vector(%a)
    %w = arith.extf %v : vector<32xf4E2M1FN> to vector<32xf32>
    %s = arith.truncf %w : vector<32xf32> to vector<32xf6E2M3FN>
    cute.store_vector(%s, %b)
    gpu.return
  }

  // Columns of 8 f16 at a stride of 8: 16 bytes each; the bytes before the last
  // two of 20 elements, 8 + 2 a column, go in pairs.
  // CHECK-LABEL: gpu.func @wide(
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
  // CHECK: %[[V:.*]] = vector.from_elements {{.*}} : vector<32xf16>
  // CHECK: vector.shuffle %[[V]], %[[V]] [0, 1] : vector<32xf16>, vector<32xf16>
  // CHECK-COUNT-16: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<1>
  // PTX-LABEL: .entry wide(
  // PTX-COUNT-4: ld.global.v4.b32
  // PTX-COUNT-16: st.global.b32
  // PTX: ret;
  gpu.func @wide(%a: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?{div=8})">, %b: !cute.tensor<f16, gmem, align<4>, "(8,4):(1,10)">) kernel {
    %v = cute.load_vector(%a)
    cute.store_vector(%v, %b)
    gpu.return
  }

  // Stride 2, an alignment of an element, and swizzles of single elements: one
  // by one. A swizzle of groups of 8 keeps them together.
  // CHECK-LABEL: gpu.func @narrow(
  // CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  // CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
  // CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<3> -> f16
  // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
  // CHECK: gpu.return
  // PTX-LABEL: .entry narrow(
  gpu.func @narrow(%a: !cute.tensor<f32, gmem, align<16>, "4:2">, %b: !cute.tensor<f32, gmem, align<4>, "4:1">) kernel {
    %v = cute.load_vector(%a)
    cute.store_vector(%v, %b)
    %l = cute.static : !cute.composed_layout<"S<1,0,1> o 0 o (8,2):(1,8)">
    %m = cute.static : !cute.composed_layout<"S<1,3,1> o 0 o (8,2):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    %t = cute.alloc_smem<f16, 16> (%m)
    %w = cute.load_vector(%s)
    cute.store_vector(%w, %t)
    gpu.return
  }

  // Two runs of 8 elements under a predicate each: 16 bytes or zeros.
  // CHECK-LABEL: gpu.func @predicated(
  // CHECK: %[[P:.*]] = llvm.load %{{.*}} -> i1
  // CHECK: %[[X:.*]] = scf.if %[[P]] -> (vector<8xf16>) {
  // CHECK: llvm.load {{.*}} -> vector<8xf16>
  // CHECK: } else {
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<8xf16>
  // CHECK: scf.yield %[[Z]]
  // CHECK: vector.extract %[[X]][7]
  // CHECK: scf.if
  // CHECK: vector.from_elements
  // CHECK: arith.constant dense<0xFC00> : vector<8xf16>
  // CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7]
  // CHECK: scf.if %{{[0-9]*}} {
  // CHECK: llvm.store {{.*}} : vector<8xf16>, !llvm.ptr<1>
  // CHECK: scf.if %{{[0-9]*}} {
  // CHECK: llvm.store {{.*}} : vector<8xf16>, !llvm.ptr<1>
  // PTX-LABEL: .entry predicated(
  // PTX-COUNT-2: ld.global.v4.b32
  // PTX: st.global.v4.b32
  gpu.func @predicated(%a: !cute.tensor<f16, gmem, align<16>, "(8,2):(1,8)">, %b: !cute.tensor<f16, gmem, align<16>, "(8,2):(1,8)">, %n: !cute.shape<"(?)">) kernel {
    %id = cute.static : !cute.coord_tensor<"(0)", "2:8@0">
    %p = cute.make_predicate(%id, %n)
    %v = cute.load_vector(%a, %p)
    %w = cute.load_vector<"-inf">(%a, %p)
    %s = arith.addf %v, %w : vector<16xf16>
    cute.store_vector(%s, %b, %p)
    gpu.return
  }

  // Fragments: vectors come from registers and go there.
  // CHECK-LABEL: gpu.func @fragments(
  // PTX-LABEL: .entry fragments(
  // PTX: ld.global.v4.b32
  // PTX-COUNT-4: add.rn.f32
  // PTX: st.global.v4.b32
  gpu.func @fragments(%a: !cute.tensor<f32, gmem, align<16>, "4:1">) kernel {
    %l = cute.static : !cute.layout<"(2,2):(2,1)">
    %f = cute.make_fragment<f32> (%l)
    %v = cute.load_vector(%a)
    cute.store_vector(%v, %f)
    %w = cute.load_vector(%f)
    %s = arith.addf %v, %w : vector<4xf32>
    cute.store_vector(%s, %a)
    gpu.return
  }

  // CHECK-LABEL: gpu.func @modes(
  // CHECK: %[[V:.*]] = vector.from_elements {{.*}} : vector<8xi32>
  // Rows of (2,4): elements 1, 3, 5, 7.
  // CHECK: %[[R:.*]] = vector.shuffle %[[V]], %[[V]] [1, 3, 5, 7] : vector<8xi32>, vector<8xi32>
  // CHECK: %[[E:.*]] = vector.extract %[[V]][5] : i32 from vector<8xi32>
  // CHECK: %[[B:.*]] = vector.shuffle %[[R]], %[[R]] [0, 0, 1, 1, 2, 2, 3, 3]
  // CHECK: %[[T:.*]] = vector.shuffle %[[B]], %[[B]] [0, 2, 4, 6, 1, 3, 5, 7]
  // By halves of mode 1, for both of mode 0: (x0 + x2) + (x1 + x3).
  // CHECK: %[[L:.*]] = vector.shuffle %[[T]], %[[T]] [0, 1, 2, 3]
  // CHECK: %[[H:.*]] = vector.shuffle %[[T]], %[[T]] [4, 5, 6, 7]
  // CHECK: %[[S:.*]] = arith.addi %[[L]], %[[H]] : vector<4xi32>
  // CHECK: %[[L2:.*]] = vector.shuffle %[[S]], %[[S]] [0, 1]
  // CHECK: %[[H2:.*]] = vector.shuffle %[[S]], %[[S]] [2, 3]
  // CHECK: %[[S2:.*]] = arith.addi %[[L2]], %[[H2]] : vector<2xi32>
  // CHECK: %[[I:.*]] = vector.broadcast %[[E]] : i32 to vector<2xi32>
  // CHECK: %[[A:.*]] = arith.addi %[[I]], %[[S2]] : vector<2xi32>
  // CHECK: %[[X:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
  // CHECK: arith.maxsi %[[E]], %[[X]] : i32
  // PTX-LABEL: .entry modes(
  gpu.func @modes(%a: !cute.tensor<i32, gmem, align<16>, "8:1">, %b: !cute.tensor<i32, gmem, align<16>, "1:1">) kernel {
    %v = cute.load_vector(%a)
    %r = cute.slice_vector<"(2,4)", "(1,_)"> (%v)
    %e = cute.slice_vector<"(2,4)", "(1,2)"> (%v)
    %m = cute.broadcast_vector<"(1,4)", "(2,4)"> (%r)
    %t = cute.gather_vector<"(4,2):(2,1)"> (%m)
    %s = cute.reduce_vector<"add", "(2,4)", "(_,0)"> (%t, %e)
    %x = cute.reduce_vector<"max", "2", "0"> (%s, %e)
    %c = cute.static : !cute.coord<"0">
    cute.store(%x, %b, %c) : i32, !cute.tensor<i32, gmem, align<16>, "1:1">, !cute.coord<"0">
    gpu.return
  }

  // The operations of the kinds.
  // CHECK-LABEL: gpu.func @kinds(
  // CHECK: arith.mulf
  // CHECK: arith.minimumf
  // CHECK: arith.maximumf
  // CHECK: arith.minnumf
  // CHECK: arith.maxnumf
  // CHECK: arith.muli
  // CHECK: arith.minsi
  // CHECK: arith.minui
  // CHECK: arith.maxui
  // CHECK: arith.andi
  // CHECK: arith.ori
  // CHECK: arith.xori
  // PTX-LABEL: .entry kinds(
  gpu.func @kinds(%a: !cute.tensor<f32, gmem, align<16>, "2:1">, %b: !cute.tensor<i32, gmem, align<16>, "2:1">) kernel {
    %v = cute.load_vector(%a)
    %z = cute.slice_vector<"2", "0"> (%v)
    %0 = cute.reduce_vector<"mul", "2", "0"> (%v, %z)
    %1 = cute.reduce_vector<"min", "2", "0"> (%v, %0)
    %2 = cute.reduce_vector<"max", "2", "0"> (%v, %1)
    %3 = cute.reduce_vector<"minnum", "2", "0"> (%v, %2)
    %4 = cute.reduce_vector<"maxnum", "2", "0"> (%v, %3)
    %w = cute.load_vector(%b)
    %i = cute.slice_vector<"2", "0"> (%w)
    %5 = cute.reduce_vector<"mul", "2", "0"> (%w, %i)
    %6 = cute.reduce_vector<"min", "2", "0"> (%w, %5)
    %7 = cute.reduce_vector<"minu", "2", "0"> (%w, %6)
    %8 = cute.reduce_vector<"maxu", "2", "0"> (%w, %7)
    %9 = cute.reduce_vector<"and", "2", "0"> (%w, %8)
    %10 = cute.reduce_vector<"or", "2", "0"> (%w, %9)
    %11 = cute.reduce_vector<"xor", "2", "0"> (%w, %10)
    %c = cute.static : !cute.coord<"0">
    cute.store(%4, %a, %c) : f32, !cute.tensor<f32, gmem, align<16>, "2:1">, !cute.coord<"0">
    cute.store(%11, %b, %c) : i32, !cute.tensor<i32, gmem, align<16>, "2:1">, !cute.coord<"0">
    gpu.return
  }

  // Unsigned integers are integers.
  // CHECK-LABEL: gpu.func @unsigned(
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<16xi8>
  // CHECK: %[[V:.*]] = vector.from_elements {{.*}} : vector<16xi8>
  // CHECK: arith.extui %[[V]] : vector<16xi8> to vector<16xi32>
  // CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  // PTX-LABEL: .entry unsigned(
  // PTX: ld.global.v4.b32
  // PTX-COUNT-4: st.global.v4.b32
  gpu.func @unsigned(%a: !cute.tensor<ui8, gmem, align<16>, "16:1">, %b: !cute.tensor<ui32, gmem, align<16>, "16:1">) kernel {
    %v = cute.load_vector(%a)
    %w = arith.extui %v : vector<16xi8> to vector<16xi32>
    cute.store_vector(%w, %b)
    gpu.return
  }

  // Floats of 8 bits are bytes in memory.
  // CHECK-LABEL: gpu.func @bytes(
  // CHECK: %[[P:.*]] = scf.if
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
  // CHECK: %[[C:.*]] = arith.constant dense<1.500000e+00> : vector<4xf8E4M3FN>
  // CHECK: arith.bitcast %[[C]] : vector<4xf8E4M3FN> to vector<4xi8>
  // CHECK: %[[B:.*]] = vector.from_elements {{.*}} : vector<8xi8>
  // CHECK: %[[V:.*]] = arith.bitcast %[[B]] : vector<8xi8> to vector<8xf8E4M3FN>
  // CHECK: %[[S:.*]] = vector.shuffle %[[V]], %[[V]] [0, 2, 4, 6]
  // CHECK: arith.bitcast %[[S]] : vector<4xf8E4M3FN> to vector<4xi8>
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<1>
  // PTX-LABEL: .entry bytes(
  // PTX: ld.global.b32
  // PTX: st.global.b32
  gpu.func @bytes(%a: !cute.tensor<f8E4M3FN, gmem, align<4>, "8:1">, %b: !cute.tensor<f8E4M3FN, gmem, align<4>, "4:1">, %n: !cute.shape<"?">) kernel {
    %two = cute.static : !cute.shape<"2">
    %c = cute.make_identity_tensor(%two)
    %p = cute.make_predicate(%c, %n)
    %v = cute.load_vector<"1.5">(%a, %p)
    %s = cute.slice_vector<"(2,4)", "(0,_)">(%v)
    cute.store_vector(%s, %b)
    gpu.return
  }

  // What modes of stride 0 repeat is loaded once, where a predicate of any of
  // these elements is true; each has the padding by its own.
  // CHECK-LABEL: gpu.func @repeated(
  // CHECK-COUNT-6: arith.ori
  // CHECK: scf.if
  // CHECK: llvm.load
  // CHECK: scf.if
  // CHECK: llvm.load
  // CHECK-NOT: llvm.load {{.*}} -> f32
  // CHECK: %[[R:.*]] = vector.from_elements %[[A:.*]], %[[A]], %[[A]], %[[A]], %[[B:.*]], %[[B]], %[[B]], %[[B]] : vector<8xf32>
  // CHECK: %[[O:.*]] = arith.constant dense<1.000000e+00> : vector<8xf32>
  // CHECK: %[[P:.*]] = vector.from_elements {{.*}} : vector<8xi1>
  // CHECK: arith.select %[[P]], %[[R]], %[[O]] : vector<8xi1>, vector<8xf32>
  // PTX-LABEL: .entry repeated(
  // PTX-COUNT-2: ld.global.b32
  // PTX-NOT: ld.global.b32
  // PTX: ret;
  gpu.func @repeated(%a: !cute.tensor<f32, gmem, align<4>, "((2,2),2):((0,0),1)">, %b: !cute.tensor<f32, gmem, align<16>, "8:1">, %n: !cute.shape<"((?,?),?)">) kernel {
    %all = cute.static : !cute.shape<"((2,2),2)">
    %c = cute.make_identity_tensor(%all)
    %p = cute.make_predicate(%c, %n)
    %v = cute.load_vector<"1">(%a, %p)
    cute.store_vector(%v, %b)
    gpu.return
  }
}
