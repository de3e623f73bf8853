// Equal constants become one, unused ones go; print always stays.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize | FileCheck %s

// CHECK-LABEL: func.func @merge
// CHECK-NEXT: %[[S:.*]] = cute.static : !cute.shape<"4">
// CHECK-NEXT: cute.print(%[[S]])
// CHECK-NEXT: cute.print(%[[S]])
// CHECK-NEXT: return %[[S]], %[[S]]
func.func @merge() -> (!cute.shape<"4">, !cute.shape<"4">) {
  %0 = cute.static : !cute.shape<"4">
  %1 = cute.static : !cute.shape<"4">
  %unused = cute.static : !cute.layout<"(4,8):(8,1)">
  cute.print(%0)
  cute.print(%1)
  return %0, %1 : !cute.shape<"4">, !cute.shape<"4">
}

// 4:1 and (4):(1) are different values, so are kinds with the same tree.
// CHECK-LABEL: func.func @distinct
// CHECK: cute.static : !cute.layout<"4:1">
// CHECK: cute.static : !cute.layout<"(4):(1)">
// CHECK: cute.static : !cute.shape<"4">
// CHECK: cute.static : !cute.coord<"4">
func.func @distinct() {
  %0 = cute.static : !cute.layout<"4:1">
  cute.print(%0)
  %1 = cute.static : !cute.layout<"(4):(1)">
  cute.print(%1)
  %2 = cute.static : !cute.shape<"4">
  cute.print(%2)
  %3 = cute.static : !cute.coord<"4">
  cute.print(%3)
  return
}

// A value in a region may use one before the region, not one beside it.
// CHECK-LABEL: func.func @regions
func.func @regions(%c: i1) {
  // CHECK: scf.if
  // CHECK-NEXT: %[[A:.*]] = cute.static : !cute.shape<"4">
  // CHECK-NEXT: cute.print(%[[A]])
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[B:.*]] = cute.static : !cute.shape<"4">
  // CHECK-NEXT: cute.print(%[[B]])
  scf.if %c {
    %0 = cute.static : !cute.shape<"4">
    cute.print(%0)
  } else {
    %0 = cute.static : !cute.shape<"4">
    cute.print(%0)
  }
  // CHECK: %[[C:.*]] = cute.static : !cute.shape<"4">
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: cute.print(%[[C]])
  %1 = cute.static : !cute.shape<"4">
  scf.if %c {
    %2 = cute.static : !cute.shape<"4">
    cute.print(%2)
  }
  cute.print(%1)
  return
}
