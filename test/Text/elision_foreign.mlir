// Types that are left out, of values that ops of other dialects define: however
// those ops are written, over lines and on one, with dictionaries and regions.
// RUN: cute-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: cute-opt %s --allow-unregistered-dialect | cute-opt --allow-unregistered-dialect | FileCheck %s

!l = !cute.layout<"4">
!both = tuple<!cute.layout<"4">, !l>

// CHECK-LABEL: func.func @lines(
func.func @lines(%a: i32, %c: i1, %l: !l) {
  %0 = arith.addi %a,
      %a : i32
  // CHECK: cute.make_coord(%{{.*}}) : (i32) -> !cute.coord<"?">
  %1 = cute.make_coord(%0) -> !cute.coord<"?">
  %2 = arith.select %c
    , %l // one
    , %l {test.a = ": i64"}
    : // two
    !l
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"4:1">) -> !cute.int_tuple<"4">
  %3 = cute.size(%2)
  %4 = "test.op"(%l, %a) {
      b
  } : (!cute.layout<"4">, i32)
    -> !cute.layout<"5">
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"5:1">) -> !cute.int_tuple<"5">
  %5 = cute.size(%4)
  return
}

// CHECK-LABEL: func.func @one_line(
func.func @one_line(%a: i32, %c: i1, %l: !l) {
  %0 = arith.select %c, %l, %l : !l %1 = cute.size(%0) %2 = arith.constant 5 : i64 return
  // CHECK: cute.size (%{{.*}}) : (!cute.layout<"4:1">) -> !cute.int_tuple<"4">
}

// CHECK-LABEL: func.func @dictionaries(
func.func @dictionaries(%a: i32, %l: !l) {
  %0 = arith.addi %a, %a {a = ": i64", b = [1 : i64]} : i32
  // CHECK: cute.make_coord(%{{.*}}) : (i32) -> !cute.coord<"?">
  %1 = cute.make_coord(%0) -> !cute.coord<"?">
  %2:2 = "test.op"(%l) ({
    %5 = arith.constant 5 : i64
    "test.end"() : () -> ()
  }) {c} : (!l) -> (!cute.shape<"(2,3)">, i32)
  // CHECK: cute.size (%{{.*}}#0) : (!cute.shape<"(2,3)">) -> !cute.int_tuple<"6">
  %3 = cute.size(%2#0)
  // CHECK: cute.make_coord(%{{.*}}#1) : (i32) -> !cute.coord<"?">
  %4 = cute.make_coord(%2#1) -> !cute.coord<"?">
  return
}

// Where the last type before the end is not the result's.
// CHECK-LABEL: func.func @conversions(
func.func @conversions(%a: i32, %m: memref<4x?xi32>, %t: tensor<4x!cute.shape<"7">>, %i: index, %v: i64) {
  %0 = memref.load %m[%i, %i] : memref<4x?xi32>
  %1 = tensor.extract %t[%i] : tensor<4x!cute.shape<"7">>
  %2 = arith.extsi %a : i32 to i64
  %3, %4 = builtin.unrealized_conversion_cast %a, %v : i32, i64 to i64, i32
  // A list of operands defines none of them.
  "test.store"(%a, %v) : (i32, i64) -> ()
  scf.execute_region {
    memref.store %a, %m[%i, %i] : memref<4x?xi32>
    scf.yield
  }
  // CHECK: cute.make_coord(%{{.*}}, %{{.*}}) : (i32, i64) -> !cute.coord<"(?,?{i64})">
  %5 = cute.make_coord(%0, %2) -> !cute.coord<"(?,?{i64})">
  // CHECK: cute.size (%{{.*}}) : (!cute.shape<"7">) -> !cute.int_tuple<"7">
  %6 = cute.size(%1)
  // CHECK: cute.make_coord(%{{.*}}#0, %{{.*}}#1, %{{.*}}) : (i64, i32, i64) -> !cute.coord<"(?{i64},?,?{i64})">
  %7 = cute.make_coord(%3, %4, %v) -> !cute.coord<"(?{i64},?,?{i64})">
  return
}

// What has the shape of an operand, but not its type.
// CHECK-LABEL: func.func @vectors(
func.func @vectors(%a: vector<4xf32>, %x: f32, %i: i32, %t: !cute.tensor<i1, gmem, align<4>, "4:1">, %w: !cute.tensor<f32, gmem, align<4>, "3:1">, %p: !llvm.ptr<1>) {
  %0 = arith.cmpf olt, %a, %a : vector<4xf32>
  // CHECK: cute.store_vector(%{{.*}}) : vector<4xi1>, !cute.tensor<i1
  cute.store_vector(%0, %t)
  %1 = math.isnan %a : vector<4xf32>
  // CHECK: cute.store_vector(%{{.*}}) : vector<4xi1>, !cute.tensor<i1
  cute.store_vector(%1, %t)
  %2 = vector.shuffle %a, %a [3, 5, 1] : vector<4xf32>, vector<4xf32>
  // CHECK: cute.store_vector(%{{.*}}) : vector<3xf32>, !cute.tensor<f32
  cute.store_vector(%2, %w)
  %3, %4 = gpu.shuffle xor %x, %i, %i : f32
  // CHECK: cute.print_value(%{{.*}}) : f32
  cute.print_value(%3)
  // CHECK: cute.print_value(%{{.*}}) : i1
  cute.print_value(%4)
  %5 = llvm.extractelement %a[%i : i32] : vector<4xf32>
  // CHECK: cute.print_value(%{{.*}}) : f32
  cute.print_value(%5)
  %6 = math.isinf %x : f32
  // CHECK: cute.print_value(%{{.*}}) : i1
  cute.print_value(%6)
  %7 = llvm.atomicrmw fadd %p, %x syncscope("device") monotonic : !llvm.ptr<1>, f32
  // CHECK: cute.print_value(%{{.*}}) : f32
  cute.print_value(%7)
  return
}

// A region's terminator names its operands, and does not redefine them.
// CHECK-LABEL: func.func @yields(
func.func @yields(%c: i1, %l: !l, %s: !cute.shape<"9">) {
  %0:2 = scf.if %c -> (!l, !cute.shape<"9">) {
    scf.yield %l, %s : !l, !cute.shape<"9">
  } else {
    scf.yield %l, %s : !l, !cute.shape<"9">
  }
  // CHECK: cute.size (%{{.*}}) : (!cute.shape<"9">) -> !cute.int_tuple<"9">
  %1 = cute.size(%s)
  // CHECK: cute.size (%{{.*}}#1) : (!cute.shape<"9">) -> !cute.int_tuple<"9">
  %2 = cute.size(%0#1)
  return
}

// CHECK-LABEL: func.func @results(
func.func @results(%l: !cute.layout<"(4,5):(5,1)">) {
  // Inherent attributes in the dictionary take part in inference.
  // CHECK: cute.get<[1]> (%{{.*}}) : !cute.layout<"(4,5):(5,1)"> -> !cute.layout<"5:1">
  %0 = cute.get(%l) {mode = array<i32: 1>}
  // CHECK: cute.get<[1]> (%{{.*}}) {a = []} : !cute.layout<"(4,5):(5,1)"> -> !cute.layout<"5:1">
  %1 = cute.get(%l) {a = [], "mode" = array < i32 : 1 >} : !cute.layout<"(4,5):(5,1)">
  // CHECK: cute.get<[]> (%{{.*}}) : !cute.layout<"(4,5):(5,1)"> -> !cute.layout<"(4,5):(5,1)">
  %2 = cute.get(%l) {mode = array<i32>}
  // CHECK: cute.group_modes<0, 2> (%{{.*}}) : (!cute.layout<"(4,5):(5,1)">) -> !cute.layout<"((4,5)):((5,1))">
  %3 = cute.group_modes(%l) {begin = 0 : i32, end = 2 : i32}
  // CHECK: cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.layout<"(4,5):(5,1)">
  cute.get_scalars(%l) {only_dynamic}
  // CHECK: cute.get_scalars<{only_dynamic}> (%{{.*}}) : !cute.layout<"(4,5):(5,1)">
  cute.get_scalars(%l) {only_dynamic = unit}
  return
}

// Aliases hold types of the dialect inside others.
// CHECK-LABEL: func.func private @aliases(tuple<!cute.layout<"4:1">, !cute.layout<"4:1">>)
func.func private @aliases(!both)
