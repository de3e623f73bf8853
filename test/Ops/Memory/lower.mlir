// Element access is one load or store; elementwise ops touch each element once.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

gpu.module @memory {
  // Spaces: global, shared, registers.
  // CHECK-LABEL: gpu.func @spaces(
  // CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> f16
  // CHECK: llvm.store %[[V]], %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<3>
  // CHECK: llvm.store %[[V]], %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr{{$}}
  // PTX-LABEL: .entry spaces(
  // PTX: ld.global.b16 %[[V:rs[0-9]+]], [%{{.*}}+16];
  // PTX: st.shared.b16 [spaces_smem+6], %[[V]];
  // PTX: ld.shared.b16
  // PTX: st.global.b16
  gpu.func @spaces(%t: !cute.tensor<f16, gmem, align<2>, "(8,?):(1,8)">, %x: i32) kernel {
    %l = cute.static : !cute.layout<"8:1">
    %s = cute.alloc_smem<f16, 16> (%l)
    %r = cute.make_fragment<f16> (%l)
    %c = cute.static : !cute.coord<"(0,1)">
    %d = cute.static : !cute.coord<"3">
    %v = cute.load(%t, %c)
    cute.store(%v, %s, %d) : f16, !cute.tensor<f16, smem, align<16>, "8:1">, !cute.coord<"3">
    cute.store(%v, %r, %d) : f16, !cute.tensor<f16, rmem, align<16>, "8:1">, !cute.coord<"3">
    gpu.barrier
    %i = cute.make_coord(%x) : (i32) -> !cute.coord<"?">
    %w = cute.load(%s, %i)
    cute.store(%w, %t, %c) : f16, !cute.tensor<f16, gmem, align<2>, "(8,?):(1,8)">, !cute.coord<"(0,1)">
    gpu.return
  }

  // A scalar coordinate is split over the modes: 7 of (4,2) is (3,1).
  // CHECK-LABEL: gpu.func @colexicographic(
  // CHECK: llvm.getelementptr %{{.*}}[13] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  gpu.func @colexicographic(%t: !cute.tensor<f32, gmem, align<4>, "(4,2):(1,10)">, %x: f32) kernel {
    %c = cute.static : !cute.coord<"7">
    cute.store(%x, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "(4,2):(1,10)">, !cute.coord<"7">
    gpu.return
  }

  // A 64-bit stride makes 64-bit offsets; the coordinate is sign-extended.
  // CHECK-LABEL: gpu.func @wide_stride(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{.*}}, %[[S0:.*]]: i32, %[[D:.*]]: i64, %[[I:.*]]: i32
  // CHECK: arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[O:.*]] = arith.muli %{{.*}}, %[[D]] : i64
  // CHECK: llvm.getelementptr %[[P]][%[[O]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  gpu.func @wide_stride(%t: !cute.tensor<f32, gmem, align<4>, "(?,4):(?{i64},1)">, %i: i32, %x: f32) kernel {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,0)">
    cute.store(%x, %t, %c) : f32, !cute.tensor<f32, gmem, align<4>, "(?,4):(?{i64},1)">, !cute.coord<"(?,0)">
    gpu.return
  }

  // All elements, by the layout of the fragment: (2,2):(1,4) is 0, 1, 4, 5.
  // CHECK-LABEL: gpu.func @fill(
  // CHECK-SAME: %[[X:.*]]: f32
  // CHECK: %[[N:.*]] = arith.constant 6 : i32
  // CHECK: %[[F:.*]] = llvm.alloca %[[N]] x f32
  // CHECK: llvm.store %[[X]], %[[F]] {
  // CHECK: %[[F1:.*]] = llvm.getelementptr %[[F]][1]
  // CHECK: llvm.store %[[X]], %[[F1]] {
  // CHECK: %[[F4:.*]] = llvm.getelementptr %[[F]][4]
  // CHECK: llvm.store %[[X]], %[[F4]] {
  // CHECK: %[[F5:.*]] = llvm.getelementptr %[[F]][5]
  // CHECK: llvm.store %[[X]], %[[F5]] {
  // CHECK-NOT: llvm.store
  // CHECK-LABEL: gpu.func @clear(
  // CHECK: %[[Z:.*]] = llvm.mlir.zero : i8
  // CHECK-COUNT-3: llvm.store %[[Z]], %{{.*}} {alignment = 1 : i64} : i8
  // CHECK-NOT: llvm.store
  gpu.func @fill(%x: f32) kernel {
    %l = cute.static : !cute.layout<"(2,2):(1,4)">
    %f = cute.make_fragment<f32> (%l)
    cute.fill(%f, %x) : !cute.tensor<f32, rmem, align<16>, "(2,2):(1,4)">, f32
    gpu.return
  }
  gpu.func @clear() kernel {
    %l = cute.static : !cute.layout<"3:1">
    %f = cute.make_fragment<i8> (%l)
    cute.clear(%f)
    gpu.return
  }

  // Memory by the widest accesses: rows of 8 f16, in swizzled memory blocks of 4;
  // what is dynamic or large in a loop.
  // CHECK-LABEL: gpu.func @fill_memory(
  // CHECK-SAME: %[[X:[a-z0-9]+]]: f16
  // CHECK: %[[V:.*]] = vector.broadcast %[[X]] : f16 to vector<8xf16>
  // CHECK-COUNT-4: llvm.store %[[V]], %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
  // CHECK: %[[Z:.*]] = llvm.mlir.zero : f16
  // CHECK: %[[W:.*]] = vector.broadcast %[[Z]] : f16 to vector<4xf16>
  // CHECK-COUNT-8: llvm.store %[[W]], %{{.*}} {alignment = 8 : i64} : vector<4xf16>, !llvm.ptr<3>
  // CHECK-NOT: llvm.store
  // CHECK: scf.for
  // CHECK: llvm.store %[[X]], %{{.*}} {alignment = 2 : i64} : f16, !llvm.ptr<1>
  // CHECK: scf.for
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i8, !llvm.ptr<3>
  // CHECK: vector.broadcast %{{.*}} : i4 to vector<16xi4>
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
  // CHECK-NOT: llvm.store
  gpu.func @fill_memory(%x: f16, %a: !cute.tensor<f16, gmem, align<16>, "(8,4):(1,?{div=8})">, %b: !cute.tensor<f16, gmem, align<2>, "(?,?):(?,1)">, %p: !cute.tensor<i4, gmem, align<8>, "16:1">) kernel {
    cute.fill(%a, %x)
    %l = cute.static : !cute.composed_layout<"S<1,2,2> o 0 o (8,4):(1,8)">
    %s = cute.alloc_smem<f16, 16> (%l)
    cute.clear(%s)
    cute.fill(%b, %x)
    %m = cute.static : !cute.layout<"(200,200):(1,200)">
    %t = cute.alloc_smem<i8, 16> (%m)
    cute.clear(%t)
    cute.clear(%p)
    gpu.return
  }

  // Element i goes to element i, though the layouts differ: of (2,2):(2,1) to
  // 4:1, element 1 lies at 2.
  // CHECK-LABEL: gpu.func @convert(
  // CHECK: %[[V0:.*]] = llvm.load %[[A:[0-9]+]] {{.*}} -> f32
  // CHECK: %[[I0:.*]] = llvm.insertelement %[[V0]], %{{.*}} : vector<2xf32>
  // CHECK: %[[A1:.*]] = llvm.getelementptr %[[A]][2] : (!llvm.ptr) -> !llvm.ptr, f32
  // CHECK: %[[V1:.*]] = llvm.load %[[A1]] {{.*}} -> f32
  // CHECK: %[[I1:.*]] = llvm.insertelement %[[V1]], %[[I0]][%{{.*}}] : vector<2xf32>
  // CHECK: %[[T:.*]] = arith.truncf %[[I1]] : vector<2xf32> to vector<2xf16>
  // CHECK: llvm.store %[[T]], %[[B:[0-9]+]] {
  // CHECK: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
  // CHECK: %[[B1:.*]] = llvm.getelementptr %[[B]][2] : (!llvm.ptr) -> !llvm.ptr, f16
  // CHECK: llvm.store %{{.*}}, %[[B1]] {
  // CHECK-COUNT-2: arith.extf %{{.*}} : vector<2xf16> to vector<2xf64>
  // CHECK-COUNT-2: arith.truncf %{{.*}} : vector<2xf32> to vector<2xbf16>
  gpu.func @convert(%x: f32) kernel {
    %l = cute.static : !cute.layout<"(2,2):(2,1)">
    %m = cute.static : !cute.layout<"4:1">
    %f = cute.make_fragment<f32> (%l)
    %g = cute.make_fragment<f16> (%m)
    %h = cute.make_fragment<f64> (%m)
    %b = cute.make_fragment<bf16> (%m)
    cute.fill(%f, %x) : !cute.tensor<f32, rmem, align<16>, "(2,2):(2,1)">, f32
    cute.convert(%f, %g)
    cute.convert(%g, %h)
    cute.convert(%g, %b)
    gpu.return
  }

  // The old y is left out where beta is 0; the values are in test/Ops/check_memory.py.
  // CHECK-LABEL: gpu.func @axpby(
  // CHECK-SAME: %[[A:.*]]: f32, %[[B:.*]]: f32, %[[Y:[a-z0-9]*]]: !llvm.ptr<1>
  // CHECK: %[[NONE:.*]] = arith.cmpf oeq, %[[B]], %{{.*}} : f32
  // CHECK: %[[X0:.*]] = llvm.load %{{.*}} -> f16
  // CHECK: %[[X:.*]] = arith.extf %[[X0]] : f16 to f32
  // CHECK: %[[AX:.*]] = arith.mulf %[[A]], %[[X]] : f32
  // CHECK: %[[Y0:.*]] = llvm.load %[[Y]]
  // CHECK: %[[BY:.*]] = arith.mulf %[[B]], %[[Y0]] : f32
  // CHECK: %[[S:.*]] = arith.addf %[[AX]], %[[BY]] : f32
  // CHECK: %[[R:.*]] = arith.select %[[NONE]], %[[AX]], %[[S]] : f32
  // CHECK: llvm.store %[[R]], %[[Y]]
  gpu.func @axpby(%a: f32, %b: f32, %y: !cute.tensor<f32, gmem, align<16>, "2:1">, %n: i32, %z: !cute.tensor<i32, gmem, align<4>, "2:1">) kernel {
    %l = cute.static : !cute.layout<"2:1">
    %x = cute.make_fragment<f16> (%l)
    cute.clear(%x)
    cute.axpby(%a, %x, %b, %y)
    // CHECK: arith.muli
    // CHECK: arith.addi
    cute.axpby(%n, %z, %n, %z)
    gpu.return
  }
}
