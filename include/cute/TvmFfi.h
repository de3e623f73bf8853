//===- cute/TvmFfi.h - Calls in TVM-FFI's convention ------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// What an exported object needs besides its table to be a module of TVM-FFI:
/// a function __tvm_ffi_NAME, which calls cuteTvmCall. It reads TVM-FFI's
/// arguments, whose memory the next structs describe (tvm/ffi/c_api.h, DLPack),
/// compares them with what was compiled in, and passes the rest. Neither
/// TVM-FFI nor libcute-run is linked: they are looked for where the object is
/// loaded. For C alone; what Python exports includes it.
///
//===----------------------------------------------------------------------===//
#ifndef CUTE_TVMFFI_H
#define CUTE_TVMFFI_H

#include "cute/Host.h"
#include "cute/Version.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma weak cuteDeviceCreate
#pragma weak cuteExportedModuleLoad
#pragma weak cuteHostCall
#pragma weak cuteStatusDestroy
#pragma weak cuteStatusGetMessage
#pragma weak TVMFFIErrorSetRaisedFromCStr
#pragma weak TVMFFIEnvGetStream

void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message);
void *TVMFFIEnvGetStream(int32_t deviceKind, int32_t device);

//===-- TVM-FFI's values --------------------------------------------------===//

enum {
  CUTE_TVM_NONE = 0,
  CUTE_TVM_INT = 1,
  CUTE_TVM_BOOL = 2,
  CUTE_TVM_FLOAT = 3,
  CUTE_TVM_POINTER = 4,
  CUTE_TVM_DL_TENSOR = 7,
  CUTE_TVM_TENSOR = 70,
  CUTE_TVM_ARRAY = 71,
  CUTE_TVM_LIST = 75,
  CUTE_TVM_HEADER = 24, ///< bytes of an object before its own
  CUTE_TVM_CUDA = 2     ///< the kind of a device
};

/// TVMFFIAny.
typedef struct CuteTvmAny {
  int32_t kind;
  uint32_t padding;
  union {
    int64_t integer;
    double real;
    void *pointer;
  } value;
} CuteTvmAny;

/// TVMFFISeqCell, after the header of an array.
typedef struct CuteTvmItems {
  const CuteTvmAny *data;
  int64_t count;
} CuteTvmItems;

/// DLTensor.
typedef struct CuteTvmTensor {
  char *data;
  int32_t deviceKind, device, rank;
  uint8_t code, bits;
  uint16_t lanes;
  const int64_t *shape, *stride; ///< no strides: compact, the last mode first
  uint64_t offset;
} CuteTvmTensor;

//===-- What was compiled -------------------------------------------------===//

typedef enum CuteTvmKind {
  CUTE_TVM_OF_TENSOR,
  CUTE_TVM_OF_INTEGER,
  CUTE_TVM_OF_FLOAT,
  CUTE_TVM_OF_POINTER,
  CUTE_TVM_OF_CURRENT_STREAM, ///< takes no argument
  CUTE_TVM_OF_NOTHING,        ///< takes one that was compiled in
  CUTE_TVM_OF_TUPLE           ///< of the `rank` parameters that follow
} CuteTvmKind;

/// An extent or a stride: of `bits` bits and a multiple of `value`, or, with
/// no bits, `value` itself.
typedef struct CuteTvmExtent {
  unsigned bits;
  int64_t value;
} CuteTvmExtent;

typedef struct CuteTvmParameter {
  const char *name;
  CuteTvmKind kind;
  unsigned bits; ///< of a number or an element
  int code;      ///< DLPack's, of elements; -1: any
  int rank;
  unsigned align; ///< in bytes
  const CuteTvmExtent *shape, *stride;
} CuteTvmParameter;

enum { CUTE_TVM_DEVICES = 16 };

/// An exported function, and the kernels that were loaded for it.
typedef struct CuteTvmFunction {
  const char *name;
  const CuteExportedModule *module;
  const CuteTvmParameter *parameters;
  int numParameters, numArguments; ///< these are TVM-FFI's
  int isSimulated;
  int lock;
  CuteKernelSet *kernels[CUTE_TVM_DEVICES];
  int isLoaded[CUTE_TVM_DEVICES];
} CuteTvmFunction;

/// A call that is being prepared: what was read of its arguments.
typedef struct CuteTvmCallState {
  CuteTvmFunction *function;
  int argument; ///< which is being read
  int64_t *values;
  void **addresses;
  int count;
  const CuteTvmTensor *first; ///< which says the device; or null
} CuteTvmCallState;

//===-- Errors ------------------------------------------------------------===//

/// Raises an error of TVM-FFI; returns its status.
__attribute__((format(printf, 2, 3))) static inline int
cuteTvmRaise(const char *kind, const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (TVMFFIErrorSetRaisedFromCStr)
    TVMFFIErrorSetRaisedFromCStr(kind, text);
  else
    fprintf(stderr, "%s: %s\n", kind, text);
  return -1;
}

static inline int cuteTvmMismatch(const CuteTvmCallState *call,
                                  const char *kind, const char *name,
                                  const char *expected) {
  return cuteTvmRaise(kind,
                      "Mismatched %s on argument #%d when calling: `%s`, "
                      "expected %s",
                      name, call->argument, call->function->name, expected);
}

static inline int cuteTvmStatus(CuteStatus status) {
  if (!status)
    return 0;
  cuteTvmRaise("RuntimeError", "%s", cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return -1;
}

//===-- The simulator -----------------------------------------------------===//

#define CUTE_TVM_TEXT_(text) #text
#define CUTE_TVM_TEXT(text) CUTE_TVM_TEXT_(text)

/// Lets kernels on the simulator access memory of the host.
static inline void cuteTvmShow(void *data, size_t bytes) {
  void *library =
      dlopen("libcute.so." CUTE_TVM_TEXT(CUTE_VERSION_MAJOR) "." CUTE_TVM_TEXT(
                 CUTE_VERSION_MINOR),
             RTLD_NOW | RTLD_NOLOAD);
  void *found = library ? dlsym(library, "cuteSimulatorFind") : NULL;
  void *(*find)(const char *);
  memcpy(&find, &found, sizeof find);
  void *entry = find ? find("cuMemHostRegister_v2") : NULL;
  int (*registerMemory)(void *, size_t, unsigned);
  memcpy(&registerMemory, &entry, sizeof registerMemory);
  if (entry && bytes)
    registerMemory(data, bytes, 0);
}

//===-- Reading arguments -------------------------------------------------===//

static inline int cuteTvmPass(CuteTvmCallState *call, int64_t value) {
  call->values[call->count] = value;
  call->addresses[call->count] = &call->values[call->count];
  ++call->count;
  return 0;
}

static inline const CuteTvmTensor *cuteTvmTensorOf(const CuteTvmAny *from) {
  if (from->kind == CUTE_TVM_DL_TENSOR)
    return (const CuteTvmTensor *)from->value.pointer;
  if (from->kind == CUTE_TVM_TENSOR)
    return (const CuteTvmTensor *)((const char *)from->value.pointer +
                                   CUTE_TVM_HEADER);
  return NULL;
}

static inline int64_t cuteTvmStrideOf(const CuteTvmTensor *tensor, int mode) {
  if (tensor->stride)
    return tensor->stride[mode];
  int64_t stride = 1;
  for (int i = mode + 1; i < tensor->rank; ++i)
    stride *= tensor->shape[i];
  return stride;
}

/// The bytes from the first element to the end of the last.
static inline size_t cuteTvmSpan(const CuteTvmTensor *tensor) {
  int64_t last = 0;
  for (int i = 0; i < tensor->rank; ++i) {
    if (!tensor->shape[i])
      return 0;
    last += (tensor->shape[i] - 1) * cuteTvmStrideOf(tensor, i);
  }
  return ((size_t)(last + 1) * tensor->bits * tensor->lanes + 7) / 8;
}

static inline int cuteTvmReadExtent(CuteTvmCallState *call, const char *what,
                                    const char *name, int mode,
                                    CuteTvmExtent extent, int64_t value) {
  int isRight = extent.bits ? value % extent.value == 0 : value == extent.value;
  char expected[96], where[96];
  if (isRight && (extent.bits == 64 || value == (int32_t)value))
    return extent.bits ? cuteTvmPass(call, value) : 0;
  snprintf(where, sizeof where, "%s.%s[%d]", name, what, mode);
  snprintf(expected, sizeof expected, "%s%lld instead of %lld",
           isRight       ? "less than 2^31, a multiple of "
           : extent.bits ? "a multiple of "
                         : "",
           (long long)extent.value, (long long)value);
  return cuteTvmMismatch(call, "ValueError", where, expected);
}

static inline int cuteTvmReadTensor(CuteTvmCallState *call,
                                    const CuteTvmParameter *p,
                                    const CuteTvmAny *from) {
  const CuteTvmTensor *tensor = cuteTvmTensorOf(from);
  if (!tensor)
    return cuteTvmMismatch(call, "TypeError", p->name, "Tensor");
  if (tensor->rank != p->rank)
    return cuteTvmMismatch(call, "ValueError", p->name, "another rank");
  if ((p->bits && (unsigned)tensor->bits * tensor->lanes != p->bits) ||
      (p->code >= 0 && tensor->code != p->code))
    return cuteTvmMismatch(call, "TypeError", p->name, "another element type");
  char *data = tensor->data + tensor->offset;
  if ((uintptr_t)data % p->align)
    return cuteTvmMismatch(call, "ValueError", p->name,
                           "data aligned as it was compiled for");
  if (!call->first)
    call->first = tensor;
  if (call->function->isSimulated)
    cuteTvmShow(data, cuteTvmSpan(tensor));
  cuteTvmPass(call, (int64_t)(uintptr_t)data);
  for (int i = 0; i < p->rank; ++i)
    if (cuteTvmReadExtent(call, "shape", p->name, i, p->shape[i],
                          tensor->shape[i]))
      return -1;
  for (int i = 0; i < p->rank; ++i)
    if (cuteTvmReadExtent(call, "stride", p->name, i, p->stride[i],
                          cuteTvmStrideOf(tensor, i)))
      return -1;
  return 0;
}

static inline int cuteTvmReadNumber(CuteTvmCallState *call,
                                    const CuteTvmParameter *p,
                                    const CuteTvmAny *from) {
  int isReal = from->kind == CUTE_TVM_FLOAT;
  if (!isReal && from->kind != CUTE_TVM_INT && from->kind != CUTE_TVM_BOOL)
    return cuteTvmMismatch(call, "TypeError", p->name, "a number");
  if (p->kind == CUTE_TVM_OF_INTEGER && isReal)
    return cuteTvmMismatch(call, "TypeError", p->name, "an integer");
  int64_t passed = from->value.integer;
  if (p->kind == CUTE_TVM_OF_FLOAT) {
    double wide = isReal ? from->value.real : (double)passed;
    float narrow = (float)wide;
    if (p->bits == 64)
      memcpy(&passed, &wide, sizeof wide);
    else
      memcpy(&passed, &narrow, sizeof narrow);
  }
  return cuteTvmPass(call, passed);
}

static inline int cuteTvmReadPointer(CuteTvmCallState *call,
                                     const CuteTvmParameter *p,
                                     const CuteTvmAny *from) {
  const CuteTvmTensor *tensor = cuteTvmTensorOf(from);
  if (tensor)
    return cuteTvmPass(call,
                       (int64_t)(uintptr_t)(tensor->data + tensor->offset));
  if (from->kind != CUTE_TVM_POINTER && from->kind != CUTE_TVM_INT &&
      from->kind != CUTE_TVM_NONE)
    return cuteTvmMismatch(call, "TypeError", p->name, "a pointer");
  return cuteTvmPass(call,
                     from->kind == CUTE_TVM_NONE ? 0 : from->value.integer);
}

/// Reads one argument, or the items of a tuple; returns the next parameter,
/// null after an error.
static inline const CuteTvmParameter *cuteTvmRead(CuteTvmCallState *call,
                                                  const CuteTvmParameter *p,
                                                  const CuteTvmAny *from) {
  const CuteTvmItems *items;
  switch (p->kind) {
  case CUTE_TVM_OF_TENSOR:
    return cuteTvmReadTensor(call, p, from) ? NULL : p + 1;
  case CUTE_TVM_OF_INTEGER:
  case CUTE_TVM_OF_FLOAT:
    return cuteTvmReadNumber(call, p, from) ? NULL : p + 1;
  case CUTE_TVM_OF_POINTER:
    return cuteTvmReadPointer(call, p, from) ? NULL : p + 1;
  case CUTE_TVM_OF_CURRENT_STREAM:
  case CUTE_TVM_OF_NOTHING:
    return p + 1;
  case CUTE_TVM_OF_TUPLE:
    break;
  }
  items = (const CuteTvmItems *)((const char *)from->value.pointer +
                                 CUTE_TVM_HEADER);
  if ((from->kind != CUTE_TVM_ARRAY && from->kind != CUTE_TVM_LIST) ||
      items->count != p->rank) {
    cuteTvmMismatch(call, "TypeError", p->name, "a tuple of as many");
    return NULL;
  }
  const CuteTvmParameter *next = p + 1;
  for (int i = 0; next && i < p->rank; ++i)
    next = cuteTvmRead(call, next, &items->data[i]);
  return next;
}

//===-- Calling -----------------------------------------------------------===//

/// The kernels on a device, which are loaded by the first call.
static inline int cuteTvmLoad(CuteTvmFunction *f, int device,
                              CuteKernelSet **kernels) {
  if (device < 0 || device >= CUTE_TVM_DEVICES)
    return cuteTvmRaise("RuntimeError", "there is no device %d", device);
  while (__atomic_test_and_set(&f->lock, __ATOMIC_ACQUIRE))
    ;
  CuteStatus status = NULL;
  CuteDevice *made = NULL;
  if (!f->isLoaded[device] && f->module->manifest)
    status = cuteDeviceCreate(f->isSimulated ? CUTE_DEVICE_SIMULATED : device,
                              &made);
  if (!status && made)
    status = cuteExportedModuleLoad(f->module, made, &f->kernels[device]);
  f->isLoaded[device] = !status;
  *kernels = f->kernels[device];
  __atomic_clear(&f->lock, __ATOMIC_RELEASE);
  return cuteTvmStatus(status);
}

/// Calls an exported function with the arguments of a TVMFFISafeCallType.
/// There is room for all that is passed in `values`, and for a null in
/// `addresses` after as many.
static inline int cuteTvmCall(CuteTvmFunction *f, const CuteTvmAny *arguments,
                              int count, int64_t *values, void **addresses,
                              CuteTvmAny *result) {
  if (!cuteHostCall)
    return cuteTvmRaise("RuntimeError",
                        "%s: link the module with libcute-run "
                        "(cute.runtime.find_runtime_libraries)",
                        f->name);
  if (count != f->numArguments)
    return cuteTvmRaise("TypeError", "%s takes %d arguments, not %d", f->name,
                        f->numArguments, count);
  CuteHostContext context = {NULL, NULL, NULL};
  if (f->isSimulated && cuteTvmLoad(f, 0, &context.kernels))
    return -1;
  CuteTvmCallState call = {f, 0, values, addresses, 0, NULL};
  int streams[8], numStreams = 0;
  const CuteTvmParameter *p = f->parameters, *end = p + f->numParameters;
  while (p < end) {
    if (p->kind == CUTE_TVM_OF_CURRENT_STREAM) {
      if (numStreams < 8)
        streams[numStreams++] = call.count;
      cuteTvmPass(&call, 0);
      ++p;
      continue;
    }
    if (!(p = cuteTvmRead(&call, p, &arguments[call.argument])))
      return -1;
    ++call.argument;
  }
  int isOnGpu = call.first && call.first->deviceKind == CUTE_TVM_CUDA;
  int device = isOnGpu ? call.first->device : 0;
  for (int i = 0; isOnGpu && TVMFFIEnvGetStream && i < numStreams; ++i)
    values[streams[i]] =
        (int64_t)(uintptr_t)TVMFFIEnvGetStream(CUTE_TVM_CUDA, device);
  if (!f->isSimulated && cuteTvmLoad(f, device, &context.kernels))
    return -1;
  addresses[call.count] = NULL;
  memset(result, 0, sizeof *result);
  return cuteTvmStatus(
      cuteHostCall(f->module->functions[0], addresses, &context));
}

#ifdef __cplusplus
}
#endif

#endif
