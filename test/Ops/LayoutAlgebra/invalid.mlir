// What the layout algebra rejects, and that the message says why.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @composition(%a: !cute.layout<"(7,3):(3,1)">, %b: !cute.layout<"9:1">) {
  // expected-error @+1 {{'cute.composition' op composition: extent 9 is not a multiple of the 7 coordinates that a mode of extent 7 on the left takes}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(4,6):(1,10)">, %b: !cute.layout<"2:6">) {
  // expected-error @+1 {{stride 6 is at least the extent 4 of a mode on the left, but not a multiple of it}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(4,6):(1,10)">, %b: !cute.layout<"?:6">) {
  // expected-error @+1 {{stride 6 is at least the extent 4}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(8,4):(4,1)">, %b: !cute.shape<"(4,2,1)">) {
  // expected-error @+1 {{the tiler has 3 modes, the layout 2}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(8,4):(4,1)">, %b: !cute.shape<"((2,2),2)">) {
  // expected-error @+1 {{composition: the tiler}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"32:1">, %b: !cute.layout<"(2,2):(2@0,1@1)">) {
  // expected-error @+1 {{stride (2@0,1@1) addresses more modes than the left shape has: 32}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(8,4):(4,1)">, %b: !cute.layout<"(2,?):(1@0,1@1)">) {
  // expected-error @+1 {{a mode with a scaled basis stride on the right must have a static extent}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"()">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{the left layout is empty}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(8,4):(4,1)">, %b: !cute.shape<"(0,2)">) {
  // expected-error @+1 {{an extent must be a positive integer, not 0}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"4:9223372036854775807">, %b: !cute.layout<"4:2">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(8,4):(4,1)">,
                %b: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">) {
  // expected-error @+1 {{operand #1 (rhs) must be shape or tile or layout, not !cute.composed_layout}}
  %r = cute.composition(%a, %b)
  return
}

// -----
func.func @composition(%a: !cute.layout<"(8,4):(4,1)">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{inferred result type !cute.layout<"4:4"> differs from the written !cute.layout<"4:1">}}
  %r = cute.composition(%a, %b) : (!cute.layout<"(8,4):(4,1)">, !cute.layout<"4:1">) -> !cute.layout<"4:1">
  return
}

// -----
func.func @coalesce(%a: !cute.layout<"(2,(3,4))">, %b: !cute.coord<"(1,1,1)">) {
  // expected-error @+1 {{'cute.coalesce' op coalesce: profile (1,1,1) has more modes than the layout's shape (2,(3,4))}}
  %r = cute.coalesce(%a, %b)
  return
}

// -----
func.func @coalesce(%a: !cute.layout<"(2,3)">, %b: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{operand #1 (profile) must be coord, not !cute.int_tuple<"(1,1)">}}
  %r = cute.coalesce(%a, %b)
  return
}

// -----
func.func @coalesce(%a: !cute.shape<"(2,3)">) {
  // expected-error @+1 {{operand #0 (layout) must be layout or}}
  %r = cute.coalesce(%a)
  return
}

// -----
func.func @coalesce(%a: !cute.layout<"(2,3)">) {
  // expected-error @+1 {{inferred result type !cute.layout<"6:1"> differs from the written !cute.layout<"(2,3):(1,2)">}}
  %r = cute.coalesce(%a) : (!cute.layout<"(2,3)">) -> !cute.layout<"(2,3):(1,2)">
  return
}

// -----
func.func @coalesce() {
  // expected-error @+1 {{expected 1 to 2 operands, found 0}}
  %r = cute.coalesce()
  return
}

// -----
func.func @complement(%a: !cute.layout<"(2,2):(1,1)">) {
  // expected-error @+1 {{'cute.complement' op complement: the mode of stride 1 overlaps what smaller strides cover up to 2}}
  %r = cute.complement(%a)
  return
}

// -----
func.func @complement(%a: !cute.layout<"5:-1">) {
  // expected-error @+1 {{the mode of stride -1 overlaps}}
  %r = cute.complement(%a)
  return
}

// -----
func.func @complement(%a: !cute.layout<"?:2">) {
  // expected-error @+1 {{without a cotarget the layout must be static and not empty, not ?:2}}
  %r = cute.complement(%a)
  return
}

// -----
func.func @complement(%a: !cute.layout<"()">) {
  // expected-error @+1 {{must be static and not empty, not ():()}}
  %r = cute.complement(%a)
  return
}

// -----
func.func @complement(%a: !cute.layout<"5:3">, %b: !cute.shape<"0">) {
  // expected-error @+1 {{the cotarget must have positive extents, not 0}}
  %r = cute.complement(%a, %b)
  return
}

// -----
func.func @complement(%a: !cute.layout<"(4,3):(1@0,1@1)">, %b: !cute.shape<"(8,9)">) {
  // expected-error @+1 {{a cotarget needs integer strides, not (1@0,1@1)}}
  %r = cute.complement(%a, %b)
  return
}

// -----
func.func @complement(%a: !cute.layout<"(2,4):(?,1)">, %b: !cute.shape<"64">) {
  // expected-error @+1 {{with more than one mode all strides must be static, not (?,1)}}
  %r = cute.complement(%a, %b)
  return
}

// -----
func.func @complement(%a: !cute.layout<"5:3">, %b: !cute.int_tuple<"24">) {
  // expected-error @+1 {{operand #1 (cotarget) must be shape or layout, not !cute.int_tuple<"24">}}
  %r = cute.complement(%a, %b)
  return
}

// -----
func.func @complement(%a: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">, %b: !cute.shape<"24">) {
  // expected-error @+1 {{operand #0 (layout) must be layout, not !cute.composed_layout}}
  %r = cute.complement(%a, %b)
  return
}

// -----
func.func @right_inverse(%a: !cute.layout<"(?,6):(1,4)">) {
  // expected-error @+1 {{'cute.right_inverse' op right_inverse: the shape must be static, not (?,6)}}
  %r = cute.right_inverse(%a)
  return
}

// -----
func.func @right_inverse(%a: !cute.layout<"(4,6):(?@0,1@1)">) {
  // expected-error @+1 {{scaled basis strides must be static, not (?@0,1@1)}}
  %r = cute.right_inverse(%a)
  return
}

// -----
func.func @right_inverse(%a: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">) {
  // expected-error @+1 {{must be layout, not !cute.composed_layout}}
  %r = cute.right_inverse(%a)
  return
}

// -----
func.func @left_inverse(%a: !cute.layout<"4:?">) {
  // expected-error @+1 {{'cute.left_inverse' op left_inverse: the layout must be static, not 4:?}}
  %r = cute.left_inverse(%a)
  return
}

// -----
func.func @left_inverse(%a: !cute.layout<"4:-1">) {
  // expected-error @+1 {{strides must not be negative}}
  %r = cute.left_inverse(%a)
  return
}

// -----
func.func @left_inverse(%a: !cute.layout<"(4,6):(2,5)">) {
  // expected-error @+1 {{stride 5 is not a multiple of the 2 below it, so the layout has no left inverse}}
  %r = cute.left_inverse(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.layout<"(12,5)">) {
  // expected-error @+1 {{'cute.recast_layout' op recast_layout: widths must be positive, not 0 and 8}}
  %r = cute.recast_layout<0, 8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.layout<"(12,5)">) {
  // expected-error @+1 {{widths must be positive, not 8 and -8}}
  %r = cute.recast_layout<8, -8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.layout<"(12,5)">) {
  // expected-error @+1 {{expected ',' between attributes}}
  %r = cute.recast_layout<8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.layout<"(12,5)">) {
  // expected-error @+1 {{requires attribute 'new_type_bits'}}
  %r = cute.recast_layout(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.layout<"(8,4):(1@0,1@1)">) {
  // expected-error @+1 {{strides must be integers, not (1@0,1@1)}}
  %r = cute.recast_layout<8, 8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.composed_layout<"S<2,3,3> o 3 o (8,8):(8,1)">) {
  // expected-error @+1 {{the offset 3 must be a multiple of 2}}
  %r = cute.recast_layout<16, 8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.composed_layout<"S<2,3,3> o ? o (8,8):(8,1)">) {
  // expected-error @+1 {{the offset ? must be a multiple of 2}}
  %r = cute.recast_layout<16, 8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">) {
  // expected-error @+1 {{the swizzle's base 1 cannot move by -2 bits}}
  %r = cute.recast_layout<32, 8>(%a)
  return
}

// -----
func.func @recast_layout(%a: !cute.layout<"4:9223372036854775807">) {
  // expected-error @+1 {{9223372036854775807 * 2 overflows 64 bits}}
  %r = cute.recast_layout<8, 16>(%a)
  return
}

// -----

func.func @filter(%a: !cute.layout<"(4,5):(1,4)">, %p: !cute.coord<"(0,0,0)">) {
  // expected-error @+1 {{profile (0,0,0) has more modes than the layout's shape (4,5)}}
  %r = cute.filter(%a, %p)
  return
}

// -----

func.func @filter_zeros(%a: !cute.layout<"(4,5):(1,4)">, %p: !cute.coord<"((0,0),0)">) {
  // expected-error @+1 {{profile (0,0) has more modes than the layout's shape 4}}
  %r = cute.filter_zeros(%a, %p)
  return
}

// -----

func.func @max_common_layout(%a: !cute.layout<"(?,8):(8,1)">) {
  // expected-error @+1 {{'cute.max_common_layout' op right_inverse: the shape must be static}}
  %r = cute.max_common_layout(%a, %a)
  return
}

// -----

func.func @max_common_vector(%a: !cute.composed_layout<"(4,8):(1,4) o 0 o 32:1">, %b: !cute.layout<"32:1">) {
  // expected-error @+1 {{A must be a swizzle in a composed layout}}
  %r = cute.max_common_vector(%a, %b)
  return
}
