// print in a kernel is gpu.printf: the text with conversions for dynamic leaves.
// RUN: cute-opt %s --cute-lower --canonicalize --cse \
// RUN:   | FileCheck %s --implicit-check-not="cute."

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @print(
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64)
  gpu.func @print(%m: i32, %n: i64) kernel {
    // CHECK: gpu.printf "(2,(%d,%lld))\0A", %[[M]], %[[N]] : i32, i64
    %t = cute.make_int_tuple(%m, %n) : (i32, i64) -> !cute.int_tuple<"(2,(?,?{i64}))">
    cute.print(%t)
    // CHECK-NEXT: gpu.printf "(_,%lld)\0A", %[[N]] : i64
    %c = cute.make_coord(%n) : (i64) -> !cute.coord<"(_,?{i64})">
    cute.print(%c)
    // CHECK-NEXT: gpu.printf "(%d@1,2@0)\0A", %[[M]] : i32
    %d = cute.make_stride(%m) : (i32) -> !cute.stride<"(?@1,2@0)">
    cute.print(%d)
    // CHECK-NEXT: gpu.printf {{"\[%d:1;_;4:2\]\\0A"}}, %[[M]] : i32
    %tile = cute.make_tile(%m) : (i32) -> !cute.tile<"[?:1;_;4:2]">
    cute.print(%tile)
    // CHECK-NEXT: gpu.printf "(%d,8):(8,%d)\0A", %[[M]], %[[M]] : i32, i32
    %s = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,8)">
    %e = cute.make_stride(%m) : (i32) -> !cute.stride<"(8,?)">
    %l = cute.make_layout(%s, %e)
    cute.print(%l)
    gpu.return
  }

  // Without dynamic leaves there are no arguments.
  // CHECK-LABEL: gpu.func @print_static
  // CHECK-NEXT: gpu.printf "S<2,1,-3>\0A"
  // CHECK-NEXT: gpu.printf "():()\0A"
  // CHECK-NEXT: gpu.return
  gpu.func @print_static() kernel {
    %w = cute.static : !cute.swizzle<"S<2,1,-3>">
    cute.print(%w)
    %l = cute.static : !cute.layout<"()">
    cute.print(%l)
    gpu.return
  }

  // A o offset o B: A's and the offset's arguments come before B's.
  // CHECK-LABEL: gpu.func @print_composed(
  // CHECK-SAME: %[[A:.*]]: i32, %[[O:.*]]: i32, %[[B:.*]]: i64)
  // CHECK-NEXT: gpu.printf "(8,%d):(1,8) o %d o (%lld,4):(4,1)\0A", %[[A]], %[[O]], %[[B]] : i32, i32, i64
  gpu.func @print_composed(%a: i32, %o: i32, %b: i64) kernel {
    %as = cute.make_shape(%a) : (i32) -> !cute.shape<"(8,?)">
    %ad = cute.static : !cute.stride<"(1,8)">
    %al = cute.make_layout(%as, %ad)
    %offset = cute.make_int_tuple(%o) : (i32) -> !cute.int_tuple<"?">
    %bs = cute.make_shape(%b) : (i64) -> !cute.shape<"(?{i64},4)">
    %bd = cute.static : !cute.stride<"(4,1)">
    %bl = cute.make_layout(%bs, %bd)
    %x = cute.make_composed_layout(%al, %offset, %bl)
    cute.print(%x)
    gpu.return
  }

  // What is known of a leaf is not part of the text.
  // CHECK-LABEL: gpu.func @print_divisor
  // CHECK-NEXT: gpu.printf "(%d,%lld)\0A"
  gpu.func @print_divisor(%m: i32, %n: i64) kernel {
    %s = cute.make_shape(%m, %n) : (i32, i64) -> !cute.shape<"(?{div=8},?{i64 div=4})">
    cute.print(%s)
    gpu.return
  }

  // A pointer is its type and address, a tensor that and its layout.
  // CHECK-LABEL: gpu.func @print_memory(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[N:.*]]: i32, %[[X:.*]]: f16
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
  // CHECK: gpu.printf "ptr<f32, gmem, align<4>>(0x%llx) o (4,%d):(1,4)\0A", %[[A]], %[[N]] : i64, i32
  // CHECK: %[[D:.*]] = arith.extf %[[X]] : f16 to f64
  // CHECK: gpu.printf "%g\0A", %[[D]] : f64
  gpu.func @print_memory(%t: !cute.tensor<f32, gmem, align<4>, "(4,?):(1,4)">, %x: f16) kernel {
    cute.print(%t)
    cute.print_value(%x)
    gpu.return
  }

  // A loop for each mode, with brackets around it and commas within.
  // CHECK-LABEL: gpu.func @print_tensor(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1> {{{.*}}}, %[[N:[a-z0-9]*]]: i32
  // CHECK: gpu.printf "ptr<bf16, gmem, align<2>>(0x%llx) o (4,%d):(%d,1) =\0A"
  // CHECK: gpu.printf "["
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: scf.if
  // CHECK: gpu.printf ",\0A "
  // CHECK: gpu.printf "["
  // CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[N]] step
  // CHECK: gpu.printf ", "
  // CHECK: %[[V:.*]] = llvm.load
  // CHECK: %[[D:.*]] = arith.extf %[[V]] : bf16 to f64
  // CHECK: gpu.printf "%g", %[[D]] : f64
  // CHECK: gpu.printf "]"
  // CHECK: gpu.printf "]"
  // CHECK: gpu.printf "\0A"
  gpu.func @print_tensor(%t: !cute.tensor<bf16, gmem, align<2>, "(4,?):(?,1)">) kernel {
    cute.print_tensor(%t)
    gpu.return
  }

  // Elements of 4 bits: the byte, and which half of it where that is not known.
  // CHECK-LABEL: gpu.func @packed(
  // CHECK-SAME: %[[P:[a-z0-9]+]]: !llvm.ptr<1> {{.*}}, %[[I:[a-z0-9]+]]: i32
  // CHECK: %[[B:.*]] = llvm.getelementptr %[[P]][2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[B]]
  // CHECK: gpu.printf "ptr<i4, gmem, align<2>>(0x%llx)\0A", %[[A]] : i64
  // CHECK: %[[S:.*]] = arith.shrsi %[[I]], %{{.*}} : i32
  // CHECK: %[[B:.*]] = llvm.getelementptr %[[P]][%[[S]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[B]]
  // CHECK: %[[H:.*]] = arith.andi %[[I]], %{{.*}} : i32
  // CHECK: %[[F:.*]] = arith.muli %[[H]], %{{.*}} : i32
  // CHECK: gpu.printf "ptr<i4, gmem, align<1>>(0x%llx bit %d)\0A", %[[A]], %[[F]] : i64, i32
  gpu.func @packed(%p: !cute.ptr<i4, gmem, align<16>>, %i: i32) kernel {
    %four = cute.static : !cute.int_tuple<"4">
    %a = cute.add_offset(%p, %four)
    cute.print(%a)
    %b = cute.add_offset(%p, %i)
    cute.print(%b)
    gpu.return
  }

  // A text with values; more than 32 take several calls.
  // CHECK-LABEL: gpu.func @printf(
  // CHECK-SAME: %[[I:.*]]: i32, %[[X:.*]]: f32, %[[V:.*]]: vector<34xi32>)
  gpu.func @printf(%i: i32, %x: f32, %v: vector<34xi32>) kernel {
    // CHECK: %[[D:.*]] = arith.extf %[[X]] : f32 to f64
    // CHECK: gpu.printf "i %04d of (4,%d), 100%%: %.3f\0A", %[[I]], %[[I]], %[[D]] : i32, i32, f64
    cute.printf<"i {:04d} of {}, 100%: {:.3f}\n"> (%i, (4,%i), %x)
    // CHECK: gpu.printf "[{{(%d, ){31}%d}}", {{(%[0-9]+, ){31}%[0-9]+}} :
    // CHECK: gpu.printf ", %d, %d]\0A", %{{[0-9]+}}, %{{[0-9]+}} : i32, i32
    cute.print_value(%v) : vector<34xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @assert(
  // CHECK-SAME: %[[OK:.*]]: i1, %[[I:.*]]: i32)
  gpu.func @assert(%ok: i1, %i: i32) kernel {
    // CHECK: %[[FAILS:.*]] = arith.xori %[[OK]], %{{.*}} : i1
    // CHECK: scf.if %[[FAILS]] {
    // CHECK-NEXT: gpu.printf "{{.*}}lower.mlir:[[#@LINE+3]]:5: assertion failed: %d\0A", %[[I]] : i32
    // CHECK-NEXT: llvm.intr.trap
    // CHECK-NEXT: }
    cute.assert<"{}"> (%ok, %i)
    // CHECK: gpu.printf "{{.*}}lower.mlir:[[#@LINE+1]]:5: assertion failed\0A"
    cute.assert(%ok) : i1
    gpu.return
  }
}
