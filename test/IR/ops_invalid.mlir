// Ops that do not exist, malformed text, and results that differ from the inferred ones;
// diagnostics are at the op, in either form.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{unknown operation 'cute.sttic'; did you mean 'cute.static'?}}
%0 = cute.sttic : !cute.layout<"4:1">

// -----

// expected-error @+1 {{unknown operation 'cute.make_layuot'; did you mean 'cute.make_layout'?}}
%0 = "cute.make_layuot"() : () -> !cute.layout<"4:1">

// -----

// expected-error @+1 {{unknown operation 'cute.complements'; did you mean 'cute.complement'?}}
cute.complements(%0)

// -----

// What one expects as the name is a word of an op.
// expected-error @+1 {{unknown operation 'cute.atomic_add'; did you mean 'cute.atomic_rmw<"add">'?}}
%0 = cute.atomic_add(%v, %p)

// -----

// Nothing is similar.
// expected-error-re @+1 {{unknown operation 'cute.zzzzzzzzzzzz'{{$}}}}
%0 = cute.zzzzzzzzzzzz() : () -> i32

// -----

// expected-error @+1 {{expected a type}}
%0 = cute.static : ) // a comment

// -----

// expected-error @+1 {{expected '(' before the operands}}
%0 = cute.size %1

// -----

// expected-error @+1 {{expected an operand: a value such as %x, or a literal such as 8 or (4,%x)}}
%0 = cute.size(x)

// -----

// expected-error @+1 {{expected ',' between mode numbers}}
%0 = cute.get<[1 0]> (%s)

// -----

// expected-error @+1 {{expected a 32-bit integer}}
%0 = cute.get<[2147483648]> (%s)

// -----

// expected-error @+1 {{expected a 32-bit integer}}
%0 = cute.get<[-9223372036854775808]> (%s)

// -----

// expected-error @+1 {{expected 'only_dynamic'}}
%0 = cute.get_scalars<{dynamic}> (%s)

// -----

// expected-error @+1 {{'{' is not closed}}
%0 = cute.static {a = [ : !cute.layout<"4">

// -----

// expected-error @+1 {{expected ': (operand types) -> (result types)'}}
%0 = "cute.static"() : !cute.layout<"4"> loc(unknown)

// -----

// expected-error @+1 {{operation defines 1 results but was provided 2}}
%0:2 = cute.static : !cute.layout<"4">

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.size' op inferred result type !cute.int_tuple<"20"> differs from the written !cute.int_tuple<"21">}}
%0 = cute.size(%s) : (!cute.shape<"(4,5)">) -> !cute.int_tuple<"21">

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.size' op inferred result type !cute.int_tuple<"20"> differs from the written !cute.int_tuple<"?">}}
%0 = "cute.size"(%s) : (!cute.shape<"(4,5)">) -> !cute.int_tuple<"?">

// -----

// A wrong width is no match either.
func.func @f(%s: !cute.shape<"(?,5)">) {
  // expected-error @+1 {{inferred result type !cute.int_tuple<"?"> differs from the written !cute.int_tuple<"?{i64}">}}
  %0 = cute.size(%s) : (!cute.shape<"(?,5)">) -> !cute.int_tuple<"?{i64}">
  return
}

// -----

// Both errors are reported, each at its op.
%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.get' op}}
%0 = cute.get<[2]> (%s) : !cute.shape<"(4,5)"> -> !cute.shape<"5">
// expected-error @+1 {{'cute.select' op}}
%1 = cute.select<[2]> (%s) : !cute.shape<"(4,5)"> -> !cute.shape<"(5)">

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.get' op attribute 'mode' must be an array}}
%0 = "cute.get"(%s) {mode = 1 : i32} : (!cute.shape<"(4,5)">) -> !cute.shape<"5">

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{'cute.select' op requires attribute 'mode'}}
%0 = "cute.select"(%s) : (!cute.shape<"(4,5)">) -> !cute.shape<"(5)">

// -----

%s = cute.static : !cute.shape<"(4,5)">
// expected-error @+1 {{duplicate key 'mode'}}
%0 = cute.select<[0]> (%s) {mode = array<i32: 1>} : !cute.shape<"(4,5)"> -> !cute.shape<"(4)">

// -----

// A value whose type differs from the written one, with the place of its definition.
// expected-note @+1 {{prior use here}}
%s = cute.static : !cute.shape<"4">
// expected-error @+1 {{expects different type than prior uses: '!cute.shape<"5">' vs '!cute.shape<"4">'}}
%0 = cute.size(%s) : (!cute.shape<"5">) -> !cute.int_tuple<"5">

// -----

// Pretty types also where MLIR prints generic ones.
// expected-note @+1 {{prior use here}}
func.func @f(%p: !cute.ptr<f16, gmem, align<2>>) {
  // expected-error @+1 {{'!cute.ptr<f16, smem, align<2>>' vs '!cute.ptr<f16, gmem, align<2>>'}}
  call @g(%p) : (!cute.ptr<f16, smem, align<2>>) -> ()
  return
}

// -----

func.func @f() -> !cute.layout<"4"> {
  %0 = cute.static : !cute.layout<"5">
  // expected-error @+1 {{('!cute.layout<"5:1">') doesn't match function result type ('!cute.layout<"4:1">')}}
  return %0 : !cute.layout<"5">
}
