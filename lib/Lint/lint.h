// cute-lint: the state of the pass on one kernel, and its checks.
#pragma once

#include "IR/pass.h"
#include "Lanes/interpreter.h"

// Takes what an op costs, whether or not it is worth a warning: the text, and a
// weight by which the costs of one op are compared.
typedef void CuteLintListener(void *data, MlirOperation op, int64_t weight,
                              const char *text);

typedef struct CuteLint {
  const CuteArch *arch;
  CuteLintListener *listen; // or null
  void *listenData;
  CuteInterpreter kernel;
  CutePointerMap advised; // values and ops that a message has named already
  CutePointerMap told;    // hashes of ops and messages
} CuteLint;

// Emits "'cute.NAME' op MESSAGE"; the note may be null. The same of the same
// op, in another call of its function, only once.
void cuteLintEmit(CuteLint *lint, MlirOperation op, CuteSeverity severity,
                  const char *note, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Checks a kernel, and tells the listener, unless it is null, the bank
// conflicts of each access and the kernel's registers. False after an error.
bool cuteLintKernel(CuteDialect *dialect, MlirOperation function,
                    const CuteArch *arch, CuteLintListener *listen,
                    void *listenData);

//===-- Access i of the first sample --------------------------------------===//

// Bank conflicts and sectors.
void cuteLintConflicts(CuteLint *lint, size_t i);

// Warns of an access that could take more at once, and says what keeps it from
// that.
void cuteLintVectors(CuteLint *lint, size_t i);

// Addresses that are written more than once.
void cuteLintWrites(CuteLint *lint, size_t i);

// Copies that change the meaning of bits.
void cuteLintElements(CuteLint *lint, size_t i);

// Tiles that reach past the end and have no predicate.
void cuteLintResidue(CuteLint *lint, size_t i);

//===-- The kernel --------------------------------------------------------===//

// Threads without a part of what a partition divides, and parts without a
// thread.
void cuteLintThreads(CuteLint *lint);

// Shared memory that some threads write and others read with no barrier
// between, and what cp.async brings that nothing waits for.
void cuteLintRaces(CuteLint *lint);

// Barriers of the block that only some threads get to, and named ones for other
// numbers of threads than get there.
void cuteLintBarriers(CuteLint *lint);

// Fragments that are read and were never written.
void cuteLintUnwritten(CuteLint *lint);

// Parameters that are only read, for want of a promise not by ld.global.nc.
void cuteLintReadOnly(CuteLint *lint);

// Fragments that are more than a thread has registers.
void cuteLintRegisters(CuteLint *lint);

// Fragments that are in local memory, as they are indexed at run time.
void cuteLintRegisterPlaces(CuteLint *lint);

// More shared memory than the architecture has. False after a diagnostic.
bool cuteLintShared(CuteLint *lint);
