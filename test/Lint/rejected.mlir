// RUN: not cute-opt %s --pass-pipeline='builtin.module(cute-lint{arch=sm_12})' 2>&1 | FileCheck %s
// CHECK: error: cute-lint: unknown architecture 'sm_12'; known architectures: sm_70
module {}
