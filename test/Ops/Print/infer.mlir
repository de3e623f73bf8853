// The operand type of print may be left out.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @print(
func.func @print(%i: i32, %l: !cute.layout<"(?,8):(8,1)">) {
  // CHECK: cute.print(%{{.*}}) : !cute.layout<"(?,8):(8,1)">{{$}}
  cute.print(%l)
  // CHECK: cute.print(%{{.*}}) : !cute.coord<"(_,?)"> {note}
  %c = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
  cute.print(%c) {note}
  // CHECK: cute.print(%{{.*}}) : !cute.swizzle<"S<2,1,3>">{{$}}
  %s = cute.static : !cute.swizzle<"S<2,1,3>">
  cute.print(%s)
  return
}
