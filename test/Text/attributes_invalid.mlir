// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{no attribute is named '#cute.bogus'}}
func.func private @f() attributes {a = #cute.bogus<"4">}

// -----

// expected-error @+1 {{no attribute is named '#cute.tensor'}}
func.func private @f() attributes {a = #cute.tensor<"4">}

// -----

// expected-error @+1 {{expected '#cute.layout<"...">'}}
func.func private @f() attributes {a = #cute.layout<4>}

// -----

// expected-error @+1 {{expected '#cute.layout<"...">'}}
func.func private @f() attributes {a = #cute.layout<"4", "5">}

// -----

// expected-error @+1 {{expected an integer, '?' or '(' at the end of the text}}
func.func private @f() attributes {a = #cute.layout<"4:">}

// -----

// expected-error @+1 {{swizzle S<4,3,3>: needs}}
func.func private @f() attributes {a = #cute.swizzle<"S<4,3,3>">}

// -----

// expected-error @+1 {{column 2}}
func.func private @f() attributes {a = #cute.shape<"(_,1)">}

// -----

// expected-error @+1 {{at the end of the text}}
func.func private @f() attributes {a = #cute.tile<"[4;">}

// -----

// expected-error @+1 {{expected 'o' at the end of the text}}
func.func private @f() attributes {a = #cute.composed_layout<"S<2,1,3> o 0">}

// -----

// expected-error @+1 {{swizzle S<4,3,3>: needs}}
func.func private @f() attributes {a = #cute.composed_layout<"S<4,3,3> o 0 o 4">}

// -----

// expected-error @+1 {{expected an integer, '?' or '('}}
func.func private @f() attributes {a = #cute.composed_layout<"[4] o 0 o 4">}

// -----

// expected-error @+1 {{expected an integer, '?' or '('}}
func.func private @f() attributes {a = #cute.composed_layout<"4 o _ o 4">}

// -----

// expected-error @+1 {{expected an integer, '?' or '('}}
func.func private @f() attributes {a = #cute.layout<"_">}

// -----

func.func @f(%s: !cute.shape<"(4,5)">) {
  // expected-error @+1 {{undefined attribute alias '#m'}}
  %0 = cute.get (%s) {mode = #m} : !cute.shape<"(4,5)">
  return
}

// -----

// An alias of itself is none.
// expected-error @+1 {{undefined symbol alias id 'm'}}
#m = #m
func.func @f(%s: !cute.shape<"(4,5)">) {
  %0 = cute.get (%s) {mode = #m} : !cute.shape<"(4,5)"> -> !cute.shape<"4">
  return
}

// -----

#m = 4 : i32
func.func @f(%s: !cute.shape<"(4,5)">) {
  // expected-error @+1 {{expected array<i32: ...>}}
  %0 = cute.get (%s) {mode = #m} : !cute.shape<"(4,5)">
  return
}

// -----

// An op is no attribute outside a dictionary.
func.func @f() {
  // expected-error @+1 {{expected an operation with its operands}}
  cute.size
}

// -----

// expected-error @+1 {{expected '#cute.layout<"...">'}}
func.func private @f() attributes {a = #cute<layout<"4">}

// -----

// expected-error @+1 {{no attribute is named '#cute.<'}}
func.func private @f() attributes {a = #cute<<"4">>}

// -----

// expected-error @+1 {{expected '>' after the type}}
func.func private @f(!cute<layout<"4">)

// -----

// expected-error @+1 {{no type is named '!cute.'}}
func.func private @f(!cute<"4">)

// -----

func.func @f(%s: !cute.shape<"(4,5)">) {
  // expected-error @+1 {{expected 'only_dynamic'}}
  %0 = cute.get_scalars<{dynamic}> (%s) : !cute.shape<"(4,5)">
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,5)">) {
  // expected-error @+1 {{expected 'unit'}}
  %0 = cute.get_scalars<{only_dynamic = true}> (%s) : !cute.shape<"(4,5)">
  return
}

// -----

// Integers have 32 bits.
func.func @f(%l: !cute.layout<"(4,5)">) {
  // expected-error @+1 {{attribute 'begin' must be an integer such as 4 : i32}}
  %0 = "cute.group_modes"(%l) <{begin = 0 : i64, end = 2 : i32}> : (!cute.layout<"(4,5)">) -> !cute.layout<"((4,5)):((1,4))">
  return
}
