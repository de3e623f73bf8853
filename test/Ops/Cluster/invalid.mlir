// These ops take no operands.
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
