// Arrays of torch.
#pragma once

#include "bridge.h"

#include <cute/Run.h>
#include <stdlib.h>
#include <string.h>

enum { BRIDGE_MAX_ARRAYS = 32 };

typedef struct DlTensor {
  void *data;
  int32_t deviceType, deviceId;
  int32_t rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byteOffset;
} DlTensor;

typedef struct DlExchange {
  uint32_t major, minor;
  void *previous;
  void *allocate, *fromObject, *toObject;
  int (*view)(void *object, DlTensor *tensor);
  int (*currentStream)(int32_t deviceType, int32_t device, void **stream);
} DlExchange;

// The API of an array's type; null if it has none.
const DlExchange *bridgeGetExchange(PyObject *array);

CuteDevicePointer bridgeGetAddress(const DlTensor *tensor);

// Reads the addresses of the arrays of a tuple that are not None, at most
// BRIDGE_MAX_ARRAYS. False with an exception.
bool bridgeReadAddresses(PyObject *arrays, CuteDevicePointer *addresses,
                         size_t *count);

// Makes arrays from a tuple (function, its arguments, another function), where
// the last one handles the first one's arrays on another device, or from a
// function without arguments that returns an array or a tuple of them. Reads
// their addresses. Returns one array, or a tuple; null with an exception.
PyObject *bridgeMakeArrays(PyObject *make, int ordinal, size_t *count,
                           CuteDevicePointer *addresses);
