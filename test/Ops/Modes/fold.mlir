// Static rearrangement of modes becomes constants.
// RUN: cute-opt %s --cute-fold-static --cute-canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"((2,4)):((1,6))">
// CHECK-NEXT: return %[[R]]
func.func @chain() -> !cute.layout<"((2,4)):((1,6))"> {
  %l = cute.static : !cute.layout<"((2,3),4):((1,2),6)">
  %f = cute.flatten(%l)
  %c = cute.static : !cute.coord<"(_,1,_)">
  %s = cute.slice(%f, %c)
  %g = cute.group_modes<0, 2>(%s)
  return %g : !cute.layout<"((2,4)):((1,6))">
}

// Only static modes survive the slice, so nothing of the operands is needed.
// CHECK-LABEL: func.func @static_part
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.layout<"(8):(1)">
// CHECK-NEXT: return %[[R]]
func.func @static_part(%l: !cute.layout<"(?,8):(?,1)">, %c: !cute.coord<"(?,_)">) -> !cute.layout<"(8):(1)"> {
  %r = cute.slice(%l, %c)
  return %r : !cute.layout<"(8):(1)">
}

// Slice and dice part the modes between them.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT: %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT: return %[[TRUE]], %[[TRUE]]
func.func @parts() -> (i1, i1) {
  %l = cute.static : !cute.layout<"(4,5,6):(30,6,1)">
  %c = cute.static : !cute.coord<"(_,0,_)">
  %not_c = cute.static : !cute.coord<"(0,_,0)">
  %s = cute.slice(%l, %c)
  %d = cute.dice(%l, %not_c)
  %0 = cute.equal(%s, %d)
  %s_shape = cute.get_shape(%s)
  %d_shape = cute.get_shape(%d)
  %1 = cute.equal(%s_shape, %d_shape)
  return %0, %1 : i1, i1
}

// Ops that differ in an attribute only are not merged.
// CHECK-LABEL: func.func @attributes
// CHECK: %[[A:.*]] = cute.group_modes<0, 2>
// CHECK: %[[B:.*]] = cute.group_modes<1, 3>
// CHECK-NOT: cute.group_modes
// CHECK: return %[[A]], %[[B]], %[[A]]
func.func @attributes(%l: !cute.layout<"(2,2,2):(?,?,?)">) -> (!cute.layout<"((2,2),2):((?,?),?)">, !cute.layout<"(2,(2,2)):(?,(?,?))">, !cute.layout<"((2,2),2):((?,?),?)">) {
  %0 = cute.group_modes<0, 2>(%l)
  %1 = cute.group_modes<1, 3>(%l)
  %2 = cute.group_modes<0, 2>(%l)
  return %0, %1, %2 : !cute.layout<"((2,2),2):((?,?),?)">, !cute.layout<"(2,(2,2)):(?,(?,?))">, !cute.layout<"((2,2),2):((?,?),?)">
}

// CHECK-LABEL: func.func @ranks
// CHECK-NEXT: %[[R:.*]] = cute.static : !cute.shape<"(1,1,5,7)">
// CHECK-NEXT: %[[S:.*]] = cute.static : !cute.shape<"(5,7,1)">
// CHECK-NEXT: return %[[R]], %[[S]]
func.func @ranks() -> (!cute.shape<"(1,1,5,7)">, !cute.shape<"(5,7,1)">) {
  %s = cute.static : !cute.shape<"(5,7)">
  %e = cute.static : !cute.shape<"1">
  %0 = cute.prepend_to_rank<4>(%s, %e)
  %1 = cute.append_to_rank<3>(%s, %e)
  return %0, %1 : !cute.shape<"(1,1,5,7)">, !cute.shape<"(5,7,1)">
}

// CHECK-LABEL: func.func @tuples
// CHECK-NEXT: %[[R0:.*]] = cute.static : !cute.shape<"((5,(7,2)))">
// CHECK-NEXT: %[[R1:.*]] = cute.static : !cute.shape<"(5,(7,2),1)">
// CHECK-NEXT: %[[R2:.*]] = cute.static : !cute.shape<"(1,1,5,(7,2))">
// CHECK-NEXT: %[[R3:.*]] = cute.static : !cute.shape<"5">
// CHECK-NEXT: %[[R4:.*]] = cute.static : !cute.int_tuple<"(1,1)">
// CHECK-NEXT: %[[R5:.*]] = cute.static : !cute.int_tuple<"(3,(3,3))">
// CHECK-NEXT: return %[[R0]], %[[R1]], %[[R2]], %[[R3]], %[[R4]], %[[R5]]
func.func @tuples() -> (!cute.shape<"((5,(7,2)))">, !cute.shape<"(5,(7,2),1)">, !cute.shape<"(1,1,5,(7,2))">, !cute.shape<"5">, !cute.int_tuple<"(1,1)">, !cute.int_tuple<"(3,(3,3))">) {
  %s = cute.static : !cute.shape<"(5,(7,2))">
  %0 = cute.group<0> (%s)
  %1 = cute.append(%s, 1)
  %2 = cute.prepend<4> (%s, 1)
  %3 = cute.front(%s)
  %4 = cute.find(2, %s)
  %5 = cute.repeat_like(3, %s)
  %x:2 = cute.slice_and_offset((5,7):(7,1), (2,_))
  %7 = cute.find(9, %s)
  return %0, %1, %2, %3, %4, %5 : !cute.shape<"((5,(7,2)))">, !cute.shape<"(5,(7,2),1)">, !cute.shape<"(1,1,5,(7,2))">, !cute.shape<"5">, !cute.int_tuple<"(1,1)">, !cute.int_tuple<"(3,(3,3))">
}

// CHECK-LABEL: func.func @replaced
// CHECK-NEXT: %[[R0:.*]] = cute.static : !cute.shape<"(5,2)">
// CHECK-NEXT: %[[R1:.*]] = cute.static : !cute.layout<"(4,(8)):(8,(1))">
// CHECK-NEXT: %[[R2:.*]] = cute.static : !cute.layout<"((4,2),(8,3)):((8,32),(1,64))">
// CHECK-NEXT: return %[[R0]], %[[R1]], %[[R2]]
func.func @replaced() -> (!cute.shape<"(5,2)">, !cute.layout<"(4,(8)):(8,(1))">, !cute.layout<"((4,2),(8,3)):((8,32),(1,64))">) {
  %s = cute.static : !cute.shape<"(5,(7,2))">
  %0 = cute.replace<1> (%s, 2)
  %1 = cute.unflatten((4,8):(8,1), (1,(1)))
  %2 = cute.zip((4,8):(8,1), (2,3):(32,64))
  return %0, %1, %2 : !cute.shape<"(5,2)">, !cute.layout<"(4,(8)):(8,(1))">, !cute.layout<"((4,2),(8,3)):((8,32),(1,64))">
}
