// What the ops on tensors reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @pointer_kind(%t: !cute.tensor<f32, gmem, align<4>, "4:1">, %l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (pointer) must be int_tuple or ptr, not !cute.tensor<}}
  %x = cute.make_tensor(%t, %l)
  return
}

// -----

func.func @layout_kind(%p: !cute.ptr<f32, gmem, align<4>>, %s: !cute.coord<"4">) {
  // expected-error @+1 {{operand #1 (layout) must be shape or layout or composed_layout, not !cute.coord<"4">}}
  %x = cute.make_tensor(%p, %s)
  return
}

// -----

func.func @result_layout(%p: !cute.ptr<f32, gmem, align<4>>, %l: !cute.layout<"4:1">) {
  // expected-error @+1 {{inferred result type !cute.tensor<f32, gmem, align<4>, "4:1"> differs from the written}}
  %x = cute.make_tensor(%p, %l) : (!cute.ptr<f32, gmem, align<4>>, !cute.layout<"4:1">) -> !cute.tensor<f32, gmem, align<4>, "4:2">
  return
}

// -----

func.func @result_element(%p: !cute.ptr<f32, gmem, align<4>>, %l: !cute.layout<"4:1">) {
  // expected-error @+1 {{inferred result type !cute.tensor<f32, gmem, align<4>, "4:1"> differs from the written}}
  %x = cute.make_tensor(%p, %l) : (!cute.ptr<f32, gmem, align<4>>, !cute.layout<"4:1">) -> !cute.tensor<f16, gmem, align<4>, "4:1">
  return
}

// -----

func.func @layout_of_pointer(%p: !cute.ptr<f32, gmem, align<4>>) {
  // expected-error @+1 {{operand #0 (tensor) must be tensor or coord_tensor}}
  %l = cute.get_layout(%p)
  return
}

// -----

func.func @assume_shape(%t: !cute.tensor<f16, gmem, align<2>, "(?,?):(?,1)">) {
  // expected-error @+1 {{may differ from the operand's in the divisors}}
  %a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, "(?,?):(?,1)"> -> !cute.tensor<f16, gmem, align<2>, "(?,8):(?,1)">
  return
}

// -----

func.func @assume_element(%t: !cute.tensor<f16, gmem, align<2>, "?:1">) {
  // expected-error @+1 {{may differ from the operand's in the divisors}}
  %a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, "?:1"> -> !cute.tensor<bf16, gmem, align<2>, "?:1">
  return
}

// -----

func.func @assume_space(%t: !cute.tensor<f16, gmem, align<2>, "?:1">) {
  // expected-error @+1 {{may differ from the operand's in the divisors}}
  %a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, "?:1"> -> !cute.tensor<f16, smem, align<2>, "?:1">
  return
}

// -----

func.func @assume_width(%t: !cute.tensor<f16, gmem, align<2>, "?:1">) {
  // expected-error @+1 {{may differ from the operand's in the divisors}}
  %a = cute.assume(%t) : !cute.tensor<f16, gmem, align<2>, "?:1"> -> !cute.tensor<f16, gmem, align<2>, "?{i64}:1">
  return
}

// -----

func.func @assume_kind(%t: !cute.shape<"?">) {
  // expected-error @+1 {{may differ from the operand's in the divisors}}
  %a = cute.assume(%t) : !cute.shape<"?"> -> !cute.coord<"?{div=2}">
  return
}

// -----

func.func @dynamic_allocation(%l: !cute.layout<"(4,?):(1,4)">) {
  // expected-error @+1 {{the layout of an allocation must be static}}
  %s = cute.alloc_smem<f16, 128> (%l)
  return
}

// -----

func.func @allocation_alignment(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{an alignment is a power of two in bytes}}
  %s = cute.alloc_smem<f16, 24> (%l)
  return
}

// -----

func.func @allocation_under_aligned(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{at least the size of the element f32}}
  %s = cute.alloc_smem<f32, 2> (%l)
  return
}

// -----

func.func @allocation_element(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{'index' is not an element type; known: }}
  %s = cute.alloc_smem<index, 16> (%l)
  return
}

// -----

func.func @dynamic_fragment(%s: !cute.shape<"(4,?)">) {
  // expected-error @+1 {{a layout in rmem must be static}}
  %f = cute.make_fragment<f32> (%s)
  return
}

// -----

func.func @swizzled_fragment() {
  %x = cute.static : !cute.composed_layout<"S<1,0,2> o 0 o 16:1">
  // expected-error @+1 {{must be shape or layout}}
  %f = cute.make_fragment<f32> (%x)
  return
}

// -----

func.func @fragment_element(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{'i7' is not an element type; known: }}
  %f = cute.make_fragment<i7> (%l)
  return
}

// -----

func.func @like_layout_without_element(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{the element type of a fragment like a layout must be given}}
  %f = cute.make_fragment_like (%l)
  return
}

// -----

func.func @like_dynamic(%t: !cute.tensor<f32, gmem, align<4>, "(4,?):(1,4)">) {
  // expected-error @+1 {{registers need a static shape}}
  %f = cute.make_fragment_like (%t)
  return
}

// -----

// expected-error @+1 {{'hmem' is not a memory space}}
func.func private @unknown_space(!cute.ptr<f32, hmem, align<16>>)

// -----

// expected-error @+1 {{'f12' is not an element type}}
func.func private @unknown_element(!cute.ptr<f12, gmem, align<16>>)

// -----

// expected-error @+1 {{at least the size of the element f64}}
func.func private @misaligned_type(!cute.tensor<f64, gmem, align<4>, "4:1">)

// -----

func.func @iter_of_layout(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (tensor) must be tensor or coord_tensor, not !cute.layout<}}
  %p = cute.get_iter(%l)
  return
}

// -----

func.func @wrong_origin(%t: !cute.coord_tensor<"0", "4:1">) {
  // expected-error @+2 {{inferred result type !cute.int_tuple<"0"> differs from the written !cute.int_tuple<"1">}}
  // expected-note @+1 {{without '-> ...' the result type is inferred}}
  %p = cute.get_iter(%t) : (!cute.coord_tensor<"0", "4:1">) -> !cute.int_tuple<"1">
  return
}

// -----

func.func @identity_of_layout(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (shape) must be shape or tensor, not !cute.layout<}}
  %t = cute.make_identity_tensor(%l)
  return
}

// -----

func.func @two_swizzles(%p: !cute.ptr<f16, smem, align<1024>, S<3,4,3>>, %l: !cute.composed_layout<"S<1,3,3> o 0 o (8,64):(64,1)">) {
  // expected-error @+1 {{'cute.make_tensor' op a pointer with a swizzle needs a plain layout, not a composed one}}
  %t = cute.make_tensor(%p, %l)
  return
}

// -----

func.func @origin_of_other_rank(%o: !cute.int_tuple<"(1,2,3)">, %l: !cute.layout<"4:2">) {
  // expected-error @+1 {{the origin (1,2,3) must be an integer, as the layout 4:2 gives integers, such as 0}}
  %t = cute.make_tensor(%o, %l)
  return
}

// -----

func.func @offset_rank(%t: !cute.tensor<f32, gmem, align<16>, "(8,4):(1,8)">, %c: !cute.coord<"(1,2,3)">) {
  // expected-error @+1 {{coordinate (1,2,3)}}
  %r = cute.domain_offset(%c, %t)
  return
}

// -----

func.func @offset_underscore(%t: !cute.tensor<f32, gmem, align<16>, "(8,4):(1,8)">, %c: !cute.coord<"(1,_)">) {
  // expected-error @+1 {{the coordinate of an offset has no _: (1,_)}}
  %r = cute.domain_offset(%c, %t)
  return
}

// -----

func.func @recast_alignment(%t: !cute.tensor<f16, gmem, align<2>, "(8,4):(1,8)">) {
  // expected-error @+1 {{'cute.recast_tensor' op align<2>: an alignment is a power of two in bytes, at least the size of the element f32}}
  %r = cute.recast_tensor<f32> (%t)
  return
}

// -----

func.func @recast_element(%t: !cute.tensor<f16, gmem, align<2>, "(8,4):(1,8)">) {
  // expected-error @+1 {{'index' is not an element type; known: }}
  %r = cute.recast_tensor<index> (%t)
  return
}

// -----

func.func @recast_swizzle(%t: !cute.tensor<f16, smem, align<128>, "S<1,0,3> o 0 o (8,8):(8,1)">) {
  // expected-error @+1 {{the swizzle's base 0 cannot move by -1 bits}}
  %r = cute.recast_tensor<f32> (%t)
  return
}

// -----

func.func @assume_swizzle(%p: !cute.ptr<f16, smem, align<2>, S<2,4,3>>) {
  // expected-error @+1 {{may differ from the operand's in the divisors}}
  %0 = cute.assume(%p) : !cute.ptr<f16, smem, align<2>, S<2,4,3>> -> !cute.ptr<f16, smem, align<512>, S<3,4,3>>
  return
}

// -----

func.func @range_below_zero(%i: i32) {
  // expected-error @+1 {{'cute.assume_range' op the range [-1, 4] must not be empty or below 0}}
  %r = cute.assume_range<-1, 4> (%i)
  return
}

// -----

func.func @empty_range(%i: i32) {
  // expected-error @+1 {{the range [5, 4] must not be empty or below 0}}
  %r = cute.assume_range<5, 4> (%i)
  return
}

// -----

func.func @outside_of_range(%i: !cute.int_tuple<"8">) {
  // expected-error @+1 {{8 is not in the range [0, 7]}}
  %r = cute.assume_range<0, 7> (%i)
  return
}

// -----

func.func @range_of_tuple(%i: !cute.int_tuple<"(?,1)">) {
  // expected-error @+1 {{operand #0 must be an i32, i64, index or scalar int_tuple, not !cute.int_tuple<"(?,1)">}}
  %r = cute.assume_range<0, 7> (%i)
  return
}

// -----

func.func @origin_of_coordinates(%o: !cute.int_tuple<"5">, %l: !cute.layout<"(4,2):(1@0,1@1)">) {
  // expected-error @+1 {{the origin 5 is not a coordinate as the layout (4,2):(1@0,1@1) gives them, such as (0,0)}}
  %t = cute.make_tensor(%o, %l)
  return
}

// -----

func.func @origin_of_another_profile(%o: !cute.int_tuple<"(5,1)">, %l: !cute.layout<"(4,2):(1@0@0,1@1)">) {
  // expected-error @+1 {{the origin (5,1) is not a coordinate as the layout (4,2):(1@0@0,1@1) gives them, such as ((0),0)}}
  %t = cute.make_tensor(%o, %l)
  return
}

// -----

func.func @recast_odd_stride(%t: !cute.tensor<f16, gmem, align<16>, "(64,32):(1,65)">) {
  // expected-error @+1 {{each 2 elements that become one must be contiguous within a mode: strides must be multiples of it, and so must extents where the stride is smaller, unlike (64,32):(1,65)}}
  %r = cute.recast_tensor<i32> (%t)
  return
}

// -----

func.func @recast_odd_extent(%t: !cute.tensor<i8, gmem, align<16>, "(6,32):(1,64)">) {
  // expected-error @+1 {{each 4 elements that become one must be contiguous within a mode}}
  %r = cute.recast_tensor<i32> (%t)
  return
}
