// What the ops that take values apart reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @shape_of_shape(%s: !cute.shape<"4">) {
  // expected-error @+1 {{must be tile or layout or composed_layout or tensor or coord_tensor}}
  %a = cute.get_shape(%s)
  return
}

// -----

func.func @shape_of_open_tile(%t: !cute.tile<"[4:1;_]">) {
  // expected-error @+1 {{a tile with _ has no shape}}
  %a = cute.get_shape(%t)
  return
}

// -----

func.func @written_shape(%l: !cute.layout<"(4,?):(1,4)">) {
  // expected-error @+1 {{inferred result type !cute.shape<"(4,?)"> differs from the written}}
  %a = cute.get_shape(%l) : !cute.layout<"(4,?):(1,4)"> -> !cute.shape<"(?,?)">
  return
}

// -----

func.func @stride_of_tensor(%t: !cute.tensor<f16, gmem, align<2>, "4:1">) {
  // expected-error @+1 {{operand #0 (x) must be layout, not !cute.tensor}}
  %a = cute.get_stride(%t)
  return
}

// -----

func.func @inner_of_layout(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (x) must be composed_layout, not !cute.layout<}}
  %a = cute.composed_get_inner(%l) : !cute.layout<"4:1"> -> !cute.layout<"4:1">
  return
}

// -----

func.func @too_few_leaves(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{defines 3 results but was provided 2}}
  %a:2 = cute.get_leaves(%s) : !cute.shape<"(4,(?,2))">
  return
}

// -----

func.func @narrow_scalars(%s: !cute.shape<"(4,?{i16})">) {
  // expected-error @+1 {{no i32 or i64 can hold the leaf ?{i16}}}
  %a:2 = cute.get_scalars (%s) : !cute.shape<"(4,?{i16})">
  return
}

// -----

func.func @path_out_of_range(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{mode 2 is not in [0, 2)}}
  %a = cute.get<[1, 2]> (%s)
  return
}

// -----

func.func @path_into_leaf(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{the path continues after the leaf 4}}
  %a = cute.get<[0, 0]> (%s)
  return
}

// -----

func.func @path_into_tiler(%t: !cute.tile<"[2;(3,4):(4,1)]">) {
  // expected-error @+1 {{mode 0 is not in a tile of rank 0}}
  %a = cute.get<[1, 0]> (%t)
  return
}

// -----

func.func @mode_of_leaf(%s: !cute.shape<"4">) {
  // expected-error @+1 {{mode 1 is not in [0, 1)}}
  %a = cute.get<[1]> (%s)
  return
}

// -----

func.func @negative_path(%s: !cute.shape<"(4,(?,2))">) {
  // expected-error @+1 {{mode -1 is not in [0, 2)}}
  %a = cute.get<[-1]> (%s)
  return
}

// -----

func.func @mode_of_other_rank(%l: !cute.layout<"(4,2):(1,4)">) {
  // expected-error @+1 {{mode 2 is not in [0, 2)}}
  %a = cute.select<[0, 2]> (%l)
  return
}

// -----

func.func @underscore_to_int_tuple(%c: !cute.coord<"(4,_)">) {
  // expected-error @+1 {{a leaf is not an integer in (4,_)}}
  %a = cute.to_int_tuple(%c)
  return
}

// -----

func.func @basis_to_int_tuple(%d: !cute.stride<"(4@0,1@1)">) {
  // expected-error @+1 {{a leaf is not an integer}}
  %a = cute.to_int_tuple(%d)
  return
}

// -----

func.func @tile_without_layouts(%t: !cute.tile<"[_;_]">) {
  // expected-error @+1 {{the tile has no layout leaf}}
  %a = cute.get_layouts_from_tile(%t) : <"[_;_]">
  return
}

// -----

func.func @offset_of_layout(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (x) must be composed_layout, not !cute.layout<}}
  %a = cute.composed_get_offset(%l)
  return
}

// -----

func.func @outer_of_layout(%l: !cute.layout<"4:1">) {
  // expected-error @+1 {{operand #0 (x) must be composed_layout, not !cute.layout<}}
  %a = cute.composed_get_outer(%l) : !cute.layout<"4:1"> -> !cute.layout<"4:1">
  return
}

// -----

func.func @shape_to_shape(%s: !cute.shape<"4">) {
  // expected-error @+1 {{operand #0 (x) must be int_tuple, not !cute.shape<}}
  %a = cute.to_shape(%s)
  return
}

// -----

func.func @written_stride(%t: !cute.int_tuple<"(4,?)">) {
  // expected-error @+1 {{inferred result type !cute.stride<"(4,?)"> differs from the written}}
  %a = cute.to_stride(%t) : !cute.int_tuple<"(4,?)"> -> !cute.stride<"(?,4)">
  return
}

// -----

func.func @shape_to_coord(%s: !cute.shape<"4">) {
  // expected-error @+1 {{operand #0 (x) must be int_tuple, not !cute.shape<}}
  %a = cute.to_coord(%s)
  return
}
