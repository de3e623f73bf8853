// The layout constructors infer their results. The make_ ops of tuples do not: the
// written result says what is static.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @make_layout(
func.func @make_layout(
    %a0: !cute.shape<"(2,?)">,
    %a1: !cute.stride<"(?,1)">,
    %a2: !cute.shape<"(4,(?{i64},3))">,
    %a3: !cute.stride<"(0,(-1,?))">) {
  // CHECK: cute.make_layout{{.*}} -> !cute.layout<"(2,?):(?,1)">{{$}}
  %0 = cute.make_layout(%a0, %a1)
  // CHECK: cute.make_layout{{.*}} -> !cute.layout<"(4,(?{i64},3)):(0,(-1,?))">{{$}}
  %1 = cute.make_layout(%a2, %a3)
  return
}

// CHECK-LABEL: func.func @make_layout_like(
func.func @make_layout_like(
    %a0: !cute.layout<"(2,3,4):(12,4,1)">,
    %a1: !cute.layout<"(2,3,4):(100,5,20)">,
    %a2: !cute.layout<"(2,3,4):(?,1,0)">,
    %a3: !cute.layout<"(2,?,4):(1,2,8)">,
    %a4: !cute.composed_layout<"S<2,1,3> o 0 o (4,8):(1,16)">) {
  // Compact already: 4 is the fastest mode, then 3, then 2.
  // CHECK: cute.make_layout_like{{.*}} -> !cute.layout<"(2,3,4):(12,4,1)">{{$}}
  %0 = cute.make_layout_like(%a0)
  // Same order, gaps closed.
  // CHECK: cute.make_layout_like{{.*}} -> !cute.layout<"(2,3,4):(12,1,3)">{{$}}
  %1 = cute.make_layout_like(%a1)
  // Stride 0 stays and counts as extent 1; dynamic strides come last.
  // CHECK: cute.make_layout_like{{.*}} -> !cute.layout<"(2,3,4):(3,1,0)">{{$}}
  %2 = cute.make_layout_like(%a2)
  // What comes after a dynamic extent has a dynamic stride.
  // CHECK: cute.make_layout_like{{.*}} -> !cute.layout<"(2,?,4):(1,2,?)">{{$}}
  %3 = cute.make_layout_like(%a3)
  // CHECK: cute.make_layout_like{{.*}} -> !cute.layout<"(4,8):(1,4)">{{$}}
  %4 = cute.make_layout_like(%a4)
  return
}

// CHECK-LABEL: func.func @make_ordered_layout(
func.func @make_ordered_layout(
    %a0: !cute.shape<"(2,3,4)">,
    %a1: !cute.int_tuple<"(2,0,1)">,
    %a2: !cute.shape<"((2,3),4)">,
    %a3: !cute.int_tuple<"(1,0)">,
    %a4: !cute.shape<"(2,3)">,
    %a5: !cute.int_tuple<"(-5,-7)">,
    %a6: !cute.shape<"(2,3,4)">,
    %a7: !cute.int_tuple<"(0,0,1)">,
    %a8: !cute.shape<"(1,?,4)">,
    %a9: !cute.int_tuple<"(0,1,2)">) {
  // CHECK: cute.make_ordered_layout{{.*}} -> !cute.layout<"(2,3,4):(12,1,3)">{{$}}
  %0 = cute.make_ordered_layout(%a0, %a1)
  // One key for a nested mode: column-major inside.
  // CHECK: cute.make_ordered_layout{{.*}} -> !cute.layout<"((2,3),4):((4,8),1)">{{$}}
  %1 = cute.make_ordered_layout(%a2, %a3)
  // Keys are only compared.
  // CHECK: cute.make_ordered_layout{{.*}} -> !cute.layout<"(2,3):(3,1)">{{$}}
  %2 = cute.make_ordered_layout(%a4, %a5)
  // Equal keys begin at the same stride.
  // CHECK: cute.make_ordered_layout{{.*}} -> !cute.layout<"(2,3,4):(1,1,6)">{{$}}
  %3 = cute.make_ordered_layout(%a6, %a7)
  // CHECK: cute.make_ordered_layout{{.*}} -> !cute.layout<"(1,?,4):(0,1,?)">{{$}}
  %4 = cute.make_ordered_layout(%a8, %a9)
  return
}

// CHECK-LABEL: func.func @make_identity_layout(
func.func @make_identity_layout(
    %a0: !cute.shape<"(4,6)">,
    %a1: !cute.shape<"7">,
    %a2: !cute.shape<"(7)">,
    %a3: !cute.shape<"(1,(?,4))">) {
  // CHECK: cute.make_identity_layout{{.*}} -> !cute.layout<"(4,6):(1@0,1@1)">{{$}}
  %0 = cute.make_identity_layout(%a0)
  // CHECK: cute.make_identity_layout{{.*}} -> !cute.layout<"7:1">{{$}}
  %1 = cute.make_identity_layout(%a1)
  // CHECK: cute.make_identity_layout{{.*}} -> !cute.layout<"(7):(1@0)">{{$}}
  %2 = cute.make_identity_layout(%a2)
  // CHECK: cute.make_identity_layout{{.*}} -> !cute.layout<"(1,(?,4)):(1@0,(1@0@1,1@1@1))">{{$}}
  %3 = cute.make_identity_layout(%a3)
  return
}

// CHECK-LABEL: func.func @make_composed_layout(
func.func @make_composed_layout(
    %s: !cute.swizzle<"S<0,1,3>">, %o: !cute.int_tuple<"4">,
    %b: !cute.layout<"(8,8):(8,1)">) {
  // Without swizzle bits the offset is what makes it a composition.
  // CHECK: cute.make_composed_layout{{.*}} -> <"S<0,1,3> o 4 o (8,8):(8,1)">{{$}}
  %0 = cute.make_composed_layout(%s, %o, %b)
  return
}

// Operand types without a result type, and with the inferred one, are the same.
// CHECK-LABEL: func.func @written(
func.func @written(%l: !cute.layout<"(4,6):(12,2)">) {
  // CHECK-COUNT-3: cute.make_layout_like(%{{.*}}) : !cute.layout<"(4,6):(12,2)"> -> !cute.layout<"(4,6):(6,1)">
  %0 = cute.make_layout_like(%l)
  %1 = cute.make_layout_like(%l) : !cute.layout<"(4,6):(12,2)">
  %2 = cute.make_layout_like(%l) : !cute.layout<"(4,6):(12,2)"> -> !cute.layout<"(4,6):(6,1)">
  return
}
