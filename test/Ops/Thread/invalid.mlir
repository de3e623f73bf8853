// What numbers of threads and exchanges in a warp reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @thread() {
  // expected-error @+1 {{'cute.thread_idx' op attribute 'dim' is "x", "y" or "z", not "w"}}
  %0 = cute.thread_idx<"w">
  return
}

// -----

func.func @block() {
  // expected-error @+1 {{'cute.block_idx' op attribute 'dim' is "x", "y" or "z", not "xy"}}
  %0 = cute.block_idx<"xy">
  return
}

// -----

func.func @block_size() {
  // expected-error @+1 {{attribute 'dim' is "x", "y" or "z", not ""}}
  %0 = cute.block_dim<"">
  return
}

// -----

func.func @grid() {
  // expected-error @+1 {{attribute 'dim' is "x", "y" or "z", not "X"}}
  %0 = cute.grid_dim<"X">
  return
}

// -----

func.func @kind(%v: f32, %n: i32) {
  // expected-error @+1 {{'cute.shuffle_sync' op attribute 'kind' is "idx", "up", "down" or "bfly", not "xor"}}
  %0 = cute.shuffle_sync<"xor"> (%v, %n)
  return
}

// -----

func.func @bits(%v: vector<3xf16>, %n: i32) {
  // expected-error @+1 {{lanes exchange numbers and vectors of 8, 16 or a multiple of 32 bits, not vector<3xf16>}}
  %0 = cute.shuffle_sync<"up"> (%v, %n)
  return
}

// -----

func.func @no_number(%v: !cute.layout<"4:1">, %n: i32) {
  // expected-error @+1 {{lanes exchange numbers and vectors of 8, 16 or a multiple of 32 bits, not !cute.layout<"4:1">}}
  %0 = cute.shuffle_sync<"up"> (%v, %n)
  return
}

// -----

func.func @lane(%v: f32, %n: i16) {
  // expected-error @+1 {{operand #1 must be an i32, i64, index or scalar int_tuple, not i16}}
  %0 = cute.shuffle_sync<"up"> (%v, %n)
  return
}

// -----

func.func @all(%p: i32) {
  // expected-error @+1 {{'cute.vote_all_sync' op threads vote with an i1, not i32}}
  %0 = cute.vote_all_sync(%p)
  return
}

// -----

func.func @any(%p: vector<4xi1>) {
  // expected-error @+1 {{'cute.vote_any_sync' op threads vote with an i1, not vector<4xi1>}}
  %0 = cute.vote_any_sync(%p)
  return
}

// -----

func.func @ballot(%p: i8) {
  // expected-error @+1 {{'cute.vote_ballot_sync' op threads vote with an i1, not i8}}
  %0 = cute.vote_ballot_sync(%p)
  return
}

// -----

func.func @match(%p: i16) {
  // expected-error @+1 {{operand #0 must be an i32, i64, index or scalar int_tuple, not i16}}
  %0 = cute.match_any_sync(%p)
  return
}

// -----

func.func @wide_index(%i: index) {
  // expected-error @+1 {{operand #0 of type index cannot fill the dynamic leaf ?{i64}}}
  %0 = cute.make_coord(%i) : (index) -> !cute.coord<"?{i64}">
  return
}

// -----

func.func @lane_type() {
  // expected-error @+1 {{'cute.lane_idx' op inferred result type i32 differs from the written i64}}
  %0 = "cute.lane_idx"() : () -> i64
  return
}

// -----

func.func @warp_type() {
  // expected-error @+1 {{'cute.warp_idx' op inferred result type i32 differs from the written i64}}
  %0 = "cute.warp_idx"() : () -> i64
  return
}
