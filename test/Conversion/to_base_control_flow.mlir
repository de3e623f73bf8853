// Loops, branches and selections carry lowered values of the dialect.
// RUN: cute-opt %s --cute-fold-static --cute-expand-ops --cute-to-base | FileCheck %s --implicit-check-not=cute. --implicit-check-not=unrealized
// RUN: cute-opt %s --cute-to-base --base-prepare --one-shot-convert-to-llvm | mlir-translate --mlir-to-llvmir | llc -o /dev/null

// CHECK-LABEL: func.func @for(
// CHECK-SAME: %[[S:.*]]: !llvm.struct<(i32, i64)>, %[[N:.*]]: index) -> !llvm.struct<(i32, i64)>
func.func @for(%s: !cute.shape<"(?,?{i64})">, %n: index) -> !cute.shape<"(?,?{i64})"> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[R:.*]]:2 = scf.for %{{.*}} iter_args(%[[I:.*]] = %{{.*}}, %[[T:.*]] = %[[S]]) -> (index, !llvm.struct<(i32, i64)>)
  // CHECK-NEXT: %[[A:.*]] = llvm.extractvalue %[[T]][0]
  // CHECK-NEXT: %[[B:.*]] = llvm.extractvalue %[[T]][1]
  // CHECK: arith.addi %[[A]],
  // CHECK: arith.addi %[[B]],
  // CHECK: scf.yield %{{.*}}, %{{.*}} : index, !llvm.struct<(i32, i64)>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %n, %t = %s) -> (index, !cute.shape<"(?,?{i64})">) {
    %x = cute.tuple_add(%t, %s) : (!cute.shape<"(?,?{i64})">, !cute.shape<"(?,?{i64})">) -> !cute.shape<"(?,?{i64})">
    scf.yield %i, %x : index, !cute.shape<"(?,?{i64})">
  }
  // CHECK: return %[[R]]#1
  return %r#1 : !cute.shape<"(?,?{i64})">
}

// CHECK-LABEL: func.func @while(
// CHECK-SAME: %[[S:.*]]: i32, %[[N:.*]]: i32) -> !llvm.struct<(i32, struct<()>)>
func.func @while(%s: !cute.shape<"?">, %n: i32) -> !cute.layout<"?:1"> {
  // CHECK: scf.while (%[[T:.*]] = %[[S]]) : (i32) -> !llvm.struct<(i32, struct<()>)>
  // CHECK: arith.cmpi slt, %[[T]], %[[N]]
  // CHECK: scf.condition(%{{.*}}) %{{.*}} : !llvm.struct<(i32, struct<()>)>
  // CHECK: ^bb0(%[[L:.*]]: !llvm.struct<(i32, struct<()>)>):
  // CHECK: scf.yield %{{.*}} : i32
  %r = scf.while (%t = %s) : (!cute.shape<"?">) -> !cute.layout<"?:1"> {
    %i = cute.get_scalars (%t) : !cute.shape<"?">
    %more = arith.cmpi slt, %i, %n : i32
    %d = cute.static : !cute.stride<"1">
    %l = cute.make_layout(%t, %d) : (!cute.shape<"?">, !cute.stride<"1">) -> !cute.layout<"?:1">
    scf.condition(%more) %l : !cute.layout<"?:1">
  } do {
  ^bb0(%l: !cute.layout<"?:1">):
    %x = cute.get_shape(%l) : !cute.layout<"?:1"> -> !cute.shape<"?">
    %y = cute.tuple_add(%x, %x) : (!cute.shape<"?">, !cute.shape<"?">) -> !cute.shape<"?">
    scf.yield %y : !cute.shape<"?">
  }
  return %r : !cute.layout<"?:1">
}

// Static values are carried as nothing.
// CHECK-LABEL: func.func @static(
func.func @static(%b: i1, %t: !cute.tile<"[4:1;_]">) -> !cute.swizzle<"S<1,2,3>"> {
  // CHECK: scf.if %{{.*}} -> (!llvm.struct<()>, !llvm.struct<(struct<()>, struct<()>)>)
  %r:2 = scf.if %b -> (!cute.swizzle<"S<1,2,3>">, !cute.tile<"[4:1;_]">) {
    %0 = cute.static : !cute.swizzle<"S<1,2,3>">
    scf.yield %0, %t : !cute.swizzle<"S<1,2,3>">, !cute.tile<"[4:1;_]">
  } else {
    %1 = cute.static : !cute.swizzle<"S<1,2,3>">
    scf.yield %1, %t : !cute.swizzle<"S<1,2,3>">, !cute.tile<"[4:1;_]">
  }
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : !llvm.struct<()>
  %s = arith.select %b, %r#0, %r#0 : !cute.swizzle<"S<1,2,3>">
  return %s : !cute.swizzle<"S<1,2,3>">
}

// Uses may be written before definitions; nobody branches to the last block.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[N:.*]]: i32, %[[B:.*]]: i1) -> i32
func.func @blocks(%n: i32, %b: i1) -> !cute.int_tuple<"?"> {
  // CHECK: cf.br ^[[DEF:.*]](%{{.*}} : !llvm.struct<(i32, struct<()>)>)
  %t = cute.make_tile(%n) : (i32) -> !cute.tile<"[?:1;_]">
  cf.br ^def(%t : !cute.tile<"[?:1;_]">)
^use:
  // CHECK: return %{{.*}} : i32
  return %y : !cute.int_tuple<"?">
^def(%u: !cute.tile<"[?:1;_]">):
  // CHECK: ^[[DEF]](%[[U:.*]]: !llvm.struct<(i32, struct<()>)>):
  // CHECK: cf.cond_br %[[B]], ^{{.*}}, ^[[DEF]](%{{.*}} : !llvm.struct<(i32, struct<()>)>)
  %x:2 = cute.get_leaves(%u) : !cute.tile<"[?:1;_]">
  %y = cute.size(%x#0) : (!cute.layout<"?:1">) -> !cute.int_tuple<"?">
  cf.cond_br %b, ^use, ^def(%u : !cute.tile<"[?:1;_]">)
^unreached(%z: !cute.int_tuple<"?">):
  return %z : !cute.int_tuple<"?">
}

// In kernels and in regions of other ops.
// CHECK-LABEL: gpu.func @kernel(
gpu.module @device {
  gpu.func @kernel(%c: !cute.coord<"(?,?)">, %b: i1) kernel {
    // CHECK: scf.if %{{.*}} -> (!llvm.struct<(i32, i32)>)
    // CHECK: cf.switch
    // CHECK: ^bb1(%{{.*}}: !llvm.struct<(i32, i32)>):
    %r = scf.if %b -> (!cute.coord<"(?,?)">) {
      %k = arith.constant 1 : i32
      %x = scf.execute_region -> !cute.coord<"(?,?)"> {
        cf.switch %k : i32, [default: ^bb1(%c : !cute.coord<"(?,?)">), 1: ^bb1(%c : !cute.coord<"(?,?)">)]
      ^bb1(%a: !cute.coord<"(?,?)">):
        scf.yield %a : !cute.coord<"(?,?)">
      }
      scf.yield %x : !cute.coord<"(?,?)">
    } else {
      scf.yield %c : !cute.coord<"(?,?)">
    }
    // CHECK: gpu.printf
    cute.print(%r) : !cute.coord<"(?,?)">
    gpu.return
  }
}
