// Reads inline PTX: blocks, labels, and instructions.
#include "Simulator/ptx/ptx_parser.h"
#include "Support/arena.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>

//===-- Instructions ------------------------------------------------------===//

// Tells whether a list has the mnemonic, or what it begins with up to a dot.
static bool isListed(CuteStringRef mnemonic, const char *list) {
  for (size_t n = 1; n <= mnemonic.length; ++n)
    if ((n == mnemonic.length || mnemonic.data[n] == '.') &&
        cuteTextHasWord(cuteStringRef(list), (CuteStringRef){mnemonic.data, n}))
      return true;
  return false;
}

// The operands of its text that an operation's mnemonic implies as results, the
// first: "ld" has one, "st" has none.
static int countResults(CuteStringRef mnemonic) {
  if (isListed(mnemonic, "tcgen05.ld.red"))
    return 2;
  return isListed(mnemonic, "wgmma.mma_async tcgen05.ld barrier.red "
                            "barrier.cta.red bar.red bar.cta.red") ||
         !isListed(mnemonic,
                   "st red bar barrier fence membar cp stmatrix prefetch "
                   "prefetchu wgmma tcgen05 tensormap trap griddepcontrol "
                   "setmaxnreg nanosleep exit discard applypriority brkpt "
                   "pmevent mbarrier.init mbarrier.inval mbarrier.expect_tx "
                   "mbarrier.complete_tx multimem.red multimem.st "
                   "clusterlaunchcontrol.try_cancel call wmma.store");
}

// Adds the carry of the statements before to the operands, and to the results.
static CuteStatus addCarry(CutePtxParser *p) {
  CutePtxInstruction *i = &p->now;
  if (p->carry < 0)
    CUTE_TRY(cutePtxTakeSlots(p, 1, &p->carry));
  if (i->form.flags & CUTE_PTX_CARRY_IN)
    i->operands[i->numOperands++] = (CutePtxOperand){.slot = p->carry};
  if (i->form.flags & CUTE_PTX_CARRY_OUT)
    i->results[i->numResults++] = p->carry;
  return NULL;
}

static CuteStatus finishForm(CutePtxParser *p) {
  CutePtxInstruction *i = &p->now;
  bool isMove = i->form.evaluate == cutePtxMove;
  bool isPair = i->form.evaluate == cutePtxSetp && i->numResults == 2;
  if (isMove ? i->numOperands > 4 || i->numResults > 4
             : i->numOperands != i->form.numOperands ||
                   (i->numResults != 1 && !isPair))
    return cutePtxFail(p, "the number of operands is wrong");
  i->form.numOperands = i->numOperands;
  i->form.numResults = i->numResults;
  bool carries = i->form.flags & (CUTE_PTX_CARRY_IN | CUTE_PTX_CARRY_OUT);
  return carries ? addCarry(p) : NULL;
}

// Modules write "call.self." for functions that are not copied to their calls.
static CuteStatus failUnknown(CuteStringRef mnemonic) {
  static const char *const calls[][2] = {
      {"call.self.", "calls itself or is nested too deeply; the simulator has "
                     "no call stack: write a loop"},
      {"call.", "is of another module, which the simulator does not have"}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
    size_t n = strlen(calls[i][0]);
    if (mnemonic.length > n && !memcmp(mnemonic.data, calls[i][0], n))
      return cuteStatusCreate("function '%.*s' %s", (int)(mnemonic.length - n),
                              mnemonic.data + n, calls[i][1]);
  }
  return cuteStatusCreate("inline PTX: %.*s is not interpreted",
                          CUTE_TEXT(mnemonic));
}

static CuteStatus findOperation(CutePtxParser *p, CuteStringRef mnemonic) {
  CutePtxInstruction *i = &p->now;
  i->operation = p->operations.find
                     ? p->operations.find(p->operations.data, mnemonic,
                                          (CuteSimPtxOperands){
                                              i->numResults, i->numOperands,
                                              i->numAddresses, i->hasPredicate})
                     : NULL;
  return i->operation ? NULL : failUnknown(mnemonic);
}

// Sets what an instruction does for registers in flight. A is in registers if
// it has braces, as D has.
static void setFlight(CutePtxParser *p, CuteStringRef mnemonic) {
  static const char *const kinds[] = {[CUTE_PTX_PRODUCT] = "wgmma.mma_async",
                                      [CUTE_PTX_COMMIT] = "wgmma.commit_group",
                                      [CUTE_PTX_WAIT] = "wgmma.wait_group"};
  enum { NUM = sizeof kinds / sizeof *kinds, REGISTERS = 4 };
  CutePtxInstruction *i = &p->now;
  size_t braces = 0;
  if (!p->hasProducts)
    return;
  for (int k = CUTE_PTX_PRODUCT; k < NUM; ++k)
    if (isListed(mnemonic, kinds[k]))
      i->flight = (CutePtxFlightKind)k;
  for (size_t c = 0; c < p->statement.length; ++c)
    braces += p->statement.data[c] == '{';
  i->numA = i->flight == CUTE_PTX_PRODUCT && braces == 2 ? REGISTERS : 0;
  i->early = p->operations.find(p->operations.data, cuteStringRef(""),
                                (CuteSimPtxOperands){.operands = 2});
  p->program->hasFlights |= i->early != NULL;
}

static CuteStatus parseBranch(CutePtxParser *p) {
  CutePtxJump jump = {cutePtxTakeWord(p), p->program->count, p->block};
  CUTE_PUSH(p->jumps, p->numJumps, p->jumpCapacity, jump);
  p->now.target = 0;
  cutePtxPushInstruction(p, p->now);
  return cutePtxExpect(p, ';');
}

static CuteStatus parseMnemonic(CutePtxParser *p, CuteStringRef word) {
  if (isListed(word, "bra"))
    return parseBranch(p);
  if (isListed(word, "ret")) {
    p->now.isReturn = true;
    cutePtxPushInstruction(p, p->now);
    return cutePtxExpect(p, ';');
  }
  bool isOwn = cutePtxFindForm(word, &p->now.form);
  if (!isOwn && p->operations.knows && !p->operations.knows(word))
    return failUnknown(word);
  CUTE_TRY(cutePtxParseOperands(p, isOwn ? 1 : countResults(word)));
  CUTE_TRY(isOwn ? finishForm(p) : findOperation(p, word));
  setFlight(p, word);
  cutePtxPushInstruction(p, p->now);
  return NULL;
}

static CuteStatus parseGuard(CutePtxParser *p) {
  p->now.isGuardNegated = cutePtxTake(p, '!');
  CuteStringRef name = cutePtxTakeWord(p);
  if (name.length && name.data[0] == '$')
    return cutePtxParseValue(p, name, &p->now.guard);
  p->now.guard = cutePtxFindName(p, name, NULL);
  return p->now.guard < 0
             ? cutePtxFail(p, "a predicate is not declared before its use")
             : NULL;
}

// ".loc 12,5,"file";", after the first word.
static CuteStatus parsePlace(CutePtxParser *p) {
  int line = cutePtxTakeCount(p, INT32_MAX / 10);
  bool hasColumn = cutePtxTake(p, ',');
  int column = cutePtxTakeCount(p, INT32_MAX / 10);
  if (line < 0 || !hasColumn || column < 0 || !cutePtxTake(p, ',') ||
      !cutePtxTake(p, '"'))
    return cutePtxFail(p, "a place is wrong");
  CuteStringRef file = {p->text.data + p->at, 0};
  while (p->at < p->text.length && p->text.data[p->at] != '"')
    ++p->at, ++file.length;
  p->hasPlaces = true;
  if (p->operations.locate)
    p->operations.locate(p->operations.data, file, (unsigned)line,
                         (unsigned)column);
  cutePtxTake(p, '"');
  return cutePtxExpect(p, ';');
}

// ".line 12;", after the first word: where the text that follows comes from.
static CuteStatus parseLine(CutePtxParser *p) {
  int line = cutePtxTakeCount(p, INT32_MAX / 10);
  if (line < 0 || !cutePtxTake(p, ';'))
    return cutePtxFail(p, "a line is wrong");
  p->line = (unsigned)line;
  p->counted = p->at;
  return NULL;
}

static void countLines(CutePtxParser *p) {
  for (; p->counted < p->at; ++p->counted)
    p->line += p->text.data[p->counted] == '\n';
  if (p->operations.locate && !p->hasPlaces)
    p->operations.locate(p->operations.data, (CuteStringRef){NULL, 0}, p->line,
                         1);
}

static CuteStatus parseLabel(CutePtxParser *p, CuteStringRef word) {
  CutePtxLabel label = {word, p->program->count, p->block};
  CUTE_PUSH(p->labels, p->numLabels, p->labelCapacity, label);
  return NULL;
}

static CuteStringRef statementAt(const CutePtxParser *p) {
  size_t n = 0;
  while (p->at + n < p->text.length && p->text.data[p->at + n] != ';')
    ++n;
  return (CuteStringRef){p->text.data + p->at, n};
}

static CuteStatus parseStatement(CutePtxParser *p) {
  static _Thread_local int results[CUTE_PTX_MAX_VALUES];
  static _Thread_local CutePtxOperand operands[CUTE_PTX_MAX_VALUES];
  p->statement = statementAt(p);
  countLines(p);
  p->now = (CutePtxInstruction){
      .guard = -1, .target = -1, .results = results, .operands = operands};
  if (cutePtxTake(p, '@'))
    CUTE_TRY(parseGuard(p));
  CuteStringRef word = cutePtxTakeWord(p);
  if (!word.length)
    return cutePtxFail(p, "an instruction is missing");
  if (isListed(word, ".reg"))
    return cutePtxParseRegisters(p, word);
  if (cuteTextEquals(word, ".loc"))
    return parsePlace(p);
  if (cuteTextEquals(word, ".line"))
    return parseLine(p);
  if (cutePtxTake(p, ':'))
    return parseLabel(p, word);
  return parseMnemonic(p, word);
}

static void openBlock(CutePtxParser *p) {
  ++p->depth;
  CUTE_PUSH(p->parents, p->numBlocks, p->blockCapacity, p->block);
  p->block = p->numBlocks;
}

static CuteStatus closeBlock(CutePtxParser *p) {
  if (--p->depth < 0)
    return cutePtxFail(p, "'}' without '{'");
  while (p->numNames && p->names[p->numNames - 1].depth > p->depth)
    --p->numNames;
  p->block = p->parents[p->block - 1];
  return NULL;
}

// Gives the place of a label that is known in a block, or -1.
static int findLabel(const CutePtxParser *p, CuteStringRef name, size_t block) {
  for (;; block = p->parents[block - 1]) {
    for (size_t k = 0; k < p->numLabels; ++k)
      if (p->labels[k].block == block &&
          cuteTextIsSame(p->labels[k].text, name))
        return (int)p->labels[k].place;
    if (!block)
      return -1;
  }
}

static CuteStatus resolveJumps(CutePtxParser *p) {
  for (size_t i = 0; i < p->numJumps; ++i) {
    CutePtxInstruction *jump =
        &p->program->instructions[p->jumps[i].instruction];
    jump->target = findLabel(p, p->jumps[i].label, p->jumps[i].block);
    if (jump->target < 0)
      return cuteStatusCreate("inline PTX: there is no label '%.*s'",
                              CUTE_TEXT(p->jumps[i].label));
  }
  return NULL;
}

static CuteStatus parseAll(CutePtxParser *p) {
  while (cutePtxPeek(p)) {
    p->statement = statementAt(p);
    if (cutePtxTake(p, '{'))
      openBlock(p);
    else if (cutePtxTake(p, '}'))
      CUTE_TRY(closeBlock(p));
    else if (!cutePtxTake(p, ';'))
      CUTE_TRY(parseStatement(p));
  }
  if (p->isCommentOpen)
    return cutePtxFail(p, "the end of a comment is missing");
  return p->depth ? cutePtxFail(p, "'}' is missing") : resolveJumps(p);
}

//===-- Constraints -------------------------------------------------------===//

// Counts the values, outputs first, and notes which inputs begin as outputs.
static CuteStatus readConstraints(const char *text, CuteSimPtx *program) {
  for (const char *at = text; *at;) {
    const char *end = strchr(at, ',');
    end = end ? end : at + strlen(at);
    if (*at == '=' && strchr(at, '*') && strchr(at, '*') < end)
      return cuteStatusCreate("inline PTX: an output in memory is not "
                              "interpreted; pass its address");
    if (*at != '~' && program->numValues >= CUTE_PTX_MAX_OPERANDS)
      return cuteStatusCreate("inline PTX: there are more than %d operands",
                              CUTE_PTX_MAX_OPERANDS);
    if (*at == '=')
      program->ties[program->numOutputs++] = -1;
    else if (isdigit((unsigned char)*at) && atoi(at) < program->numOutputs)
      program->ties[atoi(at)] = program->numValues;
    program->numValues += *at != '~';
    at = *end ? end + 1 : end;
  }
  program->numSlots = program->numValues;
  return NULL;
}

//===-- Scopes ------------------------------------------------------------===//

// Declares the registers of a function's scope.
static CuteStatus enterScope(CutePtxParser *p, const CuteSimPtxScope *scope) {
  for (; p->numNames < scope->count; ++p->numNames) {
    CutePtxName *name = &p->names[p->numNames];
    *name = scope->names[p->numNames];
    CUTE_TRY(cutePtxTakeSlots(p, name->numWords, &name->slot));
  }
  return NULL;
}

// Adds what the text has declared to the scope, and notes its registers.
static void leaveScope(CutePtxParser *p, CuteSimPtxScope *scope) {
  CuteSimPtx *program = p->program;
  program->outer = cuteAllocateZeros(p->numNames + 1, sizeof *program->outer);
  for (size_t i = 0; i < p->numNames; ++i) {
    CutePtxName *name = &p->names[i];
    if (i >= scope->count) {
      name->place = scope->numWords;
      scope->numWords += name->numWords;
      CUTE_PUSH(scope->names, scope->count, scope->capacity, *name);
    }
    program->outer[program->numOuter++] =
        (CutePtxOuter){name->slot, name->place, name->numWords};
  }
}

CuteStatus cuteSimPtxParse(CuteStringRef text, const char *constraints,
                           CuteSimPtxOperations operations,
                           CuteSimPtxScope *scope, CuteSimPtx **program) {
  CUTE_FREED CutePtxParser *p = cuteAllocateZeros(1, sizeof *p);
  *program = cuteAllocateZeros(1, sizeof **program);
  p->text = text;
  p->operations = operations;
  p->program = *program;
  p->carry = -1;
  p->hasProducts =
      operations.locate && cuteTextHas(text, cuteStringRef("wgmma.mma_async"));
  p->line = 1;
  (*program)->tick = operations.tick;
  CuteStatus status = readConstraints(constraints, *program);
  if (!status && scope)
    status = enterScope(p, scope);
  if (!status)
    status = parseAll(p);
  if (!status && scope)
    leaveScope(p, scope);
  if (status && operations.locate)
    status = cuteStatusAnnotate(status, "PTX, line %u", p->line);
  free(p->jumps);
  free(p->parents);
  free(p->labels);
  if (!status)
    return NULL;
  cuteSimPtxDestroy(*program);
  *program = NULL;
  return status;
}
