// Shapes of vectors are known from the tensors that they are loaded from, so
// that ops on modes need not repeat them.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: %[[T:[^:]+]]: !cute.tensor{{.*}}, %[[U:[^:]+]]: !cute.tensor{{.*}}, %[[Z:[^:]+]]: f32, %[[X:[^:]+]]: vector<32xf32>, %[[N:[^:]+]]: index)
func.func @shapes(%t: !cute.tensor<f32, rmem, align<16>, "(8,(2,2)):(1,(8,16))">, %u: !cute.tensor<f32, rmem, align<16>, "(8):(1)">, %z: f32, %x: vector<32xf32>, %n: index) {
  %v = cute.load_vector(%t)
  // Through arith and math, whichever operand has it, and on several lines.
  %w = arith.addf %x,
                  %v fastmath<fast> : vector<32xf32>
  // CHECK: %[[E:.*]] = math.exp
  %e = math.exp %w : vector<32xf32>
  // CHECK: %[[S:.*]] = cute.reduce_vector<"add", "(8,(2,2))", "(_,1)"> (%[[E]], %[[Z]])
  %s = cute.reduce_vector<"add", "(_,1)"> (%e, %z)
  // CHECK: %[[B:.*]] = cute.broadcast_vector<"(8)", "(8,4)"> (%[[S]])
  %b = cute.broadcast_vector<"(8,4)"> (%s)
  // The first operand's shape counts.
  // CHECK: %[[Q:.*]] = arith.divf %[[E]], %[[B]]
  %q = arith.divf %e, %b : vector<32xf32>
  // CHECK: %[[P:.*]] = cute.slice_vector<"(8,(2,2))", "(_,(1,0))"> (%[[Q]])
  // CHECK-NEXT: cute.store_vector(%[[P]], %[[U]])
  cute.store_vector(%q[_,(1,0)], %u)
  // CHECK: %[[C:.*]] = cute.slice_vector<"(8,(2,2))", "(3,_)"> (%[[Q]])
  %c = cute.slice_vector<"(3,_)"> (%q)
  // CHECK: %[[H:.*]] = arith.truncf %[[C]]
  %h = arith.truncf %c : vector<4xf32> to vector<4xf16>
  // CHECK: cute.slice_vector<"((2,2))", "((_,1))"> (%[[H]])
  %i = cute.slice_vector<"((_,1))"> (%h)
  // CHECK: cute.gather_vector<"(4,8):(8,1)"> (%[[Q]])
  %g = cute.gather_vector<"(4,8):(8,1)"> (%q)
  // CHECK: %[[G:.*]] = cute.slice_vector<"(4,8)", "(1,2)"> (%{{.*}}) : (vector<32xf32>) -> f32
  // CHECK-NEXT: cute.print_value(%[[G]])
  cute.print_value(%g[1,2])
  // In loops the shape is that of the first value.
  %o = scf.for %j = %n to %n step %n iter_args(%a = %q) -> (vector<32xf32>) {
    // CHECK: cute.slice_vector<"(8,(2,2))", "(_,1)"> (%{{.*}})
    %d = cute.slice_vector<"(_,1)"> (%a)
    scf.yield %a : vector<32xf32>
  }
  // Numbers have the shape 1.
  // CHECK: cute.broadcast_vector<"1", "(8,4)"> (%[[Z]]) : (f32) -> vector<32xf32>
  %y = cute.broadcast_vector<"(8,4)"> (%z)
  return
}
