// The kernels of a module as structs.
#include "embed.h"

static const char kernels[] =
    "!m = !cute.tensor<f16, gmem, align<16>, \"(?,?{div=8}):(?{i64 "
    "div=8},1)\">\n"
    "gpu.module @a {\n"
    "  gpu.func @first(%A: !m, %n: i32, %x: f32, %s: !cute.shape<\"(4,?)\">, "
    "%p: !llvm.ptr) kernel\n"
    "      attributes {known_block_size = array<i32: 128, 2, 1>,\n"
    "                  known_cluster_size = array<i32: 2, 1, 1>, cute.pdl,\n"
    "                  cute.grid = [\"ceil_div(arg0.shape[0], 64)\", \"2\"]} "
    "{\n"
    "    %t = cute.alloc_smem<f16, 128> ((64,64):(64,1))\n"
    "    cute.clear(%t)\n"
    "    gpu.return\n"
    "  }\n"
    "  gpu.func @helper() { gpu.return }\n"
    "}\n"
    "gpu.module @b {\n"
    "  gpu.func @second() kernel { gpu.return }\n"
    "}\n";

static void checkPart(CuteKernelPart part, CuteKernelPartKind kind,
                      unsigned bits, const char *role) {
  assert_int_equal(part.kind, kind);
  if (kind != CUTE_PART_POINTER)
    assert_int_equal(part.bits, bits);
  assert_string_equal(part.role, role);
}

static void checkTensor(const CuteKernelParameter *tensor) {
  assert_true(tensor->isTensor && !tensor->isHidden);
  assert_string_equal(tensor->element, "f16");
  assert_int_equal(tensor->align, 16);
  assert_string_equal(tensor->shape, "(?,?{div=8})");
  assert_string_equal(tensor->stride, "(?{i64 div=8},1)");
  assert_int_equal(tensor->numParts, 4);
  checkPart(tensor->parts[0], CUTE_PART_POINTER, 0, "pointer");
  checkPart(tensor->parts[1], CUTE_PART_INTEGER, 32, "shape[0]");
  checkPart(tensor->parts[2], CUTE_PART_INTEGER, 32, "shape[1]");
  checkPart(tensor->parts[3], CUTE_PART_INTEGER, 64, "stride[0]");
}

static void describesKernels(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module = parse(context, kernels);
  CuteKernelList *list = cuteKernelListCreate(module);
  mlirModuleDestroy(module);
  destroyContext(context);
  assert_int_equal(cuteKernelListGetNum(list), 2);
  const CuteKernelInfo *first = cuteKernelListGet(list, 0);
  assert_string_equal(first->name, "first");
  assert_int_equal(first->numParameters, 5);
  checkTensor(&first->parameters[0]);
  checkPart(first->parameters[1].parts[0], CUTE_PART_INTEGER, 32, "value");
  checkPart(first->parameters[2].parts[0], CUTE_PART_FLOAT, 32, "value");
  assert_string_equal(first->parameters[3].type, "!cute.shape<\"(4,?)\">");
  assert_int_equal(first->parameters[3].numParts, 1);
  checkPart(first->parameters[4].parts[0], CUTE_PART_POINTER, 64, "value");
  assert_int_equal(first->staticShared, 64 * 64 * 2);
  assert_int_equal(first->dynamicShared, 0);
  assert_int_equal(first->block[0], 128);
  assert_int_equal(first->block[1], 2);
  assert_int_equal(first->cluster[0], 2);
  assert_int_equal(first->gridRank, 2);
  assert_string_equal(first->grid[0], "ceil_div(arg0.shape[0], 64)");
  assert_true(first->mayOverlap);
  const CuteKernelInfo *second = cuteKernelListGet(list, 1);
  assert_string_equal(second->name, "second");
  assert_int_equal(second->numParameters, 0);
  assert_int_equal(second->block[0] + second->cluster[0], 0);
  assert_int_equal(second->gridRank, 0);
  assert_false(second->mayOverlap);
  assert_null(cuteKernelListGet(list, 2));
  cuteKernelListDestroy(list);
}

static void describesHiddenParameters(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module = cuteModuleParseFile(
      context, ref(CUTE_TEST_DIR "/../examples/copy_sm90.mlir"));
  CuteKernelList *list = cuteKernelListCreate(module);
  mlirModuleDestroy(module);
  destroyContext(context);
  const CuteKernelInfo *kernel = cuteKernelListGet(list, 0);
  size_t numHidden = 0;
  for (size_t i = 0; i < kernel->numParameters; ++i)
    if (kernel->parameters[i].isHidden) {
      ++numHidden;
      assert_int_equal(kernel->parameters[i].parts->kind, CUTE_PART_TENSOR_MAP);
      assert_true(kernel->parameters[i].parts->tensor < (intptr_t)i);
    }
  assert_int_equal(numHidden, 2);
  cuteKernelListDestroy(list);
}

static void measuresKernels(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirModule module = cuteModuleParseFile(
      context, ref(CUTE_TEST_DIR "/../examples/gemm_sm80.mlir"));
  CuteKernelList *list = cuteKernelListCreate(module);
  CuteCompileOptions options = {.size = sizeof options,
                                .arch = "sm_80",
                                .emit = CUTE_EMIT_PTX,
                                .optLevel = 2};
  Text ptx = {0}, said = {0};
  assert_true(mlirLogicalResultIsSuccess(
      cuteModuleCompile(module, &options, appendText, &ptx, NULL)));
  mlirModuleDestroy(module);
  CuteKernelResources of;
  assert_true(mlirLogicalResultIsSuccess(
      cuteKernelListMeasure(list, location, &options, ref(ptx.data), &of)));
  assert_int_equal(of.localLoads + of.localStores, 0);
  assert_true(of.loopInstructions > 64);
  if (of.isAssembled) {
    assert_true(of.registers > 64 && of.registers <= 255);
    assert_int_equal(of.spillStoreBytes + of.spillLoadBytes, 0);
    assert_true(of.blocks >= 1 && of.warps == of.blocks * 4 && of.limit);
  }
  cuteDiagnosticHandlerAttach(context, collect, &said);
  options.arch = "sm_1";
  assert_true(mlirLogicalResultIsFailure(
      cuteKernelListMeasure(list, location, &options, ref(ptx.data), &of)));
  assert_true(hasText(&said, "unknown architecture 'sm_1'; known"));
  options.arch = "sm_80";
  if (of.isAssembled)
    assert_true(mlirLogicalResultIsFailure(
        cuteKernelListMeasure(list, location, &options, ref("no ptx"), &of)));
  cuteDiagnosticHandlerDetach(context);
  cuteKernelListDestroy(list);
  free(ptx.data);
  free(said.data);
  destroyContext(context);
}

static void refusesModules(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text said = {0};
  cuteDiagnosticHandlerAttach(context, collect, &said);
  assert_null(cuteKernelListCreate((MlirModule){NULL}));
  MlirModule module =
      parse(context, "gpu.module @a { gpu.func @k() kernel { gpu.return } }\n"
                     "gpu.module @b { gpu.func @k() kernel { gpu.return } }\n");
  assert_null(cuteKernelListCreate(module));
  assert_true(hasText(&said, "has a kernel or function @k, too"));
  mlirModuleDestroy(module);
  cuteDiagnosticHandlerDetach(context);
  cuteKernelListDestroy(NULL);
  free(said.data);
  destroyContext(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(describesKernels),
      cmocka_unit_test(describesHiddenParameters),
      cmocka_unit_test(measuresKernels),
      cmocka_unit_test(refusesModules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
