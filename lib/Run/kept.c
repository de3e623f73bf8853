#include "Run/run.h"
#include "Support/string_builder.h"

// Bytes of tensors after which a run begins without earlier runs' tensors.
static const size_t manyBytes = (size_t)4 << 30;

void cuteKeptDestroy(CuteKept *kept) {
  for (size_t i = 0; i < kept->numTensors; ++i) {
    cuteOperandDestroy(&kept->tensors[i]);
    free(kept->texts[i]);
  }
  for (size_t i = 0; i < kept->numReferences; ++i) {
    cuteReferenceDestroy(&kept->references[i]);
    free(kept->keys[i]);
  }
  *kept = (CuteKept){.numTensors = 0};
}

//===-- Tensors -----------------------------------------------------------===//

// Tells whether a text always means the same tensor: no file, and no addresses.
static bool isGenerated(const char *text) {
  return strchr(text, '[') && !strstr(text, ".npy");
}

static size_t findTensor(const CuteKept *kept, const char *text) {
  size_t i = 0;
  while (i < kept->numTensors &&
         (!isGenerated(text) || strcmp(kept->texts[i], text) != 0))
    ++i;
  return i;
}

static CuteStatus parse(CuteKept *kept, const char *text,
                        CuteOperand *operand) {
  size_t i = findTensor(kept, text);
  *operand = kept->tensors[i];
  if (i < kept->numTensors)
    return NULL;
  CUTE_SCOPED(String) copy = {0};
  cuteStringAppend(&copy, text);
  CUTE_TRY(cuteOperandParse(operand, copy.data));
  if (operand->array.data)
    kept->bytes += cuteArrayGetBytes(&operand->array);
  kept->texts[i] = copy.data;
  copy = (CuteString){0};
  kept->tensors[kept->numTensors++] = *operand;
  return NULL;
}

CuteStatus cuteKeptParse(CuteKept *kept, const CuteRunArguments *arguments,
                         CuteOperand *operands, size_t *count) {
  if (kept->numTensors + arguments->count > CUTE_KEPT_TENSORS ||
      kept->numReferences == CUTE_KEPT_REFERENCES || kept->bytes > manyBytes)
    cuteKeptDestroy(kept);
  for (*count = 0; *count < arguments->count; ++*count)
    CUTE_TRY(parse(kept, arguments->data[*count], &operands[*count]));
  return NULL;
}

//===-- References --------------------------------------------------------===//

// The check, its sample and the arguments; empty if one is neither a generated
// tensor nor a number.
static void appendKey(CuteString *key, const CuteRunOptions *options, size_t n,
                      const CuteOperand *operands) {
  bool isKnown = true;
  cuteStringAppendFormat(key, "%s %jd %ju", options->check, options->sample,
                         options->seed);
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppendFormat(key, "\t%s", operands[i].text);
    isKnown &= isGenerated(operands[i].text) || !operands[i].array.data;
  }
  if (!isKnown)
    cuteStringClear(key);
}

static size_t findReference(const CuteKept *kept, const CuteString *key) {
  size_t i = 0;
  while (i < kept->numReferences &&
         (!key->length || strcmp(kept->keys[i], key->data) != 0))
    ++i;
  return i;
}

CuteStatus cuteKeptEvaluate(CuteKept *kept, const CuteRunOptions *options,
                            size_t n, const CuteOperand *operands,
                            const CuteReference **reference) {
  CuteArray arrays[CUTE_RUN_MAX_ARGUMENTS];
  CuteString key = {0};
  for (size_t i = 0; i < n; ++i)
    arrays[i] = operands[i].array;
  appendKey(&key, options, n, operands);
  size_t i = findReference(kept, &key);
  *reference = &kept->references[i];
  CuteStatus status = NULL;
  if (i == kept->numReferences)
    status = cuteReferenceSample(options->check, n, arrays,
                                 options->sample ? options->sample : INT64_MAX,
                                 options->seed, &kept->references[i]);
  if (status || i < kept->numReferences)
    cuteStringDestroy(&key);
  else
    kept->keys[kept->numReferences++] = key.data;
  return status;
}
