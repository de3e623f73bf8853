// Calls of a library's functions: what was found out for arrays like these,
// and launches on them.
#include "bridge_arrays.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 8, MAX_WORDS = 192, SETS = 128, WAYS = 4 };

//===-- What was found out ------------------------------------------------===//

// A call's function and numbers, of each array its type, device, modes and
// alignment, and where it lies.
typedef struct Key {
  PyObject *function, *const *numbers; // not kept
  Py_ssize_t numNumbers;
  Py_hash_t hash;
  size_t count;
  int64_t words[MAX_WORDS];
  CuteDevicePointer addresses[MAX_WORDS];
} Key;

// A kept call. A call that only starts kernels has a plan: (launches, device,
// maker of results, maker of workspace or None), as bridgeMakeArrays takes it.
typedef struct Entry {
  PyObject *function, *numbers, *call, *plan;
  Py_hash_t hash;
  size_t count;
  int64_t *words;
} Entry;

static Entry table[SETS][WAYS];
static unsigned turn; // which entry of a full set goes

static bool addArray(Key *key, size_t place, PyObject *array) {
  if (array == Py_None) {
    key->words[key->count++] = -1;
    return true;
  }
  const DlExchange *api = bridgeGetExchange(array);
  DlTensor t;
  if (!api || api->view(array, &t) || t.rank < 0 || t.rank > MAX_RANK ||
      (t.rank && !t.strides)) {
    PyErr_Clear();
    return false;
  }
  CuteDevicePointer address = bridgeGetAddress(&t);
  key->addresses[place] = address;
  key->words[key->count++] =
      (int64_t)((uint64_t)t.code | (uint64_t)t.bits << 8 |
                (uint64_t)t.lanes << 16 | (uint64_t)t.deviceType << 32 |
                (uint64_t)t.deviceId << 40);
  key->words[key->count++] = (int64_t)(address % 16) | (int64_t)t.rank << 8;
  size_t bytes = (size_t)t.rank * sizeof *t.shape;
  memcpy(key->words + key->count, t.shape, bytes);
  memcpy(key->words + key->count + t.rank, t.strides, bytes);
  key->count += 2 * (size_t)t.rank;
  return true;
}

static bool hashNumbers(const Key *key, uint64_t *hash) {
  for (Py_ssize_t i = 0; i < key->numNumbers; ++i) {
    Py_hash_t one = PyObject_Hash(key->numbers[i]);
    if (one == -1) {
      PyErr_Clear();
      return false;
    }
    *hash = ((*hash ^ (uint64_t)one) << 7 | *hash >> 57) * 0x9E3779B97F4A7C15u;
  }
  return true;
}

// Reads (function, arrays, a stream or a call, numbers...); false if there is
// no key for them.
static bool readKey(PyObject *const *args, Py_ssize_t numArgs, Key *key) {
  Py_ssize_t count = PyTuple_Size(args[1]);
  key->function = args[0];
  key->numbers = args + 3;
  key->numNumbers = numArgs - 3;
  key->count = 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (key->count + 2 + 2 * MAX_RANK > MAX_WORDS ||
        !addArray(key, (size_t)i, PyTuple_GetItem(args[1], i)))
      return false;
  uint64_t hash = (uint64_t)(uintptr_t)key->function;
  if (!hashNumbers(key, &hash))
    return false;
  for (size_t i = 0; i < key->count; ++i)
    hash = ((hash ^ (uint64_t)key->words[i]) << 7 | hash >> 57) *
           0x9E3779B97F4A7C15u;
  key->hash = (Py_hash_t)hash;
  return true;
}

static Entry *setOf(const Key *key) {
  return table[(uint64_t)key->hash >> 32 & (SETS - 1)];
}

static bool hasNumbers(const Entry *entry, const Key *key) {
  if (PyTuple_Size(entry->numbers) != key->numNumbers)
    return false;
  for (Py_ssize_t i = 0; i < key->numNumbers; ++i)
    if (PyObject_RichCompareBool(PyTuple_GetItem(entry->numbers, i),
                                 key->numbers[i], Py_EQ) != 1)
      return false;
  return true;
}

static bool isOf(const Entry *entry, const Key *key) {
  return entry->call && entry->hash == key->hash &&
         entry->function == key->function && entry->count == key->count &&
         !memcmp(entry->words, key->words, key->count * sizeof *key->words) &&
         hasNumbers(entry, key);
}

static bool isCall(PyObject *const *args, Py_ssize_t count) {
  if (count >= 3 && PyTuple_Check(args[1]))
    return true;
  PyErr_SetString(PyExc_TypeError,
                  "a function and a tuple of arrays are wanted");
  return false;
}

static Entry *findEntry(const Key *key) {
  for (Entry *entry = setOf(key), *end = entry + WAYS; entry < end; ++entry)
    if (isOf(entry, key))
      return entry;
  return NULL;
}

static void clear(Entry *entry) {
  Entry old = *entry;
  *entry = (Entry){0};
  free(old.words);
  Py_XDECREF(old.function);
  Py_XDECREF(old.numbers);
  Py_XDECREF(old.call);
  Py_XDECREF(old.plan);
}

static Entry *findRoom(const Key *key) {
  Entry *set = setOf(key);
  for (size_t i = 0; i < WAYS; ++i)
    if (!set[i].call || isOf(&set[i], key))
      return &set[i];
  return &set[turn++ % WAYS];
}

static PyObject *packed(PyObject *const *items, Py_ssize_t count) {
  PyObject *tuple = PyTuple_New(count);
  for (Py_ssize_t i = 0; tuple && i < count; ++i)
    PyTuple_SetItem(tuple, i, Py_NewRef(items[i]));
  return tuple;
}

// call_keep(function, arrays, call, *numbers)
static PyObject *keep(PyObject *module, PyObject *const *args,
                      Py_ssize_t count) {
  (void)module;
  Key key;
  if (!isCall(args, count))
    return NULL;
  if (!readKey(args, count, &key))
    return Py_NewRef(Py_False);
  size_t bytes = key.count * sizeof *key.words;
  int64_t *words = malloc(bytes + 1);
  if (!words)
    return PyErr_NoMemory();
  memcpy(words, key.words, bytes);
  PyObject *plan = PyObject_GetAttrString(args[2], "plan");
  PyErr_Clear();
  if (plan && (!PyTuple_Check(plan) || PyTuple_Size(plan) != 4))
    Py_CLEAR(plan);
  PyObject *numbers = packed(key.numbers, key.numNumbers);
  Entry *entry = findRoom(&key);
  clear(entry);
  *entry = (Entry){
      .function = Py_NewRef(args[0]),
      .numbers = numbers,
      .call = Py_NewRef(args[2]),
      .plan = plan,
      .hash = key.hash,
      .count = key.count,
      .words = words,
  };
  return Py_NewRef(Py_True);
}

//===-- Launches ----------------------------------------------------------===//

// Reads a stream, or torch's current one where it is None; false if the first
// array cannot tell, or with an exception.
static bool readStream(PyObject *stream, int ordinal, PyObject *arrays,
                       uint64_t *handle) {
  if (stream != Py_None) {
    *handle = PyLong_AsUnsignedLongLong(stream);
    return !PyErr_Occurred();
  }
  const DlExchange *api = PyTuple_Size(arrays)
                              ? bridgeGetExchange(PyTuple_GetItem(arrays, 0))
                              : NULL;
  void *current = NULL;
  enum { CUDA = 2 };
  if (!api || api->currentStream(CUDA, ordinal, &current))
    return false;
  *handle = (uint64_t)(uintptr_t)current;
  return true;
}

// The addresses that a launch takes: of all arrays or of those with the numbers
// `places`, each with its offset, where there are such.
static bool choose(PyObject *places, PyObject *offsets,
                   const CuteDevicePointer *from, size_t *count,
                   CuteDevicePointer *to) {
  size_t chosen = places == Py_None ? *count : (size_t)PyTuple_Size(places);
  for (size_t i = 0; i < chosen; ++i) {
    size_t place =
        places == Py_None
            ? i
            : PyLong_AsSize_t(PyTuple_GetItem(places, (Py_ssize_t)i));
    if (place >= *count || i >= BRIDGE_MAX_ARRAYS) {
      PyErr_SetString(PyExc_IndexError, "a launch takes an array that is none");
      return false;
    }
    to[i] = from[place];
    if (offsets != Py_None && (Py_ssize_t)i < PyTuple_Size(offsets))
      to[i] += PyLong_AsUnsignedLongLongMask(
          PyTuple_GetItem(offsets, (Py_ssize_t)i));
  }
  *count = chosen;
  return !PyErr_Occurred();
}

static bool startOne(PyObject *item, uint64_t stream, size_t count,
                     const CuteDevicePointer *addresses) {
  PyObject *launch, *offsets, *places;
  CuteDevicePointer chosen[BRIDGE_MAX_ARRAYS];
  return PyArg_ParseTuple(item, "OOO", &launch, &offsets, &places) &&
         choose(places, offsets, addresses, &count, chosen) &&
         bridgeStart(launch, stream, count, chosen);
}

static bool startAll(PyObject *launches, uint64_t stream, size_t count,
                     const CuteDevicePointer *addresses) {
  Py_ssize_t n = PyTuple_Size(launches);
  for (Py_ssize_t i = 0; i < n; ++i)
    if (!startOne(PyTuple_GetItem(launches, i), stream, count, addresses))
      return false;
  return n >= 0;
}

// call_start(launches, stream, ordinal, arrays)
static PyObject *start(PyObject *module, PyObject *const *args,
                       Py_ssize_t count) {
  (void)module;
  CuteDevicePointer addresses[BRIDGE_MAX_ARRAYS];
  size_t numAddresses = 0;
  uint64_t stream;
  if (count != 4 || !PyTuple_Check(args[0]) || !PyTuple_Check(args[3]))
    return PyErr_Format(PyExc_TypeError, "tuples of launches and of arrays, a "
                                         "stream and a device are wanted");
  long ordinal = PyLong_AsLong(args[2]);
  if (PyErr_Occurred() ||
      !bridgeReadAddresses(args[3], addresses, &numAddresses))
    return NULL;
  if (!readStream(args[1], (int)ordinal, args[3], &stream))
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_False);
  return startAll(args[0], stream, numAddresses, addresses) ? Py_NewRef(Py_True)
                                                            : NULL;
}

//===-- Calls -------------------------------------------------------------===//

// Starts the kernels of a plan on arrays that were read, and returns the last
// one; results, the last arrays, are made if that is None.
static PyObject *follow(PyObject *plan, PyObject *arrays, const Key *key,
                        int ordinal, uint64_t stream) {
  size_t size = (size_t)PyTuple_Size(arrays), n = 0, made = 0, beside = 0;
  PyObject *result = PyTuple_GetItem(arrays, (Py_ssize_t)size - 1);
  PyObject *make = PyTuple_GetItem(plan, 3), *memory = NULL;
  CuteDevicePointer addresses[3 * BRIDGE_MAX_ARRAYS],
      results[BRIDGE_MAX_ARRAYS];
  result = result == Py_None ? bridgeMakeArrays(PyTuple_GetItem(plan, 2),
                                                ordinal, &made, results)
                             : Py_NewRef(result);
  if (made > size) {
    PyErr_SetString(PyExc_IndexError, "a call makes more results than it has");
    Py_CLEAR(result);
  }
  if (!result)
    return NULL;
  for (size_t i = 0; i < size - made; ++i)
    if (PyTuple_GetItem(arrays, (Py_ssize_t)i) != Py_None)
      addresses[n++] = key->addresses[i];
  for (size_t i = 0; i < made; ++i)
    addresses[n++] = results[i];
  if (make != Py_None)
    memory = bridgeMakeArrays(make, ordinal, &beside, addresses + n);
  bool fails =
      (make != Py_None && !memory) ||
      !startAll(PyTuple_GetItem(plan, 0), stream, n + beside, addresses);
  Py_XDECREF(memory);
  if (fails)
    Py_CLEAR(result);
  return result;
}

static PyObject *callWith(PyObject *function, PyObject *const *args,
                          Py_ssize_t count) {
  PyObject *given = packed(args, count);
  PyObject *result = given ? PyObject_CallObject(function, given) : NULL;
  Py_XDECREF(given);
  return result;
}

static bool isTrue(PyObject *flag) {
  bool is = flag == Py_True;
  Py_XDECREF(flag);
  PyErr_Clear();
  return is;
}

// Tells whether torch records what it does with these arrays for gradients.
static bool isRecorded(PyObject *arrays) {
  static PyObject *attribute, *isEnabled;
  bool isWanted = false;
  if (!attribute)
    attribute = PyUnicode_InternFromString("requires_grad");
  for (Py_ssize_t i = 0; !isWanted && i < PyTuple_Size(arrays); ++i) {
    PyObject *array = PyTuple_GetItem(arrays, i);
    isWanted = array != Py_None && isTrue(PyObject_GetAttr(array, attribute));
  }
  if (isWanted && !isEnabled) {
    PyObject *torch = PyImport_ImportModule("torch");
    isEnabled = torch ? PyObject_GetAttrString(torch, "is_grad_enabled") : NULL;
    Py_XDECREF(torch);
    PyErr_Clear();
  }
  return isWanted && isEnabled && isTrue(PyObject_CallNoArgs(isEnabled));
}

// Calls a kept call with a stream and arrays.
static PyObject *callSlowly(PyObject *call, PyObject *stream,
                            PyObject *arrays) {
  PyObject *first = PyTuple_Pack(1, stream);
  PyObject *given = first ? PySequence_Concat(first, arrays) : NULL;
  PyObject *result = given ? PyObject_CallObject(call, given) : NULL;
  Py_XDECREF(first);
  Py_XDECREF(given);
  return result;
}

// call_run(otherwise, function, arrays, stream, *numbers)
static PyObject *run(PyObject *module, PyObject *const *args,
                     Py_ssize_t count) {
  (void)module;
  Key key;
  PyObject *const *given = args + 1;
  if (!isCall(given, count - 1))
    return NULL;
  PyObject *arrays = given[1], *on = given[2];
  Entry *entry = readKey(given, count - 1, &key) ? findEntry(&key) : NULL;
  if (!entry || isRecorded(arrays))
    return callWith(args[0], given, count - 1);
  PyObject *call = Py_NewRef(entry->call), *plan = Py_XNewRef(entry->plan);
  bool isFast = plan && PyTuple_Size(arrays) <= BRIDGE_MAX_ARRAYS &&
                (on == Py_None || PyLong_Check(on));
  uint64_t stream = 0;
  int ordinal = isFast ? (int)PyLong_AsLong(PyTuple_GetItem(plan, 1)) : 0;
  isFast = isFast && readStream(on, ordinal, arrays, &stream);
  PyObject *result = PyErr_Occurred() ? NULL
                     : isFast ? follow(plan, arrays, &key, ordinal, stream)
                              : callSlowly(call, on, arrays);
  Py_DECREF(call);
  Py_XDECREF(plan);
  return result;
}

bool bridgeAddCalls(PyObject *module) {
  static PyMethodDef methods[] = {
      {"call_run", (PyCFunction)(void *)run, METH_FASTCALL,
       "call_run(otherwise, function, arrays, stream, *numbers): the result of "
       "the call that was kept for such arrays and equal numbers, or what "
       "`otherwise` returns for the other arguments, also if an array needs a "
       "gradient."},
      {"call_keep", (PyCFunction)(void *)keep, METH_FASTCALL,
       "call_keep(function, arrays, call, *numbers): keeps it, or says that "
       "the arrays cannot be read."},
      {"call_start", (PyCFunction)(void *)start, METH_FASTCALL,
       "call_start(launches, stream, ordinal, arrays): starts each of "
       "(launch, offsets or None, places or None) on arrays, except "
       "None among them. Without a stream it is torch's current one; "
       "false, and nothing started, if that is unknown."},
      {0},
  };
  return PyModule_AddFunctions(module, methods) == 0;
}
