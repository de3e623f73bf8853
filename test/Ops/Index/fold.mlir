// Static sizes, coordinates and indices become constants.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize \
// RUN:   | FileCheck %s --implicit-check-not="cute.l" \
// RUN:     --implicit-check-not="cute.crd" --implicit-check-not="cute.idx"

// idx2crd and crd2idx are inverse; an index of 12 in (3,(4,5)) is (0,(0,1)).
// CHECK-LABEL: func.func @there_and_back
// CHECK-DAG: %[[C:.*]] = cute.static : !cute.coord<"(0,(0,1))">
// CHECK-DAG: %[[I:.*]] = cute.static : !cute.int_tuple<"12">
// CHECK: return %[[C]], %[[I]]
func.func @there_and_back() -> (!cute.coord<"(0,(0,1))">, !cute.int_tuple<"12">) {
  %s = cute.static : !cute.shape<"(3,(4,5))">
  %i = cute.static : !cute.int_tuple<"12">
  %c = cute.idx2crd(%i, %s)
  %back = cute.crd2idx(%c, %s)
  return %c, %back : !cute.coord<"(0,(0,1))">, !cute.int_tuple<"12">
}

// The coordinate after the last of the first mode is the next index.
// CHECK-LABEL: func.func @increment
// CHECK-NEXT: %[[I:.*]] = cute.static : !cute.int_tuple<"3">
// CHECK-NEXT: return %[[I]]
func.func @increment() -> !cute.int_tuple<"3"> {
  %s = cute.static : !cute.shape<"(3,4)">
  %c = cute.static : !cute.coord<"(2,0)">
  %next = cute.increment_coord(%c, %s)
  %i = cute.crd2idx(%next, %s)
  return %i : !cute.int_tuple<"3">
}

// Static parts of dynamic values need no operand.
// CHECK-LABEL: func.func @static_parts
// CHECK-SAME: (%[[L:.*]]: !cute.layout<{{.*}}>, %{{.*}}: !cute.coord<{{.*}}>)
// CHECK-DAG: %[[N:.*]] = cute.static : !cute.int_tuple<"8">
// CHECK-DAG: %[[ZERO:.*]] = cute.static : !cute.int_tuple<"0">
// CHECK-DAG: %[[M:.*]] = cute.size (%[[L]]) : {{.*}} -> !cute.int_tuple<"?">
// CHECK: return %[[N]], %[[ZERO]], %[[M]], %[[M]]
func.func @static_parts(%l: !cute.layout<"(?,8):(0,?)">, %c: !cute.coord<"(?,0)">)
    -> (!cute.int_tuple<"8">, !cute.int_tuple<"0">, !cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  %n = cute.size<[1]>(%l)
  %i = cute.layout_eval(%c, %l)
  %m = cute.size(%l)
  %m_again = cute.size(%l)
  return %n, %i, %m, %m_again : !cute.int_tuple<"8">, !cute.int_tuple<"0">, !cute.int_tuple<"?">, !cute.int_tuple<"?">
}

// CHECK-LABEL: func.func @products
// CHECK-DAG: %[[P:.*]] = cute.static : !cute.shape<"70">
// CHECK-DAG: %[[E:.*]] = cute.static : !cute.shape<"(5,14)">
// CHECK-DAG: %[[N:.*]] = cute.static : !cute.int_tuple<"44">
// CHECK: return %[[P]], %[[E]], %[[N]]
func.func @products() -> (!cute.shape<"70">, !cute.shape<"(5,14)">, !cute.int_tuple<"44">) {
  %s = cute.static : !cute.shape<"(5,(2,7))">
  %p = cute.tuple_product(%s)
  %e = cute.tuple_product_each(%s)
  %l = cute.static : !cute.layout<"(4,6):(1,8)">
  %n = cute.cosize(%l)
  return %p, %e, %n : !cute.shape<"70">, !cute.shape<"(5,14)">, !cute.int_tuple<"44">
}

// CHECK-LABEL: func.func @product_like
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(6,20)">
// CHECK-NEXT: return %[[R]]
func.func @product_like(%p: !cute.coord<"(0,0)">) -> !cute.shape<"(6,20)"> {
  %s = cute.static : !cute.shape<"((2,3),(4,5))">
  %r = cute.tuple_product_like(%s, %p)
  return %r : !cute.shape<"(6,20)">
}

// CHECK-LABEL: func.func @bytes
// CHECK-NEXT: %[[R0:.*]] = cute.static : !cute.int_tuple<"120">
// CHECK-NEXT: %[[R1:.*]] = cute.static : !cute.int_tuple<"60">
// CHECK-NEXT: %[[R2:.*]] = cute.static : !cute.int_tuple<"90">
// CHECK-NEXT: return %[[R0]], %[[R1]], %[[R2]]
func.func @bytes() -> (!cute.int_tuple<"120">, !cute.int_tuple<"60">, !cute.int_tuple<"90">) {
  %l = cute.static : !cute.layout<"(4,8):(1,8)">
  %0 = cute.size_in_bytes<f16> (%l)
  %1 = cute.size_in_bytes<i1> (%l)
  %s = cute.size_in_bytes<f4E2M1FN> (%l)
  %2 = cute.tuple_add(%s, %1)
  return %0, %1, %2 : !cute.int_tuple<"120">, !cute.int_tuple<"60">, !cute.int_tuple<"90">
}
