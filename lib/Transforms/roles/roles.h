// Finds the roles of a kernel that cute-specialize has made.
#pragma once

#include "Transforms/edit/kernel_edit.h"

enum { CUTE_BARRIER_OF_CONSUMERS = 1 }; // the number of their named barrier

typedef struct CuteRoles {
  MlirOperation branch; // the scf.if that parts them
  MlirBlock producer;   // what one thread does to load
  MlirBlock products;   // to multiply in tensor memory, or to add; or null
  MlirBlock consumer;   // what the others do
} CuteRoles;

// False where the kernel has no such roles.
bool cuteRolesFind(CuteKernel *kernel, CuteRoles *roles);

// Lists the ops of a role that make the states with which it begins stages that
// continue from tile to tile.
CuteOps cuteRolesFindStates(CuteKernel *kernel, MlirBlock block);

// Checks that each pipeline continues from tile to tile, from one state in each
// of two roles. False with the kernel's problem.
bool cuteRolesCheckStates(CuteKernel *kernel, const CuteRoles *roles);

// Has warps that begin a block of the producer's warpgroup leave registers to
// the two or three warpgroups that begin the consumers' block, or to two if the
// former also start products in tensor memory.
void cuteRolesSetRegisters(CuteRebuild *r, MlirBlock producer,
                           MlirBlock consumer, int64_t warpgroups,
                           bool multiplies);

// The consumers' last op of a block that still reads stages.
MlirOperation cuteRolesFindLastRelease(CuteDialect *dialect, MlirBlock block);

// Tells whether an op is done once after all tiles: what waits for the last
// stores, and what frees tensor memory, with the barrier before it.
bool cuteRolesIsTail(CuteDialect *dialect, MlirOperation op);

// Has consumers do what follows their last release in a block only where a
// condition holds.
void cuteRolesGuardRest(CuteKernel *kernel, MlirBlock block, MlirValue isThere);

// Finds the gpu.barrier after the pipelines' barriers have been made, before an
// op of the kernel's block; null with the kernel's problem if there is none.
MlirOperation cuteRolesFindReady(CuteKernel *kernel, MlirOperation end);

// Leaves in the kernel's attribute cute.roles, for reports, which warps do
// what: so many compute, all or by turns, the next one loads, and perhaps
// another one multiplies.
void cuteRolesSay(CuteKernel *kernel, int64_t warps, bool byTurns,
                  bool multiplies);
