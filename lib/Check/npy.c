// NumPy's .npy files, format versions 1 to 3 (numpy.lib.format).
#include "Check/array.h"
#include "Hardware/element.h"
#include "Support/output_file.h"

#include <errno.h>

enum { MAGIC = 6, MAX_HEADER = 1 << 16 };
static const unsigned char magic[MAGIC] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

//===-- Reading -----------------------------------------------------------===//

static const char *valueOf(const char *header, const char *key) {
  const char *at = strstr(header, key);
  at = at ? strchr(at, ':') : NULL;
  return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool takeType(const char *header, CuteElementType *type) {
  const char *value = valueOf(header, "'descr'");
  for (int i = 0; value && *value && i < CUTE_NUM_ELEMENT_TYPES; ++i) {
    const char *descr = cuteElementGetInfo((CuteElementType)i)->npy;
    if (!descr || strncmp(value + 1, descr, strlen(descr)))
      continue;
    *type = (CuteElementType)i;
    return true;
  }
  return false;
}

static bool takeShape(const char *header, size_t *rank, int64_t *extents) {
  const char *value = valueOf(header, "'shape'");
  if (!value || *value != '(')
    return false;
  char *end = (char *)value + 1;
  for (*rank = 0; *end != ')'; ++*rank) {
    if (*rank == CUTE_MAX_RANK)
      return false;
    const char *start = end;
    extents[*rank] = strtoll(start, &end, 10);
    if (end == start)
      return false;
    end += strspn(end, ", L");
  }
  return true;
}

static bool parseHeader(CuteArray *array, const char *header) {
  CuteElementType type;
  size_t rank;
  int64_t extents[CUTE_MAX_RANK], strides[CUTE_MAX_RANK], stride = 1;
  const char *fortran = valueOf(header, "'fortran_order'");
  if (!takeType(header, &type) || !takeShape(header, &rank, extents) ||
      !fortran)
    return false;
  bool isFortran = !strncmp(fortran, "True", 4);
  for (size_t i = 0; isFortran && i < rank; ++i) {
    strides[i] = stride;
    if (__builtin_mul_overflow(stride, extents[i], &stride))
      return false;
  }
  return cuteStatusConsume(
      cuteArrayCreate(array, type, rank, extents, isFortran ? strides : NULL));
}

static bool readHeader(CuteArray *array, FILE *file) {
  unsigned char start[MAGIC + 2], length[4] = {0};
  if (fread(start, 1, sizeof start, file) != sizeof start ||
      memcmp(start, magic, MAGIC) || start[MAGIC] < 1 || start[MAGIC] > 3)
    return false;
  size_t lengthBytes = start[MAGIC] == 1 ? 2 : 4;
  if (fread(length, 1, lengthBytes, file) != lengthBytes)
    return false;
  size_t n = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 |
             (size_t)length[3] << 24;
  CUTE_FREED char *header = n < MAX_HEADER ? calloc(n + 1, 1) : NULL;
  return header && fread(header, 1, n, file) == n && parseHeader(array, header);
}

CuteStatus cuteNpyRead(CuteArray *array, const char *path) {
  *array = (CuteArray){0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return cuteStatusCreate("cannot open '%s': %s", path, strerror(errno));
  bool ok = readHeader(array, file);
  size_t bytes = ok ? cuteArrayGetBytes(array) : 0;
  ok = ok && fread(array->data, 1, bytes, file) == bytes;
  fclose(file);
  if (ok)
    return NULL;
  cuteArrayDestroy(array);
  return cuteStatusCreate("'%s' is not a .npy file of up to %d dimensions and "
                          "a type that kernels take",
                          path, CUTE_MAX_RANK);
}

//===-- Writing -----------------------------------------------------------===//

// The header with its padding; its length. Everything before the data is a
// multiple of 64 bytes long.
static size_t formatHeader(const CuteArray *array, const char *descr,
                           char *header, size_t capacity) {
  size_t n = (size_t)snprintf(
      header, capacity, "{'descr': '%s', 'fortran_order': False, 'shape': (",
      descr);
  for (size_t i = 0; i < array->rank; ++i)
    n += (size_t)snprintf(header + n, capacity - n, "%jd, ", array->extents[i]);
  n += (size_t)snprintf(header + n, capacity - n, "), }");
  while ((MAGIC + 4 + n + 1) % 64)
    header[n++] = ' ';
  header[n++] = '\n';
  return n;
}

static void append(CuteOutputFile *output, const void *data, size_t length) {
  cuteOutputFileAppend(output, (CuteStringRef){data, length});
}

static void appendRowMajor(CuteOutputFile *output, const CuteArray *array) {
  size_t bytes = cuteElementTypeGetBits(array->type) / 8;
  if (cuteArrayIsRowMajor(array)) {
    append(output, array->data, cuteArrayGetBytes(array));
    return;
  }
  int64_t size = cuteArrayGetSize(array);
  for (int64_t i = 0; i < size; ++i)
    append(output, array->data + (size_t)cuteArrayGetOffset(array, i) * bytes,
           bytes);
}

// Elements that NumPy does not have, as bytes: the last mode has as many as its
// elements take.
static CuteStatus asBytes(const CuteArray *array, CuteArray *bytes) {
  unsigned bits = cuteElementTypeGetBits(array->type);
  *bytes = *array;
  bytes->type = CUTE_ELEMENT_UI8;
  if (bits == 8)
    return NULL;
  int64_t *last = array->rank ? &bytes->extents[array->rank - 1] : NULL;
  if (bits > 8 || !last || !cuteArrayIsRowMajor(array) || *last * bits % 8)
    return cuteStatusCreate(
        ".npy files hold %s as bytes: row by row, with whole bytes in each row",
        cuteElementTypeGetName(array->type));
  *last = *last * bits / 8;
  bytes->cosize = bytes->cosize * bits / 8;
  for (size_t i = array->rank; i > 1; --i)
    bytes->strides[i - 2] = bytes->strides[i - 1] * bytes->extents[i - 1];
  return NULL;
}

CuteStatus cuteNpyWrite(const CuteArray *given, const char *path) {
  CuteArray bytes = *given;
  if (!cuteElementGetInfo(given->type)->npy)
    CUTE_TRY(asBytes(given, &bytes));
  const CuteArray *array = &bytes;
  const char *descr = cuteElementGetInfo(array->type)->npy;
  char header[512];
  size_t n = formatHeader(array, descr, header, sizeof header - 64);
  unsigned char length[4] = {1, 0, (unsigned char)(n & 255),
                             (unsigned char)(n >> 8)};
  CuteOutputFile output = {.path = path};
  append(&output, magic, MAGIC);
  append(&output, length, sizeof length);
  append(&output, header, n);
  appendRowMajor(&output, array);
  return cuteOutputFileCommit(&output)
             ? NULL
             : cuteStatusCreate("cannot write '%s': %s", path,
                                strerror(output.error));
}
