// Compiles a kernel in memory, and prints its PTX.
//
//   cc examples/embed/compile_kernel.c $(pkg-config --cflags --libs cute)
#include "cute/Cute.h"

#include <stdio.h>

static const char kernel[] =
    "gpu.module @kernels {\n"
    "  gpu.func @twice(%A: !cute.tensor<f32, gmem, align<4>, \"256:1\">) "
    "kernel\n"
    "      attributes {known_block_size = array<i32: 256, 1, 1>} {\n"
    "    %x = gpu.thread_id x\n"
    "    %i = arith.index_cast %x : index to i32\n"
    "    %at = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">\n"
    "    %a = cute.load(%A, %at)\n"
    "    %sum = arith.addf %a, %a : f32\n"
    "    cute.store(%sum, %A, %at)\n"
    "    gpu.return\n"
    "  }\n"
    "}\n";

static MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

// The library gives text in pieces.
static void print(MlirStringRef piece, void *file) {
  fwrite(piece.data, 1, piece.length, file);
}

// Parses and compiles; what is wrong with the text goes to standard error.
static bool compile(MlirContext context) {
  MlirModule module = cuteModuleParse(context, text(kernel), text("twice"));
  if (mlirModuleIsNull(module))
    return false;
  CuteCompileOptions options = {.size = sizeof options,
                                .arch = "sm_80",
                                .emit = CUTE_EMIT_PTX,
                                .optLevel = 2};
  MlirLogicalResult result =
      cuteModuleCompile(module, &options, print, stdout, NULL);
  mlirModuleDestroy(module);
  return mlirLogicalResultIsSuccess(result);
}

int main(void) {
  MlirContext context = cuteMlirContextCreate();
  bool done = !mlirContextIsNull(context) && compile(context);
  cuteMlirContextDestroy(context);
  return !done;
}
