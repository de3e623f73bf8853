// A tile that ends inside a leaf of the shape: the ops have the type that the open
// dialect infers, and say which elements it leaves out or invents.
// RUN: cute-opt %s --split-input-file --verify-diagnostics
// RUN: not cute-opt %s --split-input-file --strict 2>&1 | FileCheck %s

// CHECK: error: 'cute.zipped_divide' op divide: tiles of 8:1 at 2:8
func.func @left_out(%a: !cute.layout<"(6,4):(1,6)">, %t: !cute.layout<"8:1">) -> !cute.layout<"(8,2):(1,8)"> {
  // expected-warning @+1 {{divide: tiles of 8:1 at 2:8 leave out element 16 of (6,4):(1,6)}}
  %r = cute.zipped_divide(%a, %t)
  return %r : !cute.layout<"(8,2):(1,8)">
}

// -----
// CHECK: error: 'cute.logical_divide' op divide: tiles of 4:1 at 12:4
func.func @invented(%a: !cute.layout<"(6,6):(1,6)">, %t: !cute.layout<"4:1">) -> !cute.layout<"(4,12):(1,4)"> {
  // expected-warning @+1 {{divide: tiles of 4:1 at 12:4 continue at element 44, past the end of (6,6):(1,6)}}
  %r = cute.logical_divide(%a, %t)
  return %r : !cute.layout<"(4,12):(1,4)">
}

// -----
// CHECK: error: 'cute.flat_divide' op divide: tiles of 8:1 at 2:8
func.func @by_mode(%a: !cute.layout<"((6,4),3):((1,6),24)">, %t: !cute.tile<"[8:1;3:1]">) -> !cute.layout<"(8,3,2,1):(1,24,8,72)"> {
  // expected-warning @+1 {{divide: tiles of 8:1 at 2:8 leave out element 16 of (6,4):(1,6)}}
  %r = cute.flat_divide(%a, %t)
  return %r : !cute.layout<"(8,3,2,1):(1,24,8,72)">
}

// -----
// Tiles that reach past the end, and tiles that a mode of the shape holds.
// CHECK-NOT: error
func.func @whole(%a: !cute.layout<"(8,4):(1,8)">, %t: !cute.layout<"4:1">, %b: !cute.layout<"23:1">) {
  %r = cute.zipped_divide(%a, %t)
  %s = cute.zipped_divide(%b, %t)
  return
}
