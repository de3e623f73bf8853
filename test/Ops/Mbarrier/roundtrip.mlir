// Barriers in shared memory.
// RUN: cute-opt %s | FileCheck %s
// RUN: cute-opt %s | cute-opt | FileCheck %s
// RUN: cute-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @barriers
func.func @barriers(%b: !cute.ptr<i64, smem, align<8>>, %n: i32, %one: !cute.int_tuple<"1">) {
  // CHECK: cute.mbarrier_init(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, i32
  // GENERIC: "cute.mbarrier_init"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, i32) -> ()
  cute.mbarrier_init(%b, %n)
  // CHECK: cute.mbarrier_init(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, !cute.int_tuple<"1">
  // GENERIC: "cute.mbarrier_init"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, !cute.int_tuple<"1">) -> ()
  cute.mbarrier_init(%b, %one)
  // CHECK: cute.mbarrier_arrive(%{{.*}}) : !cute.ptr<i64, smem, align<8>>
  // GENERIC: "cute.mbarrier_arrive"(%{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">) -> ()
  cute.mbarrier_arrive(%b)
  // CHECK: cute.mbarrier_wait(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, i32
  // GENERIC: "cute.mbarrier_wait"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, i32) -> ()
  cute.mbarrier_wait(%b, %n)
  // CHECK: cute.mbarrier_wait(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, !cute.int_tuple<"1">
  // GENERIC: "cute.mbarrier_wait"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, !cute.int_tuple<"1">) -> ()
  cute.mbarrier_wait(%b, %one)
  // CHECK: cute.cp_async_mbarrier_arrive (%{{.*}}) : !cute.ptr<i64, smem, align<8>>
  // GENERIC: "cute.cp_async_mbarrier_arrive"(%{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">) -> ()
  cute.cp_async_mbarrier_arrive (%b)
  // CHECK: cute.cp_async_mbarrier_arrive<{noinc}> (%{{.*}}) : !cute.ptr<i64, smem, align<8>>
  // GENERIC: "cute.cp_async_mbarrier_arrive"(%{{.*}}) <{noinc}> : (!cute.ptr<i64, "smem", 8 : i64, "">) -> ()
  cute.cp_async_mbarrier_arrive<{noinc}> (%b)
  // CHECK: cute.mbarrier_expect_tx(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, i32
  // GENERIC: "cute.mbarrier_expect_tx"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, i32) -> ()
  cute.mbarrier_expect_tx(%b, %n)
  // CHECK: cute.mbarrier_arrive_expect_tx(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, i32
  // GENERIC: "cute.mbarrier_arrive_expect_tx"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, i32) -> ()
  cute.mbarrier_arrive_expect_tx(%b, %n)
  // CHECK: cute.mbarrier_arrive_remote(%{{.*}}, %{{.*}}) : !cute.ptr<i64, smem, align<8>>, i32
  // GENERIC: "cute.mbarrier_arrive_remote"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, i32) -> ()
  cute.mbarrier_arrive_remote(%b, %n)
  // CHECK: %{{.*}} = cute.mbarrier_try_wait(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, smem, align<8>>, i32) -> i1
  // GENERIC: "cute.mbarrier_try_wait"(%{{.*}}, %{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">, i32) -> i1
  %done = cute.mbarrier_try_wait(%b, %n)
  // CHECK: cute.mbarrier_inval(%{{.*}}) : !cute.ptr<i64, smem, align<8>>
  // GENERIC: "cute.mbarrier_inval"(%{{.*}}) : (!cute.ptr<i64, "smem", 8 : i64, "">) -> ()
  cute.mbarrier_inval(%b)
  // CHECK: cute.fence_mbarrier_init
  // GENERIC: "cute.fence_mbarrier_init"() : () -> ()
  cute.fence_mbarrier_init
  return
}
