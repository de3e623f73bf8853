// The operations that a program may call, by their names in LLVM IR and PTX.
#pragma once

#include "Simulator/machine/machine.h"

// Sets the function of a site whose name is that of an intrinsic, such as
// "llvm.nvvm.vote.any.sync", or of a PTX instruction, such as "bar.sync", and
// whose numbers of results and operands are set; and prepares it. Fails where
// the name is not known. The longest name in the table that the site's begins
// with, up to a dot, counts.
CuteStatus cuteSimOperationFind(CuteSimSite *site);

// Tells whether a PTX instruction has a function.
bool cuteSimOperationIsKnown(CuteStringRef name);

// Scalar functions of intrinsics, which compiled code calls with their own
// types; null if there is none of that name.
typedef struct CuteSimScalar {
  const char *intrinsic, *name;
  void *address;
} CuteSimScalar;
const CuteSimScalar *cuteSimFindScalar(CuteStringRef intrinsic);

// Special registers: "tid.x"; CUTE_SIM_REGISTERS where there is none.
CuteSimRegister cuteSimFindRegister(CuteStringRef name);

//===-- By group ----------------------------------------------------------===//

CuteSimFunction cuteSimShuffleUp, cuteSimShuffleDown, cuteSimShuffleButterfly,
    cuteSimShuffleIndex, cuteSimVoteBallot, cuteSimVoteAny, cuteSimVoteAll,
    cuteSimVoteUniform, cuteSimMatchAny, cuteSimMatchAll, cuteSimElect,
    cuteSimWarpSync, cuteSimActiveMask;
CuteSimFunction cuteSimBarrierAll, cuteSimBarrierCount, cuteSimBarrierArrive,
    cuteSimBarrierReduceAnd, cuteSimBarrierReduceOr, cuteSimBarrierReducePopc,
    cuteSimClusterArrive, cuteSimClusterWait, cuteSimFence, cuteSimFenceInits;
CuteSimFunction cuteSimCpAsync, cuteSimCpAsyncOfPtx, cuteSimCpAsyncCommit,
    cuteSimCpAsyncWait, cuteSimCpAsyncWaitAll;
CuteSimFunction cuteSimAtomic, cuteSimBreakBegin, cuteSimBreakEnd, cuteSimRedux,
    cuteSimMbarrierInitialize, cuteSimMbarrierInvalidate,
    cuteSimMbarrierArriveOn, cuteSimMbarrierDrop, cuteSimMbarrierArriveExpect,
    cuteSimMbarrierDropExpect, cuteSimMbarrierExpectBytes,
    cuteSimMbarrierCompleteBytes, cuteSimMbarrierTest, cuteSimMbarrierTry,
    cuteSimMbarrierPending, cuteSimCpAsyncMbarrierArrive;
CuteSimFunction cuteSimWarpMma, cuteSimWgmma, cuteSimWgmmaCommit,
    cuteSimWgmmaWait, cuteSimMatrixLoad, cuteSimMatrixStore,
    cuteSimMatrixTranspose, cuteSimWmma, cuteSimWmmaLoad, cuteSimWmmaStore;
CuteStatus cuteSimWarpMmaPrepare(CuteSimSite *site);
CuteStatus cuteSimWgmmaPrepare(CuteSimSite *site);
CuteStatus cuteSimWmmaPrepare(CuteSimSite *site);

CuteSimFunction cuteSimTensorAllocate, cuteSimTensorFree,
    cuteSimTensorRelinquish, cuteSimTensorLoad, cuteSimTensorStore,
    cuteSimTensorMma, cuteSimTensorCommit, cuteSimTensorFenceBefore,
    cuteSimTensorFenceAfter, cuteSimTensorWait, cuteSimTensorCopy;
CuteStatus cuteSimTensorMovePrepare(CuteSimSite *site);
CuteStatus cuteSimMemoryPrepare(CuteSimSite *site);
CuteSimFunction cuteSimAsyncStore, cuteSimMemoryLoad, cuteSimMemoryStore,
    cuteSimRegisterRead, cuteSimPtxExecute, cuteSimPtxFail;
CuteSimFunction cuteSimBulkTensor, cuteSimBulkCopy, cuteSimBulkCommit,
    cuteSimBulkWait, cuteSimMapReplace, cuteSimMapPublish;
CuteSimFunction cuteSimPtxShuffleUp, cuteSimPtxShuffleDown,
    cuteSimPtxShuffleButterfly, cuteSimPtxShuffleIndex, cuteSimPtxVoteAny,
    cuteSimPtxVoteAll, cuteSimPtxVoteUniform, cuteSimPtxVoteBallot,
    cuteSimPtxMatchAny, cuteSimPtxMatchAll, cuteSimPtxConvertAddress,
    cuteSimPtxGetRank, cuteSimPtxIsInSpace, cuteSimPtxCreatePolicy;
CuteSimFunction cuteSimCallPrintf, cuteSimCallAssertFail;
CuteSimFunction cuteSimClockRead, cuteSimFenceProxy, cuteSimNothing,
    cuteSimSetMaxRegisters, cuteSimMapa, cuteSimTrap, cuteSimExit;

// Ends with a row without a name; names without "llvm.nvvm.".
extern const CuteSimScalar cuteSimScalars[];
