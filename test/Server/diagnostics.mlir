// Diagnostics while typing: of the reader, MLIR's parser, the verifier and the lint, each
// at its token.
//
// RUN: %python %S/client.py %s | FileCheck %s

// CHECK: [[#@LINE+2]]:6-[[#]]: error: 'cute.size' op
%0 = cute.static : !cute.layout<"4">
%1 = cute.size(%0) : (!cute.layout<"4">) -> !cute.int_tuple<"5">
// CHECK-NEXT: [[#@LINE-1]]:6-15: without '-> ...' the result type is inferred
