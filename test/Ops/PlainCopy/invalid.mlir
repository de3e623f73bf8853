// What copies without an atom and prefetches reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @elements(%s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f32, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{needs elements of one type (cute.convert changes it), not !cute.tensor<f16, gmem, align<16>, "8:1"> and !cute.tensor<f32, rmem, align<16>, "8:1">}}
  cute.basic_copy(%s, %d)
  return
}

// -----

func.func @sizes(%s: !cute.tensor<f16, gmem, align<16>, "(4,2):(1,4)">, %d: !cute.tensor<f16, rmem, align<16>, "6:1">) {
  // expected-error @+1 {{needs tensors of one size, not !cute.tensor<f16, gmem, align<16>, "(4,2):(1,4)"> and !cute.tensor<f16, rmem, align<16>, "6:1">}}
  cute.basic_copy(%s, %d)
  return
}

// -----

func.func @predicate_size(%p: !cute.tensor<i1, rmem, align<16>, "4:1">, %s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{needs a predicate of i1 with one element for each of the source's, not !cute.tensor<i1, rmem, align<16>, "4:1"> for !cute.tensor<f16, gmem}}
  cute.basic_copy_if(%p, %s, %d)
  return
}

// -----

func.func @predicate_element(%p: !cute.tensor<i8, rmem, align<16>, "8:1">, %s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, rmem, align<16>, "8:1">) {
  // expected-error @+1 {{needs a predicate of i1}}
  cute.basic_copy_if(%p, %s, %d)
  return
}

// -----

func.func @predicated_sizes(%p: !cute.tensor<i1, rmem, align<16>, "8:1">, %s: !cute.tensor<f16, gmem, align<16>, "8:1">, %d: !cute.tensor<f16, rmem, align<16>, "4:1">) {
  // expected-error @+1 {{needs tensors of one size}}
  cute.basic_copy_if(%p, %s, %d)
  return
}

// -----

func.func @dynamic_autovec(%s: !cute.tensor<f16, gmem, align<16>, "(8,?):(1,8)">, %d: !cute.tensor<f16, smem, align<16>, "(8,4):(1,8)">) {
  // expected-error @+1 {{needs static shapes (cute.basic_copy copies others), not !cute.tensor<f16, gmem, align<16>, "(8,?):(1,8)">}}
  cute.autovec_copy(%s, %d)
  return
}

// -----

func.func @autovec_sizes(%s: !cute.tensor<f16, gmem, align<16>, "(8,2):(1,8)">, %d: !cute.tensor<f16, smem, align<16>, "(8,4):(1,8)">) {
  // expected-error @+1 {{needs tensors of one size}}
  cute.autovec_copy(%s, %d)
  return
}

// -----

func.func @level(%s: !cute.tensor<f16, gmem, align<16>, "8:1">) {
  // expected-error @+1 {{attribute 'level' is "L1" or "L2", not "L3"}}
  cute.prefetch<"L3"> (%s)
  return
}

// -----

func.func @prefetch_space(%s: !cute.tensor<f16, smem, align<16>, "8:1">) {
  // expected-error @+1 {{prefetches a tensor in gmem with a static shape, not !cute.tensor<f16, smem, align<16>, "8:1">}}
  cute.prefetch<"L1"> (%s)
  return
}

// -----

func.func @prefetch_dynamic(%s: !cute.tensor<f16, gmem, align<16>, "?:1">) {
  // expected-error @+1 {{prefetches a tensor in gmem with a static shape, not !cute.tensor<f16, gmem, align<16>, "?:1">}}
  cute.prefetch<"L2"> (%s)
  return
}

// -----

func.func @unrolled(%s: !cute.tensor<f16, gmem, align<16>, "(16384,2):(1,16384)">, %d: !cute.tensor<f16, gmem, align<16>, "(16384,2):(1,16384)">) {
  // expected-error @+1 {{copies of static extents are unrolled, and 32768 accesses are too many}}
  cute.autovec_copy(%s, %d)
  return
}

// -----

func.func @many_lines(%s: !cute.tensor<f16, gmem, align<16>, "2097152:1">) {
  // expected-error @+1 {{are unrolled, and 32768 accesses are too many}}
  cute.prefetch<"L2"> (%s)
  return
}
