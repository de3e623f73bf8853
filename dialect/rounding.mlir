// arith.truncf with a rounding mode other than to the nearest even, which the device's
// code generation would leave out: `cute-expand-math` puts the body of
// @truncf.MODE.FROM.TO in place of the op, element by element. Each rounds to the
// nearest and, if that went the wrong way, takes the neighbour on the other side.
// Neighbours are one apart as integers, also next to infinity and 0; NaN compares false
// and stays. test/Conversion/rounding.test compares all with exact arithmetic.

// Down by one where it is larger.
func.func @truncf.toward_zero.f32.f16(%x: f32) -> f16 {
  %t = arith.truncf %x : f32 to f16
  %y = arith.extf %t : f16 to f32
  %b = arith.bitcast %t : f16 to i16
  %ax = math.absf %x : f32
  %ay = math.absf %y : f32
  %c = arith.cmpf ogt, %ay, %ax : f32
  %s = arith.extui %c : i1 to i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.toward_zero.f32.bf16(%x: f32) -> bf16 {
  %t = arith.truncf %x : f32 to bf16
  %y = arith.extf %t : bf16 to f32
  %b = arith.bitcast %t : bf16 to i16
  %ax = math.absf %x : f32
  %ay = math.absf %y : f32
  %c = arith.cmpf ogt, %ay, %ax : f32
  %s = arith.extui %c : i1 to i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.toward_zero.f64.f16(%x: f64) -> f16 {
  %t = arith.truncf %x : f64 to f16
  %y = arith.extf %t : f16 to f64
  %b = arith.bitcast %t : f16 to i16
  %ax = math.absf %x : f64
  %ay = math.absf %y : f64
  %c = arith.cmpf ogt, %ay, %ax : f64
  %s = arith.extui %c : i1 to i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.toward_zero.f64.bf16(%x: f64) -> bf16 {
  %t = arith.truncf %x : f64 to bf16
  %y = arith.extf %t : bf16 to f64
  %b = arith.bitcast %t : bf16 to i16
  %ax = math.absf %x : f64
  %ay = math.absf %y : f64
  %c = arith.cmpf ogt, %ay, %ax : f64
  %s = arith.extui %c : i1 to i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.toward_zero.f64.f32(%x: f64) -> f32 {
  %t = arith.truncf %x : f64 to f32
  %y = arith.extf %t : f32 to f64
  %b = arith.bitcast %t : f32 to i32
  %ax = math.absf %x : f64
  %ay = math.absf %y : f64
  %c = arith.cmpf ogt, %ay, %ax : f64
  %s = arith.extui %c : i1 to i32
  %r = arith.subi %b, %s : i32
  %z = arith.bitcast %r : i32 to f32
  func.return %z : f32
}

// Up where it is below; as an integer, down if it is negative.
func.func @truncf.upward.f32.f16(%x: f32) -> f16 {
  %t = arith.truncf %x : f32 to f16
  %y = arith.extf %t : f16 to f32
  %b = arith.bitcast %t : f16 to i16
  %c = arith.cmpf olt, %y, %x : f32
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.addi %b, %s : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.upward.f32.bf16(%x: f32) -> bf16 {
  %t = arith.truncf %x : f32 to bf16
  %y = arith.extf %t : bf16 to f32
  %b = arith.bitcast %t : bf16 to i16
  %c = arith.cmpf olt, %y, %x : f32
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.addi %b, %s : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.upward.f64.f16(%x: f64) -> f16 {
  %t = arith.truncf %x : f64 to f16
  %y = arith.extf %t : f16 to f64
  %b = arith.bitcast %t : f16 to i16
  %c = arith.cmpf olt, %y, %x : f64
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.addi %b, %s : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.upward.f64.bf16(%x: f64) -> bf16 {
  %t = arith.truncf %x : f64 to bf16
  %y = arith.extf %t : bf16 to f64
  %b = arith.bitcast %t : bf16 to i16
  %c = arith.cmpf olt, %y, %x : f64
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.addi %b, %s : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.upward.f64.f32(%x: f64) -> f32 {
  %t = arith.truncf %x : f64 to f32
  %y = arith.extf %t : f32 to f64
  %b = arith.bitcast %t : f32 to i32
  %c = arith.cmpf olt, %y, %x : f64
  %sign = arith.constant 31 : i32
  %negative = arith.shrsi %b, %sign : i32
  %one = arith.constant 1 : i32
  %unit = arith.ori %negative, %one : i32
  %zero = arith.constant 0 : i32
  %s = arith.select %c, %unit, %zero : i32
  %r = arith.addi %b, %s : i32
  %z = arith.bitcast %r : i32 to f32
  func.return %z : f32
}

// Down where it is above; as an integer, up if it is negative.
func.func @truncf.downward.f32.f16(%x: f32) -> f16 {
  %t = arith.truncf %x : f32 to f16
  %y = arith.extf %t : f16 to f32
  %b = arith.bitcast %t : f16 to i16
  %c = arith.cmpf ogt, %y, %x : f32
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.downward.f32.bf16(%x: f32) -> bf16 {
  %t = arith.truncf %x : f32 to bf16
  %y = arith.extf %t : bf16 to f32
  %b = arith.bitcast %t : bf16 to i16
  %c = arith.cmpf ogt, %y, %x : f32
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.downward.f64.f16(%x: f64) -> f16 {
  %t = arith.truncf %x : f64 to f16
  %y = arith.extf %t : f16 to f64
  %b = arith.bitcast %t : f16 to i16
  %c = arith.cmpf ogt, %y, %x : f64
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.downward.f64.bf16(%x: f64) -> bf16 {
  %t = arith.truncf %x : f64 to bf16
  %y = arith.extf %t : bf16 to f64
  %b = arith.bitcast %t : bf16 to i16
  %c = arith.cmpf ogt, %y, %x : f64
  %sign = arith.constant 15 : i16
  %negative = arith.shrsi %b, %sign : i16
  %one = arith.constant 1 : i16
  %unit = arith.ori %negative, %one : i16
  %zero = arith.constant 0 : i16
  %s = arith.select %c, %unit, %zero : i16
  %r = arith.subi %b, %s : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.downward.f64.f32(%x: f64) -> f32 {
  %t = arith.truncf %x : f64 to f32
  %y = arith.extf %t : f32 to f64
  %b = arith.bitcast %t : f32 to i32
  %c = arith.cmpf ogt, %y, %x : f64
  %sign = arith.constant 31 : i32
  %negative = arith.shrsi %b, %sign : i32
  %one = arith.constant 1 : i32
  %unit = arith.ori %negative, %one : i32
  %zero = arith.constant 0 : i32
  %s = arith.select %c, %unit, %zero : i32
  %r = arith.subi %b, %s : i32
  %z = arith.bitcast %r : i32 to f32
  func.return %z : f32
}

// To the next larger one where that is as near. Both differences are exact then.
func.func @truncf.to_nearest_away.f32.f16(%x: f32) -> f16 {
  %t = arith.truncf %x : f32 to f16
  %y = arith.extf %t : f16 to f32
  %b = arith.bitcast %t : f16 to i16
  %one = arith.constant 1 : i16
  %b1 = arith.addi %b, %one : i16
  %t1 = arith.bitcast %b1 : i16 to f16
  %y1 = arith.extf %t1 : f16 to f32
  %d = arith.subf %x, %y : f32
  %d1 = arith.subf %y1, %x : f32
  %c = arith.cmpf oeq, %d, %d1 : f32
  %r = arith.select %c, %b1, %b : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.to_nearest_away.f32.bf16(%x: f32) -> bf16 {
  %t = arith.truncf %x : f32 to bf16
  %y = arith.extf %t : bf16 to f32
  %b = arith.bitcast %t : bf16 to i16
  %one = arith.constant 1 : i16
  %b1 = arith.addi %b, %one : i16
  %t1 = arith.bitcast %b1 : i16 to bf16
  %y1 = arith.extf %t1 : bf16 to f32
  %d = arith.subf %x, %y : f32
  %d1 = arith.subf %y1, %x : f32
  %c = arith.cmpf oeq, %d, %d1 : f32
  %r = arith.select %c, %b1, %b : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.to_nearest_away.f64.f16(%x: f64) -> f16 {
  %t = arith.truncf %x : f64 to f16
  %y = arith.extf %t : f16 to f64
  %b = arith.bitcast %t : f16 to i16
  %one = arith.constant 1 : i16
  %b1 = arith.addi %b, %one : i16
  %t1 = arith.bitcast %b1 : i16 to f16
  %y1 = arith.extf %t1 : f16 to f64
  %d = arith.subf %x, %y : f64
  %d1 = arith.subf %y1, %x : f64
  %c = arith.cmpf oeq, %d, %d1 : f64
  %r = arith.select %c, %b1, %b : i16
  %z = arith.bitcast %r : i16 to f16
  func.return %z : f16
}

func.func @truncf.to_nearest_away.f64.bf16(%x: f64) -> bf16 {
  %t = arith.truncf %x : f64 to bf16
  %y = arith.extf %t : bf16 to f64
  %b = arith.bitcast %t : bf16 to i16
  %one = arith.constant 1 : i16
  %b1 = arith.addi %b, %one : i16
  %t1 = arith.bitcast %b1 : i16 to bf16
  %y1 = arith.extf %t1 : bf16 to f64
  %d = arith.subf %x, %y : f64
  %d1 = arith.subf %y1, %x : f64
  %c = arith.cmpf oeq, %d, %d1 : f64
  %r = arith.select %c, %b1, %b : i16
  %z = arith.bitcast %r : i16 to bf16
  func.return %z : bf16
}

func.func @truncf.to_nearest_away.f64.f32(%x: f64) -> f32 {
  %t = arith.truncf %x : f64 to f32
  %y = arith.extf %t : f32 to f64
  %b = arith.bitcast %t : f32 to i32
  %one = arith.constant 1 : i32
  %b1 = arith.addi %b, %one : i32
  %t1 = arith.bitcast %b1 : i32 to f32
  %y1 = arith.extf %t1 : f32 to f64
  %d = arith.subf %x, %y : f64
  %d1 = arith.subf %y1, %x : f64
  %c = arith.cmpf oeq, %d, %d1 : f64
  %r = arith.select %c, %b1, %b : i32
  %z = arith.bitcast %r : i32 to f32
  func.return %z : f32
}
