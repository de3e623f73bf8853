// What pipelines reject.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{attribute 'agent' is "thread", "warp", "warpgroup" or "tcgen05", not "block"}}
  %p = cute.make_pipeline_tma<4, 2, "block"> (%t)
  return
}

// -----

func.func @f(%m: i32) {
  // expected-error @+1 {{the operands are the atoms that load into a stage}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %m: i32) {
  // expected-error @+1 {{operand 1 is not a TMA atom; a mask is the last one}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%m, %t)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_STORE", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{SM90_TMA_STORE stores: its pipeline is made by make_pipeline_tma_store}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%t)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>) {
  // expected-error @+1 {{an atom loads for 2 thread blocks: the last operand is their mask}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%t)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %m: i32) {
  // expected-error @+1 {{a mask needs multicast atoms such as SM90_TMA_LOAD_MULTICAST}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%t, %m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>, %m: !cute.int_tuple<"15">) {
  // expected-error @+1 {{the mask has 4 bits, but the atoms load for 2 to 2 thread blocks}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%t, %m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>, %m: !cute.int_tuple<"65536">) {
  // expected-error @+1 {{the mask has}}
  %p = cute.make_pipeline_tma<4, 2, "warp"> (%t, %m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>, %m: !cute.int_tuple<"3">) {
  // expected-error @+1 {{a thread arrives at its own block}}
  %p = cute.make_pipeline_tma<4, 2, "thread"> (%t, %m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{tma: a pipeline has 1 to 1024 stages, not 0}}
  %p = cute.make_pipeline_tma<0, 2, "warp"> (%t)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{tma: 1 to 1048575 producers and consumers arrive at a barrier, not 1 and 0}}
  %p = cute.make_pipeline_tma<4, 0, "warp"> (%t)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD", f32, "S<3,4,3>", "(32,256):(1@1,1@0)", "((32,256),64):((256,1),8192)">) {
  // expected-error @+1 {{tma: a barrier counts to 1048575 bytes, but 2097152 come to a stage}}
  %p = cute.make_pipeline_tma<4, 1, "warp"> (%t)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{attribute 'kind' is "async", "cp_async" or "tcgen05", not "await"}}
  %p = cute.make_pipeline_async<"await", 4, 1, 1, "warp">
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{attribute 'groups' is 2 or more, not 1}}
  %p = cute.make_pipeline_order<2, 1, 128>
  return
}

// -----

func.func @f(%b: !cute.pipeline<"tma_store", stages<2>, producers<0>, consumers<0>, "thread", bytes<0>, "">) {
  // expected-error @+1 {{a pipeline of TMA stores has no barriers to initialise}}
  cute.init_pipeline(%b)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">) {
  // expected-error @+1 {{attribute 'role' is "producer", "consumer" or "order", not "writer"}}
  %s = cute.make_pipeline_state<"writer"> (%p)
  return
}

// -----

func.func @f(%b: !cute.pipeline<"tma_store", stages<2>, producers<0>, consumers<0>, "thread", bytes<0>, "">) {
  // expected-error @+1 {{is for a pipeline of the kind tma, async, cp_async, tcgen05, not tma_store}}
  %s = cute.make_pipeline_state<"consumer"> (%b)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"order", stages<2>, producers<128>, consumers<2>, "thread", bytes<0>, "">) {
  // expected-error @+1 {{the second operand is the number of the group}}
  %s = cute.make_pipeline_state<"order"> (%p)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %g: i32) {
  // expected-error @+1 {{only an order has groups}}
  %s = cute.make_pipeline_state<"consumer"> (%p, %g)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"order", stages<2>, producers<128>, consumers<2>, "thread", bytes<0>, "">, %g: !cute.int_tuple<"2">) {
  // expected-error @+1 {{the groups are 0 to 1, not 2}}
  %s = cute.make_pipeline_state<"order"> (%p, %g)
  return
}

// -----

func.func @f(%s: !cute.pipeline_state<"consumer", stages<4>>, %n: !cute.int_tuple<"-1">) {
  // expected-error @+1 {{a state advances by 0 stages or more, not -1}}
  %n1 = cute.pipeline_advance(%s, %n)
  return
}

// -----

func.func @f(%s: i32) {
  // expected-error @+1 {{operand}}
  %n1 = cute.pipeline_stage(%s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"consumer", stages<4>>) {
  // expected-error @+1 {{the state is of the role consumer, not producer, whose parity is the opposite}}
  cute.producer_acquire(%p, %s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"consumer", stages<4>>) {
  // expected-error @+1 {{the state is of the role consumer, not producer}}
  %f = cute.producer_barrier(%p, %s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"consumer", stages<4>>) {
  // expected-error @+1 {{the state is of the role consumer, not producer}}
  cute.producer_commit(%p, %s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"consumer", stages<4>>) {
  // expected-error @+1 {{the state is of the role consumer, not producer}}
  cute.producer_tail(%p, %s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"producer", stages<4>>) {
  // expected-error @+1 {{the state is of the role producer, not consumer}}
  cute.consumer_wait(%p, %s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"consumer", stages<3>>) {
  // expected-error @+1 {{the state counts 3 stages, but the pipeline has 4}}
  cute.consumer_release(%p, %s)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"order", stages<2>, producers<128>, consumers<2>, "thread", bytes<0>, "">, %s: !cute.pipeline_state<"consumer", stages<2>>, %g: i32) {
  // expected-error @+1 {{the state is of the role consumer, not order}}
  cute.order_wait(%p, %s, %g)
  return
}

// -----

func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">, %s: !cute.pipeline_state<"consumer", stages<4>>, %g: i32) {
  // expected-error @+1 {{is for a pipeline of the kind order, not tma}}
  cute.order_arrive(%p, %s, %g)
  return
}

// -----

// expected-error @+1 {{"tms" is not one of "tma", "async", "cp_async", "tma_store", "order"}}
func.func @f(%p: !cute.pipeline<"tms", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">) {
  return
}

// -----

// expected-error @+1 {{tma: the mask is one integer}}
func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "(1,2)">) {
  return
}

// -----

// expected-error @+1 {{tma: the mask 0 must have 1 to 16 bits, one for each thread block of the cluster}}
func.func @f(%p: !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "0">) {
  return
}

// -----

// expected-error @+1 {{"reader" is not one of "producer", "consumer", "order"}}
func.func @f(%p: !cute.pipeline_state<"reader", stages<4>>) {
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{tma_store: a pipeline has 1 to 1024 stages, not 2000}}
  %p = cute.make_pipeline_tma_store<2000>
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM90_TMA_LOAD_MULTICAST", f32, "", "(32,128):(1@1,1@0)", "((32,128),1):((128,1),128)", ctas<2>>, %m: !cute.int_tuple<"3">) {
  // expected-error @+1 {{a commit arrives at its own block only; a stage of several blocks is released by a "warpgroup" or a "warp"}}
  %p = cute.make_pipeline_tma<4, 1, "tcgen05"> (%t, %m)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM100_TMA_2SM_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{an atom loads for a pair of thread blocks: the last operand is their mask, and a commit by "tcgen05" releases stages}}
  %p = cute.make_pipeline_tma<4, 1, "tcgen05"> (%t)
  return
}

// -----

func.func @f(%t: !cute.tma_atom<"SM100_TMA_2SM_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">, %m: !cute.int_tuple<"6">) {
  // expected-error @+1 {{the mask of a pair is 3, for both blocks of a cluster, not 6}}
  %p = cute.make_pipeline_tma<4, 1, "tcgen05"> (%t, %m)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{2 ctas need the kind "tcgen05" and consumers that are warps: they serve products of a pair of blocks}}
  %p = cute.make_pipeline_async<"async", 2, 1, 4, "warp", 2>
  return
}

// -----

!tma = !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup", bytes<16384>, "">
func.func @f(%p: !tma, %s: !cute.pipeline_state<"producer", stages<4>>, %t: !cute.tma_atom<"SM90_TMA_STORE", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{atom 1 does not load for a single thread block}}
  cute.producer_acquire(%p, %s, %t)
  return
}

// -----

!async = !cute.pipeline<"async", stages<4>, producers<32>, consumers<2>, "warp", bytes<0>, "">
func.func @f(%p: !async, %s: !cute.pipeline_state<"producer", stages<4>>, %t: !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>", "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">) {
  // expected-error @+1 {{is for a pipeline of the kind tma, not async}}
  cute.producer_acquire(%p, %s, %t)
  return
}

// -----

func.func @f(%i: i32) {
  // expected-error @+1 {{expected 0 operands}}
  "cute.fence_loads"(%i) : (i32) -> ()
  return
}
