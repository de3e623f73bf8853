// Types that were left out, but cannot be found or inferred.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'%nope' is not defined above}}
%0 = cute.size(%nope)

// -----

func.func @f() {
  // expected-error @+1 {{'%later' is not defined above}}
  %0 = cute.size(%later)
  %later = cute.static : !cute.shape<"4">
  return
}

// -----

%s = cute.static : !cute.shape<"(4,5)">
%r:2 = cute.get_leaves(%s)
// expected-error @+1 {{the type of '%r#2' is not known here}}
%0 = cute.size(%r#2)

// -----

func.func @f(%tensor: !cute.layout<"(4,8):(1,4)">) {
  // expected-error @+1 {{'%tenser' is not defined above; did you mean '%tensor'?}}
  %0 = cute.size(%tenser)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{'cute.make_coord' cannot infer its result type}}
  %0 = cute.make_coord(%i)
  return
}

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.size' op expected 1 operand, found 2}}
%0 = cute.size(%s, %s)

// -----

func.func @f(%i: f32) {
  // expected-error @+1 {{'cute.size' op operand #0}}
  %0 = cute.size(%i)
  return
}

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.size' has 1 operands, but 2 operand types}}
%0 = cute.size(%s) : (!cute.shape<"(4,5)">, i32) -> !cute.int_tuple<"20">

// -----

// <"..."> alone where several kinds are possible.
%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{only the parameters do not tell which}}
%0 = cute.size(%s) : (<"(4,5)">) -> !cute.int_tuple<"20">

// -----

// Inherent attributes in a dictionary, where the results are to be inferred.
func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{expected array<i32: ...>}}
  %0 = cute.get(%l) {mode = [0]}
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{expected a 32-bit integer}}
  %0 = cute.get(%l) {mode = array<i32: 0, x>}
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{attribute 'mode' needs a value}}
  %0 = cute.get(%l) {mode}
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{'cute.get' op}}
  %0 = cute.get(%l) {mode = array<i32: 2>}
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{expected ',' between attributes}}
  %0 = cute.get(%l) {mode = array<i32: 1> a}
  return
}

// -----

func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{expected 'unit'}}
  cute.get_scalars(%l) {only_dynamic = 4}
  return
}

// -----

// A dictionary is no place for what the brackets said.
func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{duplicate key 'mode'}}
  %0 = cute.get<[0]>(%l) {mode = array<i32: 1>}
  return
}

// -----

// The text of an op of another dialect that does not say its type.
func.func @f() {
  %0 = "test.op"
  // expected-error @+1 {{the type of '%0' is not known here}}
  %1 = cute.size(%0)
}

// -----

// A pair whose type the op's text lacks.
func.func @f(%p: !llvm.ptr<1>, %i: i32) {
  %0 = llvm.cmpxchg %p, %i, %i acq_rel monotonic : !llvm.ptr<1>, i32
  // expected-error @+1 {{the type of '%0' is not known here; write the operand types after ':'}}
  cute.print_value(%0)
  return
}

// -----

gpu.module @m {
  gpu.func @no_return(%x: i32) kernel {
    // expected-error @+1 {{the block lacks its last op: gpu.return in a gpu.func, return in a func.func, scf.yield in a region of scf}}
    %0 = arith.addi %x, %x : i32
  }
}

// -----

// Names without a dialect, and ops of MLIR without the type at the end of the name.
gpu.module @m {
  gpu.func @other_return() kernel {
    // expected-error @+1 {{'return' ends a func.func; a gpu.func ends with gpu.return}}
    return
  }
}

// -----

gpu.module @m {
  gpu.func @dimension() kernel {
    // expected-error @+1 {{'x' is not an operation: operation names begin with their dialect, as in gpu.barrier}}
    %0 = cute.thread_idx x
    gpu.return
  }
}

// -----

func.func @similar(%x: f32) {
  // expected-error @+1 {{unknown operation 'math.pow'; did you mean 'math.powf'?}}
  %0 = math.pow %x, %x : f32
  return
}

// -----

func.func @several(%x: f32) {
  // expected-error @+1 {{unknown operation 'arith.add'; did you mean 'arith.addf' or 'arith.addi'?}}
  %0 = arith.add %x, %x : f32
  return
}

// -----

func.func @none(%x: f32) {
  // expected-error @+1 {{unknown operation 'gpu.ballot'; did you mean 'cute.vote_ballot_sync'?}}
  %0 = gpu.ballot %x : f32
  return
}

// -----

func.func @text(%x: i32) {
  // expected-error @+1 {{texts go in angle brackets before the operands, as in cute.printf<"...">}}
  cute.printf("%d", %x)
  return
}

// -----

func.func @no_text() {
  // expected-error @+1 {{expected an operand: a value such as %x, or a literal such as 8 or (4,%x)}}
  %0 = cute.make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN")
  return
}

// -----

func.func @no_yield(%n: i32) {
  // expected-error @+1 {{'scf.for' op carries 1 values, and scf.yield at the end of its body gives 0}}
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %n) -> (i32) : i32 {
    %1 = arith.addi %x, %i : i32
  }
  return
}
