// A slice is a name for a tiled copy or MMA with a thread: the text with it is
// that without.
// RUN: cute-opt %s > %t
// RUN: sed -e 's/%%thr, \(.*\))/%%c, \1, %%i)/' -e 's/%%part, \(.*\))/%%m, \1, %%i)/' -e '/get_slice/d' -e 's/_fragment_a(%%m, %%x, %%i)/_fragment_a(%%m, %%x)/' %s | cute-opt | diff - %t
// RUN: FileCheck %s < %t

// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[G:[^:]+]]: !cute.tensor{{.*}}, %[[I:[^:]+]]: i32)
func.func @slices(%g: !cute.tensor<f16, gmem, align<16>, "(64,128):(128,1)">, %i: i32) {
  %c = cute.static : !cute.tiled_copy<"UniversalCopy<uint128_t>", f16, "((8,16),8):((128,1),16)", "[16:1;64:1]">
  %m = cute.static : !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)", "[32:1;32:1;16:1]">
  // CHECK: %[[C:.*]] = cute.static : !cute.tiled_copy
  // CHECK-NEXT: %[[M:.*]] = cute.static : !cute.tiled_mma
  %thr = cute.get_slice(%c, %i)
  %part = cute.get_slice(%m, %i)
  // CHECK-NEXT: cute.partition_s(%[[C]], %[[G]], %[[I]])
  %a = cute.partition_s(%thr, %g)
  // CHECK-NEXT: cute.partition_d(%[[C]], %[[G]], %[[I]])
  %b = cute.partition_d(%thr, %g)
  // CHECK-NEXT: %[[X:.*]] = cute.partition_a(%[[M]], %[[G]], %[[I]])
  %x = cute.partition_a(%part, %g)
  // CHECK-NEXT: cute.partition_c(%[[M]], %[[G]], %[[I]])
  %y = cute.partition_c(%part, %g)
  // An op without a thread takes the copy or MMA.
  // CHECK-NEXT: cute.make_fragment_a(%[[M]], %[[X]])
  %r = cute.make_fragment_a(%part, %x)
  // CHECK: cute.predicated_tile_s(%[[C]], %[[G]], %{{.*}}, %{{.*}}, %[[I]])
  %p:2 = cute.predicated_tile_s(%thr, %g, (64,64), (0,%i))
  return
}
