// Tensors and pointers through control flow and between functions: a
// value is a pointer, or a struct of it and the layout's integers.
// RUN: cute-opt %s --cute-lower | FileCheck %s --implicit-check-not=cute.
// RUN: cute-opt %s --cute-to-base | FileCheck %s --implicit-check-not=cute.
// RUN: cutec %s -o - | FileCheck %s --check-prefix=PTX

!rows = !cute.tensor<f32, gmem, align<16>, "(?,?):(?{div=4},1)">
!row = !cute.tensor<f32, gmem, align<16>, "?:1">

gpu.module @carried {
  // CHECK-LABEL: func.func @row(
  // CHECK-SAME: %{{.*}}: !llvm.struct<(ptr<1>, struct<(struct<(i32, i32)>, i32)>)>, %{{.*}}: i32) -> !llvm.struct<(ptr<1>, struct<(i32, struct<()>)>)> {
  // CHECK: %[[P:.*]] = llvm.extractvalue %{{.*}}[0] : !llvm.struct<(ptr<1>,
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][
  // CHECK: llvm.insertvalue %[[Q]], %{{.*}}[0] : !llvm.struct<(ptr<1>,
  func.func @row(%t: !rows, %i: i32) -> !row {
    %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
    %r = cute.slice(%t, %c)
    %f = cute.flatten(%r)
    %l = cute.get_layout(%f)
    %u = cute.coalesce(%l)
    %p = cute.get_iter(%f)
    %v = cute.make_tensor(%p, %u)
    return %v : !row
  }

  // Four columns on in each step; in PTX, a pointer that moves.
  // CHECK-LABEL: gpu.func @loop(
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (!llvm.struct<(ptr<1>, struct<(i32, struct<()>)>)>)
  // CHECK: %[[P:.*]] = llvm.extractvalue %[[T]][0]
  // CHECK: llvm.store %{{.*}}, %[[P]]
  // CHECK: %[[NEXT:.*]] = llvm.getelementptr %[[P]][4]
  // CHECK: %[[C:.*]] = scf.if %{{.*}} -> (!llvm.struct<(ptr<1>, struct<(i32, struct<()>)>)>) {
  // CHECK: llvm.insertvalue %[[NEXT]], %{{.*}}[0]
  // CHECK: scf.yield
  // CHECK: else
  // CHECK-NEXT: scf.yield %[[T]]
  // CHECK: scf.yield %[[C]]
  // CHECK: %[[Q:.*]] = llvm.extractvalue %[[R]][0]
  // CHECK: llvm.store %{{.*}}, %[[Q]]
  // PTX-LABEL: .entry loop(
  // PTX: st.global.b32
  gpu.func @loop(%t: !rows, %n: i32, %b: i1, %x: f32) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = cute.static : !cute.coord<"0">
    %r = func.call @row(%t, %n) : (!rows, i32) -> !row
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%u = %r) -> (!row) : i32 {
      cute.store(%x, %u, %z) : f32, !row, !cute.coord<"0">
      %c4 = cute.static : !cute.coord<"4">
      %v = cute.domain_offset(%c4, %u)
      %w = scf.if %b -> !row {
        scf.yield %v : !row
      } else {
        scf.yield %u : !row
      }
      scf.yield %w : !row
    }
    cute.store(%x, %e, %z) : f32, !row, !cute.coord<"0">
    gpu.return
  }

  // CHECK-LABEL: gpu.func @select(
  // CHECK: %[[S:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : !llvm.struct<(ptr<1>, struct<(i32, struct<()>)>)>
  // CHECK: %[[P:.*]] = llvm.extractvalue %[[S]][0]
  // CHECK: llvm.store %{{.*}}, %[[P]]
  gpu.func @select(%a: !row, %b: !row, %c: i1, %x: f32) kernel {
    %s = arith.select %c, %a, %b : !row
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %s, %z) : f32, !row, !cute.coord<"0">
    gpu.return
  }

  // Coordinates are their origin and layout.
  // CHECK-LABEL: gpu.func @while(
  // CHECK: %[[R:.*]]:4 = scf.while (%{{.*}}) : (i32, !llvm.struct<(i32, struct<(struct<()>, struct<()>)>)>, !llvm.struct<(struct<()>, i32)>, !llvm.struct<()>) ->
  // CHECK: scf.condition
  // CHECK: scf.yield
  // CHECK: %[[O:.*]] = llvm.extractvalue %[[R]]#1[0]
  // CHECK: arith.cmpi slt, %[[O]], %{{.*}} : i32
  gpu.func @while(%n: i32, %l: !cute.layout<"(4,8):(?,1)">, %out: !llvm.ptr<1>) kernel {
    %c1 = arith.constant 1 : i32
    %s = cute.static : !cute.shape<"(4,8)">
    %id = cute.make_identity_tensor(%s)
    %c = cute.make_coord(%n) : (i32) -> !cute.coord<"(?,0)">
    %id1 = cute.domain_offset(%c, %id)
    %r:4 = scf.while (%i = %n, %a = %id1, %b = %l, %q = %s) : (i32, !cute.coord_tensor<"(?,0)", "(4,8):(1@0,1@1)">, !cute.layout<"(4,8):(?,1)">, !cute.shape<"(4,8)">) -> (i32, !cute.coord_tensor<"(?,0)", "(4,8):(1@0,1@1)">, !cute.layout<"(4,8):(?,1)">, !cute.shape<"(4,8)">) {
      %more = arith.cmpi ne, %i, %c1 : i32
      scf.condition(%more) %i, %a, %b, %q : i32, !cute.coord_tensor<"(?,0)", "(4,8):(1@0,1@1)">, !cute.layout<"(4,8):(?,1)">, !cute.shape<"(4,8)">
    } do {
    ^bb0(%j: i32, %a: !cute.coord_tensor<"(?,0)", "(4,8):(1@0,1@1)">, %b: !cute.layout<"(4,8):(?,1)">, %q: !cute.shape<"(4,8)">):
      %k = arith.addi %j, %c1 : i32
      %c3 = cute.static : !cute.coord<"(3,0)">
      %m = cute.domain_offset(%c3, %a)
      scf.yield %k, %m, %b, %q : i32, !cute.coord_tensor<"(?,0)", "(4,8):(1@0,1@1)">, !cute.layout<"(4,8):(?,1)">, !cute.shape<"(4,8)">
    }
    %bound = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,8)">
    %p = cute.make_predicate(%r#1, %bound)
    %d = cute.get_scalars<{only_dynamic}> (%r#2) : !cute.layout<"(4,8):(?,1)">
    llvm.store %d, %out : i32, !llvm.ptr<1>
    gpu.return
  }

  // Fragments are pointers; the fragment stays in registers.
  // CHECK-LABEL: func.func @fill(%{{.*}}: !llvm.struct<(ptr, struct<(struct<()>, struct<()>)>)>, %{{.*}}: !llvm.ptr<3>, %{{.*}}: f32)
  // CHECK-LABEL: gpu.func @pointers(
  // CHECK: func.call @fill(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.struct<(ptr, struct<(struct<()>, struct<()>)>)>, !llvm.ptr<3>, f32) -> ()
  // PTX-LABEL: .entry pointers(
  // PTX-NOT: .local
  // PTX: st.global.b32 [%{{.*}}+12]
  func.func @fill(%f: !cute.tensor<f32, rmem, align<16>, "4:1">, %s: !cute.ptr<f32, smem, align<8>>, %x: f32) {
    cute.fill(%f, %x) : !cute.tensor<f32, rmem, align<16>, "4:1">, f32
    %l = cute.static : !cute.layout<"1:0">
    %z = cute.static : !cute.coord<"0">
    %b = cute.make_tensor(%s, %l)
    cute.store(%x, %b, %z) : f32, !cute.tensor<f32, smem, align<8>, "1:0">, !cute.coord<"0">
    return
  }
  gpu.func @pointers(%t: !cute.tensor<f32, gmem, align<16>, "4:1">, %x: f32) kernel {
    %l = cute.static : !cute.layout<"4:1">
    %sA = cute.alloc_smem<f32, 8> (%l)
    %s = cute.get_iter(%sA)
    %f = cute.make_fragment<f32> (%l)
    func.call @fill(%f, %s, %x) : (!cute.tensor<f32, rmem, align<16>, "4:1">, !cute.ptr<f32, smem, align<8>>, f32) -> ()
    %z = cute.static : !cute.coord<"3">
    %v = cute.load(%f, %z)
    cute.store(%v, %t, %z) : f32, !cute.tensor<f32, gmem, align<16>, "4:1">, !cute.coord<"3">
    gpu.return
  }

  // Blocks that are branched to take tensors as well.
  // CHECK-LABEL: gpu.func @branch(
  // CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : !llvm.struct<(ptr<1>, struct<(i32, struct<()>)>)>), ^bb1(
  // CHECK: ^bb1(%[[T:.*]]: !llvm.struct<(ptr<1>, struct<(i32, struct<()>)>)>):
  // CHECK: %[[P:.*]] = llvm.extractvalue %[[T]][0]
  // CHECK: llvm.store %{{.*}}, %[[P]]
  gpu.func @branch(%a: !row, %b: !row, %c: i1, %x: f32) kernel {
    cf.cond_br %c, ^end(%a : !row), ^end(%b : !row)
  ^end(%t: !row):
    %z = cute.static : !cute.coord<"0">
    cute.store(%x, %t, %z) : f32, !row, !cute.coord<"0">
    gpu.return
  }
}
