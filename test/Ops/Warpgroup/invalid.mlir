// Sums that are none, and numbers that instructions do not take.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @in_smem(%c: !cute.tensor<f32, smem, align<16>, "8:1">) {
  // expected-error @+1 {{the tensor must be in rmem, in at most 192 whole registers of 32 bits; !cute.tensor<f32, smem, align<16>, "8:1"> is not}}
  cute.warpgroup_fence(%c)
  return
}

// -----

func.func @too_long(%c: !cute.tensor<f32, rmem, align<16>, "193:1">) {
  // expected-error @+1 {{in at most 192 whole registers of 32 bits}}
  cute.warpgroup_fence(%c)
  return
}

// -----

func.func @half_register(%c: !cute.tensor<f16, rmem, align<16>, "3:1">) {
  // expected-error @+1 {{whole registers of 32 bits}}
  cute.warpgroup_wait<0> (%c)
  return
}

// -----

func.func @doubles(%c: !cute.tensor<f64, rmem, align<16>, "4:1">) {
  // expected-error @+1 {{whole registers of 32 bits}}
  cute.warpgroup_wait<0> (%c)
  return
}

// -----

func.func @too_many(%c: !cute.tensor<f32, rmem, align<16>, "128:1">, %d: !cute.tensor<f32, rmem, align<16>, "1:0">) {
  // expected-error @+1 {{the sums have 257 registers, more than the 255 that a thread can have}}
  cute.warpgroup_wait<0> (%c, %c, %d)
  return
}

// -----

func.func @held_memory(%c: !cute.tensor<f16, smem, align<16>, "8:1">) {
  // expected-error @+1 {{the tensor must be in rmem, in at most 192 whole registers of 32 bits; !cute.tensor<f16, smem, align<16>, "8:1"> is not}}
  cute.hold_registers(%c)
  return
}

// -----

func.func @pending() {
  // expected-error @+1 {{attribute 'n' is 0 to 7, not 8}}
  cute.warpgroup_wait<8> ()
  return
}

// -----

func.func @commit(%i: i32) {
  // expected-error @+1 {{expected 0 operands}}
  "cute.warpgroup_commit"(%i) : (i32) -> ()
  return
}

// -----

func.func @proxy() {
  // expected-error @+1 {{attribute 'kind' is "async", "async.global" or "async.shared", not "shared"}}
  cute.fence_proxy<"shared">
  return
}

// -----

func.func @registers() {
  // expected-error @+1 {{the number of registers is a multiple of 8 from 24 to 256, not 231}}
  cute.set_registers<"increase", 231>
  return
}

// -----

func.func @few_registers() {
  // expected-error @+1 {{from 24 to 256, not 16}}
  cute.set_registers<"decrease", 16>
  return
}

// -----

func.func @action() {
  // expected-error @+1 {{attribute 'action' is "increase" or "decrease", not "more"}}
  cute.set_registers<"more", 232>
  return
}

// -----

func.func @barrier_0(%id: !cute.int_tuple<"0">, %n: !cute.int_tuple<"128">) {
  // expected-error @+1 {{the number of a barrier is 1 to 15 (0 is gpu.barrier's), not 0}}
  cute.named_barrier_sync(%id, %n)
  return
}

// -----

func.func @part_of_warp(%id: !cute.int_tuple<"1">, %n: !cute.int_tuple<"48">) {
  // expected-error @+1 {{a multiple of 32 up to 1024, not 48}}
  cute.named_barrier_arrive(%id, %n)
  return
}
