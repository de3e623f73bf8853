// What is wrong with names of values, where MLIR's parser does not get the ops.
// RUN: cute-opt %s --split-input-file --verify-diagnostics=all

// expected-note @+1 {{previously defined here}}
func.func @argument(%x: i32) {
  // expected-error @+1 {{redefinition of SSA value '%x'}}
  %x = cute.static : !cute.shape<"4">
  return
}

// -----
func.func @twice() {
  // expected-note @+1 {{previously defined here}}
  %x = cute.static : !cute.shape<"4">
  // expected-error @+1 {{redefinition of SSA value '%x'}}
  %x = cute.static : !cute.shape<"5">
  return
}

// -----
func.func @before() {
  // expected-note @+1 {{previously defined here}}
  %x = cute.static : !cute.shape<"4">
  // expected-error @+1 {{redefinition of SSA value '%x'}}
  %x = arith.constant 4 : i32
  return
}

// -----
func.func @after() {
  // expected-note @+1 {{previously defined here}}
  %x = arith.constant 4 : i32
  // expected-error @+1 {{redefinition of SSA value '%x'}}
  %x = cute.static : !cute.shape<"4">
  return
}

// -----
func.func @early() {
  // expected-error @+1 {{operand #0 does not dominate this use}}
  %y = cute.size(%x) : (!cute.shape<"4">)
  // expected-note @+1 {{operand defined here}}
  %x = cute.static : !cute.shape<"4">
  return
}

// -----
func.func @gone(%c: i1) {
  scf.if %c {
    %x = cute.static : !cute.shape<"4">
  }
  // expected-error @+1 {{use of undeclared SSA value name}}
  %y = cute.size(%x) : (!cute.shape<"4">)
  return
}

// -----
func.func @type() {
  // expected-note @+1 {{prior use here}}
  %x = cute.static : !cute.shape<"4">
  // expected-error @+1 {{use of value '%x' expects different type than prior uses}}
  %y = cute.size(%x) : (!cute.shape<"5">) -> !cute.int_tuple<"5">
  return
}

// -----
// expected-note @+1 {{prior use here}}
func.func @types(%x: !cute.shape<"4">) {
  %y = cute.size(%x) : (!cute.shape<"4">) -> !cute.int_tuple<"4">
  // expected-error @+1 {{use of value '%x' expects different type than prior uses}}
  %z = cute.size(%x) : (!cute.shape<"5">) -> !cute.int_tuple<"5">
  return
}

// -----
func.func @no_end() {
  // expected-error @+1 {{the block lacks its last op}}
  %x = cute.static : !cute.shape<"4">
}

// -----
func.func @number(%s: !cute.shape<"(?,?)">) {
  %x:2 = cute.get_scalars<{only_dynamic}>(%s)
  // expected-error @+1 {{reference to invalid result number}}
  %y = cute.make_shape(%x#0, %x#2) : (i32, i32) -> !cute.shape<"(?,?)">
  return
}

// -----
func.func @count(%s: !cute.shape<"(?,?)">) -> i32 {
  // expected-error @+1 {{operation defines 2 results but was provided 3 to bind}}
  %x:3 = cute.get_scalars<{only_dynamic}>(%s)
  return %x#1 : i32
}
