// Edits a kernel on a clone of it, which takes its place once all went well.
#pragma once

#include "Transforms/edit/emit_ops.h"
#include "Transforms/edit/retype.h"
#include "Transforms/edit/value_origin.h"
#include "Transforms/pipeline/pipeline.h"

typedef struct CuteKernel {
  CuteDialect *dialect;
  MlirOperation function;       // the gpu.func
  MlirBlock block;              // its first block of ops
  int64_t threads;              // of a thread block, all along x
  const char *problem;          // the obstacle, as a message; null: none
  MlirLocation location;        // and where
  struct CuteKernelNote *notes; // what was done, the latest first
} CuteKernel;

// The dialect's type of a value; null for others.
static inline CuteType cuteKernelType(const CuteKernel *kernel,
                                      MlirValue value) {
  return cuteDialectGetValueType(kernel->dialect, value);
}

// False where there is nothing to do, or `problem` prevents it.
typedef bool CuteKernelEdit(CuteKernel *kernel, void *data);

// Runs the edit on a clone of each kernel below the root; before it another
// one, unless that is null, on the kernel as the program has it. A problem
// becomes the remark "PREFIX: PROBLEM", with the kernel as it was. Returns
// true.
bool cuteKernelsEdit(const CutePass *pass, const char *prefix,
                     CuteKernelEdit *first, CuteKernelEdit *edit, void *data);

// Runs another edit on a clone of the kernel, which replaces the kernel if the
// edit succeeds. Otherwise the kernel only gets the problem.
bool cuteKernelTry(CuteKernel *kernel, CuteKernelEdit *edit, void *data);

// Has a remark at the op say what was done, once all has been.
void cuteKernelNote(CuteKernel *kernel, MlirLocation location,
                    const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Sets the problem, "'OP' ...", where there is none yet; false.
bool cuteKernelFail(CuteKernel *kernel, MlirOperation op, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));

// Tells whether the kernel has one block of ops, and threads along x alone;
// otherwise that is the problem.
bool cuteKernelCheckThreads(CuteKernel *kernel);

// Tells whether nothing in the module launches the kernel, so that its grid may
// change; otherwise that is the problem.
bool cuteKernelCheckLaunches(CuteKernel *kernel);

// Counts the dimensions in which launches in the module give the kernel more
// than one block; 0 if there are no launches. False with the problem where one
// makes clusters.
bool cuteKernelReadLaunches(CuteKernel *kernel, size_t *dimensions);

// Adds parameters for the first n extents of the grid that a launch asks for,
// through which as many blocks go as run at a time.
void cuteKernelAddGrid(CuteKernel *kernel, size_t n, MlirValue *extents);

// Has the launches of the kernel in its module pass what cuteKernelAddGrid has
// it take, and give it its threads, if these are new.
void cuteKernelUpdateLaunches(const CuteKernel *kernel, bool hasNewThreads);

// The same with the message of the context.
bool cuteKernelFailOp(CuteKernel *kernel, MlirOperation op);

// Forgets the problem, which does not prevent the rest, after a remark that
// `what` stays because of it, unless that is null.
void cuteKernelNoteProblem(CuteKernel *kernel, const char *what);

// Runs it. False with the problem.
bool cuteKernelRetype(CuteKernel *kernel, CuteRetype *retype);

// Gives its blocks so many threads along x.
void cuteKernelSetThreads(CuteKernel *kernel, int64_t threads);

//===-- Looking -----------------------------------------------------------===//

// Lists the ops below the kernel that are this one of the dialect.
CuteOps cuteKernelFindOps(const CuteKernel *kernel, CuteOpId id);

// The last barrier from an op of a block to before another; null if there is
// none.
MlirOperation cuteKernelFindBarrier(const CuteKernel *kernel,
                                    MlirOperation from, MlirOperation to);

// Tells whether the kernel writes a tensor in global memory.
bool cuteKernelWrites(const CuteKernel *kernel, MlirValue tensor);

// Tells whether an op makes the same values wherever it is done: it computes,
// reads elements of parameters that the kernel does not write, or is a loop or
// branch of such ops.
bool cuteKernelOnlyComputes(const CuteKernel *kernel, MlirOperation op);

// Finds the only op that writes memory of a space whose root this is; null if
// there are others, or none.
MlirOperation cuteKernelFindWriter(const CuteKernel *kernel, MlirValue root,
                                   CuteSpace space);

// Adds up the bytes of shared memory that the kernel allocates, but for words
// that find room among barriers.
int64_t cuteKernelGetSharedBytes(const CuteKernel *kernel);

// Moves the ops of a block from one up to another, which stays, to the end of a
// block with a terminator.
void cuteKernelMoveOps(MlirOperation from, MlirOperation to, MlirBlock block);

// Removes ops that only compute and whose results nobody uses.
void cuteKernelRemoveDead(const CuteKernel *kernel);
