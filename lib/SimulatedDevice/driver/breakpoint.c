#include "SimulatedDevice/driver/breakpoint.h"
#include "Hardware/atom.h"
#include "IR/builder.h"
#include "cute/Operation.h"

typedef struct Breakpoint {
  const CuteSource *source;
  unsigned line, next; // the first line after it that has an operation
  MlirOperation at;    // null: not found
  MlirOperation guard; // the first that was put before it
  CuteBuilder builder;
  CuteContext types;
} Breakpoint;

//===-- The place ---------------------------------------------------------===//

static void visit(Breakpoint *b, MlirOperation op) {
  CutePosition position = cutePositionOf(op);
  unsigned line = position.line;
  if (mlirOperationIsNull(
          cuteMlirGetAround(mlirOperationGetParentOperation(op), "gpu.func")) ||
      !position.file.data)
    return;
  if (line == b->line)
    b->at = op;
  else if (line > b->line && (!b->next || line < b->next))
    b->next = line;
}

//===-- Names in the source -----------------------------------------------===//

// The text of the source from a place on; empty where it is beyond.
static const char *textAt(const Breakpoint *b, unsigned line, unsigned column) {
  const char *at = b->source->text.data;
  for (unsigned i = 1; i < line && at; ++i)
    at = (at = strchr(at, '\n')) ? at + 1 : NULL;
  return at && column <= strcspn(at, "\n") ? at + column - 1 : "";
}

static bool isOfName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '-';
}

// The name that begins with the '%' at a place.
static CuteStringRef nameAt(const char *at) {
  CuteStringRef name = {at, 1};
  while (isOfName(at[name.length]))
    ++name.length;
  return name;
}

// The name of result `index` of an operation: "%a, %b:2 = ..." has %b#0 as
// number 1. False where the source has none: of what an operand is short for,
// and of operators within an expression.
static bool appendResultName(const Breakpoint *b, MlirOperation op,
                             intptr_t index, CuteString *text) {
  CutePosition p = cutePositionOf(op);
  const char *end = textAt(b, p.line, p.column), *at = textAt(b, p.line, 1);
  const char *before = end;
  while (before > at && before[-1] == ' ')
    --before;
  if (before == at || before[-1] != '=')
    return false;
  for (intptr_t first = 0;
       at < end && (at = memchr(at, '%', (size_t)(end - at))); ++at) {
    CuteStringRef name = nameAt(at);
    const char *after = at + name.length;
    intptr_t count = *after == ':' ? strtol(after + 1, NULL, 10) : 1;
    if (index < first + count) {
      cuteStringAppendBytes(text, name.data, name.length);
      if (count > 1)
        cuteStringAppendFormat(text, "#%d", (int)(index - first));
      return true;
    }
    first += count;
  }
  return false;
}

// The name of argument `index` of a block: of a loop "for %k" and what '='
// follows after iter_args or carry, of a kernel what ':' follows.
static bool appendArgumentName(const Breakpoint *b, MlirOperation op,
                               intptr_t index, CuteString *text) {
  CutePosition p = cutePositionOf(op);
  bool isLoop = cuteMlirIs(op, "scf.for");
  const char *at = textAt(b, p.line, p.column), *end = strchr(at, '{');
  const char *values = strstr(at, "iter_args");
  if (!values || values > end)
    values = strstr(at, "carry");
  for (intptr_t i = 0; end && at < end; ++at) {
    CuteStringRef name = nameAt(at);
    char mark = name.data[name.length + strspn(at + name.length, " ")];
    bool isArgument =
        isLoop ? !i || (mark == '=' && values && at > values) : mark == ':';
    if (*at == '%' && isArgument && i++ == index) {
      cuteStringAppendBytes(text, name.data, name.length);
      return true;
    }
  }
  return false;
}

static bool appendName(const Breakpoint *b, MlirValue value, CuteString *text) {
  return mlirValueIsAOpResult(value)
             ? appendResultName(b, mlirOpResultGetOwner(value),
                                mlirOpResultGetResultNumber(value), text)
             : appendArgumentName(b,
                                  mlirBlockGetParentOperation(
                                      mlirBlockArgumentGetOwner(value)),
                                  mlirBlockArgumentGetArgNumber(value), text);
}

//===-- Printing ----------------------------------------------------------===//

typedef enum Form { HIDDEN, VALUE, ELEMENTS } Form;

static bool isNumber(MlirType type) {
  MlirType each =
      mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
  return mlirTypeIsAInteger(each) || mlirTypeIsAIndex(each) ||
         mlirTypeIsAFloat(each);
}

// Tells whether a tensor's elements are shown: those in shared memory and
// registers, if they are not too many. In global memory there may be none.
static bool isShort(const Breakpoint *b, CuteType tensor) {
  enum { MOST = 1024 };
  CuteSpace space = cuteTypeGetSpace(tensor);
  CuteIntTuple size =
      cuteLayoutGetSize(b->types, cuteTypeGetLayoutValue(tensor));
  return (space == CUTE_SMEM || space == CUTE_RMEM) &&
         cuteIntTupleIsStatic(size) && cuteIntTupleGetValue(size) <= MOST;
}

// Tells whether a value is in registers: a tensor, or what it begins at.
static bool isRegisters(const Breakpoint *b, MlirValue value) {
  CuteType type = cuteTypeFromMlir(b->types, mlirValueGetType(value));
  return type &&
         (cuteTypeGetKind(type) == CUTE_TYPE_TENSOR ||
          cuteTypeGetKind(type) == CUTE_TYPE_PTR) &&
         cuteTypeGetSpace(type) == CUTE_RMEM;
}

static bool isWarpgroupProduct(const Breakpoint *b, MlirOperation op) {
  CuteType mma =
      cuteMlirIs(op, cuteOpIdGetName(CUTE_OP_GEMM))
          ? cuteTypeFromMlir(b->types, mlirValueGetType(getOperand(op, 0)))
          : NULL;
  const CuteMmaAtom *atom = mma ? cuteTypeGetMmaAtomValue(mma) : NULL;
  return atom && cuteMmaAtomIsWarpgroup(atom);
}

// Tells whether products of warpgroups take registers, or views of them.
static bool goesToWarpgroup(const Breakpoint *b, MlirValue registers) {
  CUTE_FOR_USES(use, registers) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (isWarpgroupProduct(b, user))
      return true;
    CUTE_FOR_RESULTS(result, user)
      if (isRegisters(b, result) && goesToWarpgroup(b, result))
        return true;
  }
  return false;
}

// Tells whether products of warpgroups have to do with a tensor: its elements
// may be read only where they are complete.
static bool isOfWarpgroup(const Breakpoint *b, MlirValue tensor) {
  while (mlirValueIsAOpResult(tensor)) {
    MlirOperation op = mlirOpResultGetOwner(tensor);
    intptr_t i = 0, n = getNumOperands(op);
    while (i < n && !isRegisters(b, getOperand(op, i)))
      ++i;
    if (i == n)
      break;
    tensor = getOperand(op, i);
  }
  return goesToWarpgroup(b, tensor);
}

// Types that say all are not shown.
static Form formOf(const Breakpoint *b, MlirValue value) {
  MlirType mlir = mlirValueGetType(value);
  CuteType type = cuteTypeFromMlir(b->types, mlir);
  if (isNumber(mlir))
    return cuteMlirIs(cuteMlirGetOwner(value), "arith.constant") ? HIDDEN
                                                                 : VALUE;
  switch (cuteTypeGetKind(type)) {
  case CUTE_TYPE_TENSOR:
    return isShort(b, type) && !isOfWarpgroup(b, value) ? ELEMENTS : VALUE;
  case CUTE_TYPE_PTR:
    return VALUE;
  case CUTE_TYPE_COORD_TENSOR:
  case CUTE_TYPE_INT_TUPLE:
  case CUTE_TYPE_SHAPE:
  case CUTE_TYPE_STRIDE:
  case CUTE_TYPE_COORD:
  case CUTE_TYPE_LAYOUT:
  case CUTE_TYPE_COMPOSED_LAYOUT:
    return cuteTypeIsStatic(type) ? HIDDEN : VALUE;
  default:
    return HIDDEN;
  }
}

// Adds an operation that prints.
static void addPrint(const CuteBuilder *builder, CuteOpId id,
                     const char *format, intptr_t n, const MlirValue *values) {
  MlirNamedAttribute attribute = mlirNamedAttributeGet(
      mlirIdentifierGet(builder->context, cuteMlirString("format")),
      mlirStringAttrGet(builder->context,
                        cuteMlirString(format ? format : "")));
  MlirOperation op = cuteOperationCreate(
      builder->location, cuteMlirString(cuteOpIdGetName(id)), n, values,
      format ? 1 : 0, &attribute, 0, NULL);
  if (!mlirOperationIsNull(op))
    mlirBlockInsertOwnedOperationBefore(builder->block, builder->before, op);
}

static void printValue(const Breakpoint *b, const CuteBuilder *builder,
                       MlirValue value) {
  Form form = formOf(b, value);
  CUTE_SCOPED(String) format = {0};
  cuteStringAppend(&format, "  ");
  if (form == HIDDEN || !appendName(b, value, &format)) {
    return;
  }
  cuteStringAppend(&format, form == VALUE ? " = {}\n" : " = ");
  addPrint(builder, CUTE_OP_PRINTF, cuteStringGet(&format), form == VALUE,
           &value);
  if (form == ELEMENTS)
    addPrint(builder, CUTE_OP_PRINT_TENSOR, NULL, 1, &value);
}

// Prints the values of enclosing blocks, then the block's own before an
// operation.
static void printBefore(const Breakpoint *b, const CuteBuilder *builder,
                        MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  if (!cuteMlirIs(parent, "gpu.func"))
    printBefore(b, builder, parent);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    printValue(b, builder, mlirBlockGetArgument(block, i));
  for (MlirOperation each = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(each, op) && !mlirOperationEqual(each, b->guard);
       each = mlirOperationGetNextInBlock(each))
    CUTE_FOR_RESULTS(result, each)
      printValue(b, builder, result);
}

static void loadDialects(MlirContext context) {
  static const char *const names[] = {"arith", "llvm", "scf"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirContextGetOrLoadDialect(context, cuteMlirString(names[i]));
}

// PTX that the simulator alone knows: whether this is the thread, and the end.
static void insert(Breakpoint *b) {
  const CuteBuilder *builder = &b->builder;
  MlirValue is = cuteBuildAsm(builder, "cute.break $0;", "=r", 0, NULL,
                              cuteIntType(builder, 32));
  b->guard = mlirOpResultGetOwner(is);
  MlirValue condition = cuteBuildTest(builder, CUTE_CMPI_NE, is, 0);
  CuteBuilder inside = cuteBuildIf(builder, condition);
  printBefore(b, &inside, b->at);
  cuteBuildAsm(&inside, "brkpt;", "", 0, NULL, (MlirType){NULL});
}

bool cuteBreakpointInsert(MlirModule module, const CuteSource *source,
                          unsigned line, FILE *said) {
  Breakpoint b = {.source = source, .line = line, .types = cuteContextCreate()};
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module))
    if (mlirOperationIsNull(b.at))
      visit(&b, op);
  if (!mlirOperationIsNull(b.at)) {
    b.builder = cuteBuilderBefore(b.at);
    loadDialects(b.builder.context);
    insert(&b);
  } else {
    fprintf(said, "%s: line %u has no operation of a kernel", source->name,
            line);
    if (b.next)
      fprintf(said, "; the next that has one is %u", b.next);
    fputc('\n', said);
  }
  cuteContextDestroy(b.types);
  return !mlirOperationIsNull(b.at);
}
