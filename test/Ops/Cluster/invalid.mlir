// Ops that take no operands, and memory of other blocks.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @cluster_arrive(%x: i32) {
  // expected-error @+1 {{expected operation name in quotes}}
  cute.cluster_arrive(%x)
  return
}

// -----

func.func @cluster_wait(%x: i32) {
  // expected-error @+1 {{expected operation name in quotes}}
  cute.cluster_wait(%x)
  return
}

// -----

func.func @block_rank_in_cluster(%x: i32) {
  // expected-error @+1 {{expected operation name in quotes}}
  %r = cute.block_rank_in_cluster(%x)
  return
}

// -----

func.func @elect_one(%x: i32) {
  // expected-error @+1 {{expected operation name in quotes}}
  %p = cute.elect_one(%x)
  return
}

// -----

func.func @griddepcontrol_wait(%x: i32) {
  // expected-error @+1 {{expected operation name in quotes}}
  cute.griddepcontrol_wait(%x)
  return
}

// -----

func.func @griddepcontrol_launch_dependents(%x: i32) {
  // expected-error @+1 {{expected operation name in quotes}}
  cute.griddepcontrol_launch_dependents(%x)
  return
}

// -----

func.func @mapa(%g: !cute.tensor<f32, gmem, align<16>, "8:1">, %r: i32) {
  // expected-error @+1 {{blocks of a cluster share only smem, not !cute.tensor<f32, gmem, align<16>, "8:1">}}
  %t = cute.mapa(%g, %r)
  return
}

// -----

func.func @mapa_of_mapa(%s: !cute.ptr<f32, smem, align<16>>, %r: i32) {
  %t = cute.mapa(%s, %r)
  // expected-error @+1 {{blocks of a cluster share only smem, not !cute.ptr<f32, dsmem, align<16>>}}
  %u = cute.mapa(%t, %r)
  return
}

// -----

func.func @mapa_rank(%s: !cute.tensor<f32, smem, align<16>, "8:1">) {
  %r = cute.static : !cute.int_tuple<"16">
  // expected-error @+1 {{the rank of a block in its cluster is 0 to 15, not 16}}
  %t = cute.mapa(%s, %r)
  return
}

// -----

func.func @cp_async(%g: !cute.tensor<f32, gmem, align<16>, "(4):(1)">, %s: !cute.tensor<f32, smem, align<16>, "(4):(1)">, %c: !cute.copy_atom<"SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", f32>) {
  %r = cute.static : !cute.int_tuple<"1">
  %t = cute.mapa(%s, %r)
  // expected-error @+1 {{destination of SM80_CP_ASYNC_CACHEALWAYS<uint128_t> must be in smem, not !cute.tensor<f32, dsmem}}
  cute.copy(%c, %g, %t)
  return
}

// -----

func.func @wait(%s: !cute.ptr<i64, smem, align<8>>, %r: i32) {
  %t = cute.mapa(%s, %r)
  // expected-error @+1 {{a barrier is an i64 in smem, aligned to 8 bytes, not !cute.ptr<i64, dsmem, align<8>>}}
  cute.mbarrier_wait(%t, %r)
  return
}

// -----

func.func @arrive(%s: !cute.ptr<i32, smem, align<8>>, %r: i32) {
  %t = cute.mapa(%s, %r)
  // expected-error @+1 {{a barrier is an i64 in smem or dsmem, aligned to 8 bytes, not !cute.ptr<i32, dsmem, align<8>>}}
  cute.mbarrier_arrive(%t)
  return
}
