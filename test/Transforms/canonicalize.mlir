// Equal pure ops merge where one dominates the other; dead ones go; ops with
// effects stay.
// RUN: cute-opt %s --cute-canonicalize | FileCheck %s

func.func private @use(!cute.shape<"(?,4)">, !cute.shape<"(?,4)">)
func.func private @use_tensors(!cute.tensor<f32, rmem, align<16>, "4:1">, !cute.tensor<f32, rmem, align<16>, "4:1">)
func.func private @use_value(f32, f32)

// CHECK-LABEL: func.func @equal
func.func @equal(%n: i32, %m: i32) {
  // CHECK: %[[A:.*]] = cute.make_shape(%[[N:.*]])
  // CHECK-NOT: cute.make_shape(%[[N]])
  // CHECK: call @use(%[[A]], %[[A]])
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  %b = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  call @use(%a, %b) : (!cute.shape<"(?,4)">, !cute.shape<"(?,4)">) -> ()
  // Another operand, another value.
  // CHECK: %[[C:.*]] = cute.make_shape
  // CHECK: call @use(%[[A]], %[[C]])
  %c = cute.make_shape(%m) : (i32) -> !cute.shape<"(?,4)">
  call @use(%a, %c) : (!cute.shape<"(?,4)">, !cute.shape<"(?,4)">) -> ()
  return
}

// Attributes count.
// CHECK-LABEL: func.func @attributes
func.func @attributes(%s: !cute.shape<"((?,4),(?,4))">) {
  // CHECK: %[[A:.*]] = cute.get<[0]>
  // CHECK: %[[B:.*]] = cute.get<[1]>
  // CHECK: call @use(%[[A]], %[[B]])
  %a = cute.get<[0]> (%s)
  %b = cute.get<[1]> (%s)
  call @use(%a, %b) : (!cute.shape<"(?,4)">, !cute.shape<"(?,4)">) -> ()
  return
}

// Chains die as a whole.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%n: i32) {
  %a = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  %b = cute.get<[0]> (%a)
  %c = cute.get_scalars (%b) : !cute.shape<"?">
  return
}

// Two fragments are two places; a load may see another value later.
// CHECK-LABEL: func.func @effects
func.func @effects(%l: !cute.layout<"4:1">, %c: !cute.coord<"1">) {
  // CHECK: %[[F:.*]] = cute.make_fragment
  // CHECK: %[[G:.*]] = cute.make_fragment
  %f = cute.make_fragment<f32> (%l)
  %g = cute.make_fragment<f32> (%l)
  // CHECK: call @use_tensors(%[[F]], %[[G]])
  call @use_tensors(%f, %g) : (!cute.tensor<f32, rmem, align<16>, "4:1">, !cute.tensor<f32, rmem, align<16>, "4:1">) -> ()
  // CHECK: %[[V:.*]] = cute.load
  // CHECK: cute.clear
  // CHECK: %[[W:.*]] = cute.load
  // CHECK: call @use_value(%[[V]], %[[W]])
  %v = cute.load(%f, %c)
  cute.clear(%f)
  %w = cute.load(%f, %c)
  call @use_value(%v, %w) : (f32, f32) -> ()
  // CHECK: cute.cp_async_commit
  // CHECK-NEXT: cute.cp_async_commit
  // CHECK-NEXT: cute.cp_async_wait<0>
  cute.cp_async_commit
  cute.cp_async_commit
  cute.cp_async_wait<0>
  return
}

// A region sees what is before it, not what its neighbour defines.
// CHECK-LABEL: func.func @regions
func.func @regions(%n: i32, %p: i1) {
  // CHECK: scf.if
  // CHECK: %[[A:.*]] = cute.make_shape
  // CHECK: call @use(%[[A]], %[[A]])
  // CHECK: else
  // CHECK: %[[B:.*]] = cute.make_shape
  // CHECK: call @use(%[[B]], %[[B]])
  scf.if %p {
    %a = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%a, %a) : (!cute.shape<"(?,4)">, !cute.shape<"(?,4)">) -> ()
  } else {
    %b = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%b, %b) : (!cute.shape<"(?,4)">, !cute.shape<"(?,4)">) -> ()
  }
  // CHECK: %[[C:.*]] = cute.make_shape
  // CHECK: scf.if
  // CHECK-NOT: cute.make_shape
  // CHECK: call @use(%[[C]], %[[C]])
  %c = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
  scf.if %p {
    %d = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    func.call @use(%c, %d) : (!cute.shape<"(?,4)">, !cute.shape<"(?,4)">) -> ()
  }
  return
}

// Where a pointer is within a period of its swizzle is known at run time only:
// the layouts of two tensors differ, though their types are one.
// CHECK-LABEL: func.func @swizzled_pointers
// CHECK: %[[T:.*]] = cute.make_tensor
// CHECK: %[[U:.*]] = cute.make_tensor
// CHECK: %[[L:.*]] = cute.get_layout(%[[T]])
// CHECK: %[[M:.*]] = cute.get_layout(%[[U]])
// CHECK: return %[[L]], %[[M]]
func.func @swizzled_pointers(%p: !cute.ptr<f16, smem, align<16>, S<3,4,3>>, %q: !cute.ptr<f16, smem, align<16>, S<3,4,3>>) -> (!cute.composed_layout<"S<3,3,3> o ?{div=8} o (8,64):(64,1)">, !cute.composed_layout<"S<3,3,3> o ?{div=8} o (8,64):(64,1)">) {
  %l = cute.static : !cute.layout<"(8,64):(64,1)">
  %t = cute.make_tensor(%p, %l)
  %u = cute.make_tensor(%q, %l)
  %0 = cute.get_layout(%t)
  %1 = cute.get_layout(%u)
  return %0, %1 : !cute.composed_layout<"S<3,3,3> o ?{div=8} o (8,64):(64,1)">, !cute.composed_layout<"S<3,3,3> o ?{div=8} o (8,64):(64,1)">
}

// An integer with a known range is not replaced by one without; two of one range are one.
// CHECK-LABEL: func.func @ranges
// CHECK-SAME: %[[I:.*]]: !cute.int_tuple<"?">
// CHECK-NEXT: %[[R:.*]] = cute.assume_range<0, 63> (%[[I]])
// CHECK-NEXT: return %[[R]], %[[R]], %[[I]]
func.func @ranges(%i: !cute.int_tuple<"?">) -> (!cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">) {
  %0 = cute.assume_range<0, 63> (%i)
  %1 = cute.assume_range<0, 63> (%i)
  return %0, %1, %i : !cute.int_tuple<"?">, !cute.int_tuple<"?">, !cute.int_tuple<"?">
}
