// copy becomes one call of its atom for each access, mode 1 fastest; each takes
// its own element of the predicate.
// RUN: cute-opt %s --cute-expand-atoms | FileCheck %s

// CHECK-LABEL: func.func @order
// CHECK-SAME: (%[[S:.*]]: !cute.tensor<f32, gmem{{.*}}, %[[F:.*]]: !cute.tensor<f32, rmem{{.*}})
func.func @order(%s: !cute.tensor<f32, gmem, align<16>, "((4,1),2,2):((1,0),8,32)">, %f: !cute.tensor<f32, rmem, align<16>, "((4,1),2,2):((1,0),4,8)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
  // CHECK: cute.static : !cute.coord<"(_,0,0)">
  // CHECK: cute.slice(%[[S]],
  // CHECK: cute.slice(%[[F]],
  // CHECK: cute.copy_atom_call({{.*}}) : {{.*}}gmem, align<16>, "((4,1)):((1,0))">, {{.*}}"((4,1)):((1,0))">
  // CHECK: cute.static : !cute.coord<"(_,1,0)">
  // CHECK: cute.slice(%[[S]],
  // CHECK: cute.copy_atom_call
  // CHECK: cute.static : !cute.coord<"(_,0,1)">
  // CHECK: cute.slice(%[[S]],
  // CHECK: cute.copy_atom_call
  // CHECK: cute.static : !cute.coord<"(_,1,1)">
  // CHECK: cute.slice(%[[S]],
  // CHECK: cute.copy_atom_call
  // CHECK-NOT: cute.copy{{(_atom_call)?\(}}
  cute.copy(%a, %s, %f)
  return
}

// The destination may have other modes, as long as the accesses are as many.
// CHECK-LABEL: func.func @other_modes
// CHECK-SAME: (%[[S:.*]]: !cute.tensor<f32, gmem{{.*}}, %[[F:.*]]: !cute.tensor<f32, rmem{{.*}})
func.func @other_modes(%s: !cute.tensor<f32, gmem, align<16>, "(2,4):(1,2)">, %f: !cute.tensor<f32, rmem, align<16>, "(2,2,2):(1,2,4)">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint64_t>", f32>
  // CHECK: cute.copy_atom_call
  // CHECK: cute.copy_atom_call
  // CHECK: cute.static : !cute.coord<"(_,2)">
  // CHECK: cute.slice(%[[S]],
  // CHECK: cute.static : !cute.coord<"(_,0,1)">
  // CHECK: cute.slice(%[[F]],
  // CHECK: cute.copy_atom_call
  // CHECK: cute.copy_atom_call
  // CHECK-NOT: cute.copy{{(_atom_call)?\(}}
  cute.copy(%a, %s, %f)
  return
}

// CHECK-LABEL: func.func @predicated
// CHECK-SAME: %[[P:[a-z0-9]+]]: !cute.tensor<i1, rmem
func.func @predicated(%s: !cute.tensor<f32, gmem, align<16>, "(4,3):(1,8)">, %f: !cute.tensor<f32, rmem, align<16>, "(4,3):(1,4)">, %p: !cute.tensor<i1, rmem, align<16>, "3:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
  // CHECK: %[[P0:.*]] = cute.slice(%[[P]],
  // CHECK: cute.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %[[P0]])
  // CHECK: %[[C1:.*]] = cute.static : !cute.coord<"1">
  // CHECK: %[[P1:.*]] = cute.slice(%[[P]], %[[C1]])
  // CHECK: cute.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %[[P1]])
  // CHECK: %[[C2:.*]] = cute.static : !cute.coord<"2">
  // CHECK: %[[P2:.*]] = cute.slice(%[[P]], %[[C2]])
  // CHECK: cute.copy_atom_call(%{{.*}}, %{{.*}}, %{{.*}}, %[[P2]])
  // CHECK-NOT: cute.copy{{(_atom_call)?\(}}
  cute.copy(%a, %s, %f, %p)
  return
}

// The values of one atom inside mode 0: 2 accesses of 4 in 8 values.
// CHECK-LABEL: func.func @split_mode
// CHECK: cute.static : !cute.coord<"((_,0))">
// CHECK: cute.copy_atom_call
// CHECK: cute.static : !cute.coord<"((_,1))">
// CHECK: cute.copy_atom_call
// CHECK-NOT: cute.copy{{(_atom_call)?\(}}
func.func @split_mode(%s: !cute.tensor<f32, gmem, align<16>, "((4,2)):((1,8))">, %f: !cute.tensor<f32, rmem, align<16>, "((4,2)):((1,4))">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
  cute.copy(%a, %s, %f)
  return
}

// One access: no rest to go over.
// CHECK-LABEL: func.func @single
// CHECK-COUNT-1: cute.copy_atom_call
// CHECK-NOT: cute.copy{{(_atom_call)?\(}}
func.func @single(%s: !cute.tensor<f32, gmem, align<16>, "4:1">, %f: !cute.tensor<f32, rmem, align<16>, "4:1">) {
  %a = cute.static : !cute.copy_atom<"UniversalCopy<uint128_t>", f32>
  cute.copy(%a, %s, %f)
  return
}
