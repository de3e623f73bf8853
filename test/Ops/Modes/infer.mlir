// What the open dialect's verdicts (test/data/ops) do not show of inference.
// RUN: cute-opt %s | FileCheck %s

// CHECK-LABEL: func.func @flatten(
func.func @flatten(%a0: !cute.shape<"((),2)">) {
  // CHECK: cute.flatten{{.*}} -> !cute.shape<"(2)">{{$}}
  %0 = cute.flatten(%a0)
  return
}
