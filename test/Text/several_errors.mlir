// After an error the reader goes on with the next statement: a text has all its errors
// reported at once, without errors that only follow from others.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%n: i32) {
  // expected-error @+1 {{unknown operation 'cute.siz'}}
  %a = cute.siz(%n)
  // The wrong op's results, and what depends on them, give no errors.
  %b = cute.make_layout((4,%a), 1)
  %c, %d = cute.nothing(%a)
  cute.print(%c)
  %s = cute.size(%b)
  // expected-error @+2 {{expected ',' between operands}}
  cute.print((%n,4), %n
  cute.print((4,
    %n))
  // expected-error @+1 {{'%nope' is not defined above}}
  %g = cute.size(%nope)
  return
}

func.func @g(%n: i32) {
  // A name of another function.
  // expected-error @+1 {{unknown operation 'cute.siz'}}
  scf.for %i = %n to %n step %n : i32 { %a = cute.siz(%n)
    // expected-error @+1 {{an operand}}
    %b = cute.size(@a)
  }
  // expected-error @+1 {{unknown operation 'cute.end'}}
  cute.end(%n)
  return
}

// -----

// What it opens and closes counts.
func.func @f(%n: i32, %on: i1) {
  // expected-error @+1 {{unknown operation 'cute.loop'}}
  cute.loop(%n) {
    cute.print((%n,4))
  }
  scf.if %on {
    // expected-error @+1 {{unknown operation 'cute.part'}}
    cute.part(%n) }
  else {
    // expected-error @+1 {{unknown operation 'cute.part'}}
    cute.part(%n)
  }
  return
}

// -----

// A loop and branches that depend on a wrong op define what they name.
func.func @f(%n: i32, %x: f32) {
  // expected-error @+1 {{unknown operation 'cute.siz'}}
  %a = cute.siz(%n)
  %s = for %k in 0..%a carry(%t = %x) {
    cute.print((%k,%n))
    yield %t + 1.0
  }
  cute.print(%s)
  %q = if %a == 0 { yield %x } else { yield %x }
  %r = %q + 1.0
  // A name that nothing defines is in one error.
  // expected-error @+1 {{'%nope' is not defined above}}
  %u = for %k in 0..%nope carry(%t = %x) {
    yield %t + %k
  }
  cute.print(%u)
  cute.print(%nope)
  // expected-error @+1 {{unknown operation 'cute.end'}}
  cute.end(%x)
  return
}
