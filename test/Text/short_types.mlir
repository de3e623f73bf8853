// The names that the reader gives to types differ from the user's aliases, and do not appear where
// MLIR keeps a text as it is.
// RUN: cute-opt %s --allow-unregistered-dialect | FileCheck %s
// RUN: cute-opt %s --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=PLACE
// RUN: cute-opt %s --allow-unregistered-dialect | cute-opt --allow-unregistered-dialect | FileCheck %s

!_1 = i64
!_2 = !cute.layout<"(4,8):(8,1)">
!__1 = !cute.shape<"(4,8)">
!_x = tuple<!_1, !_2>

// CHECK-LABEL: @clash(%arg0: i64, %arg1: !cute.layout<"(4,8):(8,1)">, %arg2: !cute.shape<"(4,8)">, %arg3: tuple<i64, !cute.layout<"(4,8):(8,1)">>)
// PLACE: @clash(%arg0: i64 loc("{{[^"]*}}":[[#@LINE+3]]:18),
// PLACE-SAME: %arg1: !cute.layout<"(4,8):(8,1)"> loc("{{[^"]*}}":[[#@LINE+3]]:18),
// PLACE-SAME: %arg2: !cute.shape<"(4,8)"> loc("{{[^"]*}}":[[#@LINE+2]]:27), %arg3: {{.*}} loc("{{[^"]*}}":[[#@LINE+2]]:37))
func.func @clash(%i: !_1,
                 %l: !_2, %s: !__1, %t: !_x) {
  // CHECK: cute.size (%arg1) : (!cute.layout<"(4,8):(8,1)">
  // PLACE: cute.size (%arg1) {{.*}} loc("{{.*}}":[[#@LINE+1]]:8)
  %n = cute.size(%l) : !_2
  // CHECK: cute.size (%arg2) : (!cute.shape<"(4,8)">
  %m = cute.size(%s) : !__1
  return
}

// CHECK-LABEL: @opaque
// CHECK-SAME: !other.type<(%x: !cute.layout<"8:1">, #a)>
func.func private @opaque(!other.type<(%x: !cute.layout< "8:1" >, #a)>)

// CHECK-LABEL: @inside
// CHECK-SAME: %arg0: tuple<!cute.layout<"8:1">, tuple<!cute.shape<"8">>>
func.func @inside(%a: tuple<!cute.layout< "8:1" >, tuple<!cute.shape<"8">>>) {
  return
}

// CHECK-LABEL: @dictionary
// CHECK-SAME: of = !cute.layout<"8:1">, types = [!cute.shape<"8">, !cute.layout<"8:1">]
func.func private @dictionary() attributes {of = !cute.layout<"8:1">, types = [!cute.shape<"8">, !cute.layout< "8:1" >]}
