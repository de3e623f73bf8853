// Functions on the host, compiled and called in tests.
#pragma once

#include "embed.h"

#include <cute/Host.h>
#include <cute/Jit.h>

static inline CuteCompileOptions compiledFor(const char *arch) {
  return (CuteCompileOptions){.size = sizeof(CuteCompileOptions),
                              .arch = arch,
                              .emit = CUTE_EMIT_PTX,
                              .optLevel = 2};
}

static inline CuteHostModule *compileIn(MlirContext context, const char *text) {
  MlirModule module = parse(context, text);
  assert_false(mlirModuleIsNull(module));
  const CuteCompileOptions kernels = compiledFor("sm_90a");
  CuteHostOptions options = {
      .size = sizeof options, .kernels = &kernels, .optLevel = 2};
  options.symbols = cuteHostGetSymbols(&options.numSymbols);
  CuteHostModule *host = cuteHostModuleCreate(module, &options);
  mlirModuleDestroy(module);
  return host;
}

// The code outlives the context.
static inline CuteHostModule *compile(const char *text) {
  MlirContext context = createContext(true);
  CuteHostModule *host = compileIn(context, text);
  destroyContext(context);
  assert_non_null(host);
  return host;
}

static inline CuteHostFunction find(const CuteHostModule *host,
                                    const char *name) {
  void *address = cuteHostModuleFind(host, name);
  CuteHostFunction function;
  assert_non_null(address);
  memcpy(&function, &address, sizeof function);
  return function;
}

static inline void succeeds(CuteStatus status) {
  if (status)
    fail_msg("%s", cuteStatusGetMessage(status));
}

static inline void fails(CuteStatus status, const char *text) {
  assert_non_null(status);
  if (!strstr(cuteStatusGetMessage(status), text))
    fail_msg("'%s' does not say '%s'", cuteStatusGetMessage(status), text);
  cuteStatusDestroy(status);
}
