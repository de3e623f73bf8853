// What arithmetic on tuples rejects, and that the message says why.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @tuple_add(%a: !cute.int_tuple<"1">, %b: !cute.int_tuple<"(2,3)">) {
  // expected-error @+1 {{'cute.tuple_add' op tuple arithmetic: cannot pair 1 with (2,3)}}
  %r = cute.tuple_add(%a, %b)
  return
}

// -----
func.func @tuple_add(%a: !cute.int_tuple<"(2,(3,4))">, %b: !cute.int_tuple<"(1,0)">) {
  // expected-error @+1 {{cannot pair (3,4) with 0}}
  %r = cute.tuple_add(%a, %b)
  return
}

// -----
func.func @tuple_add(%a: !cute.shape<"(6,11)">, %b: !cute.int_tuple<"(4,9)">) {
  // expected-error @+1 {{both operands must be of the same kind, not shape and int_tuple}}
  %r = cute.tuple_add(%a, %b)
  return
}

// -----
func.func @tuple_add(%a: !cute.coord<"(6,11)">, %b: !cute.coord<"(4,9)">) {
  // expected-error @+1 {{operand #0 (lhs) must be int_tuple or shape, not !cute.coord}}
  %r = cute.tuple_add(%a, %b)
  return
}

// -----
func.func @tuple_add(%a: !cute.int_tuple<"9223372036854775807">, %b: !cute.int_tuple<"1">) {
  // expected-error @+1 {{9223372036854775807 + 1 overflows 64 bits}}
  %r = cute.tuple_add(%a, %b)
  return
}

// -----
func.func @tuple_add(%a: !cute.int_tuple<"(x,1)">, %b: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{error leaf in (x,1)}}
  %r = cute.tuple_add(%a, %b)
  return
}

// -----
func.func @tuple_add(%a: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{expected 2 operands, found 1}}
  %r = cute.tuple_add(%a)
  return
}

// -----
func.func @tuple_add(%a: !cute.int_tuple<"(1,?)">, %b: !cute.int_tuple<"(1,1)">) {
  // expected-error @+1 {{inferred result type !cute.int_tuple<"(2,?)"> differs from the written !cute.int_tuple<"(2,1)">}}
  %r = cute.tuple_add(%a, %b) : (!cute.int_tuple<"(1,?)">, !cute.int_tuple<"(1,1)">) -> !cute.int_tuple<"(2,1)">
  return
}

// -----
func.func @tuple_sub(%a: !cute.int_tuple<"0">, %b: !cute.int_tuple<"(2,3)">) {
  // expected-error @+1 {{'cute.tuple_sub' op tuple arithmetic: cannot pair 0 with (2,3)}}
  %r = cute.tuple_sub(%a, %b)
  return
}

// -----
func.func @tuple_sub(%a: !cute.shape<"(6,11)">, %b: !cute.int_tuple<"(4,9)">) {
  // expected-error @+1 {{both operands must be of the same kind}}
  %r = cute.tuple_sub(%a, %b)
  return
}

// -----
func.func @tuple_sub(%a: !cute.int_tuple<"-9223372036854775807">, %b: !cute.int_tuple<"2">) {
  // expected-error @+1 {{-9223372036854775807 - 2 overflows 64 bits}}
  %r = cute.tuple_sub(%a, %b)
  return
}

// -----
func.func @shape_div(%a: !cute.shape<"12">, %b: !cute.shape<"5">) {
  // expected-error @+1 {{'cute.shape_div' op shape_div: 12 and 5 do not divide one another}}
  %r = cute.shape_div(%a, %b)
  return
}

// -----
func.func @shape_div(%a: !cute.shape<"(6,4)">, %b: !cute.shape<"4">) {
  // expected-error @+1 {{do not divide one another}}
  %r = cute.shape_div(%a, %b)
  return
}

// -----
func.func @shape_div(%a: !cute.shape<"?">, %b: !cute.shape<"0">) {
  // expected-error @+1 {{division by zero of ?}}
  %r = cute.shape_div(%a, %b)
  return
}

// -----
func.func @shape_div(%a: !cute.shape<"(6,4,5)">, %b: !cute.shape<"(2,4)">) {
  // expected-error @+1 {{cannot divide (6,4,5) by (2,4)}}
  %r = cute.shape_div(%a, %b)
  return
}

// -----
func.func @shape_div(%a: !cute.shape<"((2,4),6)">, %b: !cute.shape<"(4,3)">) {
  // expected-error @+1 {{inside a tuple the divisor 4 cannot be split over (2,4)}}
  %r = cute.shape_div(%a, %b)
  return
}

// -----
func.func @shape_div(%a: !cute.int_tuple<"12">, %b: !cute.int_tuple<"4">) {
  // expected-error @+1 {{operand #0 (lhs) must be shape, not !cute.int_tuple<"12">}}
  %r = cute.shape_div(%a, %b)
  return
}

// -----
func.func @ceil_div(%a: !cute.shape<"(13,7)">, %b: !cute.shape<"(4,2,1)">) {
  // expected-error @+1 {{'cute.ceil_div' op ceil_div: cannot divide (13,7) by (4,2,1)}}
  %r = cute.ceil_div(%a, %b)
  return
}

// -----
func.func @ceil_div(%a: !cute.shape<"(13,7)">, %b: !cute.tile<"[4;_]">) {
  // expected-error @+1 {{a tile with _ is not a divisor}}
  %r = cute.ceil_div(%a, %b)
  return
}

// -----
func.func @ceil_div(%a: !cute.shape<"(13,7)">, %b: !cute.tile<"_">) {
  // expected-error @+1 {{a tile with _ is not a divisor}}
  %r = cute.ceil_div(%a, %b)
  return
}

// -----
func.func @ceil_div(%a: !cute.shape<"13">, %b: !cute.shape<"0">) {
  // expected-error @+1 {{division by zero of 13}}
  %r = cute.ceil_div(%a, %b)
  return
}

// -----
func.func @ceil_div(%a: !cute.coord<"13">, %b: !cute.shape<"4">) {
  // expected-error @+1 {{operand #0 (lhs) must be int_tuple or shape, not !cute.coord<"13">}}
  %r = cute.ceil_div(%a, %b)
  return
}

// -----
func.func @ceil_div(%a: !cute.shape<"13">, %b: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #1 (rhs) must be int_tuple or shape or tile, not !cute.layout<"4:1">}}
  %r = cute.ceil_div(%a, %b)
  return
}

// -----
func.func @elem_less(%a: !cute.coord<"(1,2)">, %b: !cute.shape<"4">) {
  // expected-error @+1 {{'cute.elem_less' op elem_less: (1,2) is not congruent to 4}}
  %r = cute.elem_less(%a, %b)
  return
}

// -----
func.func @elem_less(%a: !cute.coord<"(1,2)">, %b: !cute.shape<"(4,(1,2))">) {
  // expected-error @+1 {{(1,2) is not congruent to (4,(1,2))}}
  %r = cute.elem_less(%a, %b)
  return
}

// -----
func.func @elem_less(%a: !cute.stride<"(1,2)">, %b: !cute.shape<"(4,1)">) {
  // expected-error @+1 {{operand #0 (lhs) must be int_tuple or shape or coord, not !cute.stride<"(1,2)">}}
  %r = cute.elem_less(%a, %b)
  return
}

// -----
func.func @elem_less(%a: !cute.coord<"(1,x)">, %b: !cute.shape<"(4,1)">) {
  // expected-error @+1 {{cannot compare (1,x) with (4,1)}}
  %r = cute.elem_less(%a, %b)
  return
}

// -----
func.func @elem_less(%a: !cute.coord<"(1,?)">, %b: !cute.shape<"(4,1)">) {
  // expected-error @+1 {{inferred result type i1 differs from the written i32}}
  %r = cute.elem_less(%a, %b) : (!cute.coord<"(1,?)">, !cute.shape<"(4,1)">) -> i32
  return
}

// -----
func.func @equal(%a: !cute.shape<"(1,2)">, %b: !cute.int_tuple<"(1,2)">) {
  // expected-error @+1 {{'cute.equal' op both operands must be of the same kind, not shape and int_tuple}}
  %r = cute.equal(%a, %b)
  return
}

// -----
func.func @equal(%a: !cute.tile<"[1;2]">, %b: !cute.tile<"[1;2]">) {
  // expected-error @+1 {{operand #0 (lhs) must be}}
  %r = cute.equal(%a, %b)
  return
}

// -----
func.func @equal(%a: !cute.shape<"(1,2)">) {
  // expected-error @+1 {{expected 2 operands, found 1}}
  %r = cute.equal(%a)
  return
}

// -----

func.func @round_up(%a: !cute.int_tuple<"5">, %b: !cute.int_tuple<"0">) {
  // expected-error @+1 {{'cute.round_up' op}}
  %r = cute.round_up(%a, %b)
  return
}

// -----

func.func @round_up(%a: !cute.int_tuple<"9223372036854775807">, %b: !cute.int_tuple<"16">) {
  // expected-error @+1 {{overflows 64 bits}}
  %r = cute.round_up(%a, %b)
  return
}

// -----

func.func @round_up(%a: !cute.int_tuple<"(5,6)">, %b: !cute.int_tuple<"(4,(2,3))">) {
  // expected-error @+1 {{'cute.round_up' op}}
  %r = cute.round_up(%a, %b)
  return
}

// -----

func.func @is_congruent(%a: !cute.shape<"(5,6)">, %b: !cute.tile<"[5:1;6:1]">) {
  // expected-error @+1 {{operand #1 (rhs) must be int_tuple or shape or stride or coord or layout or composed_layout or tensor or coord_tensor, not !cute.tile}}
  %r = cute.is_congruent(%a, %b)
  return
}

// -----

func.func @is_weakly_congruent(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{expected 2 operands, found 1}}
  %r = cute.is_weakly_congruent(%a)
  return
}

// -----

func.func @is_major(%a: !cute.stride<"(?,1)">) {
  // expected-error @+1 {{'cute.is_major' op get: }}
  %r = cute.is_major<[2]> (%a)
  return
}

// -----
func.func @ceil_div(%a: !cute.shape<"(8,4)">, %b: !cute.tile<"[2:1@0;2:1]">) {
  // expected-error @+1 {{'cute.ceil_div' op ceil_div: the strides of a tile must be integers, not 1@0}}
  %r = cute.ceil_div(%a, %b)
  return
}
