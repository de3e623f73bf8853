// Ops and types that repeat are looked at once; what differs in a result, an
// attribute or an operand's type is another op, and each op has its diagnostics.
// RUN: cute-opt %s --verify-diagnostics --split-input-file
// RUN: not cute-opt %s --split-input-file --strict 2>&1 | FileCheck %s --check-prefix=STRICT

func.func @results(%a: !cute.layout<"(4,8):(8,1)">, %b: !cute.layout<"(4,7):(7,1)">) {
  %0 = "cute.size"(%a) : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"32">
  %1 = "cute.size"(%a) : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"32">
  // expected-error @+1 {{'cute.size' op inferred result type !cute.int_tuple<"32"> differs from the written !cute.int_tuple<"28">}}
  %2 = "cute.size"(%a) : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"28">
  // expected-error @+1 {{differs from the written !cute.int_tuple<"28">}}
  %3 = "cute.size"(%a) : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"28">
  %4 = "cute.size"(%b) : (!cute.layout<"(4,7):(7,1)">) -> !cute.int_tuple<"28">
  // expected-error @+1 {{differs from the written !cute.int_tuple<"32">}}
  %5 = "cute.size"(%b) : (!cute.layout<"(4,7):(7,1)">) -> !cute.int_tuple<"32">
  // expected-error @+1 {{differs from the written !cute.int_tuple<"28">}}
  %6 = "cute.size"(%a) : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"28">
  return
}

// -----

func.func @attributes(%a: !cute.layout<"(4,8):(8,1)">) {
  %0 = cute.select<[0]> (%a) : !cute.layout<"(4,8):(8,1)"> -> !cute.layout<"(4):(8)">
  %1 = cute.select<[1]> (%a) : !cute.layout<"(4,8):(8,1)"> -> !cute.layout<"(8):(1)">
  // expected-error @+1 {{'cute.select' op inferred result type !cute.layout<"(8):(1)"> differs}}
  %2 = cute.select<[1]> (%a) : !cute.layout<"(4,8):(8,1)"> -> !cute.layout<"(4):(8)">
  %3 = cute.select<[0]> (%a) : !cute.layout<"(4,8):(8,1)"> -> !cute.layout<"(4):(8)">
  return
}

// -----

// STRICT: [[#@LINE+7]]:8: error: 'cute.make_ordered_layout' op
// STRICT-NOT: warning
// STRICT: [[#@LINE+7]]:8: error: 'cute.make_ordered_layout' op
// STRICT-NOT: warning
// STRICT: [[#@LINE+7]]:8: error: 'cute.make_ordered_layout' op
func.func @laws(%s: !cute.shape<"(2,6)">, %o: !cute.int_tuple<"(-1,-1)">) {
  // expected-warning @+1 {{'cute.make_ordered_layout' op make_ordered_layout: a compact bijection fails}}
  %0 = cute.make_ordered_layout(%s, %o) : (!cute.shape<"(2,6)">, !cute.int_tuple<"(-1,-1)">) -> !cute.layout<"(2,6):(1,1)">
  // expected-warning @+1 {{'cute.make_ordered_layout' op make_ordered_layout: a compact bijection fails}}
  %1 = cute.make_ordered_layout(%s, %o) : (!cute.shape<"(2,6)">, !cute.int_tuple<"(-1,-1)">) -> !cute.layout<"(2,6):(1,1)">
  // expected-warning @+1 {{'cute.make_ordered_layout' op make_ordered_layout: a compact bijection fails}}
  %2 = cute.make_ordered_layout(%s, %o) : (!cute.shape<"(2,6)">, !cute.int_tuple<"(-1,-1)">) -> !cute.layout<"(2,6):(1,1)">
  return
}

// -----

// The same text in other places, with spaces, with a comment.
func.func @types(%s: !cute.shape<"(4,8)">, %d: !cute.stride<"(4,8)">,
                 %c: !cute.shape<"(4,8)" // ">
                 >, %e: !cute.shape< "(4,8)" >) {
  %0 = cute.size(%s) : !cute.shape<"(4,8)">
  %1 = cute.size(%c) : !cute.shape<"(4,8)" // "
                       >
  %2 = cute.size(%e) : !cute.shape< "(4,8)">
  // expected-error @+1 {{'cute.size' op operand #0 (}}
  %3 = cute.size(%d) : !cute.stride<"(4,8)">
  return
}

// -----

func.func private @declared(!cute.shape<"(4,8)">, !cute.shape<"(4,8)">) -> !cute.layout<"4:1">

// -----

// expected-error @+1 {{expected an integer, '?' or '(' at the end of the text}}
func.func private @malformed(!cute.shape<"(4,8)">) -> !cute.shape<"(4,">
