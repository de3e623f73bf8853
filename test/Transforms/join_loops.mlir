// Nests of loops over parts of fragments, and what keeps them: a round that reads
// what a later one writes.
// RUN: cute-opt %s --cute-join-loops 2>/dev/null | FileCheck %s


gpu.module @fragments {
  // CHECK-LABEL: @nests
  gpu.func @nests() kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %one = arith.constant 1.0 : f32
    %a = cute.make_fragment<f32> ((2,4,4))
    %b = cute.make_fragment<f16> ((2,4,4))
    // CHECK-NOT: scf.for
    // CHECK: cute.fill(%[[A:.*]], %
    // CHECK: cute.convert(%[[A]], %[[B:.*]]) : {{.*}}"(2,4,4)
    scf.for %v = %c0 to %c2 step %c1 : i32 {
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        scf.for %j = %c0 to %c4 step %c1 : i32 {
          %at = cute.make_coord(%v, %i, %j) : (i32, i32, i32) -> !cute.coord<"(?,?,?)">
          cute.store(%one, %a, %at)
        }
      }
    }
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      scf.for %j = %c0 to %c4 step %c1 : i32 {
        %x = cute.slice(%a, (_,%i,%j))
        %y = cute.slice(%b, (_,%i,%j))
        cute.convert(%x, %y)
      }
    }
    // A part that is converted after it is cleared, in the same round.
    // CHECK: cute.clear(%[[A]])
    // CHECK-NEXT: cute.convert(%[[A]], %[[B]])
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %x = cute.slice(%a, (_,%i,_))
      cute.clear(%x)
      scf.for %j = %c0 to %c4 step %c1 : i32 {
        %z = cute.slice(%a, (_,%i,%j))
        %y = cute.slice(%b, (_,%i,%j))
        cute.convert(%z, %y)
      }
    }
    cute.print_tensor(%b)
    // CHECK: gpu.return
    gpu.return
  }

  // CHECK-LABEL: @order
  gpu.func @order() kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %zero = arith.constant 0.0 : f32
    %a = cute.make_fragment<f32> ((2,4,4))
    %b = cute.make_fragment<f16> ((2,4,4))
    cute.clear(%a)
    // Columns are converted before all rows are cleared.
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %x = cute.slice(%a, (_,%i,_))
      cute.clear(%x)
      %z = cute.slice(%a, (_,_,%i))
      %y = cute.slice(%b, (_,_,%i))
      cute.convert(%z, %y)
    }
    // All is converted in each round.
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %x = cute.slice(%a, (_,%i,_))
      cute.clear(%x)
      scf.for %j = %c0 to %c4 step %c1 : i32 {
        %z = cute.slice(%a, (_,_,%j))
        %y = cute.slice(%b, (_,_,%j))
        cute.convert(%z, %y)
      }
    }
    // The elements of a diagonal.
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %at = cute.make_coord(%i, %i, %i) : (i32, i32, i32) -> !cute.coord<"(?,?,?)">
      cute.store(%zero, %a, %at)
    }
    // Eight of 32 elements.
    // CHECK: scf.for
    scf.for %i = %c0 to %c8 step %c1 : i32 {
      %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
      cute.store(%zero, %a, %at)
    }
    // Rows become columns.
    // CHECK: scf.for
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %x = cute.slice(%a, (_,%i,_))
      %y = cute.slice(%b, (_,_,%i))
      cute.convert(%x, %y)
    }
    cute.print_tensor(%b)
    gpu.return
  }
}
