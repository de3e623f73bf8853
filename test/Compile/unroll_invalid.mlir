// What cute.unroll cannot say.
// RUN: cute-opt %s --cute-unroll --split-input-file --verify-diagnostics
// RUN: not cutec %s -o - 2>&1 | FileCheck %s
// CHECK: unroll_invalid.mlir:11:5: error: 'scf.for' op has cute.unroll = "some"

gpu.module @text {
  gpu.func @f1(%n: i32) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    // expected-error@below {{'scf.for' op has cute.unroll = "some", but it must be a number from 1 to 1024, "full" or "none"}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll = "some"}
    gpu.return
  }
}

// -----
gpu.module @zero {
  gpu.func @f2(%n: i32) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    // expected-error@below {{has cute.unroll = 0 : i32, but it must be a number from 1 to 1024}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll = 0 : i32}
    gpu.return
  }
}

// -----
gpu.module @large {
  gpu.func @f3(%n: i32) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    // expected-error@below {{has cute.unroll = 1025 : i64, but it must be a number from 1 to 1024}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll = 1025}
    gpu.return
  }
}

// -----
gpu.module @unit {
  gpu.func @f4(%n: i32) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    // expected-error@below {{but it must be a number from 1 to 1024}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll}
    gpu.return
  }
}

// -----
gpu.module @dynamic {
  gpu.func @f5(%n: i32) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    // expected-error@below {{has cute.unroll = "full", but its bounds and step are not all constants}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll = "full"}
    gpu.return
  }
}

// -----
gpu.module @other {
  gpu.func @f6(%n: i32, %c: i1) kernel {
    // expected-error@below {{'scf.if' op has cute.unroll = 4 : i32, but only scf.for can be unrolled}}
    scf.if %c {
    } {cute.unroll = 4 : i32}
    gpu.return
  }
}

// -----
gpu.module @both {
  gpu.func @f7(%n: i32) kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    // expected-error@below {{has cute.unroll = 4 : i32, but it has a loop_annotation, too}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll = 4 : i32, loop_annotation = #llvm.loop_annotation<mustProgress = true>}
    gpu.return
  }
}

// -----
gpu.module @many {
  gpu.func @f8() kernel {
    %0 = arith.constant 0 : i32
    %1 = arith.constant 1 : i32
    %n = arith.constant 1025 : i32
    // expected-error@below {{has cute.unroll = "full", but it has more than 1024 trips; give the number of trips to unroll}}
    scf.for %i = %0 to %n step %1 : i32 {
    } {cute.unroll = "full"}
    gpu.return
  }
}
