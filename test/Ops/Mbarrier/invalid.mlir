// What is no barrier, and what barriers are not used with.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @in_gmem(%b: !cute.ptr<i64, gmem, align<8>>, %n: i32) {
  // expected-error @+1 {{a barrier is an i64 in smem, aligned to 8 bytes, not !cute.ptr<i64, gmem, align<8>>}}
  cute.mbarrier_init(%b, %n)
  return
}

// -----

func.func @no_arrivals(%b: !cute.ptr<i64, smem, align<8>>, %n: !cute.int_tuple<"0">) {
  // expected-error @+1 {{a barrier waits for 1 to 1048575 arrivals, not 0}}
  cute.mbarrier_init(%b, %n)
  return
}

// -----

func.func @too_many_arrivals(%b: !cute.ptr<i64, smem, align<8>>, %n: !cute.int_tuple<"1048576">) {
  // expected-error @+1 {{arrivals, not 1048576}}
  cute.mbarrier_init(%b, %n)
  return
}

// -----

func.func @element(%b: !cute.ptr<i32, smem, align<8>>) {
  // expected-error @+1 {{a barrier is an i64 in smem}}
  cute.mbarrier_arrive(%b)
  return
}

// -----

func.func @parity(%b: !cute.ptr<i64, smem, align<8>>, %p: !cute.int_tuple<"2">) {
  // expected-error @+1 {{the parity of a phase is 0 or 1, not 2}}
  cute.mbarrier_wait(%b, %p)
  return
}

// -----

func.func @parity_tuple(%b: !cute.ptr<i64, smem, align<8>>, %p: !cute.int_tuple<"(0,1)">) {
  // expected-error @+1 {{(0,1)}}
  cute.mbarrier_wait(%b, %p)
  return
}

// -----

func.func @in_registers(%b: !cute.ptr<i64, rmem, align<8>>) {
  // expected-error @+1 {{a barrier is an i64 in smem}}
  cute.cp_async_mbarrier_arrive (%b)
  return
}

// -----

func.func @too_many_bytes(%b: !cute.ptr<i64, smem, align<8>>, %n: !cute.int_tuple<"1048576">) {
  // expected-error @+1 {{a barrier waits for 0 to 1048575 bytes of a phase, not 1048576}}
  cute.mbarrier_expect_tx(%b, %n)
  return
}

// -----

func.func @negative_bytes(%b: !cute.ptr<i64, smem, align<8>>, %n: !cute.int_tuple<"-16">) {
  // expected-error @+1 {{a phase, not -16}}
  cute.mbarrier_arrive_expect_tx(%b, %n)
  return
}

// -----

func.func @rank(%b: !cute.ptr<i64, smem, align<8>>, %r: !cute.int_tuple<"16">) {
  // expected-error @+1 {{the rank of a block in its cluster is 0 to 15, not 16}}
  cute.mbarrier_arrive_remote(%b, %r)
  return
}

// -----

func.func @try_parity(%b: !cute.ptr<i64, smem, align<8>>, %p: !cute.int_tuple<"2">) {
  // expected-error @+1 {{the parity of a phase is 0 or 1, not 2}}
  %d = cute.mbarrier_try_wait(%b, %p)
  return
}

// -----

func.func @inval(%b: !cute.ptr<i64, gmem, align<8>>) {
  // expected-error @+1 {{a barrier is an i64 in smem}}
  cute.mbarrier_inval(%b)
  return
}

// -----

func.func @fence(%b: !cute.ptr<i64, smem, align<8>>) {
  // expected-error @+1 {{expected operation name in quotes}}
  cute.fence_mbarrier_init(%b)
  return
}
