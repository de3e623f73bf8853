// What the ops on modes reject, and that the message says why.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @flatten(%a: !cute.swizzle<"S<2,1,3>">) {
  // expected-error @+1 {{'cute.flatten' op operand #0 (x) must be int_tuple or shape or stride or coord or tile or layout or composed_layout or tensor or coord_tensor, not !cute.swizzle<"S<2,1,3>">}}
  %r = cute.flatten(%a)
  return
}

// -----
func.func @flatten(%a: !cute.shape<"((2,3),4)">) {
  // expected-error @+1 {{inferred result type !cute.shape<"(2,3,4)"> differs from the written !cute.shape<"(2,(3,4))">}}
  %r = cute.flatten(%a) : (!cute.shape<"((2,3),4)">) -> !cute.shape<"(2,(3,4))">
  return
}

// -----
func.func @flatten() {
  // expected-error @+1 {{expected 1 operand, found 0}}
  %r = cute.flatten()
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{'cute.group_modes' op group_modes: [0, 4) is not a range of modes in a rank of 3}}
  %r = cute.group_modes<0, 4>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{[2, 2) is not a range of modes}}
  %r = cute.group_modes<2, 2>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{[2, 1) is not a range of modes}}
  %r = cute.group_modes<2, 1>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{[-1, 2) is not a range of modes}}
  %r = cute.group_modes<-1, 2>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"()">) {
  // expected-error @+1 {{in a rank of 0}}
  %r = cute.group_modes<0, 1>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{requires attribute 'begin'}}
  %r = cute.group_modes(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{expected ',' between attributes}}
  %r = cute.group_modes<0>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{expected a 32-bit integer}}
  %r = cute.group_modes<0, 4294967296>(%a)
  return
}

// -----
func.func @group_modes(%a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{operand #0 (layout) must be layout or composed_layout or tensor or coord_tensor, not !cute.shape}}
  %r = cute.group_modes<0, 1>(%a)
  return
}

// -----
func.func @group(%a: !cute.layout<"(5,6,7)">) {
  // expected-error @+1 {{[3, 3) is not a range of modes}}
  %r = cute.group<3>(%a)
  return
}

// -----
func.func @group_tile(%a: !cute.tile<"[5:1;6:1]">) {
  // expected-error @+1 {{'cute.group' op group_modes: [0, 3) is not a range of modes in a rank of 2}}
  %r = cute.group<0, 3>(%a)
  return
}

// -----
func.func @slice(%a: !cute.shape<"5">, %b: !cute.coord<"(_)">) {
  // expected-error @+1 {{'cute.slice' op slice: coordinate (_) is not weakly congruent to 5}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @slice(%a: !cute.shape<"(6,5)">, %b: !cute.coord<"(_,2,_)">) {
  // expected-error @+1 {{coordinate (_,2,_) is not weakly congruent to (6,5)}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @slice(%a: !cute.layout<"(6,5)">, %b: !cute.coord<"((_,1),_)">) {
  // expected-error @+1 {{coordinate ((_,1),_) is not weakly congruent to (6,5)}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @slice(%a: !cute.layout<"(6,5)">, %b: !cute.shape<"(6,5)">) {
  // expected-error @+1 {{operand #1 (coord) must be coord, not !cute.shape<"(6,5)">}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @slice(%a: !cute.tile<"[6;5]">, %b: !cute.coord<"(_,1)">) {
  // expected-error @+1 {{not !cute.tile<"[6:1;5:1]">}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @slice(%a: !cute.layout<"(6,5)">) {
  // expected-error @+1 {{expected 2 operands, found 1}}
  %r = cute.slice(%a)
  return
}

// -----
func.func @slice(%a: !cute.composed_layout<"S<2,1,3> o 0 o (8,8):(8,1)">,
                %b: !cute.coord<"(1,2)">) {
  // expected-error @+1 {{under a swizzle the coordinate must keep at least one mode with _, not (1,2)}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @slice(%a: !cute.composed_layout<"S<2,1,3> o 0 o (?,8):(8,1)">,
                %b: !cute.coord<"(1,_)">) {
  // expected-error @+1 {{under a swizzle the layout must be static, not (?,8):(8,1)}}
  %r = cute.slice(%a, %b)
  return
}

// -----
func.func @dice(%a: !cute.shape<"(2,3)">, %b: !cute.coord<"(?,_)">) {
  // expected-error @+1 {{'cute.dice' op dice: the coordinate must be static, not (?,_)}}
  %r = cute.dice(%a, %b)
  return
}

// -----
func.func @dice(%a: !cute.shape<"(2,3)">, %b: !cute.coord<"(1,_,_)">) {
  // expected-error @+1 {{coordinate (1,_,_) is not weakly congruent to (2,3)}}
  %r = cute.dice(%a, %b)
  return
}

// -----
func.func @dice(%a: !cute.tensor<f32, gmem, align<16>, "(8,4):(4,1)">, %b: !cute.coord<"(1,_)">) {
  // expected-error @+1 {{not !cute.tensor<f32, gmem, align<16>, "(8,4):(4,1)">}}
  %r = cute.dice(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.shape<"(5,7)">, %b: !cute.shape<"1">) {
  // expected-error @+1 {{'cute.append_to_rank' op append_to_rank: rank 0 is not in [1, }}
  %r = cute.append_to_rank<0>(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.shape<"(5,7)">, %b: !cute.shape<"1">) {
  // expected-error @+1 {{rank -1 is not in [1, }}
  %r = cute.append_to_rank<-1>(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.shape<"(5,7)">, %b: !cute.shape<"1">) {
  // expected-error @+1 {{rank 2000000000 is not in [1, }}
  %r = cute.append_to_rank<2000000000>(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.shape<"(5,7)">, %b: !cute.layout<"1">) {
  // expected-error @+1 {{the element must be a shape, not a layout}}
  %r = cute.append_to_rank<3>(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">,
                %b: !cute.composed_layout<"S<2,1,3> o 0 o 8:1">) {
  // expected-error @+1 {{the element must be a layout, not a composed_layout}}
  %r = cute.append_to_rank<3>(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.stride<"(1@0,1@1)">, %b: !cute.stride<"1">) {
  // expected-error @+1 {{leaves must be all integers or all scaled bases and zeros in (1@0,1@1,1)}}
  %r = cute.append_to_rank<3>(%a, %b)
  return
}

// -----
func.func @append_to_rank(%a: !cute.shape<"(5,7)">, %b: !cute.shape<"1">) {
  // expected-error @+1 {{requires attribute 'rank'}}
  %r = cute.append_to_rank(%a, %b)
  return
}

// -----
func.func @prepend_to_rank(%a: !cute.shape<"(5,7)">, %b: !cute.shape<"1">) {
  // expected-error @+1 {{'cute.prepend_to_rank' op prepend_to_rank: rank 0 is not in [1, }}
  %r = cute.prepend_to_rank<0>(%a, %b)
  return
}

// -----
func.func @prepend_to_rank(%a: !cute.coord<"(5,7)">, %b: !cute.shape<"1">) {
  // expected-error @+1 {{the element must be a coord, not a shape}}
  %r = cute.prepend_to_rank<3>(%a, %b)
  return
}

// -----
func.func @prepend_to_rank(%a: !cute.tile<"[5;7]">, %b: !cute.tile<"_">) {
  // expected-error @+1 {{not !cute.tile<"[5:1;7:1]">}}
  %r = cute.prepend_to_rank<3>(%a, %b)
  return
}

// -----

func.func @attribute_of_another_kind(%l: !cute.layout<"(5,6)">) {
  // expected-error @+1 {{'cute.group_modes' op attribute 'end' must be an integer such as 4 : i32}}
  %r = "cute.group_modes"(%l) {begin = 0 : i32, end = "2"} : (!cute.layout<"(5,6)">) -> !cute.layout<"((5,6)):((1,5))">
  return
}

// -----

func.func @slice_error_leaf(%a: !cute.shape<"(5,6)">, %b: !cute.coord<"(x,_)">) {
  // expected-error @+1 {{slice: an x is not a coordinate: (x,_)}}
  %r = cute.slice(%a, %b)
  return
}

// -----

func.func @slice_error_leaf(%a: !cute.layout<"(5,6)">, %b: !cute.coord<"(x,_)">) {
  // expected-error @+1 {{slice: an x is not a coordinate: (x,_)}}
  %r = cute.slice(%a, %b)
  return
}

// -----

func.func @dice_error_leaf(%a: !cute.layout<"(5,6)">, %b: !cute.coord<"(1,(x))">) {
  // expected-error @+1 {{dice: an x is not a coordinate: (1,(x))}}
  %r = cute.dice(%a, %b)
  return
}

// -----

func.func @append_shape_to_tensor(%t: !cute.tensor<f32, gmem, align<4>, "(4,5):(1,4)">, %s: !cute.shape<"1">) {
  // expected-error @+1 {{the element must be a layout, not a shape}}
  %r = cute.append_to_rank<3> (%t, %s)
  return
}

// -----

func.func @append(%a: !cute.shape<"(5,6,7)">) {
  // expected-error @+1 {{'cute.append' op rank 2 is less than the operand's rank 3}}
  %r = cute.append<2> (%a, 1)
  return
}

// -----

func.func @prepend(%a: !cute.tile<"[5:1;6:1]">) {
  // expected-error @+1 {{'cute.prepend' op rank 1 is less than the operand's rank 2}}
  %r = cute.prepend<1> (%a, 1:0)
  return
}

// -----

func.func @append_tuple_to_layout(%a: !cute.layout<"(5,6)">, %e: !cute.shape<"1">) {
  // expected-error @+1 {{the element must be a layout, not a shape}}
  %r = cute.append(%a, %e)
  return
}

// -----

func.func @front(%a: !cute.shape<"()">) {
  // expected-error @+1 {{'cute.front' op front: }}
  %r = cute.front(%a)
  return
}

// -----

func.func @find(%x: !cute.int_tuple<"?">, %a: !cute.shape<"(5,6)">) {
  // expected-error @+1 {{'cute.find' op find: }}
  %r = cute.find(%x, %a)
  return
}

// -----

func.func @repeat_like(%x: !cute.int_tuple<"(1,2)">, %a: !cute.tile<"[5:1]">) {
  // expected-error @+1 {{operand #1 (profile) must be int_tuple or shape or stride or coord or layout or composed_layout or tensor, not !cute.tile}}
  %r = cute.repeat_like(%x, %a)
  return
}

// -----

func.func @slice_and_offset(%a: !cute.layout<"(5,6)">, %c: !cute.coord<"(1,2,_)">) {
  // expected-error @+1 {{is not weakly congruent to (5,6)}}
  %r:2 = cute.slice_and_offset(%a, %c)
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,8)">) {
  // expected-error @+1 {{'cute.replace' op replace: mode 2 is not in [0, 2)}}
  %r = cute.replace<2> (%s, 1)
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,8)">) {
  // expected-error @+1 {{'cute.replace' op replace: mode -1 is not in [0, 2)}}
  %r = cute.replace<-1> (%s, 1)
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,8)">) {
  // expected-error @+1 {{'cute.replace' op the element must be a shape, not a layout}}
  %r = cute.replace<0> (%s, 4:1)
  return
}

// -----

func.func @f(%s: !cute.layout<"(4,8):(8,1)">, %n: i32) {
  // expected-error @+1 {{'cute.replace' op the element must be a layout, not an integer}}
  %r = cute.replace<0> (%s, %n) : (!cute.layout<"(4,8):(8,1)">, i32) -> !cute.layout<"(4,8):(8,1)">
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,8)">) {
  // expected-error @+1 {{'cute.unflatten' op unflatten: the modes of (4,8) are not as many as the leaves of (1,(1,1))}}
  %r = cute.unflatten(%s, (1,(1,1)))
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,8)">) {
  // expected-error @+1 {{'cute.zip' op zip: needs operands of equal rank, not (4,8) and (1,2,3)}}
  %r = cute.zip(%s, (1,2,3))
  return
}

// -----

func.func @f(%s: !cute.shape<"(4,8)">) {
  // expected-error @+1 {{'cute.zip' op the element must be a shape, not a layout}}
  %r = cute.zip(%s, 4:1)
  return
}

// -----

func.func @f(%s: !cute.layout<"(4,8):(8,1)">) {
  // expected-error @+1 {{'cute.zip' op zip: needs operands of equal rank, not (4,8) and 4}}
  %r = cute.zip(%s, 4:1)
  return
}
