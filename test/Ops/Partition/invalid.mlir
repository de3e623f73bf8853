// What local_tile and local_partition reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @tiler_rank(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %c: !cute.coord<"(0,0,0)">) {
  %s = cute.static : !cute.shape<"(8,8,8)">
  // expected-error @+1 {{the tiler has 3 modes, the layout 2}}
  %a = cute.local_tile (%t, %s, %c)
  return
}

// -----

func.func @projection_rank(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %c: !cute.coord<"(0,0,0)">) {
  %s = cute.static : !cute.shape<"(8,8,8)">
  // expected-error @+1 {{projection does not match the modes of the tiler: (1,_)}}
  %a = cute.local_tile<"(1,_)"> (%t, %s, %c)
  return
}

// -----

func.func @projection_of_coord(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %c: !cute.coord<"(0,0)">) {
  %s = cute.static : !cute.shape<"(8,8,8)">
  // expected-error @+1 {{projection (1,_,1) does not match the coordinate (0,0)}}
  %a = cute.local_tile<"(1,_,1)"> (%t, %s, %c)
  return
}

// -----

func.func @projection_syntax(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %c: !cute.coord<"(0,0,0)">) {
  %s = cute.static : !cute.shape<"(8,8,8)">
  // expected-error @+1 {{expected an integer, '?', '_' or '('}}
  %a = cute.local_tile<"(1,"> (%t, %s, %c)
  return
}

// -----

func.func @coord_rank(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %c: !cute.coord<"(0,0,0)">) {
  %s = cute.static : !cute.shape<"(8,8)">
  // expected-error @+1 {{coordinate ((_,_),(0,0,0)) is not weakly congruent}}
  %a = cute.local_tile (%t, %s, %c)
  return
}

// -----

func.func @tile_of_layout(%l: !cute.layout<"(64,64):(64,1)">, %c: !cute.coord<"(0,0)">) {
  %s = cute.static : !cute.shape<"(8,8)">
  // expected-error @+1 {{operand #0 (tensor) must be tensor or coord_tensor}}
  %a = cute.local_tile (%l, %s, %c)
  return
}

// -----

func.func @written_alignment(%t: !cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">, %c: !cute.coord<"(?,?)">) {
  %s = cute.static : !cute.shape<"(8,4)">
  // expected-error @+1 {{inferred result type !cute.tensor<f16, gmem, align<8>}}
  %a = cute.local_tile (%t, %s, %c) : (!cute.tensor<f16, gmem, align<16>, "(64,64):(64,1)">, !cute.shape<"(8,4)">, !cute.coord<"(?,?)">) -> !cute.tensor<f16, gmem, align<16>, "(8,4):(64,1)">
  return
}

// -----

func.func @index_kind(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %i: !cute.int_tuple<"(1,2)">) {
  %l = cute.static : !cute.layout<"(8,8):(8,1)">
  // expected-error @+1 {{must be an i32, i64, index or scalar int_tuple}}
  %a = cute.local_partition (%t, %l, %i)
  return
}

// -----

func.func @float_index(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %i: f32) {
  %l = cute.static : !cute.layout<"(8,8):(8,1)">
  // expected-error @+1 {{must be an i32, i64, index or scalar int_tuple, not f32}}
  %a = cute.local_partition (%t, %l, %i)
  return
}

// -----

func.func @thread_rank(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %i: i32) {
  %l = cute.static : !cute.layout<"(8,4,2):(8,2,1)">
  // expected-error @+1 {{the tiler has 3 modes, the layout 2}}
  %a = cute.local_partition (%t, %l, %i)
  return
}

// -----

func.func @projection_of_another_kind(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %c: !cute.coord<"(0,0,0)">) {
  %s = cute.static : !cute.shape<"(8,4,4)">
  // expected-error @+1 {{a projection leaves out modes under _ and keeps those under integers, as (1,_,1) does, not (1,x,1)}}
  %a = cute.local_tile<"(1,x,1)"> (%t, %s, %c)
  return
}

// -----

func.func @projection_of_threads(%t: !cute.tensor<f16, gmem, align<2>, "(64,64):(64,1)">, %i: i32) {
  %l = cute.static : !cute.layout<"(8,4,2):(8,2,1)">
  // expected-error @+1 {{a projection leaves out modes under _ and keeps those under integers, as (1,_,1) does, not (1,?,1)}}
  %a = cute.local_partition<"(1,?,1)"> (%t, %l, %i)
  return
}
