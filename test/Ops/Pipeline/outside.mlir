// An op outside of all functions has no products before it.
// RUN: cute-opt %s --cute-to-base | FileCheck %s
// CHECK: nvvm.fence.proxy
cute.fence_loads
