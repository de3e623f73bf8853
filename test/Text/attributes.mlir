// Values as attributes: canonical spelling, and no verification. Unit attributes
// named like ops, and ops named like unit attributes.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | cute-opt | FileCheck %s
// RUN: cute-opt %s --emit-bytecode -o %t.bc
// RUN: cute-opt --read-bytecode %t.bc | FileCheck %s

// CHECK-LABEL: func.func private @values()
// CHECK-SAME: test.a = #cute.int_tuple<"(1,?{i64})">,
// CHECK-SAME: test.b = #cute.coord<"(_,2)">,
// CHECK-SAME: test.c = #cute.shape<"(4,?)">,
// CHECK-SAME: test.d = #cute.stride<"(1@0,0@1)">,
// CHECK-SAME: test.e = #cute.layout<"(4,5):(1,4)">,
// CHECK-SAME: test.f = #cute.tile<"[4:1;_]">,
// CHECK-SAME: test.g = #cute.composed_layout<"S<2,1,3> o 0 o (8,8):(1,8)">,
// CHECK-SAME: test.h = #cute.swizzle<"S<2,1,3>">,
// CHECK-SAME: test.i = [#cute.layout<"0:1">, #cute.composed_layout<"4:1">]
func.func private @values() attributes {
    test.a = #cute.int_tuple<"( 1, ?{i64} )">, test.b = #cute.coord<"(_,002)">,
    test.c = #cute.shape<"(4,?{i32},)">, test.d = #cute.stride<"(1@0, 0@1)">,
    test.e = #cute.layout< // compact
      "(4,5)" >, test.f = #cute.tile<"[4; _]">,
    test.g = #cute.composed_layout<"S<2,1,3>o0o(8,8)">,
    test.h = #cute.swizzle<"S<2, 1, 3>">,
    test.i = [#cute.layout<"0">, #cute.composed_layout<"4">]}

// CHECK-LABEL: func.func private @units(
// CHECK-SAME: i32 {cute.size})
// CHECK-SAME: attributes {a, cute.cp_async_commit, cute.size, cute.static, z = {cute.copy}}
func.func private @units(i32 {cute.size}) attributes {cute.static, cute.size,
    a, z = {cute.copy}, cute.cp_async_commit}

// CHECK-LABEL: func.func @ops(
func.func @ops(%c: i1, %s: !cute.shape<"4">) {
  // CHECK: scf.if %{{.*}} {
  // CHECK-NEXT: cute.cp_async_commit
  scf.if %c { cute.cp_async_commit }
  // CHECK: cute.print(%{{.*}}) : !cute.shape<"4"> {cute.cp_async_commit}
  cute.print(%s) : !cute.shape<"4"> {cute.cp_async_commit}
  // CHECK: cute.size (%{{.*}}) {cute.size, cute.static}
  %0 = cute.size(%s) {cute.static, cute.size}
  // Comparisons are no brackets.
  // CHECK: cute.size (%{{.*}}) {a = #{{.*}}, b = #{{.*}}}
  %1 = cute.size(%s) {a = affine_set<(d0):(d0<=3)>, b = affine_map<(d0)->(d0)>}
  return
}

// What they hold need not make sense, and a swizzle of nothing is left out.
// CHECK-LABEL: func.func private @unverified()
// CHECK-SAME: test.a = #cute.stride<"(1,1@0)">, test.b = #cute.stride<"(1@0,1@0@0)">,
// CHECK-SAME: test.c = #cute.layout<"(2,3):(1,1@1)">, test.d = #cute.layout<"x:x">,
// CHECK-SAME: test.e = #cute.composed_layout<"(8,8):(8,1)">,
// CHECK-SAME: test.f = #cute.composed_layout<"S<3,4,3> o (0) o 0:1">,
// CHECK-SAME: test.g = #cute.composed_layout<"(4,5):(1,4) o 3 o (2,3):(1@0,1@1)">,
// CHECK-SAME: test.h = #cute.tile<"[(2,3):(1,1@1);x:x]">
func.func private @unverified() attributes {
    test.a = #cute.stride<"(1,1@0)">, test.b = #cute.stride<"(1@0,1@0@0)">,
    test.c = #cute.layout<"(2,3):(1,1@1)">, test.d = #cute.layout<"(4,5):1">,
    test.e = #cute.composed_layout<"S<0,4,3> o 0 o (8,8):(8,1)">,
    test.f = #cute.composed_layout<"S<3,4,3> o (0) o 0:1">,
    test.g = #cute.composed_layout<"(4,5) o 3 o (2,3):(1@0,1@1)">,
    test.h = #cute.tile<"[(2,3):(1,1@1);(2,3):1]">}

// Aliases of attributes, in inherent ones as well, also where results are
// inferred from them.
#first = array<i32: 0>
#mode = #first
#begin = 0 : i32
#value = #cute.layout<"4">
// CHECK-LABEL: func.func @attribute_aliases(
func.func @attribute_aliases(%l: !cute.layout<"(4,8)">) {
  // CHECK: cute.get<[0]> (%{{.*}}) {a = #cute.layout<"4:1">} : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"4:1">
  %0 = cute.get (%l) {mode = #mode, a = #value}
  // CHECK: cute.get<[0]> (%{{.*}}) : !cute.layout<"(4,8):(1,4)"> -> !cute.layout<"4:1">
  %1 = "cute.get"(%l) <{mode = #mode}> : (!cute.layout<"(4,8)">) -> !cute.layout<"4">
  // CHECK: cute.group_modes<0, 2>
  %2 = cute.group_modes (%l) {begin = #begin, end = 2 : i32}
  return
}

// MLIR's long spelling of attributes and types.
// CHECK-LABEL: func.func private @long(!cute.layout<"4:1">)
// CHECK-SAME: test.a = #cute.layout<"4:1">
func.func private @long(!cute<layout<"4">>) attributes {test.a = #cute<layout<"4">>}

// Mode numbers without brackets, where an op has no other attribute.
// CHECK-LABEL: func.func @modes(
func.func @modes(%L: !cute.layout<"(4,(8,2)):(8,(1,64))">) {
  // CHECK-NEXT: cute.size<[1]> (%{{.*}}) : {{.*}} -> !cute.int_tuple<"16">
  // CHECK-NEXT: cute.get<[1, 0]> (%{{.*}}) : {{.*}} -> !cute.layout<"8:1">
  %a = cute.size<1>(%L)
  %b = cute.get<1,0>(%L)
  return
}
