// Loops and branches that are none.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%n: i32) {
  // expected-error @+1 {{expected 'in', as in for %i in 0..%n}}
  for %i of 0..%n {
   
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{expected '..', as in for %i in 0..%n}}
  for %i in 0 to %n {
   
  }
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{a loop is over index or integers, not f32}}
  for %i in 0..%x {
   
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{expected a value such as %x, a number, or a function such as max(%x, 0), f32(%h) or math.exp2(%x)}}
  for %i in 0..%n step {
   
  }
  return
}

// -----

func.func @f(%n: i32, %x: f32) {
  // expected-error @+1 {{expected '(' after carry}}
  for %i in 0..%n carry %x {
   
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{carry names values and where they begin: carry(%s = %zero)}}
  for %i in 0..%n carry(%s) {
   
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{the number has no type; write it as in i32(1) or f32(1.0)}}
  for %i in 0..%n carry(%s = 0) {
   
  }
  return
}

// -----

func.func @f(%n: i32, %x: f32) {
  for %i in 0..%n carry(%s = %x) {
   
  // expected-error @+1 {{a loop that carries values and an if with values end with yield}}
  }
  return
}

// -----

func.func @f(%n: i32, %x: f32) {
  for %i in 0..%n carry(%s = %x) {
  // expected-error @+1 {{value 0 is of type i32, not f32 as before}}
    yield %n
  }
  return
}

// -----

func.func @f(%n: i32, %x: f32) {
  for %i in 0..%n carry(%s = %x) {
  // expected-error @+1 {{yield gives 2 of 1 values}}
    yield %s, %s
  }
  return
}

// -----

func.func @f(%n: i32, %x: f32) {
  // expected-error @+1 {{2 names for what the loop carries, 1}}
  %a, %b = for %i in 0..%n carry(%s = %x) {
    yield %s
  }
  return
}

// -----

func.func @f(%n: i32) {
  for %i in 0..%n
  // expected-error @+1 {{expected '{': loops and branches are in braces}}
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{the condition of an if is of type i1, not i32}}
  if %n {
   
  }
  return
}

// -----

func.func @f(%p: i1) {
  if %p
  // expected-error @+1 {{expected '{': loops and branches are in braces}}
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  %a = if %p {
    yield %x
  // expected-error @+1 {{an if with values has an else, too}}
  }
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  %a = if %p {
    yield %x
  } else {
   
  // expected-error @+1 {{a loop that carries values and an if with values end with yield}}
  }
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  %a = if %p {
   
  // expected-error @+1 {{a loop that carries values and an if with values end with yield}}
  } else {
    yield %x
  }
  return
}

// -----

func.func @f(%n: i32, %x: f32, %p: i1) {
  %a = if %p {
    yield %x
  } else {
  // expected-error @+1 {{value 0 is of type i32, not f32 as before}}
    yield %n
  }
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  %a = if %p {
  // expected-error @+1 {{the number has no type; write it as in i32(1) or f32(1.0)}}
    yield 1.0
  } else {
    yield %x
  }
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  %a, %b = if %p {
  // expected-error @+1 {{yield gives 1 of 2 values}}
    yield %x
  } else {
  // expected-error @+1 {{yield gives 1 of 2 values}}
    yield %x
  }
  return
}

// -----

func.func @f(%x: f32, %p: i1) {
  if %p {
  // expected-error @+1 {{yield gives 1 of 0 values}}
    yield %x
  }
  return
}

// -----

func.func @f(%p: i1, %i: i32) {
  if %p {
  // expected-error @+1 {{the condition of an if is of type i1, not i32}}
  } else if %i {
  }
  return
}

// -----

func.func @f(%p: i1) {
  if %p {
  // expected-error @+1 {{expected '{': loops and branches are in braces}}
  } else %p
  return
}

// -----

func.func @f(%p: i1, %x: f32) {
  %y = if %p {
    yield %x
  } else if %p {
    yield %x
  // expected-error @+1 {{an if with values has an else, too}}
  }
  return
}

// -----

func.func @f(%p: i1, %x: f32) {
  %y = if %p {
    yield %x
  } else if %p {
    // expected-error @+1 {{value 0 is of type i1, not f32 as before}}
    yield %p
  } else {
    yield %x
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{'0.5' cannot be of type i32}}
  for %i in 0..%n carry(%s = 0.5 : i32) {
    yield %s
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{the step of a loop is positive, not 0}}
  for %i in 0..%n step 0 {
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{the step of a loop is positive, not -1}}
  for %i in %n..0 step -1 {
  }
  return
}

// -----

func.func @f(%n: i32) {
  // expected-error @+1 {{the step of a loop is positive, not 0x0}}
  for %i in 0..%n step 0x0 {
  }
  return
}
