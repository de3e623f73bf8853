// Roles: threads of a block that take the same way through the kernel.
#pragma once

#include "Prove/term_values.h"
#include "Prove/walk.h"

enum { CUTE_MAX_ROLES = 8 };

typedef struct CuteThreadRoles {
  int *ofThread;
  int64_t sizes[CUTE_MAX_ROLES], firstThread[CUTE_MAX_ROLES];
  size_t count;
} CuteThreadRoles;

// Tells whether each comparison in a condition is of the thread alone or the
// same in all threads, so that it parts them into roles.
bool cuteThreadRolesPart(CuteTerms *terms, CuteCondition condition);

// Finds the roles by the conditions of the kernel's segments. False where there
// are many.
bool cuteThreadRolesFind(CuteThreadRoles *roles, const CuteProver *prover,
                         CuteValues *values);
